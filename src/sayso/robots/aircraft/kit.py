"""The kit of search aircraft."""

from dataclasses import replace
from typing import Any, Protocol

from sayso.drawing import Figure
from sayso.errors import NotUnderstood
from sayso.goal import ANYTHING, Clause, Pred, Which
from sayso.goals.text import quoted
from sayso.language import compose
from sayso.language.printer import joined, when
from sayso.planners.goal_plan import UNANSWERED, Says
from sayso.planners.scored import Scored
from sayso.planners.scored_domain import STEPS_MAX
from sayso.plugins.kits import Capabilities, Kit, MissionServices, fitting
from sayso.prompts.score import score_prompt
from sayso.robots.aircraft.aerial import Searched, Sighting
from sayso.robots.aircraft.flying import Aircraft, Flying
from sayso.robots.aircraft.form import HearingForm
from sayso.roles import Brief, Model, Planner, Robot
from sayso.skill import SkillSet, skills_of
from sayso.skills import composed, shared
from sayso.tables import toml
from sayso.tables.words import Words
from sayso.worlds import Entry

log = Says("l")


def answered(goal: Clause, brief: Brief) -> tuple[str, Clause]:
    """The plan for a question, and the question. Raises `NotUnderstood` for one that no chart and no look decides."""
    match goal:
        case Pred("answered", ("where" | "how far" | "which one", Which() as which)) if _of_map(which):
            return f"l(wi({quoted(' '.join(filter(None, (which.rank, which.kind))))}))", goal
        case Pred("answered", ("which is nearest" | "which is furthest", *both)) if len(both) > 1:
            return joined([f"l(wi({quoted(one.kind)}))" for one in both if isinstance(one, Which)]), goal
        case Pred("answered", ("how big", Which() as which)) if which == Which(which.kind):
            return f"l(sz({quoted(which.kind)}))", goal
        case Pred("answered", ("how many all round", Which() as which)) if replace(which, count=1) == Which(which.kind):
            return f"l(mp({quoted(which.kind)}))", goal
        case Pred("answered", ("is it in view" | "is it here", Which(kind))) if kind == ANYTHING:
            return "l(sg)", goal
        case Pred("answered", ("is it in view" | "is it here", Which() as which)) if which.relation is None:
            yes, mapped = log("Yes, I have sighted one."), f"l(mp({quoted(which.kind)}))"
            told = brief.scene.untold(which.kind)  # what no camera tells may be on the map
            return mapped if told else joined([when(f"iv({quoted(which.kind)})", [yes], [mapped])]), goal
        case Pred("answered", ("what is here" | "what is all round", Which(kind, relation=None))) if kind == ANYTHING:
            return "l(sg)", goal
    raise NotUnderstood(UNANSWERED)


def _of_map(which: Which) -> bool:
    """Whether a map tells which is meant: by its name, or the nearest that is called so."""
    return replace(which, rank="", count=1) == Which(which.kind) and which.rank in ("", "nearest")


SHARES = ("is_visible", "take_picture", "log", "probe", "time")
"""Of the shared skills, those that mean something from far above: there is no place in the image to ask for."""


class Searching(Aircraft, Protocol):
    """What a search asks of an aircraft besides: motions of its own."""

    async def take_off(self) -> None: ...
    async def return_home(self) -> None: ...
    async def search_area(self, area: str) -> str: ...
    async def confirm(self) -> str: ...
    def picture(self, width_px: int = 480, height_px: int = 360) -> Any: ...


def _capabilities(given: MissionServices) -> Capabilities:
    aircraft = fitting(given.robot, Searching)
    plain, own = skills_of(Flying(aircraft, given.tell, given.eyes)), {s.name for s in skills_of(given.robot)}
    shares = SkillSet(shared(given)).only({*own, *SHARES})
    every = compose(SkillSet([*shares.given, *plain]), composed(__package__, "plans.toml"))
    return Capabilities(every, ground=aircraft.charts.terrain.ground)


def _scored(model: Model, robot: Robot) -> Planner:
    """Say × Can × Pay over the search."""
    from sayso.robots.aircraft.domain import Rules  # with all of the search behind it, which nobody else waits for
    from sayso.robots.aircraft.mission import searches

    charts = fitting(robot, Searching).charts
    return Scored(model, searches(charts, model, Rules(steps_max=STEPS_MAX)), score_prompt)


KIT = Kit(
    kind="aircraft",
    adapter=Searching,
    capabilities=_capabilities,
    planner="scored",
    planners={"scored": _scored},
    form=HearingForm(),
    taught_planner="reflex+scored",
    plans=answered,
    commands=("take off, fly 100 m north and take a picture", "take off and return home"),
    figure=Figure.of(toml(__package__, "figure.toml")),
    words=Words.read(__package__),
    beliefs=(Sighting, Searched),
)


COUNTRY = Entry.of(
    "sayso.robots.aircraft.world.country:Rescue",
    "open country with somebody lost in it and a small aircraft with a camera",
    "valley",
)
