"""The rescue suite: missions read from sentences, flown with at most sixteen actions, judged by the world alone.

Success means found, confirmed *and* home. Published figures (20 runs each in another simulation, so their standard
error is 8 to 11 points) stand beside: they come from other missions and another detector, and are no match to be won.
Rules that people fly today and the paper's own baselines run in the same harness; see `baselines`.

The model `reference` is a pair of hand-written doubles with the latency that a large remote model is known to have, let
pass in the air for every call. Without Say there is `--planner aems2`.
"""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from sayso.bench.episode import model_named
from sayso.bench.episode import play as play_any
from sayso.bench.random_plans import RANDOM
from sayso.bench.suite import BenchTask, Score, Suite, Trial
from sayso.errors import UsageError
from sayso.goals.text import show
from sayso.models.latency import ModelledLatency
from sayso.planners.scored import Rule
from sayso.prompts.score import score_prompt
from sayso.robots.aircraft.domain import SWEEPS, RescueDomain, Rules
from sayso.robots.aircraft.mission import searches
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.pay import Effort
from sayso.robots.aircraft.search.team import Seat, Team
from sayso.robots.aircraft.search.terrain import Terrain
from sayso.robots.aircraft.search.wish import SearchWish, Sought, goal, subject_of, wanted
from sayso.robots.aircraft.search_state import SearchState
from sayso.robots.aircraft.suite.baselines import RULES, OracleRule, PatternRule, ordered
from sayso.robots.aircraft.suite.double import RescueDouble
from sayso.robots.aircraft.suite.play import Pilot, TimedPlanner, fly, precision
from sayso.robots.aircraft.world.country import Rescue
from sayso.robots.aircraft.world.people import Lost, SearchTruth
from sayso.robots.aircraft.world.scene import read_scene
from sayso.roles import Model
from sayso.tables import toml

PATTERNS = ("parallel", "square", "sector")
PLANNERS = (*RULES, *PATTERNS)
WITH_BLOCKS = ("scored", "saycanpay-spared", "saycan-saycanpay-spared")
"""Who may sweep four squares at once. The published planners have about the published number of actions."""

ORACLE = "oracle"
"""Knows the truth: a bound, and no planner."""

FLEETS = {"scored-2": 2, "scored-4": 4}
"""Several aircraft, each of which chooses as `scored` does."""

STEPS_MAX, ROUNDS_MAX = 16, 40
SEEDS_APART = 1000
WIDE = Effort(focus=0, expansions=120)
"""AEMS2 alone has nobody who narrows its choice, so its tree holds every area."""


@dataclass(frozen=True, slots=True)
class RescueMission:
    """A sentence, its scene, and what it means. `law` is by what the missing one is there, one of `people.LAWS`."""

    id: str
    scene: str
    says: str
    wish: SearchWish
    law: str = ""

    def subjects(self, terrain: Terrain) -> tuple[Subject, ...]:
        """Whom the world puts there."""
        return tuple(subject_of(s, self.wish, terrain) for s in self.wish.individuals)


@cache
def missions() -> tuple[RescueMission, ...]:
    """Those whose missing one is drawn from the law that the searcher believes in."""
    return tuple(_mission(entry) for entry in _table()["mission"])


@cache
def strays() -> tuple[RescueMission, ...]:
    """Some of them once more, with the missing one drawn from another law than the searcher's."""
    of = {row.id: row for row in missions()}
    likes = [(of[entry["like"]], entry["law"]) for entry in _table()["stray"]]
    return tuple(replace(row, id=f"{row.id}-{law}", law=law) for row, law in likes)


def _table() -> dict[str, Any]:
    return toml(__package__, "missions.toml")


def _mission(entry: Mapping[str, Any]) -> RescueMission:
    facts = dict(entry["find"])
    minutes = facts.pop("seen_ago_min", None)
    sought = Sought(**facts, seen_ago_s=None if minutes is None else 60.0 * minutes)
    wish = SearchWish((sought,), tuple(entry.get("in", ())), on_find=tuple(entry.get("then", ("confirm", "home"))))
    return RescueMission(entry["id"], entry["scene"], entry["says"], wish)


def mission(id_: str) -> RescueMission:
    return next(m for m in (*missions(), *strays()) if m.id == id_)


def country(row: RescueMission, seed: int, craft: int = 0) -> Rescue:
    """The world of a mission, for one `craft` of several. Two missions of one seed have nothing in common but that."""
    number = [m.id for m in (*missions(), *strays())].index(row.id)
    own_seed, subjects = SEEDS_APART * seed + number, row.subjects(read_scene(row.scene).terrain)
    return Rescue(row.scene, own_seed, number=craft, subjects=subjects, law=row.law)


