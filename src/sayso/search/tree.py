"""The search tree of AEMS2: one loop over the flat columns of `flat.py`, compiled by numba where it is installed.

The value of a belief lies between two bounds, L and U. The leaf to open next is the one that adds most to the error at
the root: E(leaf) = γ^depth · Π P(oᵢ | bᵢ, aᵢ) · (U − L), where the path counts only if each of its actions is the one
that still promises most (largest upper bound). (Ross and Chaib-draa, IJCAI 2007.)

Without numba (`pip install 'sayso[search]'`) the same loops run as plain Python. With it the first call on a machine
compiles for some seconds; the result is cached beside this file where it may be.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numpy as np

from sayso.search.flat import (
    CERTAIN,
    EXACT,
    EXPANSIONS,
    GAP,
    NONE,
    ROUNDING,
    Nodes,
    Root,
    Tables,
    grown,
    room,
    sizes,
    tables,
)
from sayso.search.model import IMPOSSIBLE, POMDP, Floats, Indices

F = TypeVar("F", bound=Callable[..., object])

NODE, EDGE, BELIEF = range(3)


def compiled(function: F) -> F:
    """Numba's decorator, with the function's type kept; the function itself where there is no numba."""
    try:
        import numba
    except ImportError:
        return function
    try:
        return cast(F, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:
        # Neither the package's folder nor the user's cache can be written: compile anew in each process.
        return cast(F, numba.njit(nogil=True)(function))


class Tree:
    """A search tree below one belief."""

    def __init__(self, problem: POMDP, lower: Floats, upper: Floats) -> None:
        self._problem = problem
        self._tables = tables(problem, lower, upper)
        self._alphas = lower, upper
        self._step = (problem.n_actions * problem.n_observations, problem.n_actions, problem.n_states)
        self._dense = np.zeros(problem.n_states)
        self._sums = np.zeros((problem.n_actions * problem.n_observations, self._tables.block.shape[1]))
        self._rewards = np.zeros(problem.n_actions)
        self.plant(problem.start)

    def plant(self, belief: Floats) -> None:
        """Start a new tree at one belief."""
        self._nodes = room(*(64 * more for more in self._step))
        nodes, (low, high) = self._nodes, self._alphas
        states = np.flatnonzero(belief)
        nodes.state[: len(states)], nodes.weight[: len(states)] = states, belief[states]
        nodes.belief_at[0], nodes.belief_size[0], nodes.leaf[0], nodes.probability[0] = 0, len(states), 0, 1.0
        nodes.lower[0] = (low @ belief).max()
        nodes.upper[0] = max(nodes.lower[0], (high @ belief).max())
        nodes.error[0] = nodes.upper[0] - nodes.lower[0]
        nodes.used[:] = 1, 0, len(states)

    @property
    def nodes(self) -> int:
        return int(self._nodes.used[NODE])

    def grow(self, expansions: int, gap: float) -> tuple[int, int]:
        """Open leaves, one at least, until a reason to stop; (how many, which reason)."""
        done, reason = 0, EXPANSIONS
        while done < expansions and reason == EXPANSIONS:
            nodes = self._nodes = self._roomy()
            free = np.array(sizes(nodes)) - nodes.used
            now = min(expansions - done, int((free // self._step).min()))
            opened, reason = _grow(self._tables, nodes, self._dense, self._sums, self._rewards, now, gap)
            done += opened
        return done, reason

    def keep(self, action: int, observation: int) -> bool:
        """Move the root to the child that came true, and forget the others; False where the tree has no such child."""
        nodes = self._nodes
        if nodes.first_edge[0] == NONE:
            return False
        edge = nodes.first_edge[0] + action
        children = np.arange(nodes.first_child[edge], nodes.first_child[edge] + nodes.n_children[edge])
        true = children[nodes.observation[children] == observation]
        if not len(true):
            return False
        child = int(true[0])
        if nodes.first_edge[child] == NONE:
            # An unopened leaf has no belief of its own yet, and its parent's is about to be forgotten.
            nodes = self._roomy()
            _materialise(self._tables, nodes, self._dense, child)
        self._nodes = room(*(max(64 * more, int(n)) for n, more in zip(nodes.used, self._step, strict=True)))
        _copy(nodes, self._nodes, child, self._problem.n_actions)
        return True

    def look(self) -> Root:
        """The bounds at the root; its actions have none before the first expansion."""
        n = self._nodes
        first = int(n.first_edge[0])
        edges = slice(first, first + self._problem.n_actions) if first != NONE else slice(0, 0)
        q = n.edge_lower[edges].copy(), n.edge_upper[edges].copy()
        return Root(float(n.lower[0]), float(n.upper[0]), float(n.error[0]), *q, self.nodes)

    def _roomy(self) -> Nodes:
        if all(n + more <= s for n, more, s in zip(self._nodes.used, self._step, sizes(self._nodes), strict=True)):
            return self._nodes
        return grown(self._nodes, self._step)


@compiled
def _grow(
    tables: Tables, nodes: Nodes, dense: Floats, sums: Floats, rewards: Floats, expansions: int, gap: float
) -> tuple[int, int]:
    n_actions = rewards.shape[0]
    for done in range(1, expansions + 1):
        leaf = nodes.leaf[0]
        if nodes.belief_size[leaf] == NONE:
            _materialise(tables, nodes, dense, leaf)
        _look_ahead(tables, nodes, leaf, sums, rewards)
        _expand(tables, nodes, leaf, sums, rewards)
        _settle(nodes, leaf, n_actions)
        while nodes.above[leaf] != NONE:
            edge = nodes.above[leaf]
            _weigh(tables, nodes, edge)
            leaf = nodes.edge_node[edge]
            _settle(nodes, leaf, n_actions)
        reason = _reason(nodes, n_actions, gap)
        if reason != EXPANSIONS:
            return done, reason
    return expansions, EXPANSIONS


@compiled
def _materialise(tables: Tables, nodes: Nodes, dense: Floats, leaf: int) -> None:
    """Bayes' rule from the parent's belief; `dense` is all zeros before and after."""
    edge = nodes.above[leaf]
    parent = nodes.edge_node[edge]
    action = edge - nodes.first_edge[parent]
    seen = nodes.observation[leaf]
    n_states = dense.shape[0]
    begin = nodes.used[BELIEF]
    end = begin
    start = nodes.belief_at[parent]
    for i in range(start, start + nodes.belief_size[parent]):
        row = action * n_states + nodes.state[i]
        for j in range(tables.ptr[row], tables.ptr[row + 1]):
            to = tables.to[j]
            weight = nodes.weight[i] * tables.chance[j] * tables.observation[action, to, seen]
            if weight > 0:
                if dense[to] == 0:
                    nodes.state[end] = to
                    end += 1
                dense[to] += weight
    total = 0.0
    for i in range(begin, end):
        total += dense[nodes.state[i]]
    for i in range(begin, end):
        nodes.weight[i] = dense[nodes.state[i]] / total
        dense[nodes.state[i]] = 0
    nodes.belief_at[leaf] = begin
    nodes.belief_size[leaf] = end - begin
    nodes.used[BELIEF] = end


@compiled
def _look_ahead(tables: Tables, nodes: Nodes, leaf: int, sums: Floats, rewards: Floats) -> None:
    """For every (action, observation): its probability and its weighted bounds; for every action its reward."""
    rewards[:] = 0
    sums[:] = 0
    width = sums.shape[1]
    start = nodes.belief_at[leaf]
    for i in range(start, start + nodes.belief_size[leaf]):
        state, weight = nodes.state[i], nodes.weight[i]
        for action in range(rewards.shape[0]):
            rewards[action] += weight * tables.reward[state, action]
        for j in range(tables.block_ptr[state], tables.block_ptr[state + 1]):
            slot = tables.slot[j]
            for k in range(width):
                sums[slot, k] += weight * tables.block[j, k]


@compiled
def _expand(tables: Tables, nodes: Nodes, leaf: int, sums: Floats, rewards: Floats) -> None:
    """An edge for every action, a child for every observation that is possible after it.

    One long loop: handing two dozen columns over for each child takes longer than the work.
    """
    n_actions, width, n_lower = rewards.shape[0], sums.shape[1], tables.n_lower
    n_observations, discount = sums.shape[0] // n_actions, tables.discount
    edge, child = nodes.used[EDGE], nodes.used[NODE]
    nodes.first_edge[leaf] = edge
    for action in range(n_actions):
        first, low, high, worst, where = child, 0.0, 0.0, -1.0, NONE
        for seen in range(n_observations):
            slot = action * n_observations + seen
            chance = sums[slot, 0]
            if chance <= IMPOSSIBLE:
                continue
            least, most = sums[slot, 1], sums[slot, 1 + n_lower]
            for k in range(2, 1 + n_lower):
                least = max(least, sums[slot, k])
            for k in range(2 + n_lower, width):
                most = max(most, sums[slot, k])
            most = max(least, most)
            nodes.above[child], nodes.observation[child], nodes.probability[child] = edge, seen, chance
            nodes.lower[child], nodes.upper[child] = least / chance, most / chance
            nodes.error[child] = nodes.upper[child] - nodes.lower[child]
            nodes.leaf[child], nodes.first_edge[child], nodes.belief_size[child] = child, NONE, NONE
            reach = discount * chance
            low += reach * nodes.lower[child]
            high += reach * nodes.upper[child]
            if reach * nodes.error[child] > worst * (1 + ROUNDING):
                worst, where = reach * nodes.error[child], child
            child += 1
        nodes.edge_node[edge], nodes.edge_reward[edge] = leaf, rewards[action]
        nodes.edge_error[edge], nodes.edge_leaf[edge] = worst, where
        nodes.edge_lower[edge], nodes.edge_upper[edge] = rewards[action] + low, rewards[action] + high
        nodes.first_child[edge], nodes.n_children[edge] = first, child - first
        edge += 1
    nodes.used[EDGE], nodes.used[NODE] = edge, child


@compiled
def _weigh(tables: Tables, nodes: Nodes, edge: int) -> None:
    """An edge's bounds and its worst leaf, from its children."""
    lower, upper, error, leaf = 0.0, 0.0, -1.0, NONE
    first = nodes.first_child[edge]
    for child in range(first, first + nodes.n_children[edge]):
        reach = tables.discount * nodes.probability[child]
        lower += reach * nodes.lower[child]
        upper += reach * nodes.upper[child]
        if reach * nodes.error[child] > error * (1 + ROUNDING):
            error, leaf = reach * nodes.error[child], nodes.leaf[child]
    nodes.edge_lower[edge] = nodes.edge_reward[edge] + lower
    nodes.edge_upper[edge] = nodes.edge_reward[edge] + upper
    nodes.edge_error[edge] = error
    nodes.edge_leaf[edge] = leaf


