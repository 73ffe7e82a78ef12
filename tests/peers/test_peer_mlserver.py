"""A detector at a server that is not ours: MLServer, the reference of the Open Inference Protocol."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from peer_server import PYTHON, START_MAX_S, need

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.perception.detecting import make, seen_through
from sayso.robots.drone.world.office import Office

HERE = Path(__file__).parent
NETWORK = HERE.parent / "perception" / "networks" / "nms.onnx"

pytestmark = pytest.mark.peer


def free_ports(count: int) -> list[int]:
    lines = [socket.socket() for _ in range(count)]
    for line in lines:
        line.bind(("127.0.0.1", 0))
    ports = [int(line.getsockname()[1]) for line in lines]
    for line in lines:
        line.close()
    return ports


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What a person writes after `--detector` for MLServer on this machine."""
    need("mlserver", "onnxruntime")
    folder = tmp_path_factory.mktemp("mlserver")
    http, grpc, metrics = free_ports(3)
    settings = {
        "host": "127.0.0.1",
        "http_port": http,
        "grpc_port": grpc,
        "metrics_port": metrics,
        "parallel_workers": 0,
    }
    (folder / "settings.json").write_text(json.dumps(settings), "utf-8")
    model = {
        "name": "eyes",
        "implementation": "mlserver_detector.ByColour",
        "parameters": {"uri": str(NETWORK)},
        "inputs": [{"name": "images", "datatype": "FP32", "shape": [1, 3, 120, 160]}],
        "outputs": [{"name": "boxes", "datatype": "FP32", "shape": [1, 3, 6]}],
    }
    (folder / "model-settings.json").write_text(json.dumps(model), "utf-8")
    (folder / "eyes.toml").write_text(
        f'service = "http://127.0.0.1:{http}/v2/models/eyes"\nlabels = ["apple", "chair", "plant"]\n', "utf-8"
    )
    log = folder / "log"
    with log.open("wb") as out:
        server = subprocess.Popen(
            [PYTHON, "-c", "from mlserver.cli import main; main()", "start", str(folder)],
            stdout=out, stderr=subprocess.STDOUT, env={**os.environ, "PYTHONPATH": str(HERE)}, cwd=folder,
        )  # fmt: skip
    try:
        until_s = time.monotonic() + START_MAX_S
        while not ready(f"http://127.0.0.1:{http}/v2/models/eyes/ready"):
            if server.poll() is not None or time.monotonic() > until_s:
                pytest.fail(f"MLServer did not come up; its log ends:\n{log.read_text('utf-8')[-3000:]}")
            time.sleep(0.5)
        yield str(folder / "eyes.toml")
    finally:
        server.kill()
        server.wait()


def ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def test_mlserver_finds_what_the_same_network_finds_here(served: str) -> None:
    picture = np.full((360, 480, 3), 90, np.uint8)
    picture[100:200, 60:160], picture[200:300, 300:400] = (200, 20, 20), (20, 30, 200)

    async def both() -> list[dict[str, tuple[float, ...]]]:
        found = [await make(where).detect(picture) for where in (served, str(NETWORK))]
        return [{d.label: (d.confidence, d.box.x, d.box.y, d.box.width, d.box.height) for d in one} for one in found]

    there, here = asyncio.run(both())
    assert set(there) == set(here) == {"apple", "chair"}
    for label in here:
        assert there[label] == pytest.approx(here[label], abs=0.01)


def test_the_drone_flies_by_what_mlserver_sees(served: str) -> None:
    world = Office("task08")
    if world.robot.picture(64, 48) is None:
        pytest.skip("no GL library here")

    async def main() -> None:
        async with Agent(world=world, perception=seen_through(world.robot, served)) as agent:
            result = await agent.do("take off and go to the chair")
        assert result.outcome == "achieved" and result.ended.verified, result.ended

    SimClock().run(main())
    here, there = world.truth().pose, world.truth().things["chair-1"].pose
    assert np.hypot(here.x_m - there.x_m, here.y_m - there.y_m) < 1.6 and not world.truth().contacts
    world.close()
