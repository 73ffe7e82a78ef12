"""One seeded mission on a robot that checks nothing, with any faults, and the rules that must hold all the same.

A `FaultPlan` says which calls of which part raise, hang, are slow or return rubbish, and when a person stops or leaves.
`weather(plan)` plays it on simulated time and returns the rules that were broken. Everything here is a test double.

    python tests/safety/storm.py --plans 20000        hunt, and shrink what was found to a line for a named test
"""

from __future__ import annotations

import argparse
import asyncio
import concurrent.futures
import math
import random
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from trolley import BRAKE_MPS2, FENCE_M, SPEED_MPS, Trolley

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import JournalError, ModelBroke, ModelUnavailable, RobotError
from sayso.events import Event, MissionEnded, Stopped, TaskStarted
from sayso.executive.guards import WATCH_S
from sayso.executive.halting import HALT_TIMEOUT_S, REST_TIMEOUT_S
from sayso.limits import REST_MPS
from sayso.planners.stream import Stream
from sayso.planners.text_planner import TextPlanner
from sayso.prompts import plan_prompt
from sayso.roles import Brief, Chunk, End, Prompt, RobotState, Session
from sayso.scene import Pose, Scene, Thing
from sayso.skill import SkillSet
from sayso.task import Task
from sayso.understanding.bounds import STAYS_M
from sayso.world import Truth, World

WAYS = {
    "state": ("raises", "garbage"),
    "halt": ("raises", "hangs", "slow", "garbage"),
    "rest": ("raises", "hangs", "slow", "garbage"),
    "open": ("raises", "hangs", "slow"),
    "close": ("raises", "hangs", "slow"),
    "look": ("raises", "hangs", "slow", "garbage"),
    "model": ("raises", "hangs", "slow", "garbage"),
    "planner": ("raises", "hangs", "slow", "garbage"),
    "skill": ("raises", "hangs", "slow", "garbage"),
    "listener": ("leaves", "slow"),
    "journal": ("raises", "hangs", "slow"),
    "approval": ("raises", "hangs", "slow", "garbage"),
    "world": ("raises", "hangs"),
    "clock": ("slow",),
    "battery": ("garbage",),
}
"""Part -> how its calls may fail. A state is read at once, so it cannot hang; the clock can only lose time."""

ERRORS: tuple[Callable[[], Exception], ...] = (
    lambda: RobotError("injected"),
    lambda: OSError("injected"),
    lambda: ValueError("injected"),
    lambda: TimeoutError("injected"),
    lambda: ModelUnavailable("injected"),
    lambda: ModelBroke("injected"),
    lambda: JournalError("injected"),
)

PLANS = ("drive(2)", "roll(1)", "drive(1);drive(1)", "3{drive(1)}", "roll(-1)", "roll(0.3)", "drive(2);roll(-0.5)")
POST_M = 2.5
OFF_POST, HERE = ", keeping 1 metre away from the post", ", without moving from the spot"
HOWS = (OFF_POST, HERE, " within 4 seconds", ", no faster than half a metre per second")
"""How a wish may ask to be done, of a trolley that minds nothing."""

REACH_M = {OFF_POST: POST_M - 1.0, HERE: STAYS_M}
"""How far it may get then."""

SLOW_S, FOR_EVER_S = 3.0, 1e6
HOURS_S = 3 * 3600.0
MISSION_S = 20.0
REACTION_S = WATCH_S + SPEED_MPS / BRAKE_MPS2


@dataclass(frozen=True)
class Fault:
    """Calls `first` to `last` of a part fail, counted from 1; `kind` chooses the error or the rubbish."""

    part: str
    how: str
    first: int = 1
    last: int = 10**9
    kind: int = 0


@dataclass(frozen=True)
class FaultPlan:
    """What goes wrong, and when a person stops, in seconds from the first wish."""

    faults: tuple[Fault, ...] = ()
    stops_s: tuple[float, ...] = ()
    plan: str = PLANS[0]
    wishes: int = 1
    steers: bool = False
    approves: bool = False
    how: str = ""


