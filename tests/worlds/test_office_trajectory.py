"""Motions have the measured timing, cover their length, and never jump."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.robots.drone.world.autopilot import Setpoint
from sayso.robots.drone.world.trajectory import BRAKING, Profile, brake, descent, leg, turn
from sayso.scene import Pose


@given(st.floats(0.01, 10), st.floats(0.1, 8), st.floats(0.1, 2), st.floats(-0.5, 1.5))
def test_a_profile_covers_its_length_within_its_speed(
    length: float, cruise: float, ramp_s: float, share: float
) -> None:
    profile = Profile(length, cruise, ramp_s)
    way, speed, _ = profile.at(share * profile.duration_s)
    assert -1e-9 <= way <= length + 1e-9
    assert 0.0 <= speed <= cruise * (1 + 1e-9)
    assert profile.at(profile.duration_s) == (length, 0.0, 0.0)


@given(st.floats(0.05, 5), st.floats(0.2, 3), st.floats(0.2, 1.5), st.floats(0.02, 0.98))
def test_speed_is_the_slope_of_the_way(length: float, cruise: float, ramp_s: float, share: float) -> None:
    profile = Profile(length, cruise, ramp_s)
    t, d = share * profile.duration_s, 1e-5
    (before, slow, _), (after, fast, _) = profile.at(t - d), profile.at(t + d)
    _, speed, gain = profile.at(t)
    assert (after - before) / (2 * d) == pytest.approx(speed, abs=1e-4)
    assert (fast - slow) / (2 * d) == pytest.approx(gain, abs=0.05)


@pytest.mark.parametrize("distance_m", [0.2, 1.0, 2.5, 5.0])
def test_a_leg_takes_as_long_as_measured(distance_m: float) -> None:
    assert leg(Setpoint(), (distance_m, 0.0, 0.0)).duration_s == pytest.approx(1.81 + 0.72 * distance_m)


@pytest.mark.parametrize("angle_deg", [1, 45, 180, 360])
def test_a_turn_takes_as_long_as_measured(angle_deg: float) -> None:
    assert turn(Setpoint(), math.radians(-angle_deg)).duration_s == pytest.approx(0.78 + 0.0165 * angle_deg)


def test_a_full_turn_goes_round() -> None:
    whole = turn(Setpoint(Pose(yaw_rad=0.3)), 2 * math.pi)
    assert whole.at(whole.duration_s / 2).at.yaw_rad == pytest.approx(0.3 + math.pi, abs=0.2)
    assert whole.end().yaw_rad == pytest.approx(0.3 + 2 * math.pi)


def test_a_brake_ends_where_constant_braking_ends() -> None:
    stop = brake(Setpoint(velocity=(1.2, 0.0, -0.9)))
    end, way_m = stop.at(stop.duration_s), 1.5**2 / (2 * BRAKING)
    assert (end.at.x_m, end.at.z_m) == (pytest.approx(0.8 * way_m), pytest.approx(-0.6 * way_m))
    assert end.velocity == (0.0, 0.0, 0.0)


def test_a_descent_goes_on_until_something_is_felt() -> None:
    down = descent(Setpoint(Pose(z_m=1.0)), drop_m=1.0)
    assert down.at(10.0).at.z_m > down.at(20.0).at.z_m
    assert -down.at(20.0).velocity[2] < 0.3
