"""A base on two driven wheels: a body that slides and turns on the floor, driven by velocity, and its lidar.

The wheels themselves are not simulated: three joints carry the base over the floor, and velocity servos move it along
its heading and about its axis, with the acceleration of a small robot. It is a solid cylinder, so it stops at whatever
it drives into, and that is recorded. Any world on a flat floor can use it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from sayso.scene import Pose, wrap

FIXED, ROBOT, LOOSE, PERSON = 1, 2, 4, 8
"""Collision classes, as MuJoCo's bits. The robot meets what is fixed and people; loose things meet what is fixed and
each other, and are moved by a hand only."""

MEETS = {FIXED: 0, ROBOT: FIXED | PERSON, LOOSE: FIXED | LOOSE, PERSON: 0}
"""What each class collides with, where the other side does not say so itself."""

UNSEEN = 4
"""The geom group of shapes that only contacts and the lidar know, left out of pictures and of the camera."""


@dataclass(frozen=True, slots=True)
class BaseShape:
    """Measures and abilities of a base."""

    radius_m: float = 0.25
    height_m: float = 0.30
    mass_kg: float = 35.0
    speed_mps: float = 0.8
    turn_radps: float = 1.8
    accel_mps2: float = 1.0
    turn_accel_radps2: float = 4.0
    lidar_m: float = 0.22
    lidar_reach_m: float = 6.0
    rays: int = 90
    sweep_rad: float = math.radians(270)


def add_base(spec: mujoco.MjSpec, at: Pose, shape: BaseShape) -> Any:
    """Put a base into a model; what it carries is added to the body that this returns."""
    base = spec.worldbody.add_body(name="base", pos=[at.x_m, at.y_m, 0.0])
    hinge, slide = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE
    joints = (("base x", slide, [1, 0, 0]), ("base y", slide, [0, 1, 0]), ("base yaw", hinge, [0, 0, 1]))
    for name, kind, axis in joints:
        base.add_joint(name=name, type=kind, axis=axis)
        servo = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        servo.set_to_velocity(kv=900.0 if kind == slide else 60.0)
        servo.forcerange, servo.forcelimited = ([-400, 400] if kind == slide else [-80, 80]), True
    base.add_geom(
        name="base",
        type=mujoco.mjtGeom.mjGEOM_CYLINDER,
        size=[shape.radius_m, shape.height_m / 2, 0],
        pos=[0, 0, 0.04 + shape.height_m / 2],
        mass=shape.mass_kg,
        rgba=[0.22, 0.24, 0.28, 1],
        contype=ROBOT,
        conaffinity=MEETS[ROBOT],
        friction=[0.1, 0.005, 0.0001],
    )
    return base


class MobileBase:
    """Drives, and tells where it is. `drive` sets a wish; `tick` follows it within what the base can do."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, start: Pose, shape: BaseShape) -> None:
        self.shape, self.speed_mps = shape, shape.speed_mps
        self._model, self._data, self._start = model, data, start
        self.body_id = int(model.body("base").id)
        joints = ("base x", "base y", "base yaw")
        self._q = [int(model.joint(name).qposadr[0]) for name in joints]
        self._v = [int(model.joint(name).dofadr[0]) for name in joints]
        self._servos = [int(model.actuator(name).id) for name in joints]
        self._wish = (0.0, 0.0)
        self._now = (0.0, 0.0)
        data.qpos[self._q[2]] = start.yaw_rad

    @property
    def pose(self) -> Pose:
        """The middle of the base on the floor."""
        x, y, yaw = (float(self._data.qpos[i]) for i in self._q)
        return Pose(self._start.x_m + x, self._start.y_m + y, 0.0, wrap(yaw))

    @property
    def velocity(self) -> tuple[float, float]:
        """Forward (m/s) and turn rate (rad/s), measured."""
        vx, vy, wz = (float(self._data.qvel[i]) for i in self._v)
        yaw = float(self._data.qpos[self._q[2]])
        return math.cos(yaw) * vx + math.sin(yaw) * vy, wz

    @property
    def still(self) -> bool:
        forward, turn = self.velocity
        return abs(forward) < 0.02 and abs(turn) < 0.05 and self._wish == (0.0, 0.0)

    def drive(self, forward_mps: float, turn_radps: float) -> None:
        """Go on like this until told otherwise; cut to what the base can do."""
        shape = self.shape
        self._wish = (
            max(-self.speed_mps, min(self.speed_mps, forward_mps)),
            max(-shape.turn_radps, min(shape.turn_radps, turn_radps)),
        )

    def stop(self) -> None:
        self._wish = (0.0, 0.0)

    def tick(self, dt_s: float) -> None:
        """Ramp towards the wish and set the servos."""
        forward = _ramped(self._now[0], self._wish[0], 2 * self.shape.accel_mps2 * dt_s)
        turn = _ramped(self._now[1], self._wish[1], self.shape.turn_accel_radps2 * dt_s)
        self._now = (forward, turn)
        yaw = float(self._data.qpos[self._q[2]]) + turn * dt_s / 2
        goal = (forward * math.cos(yaw), forward * math.sin(yaw), turn)
        for servo, value in zip(self._servos, goal, strict=True):
            self._data.ctrl[servo] = value

    def scan(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """One sweep of the lidar: directions in the world (rad) and ranges from the axis (m), inf where nothing is met.

        It is a level plane at the lidar's height, so it sees legs, walls, doors and ankles, and no table tops.
        """
        shape, pose = self.shape, self.pose
        turns = pose.yaw_rad + np.linspace(-shape.sweep_rad / 2, shape.sweep_rad / 2, shape.rays)
        ways = np.stack([np.cos(turns), np.sin(turns), np.zeros_like(turns)], axis=1)
        eye = np.array([pose.x_m, pose.y_m, shape.lidar_m])
        hit_m = np.full(shape.rays, -1.0)
        geoms = np.full(shape.rays, -1, dtype=np.int32)
        mujoco.mj_multiRay(
            self._model, self._data, eye, ways.ravel(), None, 1, self.body_id, geoms, hit_m, None, shape.rays,
            shape.lidar_reach_m,
        )  # fmt: skip
        return turns, np.where(hit_m >= 0, hit_m, np.inf)


def _ramped(now: float, wish: float, most: float) -> float:
    return now + max(-most, min(most, wish - now))
