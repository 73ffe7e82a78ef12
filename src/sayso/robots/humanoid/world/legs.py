"""The legs' geometry: from where a foot should be to the angles of its six joints, in closed form.

Hip yaw, roll and pitch meet in one point, and so do ankle pitch and roll. Metres and radians, REP 103; hinges about y
are positive nose-down.
"""

import math
from typing import TypeAlias

Leg: TypeAlias = tuple[float, float, float, float, float, float]
"""Hip yaw, hip roll, hip pitch, knee, ankle pitch, ankle roll."""

THIGH_M = SHANK_M = 0.2
HIP_M = 0.065  # from the middle to either hip
SOLE_M = 0.045  # ankle to sole


def leg(x: float, y: float, z: float, yaw: float = 0.0, pitch: float = 0.0, roll: float = 0.0) -> Leg:
    """Angles that put the ankle at (x, y, z) from the hip, in the trunk's frame, with the sole turned so (yaw, then
    pitch, then roll). What is too far away is pointed at."""
    ca, sa, cb, sb, cc, sc = *_cs(yaw), *_cs(pitch), *_cs(roll)
    ux, uy, uz = ca * cb, sa * cb, -sb  # the sole's axes in the trunk's frame
    vx, vy, vz = ca * sb * sc - sa * cc, sa * sb * sc + ca * cc, cb * sc
    wx, wy, wz = ca * sb * cc + sa * sc, sa * sb * cc - ca * sc, cb * cc
    fx, fy, fz = -(ux * x + uy * y + uz * z), -(vx * x + vy * y + vz * z), -(wx * x + wy * y + wz * z)
    ankle_roll = math.atan2(fy, fz)
    upright = math.hypot(fy, fz)
    reach = min(max(math.hypot(fx, upright), 0.1), THIGH_M + SHANK_M - 1e-4)
    bend = (reach * reach - THIGH_M * THIGH_M - SHANK_M * SHANK_M) / (2 * THIGH_M * SHANK_M)
    knee = math.acos(max(-1.0, min(1.0, bend)))
    ankle = math.atan2(-THIGH_M * math.sin(knee), SHANK_M + THIGH_M * math.cos(knee)) - math.atan2(fx, upright)
    (cf, sf), (cg, sg) = _cs(ankle_roll), _cs(ankle + knee)
    side_x, side_y, side_z = cf * vx - sf * wx, cf * vy - sf * wy, cf * vz - sf * wz
    up_z = sf * vz + cf * wz
    hip = math.atan2(-(uz * cg + up_z * sg), up_z * cg - uz * sg)
    hip_roll = math.asin(max(-1.0, min(1.0, side_z)))
    return math.atan2(-side_x, side_y), hip_roll, hip, knee, ankle, ankle_roll


def _cs(angle: float) -> tuple[float, float]:
    return math.cos(angle), math.sin(angle)
