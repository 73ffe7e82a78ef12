"""Individuals over looks: who is who, where it is, and what is only perhaps there."""

from __future__ import annotations

import asyncio
import math

from by_geometry import Blank, office
from test_ranging import boxed, view

from sayso.perception.detecting import COLOURS, DetectingCamera
from sayso.perception.detector import Detection
from sayso.perception.tracks import Tracks
from sayso.scene import Box, Pose, Scene, View, scene_from, scene_json

BOTTLE = 0.26, 0.075


def bottle(at: Pose, eye: View, confidence: float = 0.9) -> Detection:
    box = boxed(at, *BOTTLE, eye)
    assert box
    return Detection("bottle", confidence, box)


def put(world: Blank, x_m: float, y_m: float, yaw_rad: float, z_m: float = 1.0) -> None:
    """Have the drone hover somewhere."""
    quad = world.quadrotor
    quad._qpos[:] = [x_m, y_m, z_m, math.cos(yaw_rad / 2), 0, 0, math.sin(yaw_rad / 2)]
    world.step()


def looks(camera: DetectingCamera, world: Blank, *places: tuple[float, float, float]) -> list[Scene]:
    async def main() -> list[Scene]:
        scenes = []
        for place in places:
            put(world, *place)
            scenes.append(await camera.look())
        return scenes

    return asyncio.run(main())


def test_looking_twice_from_one_place_makes_no_surer_and_from_two_does() -> None:
    tracks, at, eye = Tracks(), Pose(3.0, 0.2, 1.0), view(1.0)
    for _ in range(5):
        ((still,), _) = tracks.see([bottle(at, eye)], eye, 0.0)
    beside = View(Pose(1.5, -1.4, 1.0, math.radians(50)), math.radians(35), math.radians(27))
    ((crossed,), _) = tracks.see([bottle(at, beside)], beside, 1.0)
    assert still.id == crossed.id == "bottle-1"
    assert still.error_m > 0.25 and crossed.error_m < still.error_m / 3
    assert crossed.pose and crossed.pose.distance_m(Pose(3.0, 0.2, 1.13)) < 0.1


def test_two_of_a_kind_are_two_and_stay_who_they_are() -> None:
    tracks, eye = Tracks(), view(1.0)
    one, other = Pose(2.0, 0.4, 0.9), Pose(2.4, -0.5, 0.9)
    tracks.see([bottle(one, eye), bottle(other, eye)], eye, 0.0)
    turned = view(1.0, yaw_rad=-0.2)
    (things, _) = tracks.see([bottle(other, turned), bottle(one, turned)], turned, 1.0)
    assert [t.id for t in things] == ["bottle-2", "bottle-1"]


def test_of_what_is_in_doubt_no_individual_is_made_and_one_that_is_known_goes_on() -> None:
    tracks, eye, at = Tracks(), view(1.0), Pose(2.0, 0.0, 0.9)
    (things, doubtful) = tracks.see([bottle(at, eye, 0.3)], eye, 0.0)
    assert not things and [(t.label, t.confidence) for t in doubtful] == [("bottle", 0.3)]
    tracks.see([bottle(at, eye, 0.8)], eye, 1.0)
    (things, doubtful) = tracks.see([bottle(at, eye, 0.3)], eye, 2.0)
    assert [(t.id, t.confidence) for t in things] == [("bottle-1", 0.8)] and not doubtful


def test_what_has_no_known_size_is_seen_and_has_no_place_yet() -> None:
    eye = view(1.0)
    ((thing,), _) = Tracks().see([Detection("gadget", 0.9, Box(0.4, 0.45, 0.1, 0.1))], eye, 0.0)
    assert thing.pose is None and thing.distance_m is None and thing.error_m == 0.0 and thing.box


def test_a_scene_tells_who_looked_and_comes_back_from_the_journal() -> None:
    world, camera = office(confidence=lambda t: 0.4 if t.label == "sofa" else 0.9)
    (scene,) = looks(camera, world, (0.6, 0.0, math.pi))
    assert scene.sense and scene.sense.name == "by geometry" and scene.sense.traits == COLOURS
    assert "chair" in {t.label for t in scene} and {t.label for t in scene.doubtful} == {"sofa"}
    assert scene_from(scene_json(scene)) == scene
    assert [t.distance_m for t in scene] == sorted(t.distance_m for t in scene if t.distance_m)


def test_all_that_stands_in_the_office_is_told_apart_where_it_is_by_a_few_looks_around() -> None:
    world, camera = office()
    spots = [(0.6, 0.0), (-1.0, 1.0), (1.5, -1.0), (0.0, 0.5), (2.0, 1.0)]
    scenes = looks(camera, world, *((x, y, n * math.pi / 4) for x, y in spots for n in range(8)))
    truth = world.truth().things
    known = {t.id: t for scene in scenes for t in scene if t.pose}
    kinds = ("chair", "person", "plant", "trash can", "cup", "bottle", "coke", "apple", "laptop")
    for label in kinds:
        mine = [t for t in known.values() if t.label == label]
        there = [real.pose for real in truth.values() if real.label == label]
        assert len(mine) == len(there), (label, mine)
        for thing in mine:
            assert thing.pose
            off_m = min(thing.pose.distance_m(pose) for pose in there)
            assert off_m < max(0.3, 3 * thing.error_m), (thing, there)
