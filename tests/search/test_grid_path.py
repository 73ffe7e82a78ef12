"""Ways over a map: they exist where a disc fits, keep their distance, and are close to the shortest."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.worlds.indoor.grid_path import GridMap, find_path, length_m

ROOM = GridMap.empty((-5.0, -5.0), (5.0, 5.0), 0.1)


def box(x: float, y: float, wide: float, deep: float) -> tuple[tuple[float, float], ...]:
    return ((x - wide / 2, y - deep / 2), (x + wide / 2, y - deep / 2), (x + wide / 2, y + deep / 2), (x - wide / 2, y + deep / 2))  # fmt: skip  # noqa: E501


def walled(gap_m: float) -> GridMap:
    """A wall along x = 0 with one opening of this width in its middle."""
    half = (10.0 - gap_m) / 2
    return ROOM.filled([box(0, gap_m / 2 + half / 2, 0.1, half), box(0, -gap_m / 2 - half / 2, 0.1, half)])


def test_straight_through_the_open() -> None:
    path = find_path(ROOM, (-3.0, 0.0), (3.0, 1.0), radius_m=0.3)
    assert path == ((-3.0, 0.0), (3.0, 1.0))


def test_through_a_gap_that_fits_and_not_through_one_that_does_not() -> None:
    path = find_path(walled(1.0), (-3.0, 3.0), (3.0, 3.0), radius_m=0.3)
    assert path is not None and length_m(path) < 1.1 * 2 * math.hypot(3, 3)
    crossing = [p for p in path if abs(p[0]) < 0.6]
    assert crossing and all(abs(p[1]) < 0.3 for p in crossing)
    assert find_path(walled(0.4), (-3.0, 3.0), (3.0, 3.0), radius_m=0.3) is None


def test_prefers_room_to_a_scrape() -> None:
    grid = ROOM.filled([box(0.0, 0.0, 0.4, 2.0), box(0.0, 2.05, 0.4, 0.7)])
    path = find_path(grid, (-2.0, 0.0), (2.0, 0.0), radius_m=0.3)
    assert path is not None
    assert min(grid.free_m((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))) for a, b in pairwise(path) for t in np.linspace(0, 1, 50)) >= 0.25  # fmt: skip  # noqa: E501


def test_a_goal_on_a_table_is_replaced_by_the_nearest_free_point_when_allowed() -> None:
    grid = ROOM.filled([box(2.0, 0.0, 1.0, 1.0)])
    assert find_path(grid, (-2.0, 0.0), (2.0, 0.0), radius_m=0.3) is None
    path = find_path(grid, (-2.0, 0.0), (2.0, 0.0), radius_m=0.3, near_m=1.5)
    assert path is not None and 0.7 < math.dist(path[-1], (2.0, 0.0)) < 1.1


def test_a_start_that_is_too_close_is_left() -> None:
    grid = ROOM.filled([box(0.0, 0.0, 1.0, 1.0)])
    path = find_path(grid, (0.65, 0.0), (3.0, 3.0), radius_m=0.3)
    assert path is not None and path[0] == (0.65, 0.0)


def test_outside_is_no_way() -> None:
    assert find_path(ROOM, (0.0, 0.0), (7.0, 0.0), radius_m=0.3) is None
    assert find_path(ROOM, (9.0, 0.0), (0.0, 0.0), radius_m=0.3) is None


def test_clearance_is_the_distance_to_the_nearest_occupied_cell() -> None:
    grid = ROOM.marked([(0.05, 0.05)])
    assert grid.occupied.sum() == 1
    assert abs(grid.free_m((1.05, 0.05)) - 1.0) < 1e-9
    assert abs(grid.free_m((0.65, 0.85)) - 1.0) < 1e-9
    assert grid.free_m((4.95, 0.0)) <= 0.1 + 1e-9 and grid.free_m((6.0, 0.0)) == 0.0


def flooded(grid: GridMap, start: tuple[int, int], radius_m: float) -> set[tuple[int, int]]:
    """Every cell that a disc of this radius can get to, a side at a time."""
    seen, edge = {start}, [start]
    while edge:
        row, column = edge.pop()
        for cell in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if grid.holds(cell) and cell not in seen and grid.clearance_m[cell] >= radius_m:
                seen.add(cell)
                edge.append(cell)
    return seen


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_any_way_keeps_clear_of_everything(seed: int) -> None:
    chance = np.random.default_rng(seed)
    boxes = [box(*chance.uniform(-4, 4, 2), *chance.uniform(0.2, 1.5, 2)) for _ in range(8)]
    grid = GridMap.empty((-5.0, -5.0), (5.0, 5.0), 0.125).filled(boxes)
    start, goal = (tuple(chance.uniform(-4.5, 4.5, 2).tolist()) for _ in range(2))
    if min(grid.free_m(start), grid.free_m(goal)) < 0.3:
        return
    path = find_path(grid, start, goal, radius_m=0.3)
    linked = grid.cell(goal) in flooded(grid, grid.cell(start), 0.3)
    assert (path is not None) or not linked
    if path is not None:
        steps = [((a[0] + t * (b[0] - a[0])), (a[1] + t * (b[1] - a[1]))) for a, b in pairwise(path) for t in np.linspace(0, 1, 40)]  # fmt: skip  # noqa: E501
        assert min(map(grid.free_m, steps)) >= 0.3 - 0.125
        assert length_m(path) >= math.dist(start, goal) - 1e-9
