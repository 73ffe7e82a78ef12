"""Who plans when nobody says, and the planners by name, with the prompts that they ask in.

A planner of somebody's own is what makes one from a model, by entry point or as `FILE.py:NAME`:

    [project.entry-points."sayso.planners"]
    careful = "my_planner:Careful"

The embedded model is taken for the robots that it was taught; for any other, plain commands are what works without
naming a model.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Mapping
from importlib import resources
from importlib.metadata import entry_points
from typing import TypeAlias

from sayso.errors import UsageError
from sayso.kits import kits
from sayso.outside import is_file, maker
from sayso.parts import Brief, Model, Planner, Robot, Steering
from sayso.planners.reflex import Reflex
from sayso.planners.reflex.first import ReflexFirst
from sayso.planners.rolling import Rolling
from sayso.planners.scored import Scored, ScoredRule
from sayso.planners.sequence import Sequence
from sayso.planners.stepwise import Budget, Stepwise
from sayso.planners.stream import Stream
from sayso.prompts import STEPWISE, plan_prompt, rolling_prompt
from sayso.prompts.score import mission_prompt, score_prompt
from sayso.prompts.sequence import sequence_prompt
from sayso.skills.service_admit import admit

MakePlanner: TypeAlias = Callable[[Model], Planner | Steering]

GROUP = "sayso.planners"

PLANNERS: Mapping[str, str] = {
    "reflex": "no model: direct commands in plain English; stop and land always work",
    "stream": "a model's plan runs while it streams (TypeFly)",
    "reflex+stream": "reflex for what its grammar reads whole, stream for the rest",
    "sequence": "a model's whole plan, checked against what the robot knows before anything moves (GPSR)",
    "rolling": "a model chooses tasks anew every two seconds (the humanoid)",
    "stepwise": "a model chooses one step after hearing what came of the last (the warehouse)",
    "scored": "sensible × possible × worth it, one step at a time (the search aircraft)",
    "reflex+scored": "reflex for what its grammar reads whole, scored for the rest",
}


def known() -> list[tuple[str, str]]:
    """Every planner that can be named, and how it works."""
    brought = [(e.name, f"brought along by {e.value}") for e in entry_points(group=GROUP)]
    return [
        *PLANNERS.items(),
        *sorted(brought),
        ("FILE.py:NAME", "one of your own: a class, or a function of a model or of nothing"),
    ]


STEPS_MAX = 30
"""Steps of a scored mission: with the reading of the wish they stay within a mission's model calls."""

REPLANS: Mapping[str, int] = {
    "scored": STEPS_MAX + 2, "reflex+scored": STEPS_MAX + 2, "stepwise": Budget().steps_max + 1,
}  # fmt: skip
"""New plans a mission, for planners whose every step is a plan of its own."""


def replans(planner: str) -> int:
    """How often `Agent` should let a plan of this planner be followed by a new one."""
    return REPLANS.get(planner, 4)


@functools.cache
def taught() -> Mapping[str, str]:
    """The kinds of robots that the shipped weights have had lessons for, and the planner that asks them."""
    card = resources.files("sayso.models.pocket").joinpath("weights", "card.json")
    lessons = json.loads(card.read_text("utf-8")).get("taught", ()) if card.is_file() else ()
    return {kit.kind: kit.taught_planner for kit in kits().values() if kit.lessons in lessons}


def settled(model: str, planner: str, kind: str) -> tuple[str, str]:
    """Model and planner by name, for a robot of `kind`; what was given is kept. An empty model is none."""
    if not model and _brought(planner) is not None:
        return model, planner
    if not model and planner != "reflex" and (planner or kind in taught()):
        return "pocket", planner or taught()[kind]
    if planner or not model:
        return model, planner or "reflex"
    return model, kits()[kind].planner if kind in kits() else "stream"


def make_planner(name: str, model: Model | None, robot: Robot | None = None) -> Planner | Steering | MakePlanner:
    """The planner of that name, for `Agent`; without a name what fits the model. `robot` is whom it plans for.

    Raises `UsageError` for an unknown one, and where a model is missing.
    """
    name = name or ("stream" if model else "reflex")
    if name == "reflex":
        return Reflex()
    if (brought := _brought(name)) is not None:
        return _own(name, brought, model)
    if name not in PLANNERS:
        raise UsageError(f"no planner is called {name!r}; there are {', '.join(n for n, _ in known())}")
    if model is None:
        raise UsageError(f"the planner {name} needs a model; connect one with --model (see `sayso models`)")
    match name:
        case "rolling":
            return lambda heard: Rolling(heard, rolling_prompt)
        case "stepwise":
            kit = kits().get(robot.kind) if robot else None
            return lambda heard: Stepwise(heard, STEPWISE, ledger=kit.ledger if kit else None)
        case "sequence":
            return lambda heard: Sequence(heard, sequence_prompt, admit)
        case "scored":
            return lambda heard: scored(heard, robot)
        case "reflex+scored":
            return lambda heard: ReflexFirst(scored(heard, robot))
        case "reflex+stream":
            return lambda heard: ReflexFirst(Stream(heard, plan_prompt))
        case _:
            return lambda heard: Stream(heard, plan_prompt)


def _brought(name: str) -> Callable[..., object] | None:
    """What makes a planner that is not one of these; None where nobody brought one of that name."""
    if is_file(name):
        return maker(name, Planner)
    for entry in entry_points(group=GROUP, name=name):
        made: Callable[..., object] = entry.load()
        return made
    return None


def _own(name: str, make: Callable[..., object], model: Model | None) -> Planner | Steering | MakePlanner:
    """The planner that somebody brought: made of a model where it takes one, else of nothing."""

    def made(*given: Model) -> Planner | Steering:
        planner = make(*given)
        if not isinstance(planner, Planner | Steering):
            raise UsageError(f"{name} makes a {type(planner).__name__}, which is no planner")
        return planner

    if not inspect.signature(make).parameters:
        return made()
    if model is None:
        raise UsageError(f"the planner {name} needs a model; connect one with --model (see `sayso models`)")
    return made


def scored(model: Model, robot: Robot | None) -> Scored:
    """Say × Can × Pay over the search of an aircraft that has charts, or over the skills of any other robot."""
    from sayso.planners.scored_rescue import Rules  # with all of the search behind it, which nobody else waits for
    from sayso.planners.scored_search import searches
    from sayso.planners.scored_skills import SkillDomain
    from sayso.search.craft import Charts

    charts = getattr(robot, "charts", None)
    if isinstance(charts, Charts):
        rules = Rules(steps_max=STEPS_MAX)
        return Scored(model, searches(charts, model, mission_prompt, rules), score_prompt)

    async def domain(brief: Brief) -> SkillDomain:
        return SkillDomain()

    return Scored(model, domain, score_prompt, rule=ScoredRule(ask_steps=True))