def plan_of(seed: int) -> FaultPlan:
    """The plan with this number."""
    rng = random.Random(seed)
    faults = []
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3))):
        part = rng.choice(list(WAYS))
        first = 1 if rng.random() < 0.3 else rng.randrange(1, rng.choice((4, 40, 300)))
        last = first + (rng.choice((0, 2, 20)) if rng.random() < 0.7 else 10**9)
        faults.append(Fault(part, rng.choice(WAYS[part]), first, last, rng.randrange(7)))
    stops = tuple(round(rng.uniform(0, 12), 3) for _ in range(rng.choice((0, 0, 1, 2))))
    plan, wishes, steers, approves = (
        rng.choice(PLANS),
        rng.choice((1, 1, 2, 3)),
        rng.random() < 0.25,
        rng.random() < 0.25,
    )
    how = rng.choice(HOWS) if rng.random() < 0.3 else ""
    return FaultPlan(tuple(faults), stops, plan, wishes, steers, approves, how)


class Storm:
    """Counts calls and lets them fail as planned, until it is over."""

    def __init__(self, plan: FaultPlan) -> None:
        self.plan, self.over = plan, False
        self.calls: dict[str, int] = {}

    def hit(self, part: str) -> Fault | None:
        """The fault of this call, or None."""
        self.calls[part] = n = self.calls.get(part, 0) + 1
        if self.over:
            return None
        return next((f for f in self.plan.faults if f.part == part and f.first <= n <= f.last), None)

    async def suffer(self, part: str) -> Fault | None:
        """Raise, hang or be slow; a fault that returns rubbish is left to the caller."""
        fault = self.hit(part)
        if fault is None:
            return None
        if fault.how == "raises":
            raise ERRORS[fault.kind]()
        if fault.how == "hangs":
            await asyncio.sleep(FOR_EVER_S)
        if fault.how == "slow":
            await asyncio.sleep(SLOW_S)
        return fault

    def touches(self, *parts: str) -> bool:
        return any(f.part in parts for f in self.plan.faults)


class StormyTrolley(Trolley):
    """The trolley, in the storm. It keeps its own books of what it was told and did."""

    def __init__(self, storm: Storm, book: Book) -> None:
        super().__init__()
        self.storm, self.book = storm, book
        self.told_s: list[float] = []
        self.limits = replace(Trolley.limits, mission_max_s=MISSION_S)
        self.opened = self.closed = 0

    def state(self) -> RobotState:
        fault = self.storm.hit("state")
        if fault and fault.how == "raises":
            raise ERRORS[fault.kind]()
        if fault:
            rubbish: tuple[Any, ...] = (None, 7, "ready", RobotState(Pose(math.nan)), RobotState(charge=math.inf))
            garbage: RobotState = rubbish[fault.kind % len(rubbish)]
            return garbage
        charge = 0.1 if self.storm.hit("battery") else self.charge
        return RobotState(Pose(self.x_m), charge, abs(self.speed_mps), self.resting, True, self._says())

    def halt_now(self) -> None:
        """Only counted: what halts here is `halt`, so that its faults show."""
        self.told_s.append(asyncio.get_running_loop().time())

    async def open(self) -> None:
        await self.storm.suffer("open")
        self.opened += 1
        await super().open()

    async def close(self) -> None:
        self.closed += 1
        await self.storm.suffer("close")
        await super().close()

    async def halt(self) -> None:
        if await self.storm.suffer("halt") is None or self.storm.over:
            await super().halt()

    async def rest(self) -> None:
        if await self.storm.suffer("rest") is None or self.storm.over:
            await super().rest()

    def moves(self) -> None:
        """A skill begins to move: the book must have it."""
        self.book.moved()


