"""Every peer is asked without proxies and keys of this machine, by either clock; at the end their versions are told."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from peer_server import CONFORMANCE, INSPECTOR, NODE, PROXIES, PYTHON

from sayso.clock import Clock, SimClock, WallClock

PEERS = ["djitellopy", "mavsdk", "mlserver", "pymavlink", "rerun-sdk", "rosbags", "transformers", "xllamacpp"]
PEERS += ["zenoh-ros2-sdk", "eclipse-zenoh"]
VERSIONS = (
    "import json, sys, importlib.metadata as m; print(json.dumps({d.name: d.version for d in m.distributions()}))"
)


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["wall", "simulated"])
def clock(request: pytest.FixtureRequest) -> Clock:
    return WallClock() if request.param == "wall" else SimClock()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The versions of who is in the peers' Python, and of what npm brings."""
    if terminalreporter.stats.get("passed"):
        asked = subprocess.run([PYTHON, "-c", VERSIONS], check=True, capture_output=True, text=True)
        there = json.loads(asked.stdout)
        told = [f"{n} {there[n]}" for n in PEERS if n in there] + [NODE, CONFORMANCE, INSPECTOR] * bool(
            shutil.which("npx")
        )
        terminalreporter.write_line(f"peers: {', '.join(told)}")
