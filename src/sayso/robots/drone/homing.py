"""The skill of flying home along the trail.

Home is where the robot was when it was first asked for something. Who has left the place where a wish began comes back
there instead: "go to the chair and come back" is about that wish alone.

The straight line home is tried first, at the present height. Where something stands in it, the drone retraces its own
last leg, which is known to be free, and tries again.
"""

import math

from sayso.errors import SkillFailed
from sayso.goals.evidence import GROUND_M, HOME_M
from sayso.robots.drone.flyer import Flyer
from sayso.scene import Pose, wrap

MARGIN_M = 0.35
"""Room to keep between the drone's centre and an obstacle on a line that it has not flown yet."""

NEAR_M = 0.05
TURN_RAD = math.radians(2)
TRAIL_MAX = 1000

TAKE_OFF_M = 1.0
"""The climb that is assumed for a take-off; the adapter's own may differ a little."""


def aloft(pose: Pose) -> Pose:
    """Where a drone at `pose` starts its motion: a landed one climbs first."""
    return pose if pose.z_m >= GROUND_M else pose.moved(up_m=TAKE_OFF_M)


class Trail:
    """The way home in one mission. `marks` are where motions began and ended, in order and for as long as the robot is
    open; the first one is home."""

    def __init__(self, flyer: Flyer, marks: list[Pose]) -> None:
        self.flyer = flyer
        self._marks = marks
        self._began: Pose | None = None
        self._goal: Pose | None = None

    def mark(self) -> None:
        """Remember the present pose. Small hover movements add nothing, and who comes by again forgets the loop."""
        here = self.flyer.state().pose
        self._began = self._began or here
        known = next((n for n, mark in enumerate(self._marks) if mark.distance_m(here) <= NEAR_M), None)
        if known is None:
            self._marks.append(here)
            del self._marks[1:-TRAIL_MAX]
        else:
            del self._marks[known + 1 :]

    async def move(self, forward_m: float, left_m: float, up_m: float) -> None:
        """As the drone does, with a mark at its end."""
        try:
            await self.flyer.move(forward_m, left_m, up_m)
        finally:
            self.mark()

    @property
    def goal(self) -> Pose:
        """Where the way back leads, for all of this mission: home, or where it began for who has left that."""
        if self._goal is None:
            here = self.flyer.state().pose
            left = self._began is not None and self._began.distance_m(here) > HOME_M
            home = self._began if left else self._marks[0] if self._marks else here
            self._goal = aloft(home or here)
        return self._goal

    def there(self, *, flying: bool) -> bool:
        """Whether there is no way to go and nothing to turn; who stands on the ground there is there."""
        here = self.flyer.state().pose
        off_m = math.hypot(self.goal.x_m - here.x_m, self.goal.y_m - here.y_m, flying * (self.goal.z_m - here.z_m))
        return off_m < max(NEAR_M, self.flyer.least_move_m) and abs(wrap(self.goal.yaw_rad - here.yaw_rad)) <= TURN_RAD

    async def fly_home(self) -> None:
        """Raises `SkillFailed` when neither the line home nor the trail can be flown."""
        home = self.goal
        for mark in reversed(self._marks):
            if self._free(home):
                break
            await self._fly_to(aloft(mark))
        if not self._free(home):
            raise SkillFailed("the way back to the start is blocked")
        here = self.flyer.state().pose
        await self._fly_to(Pose(home.x_m, home.y_m, here.z_m))
        await self._fly_to(home)
        turn_rad = wrap(home.yaw_rad - self.flyer.state().pose.yaw_rad)
        if abs(turn_rad) > TURN_RAD:
            await self.flyer.turn(turn_rad)
        self.mark()

    def _free(self, goal: Pose) -> bool:
        """Whether the level line to above, below or at `goal` is clear."""
        here = self.flyer.state().pose
        ahead_m = goal.level_m(here)
        if self.flyer.limits.path_refusal((here, Pose(goal.x_m, goal.y_m, here.z_m))):
            return False
        return ahead_m < MARGIN_M or self.flyer.clearance_m(here.bearing_rad(goal)) > ahead_m + MARGIN_M

    async def _fly_to(self, goal: Pose) -> None:
        """Straight to `goal` without turning."""
        here = self.flyer.state().pose
        if here.distance_m(goal) < max(NEAR_M, self.flyer.least_move_m):
            return
        way = goal.seen_from(here)
        await self.flyer.move(way.x_m, way.y_m, way.z_m)
