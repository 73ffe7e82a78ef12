"""A test double: a trolley with speed and mass that checks nothing, with faults that are injected, and its missions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

from sayso import Range, skill
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded
from sayso.limits import Limits, Zone
from sayso.models.scripted import Scripted
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt
from sayso.roles import Robot, RobotState
from sayso.scene import Pose

FENCE_M = 3.0
SPEED_MPS = 1.0
BRAKE_MPS2 = 4.0
STEP_S = 0.01

Fault = Callable[[int], BaseException | None]
"""The number of a call, counted from 1 -> what it raises."""


def never(call: int) -> BaseException | None:
    return None


def once(call: int, error: Exception) -> Fault:
    return lambda number: error if number == call else None


def from_call(call: int, error: Exception) -> Fault:
    return lambda number: error if number >= call else None


class Rolled:
    """A figure of a trolley, worked out for the moment in which somebody asks or changes it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = f"_{name}"

    def __get__(self, trolley: Trolley, owner: type) -> float:
        trolley.roll_on()
        return vars(trolley)[self.name]

    def __set__(self, trolley: Trolley, value: float) -> None:
        trolley.roll_on()
        vars(trolley)[self.name] = value


class Trolley(Robot):
    """Rolls along x on the loop's time, whoever listens. `faults` raise in `state`, `halt`, `rest`, `open`, `close`."""

    name = "trolley"
    limits = Limits(zone=Zone(-FENCE_M, FENCE_M, -FENCE_M, FENCE_M), mission_max_s=60, battery_reserve=0.2)

    x_m, speed_mps, wanted_mps, furthest_m = Rolled(), Rolled(), Rolled(), Rolled()

    def __init__(self, **faults: Fault) -> None:
        self._rolled_s: float | None = None
        self.faults = faults
        self.calls: dict[str, int] = {}
        self.x_m = self.speed_mps = self.wanted_mps = 0.0
        self.charge, self.connected, self.resting = 1.0, True, True
        self.furthest_m = 0.0
        self.hangs: set[str] = set()

    def _called(self, part: str) -> None:
        self.calls[part] = self.calls.get(part, 0) + 1
        if error := self.faults.get(part, never)(self.calls[part]):
            raise error

    def state(self) -> RobotState:
        self._called("state")
        return RobotState(Pose(self.x_m), self.charge, abs(self.speed_mps), self.resting, self.connected, self._says())

    def _says(self) -> str:
        return "standing" if self.speed_mps == 0 else "rolling"

    async def open(self) -> None:
        self._called("open")
        if self._rolled_s is None:
            self._rolled_s = asyncio.get_running_loop().time()

    async def close(self) -> None:
        self._called("close")
        self.roll_on()
        self._rolled_s = None

    def roll_on(self) -> None:
        """Everything that has happened since the last time, a step after the other."""
        if self._rolled_s is None or not (loop := asyncio._get_running_loop()):
            return
        steps = int((loop.time() - self._rolled_s) / STEP_S + 1e-6)
        self._rolled_s += steps * STEP_S
        x_m, speed_mps, wanted_mps = self._x_m, self._speed_mps, self._wanted_mps
        for _ in range(steps if speed_mps or wanted_mps else 0):
            speed_mps += max(-BRAKE_MPS2 * STEP_S, min(BRAKE_MPS2 * STEP_S, wanted_mps - speed_mps))
            if abs(speed_mps) < 1e-9:
                speed_mps = 0.0
            x_m += speed_mps * STEP_S
            self._furthest_m = max(self._furthest_m, abs(x_m))
        self._x_m, self._speed_mps = x_m, speed_mps

    async def halt(self) -> None:
        self._called("halt")
        if "halt" in self.hangs:
            await asyncio.Event().wait()
        self.wanted_mps = 0.0

    async def rest(self) -> None:
        self._called("rest")
        self.wanted_mps = 0.0
        await asyncio.sleep(0.5)
        self.resting = True

    @skill(uses="wheels", again=True)
    async def roll(self, speed_mps: Annotated[float, Range(-1, 1)]) -> None:
        """Roll at this speed and never look where."""
        self.resting = False
        self.wanted_mps = speed_mps
        await asyncio.sleep(20)
        self.wanted_mps = 0.0

    @skill(uses="wheels")
    async def drive(self, seconds_s: Annotated[float, Range(0, 10)]) -> None:
        """Roll ahead for so long."""
        self.resting = False
        self.wanted_mps = SPEED_MPS
        await asyncio.sleep(seconds_s)
        self.wanted_mps = 0.0
        await asyncio.sleep(SPEED_MPS / BRAKE_MPS2)


def say(
    plans: Sequence[str],
    robot: Robot,
    *,
    wishes: int = 1,
    meanwhile: Callable[[Agent], Any] | None = None,
    approve: Any = None,
    after: Callable[[Agent], Any] | None = None,
    **options: Any,
) -> list[list[Event]]:
    """What happened on so many wishes, said one after the other; all of it must end within an hour of its time."""

    async def run() -> list[list[Event]]:
        agent = Agent(robot, model=Scripted(list(plans)), **options)
        beside = asyncio.ensure_future(meanwhile(agent)) if meanwhile else None
        async with asyncio.timeout(3600):
            stories = [[e async for e in agent.say("go", approve=approve)] for _ in range(wishes)]
            if beside:
                await beside
            if after:
                await after(agent)
        return stories

    return SimClock().run(run())


def ended(events: Sequence[Event]) -> MissionEnded:
    """The verdict: exactly one, and last (S13)."""
    endings = [e for e in events if isinstance(e, MissionEnded)]
    assert len(endings) == 1 and events[-1] is endings[0]
    return endings[0]


def mending(replans: int) -> partial[Stream]:
    """A planner whose plans are mended so often."""
    return partial(Stream, render=plan_prompt, replans=replans)


def stop_after(seconds: float, by: str = "key") -> Callable[[Agent], Any]:
    async def stop(agent: Agent) -> None:
        await asyncio.sleep(seconds)
        agent.stop(by)

    return stop
