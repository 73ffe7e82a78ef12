"""The loop of planner and world."""

from __future__ import annotations

import numpy as np
from rocksample import rocksample
from search_problems import bounds, story

from sayso.search import AEMS2, simulate
from sayso.search.aems import over


def test_the_same_seed_tells_the_same_story() -> None:
    tiger = story("tiger")
    planner = AEMS2(tiger, *bounds("tiger"), expansions=30)
    one, other, third = (simulate(tiger, planner, 12, np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert one == other
    assert one != third
    assert len(one.states) == 13
    assert one.value == sum(r * 0.95**t for t, r in enumerate(one.rewards))


def test_listening_before_opening_pays() -> None:
    """Over 40 episodes the planner is far above opening at once (−45 each time) and listening for ever (−1)."""
    tiger = story("tiger")
    planner = AEMS2(tiger, *bounds("tiger"), expansions=60)
    rng = np.random.default_rng(2)
    episodes = [simulate(tiger, planner, 20, rng) for _ in range(40)]
    assert {0, 1, 2} == {action for episode in episodes for action in episode.actions}
    assert np.mean([episode.value for episode in episodes]) > 5


def test_an_episode_ends_where_nothing_more_can_happen() -> None:
    field = rocksample(4, 4)
    assert over(field, field.n_states - 1)
    assert not over(field, 0)
    planner = AEMS2(field, expansions=20)
    episode = simulate(field, planner, 60, np.random.default_rng(1))
    assert episode.states[-1] == field.n_states - 1
    assert len(episode.actions) < 60
    assert episode.rewards[-1] == 10
