"""The simulated aircraft: it flies courses leg by leg, analytically, and its battery drains by what it does.

There is no control loop to simulate: between the ends of a leg the aircraft is on the line, at the time that ground
speed, steady wind and this leg's gust give. So a mission of half an hour costs milliseconds, and the same however time
is cut into pieces.
"""

import math
import random
from collections import deque
from collections.abc import Callable

from sayso.robots.aircraft.search.craft import At, Charts, Course, Leg
from sayso.robots.aircraft.search.sweep import Look
from sayso.scene import wrap

Expose = Callable[[Look, float, float], bool]
"""(the course's look, metres or share of it done, when) -> whether something was sighted that ends the look."""

MARK_CELLS = 2
"""A sweeping camera reports each time it has passed so many cells."""


class Airframe:
    """Where the aircraft is, its charge and what it flies. `expose` is the camera, called as the flight goes on."""

    def __init__(self, charts: Charts, seed: int, expose: Expose) -> None:
        self.charts = charts
        self.at: At = (*charts.terrain.home, 0.0)
        self.yaw_rad = math.pi / 2
        self.charge = 1.0
        self.now_s = 0.0
        self.fell = False
        self.course: Course | None = None
        self._chance = random.Random(seed)
        self._expose = expose
        self._legs: deque[Leg] = deque()
        self._from: At = self.at
        self._from_rad = self.yaw_rad
        self._leg_s = self._gone_s = 0.0
        self._swept_m = self._marked = 0.0

    @property
    def flying(self) -> bool:
        return self.at[2] > 0.05 and not self.fell

    @property
    def speed_mps(self) -> float:
        """Over the ground."""
        if not self._legs or self._legs[0].wait_s or self._leg_s <= 0:
            return 0.0
        return math.dist(self._from, self._legs[0].to) / self._leg_s

    @property
    def event_s(self) -> float:
        """When the camera is due or the present leg is over; inf while nothing is flown."""
        return self.now_s + self._marked * self._leg_s - self._gone_s if self._legs else math.inf

    def fly(self, course: Course) -> None:
        """Begin a course here; what was flown before is over."""
        self.drop()
        if self.fell or not course.legs:
            return
        self.course, self._legs, self._swept_m = course, deque(course.legs), 0.0
        self._begin_leg()

    def drop(self) -> None:
        """Give the course up and hover here."""
        self.course = None
        self._legs.clear()

    def advance(self, until_s: float) -> None:
        """Fly on until then, at most to the next event."""
        step_s = max(0.0, min(until_s, self.event_s) - self.now_s)
        leg = self._legs[0] if self._legs else None
        self._drain(step_s, leg)
        self.now_s += step_s
        if leg is None or self.fell:
            return
        self._gone_s += step_s
        due = self._gone_s >= self._marked * self._leg_s - 1e-9
        share = self._marked if due else self._gone_s / self._leg_s
        self.at = _between(self._from, leg.to, share)
        self.yaw_rad = wrap(self._from_rad + share * (leg.turn_rad or 0.0))
        if not due:
            return
        if self._watch(leg):
            self.drop()
        elif share >= 1.0:
            self._end_leg(leg)
        else:
            self._marked = self._next_mark(leg)

    def _watch(self, leg: Leg) -> bool:
        """Run the camera where this leg is made for it."""
        assert self.course is not None
        look = self.course.look
        if look is None:
            return False
        if leg.sweeps:
            return self._expose(look, self._swept_m + self._marked * math.dist(self._from, leg.to), self.now_s)
        if leg.wait_s and look.how == "stare":
            return self._expose(look, self._marked, self.now_s)
        return False

    def _next_mark(self, leg: Leg) -> float:
        """The share of the leg at which the camera is due next; always at the same places, however time is cut."""
        if not leg.sweeps:
            return 1.0
        step = MARK_CELLS * self.charts.terrain.cell_m / max(math.dist(self._from, leg.to), 1e-9)
        return min(1.0, self._marked + step)

    def _begin_leg(self) -> None:
        leg = self._legs[0]
        self._from, self._gone_s = self.at, 0.0
        spread = 0.0 if leg.wait_s else self.charts.craft.gust
        self._leg_s = self.charts.leg_s(leg, self.at) * (1 + self._chance.uniform(-spread, spread))
        self._marked = 0.0
        self._watch(leg)
        self._marked = self._next_mark(leg)
        dx, dy = leg.to[0] - self.at[0], leg.to[1] - self.at[1]
        if leg.turn_rad is None and math.hypot(dx, dy) > 0.5:
            self.yaw_rad = math.atan2(dy, dx)
        self._from_rad = self.yaw_rad

    def _end_leg(self, leg: Leg) -> None:
        if leg.sweeps:
            self._swept_m += math.dist(self._from, leg.to)
        self._legs.popleft()
        if self._legs:
            self._begin_leg()
        else:
            self.course = None

    def _drain(self, seconds: float, leg: Leg | None) -> None:
        craft = self.charts.craft
        power = leg.power if leg else 1.0 if self.flying else craft.idle_power
        self.charge -= seconds * power / craft.endurance_s
        if self.charge <= 0.0:
            self.charge = 0.0
            if self.flying:
                self.fell = True
                self.at = (self.at[0], self.at[1], 0.0)
                self.drop()


def _between(a: At, b: At, share: float) -> At:
    if share >= 1.0:
        return b
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share
