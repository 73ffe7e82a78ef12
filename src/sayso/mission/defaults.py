"""The planners by name, and the one that is taken where none is named.

A planner of somebody's own is what makes one from a model, by entry point or as `FILE.py:NAME`:

    [project.entry-points."sayso.planners"]
    careful = "my_planner:Careful"

The embedded model is taken for the robots that it was taught; for any other, plain commands are what works without
naming a model.
"""

import inspect
import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import resources
from importlib.metadata import entry_points
from typing import TypeAlias

from sayso.errors import UsageError
from sayso.planners.reflex import Reflex
from sayso.planners.reflex.first import ReflexFirst
from sayso.planners.rolling import Rolling
from sayso.planners.scored import Scored, ScoredRule
from sayso.planners.scored_skills import SkillDomain
from sayso.planners.sequence import Sequence, admissible
from sayso.planners.stepwise import Stepwise
from sayso.planners.stream import Stream
from sayso.planners.text_planner import FixedPlan
from sayso.plugins.kits import kits
from sayso.plugins.loading import checked, is_file, maker
from sayso.prompts import plan_prompt, rolling_prompt, stepwise_prompt
from sayso.prompts.score import score_prompt
from sayso.roles import Brief, Model, Planner, Robot
from sayso.understanding.forms import EMBEDDED, is_terse

MakePlanner: TypeAlias = Callable[[Model], Planner]

GROUP = "sayso.planners"

MODELLESS = ("reflex", FixedPlan.name)

PLANNERS: Mapping[str, str] = {
    "reflex": "no model: direct commands in plain English; stop and land always work",
    "plan": "no model: the wish is a plan in MiniSpec already",
    "stream": "a model's plan runs while it streams (TypeFly)",
    "reflex+stream": "reflex for what its grammar reads whole, stream for the rest",
    "sequence": "a model's whole plan, checked against what the robot knows before anything moves (GPSR)",
    "reflex+sequence": "reflex for what its grammar reads whole, sequence for the rest",
    "rolling": "a model chooses tasks anew every two seconds",
    "reflex+rolling": "reflex for what its grammar reads whole, rolling for the rest",
    "stepwise": "a model chooses one step after hearing what came of the last",
    "reflex+stepwise": "reflex for what its grammar reads whole, stepwise for the rest",
    "scored": "sensible × possible × worth it, one step at a time",
    "reflex+scored": "reflex for what its grammar reads whole, scored for the rest",
}


def known() -> list[tuple[str, str]]:
    """The name of every planner, and how it works."""
    brought = [(e.name, f"brought along by {e.value}") for e in entry_points(group=GROUP)]
    return [
        *PLANNERS.items(),
        *sorted(brought),
        ("FILE.py:NAME", "one of your own: a class, or a function of a model or of nothing"),
    ]


@cache
def taught() -> Mapping[str, str]:
    """The kinds of robots that the shipped weights have had lessons for, and the planner that asks them."""
    card = resources.files("sayso.models.pocket").joinpath("weights", "card.json")
    lessons = json.loads(card.read_text("utf-8")).get("taught", ()) if card.is_file() else ()
    return {kit.kind: kit.taught_planner for kit in kits().values() if kit.form and kit.form.lessons in lessons}


def settled(model: str, planner: str, kind: str) -> tuple[str, str]:
    """The names of model and planner for a robot of `kind`, where they are left open. An empty model is none."""
    if not model and _brought(planner) is not None:
        return model, planner
    if not model and planner not in MODELLESS and (planner or kind in taught()):
        return EMBEDDED, planner or taught()[kind]
    if planner or not model:
        return model, planner or "reflex"
    if model.partition(":")[0] == "pocket" and kind not in taught():
        return model, "reflex+stream"  # it has nothing to say of this robot, and plain commands need no model
    return model, kits()[kind].planner if kind in kits() else "stream"


def make_planner(name: str, model: Model | None, robot: Robot | None = None) -> Planner | MakePlanner:
    """The planner of that name, for `Agent`; without a name what fits the model. `robot` is whom it plans for.

    Raises `UsageError` for an unknown one, and where a model is missing.
    """
    name = name or ("stream" if model else "reflex")
    if name == "reflex":
        return Reflex("" if robot is None or robot.kind in taught() else "; other words need a model (--model)")
    if name == FixedPlan.name:
        return FixedPlan()
    brought = _brought(name)
    if brought is not None and not inspect.signature(brought).parameters:
        return checked(brought(), Planner, name)
    if brought is None and name not in PLANNERS:
        raise UsageError(f"no planner is called {name!r}; there are {', '.join(n for n, _ in known())}")
    if model is None:
        raise UsageError(f"the planner {name} needs a model; connect one with --model (see `sayso models`)")
    return (lambda model: checked(brought(model), Planner, name)) if brought else partial(_made, name, robot)


def _made(name: str, robot: Robot | None, model: Model) -> Planner:
    """One of ours; a kind that brings its own of that name is planned for by that."""
    kit = kits().get(robot.kind) if robot else None
    if robot and kit and name in kit.planners:
        return kit.planners[name](model, robot)
    match name:
        case "rolling":
            return Rolling(model, rolling_prompt)
        case "stepwise":
            return Stepwise(model, stepwise_prompt, ledger=kit.ledger if kit else None, terse=is_terse(model))
        case "sequence":
            return Sequence(model, plan_prompt, admissible)
        case "scored":
            return Scored(model, _skill_domain, score_prompt, rule=ScoredRule(ask_steps=True))
        case "stream":
            return Stream(model, plan_prompt, terse=is_terse(model))
        case _:
            behind = _made(name.removeprefix("reflex+"), robot, model)
            assert isinstance(behind, Planner), "only a planner of plans stands behind the grammar"
            return ReflexFirst(behind, mends=isinstance(behind, Stream))


async def _skill_domain(brief: Brief) -> SkillDomain:
    return SkillDomain()


def _brought(name: str) -> Callable[..., object] | None:
    """What makes a planner that is not one of these; None where nobody brought one of that name."""
    if is_file(name):
        return maker(name, Planner)
    for entry in entry_points(group=GROUP, name=name):
        made: Callable[..., object] = entry.load()
        return made
    return None
