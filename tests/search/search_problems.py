"""Problems and their bounds, made once a run, and small ones at random."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import strategies as st
from rocksample import rocksample
from tag import tag
from tiger import tiger

from sayso.search import POMDP, blind, fib
from sayso.search.model import Floats

STORIES = {"tiger": tiger, "tag": tag, "rocksample": rocksample}


@cache
def story(name: str) -> POMDP:
    return STORIES[name]()


@cache
def bounds(name: str) -> tuple[Floats, Floats]:
    return blind(story(name)), fib(story(name))


def at_random(seed: int, states: int, actions: int, observations: int, discount: float = 0.8) -> POMDP:
    """A problem with many zeros in it, so that some observations are impossible."""
    rng = np.random.default_rng(seed)

    def rows(*shape: int) -> Floats:
        table = rng.random(shape) * (rng.random(shape) < 0.6)
        table[..., 0] += 1e-3 + (table.sum(axis=-1) == 0)
        return table / table.sum(axis=-1, keepdims=True)

    return POMDP(
        rows(actions, states, states),
        rows(actions, states, observations),
        rng.normal(size=(actions, states)),
        discount,
        start=rows(states),
    )


random_problems = st.builds(
    at_random,
    seed=st.integers(0, 2**32 - 1),
    states=st.integers(1, 6),
    actions=st.integers(1, 4),
    observations=st.integers(1, 4),
)
