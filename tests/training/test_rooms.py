"""Rendered rooms: what is in a picture is what its boxes say, and what is held out is not seen in training."""

from __future__ import annotations

import colorsys
from itertools import islice
from random import Random

import numpy as np
import pytest
import training_path  # noqa: F401

from rooms import HEIGHT, HELD_HUES, HELD_LENGTH_M, LABELS, WIDTH, Studio, paint, room, shots, varied, viewpoint
from sayso.robots.drone.world.office import SCENES
from sayso.scene import Pose
from sayso.worlds.scenery import read_stage


def test_rooms_and_colours_that_are_held_out_are_in_no_room_for_training() -> None:
    for held in (False, True):
        for number in range(6):
            random = Random(f"{held} {number}")
            stage = room(random, held)
            assert (stage.size_m[0] >= HELD_LENGTH_M) is held
            model = Studio(stage).model
            paint(model, random, held)
            red, green, blue = model.geom("ceiling").rgba[:3]
            assert red == green == blue
            middle = np.mean(
                [model.geom(f"{side} wall").rgba[:3] for side in ("east", "west", "north", "south")], axis=0
            )
            hue, colour, _ = colorsys.rgb_to_hsv(*middle)
            assert colour < 0.1 or bool(HELD_HUES[0] - 0.02 <= hue <= HELD_HUES[1] + 0.02) is held


def test_every_label_of_the_office_is_taught() -> None:
    from sayso.robots.drone.world.office import CATALOGUE

    things = {t.label for file in SCENES.glob("*.toml") for t in read_stage(SCENES, file.stem, 0, CATALOGUE).things}
    assert things <= set(LABELS)


@pytest.mark.rendered
def test_boxes_are_where_geometry_says_that_things_are() -> None:
    studio = Studio("tour")
    if studio.world.robot.picture(16, 12) is None:
        pytest.skip("no GL library here")
    shot = studio.shoot(Pose(0.6, 0.0, 1.0, 2.6))
    exact = {(t.label, round(t.box.x, 1)): t.box for t in studio.world._judge.see() if t.box}
    boxes = [
        (LABELS[n], (left + right) / 2 / WIDTH, (right - left) / WIDTH, (low - top) / HEIGHT)
        for n, left, top, right, low in shot.boxes.tolist()
    ]
    whole = [one for one in boxes if (one[0], round(one[1], 1)) in exact]
    assert shot.picture.shape == (HEIGHT, WIDTH, 3) and len(whole) >= 2
    for label, x, width, _ in whole:
        box = exact[label, round(x, 1)]
        assert x == pytest.approx(box.x, abs=0.05) and width == pytest.approx(box.width, abs=0.08), label
    studio.close()


@pytest.mark.rendered
def test_the_same_seed_gives_the_same_pictures() -> None:
    if Studio("empty").world.robot.picture(16, 12) is None:
        pytest.skip("no GL library here")
    one, other = (next(islice(shots(3, False, 1), 1, 2)) for _ in range(2))
    assert (one.picture == other.picture).all() and (one.boxes == other.boxes).all()
    assert viewpoint(room(Random(1), False), Random(2)) == viewpoint(room(Random(1), False), Random(2))


def test_what_is_varied_keeps_its_boxes() -> None:
    dice, kept = np.random.default_rng(1), 0
    for _ in range(100):
        left, top = dice.integers(0, 240), dice.integers(0, 180)
        picture = np.full((HEIGHT, WIDTH, 3), 40, np.uint8)
        picture[top : top + 50, left : left + 70] = 200
        light, boxes = varied(picture, np.array([(3, left, top, left + 70, top + 50)], np.int16), dice)
        assert light.shape == (3, HEIGHT, WIDTH) and light.dtype == np.uint8
        for label, *corners in boxes.tolist():
            rows, columns = np.nonzero(light.mean(0) > (int(light.min()) + int(light.max())) / 2)
            there = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
            assert label == 3 and corners == pytest.approx(there, abs=3), (corners, there)
            kept += 1
    assert kept > 80
