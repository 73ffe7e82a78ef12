"""Where the lost may be before the search, and how they move."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_ground import flat

from sayso.errors import UsageError
from sayso.robots.aircraft.search.lost import Subject, attractor, categories, law, motion, prior
from sayso.robots.aircraft.search.terrain import Terrain, area_of

GROUND = flat()


def wide() -> Terrain:
    """Ten kilometres of nothing but field."""
    kinds = np.zeros((200, 200), dtype=np.uint8)
    return Terrain(kinds, np.zeros((200, 200)), 50.0, {"all": area_of("all", "field", kinds == 0)})


@settings(max_examples=30)
@given(
    st.sampled_from(categories()), st.floats(-290, 290), st.floats(-190, 190), st.sampled_from(["", "road", "forest"])
)
def test_any_prior_sums_to_one(category: str, x: float, y: float, toward: str) -> None:
    subject = Subject(category=category, seen_at=(x, y), attractor=toward)
    assert prior(subject, GROUND).sum() == pytest.approx(1.0)
    assert (prior(subject, GROUND) >= 0).all()


def test_half_of_people_with_dementia_are_found_within_their_median() -> None:
    chances = law(Subject(category="dementia", seen_at=(0.0, 0.0)), wide())
    r, c = np.indices(chances.shape)
    far_km = np.hypot(r - 99.5, c - 99.5) * 0.05
    # ten kilometres hold 84 % of the distribution; within that the median share lies where it should
    held = 0.5 * (1 + math.erf((math.log(5.0) + 0.031) / 1.619 / math.sqrt(2)))
    assert chances[far_km <= math.exp(-0.031)].sum() == pytest.approx(0.5 / held, abs=0.04)


def test_nobody_is_in_deep_water_or_farther_than_they_can_have_come() -> None:
    ago_s = 100.0
    chances = law(Subject(category="hiker", seen_at=(0.0, 0.0), ago_s=ago_s), GROUND)
    r, c = np.indices(chances.shape)
    far_m = np.hypot((c + 0.5 - 15) * 20, (r + 0.5 - 10) * 20)
    assert chances[far_m > 1.5 * ago_s + 30].sum() == 0
    assert prior(Subject(), GROUND)[GROUND.of_kind("water")].sum() == 0


def test_a_searcher_doubts_what_was_told_and_rules_no_dry_ground_out() -> None:
    told = Subject(category="hiker", seen_at=(-200.0, 0.0), ago_s=60.0, attractor="road")
    far = law(told, GROUND) == 0
    chances = prior(told, GROUND)
    assert (chances[~GROUND.of_kind("water")] > 0).all() and chances[GROUND.of_kind("water")].sum() == 0
    assert 0.05 < chances[far].sum() < 0.3
    near = replace(told, within=("A1",))
    assert prior(near, GROUND)[GROUND.areas["A1"].window].sum() == pytest.approx(1.0), "a search is confined by order"


def test_who_cannot_be_where_the_search_is_ordered_is_looked_for_there_all_the_same() -> None:
    elsewhere = Subject(category="hiker", seen_at=(-290.0, -190.0), ago_s=30.0, within=("C1",))
    assert prior(elsewhere, GROUND)[GROUND.areas["C1"].window].sum() == pytest.approx(1.0)
    with pytest.raises(UsageError, match="nothing is left"):
        law(elsewhere, GROUND)


def test_a_search_may_be_confined_to_areas() -> None:
    chances = prior(Subject(within=("forest", "road")), GROUND)
    assert chances[GROUND.of_kind("forest") | GROUND.of_kind("road")].sum() == pytest.approx(1.0)


def test_a_search_may_be_confined_to_water_and_who_is_in_it_stays_in_it() -> None:
    afloat = Subject(within=("water",))
    assert prior(afloat, GROUND)[GROUND.of_kind("water")].sum() == pytest.approx(1.0)
    moves = motion(afloat, GROUND).drift
    assert moves is not None
    there = prior(afloat, GROUND)
    for _ in range(10):
        there = moves.step(there)
    assert there[GROUND.of_kind("water")].sum() == pytest.approx(1.0)
    both = prior(Subject(within=("water", "road")), GROUND)
    assert both[GROUND.of_kind("water")].sum() > 0 and both[GROUND.of_kind("road")].sum() > 0


def test_the_attractor_draws_the_prior_and_the_drift() -> None:
    plain = prior(Subject(seen_at=(0.0, 0.0)), GROUND)
    drawn = prior(Subject(seen_at=(0.0, 0.0), attractor="road", beta=2.0), GROUND)
    assert drawn[:10].sum() > plain[:10].sum() + 0.15
    way = attractor(Subject(attractor="road"), GROUND)
    assert way is not None and (way[0][1:] < 0).all() and (way[0][0] == 0).all()
    moved = np.zeros(GROUND.shape)
    moved[10, 15] = 1.0
    moves = motion(Subject(category="hiker", attractor="road", beta=3.0), GROUND).drift
    assert moves is not None
    for _ in range(8):
        moved = moves.step(moved)
    assert (moved.sum(axis=1) * np.arange(20)).sum() < 6


def test_what_lies_still_does_not_drift() -> None:
    assert motion(Subject(mobile=False), GROUND).drift is None
    assert motion(Subject(category="thing"), GROUND).drift is None
    assert motion(Subject(category="hiker"), GROUND).step_s == pytest.approx(20 / 0.9)


def test_an_unknown_category_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="dementia"):
        prior(Subject(category="yeti", seen_at=(0.0, 0.0)), GROUND)
