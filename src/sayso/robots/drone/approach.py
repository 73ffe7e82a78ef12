"""The skill of going to a thing: face it, come nearer in steps, look again, stop at its side.

Where it is not in view, or not any more, the way leads to where it was seen last until it comes into view again, and
ends in failure where it turns out not to be there any more. What is in the way is flown round, or over.

The drone climbs before it comes nearer, since tables stand between it and what lies on them, and goes down late, only
as far as it must to keep the thing in the camera's frame.
"""

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from sayso.errors import SkillFailed
from sayso.grounding.inflection import none_of
from sayso.limits import LimitReached
from sayso.robots.drone.detour import detour
from sayso.robots.drone.homing import Trail
from sayso.roles import Perception
from sayso.scene import Pose, Scene, Thing, plain
from sayso.task import BLOCKED, NOT_FOUND, Refused

Recall: TypeAlias = Callable[[str], Thing | None]
"""Where the thing of a name was last seen; None where nobody knows, or knows that it is gone."""


STANDOFF_M, NEAR_M, STEP_M, MARGIN_M = 0.7, 0.95, 1.0, 0.4
"""Where it stops, where that will do, how far it goes at once and what it keeps free; distances are from the drone's
centre to the surface of the thing."""

SPARE_M, NEAR_ENOUGH_M, CLOSE_M = 0.17, 0.25, 0.08
"""Where a wish wants it kept away it stops so much further off, since what is seen from one side may reach out; so much
more will do round about, and so much on the straight way, or the verdict would call it short."""

DETOURS, RAYS, ROOM_M = 6, 24, 3.0
"""How often it sets out round what is in the way, and in how many directions and how far it looks for that."""

CLIMBS, CLIMB_M, PAST_M = 4, 0.3, 0.8
"""Over it: how often it rises, by how much, and how far it flies on behind where it was met."""

FACING_RAD, STEEPEST_RAD = math.radians(4), math.radians(18)
HALF_WIDTH_RAD, HALF_HEIGHT_RAD = math.radians(35.1), math.radians(27.8)
"""Of what the camera sees."""

FILLS_FRAME = 0.7
"""Of a thing whose place is not known: it is near when so much of the image is its own."""

LOOKS, STEPS = 3, 40


@dataclass(frozen=True, slots=True)
class Sight:
    """Where a thing lies from the drone: bearing (positive left), level distance to its surface, height above."""

    bearing_rad: float
    ahead_m: float
    rise_m: float


