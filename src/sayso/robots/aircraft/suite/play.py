"""Missions of the rescue suite as agents fly them, and how right each action was.

What the model takes to answer passes in the world, in the air, so that many calls cost battery. What the planner itself
computes is measured in CPU time and not charged: it depends on this computer.

Of several aircraft every one flies in a world of its own, all on one clock; the worlds have the same seed, so the same
people walk the same ways in them, while each camera has its own luck. They decide one after the other, from one shared
belief, and a `Team` holds what must not happen twice at once.

Precision is what the paper means by it, but defined. An action is right when it was carried out and was needed: the
take-off; a climb or descent that a sweep follows; a sweep of an area that has not been swept twice already; the
confirmation of a real sighting; an image or a hover above one when that was asked for; the way home when everyone is
confirmed, or when no area could be swept any more with enough left to come home.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sayso.agent import Agent
from sayso.bench.episode import Outcome, carried_out
from sayso.bench.judge import TruthRecorder
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded, TaskEnded, TaskStarted
from sayso.planners.scored import Choice, Scored
from sayso.robots.aircraft.domain import CLIMBS, FOLLOW_UP, KINDS, SWEEPS
from sayso.robots.aircraft.reach import THOUGHT
from sayso.robots.aircraft.search.craft import At
from sayso.robots.aircraft.search.wish import SearchWish
from sayso.robots.aircraft.world.country import Rescue
from sayso.robots.aircraft.world.people import SearchTruth
from sayso.roles import Brief


@dataclass(frozen=True, slots=True)
class Act:
    """One action: what was asked for, whether it was done, the world's time before and after it, and from where it was
    begun with how much charge."""

    task: int
    kind: str
    args: tuple[Any, ...]
    from_s: float
    at: At
    charge: float
    at_s: float = 0.0
    done: bool = False


@dataclass
class TimedPlanner(Scored):
    """The planner, with its choices, the CPU seconds of each decision, and the model's in all. Of several only one
    decides at a time: whose `turn` it is."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    choices: list[Choice] = field(default_factory=list)
    decided_s: list[float] = field(default_factory=list)
    waited_s: float = 0.0

    def __post_init__(self) -> None:
        self.chosen = self.choices.append

    async def step(self, brief: Brief) -> AsyncIterator[str]:
        loop = asyncio.get_running_loop()
        async with self.turn:
            loop_s, cpu_s = loop.time(), time.process_time()
            pieces = [piece async for piece in super().step(brief)]
            self.decided_s.append(time.process_time() - cpu_s)
            self.waited_s += loop.time() - loop_s
        for piece in pieces:
            yield piece


class Pilot(TruthRecorder):
    """One aircraft with its planner, and the record of its mission as it is flown, with at most `steps_max` actions."""

    outcome: Outcome
    truth: SearchTruth
    """When its mission was over."""

    def __init__(self, world: Rescue, planner: TimedPlanner, steps_max: int = 16) -> None:
        super().__init__(world.truth)
        self.world, self.planner, self.steps_max = world, planner, steps_max
        self.acts: list[Act] = []

    def see(self, event: Event) -> None:
        super().see(event)
        craft, now_s = self.world.frame, self.world.time_s
        match event:
            case MissionEnded():
                self.truth = self.world.truth()
            case TaskStarted(task=task, skill=kind, args=args) if kind in dict(KINDS):
                self.acts.append(Act(task, kind, args, now_s, craft.at, craft.charge))
            case TaskEnded(task=task, outcome=how) if self.acts and self.acts[-1].task == task:
                self.acts[-1] = replace(self.acts[-1], at_s=now_s, done=how == "done")

    async def fly(self, sentence: str, goal: str) -> None:
        """The whole mission, from the sentence to its end."""
        agent, sees = Agent(world=self.world, planner=self.planner), TaskStarted | TaskEnded | MissionEnded
        self.outcome = await carried_out(agent, sentence, self, (goal,), sees=sees)


def fly(pilots: Sequence[Pilot], sentence: str, goal: str) -> None:
    """Fly the mission of each, which is judged by the goal."""

    async def missions() -> None:
        await asyncio.gather(*(pilot.fly(sentence, goal) for pilot in pilots))

    SimClock().run(missions())


SWEPT_ENOUGH = 2


def precision(wish: SearchWish, met: bool, flown: Pilot) -> float | None:
    """The share of actions that were right; None where there was none. `met` is whether the wish is, at the end."""
    if not flown.acts:
        return None
    swept: Counter[str] = Counter()
    return sum(_right(wish, met, flown, n, swept) for n in range(len(flown.acts))) / len(flown.acts)


def _right(wish: SearchWish, met: bool, flown: Pilot, n: int, swept: Counter[str]) -> bool:
    """One action; `swept` counts the sweeps of each area so far."""
    acts = flown.acts
    act = acts[n]
    if not act.done:
        return False
    if act.kind == "take_off":
        return n == 0
    if act.kind in SWEEPS:
        swept[act.args[0]] += 1
        return swept[act.args[0]] <= SWEPT_ENOUGH
    if act.kind == "confirm":
        return bool(flown.world.camera.cause(act.args[0]))
    if act.kind in CLIMBS:
        after = next((a.kind for a in acts[n + 1 :] if a.kind in (*SWEEPS, *CLIMBS)), "")
        return after in SWEEPS
    if act.kind in FOLLOW_UP.values():
        real = n > 0 and acts[n - 1].kind == "confirm" and _right(wish, met, flown, n - 1, Counter())
        return real and any(act.kind == FOLLOW_UP.get(step) for step in wish.on_find)
    return met or n + 1 >= flown.steps_max or not _could_sweep(flown.world, act)


def _could_sweep(world: Rescue, act: Act) -> bool:
    """Whether some ground could still be swept, when this action was begun, with more than the reserve left at home."""
    charts, least = world.charts, world.aircraft.limits.battery_reserve + THOUGHT
    names = (*world.terrain.named, *world.terrain.squares)
    areas = [name for name in names if world.terrain.area(name).kind != "water"]
    return any(charts.left_at_home(act.charge, act.at, charts.search(act.at, area)) >= least for area in areas)
