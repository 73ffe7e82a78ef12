"""Going round a thing: to its far side, or once about it, always looking at it.

The way is a polygon about the thing. Each corner may lie a little further out or in, where something stands in the way
or the fence is near; a side is flown only where it is known to be free.
"""

from __future__ import annotations

import math

from sayso.errors import SkillFailed
from sayso.robots.drone.approach import MARGIN_M, STANDOFF_M, Approach
from sayso.robots.drone.homing import Trail
from sayso.scene import Pose, Thing, plain

CORNERS = 12
DRIFT_M = 0.15
"""How far a drone may swing past where it is sent: a corner is no nearer to the fence."""

OUTWARDS_M = (0.0, 0.3, -0.2, 0.6, 1.0)
"""How much further out a corner may lie, in the order in which that is tried."""


class Circling:
    """`circle` and `go_behind` for one drone."""

    def __init__(self, trail: Trail, approach: Approach) -> None:
        self._trail, self._mover, self._approach = trail, trail.flyer, approach

    async def circle(self, name: str) -> None:
        """Once about it. Raises `SkillFailed` with how far it came."""
        ring = await self._near(name)
        done = await self._along(ring, CORNERS, 1)
        if done < CORNERS:
            raise SkillFailed(f"{self._blocked(ring, done)}, so the circle is not closed")

    async def behind(self, name: str) -> None:
        """To its far side, by the left or, where that is blocked, by the right. Raises `SkillFailed`."""
        ring = await self._near(name)
        done = await self._along(ring, CORNERS // 2, 1)
        if done < CORNERS // 2:
            back = await self._along(ring, done + CORNERS // 2, -1)
            if back < done + CORNERS // 2:
                raise SkillFailed(f"{self._blocked(ring, max(done, back - done))} on either side")

    async def _near(self, name: str) -> Ring:
        """Go up to it, as close as `goto` does; the ring to follow from there."""
        thing = await self._approach.to(name)
        if thing.pose is None:
            raise SkillFailed(f"it is not known where the {plain(thing.label)} stands, so there is no way round it")
        here = self._mover.state().pose
        level_m = thing.pose.level_m(here)
        begin_rad = math.atan2(here.y_m - thing.pose.y_m, here.x_m - thing.pose.x_m)
        return Ring(thing, thing.pose, max(level_m, STANDOFF_M), begin_rad)

    async def _along(self, ring: Ring, corners: int, side: int) -> int:
        """Follow the ring by so many corners, side 1 to the left of the thing; how many were reached."""
        for done in range(corners):
            goal = next((g for out_m in OUTWARDS_M if self._free(g := ring.corner(side, out_m))), None)
            if goal is None:
                return done
            await self._fly(goal, ring)
            ring.at_rad += side * 2 * math.pi / CORNERS
        return corners

    def _free(self, goal: Pose) -> bool:
        """Whether the straight way to there is clear and allowed."""
        here = self._mover.state().pose
        goal = Pose(goal.x_m, goal.y_m, here.z_m)
        room_m = here.distance_m(goal) + MARGIN_M
        off = ((0.0, 0.0), (DRIFT_M, 0.0), (-DRIFT_M, 0.0), (0.0, DRIFT_M), (0.0, -DRIFT_M))
        around = (Pose(goal.x_m + dx, goal.y_m + dy, goal.z_m) for dx, dy in off)
        allowed = not any(self._mover.limits.pose_refusal(p) for p in around)
        return allowed and self._mover.clearance_m(here.bearing_rad(goal)) > room_m

    async def _fly(self, goal: Pose, ring: Ring) -> None:
        way = goal.seen_from(self._mover.state().pose)
        await self._trail.move(way.x_m, way.y_m, 0.0)
        await self._mover.turn(self._mover.state().pose.bearing_rad(ring.centre))

    def _blocked(self, ring: Ring, done: int) -> str:
        return f"the way round the {plain(ring.thing.label)} is blocked after {done * 360 // CORNERS} degrees"


class Ring:
    """A circle about a thing, and where on it the drone is: the direction from the thing, counter-clockwise."""

    def __init__(self, thing: Thing, centre: Pose, radius_m: float, at_rad: float) -> None:
        self.thing, self.centre, self.radius_m, self.at_rad = thing, centre, radius_m, at_rad

    def corner(self, side: int, outwards_m: float) -> Pose:
        """The next corner on that side."""
        angle, far_m = self.at_rad + side * 2 * math.pi / CORNERS, self.radius_m + outwards_m
        return Pose(self.centre.x_m + far_m * math.cos(angle), self.centre.y_m + far_m * math.sin(angle))
