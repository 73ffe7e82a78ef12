"""The walk: footsteps in a rhythm, a trunk that swings over the foot that stands, corrections from the IMU.

All is planned in the frame of the standing foot. The trunk moves as a linear inverted pendulum falls (Kajita et al.
2001), from between one pair of footprints to between the next, while the other foot swings to its footprint. Where the
body leans or turns more than it should, ankles and hips push back, and the foot lands further that way, to catch it
(capture steps: Pratt et al. 2006, Missura and Behnke 2013). A kick is the same with a path of its own for the foot.

The numbers stand in `gait.toml`, found by `training/tune_gait.py` in this simulation.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from sayso.robots.humanoid.path import Velocity
from sayso.robots.humanoid.world.legs import HIP_M, Leg, leg
from sayso.robots.humanoid.world.motion import Lean
from sayso.scene import Pose, wrap

Path: TypeAlias = Sequence[Sequence[float]]
"""Where something is when: seconds, then what is there."""

Gain: TypeAlias = tuple[float, float]
"""Of a correction: for each rad of lean, and for each rad/s."""

STRIDE_MAX_M = 0.14
CLOSED_M, CLOSED_RAD = 0.02, 0.06  # so far from side by side, two feet stand well
NARROW = 0.85  # of the usual distance between the feet, and never less
HERE = Pose()


@dataclass(frozen=True, slots=True)
class Gait:
    """The numbers of the walk; `gait.toml` says what they are."""

    step_s: float
    both: float
    height_m: float
    lift_m: float
    half_m: float
    pitch: float
    omega: float
    sway: float
    ankle: Gain
    ankle_roll: Gain
    hip: Gain
    hip_roll: Gain
    catch: Gain
    catch_roll: Gain
    kick: Path


class Walk:
    """Two legs. `tick` at the servo rate; `going` from the first step until both feet stand side by side again."""

    def __init__(self, gait: Gait) -> None:
        self.gait = gait
        self.stand()

    def stand(self) -> None:
        """Both feet side by side."""
        self._support, self._swing = 1, Pose(0.0, -2 * self.gait.half_m)
        self._rest()

    def _rest(self, support: int = 0) -> None:
        """Stand where both feet are, ready to go on with the other one free; `support` is 1 for left, -1 for right."""
        if support == -self._support:
            self._support, self._swing = support, HERE.seen_from(self._swing)
        self.going, self._first, self._lift, self._elapsed_s = False, True, 0.0, 0.0
        self._next = self._swing
        self._start = self._middle

    def tick(self, wish: Velocity, lean: Lean, dt_s: float) -> tuple[Leg, Leg]:
        """The left and the right leg's next angles."""
        if not self.going and any(wish):
            self._rest(-1 if (wish[1] or wish[2]) > 0 else 1)  # so that the first step goes to the side of the wish
            self.going = True
        if self.going:
            self._elapsed_s += dt_s
            if self._elapsed_s >= self.gait.step_s:
                self._land(wish)
            elif self._lift:
                self._next = self._footprint(wish, lean)
        return self._stepping(lean)

    def kick(self, foot: int, elapsed_s: float, lean: Lean) -> tuple[Leg, Leg]:
        """The legs so long into a kick with the left (1) or right (-1) foot: the weight goes over the other one."""
        if self.going or self._support == foot:
            self._rest(-foot)
        over, ahead_m, free = along(self.gait.kick, elapsed_s)
        return self._legs(_between(self._middle, HERE, over), self._swing.moved(ahead_m), free, lean)

    @property
    def _middle(self) -> Pose:
        """Between the standing foot and where the other will stand."""
        return _between(HERE, self._next, 0.5)

    def _land(self, wish: Velocity) -> None:
        """The other foot stands: go on, close up, shift the weight a last time, or stand."""
        closed = abs(self._next.x_m) < CLOSED_M and abs(self._next.yaw_rad) < CLOSED_RAD
        shifted = not self._lift and not self._first
        self._start = self._middle.seen_from(self._next)
        self._swing = HERE.seen_from(self._next)
        self._support, self._first = -self._support, False
        self._elapsed_s -= self.gait.step_s
        self._lift = 1.0 if any(wish) or not closed else 0.0
        self._next = self._footprint(wish) if self._lift else self._swing
        if shifted and not self._lift:
            self._rest()

    def _footprint(self, wish: Velocity, lean: Lean | None = None) -> Pose:
        """Where the foot in the air shall land: sideways and outward first, then the other one closes up."""
        g, out = self.gait, -self._support
        x, y, yaw = (v * g.step_s for v in wish)
        aside = 2 * g.half_m + max(0.0, 2 * y * out)
        if lean:
            x += g.height_m * _push(g.catch, lean.pitch - g.pitch, lean.rates[1])
            aside -= out * g.height_m * _push(g.catch_roll, lean.roll, lean.rates[0])
        return Pose(max(-STRIDE_MAX_M, min(STRIDE_MAX_M, x)), out * max(2 * NARROW * g.half_m, aside), 0.0, yaw)

    def _stepping(self, lean: Lean) -> tuple[Leg, Leg]:
        g = self.gait
        share = self._elapsed_s / g.step_s
        end, stiff = self._middle, g.omega * g.step_s
        straight = _between(self._start, end, share)
        falls_y = _pendulum(self._start.y_m, end.y_m, share, stiff)
        x_m = _pendulum(self._start.x_m, end.x_m, share, stiff)
        trunk = replace(straight, x_m=x_m, y_m=straight.y_m + g.sway * (falls_y - straight.y_m))
        swinging = max(0.0, min(1.0, (share - g.both / 2) / (1 - g.both)))
        foot = _between(self._swing, self._next, smooth(swinging))
        return self._legs(trunk, foot, self._lift * math.sin(math.pi * swinging), lean)

    def _legs(self, trunk: Pose, foot: Pose, free: float, lean: Lean) -> tuple[Leg, Leg]:
        """Left and right leg with the trunk here and the other foot there; `free` is how far that is in the air."""
        stands = self._leg(HERE.seen_from(trunk), self._support, lean, 0.0)
        swings = self._leg(foot.seen_from(trunk), -self._support, lean, free)
        return (stands, swings) if self._support > 0 else (swings, stands)

    def _leg(self, foot: Pose, side: int, lean: Lean, free: float) -> Leg:
        """A foot on the ground pushes back against the lean, one in the air is kept level."""
        g, air = self.gait, min(1.0, free)
        error, roll_rate, pitch_rate = lean.pitch - g.pitch, *lean.rates[:2]
        x, y, z = foot.x_m, foot.y_m - side * HIP_M, g.lift_m * free - g.height_m
        c, s = math.cos(g.pitch), math.sin(g.pitch)
        yaw, hip_roll, hip, knee, ankle, roll = leg(
            c * x - s * z, y, s * x + c * z, foot.yaw_rad, -g.pitch - air * error, -air * lean.roll
        )
        hip_roll += (1 - air) * _push(g.hip_roll, lean.roll, roll_rate)
        hip += (1 - air) * _push(g.hip, error, pitch_rate)
        ankle += (1 - air) * _push(g.ankle, error, pitch_rate)
        return yaw, hip_roll, hip, knee, ankle, roll + (1 - air) * _push(g.ankle_roll, lean.roll, roll_rate)


def _push(gain: Gain, lean_rad: float, rate_radps: float) -> float:
    return gain[0] * lean_rad + gain[1] * rate_radps


def _between(a: Pose, b: Pose, share: float) -> Pose:
    return a.towards(b, share).moved(turn_rad=share * wrap(b.yaw_rad - a.yaw_rad))


def _pendulum(start: float, end: float, share: float, stiff: float) -> float:
    """How a linear inverted pendulum over the origin gets from one place to another."""
    return (start * math.sinh(stiff * (1 - share)) + end * math.sinh(stiff * share)) / math.sinh(stiff)


def smooth(share: float) -> float:
    """From 0 to 1 without a jerk at either end."""
    share = max(0.0, min(1.0, share))
    return share * share * (3 - 2 * share)


def along(path: Path, elapsed_s: float) -> tuple[float, ...]:
    """Where the path is then, smoothly from one point to the next; its ends hold on."""
    before = after = path[0]
    for after in path:
        if elapsed_s < after[0]:
            break
        before = after
    share = smooth((elapsed_s - before[0]) / max(after[0] - before[0], 1e-9))
    return tuple(a + (b - a) * share for a, b in zip(before[1:], after[1:], strict=True))
