"""Parallel tracks, what they pass, and looks that travel in a scene."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_ground import flat

from sayso.robots.aircraft.search.craft import Charts, Craft
from sayso.robots.aircraft.search.detection import detection
from sayso.robots.aircraft.search.sweep import (
    Look,
    Sweep,
    as_thing,
    looks_in,
    nearest_corner,
    seen,
    sightings_of,
    sweep,
)
from sayso.scene import Pose, Scene, Thing, scene_from, scene_json

GROUND, MODEL = flat(), detection()
CHARTS = Charts(GROUND, MODEL)


def flown_m(track: Sweep) -> float:
    """How long the legs are."""
    return sum(math.dist(a, b) for a, b in track.legs)


@settings(max_examples=40)
@given(st.sampled_from(sorted(GROUND.areas)), st.floats(15, 150), st.integers(0, 3))
def test_any_sweep_passes_every_cell_of_its_area(area: str, spacing_m: float, corner: int) -> None:
    where = GROUND.area(area)
    track = sweep(GROUND, where, spacing_m, corner)
    assert np.isfinite(track.passed_m[where.mask]).all() and np.isinf(track.passed_m[~where.mask]).all()
    assert track.passed_m[where.mask].min() > 0 and track.passed_m[where.mask].max() < flown_m(track)


def test_the_legs_lie_at_most_the_spacing_apart_and_alternate() -> None:
    track = sweep(GROUND, GROUND.area("A1"), 60.0)
    (first, second, *_) = track.legs
    assert abs(first[0][1] - second[0][1]) <= 60.0
    assert first[1][0] == pytest.approx(second[0][0])


def test_a_sweep_begins_at_the_nearest_corner() -> None:
    area = GROUND.area("B2")
    for corner in range(4):
        begin = sweep(GROUND, area, 50.0, corner).legs[0][0]
        assert nearest_corner(GROUND, area, 50.0, begin) == corner


def test_half_a_sweep_has_seen_half_of_the_area() -> None:
    course = CHARTS.search((0.0, 0.0, 60.0), "A1")
    assert course.look is not None
    whole_m = flown_m(sweep(GROUND, GROUND.area("A1"), course.look.spacing_m, course.look.corner))
    half = dataclasses.replace(course.look, flown_m=whole_m / 2)
    assert seen(half, GROUND, MODEL).share.mean() == pytest.approx(0.5, abs=0.06)


def test_a_stare_covers_its_footprint() -> None:
    look = Look("stare", "eo", 60.0, 1.0, x_m=13.0, y_m=-27.0)
    what = seen(look, GROUND, MODEL)
    print_ = MODEL.footprint("eo", 60.0)
    assert what.share.sum() * 400 == pytest.approx(print_.across_m * print_.along_m)


def test_a_look_survives_scene_and_journal() -> None:
    look = Look("sweep", "ir", 60.0, 1.5, "A1", 45.25, 3, 812.5, from_s=10.0, at_s=99.5, id="look 7")
    sighting = Thing("s1", "person", pose=Pose(1, 2), attributes={"look": "look 7"}, seen_s=50.0)
    scene = scene_from(scene_json(Scene((sighting, as_thing(look)))))
    assert looks_in(scene) == [look]
    assert [t.id for t in sightings_of(look, scene)] == ["s1"]
    assert "searched A1" in scene.describe()


def test_costs_add_up_and_wind_does_not_come_free() -> None:
    calm, windy = Charts(GROUND, MODEL), Charts(GROUND, MODEL, wind_mps=(4.0, 0.0))
    at = (-200.0, 0.0, 60.0)
    there, back = calm.home(at), windy.home(at)
    assert calm.cost(there, at).seconds == pytest.approx(200 / 14 + 60 / 3)
    assert windy.cost(back, at).seconds == pytest.approx(200 / 18 + 60 / 3)
    round_trip = [(charts, charts.search(at, "B2")) for charts in (calm, windy)]
    slow, fast = (charts.cost(course, at).seconds for charts, course in reversed(round_trip))
    assert slow > fast
    assert calm.left_at_home(1.0, at, round_trip[0][1]) < 1 - calm.cost(round_trip[0][1], at).charge


def test_too_much_wind_is_refused() -> None:
    with pytest.raises(Exception, match="too strong"):
        Charts(GROUND, MODEL, Craft(), (0.0, 9.0))
