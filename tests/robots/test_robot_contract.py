"""Every robot that a world hands out meets the contract; an adapter that does not is told what is missing."""

from __future__ import annotations

import asyncio
from typing import Annotated

import pytest

from sayso import Range, skill
from sayso.clock import SimClock
from sayso.limits import Limits, Zone
from sayso.robots.check import check, exercise
from sayso.roles import Robot, RobotState
from sayso.worlds import make, places


@pytest.mark.parametrize("name", places())
def test_every_worlds_robot_meets_the_contract(name: str) -> None:
    world = make(name)
    problems = [p for p in check(world.robot) if "shared skills" not in p]

    async def main() -> list[str]:
        running = asyncio.ensure_future(world.run())
        try:
            return await exercise(world.robot)
        finally:
            running.cancel()

    assert [*problems, *SimClock().run(main())] == []


class Bare(Robot):
    """Everything is missing."""

    def state(self) -> RobotState:
        return RobotState(charge=12.0)

    async def halt(self) -> None:
        """Nothing."""

    @skill(uses="base")
    async def go(self, distance: float) -> None:
        """Go."""


def test_an_unfinished_adapter_is_told_what_is_missing() -> None:
    said = "\n".join(check(Bare()))
    for hint in ("name of its own", "set limits", "give distance a Range", "distance_cm", "charge is a fraction"):
        assert hint in said


class HalfDrone(Robot):
    """Calls itself a drone and cannot fly."""

    name = "half"
    kind = "drone"
    limits = Limits(zone=Zone(-1, 1, -1, 1))

    def state(self) -> RobotState:
        return RobotState(resting=False)

    async def halt(self) -> None:
        await asyncio.sleep(60)

    @skill(uses="base")
    async def hop(self, height_cm: Annotated[float, Range(1, 10)]) -> None:
        """Hop."""


def test_a_drone_offers_what_its_kind_shares() -> None:
    said = "\n".join(check(HalfDrone()))
    assert "a drone offers take_off" in said and "hop: say where it leads" in said


def test_a_halt_that_takes_too_long_is_reported() -> None:
    assert "halt() took longer than 5 s" in SimClock().run(exercise(HalfDrone()))