class Approach:
    """The skill `goto` of one drone. `recall` tells where things out of view are."""

    def __init__(self, trail: Trail, perception: Perception, recall: Recall | None = None) -> None:
        self._trail, self._mover = trail, trail.flyer
        self._perception = perception
        self._recall = recall or (lambda name: None)

    async def to(self, name: str) -> Thing:
        """The thing as it was seen last. Raises `SkillFailed`: not in view, not where it was, blocked, or a limit."""
        label = plain(name.partition("#")[0].partition("[")[0])
        seen = await self._look(lambda scene: scene.find(name))
        thing, sure, recalled = seen or self._recall(name), seen is not None, seen is None
        if thing is None:
            raise SkillFailed(f"{none_of(label)} in view", NOT_FOUND)
        for _ in range(STEPS):
            there = await self._step(thing, label)
            if there and sure:
                return thing
            if seen := await self._look(partial(again, thing), 0 if sure or there else 1):
                thing, sure = seen, True
                continue
            near = thing.pose is not None and self._sight(thing).ahead_m <= NEAR_M + STEP_M  # out of view for that
            sure, known = sure and near, self._recall(name) if recalled else thing
            if known is None or known.pose is None or (there and not sure):
                raise SkillFailed(f"the {label} is not where it was seen last, and not in view", NOT_FOUND)
            thing = known
        raise SkillFailed(f"I did not come close to the {label} in {STEPS} steps")

    async def _look(self, pick: Callable[[Scene], Thing | None], looks: int = 0) -> Thing | None:
        """What `pick` finds; a detector that misses now and then gets a few tries."""
        for left in reversed(range(looks or LOOKS)):
            if thing := pick(await self._perception.look()):
                return thing
            if left:
                await asyncio.sleep(0.1)
        return None

    async def _step(self, thing: Thing, label: str) -> bool:
        """One correction: turn, or change height, or come nearer. True when there is nothing left to correct."""
        sight = self._sight(thing)
        if abs(sight.bearing_rad) > FACING_RAD:
            await self._mover.turn(sight.bearing_rad)
            return False
        up_m = self._climb_m(thing, sight)
        if abs(up_m) > 0.05:
            await self._move(0.0, up_m)
            return False
        standoff_m = self._standoff_m(thing)
        kept = thing.pose is not None and self._kept_off(sight, standoff_m) is not None
        if kept or (thing.pose is not None and self._met(sight, standoff_m)):
            await self._round(thing, sight, label, standoff_m)
            return False
        step_m = self._forward_m(sight, label, standoff_m)
        if abs(step_m) < 0.08:
            return True
        await self._move(step_m, 0.0)
        return False

    def _standoff_m(self, thing: Thing) -> float:
        """Where it stops: as near as it goes, or as the wish wants it."""
        apart_m = self._mover.limits.apart_m(thing.id)
        return max(STANDOFF_M, apart_m + SPARE_M) if apart_m else STANDOFF_M

    def _kept_off(self, sight: Sight, standoff_m: float) -> Refused | None:
        here = self._mover.state().pose
        enough = here.moved(max(0.0, sight.ahead_m - standoff_m - NEAR_ENOUGH_M))
        return self._mover.limits.path_refusal((here, enough))

    def _met(self, sight: Sight, standoff_m: float) -> bool:
        """Whether something stands in the way of the next step."""
        wanted_m, free_m = min(sight.ahead_m - standoff_m, STEP_M), self._mover.clearance_m(0.0) - MARGIN_M
        return sight.ahead_m > NEAR_M and free_m < min(wanted_m, sight.ahead_m - NEAR_M)

    async def _round(self, thing: Thing, sight: Sight, label: str, standoff_m: float) -> None:
        """Fly round what is in the way, or over it. Raises `SkillFailed` where no way is found."""
        assert thing.pose is not None
        centre, limits, met = thing.pose, self._mover.limits, self._around()
        half_m = max(0.0, centre.level_m(self._mover.state().pose) - sight.ahead_m)

        def there(at: Pose) -> bool:
            return standoff_m <= at.level_m(centre) - half_m <= standoff_m + NEAR_ENOUGH_M

        for _ in range(DETOURS):
            way = detour(limits, self._mover.state().pose, centre, there, met)
            if not way:
                break
            if await self._along(way, met):
                await self._mover.turn(self._mover.state().pose.bearing_rad(centre))
                return
        if refused := self._kept_off(sight, standoff_m):
            kept = f"I find no way to the {label} that keeps to the wish: the {refused.limit} must be {refused.bound}"
            raise SkillFailed(kept, BLOCKED)
        await self._mover.turn(self._mover.state().pose.bearing_rad(centre))
        await self._over(thing, label, standoff_m)

    def _around(self) -> list[Pose]:
        """What the range sensors meet near by, all round."""
        here, ways = self._mover.state().pose, [math.tau * n / RAYS for n in range(RAYS)]
        met = ((way, self._mover.clearance_m(way)) for way in ways)
        return [replace(here, yaw_rad=here.yaw_rad + way).moved(far_m) for way, far_m in met if far_m < ROOM_M]

    async def _over(self, thing: Thing, label: str, standoff_m: float) -> None:
        """Climb until the way is free, and fly on over what stood there."""
        free_m = self._mover.clearance_m(0.0)
        for _ in range(CLIMBS):
            sight, z_m = self._sight(thing), self._mover.state().pose.z_m
            over_m = min(sight.ahead_m - standoff_m, free_m + PAST_M)
            if not self._met(sight, standoff_m) and self._mover.clearance_m(0.0) >= over_m + MARGIN_M:
                await self._move(over_m, 0.0)
                return
            up_m = min(CLIMB_M, self._mover.limits.altitude_max_m - 0.05 - z_m)
            if up_m <= 0:
                break
            await self._move(0.0, up_m)
        ahead_m = self._sight(thing).ahead_m
        raise SkillFailed(
            f"the way to the {label} is blocked {free_m:.1f} m ahead; it is {ahead_m:.1f} m away, and I found no way"
            " round it or over it",
            BLOCKED,
        )

    async def _along(self, way: Sequence[Pose], met: list[Pose]) -> bool:
        """Fly from corner to corner; False where something stands on the way, which is `met` then."""
        for corner in way:
            here = self._mover.state().pose
            bearing_rad, far_m = here.bearing_rad(corner), here.level_m(corner)
            clear_m = self._mover.clearance_m(bearing_rad)
            if clear_m < far_m + MARGIN_M:
                met.append(here.moved(clear_m * math.cos(bearing_rad), clear_m * math.sin(bearing_rad)))
                return False
            leg = corner.seen_from(here)
            await self._trail.move(leg.x_m, leg.y_m, 0.0)
        return True

    def _sight(self, thing: Thing) -> Sight:
        """From the pose where perception gives one, else from the image alone."""
        here, box = self._mover.state().pose, thing.box
        if thing.pose is not None:
            there = thing.pose
            level_m = there.level_m(here)
            rise_m = there.z_m - here.z_m
            ahead_m = level_m if thing.distance_m is None else min(level_m, thing.distance_m)
            return Sight(here.bearing_rad(there), ahead_m, rise_m)
        if box is None:
            return Sight(0.0, thing.distance_m or STANDOFF_M, 0.0)
        bearing_rad = math.atan((1 - 2 * box.x) * math.tan(HALF_WIDTH_RAD))
        fills = max(box.width, box.height) >= FILLS_FRAME
        ahead_m = thing.distance_m or (STANDOFF_M if fills else STANDOFF_M + STEP_M / 2)
        return Sight(bearing_rad, ahead_m, ahead_m * (1 - 2 * box.y) * math.tan(HALF_HEIGHT_RAD))

    def _climb_m(self, thing: Thing, sight: Sight) -> float:
        """How much to rise (or sink) so that the thing stays in frame where the next step ends."""
        limits, z_m = self._mover.limits, self._mover.state().pose.z_m
        next_m = max(self._standoff_m(thing), sight.ahead_m - STEP_M)
        slack_m = next_m * math.tan(STEEPEST_RAD)
        wanted_m = sight.rise_m - slack_m if sight.rise_m > 0 else sight.rise_m + slack_m
        if wanted_m * sight.rise_m <= 0:
            return 0.0
        lowest_m, highest_m = limits.altitude_min_m + 0.05, limits.altitude_max_m - 0.05
        if not lowest_m <= z_m <= highest_m:
            return 0.0
        return min(max(wanted_m, lowest_m - z_m), highest_m - z_m)

    def _forward_m(self, sight: Sight, label: str, standoff_m: float) -> float:
        """The next step ahead, cut short where something stands; 0 when the thing is close enough, and back where the
        wish wants it kept further away."""
        if standoff_m > STANDOFF_M and sight.ahead_m < standoff_m + CLOSE_M:
            return min(0.0, max(sight.ahead_m - standoff_m, -STEP_M))
        wanted_m = min(sight.ahead_m - standoff_m, STEP_M)
        free_m = self._mover.clearance_m(0.0) - MARGIN_M
        if wanted_m <= free_m:
            return max(wanted_m, 0.0)
        if sight.ahead_m <= NEAR_M:
            return 0.0
        if not self._met(sight, standoff_m):
            return free_m
        raise SkillFailed(f"the way to the {label} is blocked {free_m + MARGIN_M:.1f} m ahead", BLOCKED)

    async def _move(self, forward_m: float, up_m: float) -> None:
        goal = self._mover.state().pose.moved(forward_m, up_m=up_m)
        if refusal := self._mover.limits.path_refusal((self._mover.state().pose, goal)):
            raise LimitReached(refusal)
        await self._trail.move(forward_m, 0.0, up_m)


def again(thing: Thing, scene: Scene) -> Thing | None:
    """The same thing in a later scene: by identity, else the one of its label nearest to where it was."""
    alike = [t for t in scene if t.label == thing.label]
    same = next((t for t in alike if t.id == thing.id), None)
    if same or not alike:
        return same
    if thing.pose is None:
        return min(alike, key=lambda t: abs((t.box.x if t.box else 0.5) - 0.5))
    nearest = min(alike, key=lambda t: _apart_m(t.pose, thing.pose))
    return nearest if _apart_m(nearest.pose, thing.pose) < 1.0 else None


def _apart_m(one: Pose | None, other: Pose | None) -> float:
    return one.distance_m(other) if one and other else math.inf
