"""What a search tree owes the planner, whichever way it is grown: the vocabulary of `reference` and `compiled`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sayso.search.model import Floats

ROUNDING = 1e-9
"""Two numbers this near are a tie, and the first one wins: so both trees choose alike whatever order they add in."""

EXPANSIONS, GAP, EXACT, CERTAIN = range(4)
"""Why a search stopped: budget spent, bounds near enough, no error left to remove, one action beyond doubt."""


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """Lower and upper bounds of each action's value, shape (A,)."""

    lower: Floats
    upper: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """What the tree says about the belief at its root."""

    lower: float
    upper: float
    error: float
    q: Bounds
    nodes: int


class Tree(Protocol):
    """A search tree below one belief."""

    def plant(self, belief: Floats) -> None:
        """Begin again from one belief."""

    def grow(self, expansions: int, gap: float) -> tuple[int, int]:
        """Open leaves, one at least, until a reason to stop; (how many, which reason)."""
        raise NotImplementedError

    def keep(self, action: int, observation: int) -> bool:
        """Go down to the child that came true, and forget the others; False where the tree has no such child."""
        raise NotImplementedError

    def look(self) -> Root:
        """The root as numbers; `q` is empty before the first expansion."""
        raise NotImplementedError
