"""The simulated drone as an ordinary robot: it is asked for motions, flies them, and says when it could not.

Every motion is a trajectory handed to the quadrotor and then watched on the clock of the running loop; the world steps
the physics in a task of its own. A motion ends when the drone has really arrived and settled. It ends with
`SkillFailed` when the drone bumps into something, is stopped by what its range sensors see, is halted, or does not get
there in time; unless it has crashed, the drone then hovers.
"""

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from sayso.errors import RobotError, SkillFailed
from sayso.limits import LimitReached, Limits
from sayso.robots.drone.world.autopilot import Setpoint
from sayso.robots.drone.world.quadrotor import HOVER_ENDURANCE_S, REACH_M, Quadrotor
from sayso.robots.drone.world.trajectory import (
    DESCENT_MPS,
    MOVE_MPS,
    TOUCHDOWN_MPS,
    Follow,
    Motion,
    Trajectory,
    brake,
    descent,
    leg,
    turn,
)
from sayso.roles import Robot, RobotState
from sayso.scene import Pose, View
from sayso.task import OBSTRUCTED, Refused

POLL_S = 0.02
TAKE_OFF_M = 1.0
SPOOL_S = 0.4
GROUND_CLEARANCE_M = 0.2  # what a move up or down keeps from floor and ceiling
ARRIVED_M = 0.05
ARRIVED_MPS = 0.12
STILL_MPS = 0.25  # gusts included
ARRIVED_RAD = math.radians(1.5)
WINDY_S, WINDY_M = 0.8, 0.25  # gusts may keep it from settling: after that long, that near is there
PATIENCE_S = 3.0
MOVE_MIN_M = 0.02


