"""`sayso mcp` as a program of its own: over standard input and output, and on this machine's loopback."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from sayso.memory.journal import Journal

PROGRAM = [sys.executable, "-m", "sayso", "mcp"]
START_S = 300.0
FIRST = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "a test", "version": "1"},
    },
}


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "SAYSO_HOME": str(home), "XDG_CONFIG_HOME": str(home)}


def started(home: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PROGRAM, *words], env=environment(home), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def said(program: subprocess.Popen[str], *messages: dict[str, Any]) -> None:
    assert program.stdin is not None
    program.stdin.writelines(json.dumps(message) + "\n" for message in messages)
    program.stdin.flush()


def wish(words: str) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "say", "arguments": {"wish": words}},
    }


READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def test_the_sdks_client_flies_over_standard_input(tmp_path: Path) -> None:
    lines: list[str] = []

    async def hear(done: float, total: float | None, line: str | None) -> None:
        lines.append(line or "")

    async def fly() -> Any:
        program = StdioServerParameters(
            command=PROGRAM[0], args=[*PROGRAM[1:], "--pace", "0"], env=environment(tmp_path)
        )
        async with Client(stdio_client(program)) as client:
            return await client.call_tool("say", {"wish": "take off, turn left and land"}, progress_callback=hear)

    report = asyncio.run(fly()).structured_content
    assert (report["outcome"], report["verified"]) == ("achieved", True)
    assert "start: take_off()" in lines


def test_nothing_but_the_protocol_is_on_standard_output_and_who_leaves_is_waited_for(tmp_path: Path) -> None:
    program = started(tmp_path)
    said(program, FIRST, READY, wish("take off and wait 60 seconds"))
    deadline_s = time.monotonic() + START_S
    while time.monotonic() < deadline_s and not _flies(tmp_path):
        time.sleep(0.2)
    out, _ = program.communicate(timeout=START_S)
    assert {json.loads(line)["jsonrpc"] for line in out.splitlines()} == {"2.0"}
    assert program.returncode == 0
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert journal.missions()[-1].outcome == "stopped"


def test_a_signal_brings_it_to_rest_though_nobody_closes_its_input(tmp_path: Path) -> None:
    program = started(tmp_path)
    said(program, FIRST, READY, wish("take off and wait 60 seconds"))
    deadline_s = time.monotonic() + START_S
    while time.monotonic() < deadline_s and not _flies(tmp_path):
        time.sleep(0.2)
    program.send_signal(signal.SIGTERM)
    assert program.wait(START_S) == 0
    with Journal(tmp_path / "journal.sqlite") as journal:
        mission = journal.missions()[-1]
        assert mission.outcome == "stopped"
        assert any(type(e).__name__ == "Stopped" for e in journal.events(mission.id))
    program.communicate()


def test_on_loopback_other_sites_and_other_names_are_turned_away(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = started(tmp_path, "--http", str(port))
    assert program.stderr is not None
    assert f"http://127.0.0.1:{port}/mcp" in program.stderr.readline()
    try:
        where = f"http://127.0.0.1:{port}/mcp"
        assert _status(where, Host="evil.example") == 421
        assert _status(where, Origin="http://evil.example") == 403
        assert _status(where, Origin="http://localhost:3000") == 403

        async def ask() -> list[str]:
            async with Client(where) as client:
                return [tool.name for tool in (await client.list_tools()).tools]

        assert "say" in asyncio.run(ask())
    finally:
        program.send_signal(signal.SIGINT)
        assert program.wait(START_S) == 0
        program.communicate()


def _flies(home: Path) -> bool:
    if not (home / "journal.sqlite").exists():
        return False
    with Journal(home / "journal.sqlite") as journal:
        rows = journal.missions()
        events = journal.events(rows[-1].id) if rows else []
    return any(type(e).__name__ == "TaskEnded" for e in events)


def _status(where: str, **headers: str) -> int:
    request = urllib.request.Request(
        where, json.dumps(FIRST).encode(),
        {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers},
    )  # fmt: skip
    for attempt in range(50):
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code
        except urllib.error.URLError:
            assert attempt < 49
            time.sleep(0.1)
    raise AssertionError("it never listened")
