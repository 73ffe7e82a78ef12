"""Kits: what makes a kind of robot, as one typed object, registered by entry point, the built-in ones like anybody's:

    [project.entry-points."sayso.robots"]
    rover = "my_rover.kit:KIT"

Nothing in the rooms of mechanism knows a kind by name; they ask here.
"""

import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypeGuard, TypeVar

from sayso.drawing import Figure
from sayso.errors import UsageError
from sayso.goal import Clause
from sayso.plugins.loading import registered
from sayso.plugins.steps import Ledger
from sayso.roles import Brief, Model, Perception, Planner, Recalling, Robot
from sayso.scene import Belief, Ground, Pose, Scene
from sayso.skill import SkillSet
from sayso.tables.words import Words
from sayso.task import AT_REST, Provider, Task
from sayso.understanding.forms import Form
from sayso.understanding.irreversible import Irreversible

Senses: TypeAlias = Callable[[Callable[[str, int], None], Callable[[str, Any], None]], Awaitable[None]]
"""(tell a state, send a message) -> runs until cancelled."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionServices:
    """The services of a mission for its robot's kit: how skills see, ask, speak and remember.

    `eyes` is the perception that skills see through, `perception` what the kind's providers keep an eye on; `ask` puts
    a question about a scene to the model; `tell` says something to the person; `shown` takes a picture, (height, width,
    3) uint8, and the labels in frame; `since_s` is how long the running plan runs; `embed` turns texts into vectors of
    length 1, one a row, whose product tells how alike they are in meaning. `trail` is where the robot was since it was
    opened, as far as somebody marked it; the first one is home.
    """

    robot: Robot
    eyes: Perception
    tell: Callable[[str], None]
    shown: Callable[[Any, Sequence[str]], None]
    since_s: Callable[[], float]
    perception: Perception | None = None
    ask: Callable[[str, Scene], Awaitable[str]] | None = None
    recalling: Recalling | None = None
    embed: Callable[[Sequence[str]], Any] | None = None
    trail: list[Pose] = field(default_factory=list)

    @property
    def home(self) -> Pose | None:
        """Where it first was; None before it is open."""
        return self.trail[0] if self.trail else None


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The capabilities of a robot in one mission.

    `skills` can be asked for; `providers` make those of them happen that have no body of their own; `siblings` are root
    tasks beside every mission; `senses(tell, send)` turns what the robot feels into states and messages for them;
    `ground` is what it knows of the places around it.
    """

    skills: SkillSet
    providers: tuple[Provider, ...] = ()
    siblings: tuple[Task, ...] = ()
    senses: Senses | None = None
    ground: Ground | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What a kind of robot brings along.

    `adapter` is the protocol of its adapters; `capabilities` makes what a robot has in one mission, afresh for each.
    `planner` asks a model that somebody named. `form` is what the embedded model reads and writes for this kind,
    where it was taught that, and `taught_planner` who asks it. `ledger` is what the planner `stepwise` keeps of a
    mission. `planners` are those, by their names, that plan for this kind from more than its skills, made from the
    model and the robot. `plans` writes a plan that reaches a goal which code read by itself. `wishes` are sentences
    for a newcomer to try, `commands` those that need neither a model nor eyes. `figure` is what is drawn of it;
    without one, its physics are.
    `words` is how people speak to it. `beliefs` are what its perception may believe. `looking` are those of its skills
    that move it and only look: while a question is answered no other may move (U1). `final` tells, from the robot's
    table of names, which of its deeds cannot be undone.
    """

    kind: str
    adapter: type
    capabilities: Callable[[MissionServices], Capabilities]
    planner: str = "stream"
    form: Form | None = None
    taught_planner: str = ""
    ledger: Callable[[Brief], Ledger] | None = None
    wishes: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    figure: Figure | None = None
    planners: Mapping[str, Callable[[Model, Robot], Planner]] = field(default_factory=dict)
    plans: Callable[[Clause, Brief], tuple[str, Clause]] | None = None
    words: Words = field(default_factory=Words)
    beliefs: tuple[type[Belief], ...] = ()
    looking: frozenset[str] = frozenset()
    final: Callable[[Mapping[str, Any]], Sequence[Irreversible]] = lambda table: ()


@functools.cache
def kits() -> Mapping[str, Kit]:
    """Every registered kit, by kind."""
    found = dict(registered("sayso.robots", Kit))
    if wrong := next((name for name, kit in found.items() if kit.kind != name), ""):
        raise UsageError(f"the entry point {wrong} of sayso.robots is a Kit of the kind {found[wrong].kind}")
    return found


def beliefs() -> Mapping[str, type[Belief]]:
    """Every kind of belief that some kit brings along, by name."""
    return {belief.__name__: belief for kit in kits().values() for belief in kit.beliefs}


def called() -> tuple[str, ...]:
    """What people call a robot of any kind."""
    return tuple(dict.fromkeys(name for kit in kits().values() for name in kit.words.called))


def words_for(kind: str) -> Words:
    """How people speak to a robot of this kind."""
    return kits()[kind].words if kind in kits() else Words()


def looking(kind: str, skills: SkillSet) -> frozenset[str]:
    """The skills that only look: those that use nothing which moves, and those that the kit names."""
    kit = kits().get(kind)
    still = (s.name for s in skills.values() if s.body and not {*s.uses} - AT_REST)
    return frozenset(still) | (kit.looking if kit else frozenset())


def final_for(kind: str, table: Mapping[str, Any]) -> Sequence[Irreversible]:
    """The deeds of a robot of this kind that cannot be undone."""
    return kits()[kind].final(table) if kind in kits() and table else ()


def missing(robot: object, protocol: type) -> list[str]:
    """What an adapter lacks of a protocol, by name."""
    bases = [b for b in protocol.__mro__ if b not in (object, Protocol) and b.__module__ != "typing"]
    names = dict.fromkeys(name for base in bases for name in (*inspect.get_annotations(base), *vars(base)))
    there = set(dir(robot))
    return [name for name in names if not name.startswith("_") and name not in there]


def fits(robot: object, protocol: type[T]) -> TypeGuard[T]:
    return not missing(robot, protocol)


def fitting(robot: object, protocol: type[T]) -> T:
    """The robot, checked to fulfil the protocol that its kind asks for. Raises `UsageError` with what it lacks."""
    if fits(robot, protocol):
        return robot
    lacks = ", ".join(missing(robot, protocol))
    raise UsageError(f"{type(robot).__name__} lacks {lacks}, which a {protocol.__name__} offers")
