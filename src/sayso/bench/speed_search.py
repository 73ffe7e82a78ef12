"""The search's figures: how many nodes a second on two known problems, and how long a look at a large map takes."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from sayso.bench.rescue_check import expansion_us
from sayso.search import AEMS2, POMDP, GridBelief
from sayso.search.problems import rocksample, tag

EXPANSIONS = 5000
REPEATS = 5
LOOKS = 60


def nodes_per_s(problem: POMDP) -> float:
    """Nodes that were given bounds, a second of CPU time, in one search from the start; compiling left out."""
    planner = AEMS2(problem)
    planner.plan(10)
    best = 0.0
    for _ in range(REPEATS):
        planner.start()
        began = time.process_time()
        decision = planner.plan(EXPANSIONS, gap=0)
        best = max(best, decision.nodes / (time.process_time() - began))
    return best


def look_ms(side: int = 1000) -> float:
    """CPU time of one look without a find that sweeps every cell of a map, each with its own chance of detection."""
    belief = GridBelief(np.ones((side, side)), visible=0.8)
    pod = np.full((side, side), 0.1)
    everywhere = slice(0, side), slice(0, side)
    best = float("inf")
    for _ in range(LOOKS):
        began = time.process_time()
        belief.miss(everywhere, pod)
        best = min(best, time.process_time() - began)
    return best * 1e3


def figures() -> Iterator[tuple[str, float, str, float, bool]]:
    """(id, value, unit, bar, whether the bar is an upper bound). The best of some runs: others only add to it."""
    yield "search_rocksample_7_8", nodes_per_s(rocksample()), "nodes/s", 300_000, False
    yield "search_tag", nodes_per_s(tag()), "nodes/s", 700_000, False
    yield "search_rescue_expansion_48_actions", expansion_us(), "us", 40, True
    yield "look_at_10^6_cells", look_ms(), "ms", 1, True
