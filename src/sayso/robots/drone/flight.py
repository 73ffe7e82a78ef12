"""The skills of flight that every drone shares: motions, and circling a thing.

An adapter promises the four motions of `Flyer` and tells where it is. Everything that a plan may rely on beyond them
lives here: a landed drone takes off first and says so, a turn that changes the view too much asks for a new plan,
and the trail of where it flew leads home.

Round a thing it flies a polygon, always looking at it. Each corner may lie a little further out or in, where something
stands in the way or the fence is near; a side is flown only where it is known to be free.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, TypeAlias

from sayso.errors import ReplanWanted, SkillFailed
from sayso.goals.evidence import GROUND_M
from sayso.robots.drone.approach import MARGIN_M, STANDOFF_M, Approach, Recall
from sayso.robots.drone.flyer import Flyer
from sayso.robots.drone.homing import NEAR_M, TAKE_OFF_M, Trail, aloft
from sayso.roles import Perception
from sayso.scene import Pose, Thing, plain
from sayso.skill import Range, ThingName, skill
from sayso.skills.motions import moving, turning, waiting
from sayso.task import OBSTRUCTED

Tell: TypeAlias = Callable[[str], None]
"""How a skill says something to the person: the text becomes a `Said` event."""

DISTANCE = Range(1, 500)

REPLAN_TURN_RAD = math.pi
"""A larger turn than this ends with a wish for a new plan."""


def _to_height(pose: Pose, height_cm: float) -> list[Pose]:
    start = aloft(pose)
    return [start, start.moved(up_m=height_cm / 100 - start.z_m)]


class Flight:
    """The motions of one drone in one mission. `marks` are where it was in earlier ones, the first one home."""

    def __init__(
        self,
        flyer: Flyer,
        perception: Perception,
        tell: Tell,
        recall: Recall | None = None,
        marks: list[Pose] | None = None,
    ) -> None:
        self._flyer = flyer
        self._tell = tell
        self._trail = Trail(flyer, [] if marks is None else marks)
        self._approach = Approach(self._trail, perception, recall)
        self._circling = Circling(self._trail, self._approach)

    @skill(uses="base", short="to", path=lambda pose: [aloft(pose)], again=True, means="airborne")
    async def take_off(self) -> None:
        """Take off and hover; does nothing in the air."""
        if not self._flyer.flying:
            await self._flyer.take_off()
        self._trail.mark()

    @skill(uses="base", short="la", again=True, means="landed")
    async def land(self) -> None:
        """Land here; does nothing on the ground."""
        if self._flyer.flying:
            await self._flyer.land()

    move_forward = moving("forward", "Move forward by a distance.", DISTANCE, start=aloft)
    move_backward = moving("back", "Move backward by a distance.", DISTANCE, start=aloft)
    move_left = moving("left", "Move left by a distance, without turning.", DISTANCE, start=aloft)
    move_right = moving("right", "Move right by a distance, without turning.", DISTANCE, start=aloft)
    move_up = moving("up", "Move up by a distance; from the ground it is the height above it.", DISTANCE, start=aloft)
    move_down = moving("down", "Move down by a distance; where that ends on the ground, land.", DISTANCE, start=aloft)

    @skill(uses="base", short="fa", path=_to_height, again=True, means="height({height_cm} cm)")
    async def fly_at(self, height_cm: Annotated[float, Range(10, 50000)]) -> None:
        """Rise or sink to a height above the floor."""
        await self._rise_to(height_cm / 100)

    turn_cw, turn_ccw = turning("right", start=aloft), turning("left", start=aloft)
    delay = waiting("Stay where you are for a while.")

    @skill(uses="base", short="g", again=True, means="at({thing})")
    async def goto(self, thing: ThingName) -> None:
        """Go to a thing in view, to within a metre; fails when it is not in view or the way is blocked."""
        await self.get_aloft()
        await self._approach.to(thing)

    @skill(uses="base", short="gb", means="at({thing})")
    async def go_behind(self, thing: ThingName) -> None:
        """Go round a thing to its far side and face it from there; fails where the way round is blocked."""
        await self.get_aloft()
        await self._circling.behind(thing)

    @skill(uses="base", short="ci", means="visited({thing})")
    async def circle(self, thing: ThingName) -> None:
        """Go once all the way round a thing, facing it; fails where the way round is blocked."""
        await self.get_aloft()
        await self._circling.circle(thing)

    @skill(uses="base", short="rh", again=True, means="home")
    async def return_home(self) -> None:
        """Fly back to where this mission began, facing as it did then; home, where it has not left that."""
        if self._trail.there(flying=self._flyer.flying):
            self._tell("I am back already.")
            return
        await self.get_aloft()
        await self._trail.fly_home()

    async def get_aloft(self) -> None:
        """Take off where the drone stands on the ground, and say so; come to a height at which the wish allows it."""
        if not self._flyer.flying:
            self._tell(f"I am on the ground, so I take off for that, to {TAKE_OFF_M:g} m.")
            await self._flyer.take_off()
        here = self._flyer.state().pose
        limits = self._flyer.limits
        if not limits.altitude_min_m <= here.z_m <= limits.altitude_max_m:
            await self._flyer.move(0.0, 0.0, limits.risen(here).z_m - here.z_m)
        self._trail.mark()

    async def go(self, forward_m: float, left_m: float, up_m: float) -> None:
        if up_m < 0 and not self._flyer.flying:
            raise SkillFailed("I am on the ground and can go no lower")
        if 0 < up_m < GROUND_M and not self._flyer.flying:
            raise SkillFailed(f"I am on the ground and hover no lower than {GROUND_M * 100:g} cm above it")
        if up_m:
            await self._rise_to(self._flyer.state().pose.z_m + up_m)
        else:
            await self.get_aloft()
            await self._trail.move(forward_m, left_m, 0.0)

    async def _rise_to(self, height_m: float) -> None:
        """Up or down to a height above the floor, from the ground too."""
        await self.get_aloft()
        up_m = height_m - self._flyer.state().pose.z_m
        if height_m < GROUND_M and up_m < 0:
            self._tell("That is on the ground, so I land.")
            await self.land()
        elif abs(up_m) >= max(NEAR_M, self._flyer.least_move_m):
            await self._trail.move(0.0, 0.0, up_m)

    async def turn(self, angle_rad: float) -> None:
        await self.get_aloft()
        await self._flyer.turn(angle_rad)
        if abs(angle_rad) > REPLAN_TURN_RAD:
            degrees = math.degrees(abs(angle_rad))
            raise ReplanWanted(f"the drone turned by {degrees:g} degrees, so the view has changed")


CORNERS = 12
DRIFT_M = 0.15
"""How far a drone may swing past where it is sent: a corner is no nearer to the fence."""

OUTWARDS_M = (0.0, 0.3, -0.2, 0.6, 1.0)
"""How much further out a corner may lie, in the order in which that is tried."""


class Circling:
    """The skills `circle` and `go_behind` of one drone."""

    def __init__(self, trail: Trail, approach: Approach) -> None:
        self._trail, self._mover, self._approach = trail, trail.flyer, approach

    async def circle(self, name: str) -> None:
        """Once about it. Raises `SkillFailed` with how far it came."""
        ring = await self._near(name)
        done = await self._along(ring, CORNERS, 1)
        if done < CORNERS:
            raise SkillFailed(f"{self._blocked(ring, done)}, so the circle is not closed", OBSTRUCTED)

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
            way = goal.seen_from(self._mover.state().pose)
            await self._trail.move(way.x_m, way.y_m, 0.0)
            await self._mover.turn(self._mover.state().pose.bearing_rad(ring.centre))
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
