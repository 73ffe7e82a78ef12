"""The range of an aircraft: how far its charge and the wish's bounds let it go, with the way home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sayso.robots.aircraft.search.craft import LEVELS_M, At, Charts, Course
from sayso.robots.aircraft.search.outlook import level_of
from sayso.robots.aircraft.search.team import Seat
from sayso.robots.aircraft.search.terrain import Terrain
from sayso.robots.aircraft.search.wish import Bounds
from sayso.robots.aircraft.search_state import SearchState
from sayso.roles import Brief

LOW_M = 5.0
"""Below this height above the ground it stands."""

HOVER_S = 10.0
CLIMB = 0.015
"""Charge to change the level."""

NEARLY, NEARLY_MAX = 0.06, 8
"""What the safe estimate of a sweep's charge may miss by, and of how many such areas the exact course is asked."""

SPARE_S = 30.0
"""What a decision, a gust and the landing may take beyond what was computed."""

THOUGHT = 0.003
"""Charge that hovering for a decision takes before its course begins."""


@dataclass(frozen=True, slots=True)
class Flight:
    """How the aircraft is: its place with height above the ground, its charge, and the time of its world."""

    at: At
    charge: float
    now_s: float = 0.0

    @classmethod
    def told(cls, brief: Brief, terrain: Terrain) -> Flight:
        """Where the aircraft is by the scene, and its charge as its gauge shows it, in whole percents."""
        pose = brief.scene.observer
        above_m = pose.z_m + terrain.height_m(*terrain.home) - terrain.height_m(pose.x_m, pose.y_m)
        charge = round(brief.seen.state.charge, 2) if brief.seen.state else 1.0
        return cls((pose.x_m, pose.y_m, above_m), charge, brief.scene.seen_s)


class Reach:
    """The range of one aircraft. Whoever flies says where it is by now (`goes_on`), and when the wish was said that
    bounds it (`since_s`)."""

    def __init__(self, charts: Charts, hunt: SearchState, seat: Seat) -> None:
        self._charts, self._hunt, self._seat = charts, hunt, seat
        self.flight = Flight((*charts.terrain.home, 0.0), 1.0)
        self.since_s = 0.0
        self._least = 0.0
        self._areas: list[str] | None = None

    def goes_on(self, flight: Flight, least: float) -> None:
        """`least` is the charge that the robot's own limits keep."""
        self.flight, self._least, self._areas = flight, least, None

    @property
    def flying(self) -> bool:
        return self.flight.at[2] > LOW_M

    @property
    def level(self) -> int:
        return level_of(self.flight.at[2])

    @property
    def bounds(self) -> Bounds:
        return self._hunt.wish.bounds if self._hunt.wish else Bounds()

    def areas(self) -> list[str]:
        """Areas after whose sweep from this height there is enough left to fly home."""
        if not self._hunt.hunted:
            return []
        if self._areas is None:
            spared = self._hunt.hunted[0].surveys.spared(self.flight.at, self.flight.charge, self.level)
            left = dict(zip(self._hunt.areas, (spared - self._reserve).tolist(), strict=True))
            nearly = self._nearly([a for a, more in left.items() if -NEARLY <= more < 0])
            self._areas = [a for a, more in left.items() if more >= 0 or a in nearly]
        return self._areas

    def _nearly(self, areas: Sequence[str]) -> set[str]:
        """Of areas that the estimate puts a little too far, the likeliest ones that can be flown after all."""
        if not areas or not self.flying:
            return set()
        found = self._hunt.finds(self.level)
        likely = sorted(areas, key=lambda a: -found[a])[:NEARLY_MAX]
        return {a for a in likely if self._spares(self._charts.search(self.flight.at, a), THOUGHT)}

    def free(self) -> list[str]:
        """Of these, the ones that are not to be left out and that no other aircraft holds."""
        hunt, due = self._hunt, self._hunt.due
        free = [
            a for a in self.areas() if a not in hunt.left_out and self._seat.may_search(a) and (a in due or not due)
        ]
        if self.bounds.within_s is not None or self._charts.off.any():
            free = [a for a in free if self._allowed(self._charts.search(self.flight.at, a))]
        return [a for a in free if a in hunt.kept_to] or free  # its parts, where an area is too far as a whole

    def _allowed(self, course: Course) -> bool:
        """Whether a course leaves time for the way home, and there is a way that keeps to what may be flown over."""
        return self._in_time(course) and not self._charts.crosses(course, self.flight.at)

    def _in_time(self, course: Course) -> bool:
        """Whether it is home, after this course, before the time is over that the wish sets."""
        if self.bounds.within_s is None or not self.flying:
            return True
        there = self._charts.cost(course, self.flight.at)
        back = self._charts.cost(self._charts.home(there.end), there.end)
        spent_s = self.flight.now_s - self.since_s + SPARE_S
        return spent_s + there.seconds + back.seconds <= self.bounds.within_s

    @property
    def late(self) -> bool:
        """Whether there is no time left but for the way home."""
        return not self._in_time(self._charts.hover(self.flight.at, HOVER_S))

    def hovers(self, seconds: float) -> bool:
        """Whether it can stay here for so long."""
        return self._spares(self._charts.hover(self.flight.at, seconds))

    def _spares(self, course: Course, more: float = 0.0) -> bool:
        """Whether the reserve is left at home after a course, and this much more."""
        left = self._charts.left_at_home(self.flight.charge, self.flight.at, course)
        return left >= self._reserve + more

    @property
    def _reserve(self) -> float:
        return max(self._charts.craft.reserve, self._least, self.bounds.reserve or 0.0)

    def levels(self, up: bool) -> list[int]:
        """Levels above or below from which a sweep of some area is within reach."""
        x, y, _ = self.flight.at
        charge, surveys = self.flight.charge - CLIMB, self._hunt.hunted[0].surveys
        fit = [LEVELS_M.index(m) for m in self.bounds.levels(LEVELS_M)]
        others = [n for n in fit if (n > self.level if up else n < self.level)]
        return [n for n in others if max(surveys.spared((x, y, LEVELS_M[n]), charge, n)) >= self._reserve]
