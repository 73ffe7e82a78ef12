"""The bounds have the values that the field knows them by, and are bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from rocksample import rocksample
from search_problems import bounds, random_problems, story

from sayso.errors import UsageError
from sayso.search import POMDP, blind, fib, qmdp, value
from sayso.search.bounds import prune


@pytest.mark.parametrize(
    ("name", "lower", "loose", "upper"),
    [
        ("tiger", -20, 189.0, 87.19),
        ("tag", -20, 0.821, 0.328),
        ("rocksample", 7.351, 27.701, 27.701),
    ],
)
def test_check_values(name: str, lower: float, loose: float, upper: float) -> None:
    """Published values come from iterations that stop a little earlier than ours: up to 0.02 apart."""
    problem = story(name)
    low, high = bounds(name)
    assert value(low, problem.start) == pytest.approx(lower, abs=1e-3)
    assert value(high, problem.start) == pytest.approx(upper, abs=0.02)
    assert value(qmdp(problem), problem.start) == pytest.approx(loose, abs=0.02)


def exact(problem: POMDP, belief: np.ndarray, depth: int, low: np.ndarray, high: np.ndarray) -> tuple[float, float]:
    """Bounds from looking `depth` steps ahead at everything: nothing left out, so they must lie between."""
    if depth == 0:
        return value(low, belief), value(high, belief)
    pairs = []
    for action in range(problem.n_actions):
        ends = np.full(2, problem.reward[action] @ belief)
        arrived = problem.transitions.push(action, belief)
        for seen in range(problem.n_observations):
            joint = arrived * problem.observation[action, :, seen]
            if joint.sum() > 1e-12:
                below = exact(problem, joint / joint.sum(), depth - 1, low, high)
                ends += problem.discount * joint.sum() * np.array(below)
        pairs.append(ends)
    best = np.max(pairs, axis=0)
    return float(best[0]), float(best[1])


@settings(max_examples=25)
@given(random_problems)
def test_looking_ahead_never_leaves_the_bounds(problem: POMDP) -> None:
    low, high, loose = blind(problem), fib(problem), qmdp(problem)
    below, above = exact(problem, problem.start, 2, low, high)
    assert value(low, problem.start) - 1e-6 <= below <= above + 1e-6
    assert above <= value(high, problem.start) + 1e-6
    assert value(high, problem.start) <= value(loose, problem.start) + 1e-9


@settings(max_examples=50)
@given(random_problems)
def test_pruning_keeps_the_maximum(problem: POMDP) -> None:
    alphas = np.concatenate([problem.reward, problem.reward - 0.5, problem.reward[:1]])
    kept = prune(alphas)
    assert len(kept) <= problem.n_actions
    assert value(kept, problem.start) == pytest.approx(value(alphas, problem.start))


def test_eight_sensors_are_one_to_the_bounds() -> None:
    low, high = bounds("rocksample")
    assert len(low) == len(high) == 13
    assert len(prune(low)) == 1
    assert len(prune(high)) == 6


def test_a_field_without_a_layout_asks_for_one() -> None:
    with pytest.raises(UsageError, match=r"layout=\[\(x, y\), …\] with 3 places"):
        rocksample(5, 3)
    assert rocksample(5, 3, layout=[(0, 0), (2, 2), (4, 4)]).n_states == 25 * 8 + 1
