"""The person at the terminal of `sayso mcp --http` approves and releases; the program that connects cannot."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Home, Terminal

pytest.importorskip("mcp")

from mcp.client.client import Client


def test_a_plan_runs_after_a_yes_at_the_terminal_and_a_stop_is_lifted_there(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    terminal = Terminal(Home(tmp_path), "mcp", "--http", str(port), "--approve")
    terminal.see(f"http://127.0.0.1:{port}/mcp")

    async def call(client: Any, answer: str) -> Any:
        asked = asyncio.ensure_future(client.call_tool("run_plan", {"plan": "log('here');"}))
        await asyncio.to_thread(terminal.see, "Run this plan?")
        terminal.screen = ""
        terminal.type(answer)
        return (await asked).structured_content

    async def play() -> None:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            assert (await call(client, "n\n"))["outcome"] == "refused"
            assert (await call(client, "y\n"))["said"] == ["here"]
            await client.call_tool("stop", {})
            stopped = await client.call_tool("run_plan", {"plan": "log('here');"})
            assert stopped.structured_content["outcome"] == "stopped"
            terminal.type("release\nand then?\n")
            await asyncio.to_thread(terminal.see, "type stop, release or quit here")
            assert (await call(client, "y\n"))["outcome"] == "achieved"

    asyncio.run(play())
    terminal.type("quit\n")
    assert terminal.end() == 0
