"""The limits: bounds on place, speed, battery, time and cost that no planner, prompt or label can lift.

Everything here is a pure question with a typed answer; the executive asks before a skill starts and the robot's
governor asks while it moves. Only a person who constructs other `Limits` changes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from sayso.errors import SkillFailed
from sayso.scene import Pose
from sayso.task import Refused

REST_MPS = 0.1
"""A robot slower than this may be swaying or held against the wind; it counts as at rest."""


SWAY_M = 0.05
"""So far from a bound of its height a robot stays where it may choose, since it sways."""


EVERYTHING = "everything"
"""A name for whatever there is."""
SWAYED = 0.95
"""Such a share of the most that it may a robot moves at."""


class LimitReached(SkillFailed):
    """Raised by whatever moves a robot when a limit would be broken on the way; becomes that `Refused` outcome."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.reason)
        self.refused = refused


@dataclass(frozen=True, slots=True)
class Zone:
    """An upright box in the world frame, in metres, that the robot's centre must not leave."""

    x_min_m: float = -math.inf
    x_max_m: float = math.inf
    y_min_m: float = -math.inf
    y_max_m: float = math.inf

    def __str__(self) -> str:
        return f"x {self.x_min_m:g}..{self.x_max_m:g} m, y {self.y_min_m:g}..{self.y_max_m:g} m"

    def holds(self, pose: Pose) -> bool:
        return self.x_min_m <= pose.x_m <= self.x_max_m and self.y_min_m <= pose.y_m <= self.y_max_m

    def within(self, other: Zone) -> Zone:
        """The zone where both allow."""
        low_x_m, low_y_m = max(self.x_min_m, other.x_min_m), max(self.y_min_m, other.y_min_m)
        return Zone(low_x_m, min(self.x_max_m, other.x_max_m), low_y_m, min(self.y_max_m, other.y_max_m))

    def shrunk(self, margin_m: float) -> Zone:
        return Zone(self.x_min_m + margin_m, self.x_max_m - margin_m, self.y_min_m + margin_m, self.y_max_m - margin_m)


class Bound(Protocol):
    """A bound that a person's wish adds to the limits for its own mission: a ceiling, ground to keep off."""

    def beyond_m(self, pose: Pose) -> float:
        """The distance of `pose` from what is allowed; 0 inside."""

    def refusal(self, pose: Pose) -> Refused | None:
        """The refusal of standing at `pose`, or None."""


class Area(Protocol):
    """A piece of the floor: what a thing stands on, a room."""

    @property
    def id(self) -> str: ...

    def gap_m(self, pose: Pose) -> float:
        """How far it is from its edge; negative inside."""


@dataclass(frozen=True, eq=False)
class Apart:
    """The bound to stay at least `metres` away from any of the areas that are known by now; with 0 m, not over them."""

    of: str
    metres: float
    areas: Callable[[], Sequence[Area]]

    def beyond_m(self, pose: Pose) -> float:
        return max(0.0, max((self.metres - area.gap_m(pose) for area in self.areas()), default=0.0))

    def refusal(self, pose: Pose) -> Refused | None:
        beyond_m = self.beyond_m(pose)
        if not beyond_m:
            return None
        if not self.metres:
            return Refused("keep off", f"over {self.of}", f"not over {self.of}")
        near_m = max(0.0, self.metres - beyond_m)
        return Refused(f"distance to {self.of}", f"{near_m:.2f} m", f"at least {self.metres:g} m")


