"""The executive's figures: how many arbitrations a second, how soon a stop and a guard act, under load."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sayso.agent import Agent
from sayso.clock import WallClock
from sayso.executive.loop import Director
from sayso.limits import Limits
from sayso.memory.journal import Journal
from sayso.roles import Chunk, Prompt, Robot, RobotState
from sayso.skill import skill
from sayso.task import Provider, Task
from speed_references import CALL, HOP, Row, calls, compared, hop_s

TRIES, STOPS = 200, 100

BESIDE_100, BESIDE_1000 = 1.2, 1.8
"""A tick of py_trees calls what was there before. A re-emission is a new task for each child, asks of each whether it
may run, gives it the place of the one before and then calls it: .98 to 1.06 of a tick with a hundred children, 1.2 to
1.6 with a thousand, which fill the caches."""


def re_emission(children: int) -> Callable[[], None]:
    """A root task emitted again, which gives `children` leaf tasks anew."""
    director, leaves = Director(), [f"leaf{n}" for n in range(children)]

    def parent(run: Any) -> None:
        for leaf in leaves:
            run.emit(leaf)

    director.add(Provider("parent", parent), *(Provider(leaf, lambda run: None) for leaf in leaves))

    def once() -> None:
        director.emit("parent")
        director.drain()

    return once


class _Halted(Robot):
    """Notes when it was told to halt. A test double."""

    name = "halted"
    limits = Limits(battery_reserve=0.5)

    def __init__(self) -> None:
        self.told_s = 0.0
        self.going = False
        self.charge = 1.0

    def state(self) -> RobotState:
        return RobotState(charge=self.charge)

    async def halt(self) -> None:
        self.told_s = self.told_s or time.perf_counter()

    @skill(uses="base")
    async def go(self) -> None:
        """Go on and on."""
        self.going = True
        await asyncio.sleep(3600)


class _Endless:
    """Orders one motion and then streams for ever. A test double."""

    name = "endless (a test double)"

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        yield Chunk("go();")
        while True:
            await asyncio.sleep(0.002)
            yield Chunk(" ")

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        raise AssertionError("nobody scores here")


def stops() -> tuple[list[float], list[float]]:
    """Seconds from `stop` to the robot's `halt`, and of one hop of the loop, each in order of size.

    Fifty other tasks run, the model streams, a skill is at work, and another process's lock holds the journal.
    """

    async def once(journal: Journal) -> tuple[float, float]:
        robot = _Halted()
        agent = Agent(robot, model=_Endless(), memory=journal, perception=None)
        heard = asyncio.ensure_future(agent.do("go"))
        while not robot.going:
            await asyncio.sleep(0.002)
        other = sqlite3.connect(journal.file, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        hop = await hop_s()
        began = time.perf_counter()
        agent.stop("bench")
        while not robot.told_s:
            await asyncio.sleep(0)
        other.execute("ROLLBACK")
        other.close()
        await heard
        await agent.close()
        return robot.told_s - began, hop

    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.sqlite") as journal:
        return _under_load(partial(once, journal), STOPS)


def guarded() -> tuple[list[float], list[float]]:
    """Seconds from the moment a guard's root task is emitted to its body running, and of a hop, in order of size."""

    async def once() -> tuple[float, float]:
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
        return ran[0] - began, await hop_s()

    return _under_load(once, TRIES)


async def _forever(run: Any) -> None:
    await asyncio.sleep(3600)


def _under_load(once: Callable[[], Awaitable[tuple[float, float]]], times: int) -> tuple[list[float], list[float]]:
    async def main() -> list[tuple[float, float]]:
        async with _loaded():
            return [await once() for _ in range(times)]

    taken, hops = zip(*WallClock().run(main()), strict=True)
    return sorted(taken), sorted(hops)


@asynccontextmanager
async def _loaded() -> AsyncIterator[None]:
    """Fifty tasks that keep the loop busy."""

    async def busy() -> None:
        while True:
            sum(range(200))
            await asyncio.sleep(0.001)

    others = [asyncio.ensure_future(busy()) for _ in range(50)]
    try:
        yield
    finally:
        for other in others:
            other.cancel()


def rows() -> Iterator[Row]:
    """Arbitrations against calls, each child emitted, found and given; stops and guards against hops under one load."""
    hundred, thousand = re_emission(100), re_emission(1000)
    yield compared("director_100_children", hundred, f"100 × {CALL}", calls(100), 160)
    yield compared(
        "director_1000_children", thousand, "10 × of 100 children", lambda: [hundred() for _ in range(10)], 2
    )
    for children, once, bar in ((100, hundred, BESIDE_100), (1000, thousand, BESIDE_1000)):
        if (tick := _tick(children)) is not None:
            told = f"a tick of py_trees, {children} children"
            yield compared(f"director_{children}_children_beside_py_trees", once, told, tick, bar, 60)
    told, hops = stops()
    yield Row("stop_median", told[STOPS // 2], HOP, hops[STOPS // 2], 3)
    yield Row("stop_p99", told[int(STOPS * 0.99)], f"{HOP}, p99", hops[int(STOPS * 0.99)], 5)
    ran, hops = guarded()
    yield Row("guard_median", ran[TRIES // 2], HOP, hops[TRIES // 2], 5)
    yield Row("guard_p99", ran[int(TRIES * 0.99)], f"{HOP}, p99", hops[int(TRIES * 0.99)], 20)


def _tick(children: int) -> Callable[[], None] | None:
    """One tick of a tree of so many leaves at work, which arbitrates nothing; None where py_trees is not installed."""
    try:
        import py_trees
    except ModuleNotFoundError:
        return None
    leaves = [py_trees.behaviours.Running(f"leaf{n}") for n in range(children)]
    policy = py_trees.common.ParallelPolicy.SuccessOnAll()
    root = py_trees.composites.Parallel("root", policy, children=leaves)
    tick: Callable[[], None] = root.tick_once
    return tick
