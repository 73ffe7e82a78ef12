"""Motions over time: where the setpoint is `t_s` seconds after a motion began.

Measured flights take `fixed + length / cruise` seconds, whatever the length. A profile of ramp, cruise and ramp has
that law by construction: with ramps of `ramp_s` seconds it needs `ramp_s + length / cruise`. Short moves have no
cruise left and become two half-length ramps, with the same total. The ramps are raised cosines, so that acceleration
starts and ends at zero and the attitude loop is never asked for a step.

What is left of `fixed` is the drone's reaction before it starts and its settling at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from sayso.robots.drone.world.autopilot import Setpoint, Triple
from sayso.scene import Pose, wrap

MOVE_FIXED_S = 1.81  # measured on the real drone: 1.81 s + 0.0072 s/cm
MOVE_MPS = 1 / 0.72
MOVE_RAMP_S = 1.0
MOVE_REACTION_S = 0.2
TURN_FIXED_S = 0.78  # measured on the real drone: 0.78 s + 0.0165 s/deg
TURN_RADPS = math.radians(1 / 0.0165)
TURN_RAMP_S = 0.4
TURN_REACTION_S = 0.08
SPEED_UP_MAX = 4.0  # m/s², mean over a ramp; a faster cruise gets longer ramps
BRAKING = 3.0  # m/s²
TOUCHDOWN_MPS = 0.25
LEAD_GAIN, LEAD_TURN_GAIN = 2.5, 2.8  # 1/s, of who is led to a point and a heading


class Trajectory(Protocol):
    """A motion from one setpoint to another."""

    @property
    def duration_s(self) -> float:
        """From the order to rest, settling included; infinite where only a touch ends it."""

    def at(self, t_s: float) -> Setpoint:
        """Where the setpoint is then. Before the start and after the end it rests."""

    def end(self) -> Setpoint:
        """Where it comes to rest."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Covers `length` (m or rad, never negative) at `cruise` per second at most, with ramps of `ramp_s`."""

    length: float
    cruise: float
    ramp_s: float

    @property
    def duration_s(self) -> float:
        return self.ramp_s + self.length / self.cruise

    def at(self, t_s: float) -> tuple[float, float, float]:
        """Distance covered, speed and acceleration `t_s` seconds after the start."""
        total_s = self.duration_s
        if t_s <= 0.0:
            return 0.0, 0.0, 0.0
        if t_s >= total_s:
            return self.length, 0.0, 0.0
        ramp_s = min(self.ramp_s, total_s / 2)
        top = self.length / (total_s - ramp_s)
        if t_s < ramp_s:
            return _ramp(t_s, ramp_s, top)
        if t_s > total_s - ramp_s:
            left, speed, acceleration = _ramp(total_s - t_s, ramp_s, top)
            return self.length - left, speed, -acceleration
        return top * (t_s - ramp_s / 2), top, 0.0


def _ramp(t_s: float, ramp_s: float, top: float) -> tuple[float, float, float]:
    """From rest to `top` speed in `ramp_s` seconds."""
    phase = math.pi * t_s / ramp_s
    distance = top / 2 * (t_s - ramp_s / math.pi * math.sin(phase))
    return distance, top / 2 * (1 - math.cos(phase)), top / 2 * math.pi / ramp_s * math.sin(phase)


class Leg:
    """A straight move by `offset` metres (world frame) at `cruise_mps`."""

    def __init__(self, start: Setpoint, offset: Triple, cruise_mps: float = MOVE_MPS) -> None:
        length_m = math.hypot(*offset)
        ramp_s = max(MOVE_RAMP_S, cruise_mps / SPEED_UP_MAX)
        self.start = start
        x, y, z = offset
        self.direction: Triple = (x / length_m, y / length_m, z / length_m) if length_m > 0.0 else (0.0, 0.0, 0.0)
        self.profile = Profile(length_m, cruise_mps, ramp_s)
        self.duration_s = MOVE_FIXED_S - MOVE_RAMP_S + self.profile.duration_s

    def at(self, t_s: float) -> Setpoint:
        way, speed, gain = self.profile.at(t_s - MOVE_REACTION_S)
        x, y, z = self.direction
        return Setpoint(
            self.start.x + x * way,
            self.start.y + y * way,
            self.start.z + z * way,
            self.start.yaw,
            (x * speed, y * speed, z * speed),
            (x * gain, y * gain, z * gain),
        )

    def end(self) -> Setpoint:
        return self.at(math.inf)


class Turn:
    """A turn on the spot; positive is left, and a full turn really goes round."""

    def __init__(self, start: Setpoint, angle_rad: float) -> None:
        self.start = start
        self.sign = math.copysign(1.0, angle_rad)
        self.profile = Profile(abs(angle_rad), TURN_RADPS, TURN_RAMP_S)
        self.duration_s = TURN_FIXED_S - TURN_RAMP_S + self.profile.duration_s

    def at(self, t_s: float) -> Setpoint:
        way, rate, _ = self.profile.at(t_s - TURN_REACTION_S)
        return replace(_rest(self.start), yaw=self.start.yaw + self.sign * way, yaw_rate=self.sign * rate)

    def end(self) -> Setpoint:
        return self.at(math.inf)


