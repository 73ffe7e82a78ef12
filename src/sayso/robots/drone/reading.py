"""What code makes of the reading of a wish to the drone: a plan, and behind it the goal that it is held to."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import resources

from sayso.goal import Clause, Which
from sayso.goals.text import mapped, parse, show
from sayso.grounding.phrases import coloured, described, label_of
from sayso.models.pocket.reading import with_units
from sayso.robots.drone.ways import log, plan_of
from sayso.scene import Scene

REPLIES = tomllib.loads(resources.files(__package__).joinpath("replies.toml").read_text("utf-8"))


def planned(reading: str, wish: str, scene: Scene) -> str:
    """The plan that a reading asks for, and behind it its goal. Raises `PlanSyntaxError`, `NotUnderstood`."""
    kind, _, why = reading.partition(" ")
    if kind in ("refuse", "ask"):
        return f"{log(REPLIES[kind][why])};->False"
    goal = parse(with_units(reading))
    return f"{plan_of(goal, wish, scene)}\n{show(grounded(goal, scene))}"


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
