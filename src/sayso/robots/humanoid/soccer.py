"""The seven tasks of a soccer humanoid, and the fall recovery that stands beside them, as providers.

A task asks for motions (`Walk`, `Kick`, `Look`), each for a resource; FallRecovery asks for `GetUp`, for all three.

So the way from a walk to a kick is the executive's business: a stronger Kick pushes the running Walk into its stop,
waits for `stable`, and swings. FallRecovery is a root task of its own, stronger than any mission. `watch_robot` turns
what the robot feels into the state `stable` and the message `fallen`.
"""

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from sayso.errors import SkillFailed
from sayso.executive.director.tree import Run
from sayso.limits import Limits
from sayso.robots.humanoid.ball import BallState
from sayso.robots.humanoid.path import approach, foot_for
from sayso.scene import Pose
from sayso.skill import Skill
from sayso.task import Provider, RunReason, Task, When, Word

TASKS = {
    "WalkToBall": "walk to the ball; needs a visible ball; uses the legs",
    "KickBall": "kick the ball when it is close; must have a higher priority than walking; uses the legs",
    "LookAround": "look around by moving only the head, which cannot look behind the robot",
    "LookAtBall": "look at the ball; needs a visible ball; uses the head",
    "StandStill": "stand still; uses the legs",
    "TurnOnSpot": "turn the whole robot on the spot, which brings what is behind it into view; uses the legs",
    "Wave": "wave with the right arm",
}
"""What may be asked of the robot, with the limits of its body."""

LASTING = frozenset({"StandStill", "Wave", "LookAround", "LookAtBall", "TurnOnSpot"})
MEANS = {"WalkToBall": "at(ball)", "KickBall": "kicked", "LookAtBall": "sees(ball)"}
"""What they bring about, in the language of goals."""
SKILLS = tuple(
    Skill(name, description=says, provided=True, uses=("body",), lasting=name in LASTING, means=MEANS.get(name, ""))
    for name, says in TASKS.items()
)

STABLE, FALLEN = "stable", "fallen"
RECOVERY = Task("FallRecovery", priority=1000)
"""Emit it once, as a root task, before any mission."""

STEER_S = 1 / 15
IMU_S = 1 / 90
OPPONENT_GOAL = Pose(5.3, 0.0)  # behind the line, so that a ball on the line still has a way to go
TURN_RADPS = 0.5  # slow enough that a ball stays in view from one look at the state to the next
GLANCES = ((0.0, 0.35), (1.1, 0.3), (1.1, 0.8), (0.0, 0.8), (-1.1, 0.8), (-1.1, 0.3))
GLANCE_S = 0.9
FRESH_S, LOST_S = 1.5, 3.0
AIMED_RAD = 0.2
EYE_M = 0.75  # the head camera above the ball's middle
LIE_STILL_S, LIES_MPS, STANDS_S = 2.0, 0.1, 1.0
GET_UP_TRIES = 4


class Humanoid(Protocol):
    """What these providers ask of a robot; angles in radians, REP 103."""

    limits: Limits

    @property
    def pose(self) -> Pose: ...
    @property
    def speed_mps(self) -> float: ...
    @property
    def stable(self) -> bool: ...
    @property
    def fallen(self) -> bool: ...
    @property
    def kicking(self) -> bool: ...
    @property
    def getting_up(self) -> bool: ...
    def set_walk(self, vx_mps: float, vy_mps: float, wz_radps: float) -> None: ...
    def stop_walking(self) -> None: ...
    def start_kick(self, foot: str) -> None: ...
    def set_head(self, pan_rad: float, tilt_rad: float) -> None: ...
    def wave(self, on: bool) -> None: ...
    def start_get_up(self) -> None: ...


class BallSense(Protocol):
    """Keeps an eye on the ball."""

    @property
    def ball(self) -> BallState: ...


def soccer_providers(robot: Humanoid, estimate: BallSense, aim: Pose | None = None) -> list[Provider]:
    """All providers for one robot: the resources, the motions that hold them, the tasks, and the way up again. `aim` is
    where kicks should go; None kicks in the direction of the approach."""
    play, looks, recovery = Play(robot, estimate, aim), Looks(estimate), Recovery(robot)
    return [
        Provider("Legs"),
        Provider("Head"),
        Provider("Arms"),
        Provider("Walk", lambda run: robot.set_walk(*run.data), needs=("Legs",), name="Walk: step"),
        Provider("Walk", lambda run: robot.stop_walking(), needs=("Legs",), causing={STABLE: 1}, name="Walk: stop"),
        Provider("Walk", lambda run: robot.stop_walking(), word=Word.STOP),
        Provider("Kick", play.kick, needs=("Legs",), when=(When(STABLE, bool, "standing stable"),)),
        Provider("Look", lambda run: robot.set_head(*run.data), needs=("Head",)),
        Provider("WalkToBall", play.walk_to_ball),
        Provider("KickBall", play.kick_ball),
        Provider("TurnOnSpot", lambda run: run.emit("Walk", (0.0, 0.0, TURN_RADPS))),
        Provider("StandStill", lambda run: robot.stop_walking(), needs=("Legs",)),
        Provider("LookAround", looks.around),
        Provider("LookAtBall", looks.at_ball),
        Provider("Wave", lambda run: robot.wave(True), needs=("Arms",)),
        Provider("Wave", lambda run: robot.wave(False), word=Word.STOP),
        Provider("FallRecovery", recovery.watch, hears=(FALLEN,)),
        Provider("GetUp", recovery.get_up, needs=("Legs", "Head", "Arms")),
    ]


