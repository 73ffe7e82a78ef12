"""Missions of the rescue suite with several aircraft: one search, one operator, one executive each.

Every aircraft flies in a world of its own; the worlds have the same seed, so the same people walk the same ways in
them, while each camera has its own luck. Who is earliest decides next and knows every look that has ended by then: the
aircraft share one belief. What must not happen twice at once is held in a `Team`.

    sayso bench rescue --planner scored-2 --only believed
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sayso.bench.suite import Score
from sayso.clock import SimClock
from sayso.planners.scored import Scored
from sayso.robots.aircraft.hunt import Hunt
from sayso.robots.aircraft.planning import areas_of
from sayso.robots.aircraft.search.team import Seat, Team
from sayso.robots.aircraft.suite.play import Pilot
from sayso.robots.aircraft.world.country import Rescue
from sayso.scene import Scene, Thing

LUCK = 7919
"""Keeps the draws of two cameras apart."""


@dataclass(slots=True)
class Fleet:
    """One mission with all its aircraft, when it is over."""

    pilots: Sequence[Pilot]
    hunt: Hunt
    team: Team

    @property
    def home(self) -> bool:
        return all(pilot.world.truth().at_home for pilot in self.pilots)

    @property
    def success(self) -> bool:
        """Everyone found and confirmed by some aircraft, and all of them at home."""
        return self.home and math.isfinite(self.confirmed_s)

    @property
    def confirmed_s(self) -> float:
        """When the last one of those who are sought was confirmed; inf where somebody never was."""
        times: dict[str, float] = {}
        for pilot in self.pilots:
            for id_, one in pilot.world.truth().present.items():
                if one.sought:
                    when = math.inf if one.confirmed_s is None else one.confirmed_s
                    times[id_] = min(when, times.get(id_, math.inf))
        return max(times.values(), default=math.inf)


def play(
    worlds: Sequence[Rescue],
    sentence: str,
    planner: Callable[[Rescue, Hunt, Seat], Scored],
    *,
    steps_max: int = 16,
) -> Fleet:
    """Fly one mission with an aircraft in each of these worlds, each with its own actions and battery."""
    terrain = worlds[0].terrain
    hunt, team = Hunt(worlds[0].charts, areas_of(terrain)), Team(terrain)
    pilots = []
    for number, world in enumerate(worlds, start=1):
        ids = f"{number}-"
        pilots.append(Pilot(world, planner(world, hunt, team.join(ids)), steps_max, ids))
    SimClock().run(_fly(pilots, sentence))
    return Fleet(pilots, hunt, team)


async def _fly(pilots: Sequence[Pilot], sentence: str) -> None:
    while busy := [p for p in pilots if not p.over]:
        first = min(busy, key=lambda p: p.world.time_s)
        await first.decide(sentence, pooled(pilots, first))


def pooled(pilots: Sequence[Pilot], own: Pilot) -> Scene:
    """What all aircraft have reported by now, as one scene; ids begin with the name of who reported."""
    now_s = own.world.time_s
    things = [thing for pilot in pilots for thing in _reported(pilot, now_s)]
    return replace(own.world.camera.scene(), things=tuple(things))


def _reported(pilot: Pilot, now_s: float) -> list[Thing]:
    """One aircraft's looks that have ended, and what was sighted during them."""
    scene = pilot.world.camera.scene()
    looks = {t.id for t in scene if "coverage" in t.attributes and t.seen_s <= now_s + 1e-6}
    told = [t for t in scene if t.id in looks or t.attributes.get("look") in looks]
    return [_signed(thing, pilot.ids) for thing in told]


def _signed(thing: Thing, ids: str) -> Thing:
    names = {key: f"{ids}{thing.attributes[key]}" for key in ("look", "asked") if thing.attributes.get(key)}
    return replace(thing, id=f"{ids}{thing.id}", attributes={**thing.attributes, **names})


def score(fleet: Fleet, task: str, episode: int) -> Score:
    """The figures of one mission with several aircraft."""
    acts = sum(len(pilot.flown.acts) for pilot in fleet.pilots)
    figures = {"away": float(not fleet.home), "actions": float(acts)}
    if math.isfinite(fleet.confirmed_s):
        figures["confirmed_s"] = round(fleet.confirmed_s, 1)
    told = "found, confirmed and home" if fleet.success else "not everyone was confirmed, or an aircraft is away"
    return Score(task, episode, fleet.success, told, figures=figures)
