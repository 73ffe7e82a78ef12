"""The executive's figures: how many arbitrations a second, how soon a stop and a guard act, under load."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

from sayso.clock import WallClock
from sayso.executive.loop import Director
from sayso.executive.missions import DirectorExecutive
from sayso.limits import Limits
from sayso.parts import Robot, RobotState
from sayso.skill import SkillSet, skill, skills_of
from sayso.task import Provider, Task

TRIES = 200


def cycles_per_s(children: int, cycles: int) -> float:
    """Root re-emissions a second (CPU time), each giving `children` leaf tasks anew."""
    director = Director()

    def parent(run: Any) -> None:
        for n in range(children):
            run.emit(f"leaf{n}")

    director.add(Provider("parent", parent), *(Provider(f"leaf{n}", lambda run: None) for n in range(children)))
    director.emit("parent")
    director.drain()
    began = time.process_time()
    for _ in range(cycles):
        director.emit("parent")
        director.drain()
    return cycles / (time.process_time() - began)


class _Halted(Robot):
    """Notes when it was told to halt. A test double."""

    name = "halted"
    limits = Limits(battery_reserve=0.5)

    def __init__(self) -> None:
        self.told_s = 0.0
        self.charge = 1.0

    def state(self) -> RobotState:
        return RobotState(charge=self.charge)

    async def halt(self) -> None:
        self.told_s = self.told_s or time.perf_counter()

    @skill(uses="base")
    async def go(self) -> None:
        """Go on and on."""
        await asyncio.sleep(3600)


def stops() -> list[float]:
    """Seconds from `stop` to the robot's `halt`, with fifty other tasks and a skill at work, in order of size."""

    async def once() -> float:
        robot = _Halted()
        executive = DirectorExecutive(SkillSet(skills_of(robot)), robot, robot.limits, lambda event: None)
        call = asyncio.ensure_future(executive.do(Task("go")))
        await asyncio.sleep(0.005)
        began = time.perf_counter()
        executive.stop("bench")
        await executive.settled()
        await call
        await executive.close()
        return robot.told_s - began

    return _under_load(once)


def guarded() -> list[float]:
    """Seconds from the moment a guard's root task is emitted to its body running, in order of size."""

    async def once() -> float:
        director = Director()
        ran: list[float] = []
        director.add(Provider("base"), Provider("go", _forever, needs=("base",)))
        director.add(Provider("guard", lambda run: ran.append(time.perf_counter()), needs=("base",)))
        director.emit(Task("go"))
        await asyncio.sleep(0.002)
        began = time.perf_counter()
        director.emit(Task("guard", priority=9))
        while not ran:
            await asyncio.sleep(0)
        await director.close()
        return ran[0] - began

    return _under_load(once)


async def _forever(run: Any) -> None:
    await asyncio.sleep(3600)


def _under_load(once: Any) -> list[float]:
    async def busy() -> None:
        while True:
            sum(range(200))
            await asyncio.sleep(0.001)

    async def main() -> list[float]:
        others = [asyncio.ensure_future(busy()) for _ in range(50)]
        waits = [await once() for _ in range(TRIES)]
        for other in others:
            other.cancel()
        return sorted(waits)

    return WallClock().run(main())


def figures() -> Iterator[tuple[str, float, str, float, bool]]:
    """(id, value, unit, bar, whether the bar is an upper bound)."""
    hundred, thousand = cycles_per_s(100, 300), cycles_per_s(1000, 30)
    yield "director_100_children", hundred, "cycles/s", 2000, False
    yield "director_1000_children", thousand, "cycles/s", 200, False
    yield "director_growth_10x_children", hundred / thousand / 10, "× per child", 2, True
    yield "stop_p99", stops()[int(TRIES * 0.99)] * 1e3, "ms", 5, True
    yield "guard_p99", guarded()[int(TRIES * 0.99)] * 1e3, "ms", 5, True
