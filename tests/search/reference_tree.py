"""AEMS2 as one would explain it: a tree of nodes with whole beliefs, in plain numpy.

Slow and open to reading. `sayso.search.tree` grows the same tree in flat arrays; the tests hold the two together.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sayso.search.bounds import prune, value
from sayso.search.flat import CERTAIN, EXACT, EXPANSIONS, GAP, ROUNDING, Root
from sayso.search.model import IMPOSSIBLE, POMDP, Floats, update


@dataclass(slots=True, eq=False)
class Node:
    """A belief. `error` is the largest E of a leaf below it, counted from here, and `leaf` is that leaf.

    The belief itself is worked out when the node is opened; most never are.
    """

    lower: float
    upper: float
    belief: Floats | None = None
    above: Edge | None = None
    observation: int = -1
    probability: float = 1.0
    edges: list[Edge] = field(default_factory=list)
    error: float = 0.0
    leaf: Node = field(init=False)

    def __post_init__(self) -> None:
        self.leaf = self
        self.error = self.upper - self.lower


@dataclass(slots=True, eq=False)
class Edge:
    """An action done in a belief, with a child for each observation that may follow."""

    node: Node
    action: int
    reward: float = 0.0
    children: list[Node] = field(default_factory=list)
    lower: float = 0.0
    upper: float = 0.0
    error: float = 0.0
    leaf: Node = field(init=False)


class ReferenceTree:
    """A search tree below one belief."""

    def __init__(self, problem: POMDP, lower: Floats, upper: Floats) -> None:
        self._problem = problem
        self._alphas = prune(lower), prune(upper)
        self.plant(problem.start)

    def plant(self, belief: Floats) -> None:
        """Begin again from one belief."""
        lower, upper = (value(alphas, belief) for alphas in self._alphas)
        self.root = Node(lower, max(lower, upper), belief)
        self.nodes = 1

    def grow(self, expansions: int, gap: float) -> tuple[int, int]:
        """Open leaves, one at least, until a reason to stop; (how many, which reason)."""
        for done in range(1, expansions + 1):
            self.expand(self.root.leaf)
            reason = self._reason(gap)
            if reason is not None:
                return done, reason
        return expansions, EXPANSIONS

    def keep(self, action: int, observation: int) -> bool:
        """Go down to the child that came true, and forget the others; False where the tree has no such child."""
        for child in self.root.edges[action].children if self.root.edges else ():
            if child.observation == observation:
                self.belief_of(child)
                child.above, child.observation, child.probability = None, -1, 1.0
                self.root, self.nodes = child, _count(child)
                return True
        return False

    def look(self) -> Root:
        """The root as numbers."""
        root = self.root
        q = np.array([e.lower for e in root.edges]), np.array([e.upper for e in root.edges])
        return Root(root.lower, root.upper, root.error, *q, self.nodes)

    def expand(self, leaf: Node) -> None:
        """Give a leaf an edge for each action and a child for each possible observation; tell its ancestors."""
        belief = self.belief_of(leaf)
        some = np.flatnonzero(belief)
        for action in range(self._problem.n_actions):
            edge = Edge(leaf, action, float(self._problem.reward[action, some] @ belief[some]))
            edge.children = self._children(edge, belief)
            self.nodes += len(edge.children)
            leaf.edges.append(edge)
            self._weigh(edge)
        self._settle(leaf)
        while (above := leaf.above) is not None:
            self._weigh(above)
            self._settle(above.node)
            leaf = above.node

    def reach(self, child: Node) -> float:
        """What one step down multiplies E by."""
        return self._problem.discount * child.probability

    def belief_of(self, node: Node) -> Floats:
        """The belief of a node, by Bayes' rule from its parent's."""
        if node.belief is None:
            assert node.above is not None, "a root has its belief"
            came = self.belief_of(node.above.node)
            node.belief = update(self._problem, came, node.above.action, node.observation)
        return node.belief

    def _children(self, edge: Edge, belief: Floats) -> list[Node]:
        arrived = self._problem.transitions.push(edge.action, belief)
        some = np.flatnonzero(arrived)
        joint = arrived[some, None] * self._problem.observation[edge.action, some]
        chances = joint.sum(axis=0)
        lows, highs = ((alphas[:, some] @ joint).max(axis=0) for alphas in self._alphas)
        return [
            Node(low / p, max(low, high) / p, above=edge, observation=seen, probability=p)
            for seen, (low, high, p) in enumerate(zip(lows.tolist(), highs.tolist(), chances.tolist(), strict=True))
            if p > IMPOSSIBLE
        ]

    def _weigh(self, edge: Edge) -> None:
        """An edge's bounds and its worst leaf, from its children."""
        discount = self._problem.discount
        edge.lower = edge.reward + discount * sum(c.probability * c.lower for c in edge.children)
        edge.upper = edge.reward + discount * sum(c.probability * c.upper for c in edge.children)
        edge.error, edge.leaf = -1.0, edge.children[0].leaf
        for child in edge.children:
            error = self.reach(child) * child.error
            if error > edge.error * (1 + ROUNDING):
                edge.error, edge.leaf = error, child.leaf

    def _settle(self, node: Node) -> None:
        """A node's bounds and its worst leaf, from its edges: bounds only tighten, the best promise is followed."""
        promising = node.edges[0]
        for edge in node.edges[1:]:
            if edge.upper > promising.upper + ROUNDING:
                promising = edge
        node.lower = max(node.lower, max(edge.lower for edge in node.edges))
        node.upper = min(node.upper, promising.upper)
        node.error, node.leaf = promising.error, promising.leaf

    def _reason(self, gap: float) -> int | None:
        root = self.root
        if root.upper - root.lower <= gap:
            return GAP
        if root.error <= ROUNDING:
            return EXACT
        best = max(root.edges, key=lambda edge: edge.lower)
        if all(best.lower >= edge.upper for edge in root.edges if edge is not best):
            return CERTAIN
        return None


def _count(node: Node) -> int:
    count, waiting = 0, [node]
    while waiting:
        one = waiting.pop()
        count += 1
        waiting += [child for edge in one.edges for child in edge.children]
    return count
