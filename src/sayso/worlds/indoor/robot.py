"""A simulated mobile manipulator as an ordinary robot: wheels, one arm, a head with a camera, a voice and ears.

Its low-level actions are those of a real one: drive to a pose, turn the head, close the hand at a point, hold something
out, say a sentence, listen. It knows the map of the flat as a real one would, and nothing of where things or people
are; how the thing lies that its fingers are about to close on, an eye in the hand sees, and they feel what they hold.
Limits hold here: the zone before it drives, the speed in its base, the reach before the arm moves.
"""

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from sayso.errors import RobotError, SkillFailed
from sayso.limits import LimitReached, Limits
from sayso.roles import Robot, RobotState
from sayso.scene import Pose, wrap
from sayso.task import FELL, SLIPPED, STOPPED
from sayso.world import ROBOT
from sayso.worlds.indoor.arm import LEVEL, OPEN_MAX_M, Arm, Hand, Point, Stance, solve
from sayso.worlds.indoor.mobile_base import MobileBase
from sayso.worlds.indoor.navigation import Navigator
from sayso.worlds.indoor.things import Loose, Things
from sayso.worlds.indoor.voice import WORDS_A_S, Voices

POLL_S, FELT_S = 0.05, 0.2
ARM_PATIENCE_S, HALT_PATIENCE_S = 5.0, 4.0
BEFORE_M = 0.12  # from where the hand starts its straight approach
RAISE_M, CARRY_M = 0.10, 0.20
OUT_M = (0.2, 0.48)
"""How far from the shoulder a hand is held out, at least and at most."""
BODY_M = 0.45
"""It stays so far from the middle of who is to take what it holds: half a body, and the thing."""
PITCHES = tuple(math.radians(d) for d in (88, 78, 68, 58, 45, 30))
"""How steeply the hand comes down on a thing, best first."""

OPEN_M, OPEN_S, CLOSE_S = 0.10, 0.4, 0.8
SPARE_M, TIP_M, DROP_M, SQUARE = 0.035, 0.028, 0.005, 1.3
"""Wider than a thing fingers open; so far are tips below their middle; so high they let go; so alike are sides."""

GONE = "what the fingers had has slipped out of them"
HEAD_PAN_RAD, HEAD_TILT_RAD, HEAD_S = math.radians(110), math.radians(60), 0.4
LOWER_S = 1.2  # after setting off, the base is clear of the table that it stood at

SetHead = Callable[[float, float], None]


