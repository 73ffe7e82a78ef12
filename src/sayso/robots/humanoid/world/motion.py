"""The torso's motion in plain floats, and what the IMU makes of it. Everything here runs at every servo tick."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

Vector: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Motion:
    """The torso now: position (m), attitude (w, x, y, z), velocity (m/s) and turn rate (rad/s) in the world frame."""

    at: Vector
    attitude: Quaternion
    velocity: Vector
    spin: Vector

    def turned(self, v: Vector) -> Vector:
        return rotate(self.attitude, v)

    @property
    def tilt_rad(self) -> float:
        return math.acos(max(-1.0, min(1.0, self.turned((0.0, 0.0, 1.0))[2])))

    @property
    def yaw_rad(self) -> float:
        w, x, y, z = self.attitude
        return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


@dataclass(frozen=True, slots=True)
class Lean:
    """Which way is up and how it turns, as the IMU has it, both in the torso's frame (unit vector; rad/s)."""

    up: Vector = (0.0, 0.0, 1.0)
    rates: Vector = (0.0, 0.0, 0.0)

    @classmethod
    def upright(cls, pitch: float) -> Lean:
        """At rest, leaning forward so far."""
        return cls((-math.sin(pitch), 0.0, math.cos(pitch)))

    @property
    def pitch(self) -> float:
        """Nose-down, in rad."""
        return math.atan2(-self.up[0], self.up[2])

    @property
    def roll(self) -> float:
        """Right-side-down, in rad."""
        return math.atan2(self.up[1], self.up[2])


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
