"""Missions of the rescue suite at once: the planners' plans go through the language, the world does its own acts.

Every decision is a plan of one statement, parsed, checked and interpreted like any other; its skill call becomes one
act of the world. What the model takes to answer is let pass in the world, in the air, so that many calls cost battery.
What the planner itself computes is measured in CPU time and not charged: it depends on this computer.

Of several aircraft every one flies in a world of its own; the worlds have the same seed, so the same people walk the
same ways in them, while each camera has its own luck. Who decides knows every look of all that has ended by then: the
aircraft share one belief, and a `Team` holds what must not happen twice at once.

Precision is what the paper means by it, but defined. An action is right when it was carried out and was needed: the
take-off; a climb or descent that a sweep follows; a sweep of an area that has not been swept twice already; the
confirmation of a real sighting; an image or a hover above one when that was asked for; the way home when everyone is
confirmed, or when no area could be swept any more with enough left to come home.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sayso.clock import SimClock
from sayso.errors import NotUnderstood, PlanError
from sayso.events import Observed, TaskEnded, TaskStarted
from sayso.goals.observed import Watch
from sayso.language import Ended, Interpreter, PlanStream
from sayso.planners.scored import Choice, Scored
from sayso.robots.aircraft.domain import CLIMBS, FOLLOW_UP, SWEEPS
from sayso.robots.aircraft.reach import THOUGHT
from sayso.robots.aircraft.search.craft import At
from sayso.robots.aircraft.search.wish import SearchWish
from sayso.robots.aircraft.world.country import Rescue
from sayso.roles import Attempt, Brief, Observation
from sayso.scene import Scene, Thing, scene_json
from sayso.skill import SkillSet, skills_of
from sayso.task import Done, Outcome, Refused

ROUNDS_MAX = 40


@dataclass(frozen=True, slots=True)
class Act:
    """One action: what was asked for, how it ended, the world's time before and after it, and from where it was begun
    with how much charge."""

    kind: str
    args: tuple[Any, ...]
    outcome: Outcome
    from_s: float
    at_s: float
    at: At
    charge: float


@dataclass(slots=True)
class Pilot:
    """One aircraft with its planner, and its mission as it was flown, with at most `steps_max` actions.

    `decide` makes one decision and flies it. `ids` begins its sightings' names. Seconds: `decided_s` CPU of each
    decision, `waited_s` of the model in all. `watch` has seen what a mission's events would have shown it.
    """

    world: Rescue
    planner: Scored
    steps_max: int = 16
    ids: str = ""
    acts: list[Act] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    decided_s: list[float] = field(default_factory=list)
    waited_s: float = 0.0
    ended: Ended | None = None
    refused: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _history: list[Attempt] = field(default_factory=list)
    _failure: str = ""
    _skills: SkillSet = field(default_factory=SkillSet)
    watch: Watch = field(init=False)

    def __post_init__(self) -> None:
        self._skills = SkillSet(skills_of(self.world.aircraft))
        home = self.world.observer()[0]
        self.watch = Watch(lambda: self._skills, home=home, ground=self.world.terrain.ground)
        self.watch.stands(home, self.world.time_s)
        self.planner.chosen, self.planner.note = self.choices.append, self.notes.append

    async def decide(self, sentence: str, scene: Scene) -> None:
        """Ask for a plan, fly it, and see whether that was the last one."""
        world = self.world
        self.watch.see(Observed(scene=scene_json(scene), at_s=world.time_s))
        seen = Observation(scene, world.aircraft.state(), world.camera.believed())
        limits, kind = world.aircraft.limits, world.aircraft.kind
        brief = Brief(sentence, self._skills, seen, tuple(self._history), self._failure, limits, kind=kind)
        try:
            text = await self._decided(brief)
        except NotUnderstood as error:
            self.refused.append(str(error))
            self.ended = Ended("failed", reason=str(error))
            return
        ended = self._run(text)
        self._failure = ended.reason if ended.how == "failed" else ""
        self._history.append(Attempt(text, ended=ended.reason))
        done = ended.how == "returned" or len(self.acts) >= self.steps_max or world.grounded
        if done or len(self._history) >= ROUNDS_MAX:
            self.ended = ended

    async def _decided(self, brief: Brief) -> str:
        """The plan; what the model took for it passes in the world."""
        loop = asyncio.get_running_loop()
        loop_s, cpu_s = loop.time(), time.process_time()
        text = "".join([piece async for piece in self.planner.step(brief)])
        self.decided_s.append(time.process_time() - cpu_s)
        waited_s = loop.time() - loop_s
        self.waited_s += waited_s
        if waited_s > 0:
            self.world.wait(waited_s)
        return text

    def _run(self, text: str) -> Ended:
        """The plan through the language; each skill call is one act."""
        stream = PlanStream(self._skills)
        try:
            stream.feed(text)
            stream.end()
            steps = Interpreter(stream, self._skills).run()
            heard: Outcome | None = None
            while True:
                call: Any = steps.send(heard)
                heard = self._act(call.task.type, self._own(call.args))
        except StopIteration as end:
            ended: Ended = end.value
            return ended
        except PlanError as error:
            self.refused.append(str(error))
            return Ended("failed", reason=str(error))

    def _act(self, kind: str, args: Sequence[Any]) -> Outcome:
        world = self.world
        from_s, at, charge = world.time_s, world.aircraft.at, world.frame.charge
        self.watch.see(TaskStarted(task=len(self.acts), skill=kind, args=tuple(args), at_s=from_s))
        outcome = world.act(kind, *args)
        self.watch.stands(*world.observer())
        how = {"outcome": "done", "value": outcome.value} if isinstance(outcome, Done) else {"outcome": "failed"}
        self.watch.see(TaskEnded(task=len(self.acts), skill=kind, at_s=world.time_s, **how))
        self.acts.append(Act(kind, tuple(args), outcome, from_s, world.time_s, at, charge))
        if isinstance(outcome, Refused):
            self.refused.append(outcome.reason)
        return outcome

    def _own(self, args: Sequence[Any]) -> list[Any]:
        """Arguments with the names that this aircraft itself gave."""
        return [a.removeprefix(self.ids) if isinstance(a, str) else a for a in args]


def fly(pilots: Sequence[Pilot], sentence: str) -> None:
    """Fly until the planner of each ends it, its actions are done or it is grounded. Who is earliest decides next."""

    async def mission() -> None:
        while busy := [pilot for pilot in pilots if pilot.ended is None]:
            first = min(busy, key=lambda pilot: pilot.world.time_s)
            scene = first.world.camera.scene()
            await first.decide(sentence, scene if len(pilots) == 1 else pooled(pilots, first))

    SimClock().run(mission())


def pooled(pilots: Sequence[Pilot], own: Pilot) -> Scene:
    """What all aircraft have reported by now, as one scene; ids begin with the name of who reported."""
    now_s = own.world.time_s
    things = [thing for pilot in pilots for thing in _reported(pilot, now_s)]
    return replace(own.world.camera.scene(), things=tuple(things))


def _reported(pilot: Pilot, now_s: float) -> list[Thing]:
    """One aircraft's looks that have ended, and what was sighted during them."""
    scene = pilot.world.camera.scene()
    looks = {t.id for t in scene if "coverage" in t.attributes and t.seen_s <= now_s + 1e-6}
    told = [t for t in scene if t.id in looks or t.attributes.get("look") in looks]
    return [_signed(thing, pilot.ids) for thing in told]


def _signed(thing: Thing, ids: str) -> Thing:
    names = {key: f"{ids}{thing.attributes[key]}" for key in ("look", "asked") if thing.attributes.get(key)}
    return replace(thing, id=f"{ids}{thing.id}", attributes={**thing.attributes, **names})


def done(act: Act) -> bool:
    return isinstance(act.outcome, Done)


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
    if not done(act):
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
