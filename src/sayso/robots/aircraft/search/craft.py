"""The flight model of a small aircraft: time and charge of every search action.

A `Course` is a list of legs. The aircraft flies exactly the course that was computed here, so that a planner knows the
time and the charge of an action beforehand, and a limit can refuse what there would be no flying home from.
Places are (x, y, height above ground) in metres; charge is a fraction of full.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from sayso.errors import UsageError
from sayso.robots.aircraft.search.detection import Detection
from sayso.robots.aircraft.search.keep_off import around, straight
from sayso.robots.aircraft.search.sweep import Look, nearest_corner, sweep
from sayso.robots.aircraft.search.terrain import Terrain

At: TypeAlias = tuple[float, float, float]
"""x and y in metres, and metres above the ground there."""

LEVELS_M = (30.0, 60.0, 90.0)
LEVELS = ", ".join(f"{height:g}" for height in LEVELS_M)
"""As they are told."""
SLOWEST_MPS = 9.0
"""No search is flown slower: the wind must still be flown against."""

WINDIEST = 0.6 * SLOWEST_MPS

TURN_RADPS = math.radians(45)


@dataclass(frozen=True, slots=True)
class Craft:
    """The figures of one aircraft, all of them assumptions about a search quadrotor of some four kilograms.

    Powers are relative to hovering, for which a full battery lasts `endurance_s`. A search is flown at `search_mps`,
    but so slowly that any spot stays in the picture for `view_s`: near the ground that is slower.
    """

    payload: str = "eo"
    endurance_s: float = 1800.0
    cruise_mps: float = 14.0
    search_mps: float = 12.0
    view_s: float = 2.6
    climb_mps: float = 4.0
    sink_mps: float = 3.0
    climb_power: float = 1.35
    forward_power: float = 0.95
    sink_power: float = 0.85
    idle_power: float = 0.02
    turn_s: float = 4.0
    sidelap: float = 0.3
    mapping_sidelap: float = 0.7
    mapping_coverage: float = 2.0
    confirm_s: float = 20.0
    confirm_from_m: float = 30.0
    image_s: float = 3.0
    hover_glance_s: float = 10.0
    gust: float = 0.04
    stops_at_sighting: bool = True
    reserve: float = 0.15
    """What must be left after landing."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A leg of a course: straight to a place at a speed through the air, or, with `wait_s`, staying there. `sweeps`
    runs the camera. It faces the way that it flies, or turns by `turn_rad` on it."""

    to: At
    speed_mps: float = 0.0
    power: float = 1.0
    wait_s: float = 0.0
    sweeps: bool = False
    turn_rad: float | None = None


@dataclass(frozen=True, eq=False)
class Course:
    """Legs in order, and the look that they serve, if any: a sweep along its legs, or a stare at the last one's end."""

    legs: tuple[Leg, ...] = ()
    look: Look | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds, the fraction of a full battery, and where it ends."""

    seconds: float
    charge: float
    end: At


class Charts:
    """Courses for every search action, over one terrain, in a steady wind (x, y in m/s)."""

    def __init__(
        self, terrain: Terrain, model: Detection, craft: Craft = Craft(), wind_mps: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        if math.hypot(*wind_mps) > WINDIEST:
            most = f"at most {WINDIEST:g}"
            raise UsageError(f"a wind of {math.hypot(*wind_mps):g} m/s is too strong to search in; {most}")
        self.terrain, self.model, self.craft, self.wind_mps = terrain, model, craft, wind_mps
        self.off = np.zeros(terrain.shape, dtype=np.bool_)
        """Ground that no way leads over, shape (rows, columns)."""
        self.most_mps = math.inf
        """No faster over the ground."""

    def level(self, at: At, altitude_m: float = LEVELS_M[0]) -> Course:
        """Up or down on the spot; from the ground to the lowest level."""
        return Course((self._vertical(at, altitude_m),))

    def home(self, at: At) -> Course:
        """Home at this height, but at least at the lowest level, and down to the ground."""
        height_m = max(at[2], LEVELS_M[0])
        up = (self._vertical(at, height_m),) if at[2] < height_m else ()
        over = (*self.terrain.home, height_m)
        return Course((*up, *self._to((*at[:2], height_m), over), self._vertical(over, 0.0)))

    def way(self, at: At, to: At, *, ahead: bool) -> Course:
        """Straight there at this height; not `ahead` without turning."""
        legs = tuple(self._to(at, to))
        return Course(legs if ahead else tuple(replace(leg, turn_rad=0.0) for leg in legs))

    def turn(self, at: At, angle_rad: float) -> Course:
        """On the spot; positive is left."""
        return Course((Leg(at, wait_s=abs(angle_rad) / TURN_RADPS, turn_rad=angle_rad),))

    def hover(self, at: At, seconds: float) -> Course:
        """Stay and keep looking down."""
        worth = seconds / self.craft.hover_glance_s
        return Course((Leg(at, wait_s=seconds),), self._stare(at, worth))

    def image(self, at: At) -> Course:
        """One picture of what is below."""
        return Course((Leg(at, wait_s=self.craft.image_s),), self._stare(at, 1.0))

    def search(self, at: At, area: str) -> Course:
        """Sweep an area at this height."""
        return self._swept(at, area, self.craft.sidelap, 1.0 / (1 - self.craft.sidelap))

    def mapping(self, at: At, area: str) -> Course:
        """Sweep an area with pictures that overlap enough to be joined to a map."""
        return self._swept(at, area, self.craft.mapping_sidelap, self.craft.mapping_coverage)

    def confirm(self, at: At, place: tuple[float, float], sighting: str) -> Course:
        """Go over a sighting, down to the lowest level, and let the operator look."""
        over = (*place, at[2])
        low = (*place, min(at[2], self.craft.confirm_from_m))
        down = (self._vertical(over, low[2]),) if low[2] < at[2] else ()
        stay = Leg(low, wait_s=self.craft.confirm_s)
        return Course((*self._to(at, over), *down, stay), replace(self._stare(low, 1.0), asked=sighting))

    def cost(self, course: Course, at: At) -> Cost:
        """Time and charge of a course begun at a place, without gusts."""
        seconds = charge = 0.0
        for leg in course.legs:
            leg_s = self.leg_s(leg, at)
            seconds += leg_s
            charge += leg_s * leg.power
            at = leg.to
        return Cost(seconds, charge / self.craft.endurance_s, at)

    def leg_s(self, leg: Leg, at: At) -> float:
        """Seconds of one leg in the steady wind."""
        if leg.wait_s:
            return leg.wait_s
        way_m = math.dist(at, leg.to)
        level_m = math.hypot(leg.to[0] - at[0], leg.to[1] - at[1])
        if level_m < 1e-6:
            return way_m / min(leg.speed_mps, self.most_mps)
        ux, uy = (leg.to[0] - at[0]) / level_m, (leg.to[1] - at[1]) / level_m
        along = self.wind_mps[0] * ux + self.wind_mps[1] * uy
        across = self.wind_mps[1] * ux - self.wind_mps[0] * uy
        return way_m / min(math.sqrt(leg.speed_mps**2 - across**2) + along, self.most_mps)

    def crosses(self, course: Course, at: At) -> bool:
        """Whether a course leads over ground that no way leads over."""
        corners = [at, *(leg.to for leg in course.legs)]
        return not all(straight(self.terrain, self.off, a[:2], b[:2]) for a, b in pairwise(corners))

    def left_at_home(self, charge: float, at: At, course: Course = Course()) -> float:
        """The charge that is left after this course, the way home and landing, with gusts against it all the way."""
        there = self.cost(course, at)
        back = self.cost(self.home(there.end), there.end).charge if there.end[2] > 0 else 0.0
        return charge - (there.charge + back) * (1 + self.craft.gust)

    def _swept(self, at: At, area: str, sidelap: float, coverage: float) -> Course:
        picture = self.model.footprint(self.craft.payload, at[2])
        spacing_m = picture.across_m * (1 - sidelap)
        speed_mps = max(SLOWEST_MPS, min(self.craft.search_mps, picture.along_m / self.craft.view_s))
        where = self.terrain.area(area)
        corner = nearest_corner(self.terrain, where, spacing_m, at[:2])
        legs: list[Leg] = []
        here = at
        for begin, end in sweep(self.terrain, where, spacing_m, corner).legs:
            legs += self._to(here, (*begin, at[2]))
            if len(legs) > 1:
                legs.append(Leg((*begin, at[2]), wait_s=self.craft.turn_s))
            here = (*end, at[2])
            legs.append(Leg(here, speed_mps, self.craft.forward_power, sweeps=True))
        look = Look("sweep", self.craft.payload, at[2], coverage, where.name, spacing_m, corner)
        return Course(tuple(legs), look)

    def _stare(self, at: At, worth: float) -> Look:
        return Look("stare", self.craft.payload, at[2], worth, x_m=at[0], y_m=at[1])

    def _to(self, at: At, to: At) -> Iterable[Leg]:
        if math.dist(at, to) <= 0.5:
            return
        corners = around(self.terrain, self.off, at[:2], to[:2]) if self.off.any() else [to[:2]]
        for corner in corners:
            yield Leg((*corner, to[2]), self.craft.cruise_mps, self.craft.forward_power)

    def _vertical(self, at: At, height_m: float) -> Leg:
        up = height_m > at[2]
        speed_mps = self.craft.climb_mps if up else self.craft.sink_mps
        return Leg((at[0], at[1], height_m), speed_mps, self.craft.climb_power if up else self.craft.sink_power)
