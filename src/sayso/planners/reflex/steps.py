"""The steps of a plain command: each says how it is done, in MiniSpec, and what is wanted by it, as a goal."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

from sayso import goal
from sayso.errors import NotUnderstood
from sayso.goal import BOUNDS, Amount, Clause, Not, Pred
from sayso.goals.clauses import joined
from sayso.goals.evidence import reading
from sayso.goals.planned import CLAUSES_MAX, meant
from sayso.goals.spoken import fact
from sayso.grounding.inflection import amount as in_words
from sayso.planners.reflex.words import name_words
from sayso.planners.reflex.writer import Writer, literal, spoken
from sayso.skill import Skill, Value

TURN_AT_ONCE_DEG = 180.0
"""A larger turn in one call may end in a wish for a new plan, which this planner would not have."""

ALOFT = {"take_off": True, "return_home": True, "land": False}
"""Whether the robot is in the air after it; after any other it is as before."""

STILL = ("log", "take_picture")
"""After these the view is as before."""

SIDES = {"backward": "back", "clockwise": "right", "counterclockwise": "left"}
"""What goals call a direction, where that is another word."""


class Step(ABC):
    """One thing to do."""

    @abstractmethod
    def write(self, to: Writer) -> str:
        """As text of a plan. Raises `NotUnderstood` where the robot lacks a skill or its range."""

    @abstractmethod
    def wants(self, of: Writer) -> Iterator[Clause]:
        """What is wanted by it; nothing where no predicate tells it."""


Steps: TypeAlias = tuple[Step, ...]


def written(steps: Sequence[Step], to: Writer) -> list[str]:
    """The text of each step, in order."""
    return [step.write(to) for step in steps]


def wanted(steps: Sequence[Step], of: Writer) -> Clause | None:
    """What the steps ask for, one after the other."""
    return joined([clause for step in steps for clause in step.wants(of)])


@dataclass(frozen=True, slots=True)
class Call(Step):
    """A call of a skill; `want` is its goal, where the skill does not say so; answers to questions are told."""

    skill: str
    args: tuple[Value, ...] = ()
    want: str = ""

    def write(self, to: Writer) -> str:
        name = self.skill
        if name == "land" and name not in to.skills and "return_home" in to.skills:
            name = "return_home"  # who comes down at home alone goes there: that is its way to land
        call, skill = to.call(name, *self.args), to.skills[name]
        if self.skill not in STILL:
            to.moved("", ALOFT.get(self.skill, to.aloft))
        told = call if skill.uses or not skill.returns else to.told(call)
        return f"{told};{''.join(f'{sensor};' for sensor in to.sensors(self._meant(skill, to)))}"

    def wants(self, of: Writer) -> Iterator[Clause]:
        if self.want:
            yield Pred(self.want, tuple(map(str, self.args)))
        elif clause := self._meant(of.skills[self.skill], of):
            yield clause
        elif of.skills[self.skill].uses:
            yield Pred("did", (self._said(of.skills[self.skill]),))

    def _meant(self, skill: Skill, of: Writer) -> Clause | None:
        """What it says that it brings about, else where its path leads."""
        return meant(skill if skill.means else replace(skill, means=skill.leads), self.args, of.scene)

    def _said(self, skill: Skill) -> str:
        """As somebody would ask for it: "water 200 ml"."""
        given = zip(skill.params, self.args, strict=False)
        told = (in_words(a, p.unit) if isinstance(a, int | float) and p.unit else str(a).lower() for p, a in given)
        return " ".join([*name_words(skill.name), *told])


@dataclass(frozen=True, slots=True)
class Move(Step):
    """A move. `way` is forward, backward, left, right, up or down; `usual` is set where no distance was said."""

    way: str
    cm: float
    usual: bool = False

    def write(self, to: Writer) -> str:
        return to.moved(to.along(self.way, self.cm))

    def wants(self, of: Writer) -> Iterator[Clause]:
        yield Pred("moved", (SIDES.get(self.way, self.way), Amount(self.cm / 100, "m")))


@dataclass(frozen=True, slots=True)
class Height(Step):
    """A climb or descent to so many centimetres above the floor."""

    cm: float

    def write(self, to: Writer) -> str:
        name = to.rising()
        return to.moved(f"{to.call(name, to.sized(name, self.cm))};")

    def wants(self, of: Writer) -> Iterator[Clause]:
        yield Pred("height", (Amount(self.cm / 100, "m"),))


@dataclass(frozen=True, slots=True)
class Turn(Step):
    """A turn. `way` is clockwise or counterclockwise."""

    way: str
    deg: float

    def write(self, to: Writer) -> str:
        return to.moved(to.along(self.way, self.deg, TURN_AT_ONCE_DEG))

    def wants(self, of: Writer) -> Iterator[Clause]:
        yield Pred("turned", (SIDES[self.way], Amount(self.deg, "deg")))


@dataclass(frozen=True, slots=True)
class LookAround(Step):
    """Turn once round in steps, looking."""

    def write(self, to: Writer) -> str:
        turn = to.along("clockwise", to.search_step_deg).rstrip(";")
        return to.moved(f"{math.ceil(360 / to.search_step_deg)}{{{turn}}}")

    def wants(self, of: Writer) -> Iterator[Clause]:
        return Turn("clockwise", 360).wants(of)


@dataclass(frozen=True, slots=True)
class TurnUntil(Step):
    """Turn in steps until a thing is in view, at most once round."""

    way: str
    step_deg: float
    thing: str

    def write(self, to: Writer) -> str:
        """No return inside the loop, so that the plan can go on: a thing in view stays in view."""
        unseen = f"?{to.call('is_visible', self.thing)}==False"
        turn = to.along(self.way, self.step_deg).rstrip(";")
        loop = f"{to.climb()}{math.ceil(360 / self.step_deg)}{{{unseen}{{{turn}}}}}"
        to.moved("")
        to.seen = self.thing
        return f"{loop}{unseen}{{{to.fail(self.thing)}}}"

    def wants(self, of: Writer) -> Iterator[Clause]:
        yield Pred("found", (of.which(self.thing),))


@dataclass(frozen=True, slots=True)
class Seek(Step):
    """A thing that is looked for all round, unless it is in view already: to have it `found`, be `at` it, be `facing`
    it, or take a `picture` of it."""

    want: str
    thing: str

    def write(self, to: Writer) -> str:
        if self.want == "picture" and self.thing == to.faced:
            return f"{to.call('take_picture')};"
        then, sought = self._then(to), self.want == "found" or to.seen != self.thing
        text = to.found(self.thing, then) if sought else then
        if self.want in ("found", "at"):
            to.moved("", to.aloft or self.want == "at")
        to.seen, to.faced = self.thing, "" if self.want == "found" else self.thing
        return text

    def _then(self, to: Writer) -> str:
        """What is done when it is in view."""
        if self.want == "found":
            return f"{to.call('log', f'I see the {spoken(self.thing)}.')};"
        if self.want == "at":
            return f"{to.call('goto', self.thing)};"
        face = f"{to.call('orienting', self.thing)};"
        return f"{face}{to.call('take_picture')};" if self.want == "picture" else face

    def wants(self, of: Writer) -> Iterator[Clause]:
        yield Pred(self.want, (of.which(self.thing),))


@dataclass(frozen=True, slots=True)
class Wait(Step):
    """A wait, with `hovering` in the air; else wherever the robot is."""

    s: float
    hovering: bool = False

    def write(self, to: Writer) -> str:
        if not self.s and "delay" not in to.skills:  # to stop where nothing moves is done already
            return "->True"
        climb = to.climb() if self.hovering else ""
        return climb + to.amounts("delay", self.s)

    def wants(self, of: Writer) -> Iterator[Clause]:
        yield Pred("waited", (Amount(self.s, "s"),)) if self.s else Pred("stayed")


@dataclass(frozen=True, slots=True)
class Answer(Step):
    """Say whether a thing is in view."""

    thing: str

    def write(self, to: Writer) -> str:
        yes = to.call("log", f"Yes, I see the {spoken(self.thing)}.")
        no = to.call("log", f"No, I see no {spoken(self.thing)}.")
        return f"?{to.call('is_visible', self.thing)}==True{{{yes}}}:{{{no}}}"

    def wants(self, of: Writer) -> Iterator[Clause]:
        yield goal.If(Pred("sees", (of.which(self.thing),)), Pred("said", ("yes",)), Pred("said", ("no",)))


@dataclass(frozen=True, slots=True)
class Sees:
    """Whether a thing is there, or not there where it is not `so`. `search` looks all round for it; without it only the
    present view counts."""

    thing: str
    search: bool = False
    so: bool = True

    def write(self, to: Writer) -> str:
        return f"{to.call('scan' if self.search else 'is_visible', self.thing)}=={self.so}"

    def denied(self) -> Self:
        return replace(self, so=not self.so)

    def wants(self, of: Writer) -> Clause:
        there = Pred("found" if self.search else "sees", (of.which(self.thing),))
        return there if self.so else Not(there)


@dataclass(frozen=True, slots=True)
class Test:
    """What one of the robot's own skills tells, compared with a value in its unit."""

    skill: str
    op: str
    value: float | bool

    def write(self, to: Writer) -> str:
        return self.compared(to.call(self.skill))

    def compared(self, told: str) -> str:
        return f"{told}{self.op}{literal(self.value)}"

    def denied(self) -> Self:
        other = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
        return replace(self, op=other[self.op]) if self.op in other else replace(self, value=not self.value)

    def wants(self, of: Writer, loosely: bool = False) -> Clause:
        """What it asks; `loosely` counts less than it and just as much as one."""
        if self.op == "==":
            so = Pred("sensed", (reading(self.skill, 0.0)[0],))
            return so if self.value else Not(so)
        name, amount = reading(self.skill, float(self.value))
        least = self.op.startswith(">") == (loosely or self.op.endswith("="))
        pred = Pred("measured", (name, BOUNDS[not least], amount))
        return pred if loosely or self.op.endswith("=") else Not(pred)