@dataclass(slots=True)
class Played:
    """One mission with all that a figure may need, of one aircraft or of several that share one search."""

    pilots: Sequence[Pilot]
    wish: SearchWish

    @property
    def flown(self) -> Pilot:
        """The first aircraft's part of it."""
        return self.pilots[0]

    @property
    def world(self) -> Rescue:
        return self.flown.world

    @property
    def domain(self) -> RescueDomain:
        domain = self.flown.planner.now
        assert isinstance(domain, RescueDomain), "every mission is read"
        return domain

    @property
    def truth(self) -> SearchTruth:
        return self.flown.truth

    @property
    def sought(self) -> list[Lost]:
        return list(self.truth.present.values())

    @property
    def success(self) -> bool:
        """What the mission's sentence asks for is so: everyone confirmed, pictured if asked, and the aircraft home. Of
        several some aircraft has confirmed each, and all of them are home."""
        if len(self.pilots) == 1:
            return not self.flown.outcome.missed
        return self.home and math.isfinite(self.confirmed_s)

    @property
    def home(self) -> bool:
        return all(pilot.truth.at_home for pilot in self.pilots)

    @property
    def confirmed_s(self) -> float:
        """When the last one of those who are sought was confirmed; inf where somebody never was."""
        truths = [pilot.truth.present for pilot in self.pilots]
        times = [[math.inf if one.confirmed_s is None else one.confirmed_s for one in p.values()] for p in truths]
        return max(map(min, zip(*times, strict=True)), default=math.inf)


def play(row: RescueMission, seed: int, planner: str = "scored", model: Model | None = None, **knobs: Any) -> Played:
    """Fly one mission; of several aircraft each has its own actions and battery. `knobs` are those of `Rules`."""
    many = FLEETS.get(planner, 0)
    worlds = [country(row, seed, number) for number in (range(1, many + 1) if many else [0])]
    asked, charts, turn = model or ModelledLatency(RescueDouble()), worlds[0].charts, asyncio.Lock()
    hunt, team = SearchState(charts, charts.terrain.places) if many else None, Team(charts.terrain)
    pilots = []
    for world in worlds:
        rule, seat = "scored" if many else planner, team.join(world.signs)
        planning = prepared(world, row, asked, rule, hunt=hunt, seat=seat, turn=turn, **knobs)
        pilots.append(Pilot(world, planning, knobs.get("steps_max", STEPS_MAX)))
    fly(pilots, row.says, show(goal(row.wish)))
    return Played(pilots, row.wish)


def prepared(
    world: Rescue,
    row: RescueMission,
    model: Model,
    planner: str,
    *,
    hunt: SearchState | None = None,
    seat: Seat | None = None,
    turn: asyncio.Lock | None = None,
    **knobs: Any,
) -> TimedPlanner:
    """The planner for one aircraft."""
    knobs.setdefault("effort", WIDE if planner == "aems2" else Effort())
    rules, blocks = Rules(beyond=True, **knobs), planner in WITH_BLOCKS
    make = searches(world.charts, model, rules, hunt=hunt, seat=seat, blocks=blocks)
    rule = _rule(planner, world, row)
    return TimedPlanner(model, make, score_prompt, rule, steps_max=ROUNDS_MAX, turn=turn or asyncio.Lock())


def _rule(planner: str, world: Rescue, row: RescueMission) -> Rule:
    if planner in RULES:
        return RULES[planner]
    if planner == ORACLE:
        return OracleRule(world)
    if planner not in PATTERNS:
        raise UsageError(f"the rescue suite knows the planners {', '.join(PLANNERS)}, not {planner!r}")
    middles = _squares(world.terrain, row.wish)
    seen = next((s.seen_at for s in row.subjects(world.terrain) if s.seen_at), None)
    centre = seen or tuple(float(v) for v in np.mean(list(middles.values()), axis=0))
    return PatternRule(planner, ordered(planner, middles, (centre[0], centre[1])))


def _squares(terrain: Terrain, wish: SearchWish) -> dict[str, tuple[float, float]]:
    """The middles of the squares that hold ground of the wish: a pattern is flown where it was asked for."""
    asked = terrain.cells(*wish.areas) if wish.areas else np.ones(terrain.shape, dtype=np.bool_)
    squares = [name for name in terrain.squares if asked[terrain.areas[name].window].mean() >= 0.2]
    return {name: terrain.centre(name) for name in squares}


