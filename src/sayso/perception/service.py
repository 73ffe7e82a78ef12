"""A network on a server that speaks the Open Inference Protocol (HTTP), as Triton, MLServer, OpenVINO do.

GET  …/v2/models/NAME          what it takes and puts out
POST …/v2/models/NAME/infer    {"inputs": [{"name", "shape", "datatype", "data"}]} → {"outputs": […]}
"""

import json
from collections.abc import Mapping
from typing import Any

import httpx2 as httpx
import numpy as np

from sayso.clock import current
from sayso.errors import RobotError, UsageError
from sayso.perception.yolo import Tensor

TYPES = {"FP32": "float32", "FP16": "float16", "UINT8": "uint8"}
READ = {**TYPES, "FP64": "float64", "INT64": "int64", "INT32": "int32", "INT16": "int16", "INT8": "int8"}
CONNECT_S, ANSWER_S = 5.0, 10.0
ANSWER_MAX = 64 * 2**20
"""Bytes of an answer that are read."""


class Service:
    """One model at a server: `url` ends in /v2/models/NAME. What an answer takes is charged to the running clock."""

    labels: tuple[str, ...] = ()

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self.name = self._url.partition("://")[2]
        try:
            told = httpx.get(self._url, timeout=CONNECT_S)
            told.raise_for_status()
            takes = told.json()["inputs"]
            one = takes[0]
            self.takes = Tensor(str(one["name"]), tuple(map(int, one["shape"])), TYPES.get(one["datatype"], ""))
            self._datatype = str(one["datatype"])
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, LookupError, TypeError) as error:
            raise UsageError(f"no model answers at {self._url}: {type(error).__name__}: {error}") from error
        if len(takes) != 1 or not self.takes.dtype:
            raise UsageError(f"{self._url} has to take one picture, as {' or '.join(TYPES)}; it takes {takes}")

    async def run(self, picture: np.ndarray[Any, Any]) -> Mapping[str, np.ndarray[Any, Any]]:
        """Its outputs by name. Raises `RobotError`."""
        data = picture.ravel()
        if data.dtype != np.uint8:
            data = np.round(data.astype(np.float64), 5)  # digits that no camera has are not sent
        asked = {
            "name": self.takes.name,
            "shape": list(picture.shape),
            "datatype": self._datatype,
            "data": data.tolist(),
        }
        try:
            with current().real():
                answer = json.loads(await self._post(json.dumps({"inputs": [asked]}).encode()))
            return {str(output["name"]): _array(output) for output in answer["outputs"]}
        except (httpx.HTTPError, ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
            raise RobotError(f"the service {self.name} gave no answer: {type(error).__name__}: {error}") from error

    async def _post(self, body: bytes) -> bytes:
        got = bytearray()
        head = {"content-type": "application/json"}
        async with (
            httpx.AsyncClient(timeout=ANSWER_S) as client,
            client.stream("POST", f"{self._url}/infer", content=body, headers=head) as answer,
        ):
            async for piece in answer.aiter_bytes():
                got += piece
                if len(got) > ANSWER_MAX:
                    raise ValueError(f"more than {ANSWER_MAX} bytes")
        if answer.is_error:
            raise ValueError(f"{answer.status_code} {got[:200].decode('utf-8', 'replace')}")
        return bytes(got)


def _array(output: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """A tensor of an answer; its data may be flat or nested. Raises `ValueError`."""
    if output["datatype"] not in READ:
        raise ValueError(f"it puts out {output['datatype']}")
    return np.array(output["data"], dtype=READ[output["datatype"]]).reshape([int(side) for side in output["shape"]])
