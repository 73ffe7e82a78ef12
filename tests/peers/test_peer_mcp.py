"""`sayso mcp` judged by programs that we did not write: the protocol's own conformance suite, and its Inspector.

Left out of `make test`; `make peers` runs it where there is npm, which loads both on first use. The suite's other
scenarios ask for tools of its own ("test_simple_text") and so judge an SDK, not a robot.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from peer_server import CONFORMANCE, INSPECTOR, NODE

pytest.importorskip("mcp")
pytestmark = [pytest.mark.peer, pytest.mark.skipif(not shutil.which("npx"), reason="npx is not installed")]

SCENARIOS = {
    "server-initialize": 1, "ping": 1, "tools-list": 1, "resources-list": 1, "prompts-list": 1,
    "dns-rebinding-protection": 2, "server-sse-multiple-streams": 2,
}  # fmt: skip
LOAD_S = 300.0


def npx(package: str, *words: str) -> str:
    command = ["npx", "--yes", "-p", NODE, "-p", package, "--", *words]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=LOAD_S, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "SAYSO_HOME": str(tmp_path_factory.mktemp("mcp"))}
    command = [sys.executable, "-m", "sayso", "mcp", "--http", str(port)]
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as program:
        assert program.stderr is not None
        yield program.stderr.readline().decode().strip()
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=60)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_conformance_suite_passes_what_it_can_ask_of_a_robot(scenario: str, url: str) -> None:
    told = npx(CONFORMANCE, "conformance", "server", "--url", url, "--scenario", scenario)
    count = SCENARIOS[scenario]
    assert f"Passed: {count}/{count}, 0 failed, 0 warnings" in told


def test_the_inspector_lists_the_tools_and_has_a_wish_done(tmp_path: Path) -> None:
    path = os.environ.get("PYTHONPATH", "")
    environment = ["-e", f"SAYSO_HOME={tmp_path}", *(("-e", f"PYTHONPATH={path}") if path else ())]
    server = [sys.executable, "-m", "sayso", "mcp", "--pace", "0", "--method"]
    asked = ["mcp-inspector", "--cli", *environment, *server]
    tools = json.loads(npx(INSPECTOR, *asked, "tools/list", "--strict"))["tools"]
    assert {tool["name"] for tool in tools} == {"say", "check_plan", "run_plan", "stop", "why", "where"}
    done = npx(INSPECTOR, *asked, "tools/call", "--tool-name", "say", "--tool-arg", "wish=take off and land")
    report = json.loads(done)["structuredContent"]
    assert (report["outcome"], report["verified"]) == ("achieved", True)