def _skilled(storm: Storm, body: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    async def fails(robot: StormyTrolley, *args: float) -> None:
        robot.moves()
        fault = storm.hit("skill")
        if fault and fault.how == "raises":
            robot.resting, robot.wanted_mps = False, SPEED_MPS
            await asyncio.sleep(0.2)
            raise ERRORS[fault.kind]()
        if fault and fault.how == "garbage":
            await _rogue(fault.kind % 3, robot, args, body)
            return
        if fault and fault.how in ("hangs", "slow"):
            robot.resting, robot.wanted_mps = False, args[0] / abs(args[0] or 1)
            await asyncio.sleep(FOR_EVER_S if fault.how == "hangs" else SLOW_S)
        await body(robot, *args)

    return fails


async def _rogue(
    kind: int, robot: StormyTrolley, args: tuple[float, ...], body: Callable[..., Awaitable[None]]
) -> None:
    """A skill that swallows its cancellation and drives on, or returns with its motor on, or has that switched on later
    by something that nobody can cancel."""
    if kind:
        robot.resting = False
        asyncio.get_running_loop().call_later((kind - 1) * 0.2, setattr, robot, "wanted_mps", SPEED_MPS)
        return
    for _ in range(10):
        with suppress(asyncio.CancelledError):
            await body(robot, *args)
            break


class Book:
    """A memory that fails as planned, and sees every event at the moment when it happens."""

    def __init__(self, storm: Storm) -> None:
        self.storm = storm
        self.robot: StormyTrolley | None = None
        self.events: list[Event] = []
        self.kept_count = 0
        self.broken: list[str] = []

    def begin(self, mission: str) -> Book:
        return self

    def record(self, event: Event) -> None:
        self.events.append(event)
        robot = self.robot
        assert robot is not None
        if isinstance(event, Stopped) and event.confirmed and abs(robot.speed_mps) > REST_MPS:
            self.broken.append(f"S4: rest was confirmed at {robot.speed_mps:.2f} m/s")

    async def kept(self) -> None:
        count = len(self.events)
        await self.storm.suffer("journal")
        self.kept_count = max(self.kept_count, count)

    def moved(self) -> None:
        started = [i for i, e in enumerate(self.events) if isinstance(e, TaskStarted)]
        if started and started[-1] >= self.kept_count:
            self.broken.append("S16: a motion began without a record")


class StormyModel:
    """Writes the plan; fails as planned."""

    name = "stormy"

    def __init__(self, storm: Storm) -> None:
        self._storm = storm

    async def stream(self, prompt: Prompt) -> AsyncIterator[Chunk]:
        for piece in (self._storm.plan.plan[:3], self._storm.plan.plan[3:]):
            fault = await self._storm.suffer("model")
            yield Chunk("drive(\x00)}{;" * 50 if fault and fault.how == "garbage" else piece)

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        raise ModelUnavailable("it scores nothing")


class StormyPlanner(TextPlanner):
    """Writes the plan without a model."""

    name = "stormy"

    def __init__(self, storm: Storm) -> None:
        self._storm = storm

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        fault = await self._storm.suffer("planner")
        yield "}" if fault and fault.how == "garbage" else self._storm.plan.plan


class StormySteering:
    """Wants to roll, for some seconds."""

    name = "stormy"
    steers = True

    def __init__(self, storm: Storm) -> None:
        self._storm = storm

    async def act(self, session: Session) -> End:
        for _ in range(8):
            await session.look()
            session.pursue([Task("roll", (0.5,))])
            fault = await self._storm.suffer("planner")
            if fault and fault.how == "garbage":
                session.pursue([Task("no such skill"), Task("roll", ())])
            await asyncio.sleep(0.5)
        session.pursue([])
        return End(True, "rolled")


class StormyEyes:
    """Sees a post on the way, and another one behind."""

    def __init__(self, storm: Storm) -> None:
        self._storm = storm

    async def look(self) -> Scene:
        fault = await self._storm.suffer("look")
        rubbish: Any = None
        posts = (Thing(f"post-{side}", "post", pose=Pose(side * POST_M), distance_m=POST_M) for side in (1, -1))
        return rubbish if fault and fault.how == "garbage" else Scene(tuple(posts))


class Yard(World):
    """Where the trolley rolls; its stepping fails as planned."""

    def __init__(self, storm: Storm, robot: StormyTrolley) -> None:
        self.robot, self.perception, self._storm = robot, StormyEyes(storm), storm

    time_s = 0.0

    def step_to(self, until_s: float) -> None:
        """The storm steps it, in `run`."""

    def truth(self) -> Truth:
        return Truth()

    async def run(self) -> None:
        while True:
            await asyncio.sleep(0.5)
            await self._storm.suffer("world")


def weather(plan: FaultPlan) -> list[str]:
    """Play it; which rules were broken, in words, empty for none."""
    storm = Storm(plan)
    clock = SimClock()
    broken: list[str] = []

    async def play() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, told: broken.append(f"S13: nobody heard of {told.get('exception')!r}"))
        try:
            async with asyncio.timeout(HOURS_S):
                await _play(plan, storm, clock, broken)
        except TimeoutError:
            broken.append("S13: it does not end")

    clock.run(play())
    return broken


