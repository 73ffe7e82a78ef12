"""What a ring of range sensors would measure: free distance from the drone's centre, in any direction.

A single ray slips between the legs of a chair. Parallel rays over the drone's cross section do not: whatever the drone
could not pass, at least one of them meets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np

REACH_M = 8.0
HALF_WIDTH_M = 0.12
HALF_HEIGHT_M = 0.05

LEVEL = tuple((side, up) for side in (-1.0, -0.5, 0.0, 0.5, 1.0) for up in (-1.0, 0.0, 1.0))
STEEP = tuple((math.cos(a), math.sin(a)) for a in (i * math.pi / 4 for i in range(8)))


def free_m(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    own_body: int,
    centre: Sequence[float],
    direction: Sequence[float],
) -> float:
    """Metres from `centre` along the unit vector `direction` to the nearest surface in the drone's way."""
    ray = np.array(direction, dtype=np.float64)
    hit = np.zeros(1, dtype=np.int32)
    nearest = REACH_M
    for offset in _offsets(direction):
        start = np.array([c + o for c, o in zip(centre, offset, strict=True)])
        distance = mujoco.mj_ray(model, data, start, ray, None, 1, own_body, hit)
        if 0.0 <= distance < nearest:
            nearest = float(distance)
    return nearest


def _offsets(direction: Sequence[float]) -> list[tuple[float, float, float]]:
    """Where the parallel rays start, relative to the centre."""
    x, y, _ = direction
    flat = math.hypot(x, y)
    if flat < 0.5:
        return [(0.0, 0.0, 0.0), *((HALF_WIDTH_M * a, HALF_WIDTH_M * b, 0.0) for a, b in STEEP)]
    side = (-y / flat * HALF_WIDTH_M, x / flat * HALF_WIDTH_M)
    return [(side[0] * s, side[1] * s, HALF_HEIGHT_M * u) for s, u in LEVEL]