@compiled
def _settle(nodes: Nodes, node: int, n_actions: int) -> None:
    """A node's bounds and its worst leaf, from its edges."""
    first = nodes.first_edge[node]
    promising, lower = first, nodes.edge_lower[first]
    for edge in range(first + 1, first + n_actions):
        lower = max(lower, nodes.edge_lower[edge])
        if nodes.edge_upper[edge] > nodes.edge_upper[promising] + ROUNDING:
            promising = edge
    nodes.lower[node] = max(nodes.lower[node], lower)
    nodes.upper[node] = min(nodes.upper[node], nodes.edge_upper[promising])
    nodes.error[node] = nodes.edge_error[promising]
    nodes.leaf[node] = nodes.edge_leaf[promising]


@compiled
def _reason(nodes: Nodes, n_actions: int, gap: float) -> int:
    if nodes.upper[0] - nodes.lower[0] <= gap:
        return GAP
    if nodes.error[0] <= ROUNDING:
        return EXACT
    first = nodes.first_edge[0]
    best = first
    for edge in range(first + 1, first + n_actions):
        if nodes.edge_lower[edge] > nodes.edge_lower[best]:
            best = edge
    for edge in range(first, first + n_actions):
        if edge != best and nodes.edge_upper[edge] > nodes.edge_lower[best]:
            return EXPANSIONS
    return CERTAIN