async def _play(plan: FaultPlan, storm: Storm, clock: SimClock, broken: list[str]) -> None:
    book = Book(storm)
    robot = book.robot = StormyTrolley(storm, book)
    writes = StormyPlanner(storm) if storm.touches("planner") else partial(Stream, render=plan_prompt, replans=2)
    planner: Any = StormySteering(storm) if plan.steers else writes
    yard = Yard(storm, robot)
    agent = Agent(
        None if storm.touches("world") else robot,
        world=yard if storm.touches("world") else None,
        model=StormyModel(storm) if isinstance(planner, partial) else None,
        planner=planner,
        perception=yard.perception,
        memory=book,
        skills=lambda skills: _stormy(skills, storm, robot),
    )
    weathering = asyncio.ensure_future(_lose_time(storm, clock))
    stopping = [asyncio.ensure_future(_stop(agent, robot, at_s, broken)) for at_s in sorted(plan.stops_s)]
    for _ in range(plan.wishes):
        await _wish(plan, storm, agent, robot, broken)
    await asyncio.gather(*stopping)
    if plan.stops_s and agent.executive.stopped_by != "key":
        broken.append(f"S2: a person's stop was lifted by nobody; now {agent.executive.stopped_by!r}")
    if plan.stops_s:
        seen = len(book.events)
        await _wish(plan, storm, agent, robot, broken)
        if any(isinstance(e, TaskStarted) for e in book.events[seen:]):
            broken.append("S2: something began although a person had stopped the robot")
    _look_at_the_fence(storm, robot, broken, FENCE_M, "S10")
    if not (storm.touches("look", "skill", "state") or plan.steers):
        again = plan.wishes if plan.how == HERE else 1  # each wish begins where the one before ended
        reach_m = again * REACH_M.get(plan.how, FENCE_M) + (again - 1) * SPEED_MPS * REACTION_S
        _look_at_the_fence(storm, robot, broken, reach_m, "S22")
    broken += book.broken
    storm.over = True
    await asyncio.sleep(2 * HALT_TIMEOUT_S + 4)  # what failed is tried again
    if any(f.part == "rest" and f.how == "hangs" for f in plan.faults):
        await asyncio.sleep(REST_TIMEOUT_S)  # until the one that hangs has been given up
    if abs(robot.speed_mps) > REST_MPS:
        broken.append("S15: no mission runs, nothing fails any more, and it moves")
    weathering.cancel()
    agent.release("a person")
    robot.x_m = 0.0
    seen = len(book.events)
    await asyncio.sleep(3)
    last = [e async for e in agent.say("go")]
    if not last or not isinstance(last[-1], MissionEnded) or (_worked(plan, agent) and last[-1].outcome != "achieved"):
        broken.append(f"S13: the causes are gone, and it does not work: {last[-1] if last else 'nothing'}")
    await _close(agent, robot, broken)


def _drives_on(plan: FaultPlan) -> bool:
    """Whether a skill swallows its cancellation, and drives on."""
    return any(f.part == "skill" and f.how == "garbage" for f in plan.faults)


def _worked(plan: FaultPlan, agent: Agent) -> bool:
    """Whether the plan is one that a robot carries out between its fences, where it never took long to halt."""
    quick = agent.executive.halting.coast_s < 0.5
    return quick and not _drives_on(plan) and not plan.steers and plan.plan in ("drive(2)", "drive(1);drive(1)")


def _stormy(skills: Any, storm: Storm, robot: StormyTrolley) -> Any:
    def body(name: str) -> Callable[..., Awaitable[None]]:
        plain = getattr(Trolley, name)
        return lambda *args: _skilled(storm, plain)(robot, *args)

    return SkillSet(replace(s, body=body(s.name)) if s.name in ("roll", "drive") else s for s in skills.values())


async def _wish(plan: FaultPlan, storm: Storm, agent: Agent, robot: StormyTrolley, broken: list[str]) -> None:
    async def approve(text: str) -> bool:
        fault = await storm.suffer("approval")
        rubbish: Any = None
        return rubbish if fault and fault.how == "garbage" else True

    events: list[Event] = []
    left = False
    async for event in agent.say(f"go{plan.how}", approve=approve if plan.approves else None):
        events.append(event)
        fault = storm.hit("listener")
        if fault and fault.how == "slow":
            await asyncio.sleep(SLOW_S)
        if fault and fault.how == "leaves":
            left = True
            break
    endings = [e for e in events if isinstance(e, MissionEnded)]
    if not left and (len(endings) != 1 or events[-1] is not endings[0]):
        broken.append(f"S13: {len(endings)} endings, and last {events[-1] if events else 'nothing'}")
    if not storm.touches("halt", "state"):
        await asyncio.sleep(1)
        if abs(robot.speed_mps) > REST_MPS:
            broken.append("S15: the mission is over, and it moves")