@dataclass(frozen=True, slots=True)
class Stay:
    """The bound to stay within `metres` of a place, on the floor."""

    at: Pose
    metres: float

    def beyond_m(self, pose: Pose) -> float:
        return max(0.0, self.at.level_m(pose) - self.metres)

    def refusal(self, pose: Pose) -> Refused | None:
        if not self.beyond_m(pose):
            return None
        return Refused("staying here", f"{self.at.level_m(pose):.2f} m away", f"within {self.metres:g} m")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a robot must never exceed. Metres, seconds, metres per second; battery as a fraction of full.

    The model's budget (calls, tokens read and written, cost at the prices given here) is a mission's. `bounds` are a
    wish's own, on top of all that: they take away and never give; `untouched` is what it wants left alone, by name,
    `EVERYTHING` for all of it.
    """

    zone: Zone = Zone()
    altitude_min_m: float = -math.inf
    altitude_max_m: float = math.inf
    speed_max_mps: float = math.inf
    obstacle_min_m: float = 0.0
    battery_reserve: float = 0.0
    link_lost_s: float = 2.0
    mission_max_s: float = 600.0
    model_calls_max: int = 40
    tokens_max: int = 500_000
    cost_max_usd: float = math.inf
    usd_per_mtoken_in: float = 0.0
    usd_per_mtoken_out: float = 0.0
    bounds: tuple[Bound, ...] = ()
    untouched: tuple[str, ...] = ()

    def within(self, other: Limits) -> Limits:
        """The limits where both allow; the model's budget stays."""
        return replace(
            self,
            zone=self.zone.within(other.zone),
            altitude_min_m=max(self.altitude_min_m, other.altitude_min_m),
            altitude_max_m=min(self.altitude_max_m, other.altitude_max_m),
            speed_max_mps=min(self.speed_max_mps, other.speed_max_mps),
            obstacle_min_m=max(self.obstacle_min_m, other.obstacle_min_m),
            battery_reserve=max(self.battery_reserve, other.battery_reserve),
            mission_max_s=min(self.mission_max_s, other.mission_max_s),
            bounds=(*self.bounds, *other.bounds),
            untouched=(*self.untouched, *other.untouched),
        )

    def apart_m(self, thing: str) -> float:
        """The distance that a wish wants kept from the thing of this id; 0 where it says nothing of it."""
        apart = (b for b in self.bounds if isinstance(b, Apart))
        return max((b.metres for b in apart if any(a.id == thing for a in b.areas())), default=0.0)

    def pace_mps(self, usual_mps: float) -> float:
        """The speed of a robot's motions: the usual one, or as slow as its limit; gusts come on top."""
        return min(usual_mps, SWAYED * self.speed_max_mps)

    @property
    def heights(self) -> tuple[float, float]:
        """The least and the greatest altitude."""
        return self.altitude_min_m, self.altitude_max_m

    def risen(self, pose: Pose) -> Pose:
        """The same pose, no lower and no higher than is allowed."""
        return replace(pose, z_m=max(min(pose.z_m, self.altitude_max_m - SWAY_M), self.altitude_min_m + SWAY_M))

    def pose_refusal(self, pose: Pose) -> Refused | None:
        """The limit that standing at `pose` would break, or None."""
        if not all(map(math.isfinite, (pose.x_m, pose.y_m, pose.z_m, pose.yaw_rad))):
            return Refused("pose", "a position that is not a number", "finite")
        if pose.z_m > self.altitude_max_m:
            return Refused("altitude", f"{pose.z_m:.2f} m", f"at most {self.altitude_max_m:g} m")
        if pose.z_m < self.altitude_min_m:
            return Refused("altitude", f"{pose.z_m:.2f} m", f"at least {self.altitude_min_m:g} m")
        if not self.zone.holds(pose):
            return Refused("geofence", f"x {pose.x_m:.2f} m, y {pose.y_m:.2f} m", str(self.zone))
        return next((refused for bound in self.bounds if (refused := bound.refusal(pose))), None)

    def beyond_m(self, pose: Pose) -> float:
        """How far `pose` lies outside the zone and the altitudes; 0 inside."""
        zone = self.zone
        return max(
            0.0,
            zone.x_min_m - pose.x_m,
            pose.x_m - zone.x_max_m,
            zone.y_min_m - pose.y_m,
            pose.y_m - zone.y_max_m,
            self.altitude_min_m - pose.z_m,
            pose.z_m - self.altitude_max_m,
            *(bound.beyond_m(pose) for bound in self.bounds),
        )

    def speed_refusal(self, speed_mps: float, tolerance: float = 1.25) -> Refused | None:
        """`tolerance` allows a controller its overshoot; it is not for plans to use."""
        if speed_mps <= self.speed_max_mps * tolerance:
            return None
        return Refused("speed", f"{speed_mps:.2f} m/s", f"at most {self.speed_max_mps:g} m/s")

    def path_refusal(self, path: Sequence[Pose]) -> Refused | None:
        """The first limit that moving along `path` would break, or None. The zone is convex, so corners suffice; what a
        wish bounds need not be, and the way out of what it stands in already is open."""
        alone = replace(self, bounds=())
        if refused := next((r for r in map(alone.pose_refusal, path) if r), None):
            return refused
        return next((r for bound in self.bounds if (r := _entered(bound, path))), None)

    def model_refusal(self, calls: int, tokens_in: int, tokens_out: int) -> Refused | None:
        """Whether a mission that has spent so much may ask a model once more."""
        if calls >= self.model_calls_max:
            return Refused("model calls", f"call {calls + 1}", f"at most {self.model_calls_max} a mission")
        if tokens_in + tokens_out >= self.tokens_max:
            return Refused("tokens", f"more than {tokens_in + tokens_out}", f"at most {self.tokens_max} a mission")
        cost_usd = (tokens_in * self.usd_per_mtoken_in + tokens_out * self.usd_per_mtoken_out) / 1e6
        if cost_usd >= self.cost_max_usd:
            return Refused("cost", f"more than ${cost_usd:.4f}", f"at most ${self.cost_max_usd:g} a mission")
        return None

    def battery_refusal(self, charge: float) -> Refused | None:
        """`charge` is a fraction of full."""
        if charge >= self.battery_reserve:
            return None
        return Refused("battery reserve", f"{charge:.0%} left", f"at least {self.battery_reserve:.0%}")


def outset(pose: Pose, limits: Limits, wish: Limits, *, rises: bool) -> Pose:
    """The pose at which a motion from here begins: where a wish bounds its height, who flies comes to such a height
    first. `rises` tells whether it is on the ground and flies."""
    return pose if wish.heights == FREE.heights else limits.risen(pose.moved(up_m=RISE_M if rises else 0.0))


RISE_M = 1.0
"""What flies is taken to rise by so much before its first motion."""


def _entered(bound: Bound, path: Sequence[Pose]) -> Refused | None:
    """Where a way of straight lines leads into what is bounded, or deeper into it."""
    if len(path) == 1:
        return bound.refusal(path[0])
    least_m = bound.beyond_m(path[0]) if path else 0.0
    for here, there in pairwise(path):
        steps = min(STEPS_MAX, math.ceil(here.distance_m(there) / STEP_M))
        for n in range(1, steps + 1):
            at = here.towards(there, n / steps)
            if (beyond_m := bound.beyond_m(at)) > least_m + 1e-6:
                return bound.refusal(at)
            least_m = min(least_m, beyond_m)
    return None


STEP_M, STEPS_MAX = 0.1, 200
"""How finely a way is held against what a wish bounds."""


FREE = Limits(mission_max_s=math.inf)
"""What bounds nothing: the bounds of a wish that says nothing of how."""
