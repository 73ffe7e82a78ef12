"""Motions over time: where the setpoint is `t_s` seconds after a motion began.

Measured flights take `fixed + length / cruise` seconds, whatever the length. A profile of ramp, cruise and ramp has
that law by construction: with ramps of `ramp_s` seconds it needs `ramp_s + length / cruise`. Short moves have no
cruise left and become two half-length ramps, with the same total. The ramps are raised cosines, so that acceleration
starts and ends at zero and the attitude loop is never asked for a step.

What is left of `fixed` is the drone's reaction before it starts and its settling at the end.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

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
BRAKE_SETTLING_S = 0.4
DESCENT_MPS, TOUCHDOWN_MPS, FEEL_M = 0.7, 0.25, 0.15
LEAD_GAIN, LEAD_TURN_GAIN = 2.5, 2.8  # 1/s, of who is led to a point and a heading
LEAD_MPS = 2.0


Covered: TypeAlias = tuple[float, float, float]
"""Distance covered, speed and acceleration."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Covers `length` (m or rad, never negative) at `cruise` per second at most, with ramps of `ramp_s`."""

    length: float
    cruise: float
    ramp_s: float

    @property
    def duration_s(self) -> float:
        return self.ramp_s + self.length / self.cruise

    def at(self, t_s: float) -> Covered:
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


def _ramp(t_s: float, ramp_s: float, top: float) -> Covered:
    """From rest to `top` speed in `ramp_s` seconds."""
    phase = math.pi * t_s / ramp_s
    distance = top / 2 * (t_s - ramp_s / math.pi * math.sin(phase))
    return distance, top / 2 * (1 - math.cos(phase)), top / 2 * math.pi / ramp_s * math.sin(phase)


@dataclass(frozen=True, slots=True)
class Sinking(Profile):
    """The same, and on from its end, slowly, until something is touched."""

    def at(self, t_s: float) -> Covered:
        way, speed, gain = super(Sinking, self).at(t_s)
        feeling_s = t_s - self.duration_s
        return (way + TOUCHDOWN_MPS * feeling_s, TOUCHDOWN_MPS, gain) if feeling_s > 0.0 else (way, speed, gain)


@dataclass(frozen=True, slots=True)
class Stopping:
    """From a speed to rest within `duration_s`: the way in seconds at that speed."""

    duration_s: float

    def at(self, t_s: float) -> Covered:
        t_s = max(0.0, min(t_s, self.duration_s))
        left = 1.0 - t_s / self.duration_s if self.duration_s > 0.0 else 0.0
        return t_s * (1.0 + left) / 2, left, -1.0 / self.duration_s if left > 0.0 else 0.0


@dataclass(frozen=True, slots=True)
class Motion:
    """Along a `way` (m along x, y and z of the world, rad) at a pace, after the drone's reaction."""

    start: Setpoint
    way: tuple[float, float, float, float]
    pace: Profile | Stopping
    reaction_s: float = 0.0
    settling_s: float = 0.0
    """Reaction included."""

    @property
    def duration_s(self) -> float:
        """From the order to rest, settling included."""
        return self.settling_s + self.pace.duration_s

    def at(self, t_s: float) -> Setpoint:
        """Where the setpoint is then. Before the start and after the end it rests."""
        covered, speed, gain = self.pace.at(t_s - self.reaction_s)
        (x, y, z, turn), at = self.way, self.start.at
        there = Pose(at.x_m + x * covered, at.y_m + y * covered, at.z_m + z * covered, at.yaw_rad + turn * covered)
        return Setpoint(there, (x * speed, y * speed, z * speed), (x * gain, y * gain, z * gain), turn * speed)

    def end(self) -> Pose:
        """Where it comes to rest, or near to the ground."""
        return self.at(self.duration_s).at


def leg(start: Setpoint, offset: Triple, cruise_mps: float = MOVE_MPS) -> Motion:
    """A straight move by `offset` metres (world frame)."""
    length_m = math.hypot(*offset)
    x, y, z = (side / length_m for side in offset)
    pace = Profile(length_m, cruise_mps, max(MOVE_RAMP_S, cruise_mps / SPEED_UP_MAX))
    return Motion(start, (x, y, z, 0.0), pace, MOVE_REACTION_S, MOVE_FIXED_S - MOVE_RAMP_S)


def turn(start: Setpoint, angle_rad: float) -> Motion:
    """A turn on the spot; positive is left, and a full turn really goes round."""
    pace = Profile(abs(angle_rad), TURN_RADPS, TURN_RAMP_S)
    way = (0.0, 0.0, 0.0, math.copysign(1.0, angle_rad))
    return Motion(start, way, pace, TURN_REACTION_S, TURN_FIXED_S - TURN_RAMP_S)


def brake(start: Setpoint) -> Motion:
    """From any motion to rest, as fast as is safe, along the way that the drone is going."""
    pace = Stopping(math.hypot(*start.velocity) / BRAKING)
    return Motion(start, (*start.velocity, 0.0), pace, settling_s=BRAKE_SETTLING_S)


def descent(start: Setpoint, drop_m: float, cruise_mps: float = DESCENT_MPS) -> Motion:
    """Down to just above a floor `drop_m` below, then slowly on."""
    return Motion(start, (0.0, 0.0, -1.0, 0.0), Sinking(max(0.0, drop_m - FEEL_M), cruise_mps, 0.6))


class Follow:
    """After a `goal`, slower the nearer it is. It may be another one at any time, and is never obeyed with a jerk."""

    def __init__(self, start: Setpoint, goal: Pose) -> None:
        self.start, self.goal = start, goal
        self.duration_s = math.inf
        self._t_s = 0.0

    def at(self, t_s: float) -> Setpoint:
        """The next setpoint. Time only goes on."""
        here, goal, speed, dt_s = self.start.at, self.goal, self.start.velocity, max(0.0, t_s - self._t_s)
        gain = min(LEAD_GAIN, LEAD_MPS / max(goal.distance_m(here), 1e-9))
        wanted = ((goal.x_m - here.x_m) * gain, (goal.y_m - here.y_m) * gain, (goal.z_m - here.z_m) * gain)
        turn = max(-TURN_RADPS, min(TURN_RADPS, LEAD_TURN_GAIN * wrap(goal.yaw_rad - here.yaw_rad)))
        change = [w - v for w, v in zip(wanted, speed, strict=True)]
        share = min(1.0, BRAKING * dt_s / math.hypot(*change)) if any(change) else 0.0
        vx, vy, vz = (v + share * c for v, c in zip(speed, change, strict=True))
        there = Pose(here.x_m + vx * dt_s, here.y_m + vy * dt_s, here.z_m + vz * dt_s, here.yaw_rad + turn * dt_s)
        rate = share / dt_s if dt_s else 0.0
        self.start = Setpoint(there, (vx, vy, vz), (change[0] * rate, change[1] * rate, change[2] * rate), turn)
        self._t_s = max(self._t_s, t_s)
        return self.start


Trajectory: TypeAlias = Motion | Follow
"""A motion from one setpoint to another, or to where somebody leads."""
