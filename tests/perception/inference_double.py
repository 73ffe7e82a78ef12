"""A test double of an inference server: the Open Inference Protocol over HTTP, written from its public description.

It serves one of the tests' networks and is strict: what does not have the name, the type and the size that the model's
metadata tell is refused. What it says can be bent, for tests of servers that misbehave.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort

NETWORKS = Path(__file__).with_name("networks")


@dataclass
class Double:
    """A running server. `bend` has the last word on a body that is sent; `asked` counts inferences."""

    network: str = "nms"
    bend: Callable[[bytes], bytes] = lambda body: body
    status: int = 200
    asked: int = 0
    url: str = ""
    session: Any = field(default=None, repr=False)

    def metadata(self) -> dict[str, Any]:
        takes, gives = self.session.get_inputs()[0], self.session.get_outputs()
        return {
            "name": "eyes",
            "versions": ["1"],
            "platform": "onnxruntime_onnx",
            "inputs": [{"name": takes.name, "datatype": "FP32", "shape": [1, 3, 120, 160]}],
            "outputs": [{"name": g.name, "datatype": "FP32", "shape": [1, 3, 6]} for g in gives],
        }

    def infer(self, request: dict[str, Any]) -> dict[str, Any]:
        (given,), (takes,) = request["inputs"], self.metadata()["inputs"]
        assert {key: given[key] for key in ("name", "datatype", "shape")} == takes, given
        assert len(given["data"]) == math.prod(given["shape"])
        self.asked += 1
        picture = np.array(given["data"], np.float32).reshape(given["shape"])
        outputs = self.session.run(None, {given["name"]: picture})
        names = [g.name for g in self.session.get_outputs()]
        return {
            "model_name": "eyes",
            "outputs": [
                {"name": n, "datatype": "FP32", "shape": list(o.shape), "data": o.ravel().tolist()}
                for n, o in zip(names, outputs, strict=True)
            ],
        }


@contextmanager
def served(double: Double) -> Iterator[Double]:
    """Run it on a free port of this machine."""
    double.session = ort.InferenceSession(NETWORKS / f"{double.network}.onnx")

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

        def do_GET(self) -> None:
            self.answer(double.metadata() if self.path == "/v2/models/eyes" else None)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self.answer(double.infer(body) if self.path == "/v2/models/eyes/infer" else None, double.bend)

        def answer(self, said: Any, bend: Callable[[bytes], bytes] = lambda body: body) -> None:
            body = bend(json.dumps(said or {"error": "no such model"}).encode())
            self.send_response(double.status if said else 404)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    double.url = f"http://127.0.0.1:{server.server_port}/v2/models/eyes"
    try:
        yield double
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