Lead: TypeAlias = Callable[[Setpoint], tuple[float, float, float, float]]
"""How the setpoint is to move from where it is: m/s along x, y and z of the world, and its turn in rad/s."""


class Follow:
    """After a `lead`, which may change its mind at any time; it is asked at every step and never obeyed with a jerk."""

    def __init__(self, start: Setpoint, lead: Lead) -> None:
        self.start, self.lead = start, lead
        self.duration_s = math.inf
        self._t_s = 0.0

    def at(self, t_s: float) -> Setpoint:
        """The next setpoint. Time only goes on."""
        here, dt_s = self.start, max(0.0, t_s - self._t_s)
        *wanted, turn = self.lead(here)
        change = [w - v for w, v in zip(wanted, here.velocity, strict=True)]
        share = min(1.0, BRAKING * dt_s / math.hypot(*change)) if any(change) else 0.0
        vx, vy, vz = (v + share * c for v, c in zip(here.velocity, change, strict=True))
        x, y, z = here.x + vx * dt_s, here.y + vy * dt_s, here.z + vz * dt_s
        rate = share / dt_s if dt_s else 0.0
        gain = (change[0] * rate, change[1] * rate, change[2] * rate)
        self.start = Setpoint(x, y, z, here.yaw + turn * dt_s, (vx, vy, vz), gain, turn)
        self._t_s = max(self._t_s, t_s)
        return self.start

    def end(self) -> Setpoint:
        return _rest(self.start)


def drifting(forward_mps: float, left_mps: float, up_mps: float, turn_radps: float) -> Lead:
    """On and on like this, in the drone's own frame."""

    def lead(here: Setpoint) -> tuple[float, float, float, float]:
        c, s = math.cos(here.yaw), math.sin(here.yaw)
        return c * forward_mps - s * left_mps, s * forward_mps + c * left_mps, up_mps, turn_radps

    return lead


def towards(goal: Pose, fastest_mps: float) -> Lead:
    """To a point and a heading, slower the nearer it is."""

    def lead(here: Setpoint) -> tuple[float, float, float, float]:
        way = (goal.x_m - here.x, goal.y_m - here.y, goal.z_m - here.z)
        mps = min(LEAD_GAIN, fastest_mps / max(math.hypot(*way), 1e-9))
        turn = LEAD_TURN_GAIN * wrap(goal.yaw_rad - here.yaw)
        return way[0] * mps, way[1] * mps, way[2] * mps, max(-TURN_RADPS, min(TURN_RADPS, turn))

    return lead


class Brake:
    """From any motion to rest, as fast as is safe, along the way that the drone is going."""

    def __init__(self, start: Setpoint) -> None:
        speed = math.hypot(*start.velocity)
        self.start = start
        self.stop_s = speed / BRAKING
        self.duration_s = self.stop_s + 0.4

    def at(self, t_s: float) -> Setpoint:
        t_s = max(0.0, min(t_s, self.stop_s))
        left = 1.0 - t_s / self.stop_s if self.stop_s > 0.0 else 0.0
        ahead_s = t_s * (1.0 + left) / 2  # the mean speed so far, as seconds at the first speed
        vx, vy, vz = self.start.velocity
        slow = -BRAKING / (self.stop_s * BRAKING) if left > 0.0 else 0.0
        return Setpoint(
            self.start.x + vx * ahead_s,
            self.start.y + vy * ahead_s,
            self.start.z + vz * ahead_s,
            self.start.yaw,
            (vx * left, vy * left, vz * left),
            (vx * slow, vy * slow, vz * slow),
        )

    def end(self) -> Setpoint:
        return self.at(math.inf)


class Descent:
    """Down to just above a floor `drop_m` below, then slowly on until something is touched."""

    FEEL_M = 0.15

    def __init__(self, start: Setpoint, drop_m: float) -> None:
        quick_m = max(0.0, drop_m - self.FEEL_M)
        self.start = start
        self.profile = Profile(quick_m, 0.7, 0.6)
        self.duration_s = math.inf

    def at(self, t_s: float) -> Setpoint:
        way, speed, gain = self.profile.at(t_s)
        feeling_s = max(0.0, t_s - self.profile.duration_s)
        if feeling_s > 0.0:
            way, speed = way + TOUCHDOWN_MPS * feeling_s, TOUCHDOWN_MPS
        rest = _rest(self.start)
        return replace(rest, z=rest.z - way, velocity=(0.0, 0.0, -speed), acceleration=(0.0, 0.0, -gain))

    def end(self) -> Setpoint:
        return self.at(self.profile.duration_s)


def _rest(at: Setpoint) -> Setpoint:
    return Setpoint(at.x, at.y, at.z, at.yaw)