@dataclass(frozen=True, slots=True)
class If(Step):
    """Steps that hang on what is seen or measured in their turn. `must` means that a mission in which a thing is
    not seen has failed."""

    test: Sees | Test
    then: Steps
    other: Steps | None = None
    must: bool = False

    def write(self, to: Writer) -> str:
        sees = self.test if isinstance(self.test, Sees) else None
        climb = to.climb() if sees and sees.search else ""
        test, before = self.test.write(to), to.aloft
        if sees:
            to.seen, to.faced = sees.thing if sees.so else "", ""
        then, aloft = "".join(written(self.then, to)), to.aloft
        to.moved("", before)
        to.seen = sees.thing if sees and not sees.so else ""
        other = to.fail(sees.thing) if sees and self.must else "".join(written(self.other or (), to))
        to.moved("", aloft and to.aloft)
        return f"{climb}?{test}{{{then}}}" + (f":{{{other}}}" if other else "")

    def wants(self, of: Writer) -> Iterator[Clause]:
        test, then, other = self.test.wants(of), wanted(self.then, of), wanted(self.other or (), of)
        if self.must:
            yield from (test, then) if then else (test,)
        elif then:
            yield goal.If(test, then, other)
        elif other:
            yield goal.If(self.test.denied().wants(of), other)


