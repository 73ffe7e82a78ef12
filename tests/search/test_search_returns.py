"""What AEMS2 earns where others have measured it: minutes, so not by default (`pytest -m slow tests/search`)."""

from __future__ import annotations

import numpy as np
import pytest
from search_problems import bounds, story

from sayso.search import AEMS2, simulate


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "expansions", "episodes", "expected", "error"),
    [("tag", 300, 400, -6.4, 0.3), ("rocksample", 200, 300, 20.6, 0.6)],
)
def test_mean_return(name: str, expansions: int, episodes: int, expected: float, error: float) -> None:
    """Within three standard errors, theirs and ours together."""
    problem = story(name)
    planner = AEMS2(problem, *bounds(name), expansions=expansions)
    rng = np.random.default_rng(7)
    values = np.array([simulate(problem, planner, 100, rng).value for _ in range(episodes)])
    own = values.std(ddof=1) / np.sqrt(episodes)
    assert abs(values.mean() - expected) <= 3 * np.hypot(own, error), f"{values.mean():.2f} ± {own:.2f}"
