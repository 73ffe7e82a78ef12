"""The cheapest path over cells, and its straightening. Pure: what may be crossed its caller says."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

Cell: TypeAlias = tuple[int, int]
P = TypeVar("P")

SIDES = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)


def cheapest(
    start: Cell, over: Callable[[Cell], bool], cost: Callable[[Cell], float], free: Callable[[Cell, Cell], bool]
) -> list[Cell]:
    """The cheapest path over cells until one is reached where it is `over`; empty where there is none. `cost` is of a
    step straight into a cell, inf where nobody goes; `free`, asked last, tells whether a step can be taken."""
    came, best, queue = dict[Cell, Cell](), {start: 0.0}, [(0.0, start)]
    while queue:
        spent, here = heapq.heappop(queue)
        if spent > best[here]:
            continue
        if over(here):
            way = [here]
            while way[-1] != start:
                way.append(came[way[-1]])
            return way[::-1]
        for down, right in SIDES:
            there = here[0] + down, here[1] + right
            total = spent + cost(there) * math.hypot(down, right)
            if total < best.get(there, math.inf) - 1e-9 and free(here, there):
                best[there], came[there] = total, here
                heapq.heappush(queue, (total, there))
    return []


def pulled(way: Sequence[P], free: Callable[[P, P], bool]) -> list[P]:
    """The path with as few corners as there can be, without the place where it begins."""
    corners, n = list[P](), 0
    while n < len(way) - 1:
        n = next((k for k in range(len(way) - 1, n + 1, -1) if free(way[n], way[k])), n + 1)
        corners.append(way[n])
    return corners
