"""Distances from boxes: how far off they are, and whether their errors say so."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.errors import UsageError
from sayso.perception.ranging import ANY_SIZE, Extent, extent, spot
from sayso.scene import Box, Pose, View

ANGLE = st.floats(-math.pi, math.pi)


def view(z_m: float = 1.0, yaw_rad: float = 0.0, pitch_rad: float = 0.0) -> View:
    return View(Pose(0.0, 0.0, z_m, yaw_rad), math.radians(35), math.radians(27), pitch_rad)


def boxed(at: Pose, height_m: float, width_m: float, eye: View) -> Box | None:
    """The box around an upright cylinder that stands at a point; None where it does not show."""
    edge = [2 * math.pi * n / 24 for n in range(24)]
    points = [
        Pose(at.x_m + width_m / 2 * math.cos(a), at.y_m + width_m / 2 * math.sin(a), at.z_m + up)
        for a in edge
        for up in (0.0, height_m)
    ]
    spots = [eye.spot(p) for p in points]
    inside = [s for s in spots if s]
    if len(inside) < len(spots):
        return None
    left, right = min(x for x, _ in inside), max(x for x, _ in inside)
    top, bottom = min(y for _, y in inside), max(y for _, y in inside)
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


@given(st.floats(0.02, 0.98), st.floats(0.02, 0.98), ANGLE, st.floats(-1.2, 1.2), st.floats(0.5, 9))
def test_a_ray_leads_to_the_point_that_the_image_shows_there(
    x: float, y: float, yaw_rad: float, pitch_rad: float, far: float
) -> None:
    eye = view(1.5, yaw_rad, pitch_rad)
    dx, dy, dz = eye.ray(x, y)
    assert eye.spot(Pose(far * dx, far * dy, 1.5 + far * dz)) == pytest.approx((x, y), abs=1e-6)


@pytest.mark.parametrize(
    ("label", "height_m", "width_m", "z_m"),
    [("person", 1.7, 0.5, 0.0), ("chair", 0.94, 0.46, 0.0), ("bottle", 0.26, 0.075, 0.7), ("apple", 0.07, 0.07, 0.7)],
)
def test_a_distance_is_within_its_error_and_that_is_small_for_what_stands_on_the_floor(
    label: str, height_m: float, width_m: float, z_m: float
) -> None:
    off, shares = [], []
    for tenth in range(10, 55):
        for aside in (-0.3, 0.0, 0.25):
            for high in (0.6, 1.0, 1.6):
                at, eye = Pose(tenth / 10, aside * tenth / 10, z_m), view(high)
                if (box := boxed(at, height_m, width_m, eye)) is None:
                    continue
                found = spot(box, extent(label), eye)
                really_m = math.dist((at.x_m, at.y_m, z_m + height_m / 2), (0.0, 0.0, high))
                off.append(abs(found.far_m - really_m) / found.far_error_m)
                shares.append(abs(found.far_m - really_m) / really_m)
    assert len(off) > 60
    assert max(off) < 3 and statistics.median(shares) < (0.08 if z_m == 0 else 0.2)


def test_where_it_meets_the_floor_tells_better_than_a_size_that_is_little_known() -> None:
    vague = Extent((0.3, 2.0), (0.3, 2.0))
    box = boxed(Pose(3.0), 1.9, 0.4, view(0.9))
    assert box
    by_size, by_floor = spot(box, vague, view(0.9)), spot(box, Extent((0.3, 2.0), (0.3, 0.5), on_floor=True), view(0.9))
    assert by_floor.far_error_m < by_size.far_error_m / 2
    assert by_floor.far_m == pytest.approx(3.0, abs=0.3)


def test_what_the_frame_cuts_off_is_less_exact_to_that_side() -> None:
    whole = spot(Box(0.5, 0.5, 0.2, 0.4), extent("chair"), view())
    cut = spot(Box(0.9, 0.5, 0.2, 0.4), extent("chair"), view())
    assert cut.side_error_m > 3 * whole.side_error_m and cut.rise_error_m < 2 * whole.rise_error_m
    everywhere = spot(Box(0.5, 0.5, 1.0, 1.0), extent("chair"), view())
    assert everywhere.far_error_m >= everywhere.far_m / 2


def test_of_what_nobody_knows_the_size_the_distance_is_not_known() -> None:
    assert extent("zygote machine") == ANY_SIZE
    far = spot(Box(0.5, 0.4, 0.1, 0.1), ANY_SIZE, view())
    assert far.far_error_m > 0.3 * far.far_m


def test_other_names_have_the_same_size() -> None:
    assert extent("couch") == extent("sofa") and extent("Person") == extent("person")


def test_a_size_that_makes_no_sense_is_refused() -> None:
    for wrong in (
        {"height": [1.0, 0.5], "width": [1, 2]},
        {"height": [0, 1], "width": [1, 2]},
        {"width": [1, 2]},
        {"height": 3},
    ):
        with pytest.raises(UsageError, match="a size"):
            Extent.read(wrong)
