"""The geometric camera tells what an image could show: in frame, large enough, not hidden."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import mujoco
import pytest

from sayso.clock import SimClock
from sayso.errors import RobotError
from sayso.perception.geometry import GeometricCamera

BALL, CUBE = mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_BOX
HALF_WIDTH = 0.8 * math.tan(math.radians(82.6 / 2))
HALF_HEIGHT = 0.6 * math.tan(math.radians(82.6 / 2))


@dataclass(frozen=True)
class Item:
    """A body to see: its place, shape and half size in metres."""

    id: str
    label: str
    at: tuple[float, float, float]
    half_m: float = 0.1
    shape: int = BALL
    attributes: Mapping[str, str] = field(default_factory=dict)


def camera(*items: Item, wall_at: float | None = None) -> GeometricCamera:
    """Looks along +x from the origin at the items, past an optional wall without a name."""
    spec = mujoco.MjSpec()
    for item in items:
        body = spec.worldbody.add_body(name=item.id, pos=item.at)
        body.add_geom(type=item.shape, size=[item.half_m] * 3)
    if wall_at is not None:
        spec.worldbody.add_geom(type=CUBE, size=[0.05, 5, 5], pos=[wall_at, 0, 0])
    fovy = math.degrees(2 * math.atan(HALF_HEIGHT))
    spec.worldbody.add_camera(name="eye", pos=[0, 0, 0], xyaxes=[0, -1, 0, 0, 0, 1], fovy=fovy)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return GeometricCamera(model, data, 0, items)


def ids(eye: GeometricCamera) -> list[str]:
    return [thing.id for thing in eye.see()]


def test_a_ball_ahead_is_boxed_where_it_projects() -> None:
    (thing,) = camera(Item("a", "apple", (2.0, 0.5, 0.25), attributes={"color": "red"})).see()
    assert thing.box is not None
    assert thing.box.x == pytest.approx(0.5 - 0.5 / 2 / (2 * HALF_WIDTH), abs=0.005)  # left of the middle
    assert thing.box.y == pytest.approx(0.5 - 0.25 / 2 / (2 * HALF_HEIGHT), abs=0.005)  # above it
    assert thing.box.width == pytest.approx(0.2 / 2 / (2 * HALF_WIDTH), rel=0.08)
    assert thing.distance_m == pytest.approx(math.hypot(2.0, 0.5, 0.25) - 0.1, abs=0.03)
    assert thing.pose is not None
    assert (thing.pose.x_m, thing.pose.y_m, thing.pose.z_m) == pytest.approx((2.0, 0.5, 0.25), abs=0.01)
    assert (thing.label, thing.attributes) == ("apple", {"color": "red"})


@pytest.mark.parametrize(
    "at",
    [(-2.0, 0.0, 0.0), (2.0, 2.2, 0.0), (2.0, 0.0, 1.6), (0.0, 0.0, 0.0)],
    ids=["behind", "left", "above", "inside"],
)
def test_out_of_the_frustum_is_out_of_view(at: tuple[float, float, float]) -> None:
    assert ids(camera(Item("a", "apple", at))) == []


def test_the_edge_of_the_field_of_view_is_where_it_should_be() -> None:
    edge_m = 2.0 * HALF_WIDTH
    assert ids(camera(Item("a", "apple", (2.0, edge_m - 0.12, 0.0)))) == ["a"]
    assert ids(camera(Item("a", "apple", (2.0, edge_m + 0.12, 0.0)))) == []


def test_boxes_are_cut_at_the_frame() -> None:
    (thing,) = camera(Item("a", "cabinet", (1.0, 0.5, 0.0), half_m=0.4, shape=CUBE)).see()
    assert thing.box is not None
    assert thing.box.x - thing.box.width / 2 == 0.0
    assert thing.box.x + thing.box.width / 2 < 1.0


def test_what_stands_behind_a_wall_is_hidden() -> None:
    assert ids(camera(Item("a", "apple", (3.0, 0.0, 0.0)), wall_at=2.0)) == []
    assert ids(camera(Item("a", "apple", (1.0, 0.0, 0.0)), wall_at=2.0)) == ["a"]


def test_a_thing_hides_what_is_behind_it_unless_enough_shows() -> None:
    front = Item("front", "box", (1.0, 0.0, 0.0), half_m=0.2, shape=CUBE)
    assert ids(camera(front, Item("back", "apple", (2.0, 0.0, 0.0)))) == ["front"]
    assert ids(camera(front, Item("back", "apple", (2.0, 0.45, 0.0)))) == ["front", "back"]


@pytest.mark.parametrize(("distance_m", "seen"), [(3.0, True), (5.0, True), (9.0, False)])
def test_an_apple_is_too_small_far_away(distance_m: float, seen: bool) -> None:
    assert bool(ids(camera(Item("a", "apple", (distance_m, 0.0, 0.0), half_m=0.042)))) == seen


def test_alike_things_keep_their_ids_and_come_nearest_first() -> None:
    eye = camera(Item("p1", "person", (3.0, 0.8, 0.0)), Item("p2", "person", (2.0, -0.8, 0.0)))
    assert ids(eye) == ids(eye) == ["p2", "p1"]
    scene = eye.see()
    right = scene.find("person[0.9]")
    assert right is not None and right.id == "p2"


def test_what_carries_the_camera_never_hides_anything() -> None:
    spec = mujoco.MjSpec()
    carrier = spec.worldbody.add_body(name="drone", pos=[0, 0, 0])
    carrier.add_geom(type=CUBE, size=[0.02, 0.5, 0.5], pos=[0.1, 0, 0])
    carrier.add_camera(name="eye", xyaxes=[0, -1, 0, 0, 0, 1], fovy=55.6)
    spec.worldbody.add_body(name="a", pos=[2, 0, 0]).add_geom(type=BALL, size=[0.1, 0, 0])
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    item = Item("a", "apple", (2, 0, 0))
    assert ids(GeometricCamera(model, data, 0, [item], own_body=int(model.body("drone").id))) == ["a"]
    assert ids(GeometricCamera(model, data, 0, [item])) == []


def test_a_look_at_what_stands_still_casts_no_rays_and_a_move_or_a_change_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attributes = {"colour": "red"}
    eye, cast_rays, rounds = camera(Item("a", "apple", (2.0, 0.0, 0.0), attributes=attributes)), mujoco.mj_multiRay, 0

    def counted(*args: Any) -> None:
        nonlocal rounds
        rounds += 1
        cast_rays(*args)

    monkeypatch.setattr(mujoco, "mj_multiRay", counted)
    first, again = eye.see(1.0), eye.see(2.0)
    assert (rounds, again.things[0].seen_s) == (1, 2.0)
    assert replace(again, things=first.things, seen_s=1.0) == first
    attributes["colour"] = "green"
    assert (eye.see().things[0].attributes, rounds) == ({"colour": "green"}, 1)
    eye._model.body_pos[1][1] = 0.5
    mujoco.mj_forward(eye._model, eye._data)
    pose = eye.see().things[0].pose
    assert pose is not None and (pose.y_m, rounds) == (pytest.approx(0.5), 2)
    eye._data.cam_xpos[0] += 0.1
    assert eye.see().things[0].distance_m != first.things[0].distance_m


def test_look_stamps_the_time_of_the_loop() -> None:
    eye = camera(Item("a", "apple", (2.0, 0.0, 0.0)))

    async def main() -> None:
        await asyncio.sleep(12.5)
        scene = await eye.look()
        assert (scene.seen_s, scene.things[0].seen_s) == (12.5, 12.5)

    SimClock().run(main())


def test_a_simulation_that_came_apart_is_an_error_and_no_empty_scene() -> None:
    eye = camera(Item("a", "apple", (2.0, 0.0, 0.0)))
    eye._data.cam_xpos[0] = math.nan
    with pytest.raises(RobotError, match="not a number"):
        eye.see()
