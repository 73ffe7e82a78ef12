"""The plain skills of a humanoid: ways, turns, going to what it sees, one kick, a wave.

The tasks of `soccer` are pursued side by side, by a planner that chooses anew; these end by themselves, so that plans
and plain commands are made of them. Ways and turns are measured as they are gone, and corrected.
"""

import asyncio
import math
from collections.abc import Callable

from sayso.clock import beside
from sayso.errors import SkillFailed
from sayso.goals.evidence import HOME_M
from sayso.grounding.inflection import definite, none_of, sentence
from sayso.memory.thing_record import where_from
from sayso.robots.humanoid.path import ROUND_M, foot_for
from sayso.robots.humanoid.soccer import STEER_S, BallSense, Humanoid, kicked, settled
from sayso.roles import Perception
from sayso.scene import Pose, Scene, Thing, plain, wrap
from sayso.skill import Range, ThingName, skill
from sayso.skills.motions import moving, turning, waiting
from sayso.task import NOT_FOUND, UNSENSED

DISTANCE = Range(5, 1000)

WALK_MPS, TURN_RADPS = 0.3, 0.6
NEAR_M, NEAR_RAD = 0.03, 0.03
"""What is left of a way or a turn that counts as done."""
PULL, TURN_PULL = 1.3, 2.0
"""Walk and turn slow down over the last of a way (1/s)."""
BESIDE_M = {"ball": 0.36}
BESIDE_USUAL_M = 0.9
"""How far from the middle of a thing it comes to a stand."""
SPARE_M = 0.08
"""Where a wish wants it kept away it stops so much further off."""
CLEAR_M, BLIND_M = 0.3, 0.4
"""Nearer to a ball than this it would touch it; so far it goes back without a look."""
GIVE_UP_S = 8.0
"""So long without coming nearer, and the way is given up."""
STEADY_S, WAVED_S, ROLLS_S = 3.0, 3.0, 2.0
FAR_TILT_RAD, NEAR_TILT_RAD = 0.5, 1.0
"""The head camera sees the field from half a metre on, or what lies before the feet."""
ASIDE_RAD = 1.1
LOOKS = ((0.0, FAR_TILT_RAD), (ASIDE_RAD, FAR_TILT_RAD), (-ASIDE_RAD, FAR_TILT_RAD), (0.0, NEAR_TILT_RAD))
"""Pan and tilt of the head, one after the other, that show what is not behind."""
GLANCED_S = 0.5
"""How long the head takes to turn."""


