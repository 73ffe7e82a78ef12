"""A test double for the console: a sled without physics, and a station with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Annotated

from sayso import Range, skill
from sayso.agent import Agent
from sayso.console.choices import ConsoleSetup
from sayso.console.station import Station
from sayso.limits import Limits, Zone
from sayso.memory.journal import Journal
from sayso.models.scripted import Scripted
from sayso.roles import Chunk, Model, Prompt, Robot, RobotState
from sayso.scene import Pose


class Sled(Robot):
    """Slides at 0.5 m/s; counts how often it was told to halt."""

    name = "sled"
    limits = Limits(zone=Zone(-3, 3, -3, 3), mission_max_s=120)

    def __init__(self) -> None:
        self.pose = Pose()
        self.halts = 0

    def state(self) -> RobotState:
        return RobotState(self.pose, summary="standing")

    async def halt(self) -> None:
        self.halts += 1

    @skill(uses="base", path=lambda pose, distance_cm: [pose.moved(forward_m=distance_cm / 100)])
    async def forward(self, distance_cm: Annotated[float, Range(1, 1000)]) -> None:
        """Slide straight ahead."""
        left_m = distance_cm / 100
        while left_m > 1e-9:
            await asyncio.sleep(0.1)
            self.pose = self.pose.moved(forward_m=min(left_m, 0.05))
            left_m -= 0.05


class Hanging:
    """A model that begins an answer and never goes on: a double for a hung endpoint."""

    name = "hanging (a test double)"

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        yield Chunk("forward(100);")
        await asyncio.Event().wait()

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        raise AssertionError("nobody scores here")


def station(
    *answers: str, approve: bool = False, model: Model | None = None, journal: Path | None = None, dead_man_s: float = 0
) -> Station:
    """A station with a sled, whose model gives these answers."""
    kept = Journal(journal) if journal else None

    async def make(choice: ConsoleSetup) -> Agent:
        return Agent(Sled(), model=model or Scripted(list(answers)), memory=kept, watchdog_s=choice.dead_man_s)

    return Station(ConsoleSetup(approve=approve, dead_man_s=dead_man_s), make=make)


def sled(of: Station) -> Sled:
    robot = of.agent.robot
    assert isinstance(robot, Sled)
    return robot


async def ended(of: Station) -> None:
    """Wait until no mission runs."""
    while of.running:
        await asyncio.sleep(0.05)
