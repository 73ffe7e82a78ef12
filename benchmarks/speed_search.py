"""The search's figures: a node of two known problems, an expansion with areas of a map, and a look at a large map."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from decisions import with_actions
from sayso.robots.aircraft.search.craft import Charts
from sayso.robots.aircraft.search.detection import detection
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.outlook import Lump, Surveys, look_ahead
from sayso.robots.aircraft.search.problem import build, lower, upper
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.robots.aircraft.world.scene import read_scene
from sayso.search import AEMS2, POMDP, GridBelief
from speed_references import NUMPY, Row, best_s, numpy_s

sys.path.append(str(Path(__file__).parents[1] / "tests" / "search"))
from rocksample import rocksample
from tag import tag

EXPANSIONS, REPEATS = 5000, 5
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


def expansion_s(actions: int = 48, expansions: int = 2000) -> float:
    """CPU time of one expansion of the look-ahead with every area of a map of 10^4 cells in focus."""
    terrain = with_actions(read_scene("moor").terrain, actions)
    areas, model = tuple(terrain.areas), detection()
    where = Whereabouts(Subject(colour="red", category="hiker"), terrain, model)
    surveys = Surveys(where, Charts(terrain, model), areas)
    outlook = look_ahead(where, surveys, (0.0, 0.0, 60.0), Lump(surveys, range(len(areas))))
    problem = build(outlook)
    planner = AEMS2(problem, lower(problem, outlook), upper(problem, outlook))

    def once() -> float:
        planner.start()
        began = time.process_time()
        done = planner.plan(expansions, gap=0).expansions
        return (time.process_time() - began) / done

    return min(once() for _ in range(REPEATS))


def rows(side: int = 1000) -> Iterator[Row]:
    """Nodes against a small numpy call; a look that finds nothing, each cell with its own chance, against a product."""
    call = numpy_s()
    yield Row("search_rocksample_7_8", node_s(rocksample()), NUMPY, call, 8)
    yield Row("search_tag", node_s(tag()), NUMPY, call, 6)
    yield Row("search_expansion_48_actions", expansion_s(), NUMPY, call, 120)
    belief, pod = GridBelief(np.ones((side, side)), visible=0.8), np.full((side, side), 0.1)
    everywhere = slice(0, side), slice(0, side)
    product = np.ones((side, side))
    look = best_s(lambda: belief.miss(everywhere, pod), LOOKS)
    bare = best_s(lambda: np.multiply(product, pod, out=product), LOOKS)
    yield Row("look_at_10^6_cells", look, "a product of such maps", bare, 10)