@dataclass(frozen=True, slots=True)
class UntilTold(Step):
    """Steps again and again until a measure is as it should be; a mission in which it never is has failed."""

    test: Test
    body: Steps
    most: int

    def write(self, to: Writer) -> str:
        name = to.variable()
        told, test = f"{name}={to.call(self.test.skill)};", f"?{self.test.denied().compared(name)}"
        body = "".join(written(self.body, to))
        to.moved("", to.aloft)
        failed = to.call("log", f"After {self.most} times {fact(self.test.denied().wants(to))}.")
        return f"{told}{self.most}{{{test}{{{body}{told}}}}}{test}{{{failed};->False}}"

    def wants(self, of: Writer) -> Iterator[Clause]:
        yield self.test.wants(of, loosely=True)


@dataclass(frozen=True, slots=True)
class Times(Step):
    n: int
    body: Steps

    def write(self, to: Writer) -> str:
        if self.n == 1:
            return " ".join(written(self.body, to))
        if all(isinstance(one, Pred) and one.name == "placed" for one in self.wants(to)):
            raise NotUnderstood("I understand, but once it lies there nobody brings it back: say that once.")
        to.seen = to.faced = ""
        body = "".join(written(self.body, to))
        to.seen = to.faced = ""
        return f"{self.n}{{{body}}}"

    def wants(self, of: Writer) -> Iterator[Clause]:
        once = [clause for step in self.body for clause in step.wants(of)]
        yield from once * (self.n if self.n * len(once) <= CLAUSES_MAX else 1)
