"""What code makes of the reading of a wish to the drone: a plan, and behind it the goal that it is held to."""

from __future__ import annotations

from dataclasses import replace

from sayso.data import toml
from sayso.errors import NotUnderstood
from sayso.goal import ANYTHING, IT, Clause, Which
from sayso.goals.clauses import mapped
from sayso.goals.gaps import question, unread
from sayso.goals.text import parse, show
from sayso.grounding.aliases import words
from sayso.grounding.phrases import coloured, described, label_of
from sayso.grounding.said import table
from sayso.language.writing import joined
from sayso.models.pocket.reading import with_units
from sayso.robots.drone.goal_plan import log, plan_of
from sayso.scene import Scene

REPLIES = toml(__package__, "replies.toml")


def planned(reading: str, wish: str, scene: Scene) -> str:
    """The plan that a reading asks for, and behind it its goal. Raises `PlanSyntaxError`, `NotUnderstood`."""
    kind, _, why = reading.partition(" ")
    if kind in ("refuse", "ask"):
        return joined(log.lost(REPLIES[kind][why]))
    goal = spoken_of(parse(with_units(reading)))
    if parted := unread(wish, goal, ()):
        raise NotUnderstood(question(parted))
    return f"{plan_of(goal, wish, scene)}\n{show(grounded(goal, scene))}"


def spoken_of(goal: Clause) -> Clause:
    """With names for what is only pointed back to: the blue ones, after the red balloons, are blue balloons."""
    last = ""

    def thing(which: Which) -> Which:
        nonlocal last
        if last and words(which.kind)[-1:] == tuple(table()["phrases"]["again"]):
            return replace(which, kind=" ".join([*which.kind.split()[:-1], last]))
        if which.kind not in (IT, ANYTHING) and not described(which.kind):
            last = coloured(which.kind)[1]
        return which

    return mapped(goal, thing)


def grounded(goal: Clause, scene: Scene) -> Clause:
    """With the names that perception has, and a colour in front of a name as a trait."""
    labels = {t.label for t in scene}

    def thing(which: Which) -> Which:
        if described(which.kind):
            return which
        colour, rest = coloured(which.kind)
        if label := label_of(which.kind, labels):
            return replace(which, kind=label)
        traits = (*which.traits, colour) if colour else which.traits
        return replace(which, kind=label_of(rest, labels) or rest, traits=traits)

    return mapped(goal, thing)
