"""The figures that must hold for the house to feel quick, measured on one core: `sayso bench speed`.

Each figure is the median (or 99th percentile) of repeated runs, so that one hiccup of the machine does not decide.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import mujoco

from sayso.agent import Agent
from sayso.bench import speed_executive, speed_memory, speed_pocket, speed_search
from sayso.clock import SimClock, WallClock
from sayso.executive.missions import DirectorExecutive
from sayso.language import GIVE_WAY, NEED_TEXT, Interpreter, PlanBounds, PlanStream
from sayso.limits import Limits
from sayso.parts import Robot, RobotState
from sayso.robots.drone.world.office import Office
from sayso.skill import SkillSet, skill, skills_of
from sayso.worlds import make as make_world


@dataclass(frozen=True, slots=True)
class Row:
    """One figure with its bar; `most` bars are upper bounds, others lower ones."""

    id: str
    value: float
    unit: str
    bar: float
    most: bool = True

    @property
    def holds(self) -> bool:
        return self.value <= self.bar if self.most else self.value >= self.bar

    @property
    def bar_text(self) -> str:
        return f"{'≤' if self.most else '≥'} {self.bar:g}"


def measure() -> Iterator[Row]:
    """Every figure in turn; about half a minute."""
    skills = SkillSet(skills_of(_Bench([])))
    for depth in (1, 30):
        yield Row(f"parse_and_check_depth_{depth}", _per_char_us(skills, depth), "µs/char", 1.5)
    yield Row("parse_growth_10x_text", _growth(skills), "× per char", 1.5)
    yield from _starts()
    for id_, value, unit, bar, most in (*speed_executive.figures(), *speed_search.figures(), *speed_memory.figures()):
        yield Row(id_, value, unit, bar, most)
    for id_, value, unit, bar, most in speed_pocket.figures():
        yield Row(id_, value, unit, bar, most)
    flights = [_flight() for _ in range(5)]
    yield Row("office_flight", statistics.median(f for f, _ in flights), "× real time", 20, most=False)
    yield Row("office_flight_in_physics", statistics.median(r for _, r in flights), "× bare physics", 4.6)


def _program(depth: int, repeats: int) -> str:
    body = "?iv('apple')==True&ox('apple')>0.45{mf(100);tc(45);_1=ow('apple')*1.2;l('apple found here')}"
    return ("2{" * (depth - 1) + body + "}" * (depth - 1) + "\n") * repeats


def _per_char_us(skills: SkillSet, depth: int, repeats: int = 200) -> float:
    text = _program(depth, repeats)
    bounds = PlanBounds(program_bytes=len(text) + 1)

    def once() -> None:
        stream = PlanStream(skills, bounds)
        for i in range(0, len(text), 24):
            stream.feed(text[i : i + 24])
        stream.end()

    return _median_s(once, 7) / len(text) * 1e6


def _growth(skills: SkillSet) -> float:
    """Time per character of a text ten times as long, relative to the short one: 1 is linear."""
    return _per_char_us(skills, 1, 1000) / _per_char_us(skills, 1, 100)


def _median_s(once: Callable[[], None], repeats: int) -> float:
    def timed() -> float:
        began = time.process_time()  # what others do on this machine is not our speed
        once()
        return time.process_time() - began

    return statistics.median(timed() for _ in range(repeats))


class _Bench(Robot):
    """A robot that only notes when it was asked: the far end of the response-time measurement. A test double."""

    name = "bench"

    def __init__(self, begun: list[float]) -> None:
        self._begun = begun

    def state(self) -> RobotState:
        return RobotState()

    async def halt(self) -> None:
        """Nothing moves."""

    @skill(uses="base", short="mf")
    async def move_forward(self, distance_cm: float) -> None:
        """Note the time."""
        self._begun.append(time.perf_counter())

    @skill(uses="base", short="tc")
    async def turn_cw(self, angle_deg: float) -> None:
        """Note the time."""
        self._begun.append(time.perf_counter())

    @skill(short="iv")
    async def is_visible(self, thing: str) -> bool:
        """Say yes."""
        return True

    @skill(short="ox")
    async def object_x(self, thing: str) -> float:
        """Say the middle."""
        return 0.5

    @skill(short="ow")
    async def object_width(self, thing: str) -> float:
        """Say something."""
        return 0.2

    @skill(uses="voice", short="l")
    async def log(self, text: str) -> None:
        """Say nothing."""


def _starts(times: int = 400) -> Iterator[Row]:
    """From the last character of a statement to the first line of its skill, with ten other tasks at work."""
    begun: list[float] = []
    robot = _Bench(begun)
    skills = SkillSet(skills_of(robot))

    async def busy() -> None:
        while True:
            await asyncio.sleep(0.001)

    async def main() -> list[float]:
        others = [asyncio.ensure_future(busy()) for _ in range(10)]
        executive = DirectorExecutive(skills, robot, Limits(), lambda event: None)
        waits = [await _one_start(executive, skills, begun) for _ in range(times)]
        for other in others:
            other.cancel()
        await executive.close()
        return waits

    waits = sorted(WallClock().run(main()))
    yield Row("start_median", waits[len(waits) // 2] * 1e3, "ms", 0.3)
    yield Row("start_p99", waits[int(len(waits) * 0.99)] * 1e3, "ms", 2.0)


async def _one_start(executive: DirectorExecutive, skills: SkillSet, begun: list[float]) -> float:
    """A performer waits for text as the agent's does; the clock starts as the closing parenthesis is fed."""
    stream, more = PlanStream(skills), asyncio.Event()

    async def perform() -> None:
        steps, heard = Interpreter(stream, skills).run(), None
        while not begun:
            step = steps.send(heard)
            if step is NEED_TEXT:
                await more.wait()
                more.clear()
                heard = None
            elif step is GIVE_WAY:
                heard = None
            else:
                heard = await executive.do(step.task, step.statement)

    performing = asyncio.ensure_future(perform())
    stream.feed("mf(100")
    await asyncio.sleep(0.002)
    fed = time.perf_counter()
    stream.feed(")")
    more.set()
    await performing
    wait = begun[0] - fed
    begun.clear()
    return wait


def _flight() -> tuple[float, float]:
    """Simulated seconds per second of a whole mission (physics, perception, skills and agent; no picture), and how many
    times as long it takes as the bare steps of its physics."""
    clock = SimClock()
    world = make_world("office", scene="tour", seed=1)
    assert isinstance(world, Office)

    async def fly() -> None:
        async with Agent(world=world) as agent:
            async for _ in agent.say(
                "take off, move forward 1 metre, turn around, move back 50 cm, look around for a chair, land"
            ):
                pass

    began = time.perf_counter()
    clock.run(fly())
    took_s, flown_s = time.perf_counter() - began, clock.now_s()
    began = time.perf_counter()
    mujoco.mj_step(world.model, world.data, round(flown_s / world.model.opt.timestep))
    return flown_s / took_s, took_s / (time.perf_counter() - began)