class Strides:
    """The motions of one robot in one mission. `marks` are where it was first, before all others: home."""

    def __init__(
        self, robot: Humanoid, eyes: Perception, ball: BallSense, marks: list[Pose], tell: Callable[[str], None]
    ) -> None:
        self._robot, self._eyes, self._ball, self._marks, self._tell = robot, eyes, ball, marks, tell
        self._began = robot.pose

    move_forward = moving("forward", "Walk forward by a distance.", DISTANCE, uses="Legs")
    move_backward = moving("back", "Walk backward by a distance.", DISTANCE, uses="Legs")
    move_left = moving("left", "Step to the left by a distance, without turning.", DISTANCE, uses="Legs")
    move_right = moving("right", "Step to the right by a distance, without turning.", DISTANCE, uses="Legs")
    turn_cw, turn_ccw = turning("right", uses="Legs"), turning("left", uses="Legs")
    delay = waiting("Stand still for a while.", uses="Legs")

    @skill(uses=("Legs", "Head"), short="s", again=True, means="found({thing})")
    async def scan(self, thing: ThingName) -> bool:
        """Look around and turn on the spot until a thing is in view; True when it is found."""
        return await self._found(thing) is not None

    @skill(uses=("Legs", "Head"), short="o", again=True, means="facing({thing})")
    async def orienting(self, thing: ThingName) -> None:
        """Turn to face a thing."""
        await self._face(await self._seen(thing))

    @skill(uses=("Legs", "Head"), short="g", again=True, means="at({thing})")
    async def goto(self, thing: ThingName) -> None:
        """Walk to a thing and come to a stand before it."""
        seen = await self._seen(thing)
        await self._stand_before(seen, BESIDE_M.get(seen.label, BESIDE_USUAL_M))

    @skill(uses=("Legs", "Head"), short="wi")
    async def where_is(self, thing: ThingName) -> str:
        """Look around and tell where a thing is, seen from the robot: how far, and on which side."""
        seen = await self._found(thing)
        if seen is None or seen.pose is None:
            return f"I looked all round and see {none_of(plain(thing))}."
        return sentence(f"{definite(plain(seen.label))} is {where_from(self._robot.pose, seen.pose)}")

    @skill(uses="Legs", short="k")
    async def kick(self) -> bool:
        """Kick the ball once where it lies at the feet; False where no foot can reach it."""
        ball = self._ball.ball
        foot = foot_for(self._robot.pose, ball.pose) if ball.pose else None
        if foot is None or not await self._steady():
            return False
        await kicked(self._robot, foot)
        return True

    @skill(uses=("Legs", "Head"), short="ig")
    async def in_goal(self) -> bool:
        """Look for the ball; whether it lies in the opponents' goal."""
        await asyncio.sleep(ROLLS_S)
        ball = await self._found("ball")
        return ball is not None and ball.attributes.get("on") == "opponent goal"

    @skill(uses="Legs", short="gu", again=True, means="upright")
    async def get_up(self) -> None:
        """Get up after a fall, and stand."""
        if not await self._steady():
            raise SkillFailed("I lie on the floor and could not get up")

    @skill(uses="Arms", short="wv", means="waved")
    async def wave(self) -> None:
        """Wave with the right arm."""
        self._robot.wave(True)
        try:
            await asyncio.sleep(WAVED_S)
        finally:
            self._robot.wave(False)

    @skill(uses="Legs", short="rh", again=True, means="home")
    async def return_home(self) -> None:
        """Walk back to where this mission began, facing as it did then; home, where it has not left that."""
        left = self._began.level_m(self._robot.pose) > HOME_M
        home = self._began if left or not self._marks else self._marks[0]
        if home.level_m(self._robot.pose) > NEAR_M:
            await self.turn(self._robot.pose.bearing_rad(home))
            await self._walk(Pose(*home.xy, 0.0, self._robot.pose.yaw_rad))
        await self.turn(wrap(home.yaw_rad - self._robot.pose.yaw_rad))

    async def look_ahead(self) -> None:
        """The head straight, so that what turns past is looked at."""
        await self._glance(0.0, FAR_TILT_RAD)

    async def go(self, forward_m: float, left_m: float, up_m: float) -> None:
        before = self._robot.pose
        if forward_m < -BLIND_M and self._ball.ball.pose is None:
            self._tell("I do not see what is behind me, so I look round first.")
            await self._turned_to("ball")
            await self.turn(wrap(before.yaw_rad - self._robot.pose.yaw_rad))
        await self._walk(before.moved(forward_m, left_m))

    def _past_the_ball(self, to: Pose) -> Pose | None:
        """A spot beside the ball to pass by, where that is known to lie on the way."""
        here, ball = self._robot.pose, self._ball.ball.pose
        way = Pose(*here.xy, 0.0, here.yaw_rad + here.bearing_rad(to))
        at = ball.seen_from(way) if ball else None
        if at is None or not 0 < at.x_m < to.level_m(here) or abs(at.y_m) > CLEAR_M:
            return None
        beside = way.moved(at.x_m, at.y_m - math.copysign(ROUND_M, at.y_m))
        return Pose(*beside.xy, 0.0, to.yaw_rad)

    async def _walk(self, to: Pose, straight: bool = False) -> None:
        """Walk to a spot, facing as the pose says all the way, and round a ball that lies on it unless it is to be
        `straight`. Raises `SkillFailed` where it comes no nearer."""
        if not straight and (beside := self._past_the_ball(to)):
            await self._walk(beside, straight=True)

        def velocity(here: Pose) -> tuple[float, float, float] | None:
            there, left_m = to.seen_from(here), to.level_m(here)
            if left_m < NEAR_M:
                return None
            pace = min(WALK_MPS, PULL * left_m) / left_m
            return pace * there.x_m, pace * there.y_m, PULL * there.yaw_rad

        await self._steered(velocity, lambda here: to.level_m(here))

    async def turn(self, angle_rad: float) -> None:
        """Turn on the spot; positive is left. More than half a turn is not the shorter way round."""
        spot, left_rad = self._robot.pose, angle_rad
        before = spot.yaw_rad

        def velocity(here: Pose) -> tuple[float, float, float] | None:
            nonlocal before, left_rad
            left_rad -= wrap(here.yaw_rad - before)
            before = here.yaw_rad
            if abs(left_rad) < NEAR_RAD:
                return None
            back = spot.seen_from(here)
            return PULL * back.x_m, PULL * back.y_m, max(-TURN_RADPS, min(TURN_RADPS, TURN_PULL * left_rad))

        await self._steered(velocity, lambda here: abs(left_rad))

    async def _steered(
        self, velocity: Callable[[Pose], tuple[float, float, float] | None], left: Callable[[Pose], float]
    ) -> None:
        """Walk as `velocity` says until it says None; `left` is what is left of the way, in any unit."""
        clock, robot = asyncio.get_running_loop(), self._robot
        least, since_s = math.inf, clock.time()
        try:
            while (wish := velocity(robot.pose)) is not None:
                if (now := left(robot.pose)) < least - NEAR_M / 2:
                    least, since_s = now, clock.time()
                if robot.fallen:
                    raise SkillFailed("it fell over")
                if clock.time() - since_s > GIVE_UP_S:
                    raise SkillFailed("something is in the way, or a limit: it came no further")
                robot.set_walk(*wish)
                await asyncio.sleep(STEER_S)
        finally:
            robot.stop_walking()
        await self._steady()

    async def _steady(self) -> bool:
        """Give the stance a moment to settle."""
        return await settled(lambda: self._robot.stable, STEADY_S)

    async def _face(self, thing: Thing) -> None:
        if thing.pose:
            await self.turn(self._robot.pose.bearing_rad(thing.pose))
            await self._view(0.0, thing.pose)

    async def _stand_before(self, thing: Thing, apart_m: float) -> None:
        """Go straight to a thing, looking again on the way, and stand so far from its middle."""
        while thing.pose:
            here = self._robot.pose
            await self._face(thing)
            wished_m = self._robot.limits.apart_m(thing.id)
            way_m = thing.pose.level_m(here) - max(apart_m, wished_m + SPARE_M if wished_m else 0.0)
            if way_m < NEAR_M:
                return
            away = min(way_m, max(1.0, way_m / 2))
            await self._walk(self._robot.pose.moved(away))
            again = (await self._view(0.0, thing.pose)).find(thing.id)
            thing = again or thing

    async def _seen(self, name: str) -> Thing:
        thing = await self._found(name)
        if thing is None:
            raise SkillFailed(f"found no {plain(name.partition('[')[0])}: looked all round", NOT_FOUND)
        return thing

    async def _found(self, name: str) -> Thing | None:
        """In view, by turning the head, or by turning all the way round; looked at last."""
        for pan_rad, tilt_rad in LOOKS:
            scene = await self._glance(pan_rad, tilt_rad)
            if found := scene.find(name):
                return found
            if why := scene.untold(name):
                raise SkillFailed(why, UNSENSED)
        return await self._turned_to(name)

    async def _turned_to(self, name: str) -> Thing | None:
        """Turn towards where the ball was last, looking ahead of the turn, until it is in view; at most once round."""
        bearing_rad = self._ball.ball.bearing_rad if plain(name) == "ball" else None
        side = 1 if (bearing_rad or 0.0) > 0 else -1
        self._robot.set_head(side * ASIDE_RAD, FAR_TILT_RAD)
        found = None
        async with beside(self.turn(side * 2 * math.pi)) as turning:
            while found is None and not turning.done():
                await asyncio.sleep(STEER_S)
                found = (await self._eyes.look()).find(name)
            if found is None:
                await turning
        await self._steady()
        return found

    async def _view(self, pan_rad: float, place: Pose) -> Scene:
        """A look straight at a place."""
        near = place.level_m(self._robot.pose) < 2 * BESIDE_M["ball"]
        return await self._glance(pan_rad, NEAR_TILT_RAD if near else FAR_TILT_RAD)

    async def _glance(self, pan_rad: float, tilt_rad: float) -> Scene:
        """A look with the head turned so."""
        self._robot.set_head(pan_rad, tilt_rad)
        await asyncio.sleep(GLANCED_S)
        return await self._eyes.look()