async def _stop(agent: Agent, robot: StormyTrolley, at_s: float, broken: list[str]) -> None:
    await asyncio.sleep(at_s)
    now_s = asyncio.get_running_loop().time()
    agent.stop("key")
    if not robot.told_s or robot.told_s[-1] != now_s:
        broken.append("S1: a stop did not tell the robot to halt at once")


async def _lose_time(storm: Storm, clock: SimClock) -> None:
    while True:
        await asyncio.sleep(0.5)
        if storm.hit("clock"):
            clock._now_s += 0.7


def _look_at_the_fence(storm: Storm, robot: StormyTrolley, broken: list[str], fence_m: float, rule: str) -> None:
    """Where halting works, and time is not lost, the fence holds (S10), and so does what the wish bounds (S22)."""
    if storm.touches("halt", "clock"):
        return
    overshoot = (robot.furthest_m - fence_m) / (SPEED_MPS * REACTION_S)
    if overshoot > 1:
        broken.append(f"{rule}: {robot.furthest_m:.2f} m, the fence stands at {fence_m} m")


async def _close(agent: Agent, robot: StormyTrolley, broken: list[str]) -> None:
    try:
        await agent.close()
    except RobotError:
        broken.append("S12: nothing fails any more, and it could not be closed")
    if robot.opened and not robot.closed:
        broken.append("S12: close did not reach the adapter")
    if not robot.resting or abs(robot.speed_mps) > REST_MPS + BRAKE_MPS2 * 0.01:
        broken.append("S12: it was left moving")


def shrunk(plan: FaultPlan) -> FaultPlan:
    """The smallest plan near this one that still breaks a rule."""
    while smaller := next((p for p in _smaller(plan) if weather(p)), None):
        plan = smaller
    return plan


def _smaller(plan: FaultPlan) -> Iterator[FaultPlan]:
    for i in range(len(plan.faults)):
        yield replace(plan, faults=(*plan.faults[:i], *plan.faults[i + 1 :]))
    for i in range(len(plan.stops_s)):
        yield replace(plan, stops_s=(*plan.stops_s[:i], *plan.stops_s[i + 1 :]))
    if plan.wishes > 1:
        yield replace(plan, wishes=plan.wishes - 1)
    if plan.how:
        yield replace(plan, how="")
    for flag in ("steers", "approves"):
        if getattr(plan, flag):
            yield replace(plan, **{flag: False})
    if plan.plan != PLANS[0]:
        yield replace(plan, plan=PLANS[0])
    for i, fault in enumerate(plan.faults):
        if fault.last > fault.first:
            yield replace(plan, faults=(*plan.faults[:i], replace(fault, last=fault.first), *plan.faults[i + 1 :]))
        if fault.kind:
            yield replace(plan, faults=(*plan.faults[:i], replace(fault, kind=0), *plan.faults[i + 1 :]))


def hunt(first: int, count: int) -> dict[int, list[str]]:
    """The plans of these numbers that break rules."""
    return {seed: broken for seed in range(first, first + count) if (broken := _weathered(plan_of(seed)))}


def _weathered(plan: FaultPlan) -> list[str]:
    try:
        return weather(plan)
    except Exception as error:
        return [f"S13: {type(error).__name__}: {error}"]


def main(argv: Sequence[str]) -> int:
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("--plans", type=int, default=20_000)
    told.add_argument("--first", type=int, default=0)
    told.add_argument("--jobs", type=int, default=2)
    args = told.parse_args(argv)
    batch, found, done = 100, 0, 0
    starts = range(args.first, args.first + args.plans, batch)
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        try:
            for bad in pool.map(hunt, starts, [batch] * len(starts)):
                done += batch
                found += len(bad)
                for seed, broken in bad.items():
                    print(f"\n{seed}: {'; '.join(broken)}\n    {plan_of(seed)}", flush=True)
                print(f"\r{done} plans, {found} break a rule", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
    print(f"\n{done} fault plans, {found} violated rules")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
