"""A small quadrotor as a physical thing: airframe, rotors, air, battery, and what it touches.

About a Tello: 80 g, 18 cm across, thirteen minutes of hovering. MuJoCo moves it: four rotors push at their places with
the lag of a real motor, the air drags and blows, and whatever it hits, hits back. Nothing here sets a position.
"""

import math
import random
from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np

from sayso.robots.drone.world import autopilot
from sayso.robots.drone.world.trajectory import Trajectory
from sayso.scene import Pose, wrap
from sayso.world import Touch
from sayso.worlds.scenery import about_z, described

BODY = "drone"
CAMERA = "drone front"
HULL_HALF_HEIGHT_M = 0.02
DRAG_LINEAR = 0.02  # N per m/s: rotors in cross flow
DRAG_SQUARE = 0.006  # N per (m/s)²: the body
HOVER_N, HOVER_ENDURANCE_S = autopilot.MASS_KG * autopilot.GRAVITY / 4, 780.0  # of one rotor; of a battery
IDLE_SHARE = 0.08  # of the hovering power, drawn by electronics and camera at all times
TILT_LOST = math.cos(math.radians(75))
TOUCH_PAUSE_S = 0.5  # a scrape along one thing is one touch

REACH_M = 8.0  # of its range sensors
RANGE_HALF_WIDTH_M, RANGE_HALF_HEIGHT_M = 0.12, 0.05
LEVEL = tuple((side, up) for side in (-1.0, -0.5, 0.0, 0.5, 1.0) for up in (-1.0, 0.0, 1.0))
STEEP = RANGE_HALF_WIDTH_M * np.array(
    [(0.0, 0.0, 0.0), *((math.cos(a), math.sin(a), 0.0) for a in (i * math.pi / 4 for i in range(8)))]
)


def add_quadrotor(spec: mujoco.MjSpec, pose: Pose) -> None:
    """Put the drone into `spec`: a free body with hull, rotors, camera and four motors."""
    body = spec.worldbody.add_frame().attach_body(described(__file__, "quadrotor").body("body"), "drone ", "")
    body.name, body.pos, body.quat = BODY, [pose.x_m, pose.y_m, pose.z_m], about_z(pose.yaw_rad)


class Wind:
    """A steady wind from one side with gusts of a third of its strength, alike for alike seeds."""

    GUST_S = 1.2

    def __init__(self, speed_mps: float, seed: int) -> None:
        self._random = random.Random(seed * 2654435761 + 17)
        towards = self._random.uniform(-math.pi, math.pi)
        self._mean = (speed_mps * math.cos(towards), speed_mps * math.sin(towards))
        self._gust = [0.0, 0.0]
        self._strength = speed_mps / 3

    def blow(self, dt_s: float) -> tuple[float, float]:
        """The air's velocity in the world frame, `dt_s` later."""
        if self._strength <= 0.0:
            return 0.0, 0.0
        fade = dt_s / self.GUST_S
        kick = self._strength * math.sqrt(2 * fade)
        for i in range(2):
            self._gust[i] += -self._gust[i] * fade + kick * self._random.gauss(0.0, 1.0)
        return self._mean[0] + self._gust[0], self._mean[1] + self._gust[1]


