"""A rover, a field of rocks, and the question which of them are worth the drill.

The rover knows where it is and where the rocks are, but not which are good. A long-range sensor tells, the more
reliably the nearer it is: right with (1 + 2^(−d/20)) / 2 at distance d. Sampling a good rock gives 10 and leaves it
bad, a bad one costs 10. Leaving the field to the east gives 10 and ends the day. Walking into another edge, or drilling
where no rock is, costs 100. (Smith and Simmons, 2004; the layout of the 7 × 7 field with 8 rocks is the usual one.)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sayso.errors import UsageError
from sayso.search.model import POMDP, Floats, Indices, Triples

LAYOUTS = {
    (7, 8): ((2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6)),
    (4, 4): ((3, 1), (2, 1), (1, 3), (1, 0)),
}
MOVES = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
HALF_DISTANCE = 20.0
NONE, GOOD, BAD = range(3)

Cell = tuple[int, int]


def rocksample(
    size: int = 7, rocks: int = 8, *, layout: Sequence[Cell] = (), start: Cell | None = None, discount: float = 0.95
) -> POMDP:
    """size² · 2^rocks + 1 states (the last one: gone), 5 + rocks actions, 3 observations.

    `layout` places the rocks as (x, y) from the south-west corner; it may be left out for the sizes in `LAYOUTS`.
    State `(x + size·y)·2^rocks + bits`, where bit i says that rock i is good.
    """
    places = tuple(layout) or LAYOUTS.get((size, rocks), ())
    if len(places) != rocks:
        raise UsageError(f"rocksample({size}, {rocks}) needs layout=[(x, y), …] with {rocks} places")
    first = start or (0, size // 2)
    actions = (*MOVES, "sample", *(f"check-{n}" for n in range(rocks)))
    field = _Field(size, places)
    return POMDP(
        transition=[field.transition(action) for action in actions],
        observation=np.stack([field.sight(action) for action in actions]),
        reward=np.stack([field.reward(action) for action in actions]),
        discount=discount,
        start=field.start(first),
        actions=actions,
        observations=("none", "good", "bad"),
    )


class _Field:
    def __init__(self, size: int, places: tuple[Cell, ...]) -> None:
        self.size = size
        self.places = places
        patterns = 2 ** len(places)
        self.gone = size * size * patterns
        cell, self.bits = np.divmod(np.arange(self.gone), patterns)
        self.y, self.x = np.divmod(cell, size)

    def start(self, at: Cell) -> Floats:
        here = (self.x == at[0]) & (self.y == at[1])
        return np.append(here / here.sum(), 0.0)

    def transition(self, action: str) -> Triples:
        to = np.arange(self.gone)
        if action in MOVES:
            x, y = self.x + MOVES[action][0], self.y + MOVES[action][1]
            inside = (x >= 0) & (x < self.size) & (y >= 0) & (y < self.size)
            to = np.where(inside, self._state(x, y, self.bits), to)
            to = np.where(x == self.size, self.gone, to)
        if action == "sample":
            to = self._state(self.x, self.y, self.bits & ~self._rock_bit())
        return np.arange(self.gone + 1), np.append(to, self.gone), 1.0

    def sight(self, action: str) -> Floats:
        seen = np.zeros((self.gone + 1, 3))
        if not action.startswith("check"):
            seen[:, NONE] = 1
            return seen
        rock = int(action.partition("-")[2])
        far = np.hypot(self.x - self.places[rock][0], self.y - self.places[rock][1])
        right = (1 + 2 ** (-far / HALF_DISTANCE)) / 2
        good = np.where(self.bits >> rock & 1, right, 1 - right)
        seen[:-1, GOOD], seen[:-1, BAD] = good, 1 - good
        seen[-1, NONE] = 1
        return seen

    def reward(self, action: str) -> Floats:
        reward = np.zeros(self.gone + 1)
        if action == "sample":
            bit = self._rock_bit()
            reward[:-1] = np.where(bit == 0, -100, np.where(self.bits & bit, 10, -10))
        elif action in MOVES:
            x, y = self.x + MOVES[action][0], self.y + MOVES[action][1]
            reward[:-1] = np.where(x == self.size, 10, np.where((x < 0) | (y < 0) | (y == self.size), -100, 0))
        return reward

    def _state(self, x: Indices, y: Indices, bits: Indices) -> Indices:
        return np.asarray((x + self.size * y) * 2 ** len(self.places) + bits)

    def _rock_bit(self) -> Indices:
        """For each state the bit of the rock under the rover, 0 where none is."""
        bit = np.zeros(self.gone, dtype=np.int64)
        for n, (x, y) in enumerate(self.places):
            bit[(self.x == x) & (self.y == y)] = 1 << n
        return bit
