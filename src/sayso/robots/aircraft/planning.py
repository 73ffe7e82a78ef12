"""The search domain of an aircraft that has charts, made from briefs alone.

Where the aircraft is and what its battery holds is read from the brief, like all else that a planner is told: so a
replay, which plays briefs, decides the same.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from sayso.parts import Brief, Model
from sayso.robots.aircraft.domain import RescueDomain, Rules
from sayso.robots.aircraft.heard import Grounds
from sayso.robots.aircraft.hunt import Hunt
from sayso.robots.aircraft.mission import MissionReader
from sayso.robots.aircraft.reach import Flight
from sayso.robots.aircraft.search.craft import Charts
from sayso.robots.aircraft.search.lost import categories
from sayso.robots.aircraft.search.team import Seat
from sayso.robots.aircraft.search.terrain import KINDS, Terrain


def searches(
    charts: Charts,
    model: Model,
    rules: Rules | None = None,
    *,
    flight: Callable[[Brief], Flight] | None = None,
    hunt: Hunt | None = None,
    seat: Seat | None = None,
    blocks: bool = True,
) -> Callable[[Brief], Awaitable[RescueDomain]]:
    """What makes the domain of each mission. `flight` replaces what a brief tells of the aircraft.

    Without `blocks` a sweep is of one square or one named area.
    """
    terrain = charts.terrain
    grounds = Grounds(areas_of(terrain), KINDS, categories())
    reader = MissionReader(model, grounds)
    read_flight = flight or (lambda brief: flight_in(brief, terrain))

    async def domain(brief: Brief) -> RescueDomain:
        areas = sweeps_of(terrain) if blocks else grounds.places
        return RescueDomain(charts, areas, read_flight, reader.read, rules, hunt=hunt, seat=seat)

    return domain


def areas_of(terrain: Terrain) -> tuple[str, ...]:
    """What has a name: the scene's own areas and the squares of the grid."""
    return (*terrain.named, *terrain.squares)


def sweeps_of(terrain: Terrain) -> tuple[str, ...]:
    """What a sweep may be of: what has a name, and four squares at once."""
    return (*areas_of(terrain), *terrain.blocks)


def flight_in(brief: Brief, terrain: Terrain) -> Flight:
    """Where the aircraft is by the scene, and its charge as its gauge shows it, in whole percents."""
    pose = brief.scene.observer
    above_m = pose.z_m + terrain.height_m(*terrain.home) - terrain.height_m(pose.x_m, pose.y_m)
    charge = round(brief.seen.state.charge, 2) if brief.seen.state else 1.0
    return Flight((pose.x_m, pose.y_m, above_m), charge, brief.scene.seen_s)
