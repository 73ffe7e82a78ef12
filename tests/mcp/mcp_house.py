"""A robot in a simulated office, served to the SDK's own client over memory, on simulated time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp.client.client import Client
from mcp_types import ElicitResult

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.mcp.remote_access import RemoteAccess
from sayso.mcp.server import build
from sayso.memory.journal import Journal
from sayso.planners.plan_run import Approve
from sayso.setup import Setup


class House:
    """What a test has in hand: the `agent`, its `hand`, the `client`, and the questions that the client was asked."""

    def __init__(self, agent: Agent, hand: RemoteAccess) -> None:
        self.agent, self.hand = agent, hand
        self.client: Any = None
        self.asked: list[str] = []
        self.told: list[str] = []

    async def accept(self, context: Any, params: Any) -> ElicitResult:
        """A client that says yes to everything."""
        self.asked.append(params.message)
        return ElicitResult(action="accept", content={"approved": True})

    async def call(self, tool: str, **arguments: Any) -> Any:
        """The tool's result; its structured content, or the text of an error."""

        async def hear(done: float, total: float | None, line: str | None) -> None:
            self.told.append(line or "")

        result = await self.client.call_tool(tool, arguments, progress_callback=hear)
        if result.is_error:
            return result.content[0].text
        found = result.structured_content
        return found["result"] if found is not None and set(found) == {"result"} else found

    async def read(self, uri: str) -> str:
        return str((await self.client.read_resource(uri)).contents[0].text)


def served(
    folder: Path, play: Callable[[House], Awaitable[None]], *, skills: bool = False, approve: Approve | None = None
) -> None:
    """Run `play` with a client of the robot."""
    file = folder / "journal.sqlite"

    async def run() -> None:
        setup = Setup(memory=True, approve=approve is not None)
        robot, world = setup.make_robot()
        with Journal(file) as kept:
            agent = setup.make_agent(robot, world, memory=setup.remembers(kept))
            async with agent:
                hand = RemoteAccess(agent, file, approve)
                house = House(agent, hand)
                async with Client(build(hand, skills=skills), elicitation_callback=house.accept) as house.client:
                    await play(house)

    SimClock().run(run())