async def watch_robot(robot: Humanoid, tell: Callable[[str, int], None], send: Callable[[str, Any], None]) -> None:
    """Tell the executive at the IMU's rate what changes: the state `stable`, the message `fallen`.

    A kick counts as stable from its stance to a moment after its end: it must not forbid itself.
    """
    clock = asyncio.get_running_loop()
    stable, fallen, kicked_s = None, None, -math.inf
    while True:
        kicked_s = clock.time() if robot.kicking else kicked_s
        now_stable = robot.stable or bool(stable and not robot.fallen and clock.time() - kicked_s < 0.5)
        if now_stable is not stable:
            stable = now_stable
            tell(STABLE, int(stable))
        if robot.fallen is not fallen:
            fallen = robot.fallen
            send(FALLEN, fallen)
        await asyncio.sleep(IMU_S)


class Play:
    """Walking to the ball and kicking it, which come to an end; the other tasks last until taken back.

    None is done in the very call that asks for it: a planner that repeats a wish at once would go round for ever.
    """

    def __init__(self, robot: Humanoid, estimate: BallSense, aim: Pose | None) -> None:
        self._robot, self._estimate, self._aim = robot, estimate, aim
        self._there = False
        self._kick: Task | None = None

    def walk_to_ball(self, run: Run) -> None:
        """Steer to the ball, eyes on it, until it lies where a foot can kick it; stand while it is lost."""
        run.wait(STEER_S)
        ball = self._estimate.ball
        if ball.pose is None or ball.unseen_s is None or ball.unseen_s > LOST_S:
            return
        run.emit("Look", _gaze(ball), optional=True)
        velocity = approach(self._robot.pose, ball.pose, self._aim, self._there)
        self._there = velocity is None
        if velocity is not None:
            run.emit("Walk", velocity)
        elif self._robot.stable and run.reason is not RunReason.NEW_TASK:
            run.done()

    def kick_ball(self, run: Run) -> None:
        """Kick once when a foot can reach the ball; until then ask for nothing, so that others may use the legs."""
        if run.child and run.child[0].type == "Kick":
            self._kick = None
            run.done()
            return
        run.wait(STEER_S)
        ball = self._estimate.ball
        fresh = ball.unseen_s is not None and ball.unseen_s < FRESH_S
        foot = foot_for(self._robot.pose, ball.pose) if ball.pose and fresh else None
        if self._kick and not self._robot.kicking and foot != self._kick.data:
            self._kick = None
        if not self._kick and foot and (self._robot.stable or self._aims(ball)):
            self._kick = Task("Kick", foot)
        if self._kick:
            run.emit(self._kick)

    def _aims(self, ball: BallState) -> bool:
        """Does it face the right way? While it still walks, the walk may be about to turn it."""
        if self._aim is None or ball.pose is None:
            return True
        line = replace(ball.pose, yaw_rad=self._robot.pose.yaw_rad)
        return abs(line.bearing_rad(self._aim)) < AIMED_RAD

    async def kick(self, run: Run) -> None:
        """The swing itself."""
        await kicked(self._robot, run.data)
        run.done()


async def kicked(robot: Humanoid, foot: str) -> None:
    """One swing, to its end. Raises `SkillFailed` where it fell over."""
    robot.start_kick(foot)
    while robot.kicking:
        await asyncio.sleep(IMU_S)
    if robot.fallen:
        raise SkillFailed("fell over while kicking")


async def settled(so: Callable[[], bool], within_s: float) -> bool:
    """Wait until something is so, for so long at most; whether it is."""
    for _ in range(round(within_s / IMU_S)):
        if so():
            return True
        await asyncio.sleep(IMU_S)
    return so()


class Looks:
    """The tasks of the head."""

    def __init__(self, estimate: BallSense) -> None:
        self._estimate = estimate
        self._glance = 0

    def around(self, run: Run) -> None:
        """One glance after the other, low and high, left and right."""
        run.emit("Look", GLANCES[self._glance % len(GLANCES)])
        self._glance += 1
        run.wait(GLANCE_S)

    def at_ball(self, run: Run) -> None:
        """Follow the ball; hold still where it is lost."""
        ball = self._estimate.ball
        if ball.unseen_s is not None and ball.unseen_s < LOST_S:
            run.emit("Look", _gaze(ball))
        run.wait(STEER_S)


class Recovery:
    """Getting up, whatever else goes on."""

    def __init__(self, robot: Humanoid) -> None:
        self._robot = robot
        self._rise: Task | None = None

    def watch(self, run: Run) -> None:
        """Ask for a get-up while lying; hold nothing otherwise."""
        if run.child or not (self._robot.fallen or self._robot.getting_up):
            self._rise = None
        if self._robot.fallen or self._robot.getting_up:
            self._rise = self._rise or Task("GetUp")
            run.emit(self._rise)

    async def get_up(self, run: Run) -> None:
        """Wait until it lies still, get up, and stand; try again when that went wrong."""
        for _ in range(GET_UP_TRIES):
            await settled(lambda: self._robot.speed_mps < LIES_MPS or self._robot.getting_up, LIE_STILL_S)
            if self._robot.fallen:
                self._robot.start_get_up()
            while self._robot.getting_up:
                await asyncio.sleep(IMU_S)
            if await settled(lambda: self._robot.stable, STANDS_S) or not self._robot.fallen:
                run.done()
                return
        raise SkillFailed(f"could not get up in {GET_UP_TRIES} tries")


def _gaze(ball: BallState) -> tuple[float, float]:
    """Pan and tilt (rad) that bring the ball to the middle of the picture."""
    return ball.bearing_rad or 0.0, math.atan2(EYE_M, ball.distance_m or 1.0)
