"""The cheapest path over cells, its straightening, and points along it. Pure: what may be crossed its caller says."""

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias, TypeVar

Cell: TypeAlias = tuple[int, int]
P = TypeVar("P")

SIDES = tuple((d, r, math.hypot(d, r)) for d in (-1, 0, 1) for r in (-1, 0, 1) if d or r)
"""The cells around one: rows down, columns right, and how far that is."""


def cheapest(
    start: Cell, over: Callable[[Cell], bool], cost: Callable[[Cell], float],
    free: Callable[[Cell, Cell], bool] = lambda here, there: True, ahead: Callable[[Cell], float] = lambda cell: 0.0,
    least: float = 1e-9,
) -> list[Cell]:  # fmt: skip
    """The cheapest path over cells until one is reached where it is `over`; empty where there is none. `cost` is of a
    step straight into a cell, inf where nobody goes; `free`, asked last, tells whether a step can be taken; `ahead` is
    the least that a cell still costs (A*). A path takes another one's place where it is cheaper by more than `least`,
    so that two that differ by rounding alone are alike."""
    came, best, queue, closed = dict[Cell, Cell](), {start: 0.0}, [(0.0, start)], set[Cell]()
    while queue:
        _, here = heapq.heappop(queue)
        if here in closed:
            continue
        closed.add(here)
        if over(here):
            way = [here]
            while way[-1] != start:
                way.append(came[way[-1]])
            return way[::-1]
        for down, right, straight in SIDES:
            there = here[0] + down, here[1] + right
            if there in closed:
                continue
            spent = best[here] + straight * cost(there)
            if spent < best.get(there, math.inf) - least and free(here, there):
                best[there], came[there] = spent, here
                heapq.heappush(queue, (spent + ahead(there), there))
    return []


def spaced(way: Sequence[tuple[float, ...]], step: float, least: int = 1) -> Iterator[tuple[float, ...]]:
    """Points along a way of straight lines, its corners among them, at most so far apart and so many to a line."""
    for here, there in pairwise(way):
        steps = max(least, math.ceil(math.dist(here, there) / step))
        yield from (tuple(a + n / steps * (b - a) for a, b in zip(here, there, strict=True)) for n in range(steps))
    yield way[-1]


def pulled(way: Sequence[P], free: Callable[[P, P], bool]) -> list[P]:
    """The path with as few corners as there can be, without the place where it begins."""
    corners, n = list[P](), 0
    while n < len(way) - 1:
        n = next((k for k in range(len(way) - 1, n + 1, -1) if free(way[n], way[k])), n + 1)
        corners.append(way[n])
    return corners
