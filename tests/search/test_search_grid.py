"""Grids of probability: they sum to one, follow Bayes' rule cell by cell, and lose nothing when they drift."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.errors import UsageError
from sayso.search import Drift, GridBelief, last_seen
from sayso.search.grid import region

SHAPE = (7, 9)
WINDOW = (slice(1, 5), slice(2, 8))
chances = st.floats(0, 0.99)


def plain(prior: np.ndarray, visible: np.ndarray) -> np.ndarray:
    """The belief as a table over (seen or hidden, cell), to update by the book."""
    return np.stack([prior * visible, prior * (1 - visible)]) / prior.sum()


def by_the_book(table: np.ndarray, pod: np.ndarray, false_alarm: float, detected: bool) -> tuple[np.ndarray, float]:
    found = np.zeros_like(table)
    found[(0, *WINDOW)] = pod
    likely = found + (1 - found) * false_alarm
    joint = table * (likely if detected else 1 - likely)
    return joint / joint.sum(), float(joint.sum())


looks = st.tuples(st.integers(0, 2**32 - 1), st.booleans(), chances)


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.lists(looks, min_size=1, max_size=8))
def test_every_look_is_bayes_rule(seed: int, sequence: list[tuple[int, bool, float]]) -> None:
    rng = np.random.default_rng(seed)
    prior, visible = rng.random(SHAPE) + 1e-3, rng.random(SHAPE)
    grid, table = GridBelief(prior, visible), plain(prior, visible)
    for look, detected, false_alarm in sequence:
        pod = np.random.default_rng(look).random((4, 6)) * 0.99
        table, chance = by_the_book(table, pod, false_alarm if detected else 0.0, detected)
        said = grid.hit(WINDOW, pod, false_alarm) if detected else grid.miss(WINDOW, pod)
        assert said == pytest.approx(chance)
        assert grid.probability == pytest.approx(table.sum(axis=0), abs=1e-12)
        assert grid.probability.sum() == pytest.approx(1, abs=1e-12)
        assert 1 - grid.in_view.sum() == pytest.approx(table[1].sum())
        assert grid.sighting(WINDOW, 1.0) == pytest.approx(table[(0, *WINDOW)].sum())


def test_false_alarms_cancel_out_of_a_miss() -> None:
    table = plain(np.ones(SHAPE), np.full(SHAPE, 0.5))
    pod = np.full((4, 6), 0.6)
    with_alarms, _ = by_the_book(table, pod, 0.3, detected=False)
    grid = GridBelief(np.ones(SHAPE), 0.5)
    grid.miss(WINDOW, 0.6)
    assert grid.probability == pytest.approx(with_alarms.sum(axis=0))


def test_ten_passes_over_a_thicket_are_not_ten_looks() -> None:
    open_field, thicket = GridBelief(np.ones(SHAPE)), GridBelief(np.ones(SHAPE), 0.4)
    for _ in range(10):
        open_field.miss(WINDOW, 0.7)
        thicket.miss(WINDOW, 0.7)
    assert open_field.probability[WINDOW].sum() < 1e-4
    still = 24 * 0.6 / (24 * 0.6 + 39)
    assert thicket.probability[WINDOW].sum() == pytest.approx(still, rel=1e-3)


def test_a_thousand_misses_keep_their_digits() -> None:
    """Weights shrink at every look; what was never searched ends with everything."""
    grid = GridBelief(np.ones(SHAPE))
    grid.multiply(np.where(np.arange(9) < 2, 1e-12, 1.0))
    for _ in range(1000):
        grid.miss((slice(0, 7), slice(2, 9)), 0.9)
    assert grid.probability.sum() == pytest.approx(1, abs=1e-12)
    assert grid.probability[:, :2] == pytest.approx(1 / 14)


def test_a_look_touches_only_its_window() -> None:
    grid = GridBelief(np.ones(SHAPE))
    weights = grid._weights.copy()
    grid.miss(WINDOW, 0.5)
    outside = np.ones(SHAPE, dtype=bool)
    outside[WINDOW] = False
    assert np.array_equal(grid._weights[0][outside], weights[0][outside])


@pytest.mark.parametrize("toward", [None, (0, 8), [(0, 0), (6, 8)]])
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), beta=st.floats(0, 8), stay=st.floats(0, 1))
def test_drift_loses_nothing(toward: Any, seed: int, beta: float, stay: float) -> None:
    rng = np.random.default_rng(seed)
    passable = rng.random(SHAPE) < 0.6
    grid = GridBelief(rng.random(SHAPE) + 1e-6, rng.random(SHAPE))
    drift = Drift(SHAPE, toward, beta=beta, stay=stay, passable=passable)
    assert drift.leave.sum(axis=0) + drift.stay == pytest.approx(1, abs=1e-12)
    hidden, blocked = 1 - grid.in_view.sum(), grid.probability[~passable].copy()
    for _ in range(5):
        grid.move(drift)
    assert grid.probability.sum() == pytest.approx(1, abs=1e-12)
    assert grid.probability.min() >= 0
    assert 1 - grid.in_view.sum() == pytest.approx(hidden)
    assert (grid.probability[~passable] <= blocked + 1e-12).all()


def test_drift_follows_the_rule_of_its_angles() -> None:
    drift = Drift((5, 5), (2, 4), beta=1.5, stay=0.25)
    after = drift.step(np.pad([[1.0]], 2))
    cosines = {(0, 1): 1.0, (-1, 1): np.sqrt(0.5), (1, 1): np.sqrt(0.5), (1, 0): 0.0, (0, -1): -1.0}
    total = sum(np.exp(1.5 * np.cos(angle)) for angle in np.arange(8) * np.pi / 4)
    assert after[2, 2] == pytest.approx(0.25)
    for (down, right), cosine in cosines.items():
        assert after[2 + down, 2 + right] == pytest.approx(0.75 * np.exp(1.5 * cosine) / total)


def test_what_drifts_toward_the_road_arrives() -> None:
    road = [(row, 20) for row in range(21)]
    grid = GridBelief(np.eye(1, 21 * 21, 10 * 21).reshape(21, 21))
    drift = Drift((21, 21), road, beta=3)
    for _ in range(60):
        grid.move(drift)
    assert grid.probability[:, 18:21].sum() > 0.9


def test_someone_walled_in_stays() -> None:
    passable = np.zeros((3, 3), dtype=bool)
    passable[1, 1] = True
    drift = Drift((3, 3), passable=passable, stay=0.1)
    start = np.pad([[1.0]], 1)
    assert np.array_equal(drift.step(start), start)


def test_a_region_is_the_smallest_that_holds_its_share() -> None:
    grid = GridBelief([[0.5, 0.1], [0.25, 0.15]])
    assert region(grid.probability, 0.5).tolist() == [[True, False], [False, False]]
    assert region(grid.probability, 0.7).tolist() == [[True, False], [True, False]]
    assert region(grid.probability, 1.0).all()


def test_last_seen_is_a_log_normal_ring() -> None:
    """Half of the people are nearer than the median distance: here 1 km, on cells of 40 m."""
    weights = last_seen((301, 301), (150, 150), 40.0, 0.0, 0.5)
    assert weights.sum() == pytest.approx(1, abs=0.02)
    rows, columns = np.mgrid[:301, :301]
    distance_km = np.hypot(rows - 150, columns - 150) * 0.04
    for quantile_km, share in ((1.0, 0.5), (np.exp(0.5), 0.8413), (np.exp(-0.5), 0.1587)):
        assert weights[distance_km < quantile_km].sum() == pytest.approx(share, abs=0.02)
    assert weights[150, 190] == pytest.approx(weights[110, 150])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: GridBelief(np.zeros((2, 2))), "not all zero"),
        (lambda: GridBelief([[1, -1]]), "none negative"),
        (lambda: GridBelief(np.ones((2, 2)), 1.5), "visible"),
        (lambda: GridBelief(np.ones((2, 2))).miss((slice(0, 1), slice(0, 1)), 1.2), "between 0 and 1"),
        (lambda: GridBelief(np.ones((2, 2))).miss((slice(0, 2), slice(0, 2)), 1.0), "certain to be seen"),
        (lambda: GridBelief(np.ones((2, 2))).hit((slice(0, 2), slice(0, 2)), 0.0), "sighting is impossible"),
        (lambda: GridBelief(np.ones((2, 2))).multiply(np.zeros((2, 2))), "impossible"),
        (lambda: GridBelief(np.ones((2, 2))).move(Drift((3, 3))), "made for a grid"),
        (lambda: Drift((3, 3), stay=2), "probability"),
        (lambda: Drift((3, 3), np.zeros((2, 4, 4))), "toward has shape"),
        (lambda: Drift((3, 3), (1, 2, 3)), r"\(row, column\)"),
    ],
)
def test_what_cannot_be_is_refused(call: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        call()
