"""The torso's motion, and what the IMU makes of it. In plain floats: everything here runs at every servo tick."""

import math
from dataclasses import dataclass

from sayso.robots.humanoid.ball import Vector


@dataclass(frozen=True, slots=True)
class Motion:
    """The torso now, in the world frame: position (m), heading, tilt (rad), velocity (m/s) and turn rate (rad/s)."""

    at: Vector
    yaw_rad: float
    tilt_rad: float
    velocity: Vector
    turn_radps: float


@dataclass(frozen=True, slots=True)
class Lean:
    """Which way is up and how it turns, as the IMU has it, both in the torso's frame (unit vector; rad/s)."""

    up: Vector
    rates: Vector = (0.0, 0.0, 0.0)

    @property
    def pitch(self) -> float:
        """Nose-down, in rad."""
        return math.atan2(-self.up[0], self.up[2])

    @property
    def roll(self) -> float:
        """Right-side-down, in rad."""
        return math.atan2(self.up[1], self.up[2])


def leaning(pitch: float) -> Lean:
    """At rest, so far forward."""
    return Lean((-math.sin(pitch), 0.0, math.cos(pitch)))


def cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
