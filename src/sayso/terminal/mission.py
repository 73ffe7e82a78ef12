"""From the words on a command line to a flown mission: build the parts, fly, show, and leave the robot at rest."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from sayso.agent import Agent, Approve
from sayso.clock import SimClock
from sayso.errors import UsageError
from sayso.events import Event, MissionEnded
from sayso.memory.journal import Journal, home
from sayso.models import make as make_model
from sayso.parts import Model, Planner, World
from sayso.planners.reflex import Reflex
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt
from sayso.terminal.film import Film
from sayso.terminal.live import LiveView
from sayso.worlds import make as make_world

WATCHED_PACE = 4.0
"""Simulated seconds per second when a person looks on."""


@dataclass(frozen=True, slots=True)
class Setup:
    """All it takes to run a mission again, besides the instruction."""

    model: str = ""
    planner: str = ""
    world: str = "office"
    scene: str = ""
    seed: int = 0
    wind_mps: float = 0.0

    def make_world(self) -> World:
        options: dict[str, Any] = {"scene": self.scene} if self.scene else {}
        return make_world(self.world, seed=self.seed, wind_mps=self.wind_mps, **options)

    def make_agent(self, world: World, clock: SimClock, **more: Any) -> Agent:
        model = make_model(self.model, clock) if self.model else None
        return Agent(world=world, model=model, planner=make_planner(self.planner, model), setup=asdict(self), **more)


def make_planner(name: str, model: Model | None) -> Planner | Callable[[Model], Planner]:
    """The planner of that name; without one, `stream` where there is a model and `reflex` where there is none."""
    match name or ("stream" if model else "reflex"):
        case "reflex":
            return Reflex()
        case "stream" if model is None:
            raise UsageError("the planner stream needs a model; connect one with --model (see `sayso models`)")
        case "stream":
            return lambda heard: Stream(heard, plan_prompt)
        case other:
            raise UsageError(f"no planner is called {other!r}; there are {', '.join(PLANNERS)}")


PLANNERS = {
    "reflex": "no model: direct commands in plain English; stop and land always work",
    "stream": "a model's plan runs while it streams (TypeFly)",
}


def fly(
    instruction: str,
    setup: Setup,
    *,
    console: Console,
    approve: bool = False,
    view: Path | None = None,
    pace: float | None = None,
    journal: Path | None = None,
) -> tuple[MissionEnded, str]:
    """One mission in an embedded world, from sentence to verdict; also returns the mission's id."""
    clock = SimClock(pace=WATCHED_PACE if pace is None and console.is_terminal else pace or 0.0)
    world = setup.make_world()
    film = Film(world, view) if view else None
    with Journal(journal or home() / "journal.sqlite") as memory:
        agent = setup.make_agent(world, clock, memory=memory, pictures=view or home() / "pictures")
        ask = person(console, clock) if approve else None
        ended, mission = clock.run(_fly(agent, instruction, console, ask, film))
    if film:
        for path in film.write():
            console.print(Text(f"        wrote   {path}", "cyan"))
    return ended, mission


async def _fly(
    agent: Agent, instruction: str, console: Console, approve: Approve | None, film: Film | None
) -> tuple[MissionEnded, str]:
    last: Event | None = None
    mission = ""
    truth = agent.world.truth() if agent.world else None
    async with agent:
        with stopped_by_ctrl_c(agent), LiveView(console, agent.limits, truth) as live:
            async for event in agent.say(instruction, approve=approve):
                mission = agent.mission.id if agent.mission else mission
                live.see(event)
                if film:
                    film.see(event)
                last = event
    assert isinstance(last, MissionEnded), "every mission ends with its verdict"
    return last, mission


@contextmanager
def stopped_by_ctrl_c(agent: Agent) -> Iterator[None]:
    """The first Ctrl-C (or SIGTERM) stops the robot, which lands as the agent closes; the second is Python's own."""
    loop = asyncio.get_running_loop()

    def stop(number: signal.Signals) -> None:
        agent.stop("key")
        loop.remove_signal_handler(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


def person(console: Console, clock: SimClock) -> Callable[[str], Awaitable[bool]]:
    """Asks the person at the keyboard. Waiting for the answer blocks nothing, so a stop still gets through."""

    async def approve(plan: str) -> bool:
        console.print(Text(plan, "bold"))
        console.print("Run this plan? [y/N] ", end="")
        with clock.real():
            return (await _line()).strip().lower() in ("y", "yes")

    return approve


async def _line() -> str:
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    fd = sys.stdin.fileno()
    try:
        loop.add_reader(fd, lambda: None if ready.done() else ready.set_result(None))
    except (PermissionError, OSError):  # a plain file or /dev/null is always ready and cannot be waited for
        return sys.stdin.readline()
    try:
        await ready
    finally:
        loop.remove_reader(fd)
    return sys.stdin.readline()
