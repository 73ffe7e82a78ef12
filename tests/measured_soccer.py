"""The soccer world, with how far everything of its robot ever moved, for tests that hold it to that."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from sayso.robots.humanoid.world.body import JOINTS, PREFIX, Posture
from sayso.robots.humanoid.world.motion import Motion
from sayso.robots.humanoid.world.pitch import TICK_S, Soccer
from sayso.scene import wrap

SWAY_M = 0.05  # hips swing from foot to foot
BALANCE_RADPS = 0.2  # slower, legs only balance
CYCLE_S = 0.64  # two steps, in which they come back: speeds are means over so long
LIMBS = {"head": JOINTS[0:2], "left_arm": JOINTS[2:5], "right_arm": JOINTS[5:8], "legs": JOINTS[8:20]}


@dataclass(slots=True)
class Measured:
    """Since the world began; where a push or a fall took the robot counts in no speed and no way.

    `zone_excess_m` is how far it went out of its limits' zone by itself: any step further than it was thrown.
    """

    limb_travel_rad: dict[str, float] = field(default_factory=lambda: dict.fromkeys(LIMBS, 0.0))
    head_pan_range_rad: tuple[float, float] = (math.inf, -math.inf)
    walked_m: float = 0.0
    turned_rad: float = 0.0
    speed_max_mps: float = 0.0
    turn_max_radps: float = 0.0
    tilt_max_rad: float = 0.0
    zone_excess_m: float = 0.0


class MeasuredSoccer(Soccer):
    """`measured` is brought up to date once a servo tick."""

    def __init__(self, **setup: Any) -> None:
        super().__init__(**setup)
        self.measured = Measured()
        self._before = self._body.motion()
        self._gone = deque[tuple[float, float, float]](maxlen=round(CYCLE_S / TICK_S))
        self._thrown_out_m = 0.0

    def step(self) -> None:
        super().step()
        now = self._body.motion()
        self._measure_way(now)
        self._measure_limbs()
        self._before = now

    def _measure_way(self, now: Motion) -> None:
        measured, referee, zone = self.measured, self._referee, self.robot.limits.zone
        measured.tilt_max_rad = max(measured.tilt_max_rad, now.tilt_rad)
        x, y, _ = now.at
        excess_m = max(0.0, zone.x_min_m - x, x - zone.x_max_m, zone.y_min_m - y, y - zone.y_max_m)
        if self.time_s < referee._disturbed_until_s:
            self._thrown_out_m = excess_m
            self._gone.clear()
            return
        self._thrown_out_m = min(self._thrown_out_m, excess_m)
        measured.walked_m += math.dist(now.at[:2], self._before.at[:2])
        measured.turned_rad += wrap(now.yaw_rad - self._before.yaw_rad)
        self._gone.append((x, y, measured.turned_rad))
        if len(self._gone) == self._gone.maxlen:
            from_x, from_y, from_rad = self._gone[0]
            measured.speed_max_mps = max(measured.speed_max_mps, math.hypot(x - from_x, y - from_y) / CYCLE_S)
            measured.turn_max_radps = max(measured.turn_max_radps, abs(measured.turned_rad - from_rad) / CYCLE_S)
        measured.zone_excess_m = max(measured.zone_excess_m, excess_m - self._thrown_out_m - SWAY_M)

    def _measure_limbs(self) -> None:
        if self._body.posture is Posture.UP:
            for limb, joints in LIMBS.items():
                rates = [abs(float(self.data.joint(PREFIX + joint).qvel[0])) for joint in joints]
                self.measured.limb_travel_rad[limb] += TICK_S * sum(rate for rate in rates if rate > BALANCE_RADPS)
        pan_rad = self._body.joints()[0]
        low, high = self.measured.head_pan_range_rad
        self.measured.head_pan_range_rad = (min(low, pan_rad), max(high, pan_rad))
