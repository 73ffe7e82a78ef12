"""The humanoid's head camera: where it looks from, and which things are hidden.

This is the sensor's geometry and nothing more. Field of view, range, misses and noise are the detector's
(`robots/humanoid/ball.py`), which takes any object with these methods.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import mujoco
import numpy as np

from sayso.robots.humanoid.ball import Vector
from sayso.robots.humanoid.world.body import PREFIX
from sayso.scene import Pose

BALL_RADIUS_M = 0.07
GOAL_X_M, GOAL_HALF_M, GOAL_TOP_M = 4.5, 1.3, 1.2


class HeadCamera:
    """The camera between the eyes, and rays from it. `now_s` is the time of the last frame that could have been taken,
    `observer` where the robot believes it stands."""

    def __init__(self, model: Any, data: Any, now_s: Callable[[], float], observer: Callable[[], Pose]) -> None:
        self._model, self._data = model, data
        self.now_s, self.observer = now_s, observer
        self._camera = int(model.camera(PREFIX + "eye").id)
        self._head = int(model.body(PREFIX + "head").id)
        self._ball = int(model.geom("ball").id)

    def axes(self) -> tuple[Vector, Vector, Vector, Vector]:
        """Position, and the unit vectors forward, left and up of the image, in the world frame."""
        m = self._data.cam_xmat[self._camera].tolist()
        x, y, z = self._data.cam_xpos[self._camera].tolist()
        return (x, y, z), (-m[2], -m[5], -m[8]), (-m[0], -m[3], -m[6]), (m[1], m[4], m[7])

    def things(self) -> Mapping[str, tuple[Vector, float]]:
        """Centre (m, world frame) and half width (m) of all that a detector here is trained for."""
        x, y, z = self._data.geom_xpos[self._ball].tolist()
        return {
            "ball": ((x, y, z), BALL_RADIUS_M),
            "opponent goal": ((GOAL_X_M, 0.0, GOAL_TOP_M / 2), GOAL_HALF_M),
            "own goal": ((-GOAL_X_M, 0.0, GOAL_TOP_M / 2), GOAL_HALF_M),
        }

    def open_share(self, centre: Vector, half_m: float) -> float:
        """How much of a thing of this size is not hidden: rays to its middle and near both sides, 0 to 1."""
        at = self.axes()[0]
        dx, dy = centre[0] - at[0], centre[1] - at[1]
        flat = math.hypot(dx, dy) or 1.0
        aside = (-dy / flat * 0.8 * half_m, dx / flat * 0.8 * half_m)
        targets = [(centre[0] + k * aside[0], centre[1] + k * aside[1], centre[2]) for k in (-1, 0, 1)]
        return sum(self._free(at, target, half_m) for target in targets) / 3

    def _free(self, start: Vector, end: Vector, half_m: float) -> bool:
        way = np.array(end) - np.array(start)
        length = float(np.linalg.norm(way))
        hit = np.zeros(1, np.int32)
        far = mujoco.mj_ray(
            self._model, self._data, np.array(start), way / max(length, 1e-9), None, True, self._head, hit
        )
        return bool(far < 0 or far > length - 1.1 * half_m or hit[0] == self._ball)
