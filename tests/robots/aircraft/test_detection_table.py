"""The detection table: figures that are published come out again, and every layer says where it comes from."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_ground import flat

from sayso.errors import UsageError
from sayso.robots.aircraft.search.detection import TELLS, Detection, detection
from sayso.robots.aircraft.search.terrain import KINDS, LIGHTS, SEASONS

MODEL = detection()


@pytest.mark.parametrize(("what", "pixels"), [("detect", 4), ("recognise", 15), ("identify", 25)])
def test_johnsons_pixels_give_79_percent(what: str, pixels: float) -> None:
    assert MODEL.tells(pixels, what) == pytest.approx(0.79, abs=1e-6)


@settings(max_examples=40)
@given(st.floats(0.01, 500), st.floats(1.01, 3))
def test_more_pixels_never_tell_less(pixels: float, times: float) -> None:
    for what in TELLS:
        assert 0 <= MODEL.tells(pixels, what) <= MODEL.tells(pixels * times, what) <= 1


def test_the_sweep_width_at_night_and_of_dull_colours_shrinks_as_on_the_ground() -> None:
    by_day = MODEL.glimpse("eo", 60, 0.7, "red", "field", "summer", "day")
    assert MODEL.glimpse("eo", 60, 0.7, "red", "field", "summer", "night") / by_day == pytest.approx(22 / 64)
    assert MODEL.glimpse("eo", 60, 0.7, "green", "field", "summer", "day") / by_day == pytest.approx(1.1 / 1.8)
    assert MODEL.glimpse("eo", 60, 0.7, "blue", "field", "summer", "day") / by_day == pytest.approx(1.6 / 1.8)


def test_pixels_follow_from_optics() -> None:
    wide_m = 2 * 90 * math.tan(math.radians(35))
    assert MODEL.footprint("eo", 90).across_m == pytest.approx(wide_m)
    assert MODEL.pixels("eo", 90, 1.0) == pytest.approx(960 / wide_m)
    assert MODEL.pixels("eo", 90, 1.0, zoomed=True) == pytest.approx(3 * 960 / wide_m)


def test_height_trades_detail_for_width() -> None:
    low, high = (MODEL.glimpse("eo", z, 0.7, "red", "forest", "summer", "day") for z in (30, 90))
    assert low > 2 * high
    assert MODEL.footprint("eo", 30).across_m < MODEL.footprint("eo", 90).across_m


def test_a_thermal_camera_sees_at_night_what_eyes_do_not() -> None:
    eo, ir = (MODEL.glimpse(payload, 30, 0.7, "black", "field", "autumn", "night") for payload in ("eo", "ir"))
    assert ir > 2 * eo


def test_every_combination_gives_a_chance() -> None:
    for payload in MODEL.payloads:
        for season in SEASONS:
            for light in LIGHTS:
                for kind in KINDS:
                    assert 0 < MODEL.glimpse(payload, 60, 0.7, "green", kind, season, light) < 1


def test_every_layer_names_its_source() -> None:
    layers = set(MODEL.table) - {"source"}
    told = {"camera": "optics", "light": "light", "place": "optics"}
    assert {told.get(layer, layer) for layer in layers} <= set(MODEL.table["source"])
    assert all("assumption" in text or len(text) > 20 for text in MODEL.table["source"].values())


def test_the_table_can_be_edited_and_a_hole_in_it_is_named() -> None:
    table = copy.deepcopy(dict(MODEL.table))
    table["johnson"]["detect"] = 8.0
    assert Detection(table).tells(8, "detect") == pytest.approx(0.79, abs=1e-6)
    del table["clutter"]["forest"]
    with pytest.raises(UsageError, match=r"clutter\.forest"):
        Detection(table)


def test_the_visible_bit_follows_season_and_ground() -> None:
    summer, winter = (MODEL.open_to_sky(flat(season=season)) for season in ("summer", "winter"))
    assert summer[15, 20] < winter[15, 20] < winter[5, 5]
    assert summer.shape == (20, 30)


def test_confidence_speaks_for_real_sightings() -> None:
    assert MODEL.score_ratio(0.9) > 2 > 0.5 > MODEL.score_ratio(0.2)
    at = np.linspace(0.0005, 0.9995, 1000)
    score = MODEL.table["score"]
    chances = [MODEL.score_ratio(x) for x in at]
    assert np.isfinite(chances).all() and score["real"] != score["false"]