class SimService(Robot):
    """A mobile manipulator in a simulated flat. `knowledge` is the table of names with the places' poses."""

    name: ClassVar[str] = "sim-service"
    kind: ClassVar[str] = "service"

    def __init__(
        self,
        base: MobileBase,
        navigator: Navigator,
        arm: Arm,
        things: Things,
        voices: Voices,
        *,
        set_head: SetHead,
        camera: Callable[[int, int], Any],
        room_of: Callable[[float, float], str],
        knowledge: Mapping[str, Any],
        limits: Limits,
    ) -> None:
        self.limits = limits
        self.knowledge = knowledge
        self._base, self._nav, self._arm = base, navigator, arm
        self._things, self._voices = things, voices
        self._set_head, self._camera, self._room_of = set_head, camera, room_of
        self._head = (0.0, 0.0)
        self._halts = 0
        self._heard_s = -1.0
        self._hand, self._open_m, self._above_m = LEVEL, 0.0, 0.0
        arm.go(arm.carry_at(CARRY_M))

    def bounded(self, wish: Limits) -> None:
        """It drives as slowly as the wish wants it."""
        self._base.speed_mps = wish.pace_mps(self._base.most_mps)

    @property
    def holding(self) -> bool:
        """Whether the hand holds something, as the fingers feel it."""
        return self._arm.holds

    def state(self) -> RobotState:
        resting = self._base.still and self._arm.still
        return RobotState(self._base.pose, 1.0, abs(self._base.velocity[0]), resting, summary=self._summary())

    def _summary(self) -> str:
        pose, hand = self._base.pose, "something in the hand" if self.holding else "the hand empty"
        return f"{'standing' if self._base.still else 'driving'} in the {self._room_of(*pose.xy)}, {hand}"

    def picture(self, width_px: int = 480, height_px: int = 360) -> Any:
        return self._camera(width_px, height_px)

    async def halt(self) -> None:
        """Stop wheels and arm where they are; whoever waits for a motion gets `SkillFailed`. The hand holds on."""
        self._halts += 1
        self._nav.stop()
        self._arm.hold()
        deadline_s = asyncio.get_running_loop().time() + HALT_PATIENCE_S
        while not (self._base.still and self._arm.still):
            self._base.stop()
            if asyncio.get_running_loop().time() > deadline_s:
                raise RobotError("the robot was told to stop and does not come to rest; is its world running?")
            await asyncio.sleep(POLL_S)

    async def drive_to(
        self, x_m: float, y_m: float, yaw_rad: float | None = None, *, near_m: float = 0.0, what: str = "there"
    ) -> None:
        """Drive to a point of the map, round what is in the way, and turn to a heading there.

        Raises `LimitReached` outside the zone, `SkillFailed` with where the way is blocked or what was held has fallen.
        """
        if refusal := self.limits.pose_refusal(Pose(x_m, y_m)):
            raise LimitReached(refusal)
        await self.tuck()
        lowering = asyncio.get_running_loop().call_later(LOWER_S, self._lower)
        feeling = asyncio.ensure_future(self._lost()) if self.holding else None
        try:
            await self._nav.go((x_m, y_m), yaw_rad, near_m, what)
        except SkillFailed as failed:
            if feeling and feeling.done():
                self._arm.open(0.0)
                raise feeling.result() from failed
            raise
        finally:
            lowering.cancel()
            if feeling:
                feeling.cancel()

    async def _lost(self) -> SkillFailed:
        """Stop where the fingers feel that what they held is gone; what to say of it."""
        while self.holding:
            await asyncio.sleep(FELT_S)
        x_m, y_m = (round(v, 1) for v in self._base.pose.xy)
        fell = SkillFailed(f"the hand is empty: what it held has fallen near x {x_m:.1f}, y {y_m:.1f}", FELL, x_m, y_m)
        self._nav.stop(str(fell))
        return fell

    async def turn_to(self, yaw_rad: float) -> None:
        await self._nav.turn_to(yaw_rad)

    def way_m(self, x_m: float, y_m: float, near_m: float = 0.0) -> float | None:
        """How far it is to drive there, None where no way is known."""
        return self._nav.way_m((x_m, y_m), near_m)

    def free(self, x_m: float, y_m: float) -> bool:
        """Whether the base could stand there, as far as map and lidar know."""
        return self._nav.free((x_m, y_m))

    async def look(self, pan_rad: float, tilt_rad: float) -> None:
        """Turn the camera: pan positive is left, tilt positive is down, both from straight ahead."""
        pan = max(-HEAD_PAN_RAD, min(HEAD_PAN_RAD, wrap(pan_rad)))
        tilt = max(-HEAD_TILT_RAD, min(HEAD_TILT_RAD, tilt_rad))
        if (pan, tilt) == self._head:
            return
        far = max(abs(pan - self._head[0]), abs(tilt - self._head[1]))
        self._head = (pan, tilt)
        self._set_head(pan, tilt)
        await asyncio.sleep(HEAD_S + 0.2 * far)

    async def grasp_at(self, x_m: float, y_m: float, z_m: float) -> None:
        """Bring the fingers to a point of the world, close them, and draw back with what they hold.

        Raises `SkillFailed`: the hand is full, out of reach, the arm is stopped by something, nothing was there.
        """
        if self.holding:
            raise SkillFailed("the hand already holds something; put it down or give it away first", "hand full")
        under_m, roll_rad, self._open_m = z_m, 0.0, OPEN_M
        if seen := self._things.seen_at((x_m, y_m, z_m)):
            under_m, (roll_rad, self._open_m) = seen.foot.z_m, self._across(seen)
            z_m = z_m if seen.upright else seen.middle.z_m
        await self._approach((x_m, y_m, max(z_m, under_m + TIP_M)), [(pitch_rad, roll_rad) for pitch_rad in PITCHES])
        self._arm.close()
        await asyncio.sleep(CLOSE_S)
        self._above_m = self._arm.fingers[2] - under_m
        felt = self._arm.holds
        if felt:
            await self._withdraw()
        if not self._arm.holds:
            self._arm.open(0.0)
            self._hand = LEVEL
            await self.tuck()
            raise SkillFailed(GONE if felt else "the fingers closed on nothing", SLIPPED)

    def _across(self, seen: Loose) -> tuple[float, float]:
        """How the hand is rolled to close on a thing's narrow side from above, and how wide it opens for that.

        Raises `SkillFailed` for what is too wide.
        """
        x, y, _ = self._in_base((*seen.pose.xy, 0.0))
        across_rad = self._base.pose.yaw_rad + math.atan2(y, x - self._arm.shape.shoulder[0]) + math.pi / 2
        sides = seen.sides or ((across_rad, seen.width_m),)
        if (narrow_m := min(wide_m for _, wide_m in sides)) > OPEN_MAX_M - SPARE_M / 2:
            told = f"the {seen.label} is {narrow_m:.2f} m wide, and the fingers open {OPEN_MAX_M:.2f} m"
            raise SkillFailed(told, SLIPPED)
        rolls = [(wrap(2 * (across_rad - way)) / 2, wide_m) for way, wide_m in sides if wide_m < SQUARE * narrow_m]
        roll_rad, wide_m = min(rolls, key=lambda roll: abs(roll[0]))
        return roll_rad, wide_m + SPARE_M

    async def release_at(self, x_m: float, y_m: float, z_m: float) -> None:
        """Bring the underside of what is held to a point of the world, and let go there."""
        if not self.holding:
            raise SkillFailed("the hand is empty", "hand empty")
        hands = [self._hand, *((pitch_rad, self._hand[1]) for pitch_rad in PITCHES)]
        await self._approach((x_m, y_m, z_m + self._above_m + DROP_M), hands)
        if not self._arm.holds:
            raise SkillFailed(GONE, SLIPPED)
        self._arm.open(self._arm.gap_m + SPARE_M)
        await asyncio.sleep(OPEN_S)
        self._hand = LEVEL
        await self._withdraw()

    async def hold_out(self, far_m: float) -> None:
        """Hold the hand out in front, at the height of another hand, short of the body of who is to take it."""
        shape = self._arm.shape
        out_m = max(OUT_M[0], min(OUT_M[1], far_m - BODY_M - shape.shoulder[0]))
        if stance := solve(shape, (shape.shoulder[0] + out_m, 0.0, 0.95), self._hand):
            await self._arm_to(stance)

    async def tuck(self) -> None:
        """Fold the arm over the base, what it holds as upright as it was taken. Nothing to do where it is folded."""
        folded = self._arm.carry_at(max(CARRY_M, self._arm.goal.lift_m), self._hand)
        if self._arm.goal.angles != folded.angles:
            await self._arm_to(folded)

    def _lower(self) -> None:
        """Under way, what is carried comes down, out of the camera's view."""
        low = self._arm.carry_at(CARRY_M, self._hand)
        if self._arm.goal.angles == low.angles:
            self._arm.go(low)

    def _in_base(self, point: Point) -> Point:
        at = Pose(*point).seen_from(self._base.pose)
        return at.x_m, at.y_m, at.z_m

    async def _approach(self, point: Point, hands: Sequence[Hand]) -> None:
        """The hand to a point: the lift first, then before the point, then straight to it."""
        x, y, z = near = self._in_base(point)
        for hand in hands:
            there = solve(self._arm.shape, near, hand)
            if there and (steps := self._straight(near, hand, there)):
                break
        else:
            far = math.hypot(x - self._arm.shape.shoulder[0], y)
            raise SkillFailed(
                f"out of reach: the point is {far:.2f} m from the shoulder and {z:.2f} m high, "
                f"the arm reaches {self._arm.shape.reach_m:.2f} m"
            )
        assert there is not None
        if not self.holding:
            self._arm.open(self._open_m)
        self._hand = hand
        await self._arm_to(self._arm.carry_at(max(there.lift_m, CARRY_M), self._hand))
        for stance in (*steps, there):
            await self._arm_to(stance)

    def _straight(self, point: Point, hand: Hand, there: Stance) -> list[Stance]:
        """Stances on the line that leads to `point`, from above and behind; none where a part of it is out of reach."""
        x, y, z = point
        yaw, pitch, shape, steps = there.angles[0], hand[0], self._arm.shape, list[Stance]()
        for share in (1.0, 0.5):
            back, up = share * BEFORE_M * math.cos(pitch), share * BEFORE_M * (0.4 + math.sin(pitch))
            before = (x - back * math.cos(yaw), y - back * math.sin(yaw), z + up)
            stance = solve(shape, before, hand, there.lift_m) or solve(shape, before, hand)
            if stance is None:
                return []
            steps.append(stance)
        return steps

    async def _withdraw(self) -> None:
        """Up, then back to the tucked pose."""
        here = self._arm.goal
        await self._arm_to(Stance(min(self._arm.shape.lift_m, here.lift_m + RAISE_M), here.angles))
        await self.tuck()

    async def _arm_to(self, stance: Stance) -> None:
        loop, halts = asyncio.get_running_loop(), self._halts
        self._arm.go(stance)
        deadline_s = loop.time() + ARM_PATIENCE_S
        try:
            while not (self._arm.still and self._arm.arrived):
                await asyncio.sleep(POLL_S)
                if self._halts != halts:
                    raise SkillFailed("stopped: halted", STOPPED)
                if loop.time() > deadline_s:
                    raise SkillFailed("the arm does not get there: something is in its way", "arm blocked")
        except BaseException:
            self._arm.hold()
            raise

    async def say(self, text: str) -> None:
        """Speak; whoever is near hears it. Returns when the sentence is over."""
        self._voices.robot_says(text)
        await asyncio.sleep(len(text.split()) / WORDS_A_S)

    async def listen(self, seconds: float) -> tuple[str, str] | None:
        """The next thing that somebody says to it, and who; None where nobody says anything for so long.

        What was said before the last answer was listened to is forgotten.
        """
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + seconds
        while loop.time() < deadline_s:
            for said in self._voices.said:
                if said.at_s > self._heard_s and ROBOT in said.heard_by:
                    self._heard_s = said.at_s
                    return said.by, said.text
            await asyncio.sleep(POLL_S)
        return None

    def forget_heard(self) -> None:
        """Do not take what was said up to now for an answer."""
        self._heard_s = max([self._heard_s, *(s.at_s for s in self._voices.said if ROBOT in s.heard_by)])
