"""The soccer world: a kid-size field, a ball that rolls and stops, and a humanoid that can be pushed over.

All of it is physics: the ball, every contact (a kick is a moving foot that meets the ball, or misses it), the servos
and their limits, the walk on its own two feet (`gait`), pushes, falls, the lying and the getting up, what the head
camera can see past obstacles. Nothing but a push of the world holds or moves the robot from outside. What is left out:
its limbs meet each other only at the feet. The seed says how its servos are mounted, how the carpet grips and how it
leans at first.

Physics runs at 360 Hz and servos, IMU and referee at 90 Hz, only inside `run`, on the time of the running loop.
"""

import asyncio
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from typing import Any, ClassVar

import mujoco

from sayso.errors import UsageError
from sayso.robots.humanoid.ball import VIEW_RAD, BallDetector, in_frame
from sayso.robots.humanoid.world.body import GAIT, JOINTS, PREFIX, STAND_M, STANDING, Body
from sayso.robots.humanoid.world.eye import BALL_RADIUS_M, HeadCamera
from sayso.robots.humanoid.world.referee import FIELD_HALF_M, GameTruth, Referee
from sayso.robots.humanoid.world.sim import IMU_HZ, SimHumanoid
from sayso.scene import Pose
from sayso.worlds.draw import Chart
from sayso.worlds.physics import Physical
from sayso.worlds.scenery import about_z

TICK_S, STEPS_PER_TICK = 1 / IMU_HZ, 4
EYE = PREFIX + "eye"
LEAN_RAD = 0.02
GRIP = (0.65, 1.0)  # friction of a sole on this carpet, by seed
SETTLE_TICKS = 90  # before a game begins, it stands
THROW_IN_S, THROW_IN_M = 2.0, 0.3
CENTRE_CIRCLE_M = 0.75
"""Where the ball lies at the start, behind the robot that faces its own goal."""

CARPET, LINE, GOAL, COLUMN = (46, 120, 58), (235, 240, 235), (250, 210, 60), (60, 60, 70)
ROBOT, FALLEN, ROBOT_TRAIL = (222, 92, 30), (150, 20, 20), (255, 170, 120)
BALL, BALL_EDGE, BALL_TRAIL = (255, 255, 255), (20, 20, 20), (250, 250, 250)
CARPET_M, SIGHT_M = (11.0, 8.0), 1.0
ROBOT_M, BALL_M = 0.14, 0.09  # their radii here


class Soccer(Physical):
    """One humanoid, one ball.

    Without `robot_at` and `ball_at` (metres; yaw in radians) the game is set up as in the paper, a little varied by
    `seed`: the robot on the centre line facing its own goal, the ball on the centre circle behind it. `obstacles` are
    columns of 0.3 m diameter, wide and high enough to hide a ball. A ball that went out (and into no goal) is laid back
    inside the line after two seconds, where it left.
    """

    name: ClassVar[str] = "soccer"
    step_s: ClassVar[float] = TICK_S
    tick_s: ClassVar[float] = TICK_S
    stretch_s: ClassVar[float] = 1.0
    robot: SimHumanoid
    perception: BallDetector

    def __init__(
        self,
        seed: int = 0,
        robot_at: Pose | None = None,
        ball_at: tuple[float, float] | None = None,
        obstacles: Sequence[tuple[float, float]] = (),
    ) -> None:
        chance = random.Random(seed)
        self.obstacles = tuple(obstacles)
        super().__init__(_model(self.obstacles))
        usual_robot, usual_ball = _kick_off(chance)
        self._put_robot(robot_at or usual_robot, chance)
        self._put_ball(ball_at or usual_ball)
        mujoco.mj_forward(self.model, self.data)
        self._push: tuple[float, float, float] = (0.0, 0.0, 0.0)
        self._body = Body(self.model, self.data, chance)
        self.robot = SimHumanoid(self._body, seed)
        self.eye = HeadCamera(self.model, self.data, lambda: self.time_s, lambda: self.robot.pose)
        self.robot.camera = lambda width_px, height_px: self.photograph(EYE, width_px, height_px)
        self.perception = BallDetector(self.eye, seed)
        self._thrown = 0
        self._referee = Referee(self.model, self.data, self._body)
        for _ in range(SETTLE_TICKS):
            self._move()
        self._settled_s = float(self.data.time)

    async def run(self) -> None:
        """Keep up with the loop's time; the perception runs beside it."""
        async with asyncio.TaskGroup() as group:
            group.create_task(super().run())
            group.create_task(self.perception.run())

    def step(self) -> None:
        self._move()
        self._referee.note(self.time_s)
        self._return_ball()

    def _move(self) -> None:
        for _ in range(STEPS_PER_TICK):
            self._apply_push()
            mujoco.mj_step(self.model, self.data)
            self._referee.touch(self.time_s)
        self.robot.sense(TICK_S)
        self._body.tick(TICK_S)

    def _return_ball(self) -> None:
        out = self._referee.ledger.out
        if self._thrown == len(out) or self.time_s < out[-1].at_s + THROW_IN_S:
            return
        self._thrown = len(out)
        half_x, half_y = (half - THROW_IN_M for half in FIELD_HALF_M)
        x, y = out[-1].x_m, out[-1].y_m
        self.put_ball(max(-half_x, min(half_x, x)), max(-half_y, min(half_y, y)))

    def push(self, fx_n: float, fy_n: float, duration_s: float) -> None:
        """Push the robot at its chest with a horizontal force in the world frame. A later push replaces this one."""
        if not all(map(math.isfinite, (fx_n, fy_n, duration_s))):
            raise UsageError(f"a push must be finite, not ({fx_n}, {fy_n}, {duration_s})")
        self._push = (fx_n, fy_n, self.time_s + duration_s)
        self._referee.pushed(self.time_s + duration_s)

    def put_ball(self, x_m: float, y_m: float) -> None:
        """Lay the ball down there, at rest."""
        self._put_ball((x_m, y_m))
        mujoco.mj_forward(self.model, self.data)

    def truth(self) -> GameTruth:
        return self._referee.truth(self.time_s, in_frame(self.eye))

    def really(self) -> tuple[Pose, float]:
        return self._referee.really()

    def overview(self, width_px: int = 640, height_px: int = 480) -> Any:
        """The field from above: lines, goals, the ways of robot and ball, the robot and where it looks."""
        truth, chart = self.truth(), Chart(CARPET_M, width_px, height_px, paper=CARPET)
        _draw_field(chart)
        for column in self.obstacles:
            chart.disc(column, 0.15, COLUMN)
        chart.line([pose.xy for pose in (*self.trail, truth.pose)], ROBOT_TRAIL)
        chart.line(self._referee.ball_trail, BALL_TRAIL)
        chart.sight(replace(truth.pose, yaw_rad=truth.pose.yaw_rad + self.robot.head[0]), VIEW_RAD / 2, SIGHT_M)
        chart.robot(truth.pose, ROBOT_M, FALLEN if truth.fallen else ROBOT)
        chart.disc(truth.ball.xy, BALL_M, BALL, BALL_EDGE)
        books = truth.books
        goals = f"{len(books.goals)} goals, " if books.goals else ""
        chart.titles(f"{goals}{len(books.kicks)} kicks, {len(books.falls)} falls", f"{truth.time_s:.1f} s", LINE)
        return chart.picture()

    def _apply_push(self) -> None:
        """The one force from outside, for as long as it lasts."""
        fx, fy, until_s = self._push
        self.data.xfrc_applied[:] = 0.0
        if self.time_s < until_s:
            self._body.push(fx, fy)

    def _put_robot(self, at: Pose, chance: random.Random) -> None:
        """On its feet there, leaning a little, on a carpet that grips more or less."""
        adr = int(self.model.joint(PREFIX + "base").qposadr[0])
        half = (GAIT.pitch + chance.uniform(-LEAN_RAD, LEAN_RAD)) / 2
        c, _, _, s = about_z(at.yaw_rad)
        turned = (c * math.cos(half), -s * math.sin(half), c * math.sin(half), s * math.cos(half))
        self.data.qpos[adr : adr + 7] = (*at.xy, STAND_M, *turned)
        for name, angle in zip(JOINTS, STANDING, strict=True):
            self.data.qpos[int(self.model.joint(PREFIX + name).qposadr[0])] = angle
        grip = chance.uniform(*GRIP)
        for side in ("left", "right"):
            self.model.geom(f"{PREFIX}{side}_foot").friction[0] = grip

    def _put_ball(self, at: tuple[float, float]) -> None:
        joint = self.model.joint("ball")
        q, v = int(joint.qposadr[0]), int(joint.dofadr[0])
        self.data.qpos[q : q + 7] = (*at, BALL_RADIUS_M, 1.0, 0.0, 0.0, 0.0)
        self.data.qvel[v : v + 6] = 0.0


