"""The search's figures: how long a node takes on two known problems, and a look at a large map."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from sayso.bench.speed import Row, best_s
from sayso.bench.speed.references import NUMPY, numpy_s
from sayso.search import AEMS2, POMDP, GridBelief
from sayso.search.problems import rocksample, tag

EXPANSIONS = 5000
REPEATS = 5
LOOKS = 60


def node_s(problem: POMDP) -> float:
    """CPU time of a node that was given bounds, in one search from the start; compiling left out."""
    planner = AEMS2(problem)
    planner.plan(10)
    took = []
    for _ in range(REPEATS):
        planner.start()
        began = time.process_time()
        decision = planner.plan(EXPANSIONS, gap=0)
        took.append((time.process_time() - began) / decision.nodes)
    return min(took)


def rows(side: int = 1000) -> Iterator[Row]:
    """Nodes against a small numpy call; a look that finds nothing, each cell with its own chance, against a product."""
    call = numpy_s()
    yield Row("search_rocksample_7_8", node_s(rocksample()), NUMPY, call, 8)
    yield Row("search_tag", node_s(tag()), NUMPY, call, 6)
    belief, pod = GridBelief(np.ones((side, side)), visible=0.8), np.full((side, side), 0.1)
    everywhere = slice(0, side), slice(0, side)
    product = np.ones((side, side))
    look = best_s(lambda: belief.miss(everywhere, pod), LOOKS)
    bare = best_s(lambda: np.multiply(product, pod, out=product), LOOKS)
    yield Row("look_at_10^6_cells", look, "a product of such maps", bare, 10)
