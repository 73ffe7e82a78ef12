"""Beliefs are probabilities and follow Bayes' rule, for any problem."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from search_problems import random_problems, story

from sayso.errors import UsageError
from sayso.search import POMDP, observe, update


@given(random_problems)
def test_update_is_bayes_rule_written_out(problem: POMDP) -> None:
    belief = problem.start
    for action in range(problem.n_actions):
        joint = np.zeros((problem.n_states, problem.n_observations))
        for state in range(problem.n_states):
            for to, chance in zip(*problem.transitions.follow(action, state), strict=True):
                joint[to] += belief[state] * chance * problem.observation[action, to]
        chances = observe(problem, belief, action)
        assert chances == pytest.approx(joint.sum(axis=0))
        for seen in np.flatnonzero(chances > 1e-9):
            after = update(problem, belief, action, int(seen))
            assert after.sum() == pytest.approx(1)
            assert after == pytest.approx(joint[:, seen] / joint[:, seen].sum())


@given(random_problems)
def test_what_one_expects_to_believe_is_what_one_believes(problem: POMDP) -> None:
    chances = observe(problem, problem.start, 0)
    mean = sum(chances[o] * update(problem, problem.start, 0, int(o)) for o in np.flatnonzero(chances > 1e-12))
    assert mean == pytest.approx(problem.transitions.push(0, problem.start))


def test_the_ear_at_the_door() -> None:
    tiger = story("tiger")
    once = update(tiger, tiger.start, 0, 0)
    assert once == pytest.approx([0.85, 0.15])
    assert update(tiger, once, 0, 1) == pytest.approx([0.5, 0.5])
    assert update(tiger, once, 1, 0) == pytest.approx([0.5, 0.5])


def test_an_impossible_observation_is_named() -> None:
    tag = story("tag")
    at_home = np.zeros(tag.n_states)
    at_home[tag.states.index("0,0 9,1")] = 1
    with pytest.raises(UsageError, match="observation 5,0 cannot follow action north"):
        update(tag, at_home, 0, tag.observations.index("5,0"))
