"""From steps to the goal that a command has: amounts, sides and things as they were said."""

from __future__ import annotations

from collections.abc import Iterator

from sayso.goal import Amount, Clause, If, Not, Pred, Which
from sayso.goals.clauses import joined
from sayso.goals.planned import CLAUSES_MAX, meant
from sayso.planners.reflex.tree import (
    Answer,
    Call,
    Face,
    Find,
    GoTo,
    Land,
    LookAround,
    Move,
    Picture,
    Return,
    Say,
    Step,
    Steps,
    TakeOff,
    Times,
    Turn,
    TurnUntil,
    Wait,
)  # fmt: skip
from sayso.planners.reflex.tree import If as Whether
from sayso.scene import Scene
from sayso.skill import SkillSet

SIDES = {"backward": "back", "cw": "right", "ccw": "left"}


def goal_of(steps: Steps, skills: SkillSet, scene: Scene) -> Clause | None:
    """What the steps ask for, one after the other; None where no predicate tells it."""
    return joined([*_clauses_of(steps, skills, scene)])


def _clauses(step: Step, skills: SkillSet, scene: Scene) -> Iterator[Clause]:
    match step:
        case TakeOff():
            yield Pred("airborne")
        case Land():
            yield Pred("landed")
        case Return():
            yield Pred("home")
        case Move(way, cm):
            yield Pred("moved", (SIDES.get(way, way), Amount(cm / 100, "m")))
        case Turn(way, deg):
            yield Pred("turned", (SIDES[way], Amount(deg, "deg")))
        case LookAround():
            yield Pred("turned", (SIDES["cw"], Amount(360, "deg")))
        case GoTo(thing):
            yield Pred("at", (_which(thing, scene),))
        case Find(thing) | TurnUntil(thing=thing):
            yield Pred("found", (_which(thing, scene),))
        case Face(thing):
            yield Pred("facing", (_which(thing, scene),))
        case Picture(thing):
            yield Pred("picture", (_which(thing, scene),) if thing else ())
        case Wait(0.0):
            yield Pred("stayed")
        case Wait(s):
            yield Pred("waited", (Amount(s, "s"),))
        case Say(text):
            yield Pred("said", (text,))
        case Answer(thing):
            yield If(Pred("sees", (_which(thing, scene),)), Pred("said", ("yes",)), Pred("said", ("no",)))
        case Whether():
            yield from _whether(step, skills, scene)
        case Times(n, body):
            once = list(_clauses_of(body, skills, scene))
            yield from once * (n if n * len(once) <= CLAUSES_MAX else 1)
        case Call(name, args):
            if clause := meant(skills[name], args, scene):
                yield clause


def _clauses_of(steps: Steps, skills: SkillSet, scene: Scene) -> Iterator[Clause]:
    for step in steps:
        yield from _clauses(step, skills, scene)


def _whether(step: Whether, skills: SkillSet, scene: Scene) -> Iterator[Clause]:
    test: Clause = Pred("found" if step.search else "sees", (_which(step.thing, scene),))
    test = Not(test) if step.negated else test
    then, other = (goal_of(s, skills, scene) for s in (step.then, step.other or ()))
    if step.must:
        yield test
        if then:
            yield then
    elif then:
        yield If(test, then, other)
    elif other:
        yield If(Not(test), other)


def _which(thing: str, scene: Scene) -> Which:
    """A thing by its label; by its id where the command picks one of several."""
    picked = scene.find(thing) if thing.endswith("]") else None
    return Which(picked.id if picked else thing.partition("[")[0])
