"""The joint targets of the simulated humanoid for standing, stepping, kicking, waving and rising.

The limbs are animated, not controlled for balance: the assist in `assist` holds the body up. What they touch
they touch for real, so a kick is the swing of a foot that meets the ball, or does not. Pure functions of time; angles
in radians, lengths in metres, hinges about y positive nose-down (REP 103).
"""

from __future__ import annotations

import math
from typing import TypeAlias

Leg: TypeAlias = tuple[float, float, float]
"""Hip, knee and ankle angles."""

Arm: TypeAlias = tuple[float, float, float]
"""Shoulder pitch, shoulder roll and elbow angles."""

THIGH_M = SHANK_M = 0.2
STANCE_M = 0.38  # hip to ankle while standing, knees a little bent
SOLE_M = 0.05  # ankle to sole
STAND_M = STANCE_M + SOLE_M + 0.004  # hips above the carpet; the soles pass just over it
STEP_HZ = 1.7
LIFT_M = 0.035
STRIDE_MAX_M = 0.065
KICK_S = 0.9
STRIKE_S = (0.30, 0.50)
WAVE_HZ = 1.2
SWING = 4.0  # arm swing, radians per metre of stride


def leg(forward_m: float, down_m: float) -> Leg:
    """Angles that put the ankle there, seen from the hip, with the sole level."""
    reach_m = min(max(math.hypot(forward_m, down_m), 0.1), THIGH_M + SHANK_M - 1e-6)
    bend = (reach_m * reach_m - THIGH_M * THIGH_M - SHANK_M * SHANK_M) / (2 * THIGH_M * SHANK_M)
    knee = math.acos(max(-1.0, min(1.0, bend)))
    inner = math.atan2(SHANK_M * math.sin(knee), THIGH_M + SHANK_M * math.cos(knee))
    hip = math.atan2(-forward_m, down_m) - inner
    return hip, knee, -(hip + knee)


def step(phase_rad: float, stride_m: float, lift: float) -> Leg:
    """One leg of a walk: the planted foot travels back as the body travels on, then swings forward, lifted."""
    raised_m = LIFT_M * lift * max(0.0, -math.sin(phase_rad))
    return leg(stride_m * math.cos(phase_rad), STANCE_M - raised_m)


def kick(elapsed_s: float) -> Leg:
    """The kicking leg: back, strike, follow through, return."""
    begin_s, end_s = STRIKE_S
    back_m, front_m = -0.15, 0.21
    if elapsed_s < begin_s:
        forward_m = back_m * smooth(elapsed_s / begin_s)
    elif elapsed_s < end_s:
        forward_m = back_m + (front_m - back_m) * (elapsed_s - begin_s) / (end_s - begin_s)
    else:
        forward_m = front_m * (1 - smooth((elapsed_s - end_s - 0.1) / (KICK_S - end_s - 0.1)))
    raised = smooth(elapsed_s / begin_s) + smooth((elapsed_s - begin_s) / (end_s - begin_s))
    lift_m = 0.02 * raised * (1 - smooth((elapsed_s - end_s) / (KICK_S - end_s)))
    return leg(forward_m, STANCE_M - lift_m)


def rise(share: float) -> Leg:
    """Both legs while getting up: folded, then stretched. `share` runs from 0 to 1."""
    return leg(0.0, 0.2 + (STANCE_M - 0.2) * smooth((share - 0.35) / 0.65))


def hang(side: float, swing_rad: float = 0.0) -> Arm:
    """An arm at rest; `side` is 1 for left and -1 for right."""
    return 0.1 + swing_rad, 0.12 * side, -0.45


def wave(side: float, elapsed_s: float) -> Arm:
    """An arm held up beside the head, swaying."""
    return -0.1, side * (2.35 + 0.35 * math.sin(2 * math.pi * WAVE_HZ * elapsed_s)), -0.3


def smooth(share: float) -> float:
    """From 0 to 1 without a jerk at either end."""
    share = max(0.0, min(1.0, share))
    return share * share * (3 - 2 * share)
