"""The pure parts under the soccer world: leg angles, attitudes, the assist's arithmetic."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.robots.humanoid.world import assist, gait
from sayso.robots.humanoid.world.assist import Motion

angles = st.floats(-math.pi, math.pi)
sides = st.floats(-1.0, 1.0)


def foot_of(angles_rad: gait.Leg) -> tuple[float, float]:
    """Where those angles put the ankle: forward and down from the hip (m)."""
    hip, knee, _ = angles_rad
    forward = -gait.THIGH_M * math.sin(hip) - gait.SHANK_M * math.sin(hip + knee)
    down = gait.THIGH_M * math.cos(hip) + gait.SHANK_M * math.cos(hip + knee)
    return forward, down


@given(st.floats(-0.15, 0.15), st.floats(0.2, 0.36))
def test_a_leg_reaches_where_it_is_sent_with_the_sole_level(forward_m: float, down_m: float) -> None:
    reached = gait.leg(forward_m, down_m)
    assert foot_of(reached) == pytest.approx((forward_m, down_m), abs=1e-6)
    assert sum(reached) == pytest.approx(0.0, abs=1e-9)
    assert reached[1] >= 0, "knees bend one way only"


def test_a_leg_sent_too_far_points_there() -> None:
    forward, down = foot_of(gait.leg(1.0, 1.0))
    assert forward == pytest.approx(down, abs=1e-3)


def test_a_kick_swings_back_then_forward_then_home() -> None:
    begin_s, end_s = gait.STRIKE_S
    assert foot_of(gait.kick(0.0))[0] == pytest.approx(0.0, abs=1e-6)
    assert foot_of(gait.kick(begin_s))[0] < -0.1
    assert foot_of(gait.kick(end_s))[0] > 0.15
    assert foot_of(gait.kick(gait.KICK_S))[0] == pytest.approx(0.0, abs=1e-6)


@st.composite
def attitudes(draw: st.DrawFn) -> assist.Quaternion:
    yaw, tilt, around = draw(angles), draw(st.floats(0.0, 3.0)), draw(angles)
    lean = (math.cos(tilt / 2), math.sin(tilt / 2) * math.cos(around), math.sin(tilt / 2) * math.sin(around), 0.0)
    return assist.multiply(lean, (math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2)))


@given(attitudes())
def test_upright_is_upright_by_the_shortest_turn(attitude: assist.Quaternion) -> None:
    raised = assist.upright(attitude)
    assert assist.rotate(raised, (0.0, 0.0, 1.0)) == pytest.approx((0.0, 0.0, 1.0), abs=1e-6)
    tilt = Motion((0, 0, 0), attitude, (0, 0, 0), (0, 0, 0)).tilt_rad
    turn = assist.rotation_vector(assist.multiply(raised, assist.conjugate(attitude)))
    assert math.hypot(*turn) == pytest.approx(tilt, abs=1e-5)


@given(attitudes(), attitudes())
def test_between_begins_and_ends_where_it_should(a: assist.Quaternion, b: assist.Quaternion) -> None:
    for share, wanted in ((0.0, a), (1.0, b)):
        got = assist.between(a, b, share)
        assert abs(sum(p * q for p, q in zip(got, wanted, strict=True))) == pytest.approx(1.0, abs=1e-9)


def leaning(tilt_rad: float) -> assist.Wrench:
    attitude = (math.cos(tilt_rad / 2), 0.0, math.sin(tilt_rad / 2), 0.0)
    now = Motion((0.0, 0.0, 0.43 * math.cos(tilt_rad)), attitude, (0, 0, 0), (0, 0, 0))
    return assist.hold(now, (0, 0, 0), 7.3, 0.43, (0, 0, 0.1), assist.TWO_LEGS)


def test_the_righting_torque_is_limited_and_loses_to_gravity_when_far_over() -> None:
    """Support acts at the soles, so the weight overturns a leaning body; the net torque is what is left."""
    assert leaning(0.1)[4] < 0, "a small lean is righted"
    assert leaning(0.6)[4] > 0, "a large one is not"


def test_traction_is_limited() -> None:
    still = Motion((0.0, 0.0, 0.43), (1.0, 0.0, 0.0, 0.0), (0, 0, 0), (0, 0, 0))
    fx, fy, *_ = assist.hold(still, (50.0, 50.0, 0.0), 7.3, 0.43, (0, 0, 0.1), assist.TWO_LEGS)
    assert math.hypot(fx, fy) == pytest.approx(assist.TWO_LEGS.traction_n)
