"""A camera's view: what falls into it, and that a scene keeps it."""

from __future__ import annotations

import json
import math

import pytest

from sayso.scene import Pose, Scene, View, scene_from, scene_json

VIEW = View(Pose(1, 2, 1, math.pi / 2), math.radians(45), math.radians(30))


@pytest.mark.parametrize(
    ("point", "spot"),
    [
        (Pose(1, 4, 1), (0.5, 0.5)),
        (Pose(0, 4, 1), (0.25, 0.5)),  # to the left
        (Pose(3, 4, 1), (1.0, 0.5)),
        (Pose(1, 4, 1 + 2 * math.tan(math.radians(30))), (0.5, 0.0)),  # above
        (Pose(3.1, 4, 1), None),
        (Pose(1, 0, 1), None),  # behind
        (Pose(1, 2, 1), None),  # the eye itself
    ],
)
def test_where_a_point_falls(point: Pose, spot: tuple[float, float] | None) -> None:
    seen = VIEW.spot(point)
    assert seen == (spot and pytest.approx(spot, abs=1e-9))


def test_a_camera_that_looks_down_has_the_floor_in_the_middle() -> None:
    down = View(Pose(0, 0, 1), math.radians(35), math.radians(28), pitch_rad=-math.pi / 4)
    assert down.spot(Pose(1, 0, 0)) == pytest.approx((0.5, 0.5))
    assert down.spot(Pose(1, 0, 1)) is None


def test_a_scene_keeps_its_view_and_one_without_is_written_as_ever() -> None:
    for scene in (Scene(view=VIEW), Scene()):
        assert scene_from(json.loads(json.dumps(scene_json(scene)))) == scene
    assert "view" not in scene_json(Scene())
