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
from sayso.parts import Chunk, Prompt, Robot, RobotState
from sayso.skill import skill
from sayso.task import Provider, Task
from speed_references import CALL, HOP, Row, call_s, hop_s, median_s

TRIES, STOPS = 200, 100


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
    call = call_s()
    hundred, thousand = 1 / cycles_per_s(100, 300), 1 / cycles_per_s(1000, 30)
    yield Row("director_100_children", hundred, f"100 × {CALL}", 100 * call, 160)
    yield Row("director_1000_children", thousand, "10 × of 100 children", 10 * hundred, 2)
    if (tree := _py_trees_s(100)) is not None:
        yield Row("director_100_children_beside_py_trees", hundred, "a tick of py_trees, 100 children", tree, 2.5)
    told, hops = stops()
    yield Row("stop_median", told[STOPS // 2], HOP, hops[STOPS // 2], 3)
    yield Row("stop_p99", told[int(STOPS * 0.99)], f"{HOP}, p99", hops[int(STOPS * 0.99)], 5)
    ran, hops = guarded()
    yield Row("guard_median", ran[TRIES // 2], HOP, hops[TRIES // 2], 3)
    yield Row("guard_p99", ran[int(TRIES * 0.99)], f"{HOP}, p99", hops[int(TRIES * 0.99)], 20)


def _py_trees_s(children: int) -> float | None:
    """One tick of a tree of so many leaves at work, which arbitrates nothing; None where py_trees is not installed."""
    try:
        import py_trees
    except ModuleNotFoundError:
        return None
    leaves = [py_trees.behaviours.Running(f"leaf{n}") for n in range(children)]
    policy = py_trees.common.ParallelPolicy.SuccessOnAll()
    root = py_trees.composites.Parallel("root", policy, children=leaves)
    return median_s(root.tick_once, 50)
