"""The way home: a trail of where the drone flew, and how to follow it back.

The straight line home is tried first, at the present height. Where something stands in it, the drone retraces its own
last leg, which is known to be free, and tries again.
"""

from __future__ import annotations

import math
from typing import Protocol

from sayso.errors import SkillFailed
from sayso.parts import RobotState
from sayso.scene import Pose, wrap

MARGIN_M = 0.35
"""Room to keep between the drone's centre and an obstacle on a line that it has not flown yet."""

NEAR_M = 0.05
TRAIL_MAX = 1000


class Mover(Protocol):
    """The part of a drone that the way home needs."""

    least_move_m: float

    def state(self) -> RobotState: ...
    async def move(self, forward_m: float, left_m: float, up_m: float) -> None: ...
    async def turn(self, angle_rad: float) -> None: ...
    def clearance_m(self, bearing_rad: float = 0.0) -> float: ...


class Trail:
    """Where this mission's motions began and ended, in order; the first one is home."""

    def __init__(self, mover: Mover) -> None:
        self._mover = mover
        self._home: Pose | None = None
        self._marks: list[Pose] = []

    def mark(self) -> None:
        """Remember the present pose. Small hover movements add nothing."""
        here = self._mover.state().pose
        self._home = self._home or here
        if not self._marks or self._marks[-1].distance_m(here) > NEAR_M:
            self._marks.append(here)
            del self._marks[1:-TRAIL_MAX]

    async def fly_home(self) -> None:
        """Raises `SkillFailed` when neither the line home nor the trail can be flown."""
        home = self._home or self._mover.state().pose
        while not self._free(home):
            if not self._marks:
                raise SkillFailed("the way back to the start is blocked")
            await self._fly_to(self._marks.pop())
        here = self._mover.state().pose
        await self._fly_to(Pose(home.x_m, home.y_m, here.z_m))
        await self._fly_to(home)
        turn_rad = wrap(home.yaw_rad - self._mover.state().pose.yaw_rad)
        if abs(turn_rad) > math.radians(2):
            await self._mover.turn(turn_rad)
        self._marks = [home]

    def _free(self, goal: Pose) -> bool:
        """Whether the level line to above, below or at `goal` is clear."""
        here = self._mover.state().pose
        ahead_m = math.hypot(goal.x_m - here.x_m, goal.y_m - here.y_m)
        return ahead_m < MARGIN_M or self._mover.clearance_m(here.bearing_rad(goal)) > ahead_m + MARGIN_M

    async def _fly_to(self, goal: Pose) -> None:
        """Straight to `goal` without turning."""
        here = self._mover.state().pose
        dx, dy, dz = goal.x_m - here.x_m, goal.y_m - here.y_m, goal.z_m - here.z_m
        if math.hypot(dx, dy, dz) < max(NEAR_M, self._mover.least_move_m):
            return
        c, s = math.cos(here.yaw_rad), math.sin(here.yaw_rad)
        await self._mover.move(c * dx + s * dy, c * dy - s * dx, dz)
