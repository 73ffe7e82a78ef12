"""The search tree as flat columns, which a compiled loop can work on.

Two ideas make it fast. The bounds of a child need no child belief: P(o)·α·b' = b·g with g = T_a(O_{a,o} ∘ α), so for
each state one small block of numbers per (action, observation) that can follow it, laid end to end, bounds all children
in a single pass over the belief. And beliefs are kept only for opened nodes, as (state, probability) pairs in one row.

A node's edges are numbered `first_edge[node] + action`, so an edge needs no action and a leaf no edges.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sayso.search.bounds import prune
from sayso.search.model import POMDP, Floats, Indices

Ints = NDArray[np.int32]

ROUNDING = 1e-9
"""Two numbers this near are a tie, and the first one wins: whatever order sums are added in, the choice is the same."""

EXPANSIONS, GAP, EXACT, CERTAIN = range(4)
"""Why a search stopped: budget spent, bounds near enough, no error left to remove, one action beyond doubt."""

NONE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """What a tree says about the belief at its root; `q_lower` and `q_upper` bound each action's value, shape (A,)."""

    lower: float
    upper: float
    error: float
    q_lower: Floats
    q_upper: Floats
    nodes: int


class Tables(NamedTuple):
    """What a problem and its bounds never change.

    State s owns the blocks `block_ptr[s]:block_ptr[s + 1]`; block i is about slot `slot[i]` = a·O + o, and `block[i]`
    holds P(o | s, a), then the same weighted by each lower vector, then by each upper one.
    """

    ptr: Indices
    to: Indices
    chance: Floats
    observation: Floats
    reward: Floats
    block_ptr: Indices
    slot: Indices
    block: Floats
    n_lower: int
    discount: float


class Nodes(NamedTuple):
    """Nodes, edges and beliefs, each as columns; `used` counts the rows of the three that are taken."""

    used: Indices
    above: Ints
    observation: Ints
    probability: Floats
    lower: Floats
    upper: Floats
    error: Floats
    leaf: Ints
    first_edge: Ints
    belief_at: Indices
    belief_size: Ints
    edge_node: Ints
    edge_reward: Floats
    edge_lower: Floats
    edge_upper: Floats
    edge_error: Floats
    edge_leaf: Ints
    first_child: Ints
    n_children: Ints
    state: Ints
    weight: Floats


NODE_COLUMNS = slice(1, 11)
EDGE_COLUMNS = slice(11, 19)
BELIEF_COLUMNS = slice(19, 21)


def tables(problem: POMDP, lower: Floats, upper: Floats) -> Tables:
    """The problem with its bounds folded in."""
    low, high = prune(lower), prune(upper)
    values = np.concatenate([np.ones((1, problem.n_states)), low, high]).T
    states, slots, blocks = [], [], []
    for slot in range(problem.n_actions * problem.n_observations):
        action, seen = divmod(slot, problem.n_observations)
        table = _ahead(problem, action, seen, values)
        some = np.flatnonzero(table.any(axis=1))
        states.append(some)
        slots.append(np.full(len(some), slot))
        blocks.append(table[some])
    state = np.concatenate(states)
    order = np.argsort(state, kind="stable")
    ends = np.cumsum(np.bincount(state, minlength=problem.n_states))
    return Tables(
        ptr=problem.transitions.ptr,
        to=problem.transitions.to,
        chance=problem.transitions.chance,
        observation=problem.observation,
        reward=np.ascontiguousarray(problem.reward.T),
        block_ptr=np.concatenate([[0], ends]).astype(np.int64),
        slot=np.concatenate(slots)[order].astype(np.int64),
        block=np.ascontiguousarray(np.concatenate(blocks)[order]),
        n_lower=len(low),
        discount=problem.discount,
    )


def _ahead(problem: POMDP, action: int, seen: int, values: Floats) -> Floats:
    """For each state, P(o | s, a), and the same weighted by each vector, shape (S, width)."""
    weighed = problem.observation[action, :, seen, None] * values
    return problem.transitions.pull(action, weighed) if weighed.any() else np.zeros_like(values)


FLOATS = {"probability", "lower", "upper", "error", "edge_reward", "edge_lower", "edge_upper", "edge_error", "weight"}
LONG = {"belief_at"}


def room(nodes: int, edges: int, beliefs: int) -> Nodes:
    """Empty columns for so many nodes, edges and belief entries."""

    def column(name: str, count: int) -> Any:
        return np.zeros(count) if name in FLOATS else np.full(count, NONE, np.int64 if name in LONG else np.int32)

    counts = (NODE_COLUMNS, nodes), (EDGE_COLUMNS, edges), (BELIEF_COLUMNS, beliefs)
    columns = [column(name, count) for part, count in counts for name in Nodes._fields[part]]
    return Nodes(np.zeros(3, dtype=np.int64), *columns)


def sizes(nodes: Nodes) -> tuple[int, int, int]:
    """How many nodes, edges and belief entries fit."""
    return len(nodes.above), len(nodes.edge_node), len(nodes.state)


def grown(nodes: Nodes, needed: tuple[int, int, int]) -> Nodes:
    """The same tree with room for `needed` more of each; doubling, so that growing stays cheap on the whole."""
    used = [int(n) for n in nodes.used]
    bigger = [max(2 * size, n + more) for size, n, more in zip(sizes(nodes), used, needed, strict=True)]
    wide = room(*[b if n + more > s else s for b, n, more, s in zip(bigger, used, needed, sizes(nodes), strict=True)])
    for columns, count in zip((NODE_COLUMNS, EDGE_COLUMNS, BELIEF_COLUMNS), used, strict=True):
        for old, new in zip(nodes[columns], wide[columns], strict=True):
            new[:count] = old[:count]
    wide.used[:] = nodes.used
    return wide
