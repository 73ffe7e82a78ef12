"""A person's body in a model: what standing, sitting, lying, waving and pointing look like.

The parts never change their size, only their place, so that a person can sit down or raise an arm while the world runs.
A low cylinder, unseen by cameras, is what the robot and its lidar meet.
"""

import math
from collections.abc import Mapping

import mujoco
import numpy as np

from sayso.scene import Pose
from sayso.worlds.scenery import Rgb, about_z, described

Point = tuple[float, float, float]

PARTS = ("torso", "head", "hair", "left leg", "right leg", "left arm", "right arm", "stool", "feet")
ARM_M, LEG_M = 0.52, 0.72
SIT_M = 0.42
AWAY: Point = (0.0, 0.0, -3.0)
"""Where a part is that is not there."""

VOICE_M = {"standing": 1.55, "sitting": 1.15, "lying": 0.2}
"""Height of the mouth above what the person stands or lies on."""

HAND_M = {"standing": 0.95, "sitting": 0.70, "lying": 0.25}


def add_person(spec: mujoco.MjSpec, name: str, gender: str, shirt: Rgb, paints: Mapping[str, Rgb]) -> None:
    """One mocap body, named after the person, its parts wherever; `Body.show` puts them in place."""
    body = spec.worldbody.add_frame().attach_body(described(__file__, "person").body("body"), f"{name} ", "")
    body.name = name
    looks = {"arm": shirt, "torso": shirt, "head": paints["skin"], "leg": paints["jeans"], "stool": paints["oak"]}
    for geom in body.geoms[:-1]:
        geom.rgba = [*looks.get(geom.name.split()[-1], paints["hair"]), 1]
        if geom.name.endswith("hair") and gender == "female":
            geom.size = [0.125, 0, 0]


class Body:
    """A person's body while the world runs."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, name: str) -> None:
        self._model, self._data = model, data
        self.body_id = int(model.body(name).id)
        self._mocap = int(model.body_mocapid[self.body_id])
        self._geoms = {part: int(model.geom(f"{name} {part}").id) for part in PARTS}

    def place(self, pose: Pose) -> None:
        """Put the body there; `z_m` is what it stands or lies on."""
        self._data.mocap_pos[self._mocap] = (pose.x_m, pose.y_m, pose.z_m)
        self._data.mocap_quat[self._mocap] = about_z(pose.yaw_rad)

    def show(self, posture: str, gesture: str, sway: float = 0.0) -> None:
        """Take a posture and hold a gesture; `sway` (-1 to 1) moves a waving arm."""
        hip = {"standing": 0.84, "sitting": SIT_M + 0.06, "lying": 0.0}[posture]
        if posture == "lying":
            self._lie()
            shoulders, up = ((0.22, 0.2, 0.2), (0.22, -0.2, 0.2)), (0.4, 0.0, 0.92)
            rest = (-1.0, 0.0, 0.0)
        else:
            self._bar("torso", (0, 0, hip + 0.30), (0, 0, 1))
            self._put("head", (0.02, 0, hip + 0.74))
            self._put("hair", (-0.03, 0, hip + 0.78))
            down = (0.0, 0.0, -1.0) if posture == "standing" else (0.72, 0.0, -0.69)
            for part, y in (("left leg", 0.09), ("right leg", -0.09)):
                self._bar(part, (down[0] * LEG_M / 2, y, hip + down[2] * LEG_M / 2 - 0.02), down)
            shoulders, up = ((0.0, 0.2, hip + 0.50), (0.0, -0.2, hip + 0.50)), (0.1, 0.0, 1.0)
            rest = (0.1, 0.0, -1.0)
        self._put("stool", (-0.05, 0, SIT_M / 2) if posture == "sitting" else AWAY)
        self._put("feet", (0, 0, 0.22))
        for side, part, at in ((1, "left arm", shoulders[0]), (-1, "right arm", shoulders[1])):
            self._reach(part, at, _way(gesture, side, rest, up, sway))

    def _lie(self) -> None:
        self._bar("torso", (0.05, 0, 0.17), (1, 0, 0))
        self._put("head", (0.52, 0, 0.18))
        self._put("hair", (0.58, 0, 0.17))
        for part, y in (("left leg", 0.09), ("right leg", -0.09)):
            self._bar(part, (-0.35 - LEG_M / 2, y, 0.1), (1, 0, 0))

    def _put(self, part: str, at: Point) -> None:
        self._model.geom_pos[self._geoms[part]] = at

    def _bar(self, part: str, middle: Point, way: Point) -> None:
        self._put(part, middle)
        quat = np.zeros(4)
        length = math.sqrt(sum(v * v for v in way))
        mujoco.mju_quatZ2Vec(quat, np.array([v / length for v in way]))
        self._model.geom_quat[self._geoms[part]] = quat

    def _reach(self, part: str, shoulder: Point, way: Point) -> None:
        length = math.sqrt(sum(v * v for v in way))
        half = ARM_M / 2 / length
        (x, y, z), (dx, dy, dz) = shoulder, way
        self._bar(part, (x + dx * half, y + dy * half, z + dz * half), way)


def _way(gesture: str, side: int, rest: Point, up: Point, sway: float) -> Point:
    """Which way an arm points; side 1 is the left one."""
    mine = {"left": 1, "right": -1}.get(gesture.split(" ")[1] if " " in gesture else "right")
    if not gesture or mine != side:
        return rest[0], 0.12 * side, rest[2]
    if gesture.startswith("pointing"):
        return 0.15, float(side), 0.1
    if gesture == "waving":
        return up[0], 0.45 * side + 0.35 * sway, up[2]
    return up[0], 0.08 * side, up[2]
