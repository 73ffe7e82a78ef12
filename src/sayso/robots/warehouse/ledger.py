"""The goals that a mission still owes, as things that go from place to place: of a list of steps, and of a goal.

The list that the model wrote at first is advisory, but it says what the model took the wish to mean: each thing that it
takes up and puts somewhere is a goal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from sayso.errors import NotUnderstood
from sayso.goal import ALL, ANYTHING, IT, ME, All, Any, Clause, Each, If, Never, Pred, Then, Which
from sayso.goals.clauses import several
from sayso.goals.text import named
from sayso.grounding.lexicon import means
from sayso.planners.goal_plan import UNREACHED
from sayso.plugins.steps import DONE, Step
from sayso.robots.warehouse.names import EVERY, HOME, MISPLACED, RANKS, Table
from sayso.skills.finding import FIND_OUT
from sayso.skills.moves import calls_for

GO, PICK, PUT = "go_to", "pick_up", "place"
ONE_HAND = "I have one hand, and hold one thing at a time. Where should they go?"
HAND = "hand"
"""The place of what is only to be picked up."""

_EVERY_ON = re.compile(r"((?:every|all|each) .+?) (?:on|at|in|from) (?:the )?(.+)")


@dataclass(frozen=True, slots=True)
class Goal:
    """A thing that is to end up at a place; without a thing, the robot itself. `source` is where it is looked for.

    `only` there, where the wish names it: `every lemon on fruit table`. Those called as in `but` are left where they
    are, and so is what is at a place of `away`; where `kinds` are told, it is one of these. The `nth` is meant in the
    order of a superlative. What `belongs` to its place may be there already, and is well then.
    """

    thing: str
    place: str
    source: str = field(default="", compare=False)
    only: bool = field(default=False, compare=False)
    but: tuple[str, ...] = field(default=(), compare=False)
    kinds: tuple[str, ...] = ()
    nth: int = 1
    away: tuple[str, ...] = ()
    belongs: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{' or '.join(self.kinds) or self.thing or 'the robot'} to {self.place}"

    @property
    def called(self) -> str:
        """What is meant, as people say it."""
        return " or ".join(self.kinds) or self.thing.removeprefix("every ")

    def means(self, name: str) -> bool:
        """Whether a thing of that name is not excepted."""
        return name not in self.but and (not self.kinds or name in self.kinds)

    @property
    def every(self) -> bool:
        """Whether it is over all of a kind."""
        return self.thing.startswith("every ")


def goals_of(steps: Sequence[Step]) -> list[Goal]:
    """The goals that a list of steps amounts to: what is placed, and where the robot was sent before that; and where it
    is sent last of all, to do nothing there."""
    at, source, goals = "", "", list[Goal]()
    for step in steps:
        if step.skill == GO:
            at = step.args[0]
        elif step.skill == PICK:
            source = at
        elif step.skill == PUT and at:
            thing, place = bare(step.args[0]), bare(at)
            limited = _EVERY_ON.fullmatch(thing)  # all of a kind, of the place that it names
            every = Goal(limited[1], place, limited[2], only=True) if limited else None
            goals.append(every or Goal(thing, place, bare(source)))
    moves = [s for s in steps if s.skill in (GO, PICK, PUT)]
    if len(steps) > 1 and moves and moves[-1].skill == GO and steps[-1].skill == DONE:
        goals.append(Goal("", bare(moves[-1].args[0])))
    return goals


@dataclass(frozen=True, slots=True)
class Aside:
    """A deed that is owed and moves no thing: a question, a way by amount, a wait; `steps` are what does it."""

    pred: Pred
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, pred: Pred) -> Aside:
        """Raises `NotUnderstood` for a way that this robot cannot drive."""
        if pred.name != "answered":
            return cls(pred, tuple(Step(skill, (amount,)) for skill, amount in calls_for(pred)))
        question, *about = pred.args
        things = ", ".join(named(one) for one in about if isinstance(one, Which))
        return cls(pred, (Step(FIND_OUT, (str(question), things)),))


@dataclass(frozen=True, slots=True)
class Choice:
    """What is owed where a test holds when its turn comes, and what else."""

    test: Clause
    yes: tuple[Owed, ...]
    no: tuple[Owed, ...] = ()


Owed = Goal | Aside | Choice


def owed(goal: Clause, table: Table) -> list[Owed]:
    """What has to be done for a goal, in order. Raises `NotUnderstood` for what no skill of this robot reaches, and for
    names that nothing here has."""
    match goal:
        case All(parts) | Then(parts):
            some = [one for part in parts for one in owed(part, table)]
            if sum(isinstance(one, Goal) and one.place == HAND for one in some) > 1:
                raise NotUnderstood(ONE_HAND)
            return some
        case Any((first, *rest)):
            other = several(Any, rest)
            return [Choice(_there(first), tuple(owed(first, table)), tuple(owed(other, table)))]
        case If(test, yes, no):
            return [Choice(test, tuple(owed(yes, table)), tuple(owed(no, table) if no else ()))]
        case Each(which, body):
            return [*_on_its_way(which, body, table)]
        case Pred("placed", (Which() as which, Which() as to)):
            return [*_brought(which, to, table)]
        case Pred("given", (Which() as which, Which(kind) as to)) if kind == ME:
            return [*_brought(which, to, table)]
        case Pred("given"):
            raise NotUnderstood("I bring things to places, and not to people. Where should it go?")
        case Pred("holding", (Which(count=count) as which,)):
            if count != 1:
                raise NotUnderstood(ONE_HAND)
            return [replace(errand(which, table), place=HAND)]
        case Never() | Pred("stayed"):
            return []  # what is left alone is in no errand, and who has nothing to do stays
        case Pred(("visited" | "at"), (Which() as where, *_)):
            return [Goal("", table.place_in(where.kind))]
        case Pred("home"):
            return [Goal("", table.start)]
        case Pred("moved" | "turned" | "waited" | "answered"):
            return [Aside.of(goal)]
    raise NotUnderstood("I can drive to places, and bring things from place to place; not that.")


def comes_to(goals: Sequence[Owed], table: Table) -> set[str]:
    """The places that things are taken from or to, or where the robot goes."""
    found = set[str]()
    for goal in goals:
        match goal:
            case Goal(thing, place, source):
                found |= {place, source, *goal.away, table.home(table.kind_in(thing))}
            case Choice(_, yes, no):
                found |= comes_to((*yes, *no), table)
    return found


def _there(clause: Clause) -> Clause:
    """Whether there is what a goal is about."""
    match clause:
        case Pred("placed", (Which() as which, *_)):
            return Pred("found", (replace(which, count=1),))
    raise NotUnderstood(UNREACHED)


def _brought(which: Which, to: Which, table: Table) -> Iterator[Goal]:
    goal = errand(which, table)
    place = HOME if to.kind == HOME else table.place_in(to.kind)
    if place not in (HOME, *table.spots):
        raise NotUnderstood(f"Nothing can be put down at the {place}.")
    if not goal.every and place == HOME:
        place = table.home((goal.kinds or (table.kind_in(goal.thing),))[0])
        if not place:
            raise NotUnderstood(f"I do not know where a {goal.thing} belongs.")
    goal = replace(goal, place=place, belongs=to.kind == HOME and not goal.source)
    yield from [goal] * (1 if goal.every else which.count)


def _on_its_way(which: Which, body: Clause, table: Table) -> Iterator[Goal]:
    """From place to place."""
    at = ""
    for part in body.parts if isinstance(body, Then | All) else (body,):
        match part:
            case Pred("placed", (Which(kind), Which() as to)) if kind == IT:
                for goal in _brought(which, to, table):
                    yield replace(goal, source=at, only=goal.every) if at else goal
                    at = goal.place
            case _:
                raise NotUnderstood("I can bring each from place to place; nothing else.")


def errand(which: Which, table: Table) -> Goal:
    """Which things are meant, as they are picked up."""
    kind, kinds = table.thing_in(which)
    traits = [t for t in which.traits if t == MISPLACED or t in table.colours]
    if like := [t for t in which.traits if t not in traits]:  # what only the dictionary can tell
        some = kinds or [n for n, c in table.kinds.items() if kind in (n, c, ANYTHING)]
        kind, kinds = ANYTHING, tuple(n for n in some if all(means(way, n) for way in like))
        if not kinds:
            raise NotUnderstood(f"I do not know which is {' and '.join(like)}.")
    traits += table.colours_in(which.kind)
    if which.rank and which.rank not in RANKS.values():
        raise NotUnderstood(f"I do not know which is the {which.rank}.")
    many = [EVERY] if which.count == ALL else [next((w for w, r in RANKS.items() if r == which.rank), "")]
    but = tuple(n for b in which.but if not b.source for n in _spared(b, table))
    if but and not {*(kinds or [n for n, c in table.kinds.items() if kind in (n, c, ANYTHING)])} - {*but}:
        raise NotUnderstood(f"I know of no {' or '.join(kinds) or kind} but those that you do not want.")
    away = tuple(table.place_in(b.source) for b in which.but if b.source)
    source = table.place_in(which.source) if which.source else ""
    thing = " ".join(filter(None, [*many, *traits, kind]))
    return Goal(thing, "", source, bool(source), but, kinds, which.nth, away)


def _spared(which: Which, table: Table) -> Sequence[str]:
    kind, kinds = table.thing_in(which)
    return kinds or [n for n, c in table.kinds.items() if kind in (n, c)]


def bare(text: str) -> str:
    """A name without articles, and a place without the side that one stands at."""
    words = re.sub(r"^(?:the )?\w+ (?:side|end) of ", "", text.lower().replace("_", " ").strip())
    return re.sub(r"^(?:the|an?) ", "", words)
