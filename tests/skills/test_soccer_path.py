"""The law that leads to the ball, followed by a point that walks exactly as told."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sayso.robots.humanoid.path import approach, foot_for
from sayso.scene import Pose, wrap

BALL = Pose(1.0, 0.5)
angles = st.floats(-math.pi, math.pi)


def follow(here: Pose, aim: Pose | None, seconds: float = 40.0) -> tuple[Pose, bool, float]:
    """Where the walk ends, whether it says so, and how near the ball it ever came (m)."""
    dt_s, nearest = 1 / 15, math.inf
    for _ in range(round(seconds / dt_s)):
        velocity = approach(here, BALL, aim)
        if velocity is None:
            return here, True, nearest
        vx, vy, wz = (
            max(-low, min(high, v)) for v, low, high in zip(velocity, (0.2, 0.2, 1), (0.4, 0.2, 1), strict=True)
        )
        here = here.moved(vx * dt_s, vy * dt_s, 0.0, wz * dt_s)
        nearest = min(nearest, math.hypot(here.x_m - BALL.x_m, here.y_m - BALL.y_m))
    return here, False, nearest


@settings(max_examples=60)
@example(0.5, 0.0, 0.0, -1.9375)
@given(st.floats(0.5, 3.0), angles, angles, angles)
def test_from_anywhere_it_ends_where_a_foot_can_kick_at_the_aim(
    away_m: float, around: float, yaw: float, aim_rad: float
) -> None:
    start = Pose(BALL.x_m + away_m * math.cos(around), BALL.y_m + away_m * math.sin(around), 0.0, yaw)
    aim = Pose(BALL.x_m + 3 * math.cos(aim_rad), BALL.y_m + 3 * math.sin(aim_rad))
    end, there, nearest = follow(start, aim)
    assert there
    assert foot_for(end, BALL) is not None
    assert abs(wrap(end.yaw_rad - aim_rad)) < 0.15
    assert nearest > 0.2, "it goes round the ball, not through it"


@settings(max_examples=30)
@given(st.floats(0.5, 3.0), angles, angles)
def test_without_an_aim_it_goes_straight_there(away_m: float, around: float, yaw: float) -> None:
    start = Pose(BALL.x_m + away_m * math.cos(around), BALL.y_m + away_m * math.sin(around), 0.0, yaw)
    end, there, _ = follow(start, None)
    assert there
    assert foot_for(end, BALL) is not None


@pytest.mark.parametrize(
    ("ball", "foot"),
    [
        (Pose(0.25, 0.06), "left"),
        (Pose(0.25, -0.06), "right"),
        (Pose(0.25, 0.0), None),
        (Pose(0.5, 0.06), None),
        (Pose(0.1, 0.06), None),
        (Pose(0.25, 0.2), None),
        (Pose(-0.25, 0.06), None),
    ],
)
def test_which_foot_can_kick(ball: Pose, foot: str | None) -> None:
    assert foot_for(Pose(), ball) == foot
    turned = Pose(0.0, 0.0, 0.0, 2.0)
    assert foot_for(turned, turned.moved(ball.x_m, ball.y_m)) == foot


def test_once_there_a_little_noise_does_not_make_it_walk_again() -> None:
    end, _, _ = follow(Pose(-1.0, 0.5), Pose(4.5, 0.5))
    jittered = Pose(BALL.x_m + 0.02, BALL.y_m + 0.015)
    assert approach(end, jittered, Pose(4.5, 0.5), was_there=True) is None