@compiled
def _copy(old: Nodes, new: Nodes, root: int, n_actions: int) -> None:
    """The tree below `root`, level by level, into empty columns; children stay side by side."""
    came: Indices = np.empty(old.used[NODE], dtype=np.int64)
    place = np.empty(old.used[NODE], dtype=np.int32)
    came[0], place[root] = root, 0
    count, edges, entries, here = 1, 0, 0, 0
    new.above[0], new.observation[0], new.probability[0] = NONE, NONE, 1.0
    while here < count:
        node = came[here]
        new.lower[here], new.upper[here], new.error[here] = old.lower[node], old.upper[node], old.error[node]
        if old.belief_size[node] != NONE:
            new.belief_at[here], new.belief_size[here] = entries, old.belief_size[node]
            for i in range(old.belief_at[node], old.belief_at[node] + old.belief_size[node]):
                new.state[entries], new.weight[entries] = old.state[i], old.weight[i]
                entries += 1
        if old.first_edge[node] != NONE:
            new.first_edge[here] = edges
            for edge in range(old.first_edge[node], old.first_edge[node] + n_actions):
                new.edge_node[edges], new.edge_reward[edges] = here, old.edge_reward[edge]
                new.edge_lower[edges], new.edge_upper[edges] = old.edge_lower[edge], old.edge_upper[edge]
                new.edge_error[edges], new.edge_leaf[edges] = old.edge_error[edge], old.edge_leaf[edge]
                new.first_child[edges], new.n_children[edges] = count, old.n_children[edge]
                for child in range(old.first_child[edge], old.first_child[edge] + old.n_children[edge]):
                    came[count], place[child] = child, count
                    new.above[count], new.observation[count] = edges, old.observation[child]
                    new.probability[count] = old.probability[child]
                    count += 1
                edges += 1
        here += 1
    for node in range(count):
        new.leaf[node] = place[old.leaf[came[node]]]
    for edge in range(edges):
        new.edge_leaf[edge] = place[new.edge_leaf[edge]]
    new.used[NODE], new.used[EDGE], new.used[BELIEF] = count, edges, entries
