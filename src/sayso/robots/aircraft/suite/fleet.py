"""Missions of the rescue suite with several aircraft: one search, one operator, one executive each.

Every aircraft flies in a world of its own; the worlds have the same seed, so the same people walk the same ways in
them, while each camera has its own luck. Who is earliest decides next and knows every look that has ended by then: the
aircraft share one belief. What must not happen twice at once is held in a `Team`.

    python -m sayso.robots.aircraft.suite.fleet --aircraft 1,2,4 --episodes 3 --seed 100
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sayso.clock import SimClock
from sayso.models.latency import ModelledLatency
from sayso.parts import Model
from sayso.robots.aircraft.aerial import AerialCamera
from sayso.robots.aircraft.hunt import Hunt
from sayso.robots.aircraft.planning import areas_of
from sayso.robots.aircraft.search.team import APART_M, Team
from sayso.robots.aircraft.suite.double import RescueDouble
from sayso.robots.aircraft.suite.episode import STEPS_MAX, RescueMission, country, missions, prepared
from sayso.robots.aircraft.suite.play import Pilot
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
    row: RescueMission, seed: int, aircraft: int = 2, model: Model | None = None, apart_m: float = APART_M, **knobs: Any
) -> Fleet:
    """Fly one mission with so many aircraft, each with its own actions and battery."""
    worlds = [country(row, seed, _camera(number)) for number in range(aircraft)]
    asked = model or ModelledLatency(RescueDouble())
    hunt, team = Hunt(worlds[0].charts, areas_of(worlds[0].terrain)), Team(worlds[0].terrain, apart_m)
    pilots = []
    for number, world in enumerate(worlds, start=1):
        ids = f"{number}-"
        planner, _ = prepared(world, row, asked, "scored", hunt=hunt, seat=team.join(ids), **dict(knobs))
        pilots.append(Pilot(world, planner, knobs.get("steps_max", STEPS_MAX), ids))
    SimClock().run(_fly(pilots, row.says))
    return Fleet(pilots, hunt, team)


def _camera(number: int) -> Callable[..., AerialCamera]:
    def make(eye: Any, seed: int, labels: Sequence[str]) -> AerialCamera:
        return AerialCamera(eye, seed + LUCK * number, labels)

    return make


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


def gain(
    aircraft: Sequence[int] = (1, 2, 4),
    episodes: int = 3,
    seed: int = 100,
    rows: Sequence[RescueMission] = (),
    **knobs: Any,
) -> list[dict[str, Any]]:
    """Figures by the number of aircraft, on the same missions."""
    table = []
    for count in aircraft:
        flown = [play(row, seed + n, count, **knobs) for row in rows or missions() for n in range(episodes)]
        table.append({"aircraft": count, **_figures(flown)})
    return table


def _figures(flown: Sequence[Fleet]) -> Mapping[str, Any]:
    found = [f.confirmed_s for f in flown if math.isfinite(f.confirmed_s)]
    share = statistics.fmean(f.success for f in flown)
    return {
        "missions": len(flown),
        "success": round(share, 3),
        "error": round(math.sqrt(share * (1 - share) / len(flown)), 3),
        "confirmed_s": round(statistics.fmean(found), 1) if found else None,
        "away": sum(not f.home for f in flown),
        "acts": round(statistics.fmean(sum(len(p.flown.acts) for p in f.pilots) for f in flown), 1),
    }


def main() -> None:
    """Print one line of JSON for each number of aircraft."""
    asked = argparse.ArgumentParser(description="What more aircraft bring, on the same missions.")
    asked.add_argument("--aircraft", default="1,2,4")
    asked.add_argument("--episodes", type=int, default=3)
    asked.add_argument("--seed", type=int, default=100)
    asked.add_argument("--only", default="", help="mission ids, separated by commas")
    options = asked.parse_args()
    rows = [m for m in missions() if not options.only or m.id in options.only.split(",")]
    for count in map(int, options.aircraft.split(",")):
        for line in gain((count,), options.episodes, options.seed, rows):
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