class Quadrotor:
    """The flying machine. Whoever flies it has it `fly` a trajectory; `step` is one tick of physics."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, wind: Wind, names: Mapping[int, tuple[str, str]]):
        self._model, self._data, self._wind = model, data, wind
        self._names = names
        body = model.body(BODY)
        self.body_id = int(body.id)
        self._hull_id = int(model.geom("drone hull").id)
        joint = model.joint(int(body.jntadr[0]))
        self._qpos = data.qpos[joint.qposadr[0] : joint.qposadr[0] + 7]
        self._qvel = data.qvel[joint.dofadr[0] : joint.dofadr[0] + 6]
        self._push = data.xfrc_applied[self.body_id]
        self._dt_s = float(model.opt.timestep)
        self._autopilot = autopilot.Autopilot()
        self.trajectory: Trajectory | None = None
        self._began_s = 0.0
        self._tilted_s = 0.0
        self._last_touch: dict[str, float] = {}
        self.setpoint = autopilot.Setpoint()
        self.armed = False
        self.crashed = False
        self.charge = 1.0
        self.touches: list[Touch] = []
        self.bumps: list[tuple[float, float]] = []
        self.floor_is_home = True

    @property
    def now_s(self) -> float:
        return float(self._data.time)

    @property
    def flown_s(self) -> float:
        """How long the present trajectory has been flown."""
        return self.now_s - self._began_s

    def fly(self, trajectory: Trajectory) -> None:
        """Follow `trajectory` from this moment, in place of whatever was flown."""
        self.trajectory, self._began_s = trajectory, self.now_s

    def arm(self) -> None:
        """Start the rotors, to hold where the drone stands."""
        self.setpoint = autopilot.Setpoint(self.pose())
        self._autopilot.reset()
        self.trajectory = None
        self.armed = True

    def disarm(self) -> None:
        """Stop the rotors."""
        self.armed, self.trajectory = False, None
        self._data.ctrl[:4] = 0.0
        self._push[:3] = 0.0

    def spin_up(self) -> None:
        """Rotors already at hovering thrust, for a mission that starts in the air."""
        self.arm()
        self._data.act[:4] = HOVER_N

    def pose(self) -> Pose:
        x, y, z, qw, qx, qy, qz = self._qpos.tolist()
        yaw = math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz))
        return Pose(x, y, z, wrap(yaw))

    def velocity(self) -> tuple[float, float, float]:
        """Metres per second in the world frame."""
        vx, vy, vz = self._qvel[:3].tolist()
        return vx, vy, vz

    def turn_radps(self) -> float:
        """About its own upright axis; positive is left."""
        return float(self._qvel[5])

    def free_m(self, way: tuple[float, float, float]) -> float:
        """What a ring of range sensors would measure: metres from the drone's centre along a unit vector of the world
        to the nearest surface in its way.

        A single ray slips between the legs of a chair. Parallel rays over the drone's cross section do not: whatever
        the drone could not pass, at least one of them meets.
        """
        centre, hit = self._qpos[:3], np.zeros(1, dtype=np.int32)
        rays = (
            mujoco.mj_ray(self._model, self._data, centre + aside, np.array(way), None, 1, self.body_id, hit)
            for aside in _cross_section(*way[:2])
        )
        return min([REACH_M, *(float(far_m) for far_m in rays if far_m >= 0.0)])

    def touching(self) -> bool:
        """Whether the hull rests on or against anything."""
        return any(self._hull_id in pair for pair in self._data.contact.geom.tolist())

    def step(self) -> None:
        """One physics step: guidance, control, air, battery, then MuJoCo."""
        if self.armed:
            self._control()
        mujoco.mj_step(self._model, self._data)
        self._drain()
        if self._data.ncon:
            self._feel()

    def _control(self) -> None:
        if self.trajectory is not None:
            self.setpoint = self.trajectory.at(self.flown_s)
        pose, motion = self._qpos.tolist(), self._qvel.tolist()
        self._data.ctrl[:4] = self._autopilot.thrusts(self.setpoint, pose, motion, self._dt_s)
        wx, wy = self._wind.blow(self._dt_s)
        rx, ry, rz = motion[0] - wx, motion[1] - wy, motion[2]
        drag = -(DRAG_LINEAR + DRAG_SQUARE * math.sqrt(rx * rx + ry * ry + rz * rz))
        self._push[:3] = (drag * rx, drag * ry, drag * rz)
        self._watch_tilt(1 - 2 * (pose[4] * pose[4] + pose[5] * pose[5]))

    def _watch_tilt(self, upright: float) -> None:
        """A drone on its side cannot lift itself: stop the rotors."""
        self._tilted_s = self._tilted_s + self._dt_s if upright < TILT_LOST else 0.0
        if self._tilted_s > 0.3:
            self.disarm()
            self.crashed = True

    def _drain(self) -> None:
        share = IDLE_SHARE
        if self.armed:
            thrusts = self._data.act[:4].tolist()
            share += (1 - IDLE_SHARE) * sum([(thrust / HOVER_N) ** 1.5 for thrust in thrusts if thrust > 0.0]) / 4
        self.charge = max(0.0, self.charge - share * self._dt_s / HOVER_ENDURANCE_S)
        if self.charge <= 0.0 and self.armed:
            self.disarm()

    def _feel(self) -> None:
        """Note what the hull touches; the floor only where it is no place to be."""
        for first, second in self._data.contact.geom.tolist():
            if self._hull_id not in (first, second):
                continue
            other = second if first == self._hull_id else first
            thing, label = self._names.get(other, ("", "room"))
            if label == "floor" and self.floor_is_home:
                continue
            if self.now_s - self._last_touch.get(thing, -math.inf) > TOUCH_PAUSE_S:
                x, y = self._qpos[:2].tolist()
                self.touches.append(Touch(label, self.now_s))
                self.bumps.append((x, y))
            self._last_touch[thing] = self.now_s


def _cross_section(x: float, y: float) -> Any:
    """Where the parallel rays of a direction start, relative to the centre: (n, 3)."""
    if (flat := math.hypot(x, y)) < 0.5:
        return STEEP
    left = np.array([-y / flat * RANGE_HALF_WIDTH_M, x / flat * RANGE_HALF_WIDTH_M, 0.0])
    return [side * left + [0.0, 0.0, up * RANGE_HALF_HEIGHT_M] for side, up in LEVEL]
