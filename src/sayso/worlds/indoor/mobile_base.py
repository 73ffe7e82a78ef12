"""A base on two driven wheels: a body that slides and turns on the floor, driven by velocity, and its lidar.

The wheels themselves are not simulated: three joints carry the base over the floor, and velocity servos move it along
its heading and about its axis, with the acceleration of a small robot. It is a solid cylinder, so it stops at whatever
it drives into, and that is recorded. Any world on a flat floor can use it.
"""

import math

import mujoco
import numpy as np
from numpy.typing import NDArray

from sayso.scene import Pose, wrap
from sayso.worlds.scenery import described

FIXED, ROBOT, LOOSE, PERSON = 1, 2, 4, 8
"""Collision classes, as MuJoCo's bits. The robot meets what is fixed and people; loose things meet what is fixed and
each other, and are moved by a hand only."""

MEETS = {FIXED: 0, ROBOT: FIXED | PERSON, LOOSE: FIXED | LOOSE, PERSON: 0}
"""What each class collides with, where the other side does not say so itself."""


LIDAR_M, RAYS, SWEEP_RAD = 0.22, 90, math.radians(270)
"""The height of the lidar, and what it sweeps at a time."""

ACCEL_MPS2, ACCEL_RADPS2 = 1.0, 4.0


def add_base(spec: mujoco.MjSpec, at: Pose) -> mujoco.MjsBody:
    """Put a base into a model; what it carries is added to the body that this returns."""
    base = spec.worldbody.add_frame().attach_body(described(__file__, "base").body("base"), "base ", "")
    base.name = base.geoms[0].name = "base"
    base.pos = [*at.xy, 0.0]
    return base


class MobileBase:
    """Drives, and tells where it is. `drive` sets a wish; `tick` follows it within what the base can do."""

    radius_m, lidar_reach_m = 0.25, 6.0
    most_mps, most_radps = 0.8, 1.8

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, start: Pose) -> None:
        self.speed_mps = self.most_mps
        self._model, self._data, self._start = model, data, start
        self.body_id = int(model.body("base").id)
        first = model.joint("base x")  # and y and yaw, one behind the other
        self._q, self._v = (slice(int(at[0]), int(at[0]) + 3) for at in (first.qposadr, first.dofadr))
        self._servos = slice(servo := int(model.actuator("base x").id), servo + 3)
        self._yaw = self._q.stop - 1
        self._wish = (0.0, 0.0)
        self._now = (0.0, 0.0)
        data.qpos[self._yaw] = start.yaw_rad

    @property
    def pose(self) -> Pose:
        """The middle of the base on the floor."""
        x, y, yaw = self._data.qpos[self._q].tolist()
        return Pose(self._start.x_m + x, self._start.y_m + y, 0.0, wrap(yaw))

    @property
    def velocity(self) -> tuple[float, float]:
        """Forward (m/s) and turn rate (rad/s), measured."""
        vx, vy, wz = self._data.qvel[self._v].tolist()
        yaw = float(self._data.qpos[self._yaw])
        return math.cos(yaw) * vx + math.sin(yaw) * vy, wz

    @property
    def still(self) -> bool:
        forward, turn = self.velocity
        return abs(forward) < 0.02 and abs(turn) < 0.05 and self._wish == (0.0, 0.0)

    def drive(self, forward_mps: float, turn_radps: float) -> None:
        """Go on like this until told otherwise; cut to what the base can do."""
        self._wish = (
            max(-self.speed_mps, min(self.speed_mps, forward_mps)),
            max(-self.most_radps, min(self.most_radps, turn_radps)),
        )

    def stop(self) -> None:
        self._wish = (0.0, 0.0)

    def tick(self, dt_s: float) -> None:
        """Ramp towards the wish and set the servos."""
        forward = _ramped(self._now[0], self._wish[0], 2 * ACCEL_MPS2 * dt_s)
        turn = _ramped(self._now[1], self._wish[1], ACCEL_RADPS2 * dt_s)
        self._now = (forward, turn)
        yaw = float(self._data.qpos[self._yaw]) + turn * dt_s / 2
        self._data.ctrl[self._servos] = (forward * math.cos(yaw), forward * math.sin(yaw), turn)

    def scan(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """One sweep of the lidar: directions in the world (rad) and ranges from the axis (m), inf where nothing is met.

        It is a level plane at the lidar's height, so it sees legs, walls, doors and ankles, and no table tops.
        """
        pose = self.pose
        turns = pose.yaw_rad + np.linspace(-SWEEP_RAD / 2, SWEEP_RAD / 2, RAYS)
        ways = np.stack([np.cos(turns), np.sin(turns), np.zeros_like(turns)], axis=1)
        eye = np.array([*pose.xy, LIDAR_M])
        hit_m = np.full(RAYS, -1.0)
        geoms = np.full(RAYS, -1, dtype=np.int32)
        mujoco.mj_multiRay(
            self._model, self._data, eye, ways.ravel(), None, 1, self.body_id, geoms, hit_m, None, RAYS,
            self.lidar_reach_m,
        )  # fmt: skip
        return turns, np.where(hit_m >= 0, hit_m, np.inf)


def _ramped(now: float, wish: float, most: float) -> float:
    return now + max(-most, min(most, wish - now))