class SimDrone(Robot):
    """A Tello-like quadrotor in a simulated world. `speed_mps` is how fast it moves, as far as limits let it."""

    name: ClassVar[str] = "sim-drone"
    kind: ClassVar[str] = "drone"
    endurance_s = HOVER_ENDURANCE_S
    least_move_m = 0.0

    def __init__(
        self, quadrotor: Quadrotor, limits: Limits, camera: Callable[[int, int], Any], view: Callable[[], View]
    ) -> None:
        self.quad, self._camera, self._view = quadrotor, camera, view
        self.limits = limits
        self._braking: Motion | None = None
        self.speed_mps = MOVE_MPS
        self._ended = ""

    @property
    def flying(self) -> bool:
        return self.quad.armed

    @property
    def crashed(self) -> bool:
        """Lies where it fell and cannot take off."""
        return self.quad.crashed

    def state(self) -> RobotState:
        quad = self.quad
        return RobotState(
            pose=quad.pose(),
            charge=quad.charge,
            speed_mps=math.hypot(*quad.velocity()),
            resting=not quad.armed,
            summary=self._summary(),
            trouble="crashed" if self.crashed else "",
        )

    def _summary(self) -> str:
        if self.crashed:
            return "crashed"
        if not self.flying:
            return "landed"
        return f"flying at {self.quad.pose().z_m:.2f} m"

    def clearance_m(self, bearing_rad: float = 0.0) -> float:
        """Free metres from the drone's centre to what it would meet in level flight; 0 is ahead, positive left."""
        yaw = self.quad.pose().yaw_rad + bearing_rad
        return self.quad.free_m((math.cos(yaw), math.sin(yaw), 0.0))

    def picture(self, width_px: int = 480, height_px: int = 360) -> Any:
        return self._camera(width_px, height_px)

    def view(self) -> View:
        return self._view()

    async def take_off(self) -> None:
        """Rise to 1 m above where the drone stands; nothing to do in the air."""
        if self.crashed:
            raise SkillFailed("the drone has crashed and cannot take off")
        if self.flying:
            return
        z_m = self.quad.pose().z_m
        rise_m = self.limits.risen(Pose(z_m=z_m + TAKE_OFF_M)).z_m - z_m
        if rise_m < GROUND_CLEARANCE_M:
            raise LimitReached(Refused("altitude", "a take-off", f"at most {self.limits.altitude_max_m:g} m"))
        if (room_m := self.quad.free_m((0.0, 0.0, 1.0))) < rise_m + GROUND_CLEARANCE_M:
            raise SkillFailed(f"cannot take off: only {room_m:.2f} m free overhead")
        self.quad.arm()
        try:
            hold = brake(self.quad.setpoint)
            self._begin(hold)
            await self._until(hold, lambda: self.quad.flown_s >= SPOOL_S, SPOOL_S + PATIENCE_S)
            await self._fly(leg(self.quad.setpoint, (0.0, 0.0, rise_m), self.limits.pace_mps(MOVE_MPS)))
        finally:
            self.quad.floor_is_home = self._low()

    async def land(self) -> None:
        """Come down to whatever is below and stop the rotors; nothing to do on the ground."""
        if not self.flying:
            return
        drop_m = self.below_m()
        down = descent(Setpoint(self._held()), drop_m, self.limits.pace_mps(DESCENT_MPS))
        self.quad.floor_is_home = True
        self._begin(down)
        try:
            patience_s = drop_m / min(TOUCHDOWN_MPS, self.limits.pace_mps(DESCENT_MPS)) + 6.0
            await self._until(down, self._landed, patience_s, bumps_end_it=False)
            self.quad.disarm()
        finally:
            self.quad.floor_is_home = not self.quad.armed or self._low()

    async def move(self, forward_m: float = 0.0, left_m: float = 0.0, up_m: float = 0.0) -> None:
        """Fly straight, relative to the heading. Stops short of obstacles, and fails then."""
        self._must_fly("move")
        base = self._held()
        goal = base.moved(forward_m, left_m, up_m)
        if refusal := self.limits.path_refusal((base, goal)):
            raise LimitReached(refusal)
        offset = (goal.x_m - base.x_m, goal.y_m - base.y_m, goal.z_m - base.z_m)
        asked_m = math.hypot(*offset)
        if asked_m < MOVE_MIN_M:
            return
        way = (offset[0] / asked_m, offset[1] / asked_m, offset[2] / asked_m)
        seen_m = self.quad.free_m(way)
        far_m = min(asked_m, self._reachable_m(way, seen_m))
        if far_m < max(MOVE_MIN_M, min(0.1, asked_m)):
            where = _side(forward_m, left_m, up_m)
            raise SkillFailed(f"did not move: something {seen_m:.2f} m {where} is in the way", OBSTRUCTED)
        offset = (way[0] * far_m, way[1] * far_m, way[2] * far_m)
        await self._fly(leg(Setpoint(base), offset, self.limits.pace_mps(self.speed_mps)))
        if far_m < asked_m - ARRIVED_M:
            ahead = _side(forward_m, left_m, up_m)
            raise SkillFailed(
                f"the way is blocked: flew {far_m:.2f} of {asked_m:.2f} m and stopped, "
                f"something {seen_m - far_m:.2f} m {ahead} is in the way",
                OBSTRUCTED,
            )

    async def turn(self, angle_rad: float) -> None:
        """Turn on the spot; positive is left, up to one full round."""
        self._must_fly("turn")
        if not abs(angle_rad) <= 2 * math.pi + 1e-9:
            raise SkillFailed(f"a turn of {math.degrees(angle_rad):.0f} degrees is more than one full round")
        await self._fly(turn(Setpoint(self._held()), angle_rad))

    def follow(self, goal: Pose) -> None:
        """Fly there, whatever is in the way, until told otherwise."""
        self._must_fly("follow")
        self.quad.floor_is_home = self._low()
        if isinstance(self.quad.trajectory, Follow):
            self.quad.trajectory.goal = goal
        else:
            self._begin(Follow(Setpoint(self._held(), self.quad.velocity()), goal))

    def below_m(self) -> float:
        """Free metres from the drone's centre to what lies below."""
        return self.quad.free_m((0.0, 0.0, -1.0))

    async def halt(self) -> None:
        """Brake and hover here; whoever waits for a motion gets `SkillFailed`. Nothing to do on the ground."""
        if self.flying and self.quad.trajectory is not self._braking:
            self._brake("halted")
        loop = asyncio.get_running_loop()
        braking, deadline_s = self.quad.trajectory, loop.time() + PATIENCE_S
        while self.flying and self.quad.trajectory is braking and not self._stopped():
            if loop.time() > deadline_s:
                raise RobotError("the drone was told to stop and does not come to rest; assume that it moves")
            await asyncio.sleep(POLL_S)

    async def rest(self) -> None:
        await self.halt()
        await self.land()

    def _must_fly(self, what: str) -> None:
        if self.crashed:
            raise SkillFailed(f"cannot {what}: the drone has crashed")
        if not self.flying:
            raise SkillFailed(f"cannot {what}: the drone has not taken off")

    def _held(self) -> Pose:
        """Where the next motion starts: the point being held, so that small errors do not add up."""
        at, pose = self.quad.setpoint.at, self.quad.pose()
        return at if at.distance_m(pose) < 0.3 else pose

    def _reachable_m(self, way: tuple[float, float, float], seen_m: float) -> float:
        """How far to fly at most, given what the sensors see that way."""
        keep_m = self.limits.obstacle_min_m
        if keep_m <= 0.0 or seen_m >= REACH_M:
            return math.inf
        return seen_m - (keep_m if abs(way[2]) < 0.7 else min(keep_m, GROUND_CLEARANCE_M))

    def _begin(self, trajectory: Trajectory, ended: str = "another motion took over") -> None:
        self._ended = ended
        self.quad.fly(trajectory)

    def _brake(self, why: str) -> None:
        """Stop from the present motion; what was flown has ended because of `why`."""
        pose = self.quad.pose()
        low_m = 0.3 if not self.quad.floor_is_home else pose.z_m
        self._braking = brake(Setpoint(replace(pose, z_m=max(pose.z_m, low_m)), self.quad.velocity()))
        self._begin(self._braking, why)

    async def _fly(self, trajectory: Motion) -> None:
        """Fly to the end and settle there, or fail and hover."""
        self._begin(trajectory)
        end = trajectory.end()

        def arrived() -> bool:
            over_s = self.quad.flown_s - trajectory.duration_s
            return over_s >= 0.0 and self._at(end, near_m=ARRIVED_M if over_s < WINDY_S else WINDY_M)

        await self._until(trajectory, arrived, trajectory.duration_s + PATIENCE_S)

    async def _until(
        self, trajectory: Motion, done: Callable[[], bool], patience_s: float, bumps_end_it: bool = True
    ) -> None:
        """Watch the flight until `done`. Raises `SkillFailed` with what went wrong; the drone hovers then."""
        loop = asyncio.get_running_loop()
        deadline_s, began_s, touches = loop.time() + patience_s, self.quad.now_s, len(self.quad.touches)
        try:
            while not done():
                await asyncio.sleep(POLL_S)
                if problem := self._problem(trajectory):
                    raise SkillFailed(problem)
                if bumps_end_it and len(self.quad.touches) > touches:
                    raise SkillFailed("bumped into something and stopped")
                if loop.time() > deadline_s:
                    raise SkillFailed(self._late(trajectory, began_s))
        except BaseException as stopped:
            if self.flying and self.quad.trajectory is trajectory:
                self._brake(str(stopped) or "given up")
            raise

    def _problem(self, trajectory: Trajectory) -> str:
        """What ended the flight of `trajectory` before its time, or nothing."""
        if self.crashed:
            return "the drone has crashed"
        if not self.flying:
            return "the battery is empty" if self.quad.charge <= 0.0 else "the rotors were stopped"
        if self.quad.trajectory is not trajectory:
            return self._ended
        return ""

    def _late(self, trajectory: Motion, began_s: float) -> str:
        if self.quad.now_s <= began_s:
            return "nothing moves: the world is not running"
        return f"did not arrive in time: still {trajectory.end().distance_m(self.quad.pose()):.2f} m away"

    def _at(self, goal: Pose, near_m: float) -> bool:
        """Whether the drone rests at `goal`; the looser the distance, the looser speed and heading."""
        pose, loose = self.quad.pose(), near_m / ARRIVED_M
        turned = abs(math.remainder(goal.yaw_rad - pose.yaw_rad, 2 * math.pi))
        slow = math.hypot(*self.quad.velocity()) < ARRIVED_MPS * loose
        return goal.distance_m(pose) < near_m and turned < ARRIVED_RAD * loose and slow

    def _low(self) -> bool:
        return self.below_m() < GROUND_CLEARANCE_M

    def _stopped(self) -> bool:
        braking = self.quad.trajectory
        over = braking is None or self.quad.flown_s >= braking.duration_s
        return over and math.hypot(*self.quad.velocity()) < STILL_MPS

    def _landed(self) -> bool:
        return self.quad.flown_s > 0.5 and self.quad.touching() and math.hypot(*self.quad.velocity()) < 0.1


def _side(forward_m: float, left_m: float, up_m: float) -> str:
    """The direction of a move in a word."""
    along = (abs(forward_m), "ahead" if forward_m > 0 else "behind")
    across = (abs(left_m), "to the left" if left_m > 0 else "to the right")
    return max(along, across, (abs(up_m), "above" if up_m > 0 else "below"))[1]
