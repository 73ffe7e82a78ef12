"""A model is refused, with its place, when its tables are no probabilities; sparse and dense tables mean the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_problems import at_random, random_problems

from sayso.errors import UsageError
from sayso.search import POMDP

HALVES = np.full((2, 2, 2), 0.5)
FINE: dict[str, Any] = {"transition": HALVES, "observation": HALVES, "reward": np.zeros((2, 2)), "discount": 0.9}


def changed(table: np.ndarray, value: float) -> np.ndarray:
    copy = table.copy()
    copy[1, 0, 1] = value
    return copy


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"transition": changed(HALVES, 0.7)}, "transition: action 1, state 0 sums to 1.2; expected 1"),
        ({"transition": changed(HALVES, -0.5)}, "at least 0"),
        ({"transition": changed(HALVES, np.nan)}, "finite"),
        ({"transition": HALVES[:1]}, "tells of 1 actions, observation of 2"),
        ({"transition": [([0, 1], [0, 1], 1.0)]}, "1 actions, observation of 2"),
        ({"transition": [([0, 1], [0, 2], 1.0)] * 2}, "states are 0 to 1"),
        ({"transition": [([0], [0], 1.0)] * 2}, "action 0, state 1 leads nowhere"),
        ({"transition": [([0, 1], [0], 1.0)] * 2}, "one length"),
        ({"observation": changed(HALVES, 0.4)}, "observation: action 1, state 0 sums to 0.9"),
        ({"observation": changed(HALVES, np.nan)}, "observation: every probability"),
        ({"observation": HALVES[0]}, "expected \\(actions, states, observations\\)"),
        ({"reward": np.zeros((2, 3))}, "reward has shape"),
        ({"reward": np.full((2, 2), np.inf)}, "finite"),
        ({"discount": 1.0}, "between 0 and 1"),
        ({"start": [0.5, 0.6]}, "sum to 1"),
        ({"start": [1.0]}, "shape"),
        ({"actions": ("only one",)}, "1 names for 2 actions"),
    ],
)
def test_a_model_that_cannot_be_is_refused_with_its_place(wrong: dict[str, Any], says: str) -> None:
    POMDP(**FINE)
    with pytest.raises(UsageError, match=says):
        POMDP(**{**FINE, **wrong})


@given(st.integers(0, 2**32 - 1))
def test_dense_and_sparse_tables_mean_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dense = rng.random((3, 4, 4)) * (rng.random((3, 4, 4)) < 0.5) + np.eye(4) * 0.1
    dense /= dense.sum(axis=2, keepdims=True)
    triples = [(np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4), table.ravel()) for table in dense]
    seen = np.ones((3, 4, 1))
    one, other = (POMDP(t, seen, np.zeros((3, 4)), 0.9) for t in (dense, triples))
    belief, values = rng.random(4), rng.random((4, 2))
    for action in range(3):
        assert one.transitions.push(action, belief) == pytest.approx(belief @ dense[action])
        assert one.transitions.pull(action, values) == pytest.approx(dense[action] @ values)
        assert np.array_equal(one.transitions.push(action, belief), other.transitions.push(action, belief))


def test_pairs_that_repeat_add_up() -> None:
    problem = POMDP([([0, 0, 1], [1, 1, 0], [0.25, 0.75, 1.0])], np.ones((1, 2, 1)), np.zeros((1, 2)), 0.9)
    assert problem.transitions.follow(0, 0)[1].tolist() == [1.0]


@given(random_problems)
def test_sampling_stays_within_what_can_happen(problem: POMDP) -> None:
    rng = np.random.default_rng(0)
    for action in range(problem.n_actions):
        after, seen, reward = problem.sample(0, action, rng)
        assert after in problem.transitions.follow(action, 0)[0]
        assert problem.observation[action, after, seen] > 0
        assert reward == problem.reward[action, 0]


def test_sampling_has_the_frequencies_of_the_tables() -> None:
    problem = at_random(3, states=3, actions=1, observations=2)
    rng = np.random.default_rng(1)
    counts = np.zeros((3, 2))
    for _ in range(3000):
        after, seen, _ = problem.sample(0, 0, rng)
        counts[after, seen] += 1 / 3000
    to, chance = problem.transitions.follow(0, 0)
    expected = np.zeros((3, 2))
    expected[to] = chance[:, None] * problem.observation[0, to]
    assert counts == pytest.approx(expected, abs=0.04)
