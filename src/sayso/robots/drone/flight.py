"""How a drone moves: the skills that every flying robot shares, over the few motions that its adapter gives.

An adapter promises the four motions of `Flyer` and tells where it is. Everything that a plan may rely on beyond them
lives here: a landed drone takes off first and says so, a motion that changes the view too much asks for a new plan,
and the trail of where it flew leads home.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Annotated, TypeAlias

from sayso.errors import ReplanWanted
from sayso.parts import Perception
from sayso.robots.drone.approach import Approach, Recall
from sayso.robots.drone.circling import Circling
from sayso.robots.drone.flyer import Flyer
from sayso.robots.drone.homing import NEAR_M, Trail, aloft
from sayso.scene import Pose
from sayso.skill import PathLaw, Range, ThingName, skill

Tell: TypeAlias = Callable[[str], None]
"""How a skill says something to the person: the text becomes a `Said` event."""

Distance: TypeAlias = Annotated[float, Range(1, 500)]
Angle: TypeAlias = Annotated[float, Range(1, 360)]


REPLAN_TURN_DEG, REPLAN_MOVE_CM = 180.0, 1000.0
"""A larger turn or move than these ends with a wish for a new plan."""


def _along(forward: float = 0.0, left: float = 0.0, up: float = 0.0) -> PathLaw:
    """The path of a straight move whose one argument is the distance in centimetres."""

    def law(pose: Pose, distance_cm: float) -> list[Pose]:
        start, m = aloft(pose), distance_cm / 100
        return [start, start.moved(forward * m, left * m, up * m)]

    return law


def _to_height(pose: Pose, height_cm: float) -> list[Pose]:
    start = aloft(pose)
    return [start, start.moved(up_m=height_cm / 100 - start.z_m)]


def _on_the_spot(left: float) -> PathLaw:
    """The path of a turn whose one argument is the angle in degrees."""

    def law(pose: Pose, angle_deg: float) -> list[Pose]:
        start = aloft(pose)
        return [start, start.moved(turn_rad=left * math.radians(angle_deg))]

    return law


def _climb(pose: Pose) -> list[Pose]:
    return [aloft(pose)]


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

    @skill(uses="base", short="to", path=_climb, again=True, means="airborne")
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

    @skill(uses="base", short="mf", path=_along(forward=1), means="moved(forward, {distance_cm} cm)")
    async def move_forward(self, distance_cm: Distance) -> None:
        """Move forward by a distance."""
        await self._move(distance_cm, forward=1)

    @skill(uses="base", short="mb", path=_along(forward=-1), means="moved(back, {distance_cm} cm)")
    async def move_backward(self, distance_cm: Distance) -> None:
        """Move backward by a distance."""
        await self._move(distance_cm, forward=-1)

    @skill(uses="base", short="ml", path=_along(left=1), means="moved(left, {distance_cm} cm)")
    async def move_left(self, distance_cm: Distance) -> None:
        """Move left by a distance, without turning."""
        await self._move(distance_cm, left=1)

    @skill(uses="base", short="mr", path=_along(left=-1), means="moved(right, {distance_cm} cm)")
    async def move_right(self, distance_cm: Distance) -> None:
        """Move right by a distance, without turning."""
        await self._move(distance_cm, left=-1)

    @skill(uses="base", short="mu", path=_along(up=1), means="moved(up, {distance_cm} cm)")
    async def move_up(self, distance_cm: Distance) -> None:
        """Move up by a distance."""
        await self._move(distance_cm, up=1)

    @skill(uses="base", short="md", path=_along(up=-1), means="moved(down, {distance_cm} cm)")
    async def move_down(self, distance_cm: Distance) -> None:
        """Move down by a distance."""
        await self._move(distance_cm, up=-1)

    @skill(uses="base", short="fa", path=_to_height, again=True, means="height({height_cm} cm)")
    async def fly_at(self, height_cm: Annotated[float, Range(10, 50000)]) -> None:
        """Rise or sink to a height above the floor."""
        await self.get_aloft()
        up_m = height_cm / 100 - self._flyer.state().pose.z_m
        if abs(up_m) >= max(NEAR_M, self._flyer.least_move_m):
            await self._trail.move(0.0, 0.0, up_m)

    @skill(uses="base", short="tc", path=_on_the_spot(left=-1), means="turned(right, {angle_deg} deg)")
    async def turn_cw(self, angle_deg: Angle) -> None:
        """Turn clockwise (to the right) on the spot."""
        await self._turn(-angle_deg)

    @skill(uses="base", short="tu", path=_on_the_spot(left=1), means="turned(left, {angle_deg} deg)")
    async def turn_ccw(self, angle_deg: Angle) -> None:
        """Turn counter-clockwise (to the left) on the spot."""
        await self._turn(angle_deg)

    @skill(uses="base", short="d", means="waited({duration_s} s)")
    async def delay(self, duration_s: Annotated[float, Range(0, 60)]) -> None:
        """Stay where you are for a while."""
        await asyncio.sleep(duration_s)

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
            self._tell("I am on the ground, so I take off first.")
            await self._flyer.take_off()
        here = self._flyer.state().pose
        limits = self._flyer.limits
        if not limits.altitude_min_m <= here.z_m <= limits.altitude_max_m:
            await self._flyer.move(0.0, 0.0, limits.risen(here).z_m - here.z_m)
        self._trail.mark()

    async def _move(self, distance_cm: float, forward: float = 0.0, left: float = 0.0, up: float = 0.0) -> None:
        await self.get_aloft()
        m = distance_cm / 100
        await self._trail.move(forward * m, left * m, up * m)
        if distance_cm > REPLAN_MOVE_CM:
            raise ReplanWanted(f"the drone moved {distance_cm:g} cm, so it sees another part of the place")

    async def _turn(self, angle_deg: float) -> None:
        await self.get_aloft()
        await self._flyer.turn(math.radians(angle_deg))
        if abs(angle_deg) > REPLAN_TURN_DEG:
            raise ReplanWanted(f"the drone turned by {abs(angle_deg):g} degrees, so the view has changed")
