"""Limits answer with the limit, what was asked and what is allowed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.limits import Limits, Zone
from sayso.scene import Pose

ROOM = Limits(zone=Zone(-2, 2, -3, 3), altitude_min_m=0.0, altitude_max_m=2.5, battery_reserve=0.2)


def test_a_pose_inside_is_not_refused() -> None:
    assert ROOM.pose_refusal(Pose(1, -2, 1.5)) is None


@pytest.mark.parametrize(
    ("pose", "limit"),
    [
        (Pose(0, 0, 2.6), "altitude"),
        (Pose(0, 0, -0.1), "altitude"),
        (Pose(2.1, 0, 1), "geofence"),
        (Pose(0, -3.1, 1), "geofence"),
        (Pose(math.nan, 0, 1), "pose"),
        (Pose(0, math.inf, 1), "pose"),
    ],
)
def test_each_limit_names_itself(pose: Pose, limit: str) -> None:
    refused = ROOM.pose_refusal(pose)
    assert refused is not None and refused.limit == limit
    assert refused.bound in refused.reason and refused.asked in refused.reason


def test_a_path_is_refused_by_its_first_bad_pose() -> None:
    refused = ROOM.path_refusal([Pose(0, 0, 1), Pose(0, 0, 9), Pose(9, 0, 1)])
    assert refused is not None and refused.limit == "altitude"


@given(st.floats(0, 1))
def test_the_battery_reserve_is_a_threshold(charge: float) -> None:
    assert (ROOM.battery_refusal(charge) is None) == (charge >= 0.2)


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_a_shrunk_zone_lies_inside(x: float, y: float) -> None:
    assert not ROOM.zone.shrunk(0.5).holds(Pose(x, y)) or ROOM.zone.holds(Pose(x, y))
