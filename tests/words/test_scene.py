"""Scenes: frames, picking things by name and place in the image, and text from the world kept harmless."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.scene import Box, Pose, Scene, Thing, plain, scene_from, scene_json, wrap

ANGLE = st.floats(-20, 20)
LENGTH = st.floats(-50, 50)


def thing(label: str, x: float, distance_m: float, **attributes: str) -> Thing:
    return Thing(f"{label}-{x}", label, Box(x, 0.5, 0.1, 0.2), distance_m, Pose(1, 2, 3), attributes)


@given(LENGTH, LENGTH, LENGTH, ANGLE, LENGTH, LENGTH)
def test_a_move_and_its_inverse_lead_back(
    x: float, y: float, z: float, yaw: float, forward: float, left: float
) -> None:
    start = Pose(x, y, z, wrap(yaw))
    back = start.moved(forward, left, 1.0).moved(-forward, -left, -1.0)
    assert back.distance_m(start) < 1e-6


def test_frames_follow_rep_103() -> None:
    facing_y = Pose(yaw_rad=math.pi / 2)
    ahead = facing_y.moved(forward_m=2)
    assert (ahead.x_m, ahead.y_m) == (pytest.approx(0), pytest.approx(2))
    assert facing_y.bearing_rad(Pose(-1, 0)) == pytest.approx(math.pi / 2), "left is positive"


@given(ANGLE)
def test_wrapped_angles_lie_in_one_turn(angle: float) -> None:
    assert -math.pi <= wrap(angle) < math.pi
    assert math.cos(wrap(angle)) == pytest.approx(math.cos(angle), abs=1e-9)


def test_description_numbers_things_that_share_a_label() -> None:
    scene = Scene((thing("chair", 0.25, 3), thing("chair", 0.75, 2), thing("apple", 0.5, 1, colour="red")))
    assert scene.describe() == (
        "[chair[0.25] x:0.25 y:0.50 width:0.10 height:0.20 distance:300, "
        "chair[0.75] x:0.75 y:0.50 width:0.10 height:0.20 distance:200, "
        "apple x:0.50 y:0.50 width:0.10 height:0.20 distance:100 colour:red]"
    )


def test_a_description_tells_distances_where_they_are_known() -> None:
    near, far = replace(thing("apple", 0.5, 1), distance_m=None), Thing("door-1", "door", distance_m=3.004)
    assert Scene((near, far)).describe() == "[apple x:0.50 y:0.50 width:0.10 height:0.20, door distance:300]"


def test_a_thing_is_found_by_its_own_name() -> None:
    two = Scene((Thing("chair-1", "chair", distance_m=1.0), Thing("chair-2", "chair", distance_m=2.0)))
    assert [two.find(t.name) for t in two] == list(two.things)
    assert two.find("chair#chair-3") is None


def test_find_picks_the_nearest_or_the_indexed_one() -> None:
    scene = Scene((thing("chair", 0.25, 3), thing("chair", 0.75, 2)))
    assert scene.find("chair").distance_m == 2  # type: ignore[union-attr]
    assert scene.find("Chair[0.3]").distance_m == 3  # type: ignore[union-attr]
    assert scene.find("chai") is None
    assert scene.find("chair[x]") is None


@given(st.text(max_size=200))
def test_labels_cannot_leave_the_list(label: str) -> None:
    shown = Scene((thing(label, 0.5, 1),)).describe()
    assert shown.startswith("[") and shown.endswith("]")
    assert not set(plain(label)) & set('[]{}():;,|&\n\r"')


@given(st.text(min_size=1, max_size=50))
def test_a_described_name_finds_its_thing(label: str) -> None:
    scene = Scene((thing(label, 0.5, 1),))
    if plain(label):
        assert scene.find(plain(label)) is scene.things[0]


def test_scene_survives_the_journal() -> None:
    scene = Scene((thing("cup", 0.5, 1, colour="red"), Thing("x", "unplaced")), Pose(1, 2, 3, 0.5), 4.5)
    assert scene_from(json.loads(json.dumps(scene_json(scene)))) == scene