def _kick_off(chance: random.Random) -> tuple[Pose, tuple[float, float]]:
    robot = Pose(chance.uniform(-0.05, 0.05), chance.uniform(-0.05, 0.05), 0.0, math.pi + chance.uniform(-0.15, 0.15))
    around = chance.uniform(-0.2, 0.2)
    return robot, (CENTRE_CIRCLE_M * math.cos(around), CENTRE_CIRCLE_M * math.sin(around))


def _model(obstacles: Sequence[tuple[float, float]]) -> Any:
    """Field and robot, composed from their scene files."""
    with resources.as_file(resources.files(__package__) / "scenes") as folder:
        field = mujoco.MjSpec.from_file(str(folder / "field.xml"))
        robot, left, right = (mujoco.MjSpec.from_file(str(folder / "humanoid.xml")) for _ in range(3))
    for side, limbs in (("left_", left), ("right_", right)):
        for limb in ("upper_arm", "thigh"):
            robot.body("torso").add_frame().attach_body(limbs.body(limb), side, "")
    for mirrored in (robot.body("right_upper_arm"), robot.body("right_thigh"), robot.geom("right_foot")):
        mirrored.pos[1] *= -1
    low, high = robot.joint("right_shoulder_roll").range
    robot.joint("right_shoulder_roll").range = (-high, -low)
    for joint in [j for j in robot.joints if j.type == mujoco.mjtJoint.mjJNT_HINGE]:
        robot.add_actuator(joint.classname, name=joint.name, target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    field.worldbody.add_frame().attach_body(robot.body("torso"), PREFIX, "")
    for index, (x, y) in enumerate(obstacles):
        field.worldbody.add_geom(
            name=f"column_{index}", type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[0.15, 0.4, 0], pos=[x, y, 0.4],
            contype=1, conaffinity=3, rgba=[0.3, 0.3, 0.35, 1],
        )  # fmt: skip
    return field.compile()


def _draw_field(chart: Chart) -> None:
    chart.line([(-4.5, -3.0), (4.5, -3.0), (4.5, 3.0), (-4.5, 3.0), (-4.5, -3.0)], LINE)
    chart.line([(0.0, -3.0), (0.0, 3.0)], LINE)
    chart.disc((0.0, 0.0), 0.75, None, LINE)
    for side in (-1, 1):
        chart.line([(4.5 * side, -1.3), (5.1 * side, -1.3), (5.1 * side, 1.3), (4.5 * side, 1.3)], GOAL, 4)
