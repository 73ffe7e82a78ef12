"""A network in an ONNX file, run on this machine's processor in a thread."""

import ast
import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort

from sayso.clock import current
from sayso.errors import RobotError, UsageError
from sayso.perception.yolo import Tensor

TYPES = {"tensor(float)": "float32", "tensor(float16)": "float16", "tensor(uint8)": "uint8"}


class Network:
    """Runs in a thread, so that a stop never waits for it; the running loop's clock is told how long that took."""

    def __init__(self, file: Path) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = ort.InferenceSession(file, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the library's own errors have no common type
            raise UsageError(f"{file} is no network that can be run: {error}") from error
        takes = self._session.get_inputs()
        if len(takes) != 1 or takes[0].type not in TYPES:
            told = ", ".join(f"{t.name} {t.type}" for t in takes)
            raise UsageError(f"{file} has to take one picture, as {' or '.join(TYPES)}; it takes {told}")
        self.name = file.name
        shape = tuple(size if isinstance(size, int) else -1 for size in takes[0].shape)
        self.takes = Tensor(takes[0].name, shape, TYPES[takes[0].type])
        self.labels = _labels(self._session.get_modelmeta().custom_metadata_map)

    async def run(self, picture: np.ndarray[Any, Any]) -> Mapping[str, np.ndarray[Any, Any]]:
        """Its outputs by name. Raises `RobotError`."""
        names = [output.name for output in self._session.get_outputs()]
        try:
            with current().real():
                made = await asyncio.to_thread(self._session.run, names, {self.takes.name: picture})
        except Exception as error:  # ONNX Runtime's InvalidArgument and its like derive from Exception alone
            raise RobotError(f"{self.name} cannot read the picture: {error}") from error
        return dict(zip(names, made, strict=True))


def _labels(card: Mapping[str, str]) -> tuple[str, ...]:
    """The labels that exporters write into the file, as `names`: a list, or a dictionary by number."""
    try:
        names = ast.literal_eval(card.get("names", "()"))
    except (ValueError, SyntaxError):
        return ()
    if isinstance(names, dict):
        names = [names[number] for number in sorted(names, key=int)]
    return tuple(map(str, names)) if isinstance(names, list | tuple) else ()
