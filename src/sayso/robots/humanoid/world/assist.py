"""The balance assist of the simulated humanoid, in place of a gait: a limited wrench on its torso.

While it holds, weight, traction and balance act as they would through the feet: support and traction at the point
between the soles, so that leaning, pushes and hard braking really try to overturn the body, and a righting torque
that is weaker than a big push. Beyond a tilt it lets go altogether and the body falls as it may. Getting up is a
stronger assist that lifts and turns the torso along a path of its own. All in plain floats: it runs at every step.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import TypeAlias

Vector: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]
Wrench: TypeAlias = tuple[float, float, float, float, float, float]
"""Force (N) at the torso's centre of mass, then torque (N m), in the world frame."""

NOTHING: Wrench = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
GRAVITY_MPS2 = 9.81


class Posture(enum.Enum):
    """What the assist does."""

    HELD = "the assist holds the body upright"
    LOOSE = "the assist has let go"
    RISING = "the assist lifts the body to its feet"


@dataclass(frozen=True, slots=True)
class Strength:
    """How much the assist can do. On one leg (a kick) it can do less, which is why a kick wants a stable stance."""

    righting_nm: float = 14.0
    traction_n: float = 45.0
    let_go_rad: float = 0.45


TWO_LEGS = Strength()
ONE_LEG = Strength(righting_nm=4.0, let_go_rad=0.1)


@dataclass(slots=True)
class Motion:
    """The torso now: position (m), attitude (w, x, y, z), velocity (m/s) and turn rate (rad/s) in the world frame."""

    at: Vector
    attitude: Quaternion
    velocity: Vector
    spin: Vector

    def turned(self, v: Vector) -> Vector:
        return rotate(self.attitude, v)

    @property
    def up(self) -> Vector:
        return rotate(self.attitude, (0.0, 0.0, 1.0))

    @property
    def tilt_rad(self) -> float:
        return math.acos(max(-1.0, min(1.0, self.up[2])))


def hold(now: Motion, wish: Vector, mass_kg: float, stand_m: float, centre_m: Vector, strength: Strength) -> Wrench:
    """Support, traction towards the velocity `wish` (vx, vy in m/s, wz in rad/s; world frame), and righting.

    `centre_m` is the torso's centre of mass in its own frame; the soles are `stand_m` below its origin.
    """
    up = now.up
    foot = now.turned((0.0, 0.0, -stand_m))
    foot_v = add(now.velocity, cross(now.spin, foot))
    weight_n = mass_kg * GRAVITY_MPS2
    lift = mass_kg * (250.0 * (stand_m * up[2] - now.at[2]) - 25.0 * now.velocity[2])
    force = (
        *_capped(12 * mass_kg * (wish[0] - foot_v[0]), 12 * mass_kg * (wish[1] - foot_v[1]), strength.traction_n),
        max(0.0, min(3 * weight_n, weight_n + lift)),
    )
    right_x, right_y = _capped(140 * up[1] - 18 * now.spin[0], -140 * up[0] - 18 * now.spin[1], strength.righting_nm)
    lever = cross(now.turned((-centre_m[0], -centre_m[1], -stand_m - centre_m[2])), force)
    yaw = max(-8.0, min(8.0, 4.0 * (wish[2] - now.spin[2])))
    return (*force, lever[0] + right_x, lever[1] + right_y, lever[2] + yaw)


def lift(now: Motion, place: Vector, attitude: Quaternion, mass_kg: float) -> Wrench:
    """Carry the torso towards a place and an attitude (getting up)."""
    pull = tuple(mass_kg * (60.0 * (p - q) - 14.0 * v) for p, q, v in zip(place, now.at, now.velocity, strict=True))
    weight_n = mass_kg * GRAVITY_MPS2
    fx, fy = _capped(pull[0], pull[1], weight_n)
    fz = max(0.0, min(3 * weight_n, weight_n + pull[2]))
    error = rotation_vector(multiply(attitude, conjugate(now.attitude)))
    tx, ty, tz = (max(-60.0, min(60.0, 90.0 * e - 14.0 * w)) for e, w in zip(error, now.spin, strict=True))
    return fx, fy, fz, tx, ty, tz


def upright(attitude: Quaternion) -> Quaternion:
    """The nearest upright attitude: turned by the shortest way, which decides where the robot faces when it is up."""
    up = rotate(attitude, (0.0, 0.0, 1.0))
    axis = cross(up, (0.0, 0.0, 1.0))
    sine = math.hypot(*axis)
    if sine < 1e-6:
        return attitude if up[2] > 0 else multiply((0.0, 1.0, 0.0, 0.0), attitude)
    half = math.atan2(sine, up[2]) / 2
    s = math.sin(half) / sine
    return multiply((math.cos(half), axis[0] * s, axis[1] * s, axis[2] * s), attitude)


def between(start: Quaternion, end: Quaternion, share: float) -> Quaternion:
    """Along the shortest turn from `start` to `end`."""
    turn = rotation_vector(multiply(end, conjugate(start)))
    angle = math.hypot(*turn)
    if angle < 1e-9:
        return end
    s = math.sin(angle * share / 2) / angle
    return multiply((math.cos(angle * share / 2), turn[0] * s, turn[1] * s, turn[2] * s), start)


def add(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def rotate(q: Quaternion, v: Vector) -> Vector:
    w, x, y, z = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (
        v[0] + w * tx + y * tz - z * ty,
        v[1] + w * ty + z * tx - x * tz,
        v[2] + w * tz + x * ty - y * tx,
    )


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def conjugate(q: Quaternion) -> Quaternion:
    return q[0], -q[1], -q[2], -q[3]


def rotation_vector(q: Quaternion) -> Vector:
    """Axis times angle, by the shorter way round."""
    sign = 1.0 if q[0] >= 0 else -1.0
    sine = math.hypot(q[1], q[2], q[3])
    if sine < 1e-12:
        return 0.0, 0.0, 0.0
    k = sign * 2 * math.atan2(sine, abs(q[0])) / sine
    return q[1] * k, q[2] * k, q[3] * k


def yaw_of(q: Quaternion) -> float:
    return math.atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]))


def _capped(x: float, y: float, most: float) -> tuple[float, float]:
    """The same direction, no longer than `most`."""
    size = math.hypot(x, y)
    return (x, y) if size <= most else (x * most / size, y * most / size)
