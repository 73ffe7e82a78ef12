"""The belief about one subject: what looks, sightings and words teach."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from search_ground import flat

from sayso.robots.aircraft.search.craft import Charts
from sayso.robots.aircraft.search.detection import detection
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.sweep import Look, sweep
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.scene import Pose, Thing

GROUND, MODEL = flat(), detection()
CHARTS = Charts(GROUND, MODEL)
STILL = Subject(category="hiker", mobile=False, colour="red")


def taken(area: str, share: float = 1.0, altitude_m: float = 60.0, **more: object) -> Look:
    """A sweep of an area, flown so far."""
    look = CHARTS.search((0.0, 0.0, altitude_m), area).look
    assert look is not None
    length_m = sum(math.dist(a, b) for a, b in sweep(GROUND, GROUND.area(area), look.spacing_m, look.corner).legs)
    return dataclasses.replace(look, flown_m=share * length_m, id="look 1", **more)  # type: ignore[arg-type]


def sighting(x: float, y: float, confidence: float = 0.8, at_s: float = 0.0) -> Thing:
    return Thing("s1", "person", pose=Pose(x, y), confidence=confidence, seen_s=at_s, attributes={"look": "look 1"})


def test_the_chance_of_a_look_is_what_the_formula_says() -> None:
    seeker = Whereabouts(STILL, GROUND, MODEL)
    look = taken("A2", coverage=1.4)
    g = MODEL.glimpse("eo", 60.0, STILL.size_m, "red", "field", "summer", "day")
    cells = GROUND.area("A2").window
    inside = seeker.belief.probability[cells]
    open_share = MODEL.open_to_sky(GROUND)[cells]
    by_kind = np.where(GROUND.kinds[cells] == 0, g, 0)
    road = MODEL.glimpse("eo", 60.0, STILL.size_m, "red", "road", "summer", "day")
    by_kind = np.where(GROUND.of_kind("road")[cells], road, by_kind)
    expected = float((inside * open_share * -np.expm1(-1.4 * by_kind)).sum())
    assert seeker.belief.sighting(*seeker.pod(look)) == pytest.approx(expected, rel=1e-9)


def test_a_search_without_a_find_moves_the_belief_elsewhere() -> None:
    seeker = Whereabouts(STILL, GROUND, MODEL)
    before = seeker.belief.probability[GROUND.area("A2").window].sum()
    seeker.learn(taken("A2"))
    assert seeker.belief.probability[GROUND.area("A2").window].sum() < 0.6 * before
    assert seeker.belief.probability.sum() == pytest.approx(1.0)


def test_ten_searches_of_a_wood_leave_who_stands_under_the_trees() -> None:
    seeker = Whereabouts(dataclasses.replace(STILL, within=("forest",)), GROUND, MODEL)
    for _ in range(10):
        seeker.learn(taken("forest", altitude_m=30.0))
    assert 1 - seeker.belief.in_view.sum() > 0.95
    assert seeker.belief.sighting(*seeker.pod(taken("forest", altitude_m=30.0))) < 0.05


def test_a_sighting_draws_the_belief_to_its_place_and_a_surer_one_more() -> None:
    near = []
    for confidence in (0.3, 0.9):
        seeker = Whereabouts(STILL, GROUND, MODEL)
        seeker.learn(taken("A2"), [sighting(-200.0, -100.0, confidence)])
        r, c = np.indices(GROUND.shape)
        x, y = GROUND.middle((r, c))  # type: ignore[arg-type]
        near.append(seeker.belief.probability[np.hypot(x + 200, y + 100) < 40].sum())
    assert 0.02 < near[0] < near[1]


def test_a_sighting_counts_as_bayes_says() -> None:
    """One sighting, one look: odds of real against false, by hand."""
    seeker = Whereabouts(STILL, GROUND, MODEL)
    look, seen_at = taken("A2"), sighting(-200.0, -100.0)
    window, pod = seeker.pod(look)
    prior = seeker.belief.probability
    open_to = MODEL.open_to_sky(GROUND)
    ratio = np.ones(GROUND.shape)
    rows, columns = np.indices(GROUND.shape)
    x, y = GROUND.middle((rows, columns))  # type: ignore[arg-type]
    spread = MODEL.place_sd_m(60.0) ** 2 + 20.0**2 / 12
    real = np.exp(-((x + 200) ** 2 + (y + 100) ** 2) / 2 / spread) / (2 * math.pi * spread)
    false = MODEL.table["false_alarms"]["eo"]["field"] / 1e6
    ratio[window] = 1 - pod + pod * real[window] / false * MODEL.score_ratio(0.8)
    expected = prior * (open_to * ratio + (1 - open_to))
    seeker.learn(look, [seen_at])
    assert np.allclose(seeker.belief.probability, expected / expected.sum(), atol=1e-9)


def test_the_operators_word_is_stronger_than_a_sighting() -> None:
    yes, no = Whereabouts(STILL, GROUND, MODEL), Whereabouts(STILL, GROUND, MODEL)
    for seeker, said in ((yes, "yes"), (no, "no")):
        seeker.learn(taken("A2"), [sighting(-200.0, -100.0)])
        course = CHARTS.confirm((0.0, 0.0, 60.0), (-200.0, -100.0), "s1")
        assert course.look is not None
        seeker.learn(dataclasses.replace(course.look, said=said, id="look 2"))
    around = (slice(3, 7), slice(3, 7))
    assert yes.belief.probability[around].sum() > 0.6 > 0.2 > no.belief.probability[around].sum()


def test_a_moving_subject_goes_on_moving_while_it_is_looked_for() -> None:
    walker = dataclasses.replace(STILL, mobile=True, attractor="road", beta=4.0)
    seeker, other = (Whereabouts(walker, GROUND, MODEL) for _ in range(2))
    seeker.learn(taken("A1", from_s=0.0, at_s=200.0))
    other.advance(200.0)
    assert seeker.now_s == 200.0
    south = [w.belief.probability[:3].sum() for w in (seeker, other)]
    assert south[0] > south[1] > 0.2  # who is not in the north-west is rather by the road


def test_other_things_teach_nothing_about_this_one() -> None:
    bag = Thing("s9", "backpack", pose=Pose(-200, -100), attributes={"look": "look 1"})
    one, two = (Whereabouts(STILL, GROUND, MODEL) for _ in range(2))
    one.learn(taken("A2"), [bag])
    two.learn(taken("A2"))
    assert np.allclose(one.belief.probability, two.belief.probability)