def run_episode(trial: Trial) -> Score:
    """Play one trial. A mission that is not achieved is a score, not an exception."""
    model = model_named(trial.model, ModelledLatency(RescueDouble()), trial.seed)
    drawn = trial.model == RANDOM and trial.planner == "scored"
    if drawn or trial.planner not in (*PLANNERS, *FLEETS, ORACLE):
        return _any_planner(trial)
    knobs: dict[str, Any] = {"steps_max": 60} if trial.ablation == "no-step-limit" else {}
    if trial.ablation == "no-look-ahead":
        knobs["effort"] = Effort(expansions=1)
    return score(play(mission(trial.task), trial.seed, trial.planner, model, **knobs), trial)


def _any_planner(trial: Trial) -> Score:
    """The mission as any robot has one: no count of actions, and what its planner makes of the aircraft's skills."""
    row = mission(trial.task)
    world = country(row, trial.seed)
    return play_any(trial, row.says, world, show(goal(row.wish)), RescueDouble(), wants=show(wanted(row.wish, ())))


def score(played: Played, trial: Trial) -> Score:
    """The figures of one mission."""
    if len(played.pilots) > 1:
        return _of_several(played, trial)
    calls, own = sum(c.calls for c in played.flown.planner.choices), figures(played)
    outcome = played.flown.outcome
    return outcome.score(trial, played.success, reason=reason(played), model_calls=calls, figures=own)


def figures(played: Played) -> dict[str, float]:
    """What no other suite has; times of a decision are CPU and, apart, the model's."""
    flown, planner = played.flown, played.flown.planner
    n, cpu_s = max(1, len(planner.choices)), planner.decided_s
    found = [one.found_s for one in played.sought if one.found_s is not None]
    sweeps = [c.candidate.can for c in planner.choices if c.candidate.kind in SWEEPS]
    values = {
        "precision": precision(played.wish, played.success, flown),
        "decision_s": sum(cpu_s) / max(1, len(cpu_s)) + planner.waited_s / n,
        "cpu_ms": 1000 * float(np.median(cpu_s)) if cpu_s else None,
        "processed": sum(c.processed for c in planner.choices) / n,
        "calls": sum(c.calls for c in planner.choices) / n,
        "find_s": min(found, default=None),
        "pos": 1 - math.prod(1 - can for can in sweeps),  # of the success that was believed to be flown
        "away": float(not played.truth.at_home),
        "actions": float(len(flown.acts)),
    }
    return {name: round(float(v), 4) for name, v in values.items() if v is not None}


def _of_several(played: Played, trial: Trial) -> Score:
    acts = sum(len(pilot.acts) for pilot in played.pilots)
    figures = {"away": float(not played.home), "actions": float(acts)}
    if math.isfinite(played.confirmed_s):
        figures["confirmed_s"] = round(played.confirmed_s, 1)
    told = "found, confirmed and home" if played.success else "not everyone was confirmed, or an aircraft is away"
    return Score(trial.task, trial.episode, played.success, told, figures=figures)


def reason(played: Played) -> str:
    """Why it succeeded or not, in words."""
    truth, acts = played.truth, played.flown.acts
    hidden = [one for one in played.sought if not one.open_to_sky]
    found = all(one.found_s is not None for one in played.sought)
    said = "found and confirmed" if all(one.confirmed_s is not None for one in played.sought) else ""
    said = said or ("sighted, not confirmed" if found else "not found")
    if not acts:
        return f"{played.flown.outcome.ended.outcome}: {played.flown.outcome.ended.reason}"
    where = "home" if truth.at_home else "crashed" if truth.crashed else "away from home"
    under = ", out of sight from the air" if hidden and not found else ""
    said += ", but not pictured" if said == "found and confirmed" and truth.at_home and not played.success else ""
    return f"{said}{under}; {where}, {len(acts)} actions, {truth.charge:.0%} left"


def _unfit(trial: Trial) -> str:
    if trial.ablation and trial.planner not in RULES:
        return f"the ablation {trial.ablation} is one of the rules that search, not of {trial.planner}"
    return ""


SUITE = Suite.read(
    __package__,
    "missions.toml",
    tasks=tuple(BenchTask(m.id, m.says, group=m.law or "believed") for m in (*missions(), *strays())),
    planners=dict.fromkeys((*PLANNERS, *FLEETS, ORACLE), "a rule of the search"),
    silent=(*PATTERNS, ORACLE),
    unfit=_unfit,
    run_episode=run_episode,
)
