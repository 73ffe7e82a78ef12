"""Path planning on an occupancy grid: clearance, the shortest path with room to pass, and smoothing.

Pure and shared: any robot on wheels plans with it, on a map drawn from walls or from what a lidar has seen. The robot
is a disc, so that a cell is passable where its clearance is at least the disc's radius; ways that scrape along walls
cost more than ways through the middle.

    grid = GridMap.empty((-5.0, -5.0), (5.0, 5.0), 0.1).filled([((0, -4), (0.2, -4), (0.2, 4), (0, 4))])
    path = find_path(grid, (-3.0, 0.0), (3.0, 0.0), radius_m=0.3)
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sayso.search.ways import Cell, cheapest, pulled, spaced

Point: TypeAlias = tuple[float, float]
Flags: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]

FAR_M = 1.1
"""Clearance is measured up to here; beyond it, more room makes no difference."""

ROOM_M = 0.25
"""The margin beyond the robot's radius within which a cell costs extra."""

ROOM_COST = 3.0
"""How much dearer a cell at the very edge of what is passable is than an open one."""

ROOT2 = math.sqrt(2.0)


@dataclass(frozen=True)
class GridMap:
    """Occupied cells. `occupied` is (rows, columns), row 0 at the lowest y; `origin` the lower left corner in metres.

    Everything outside the map counts as occupied.
    """

    occupied: Flags
    origin: Point
    cell_m: float

    @classmethod
    def empty(cls, low: Point, high: Point, cell_m: float) -> Self:
        """A free map that covers the rectangle between two corners."""
        columns = math.ceil((high[0] - low[0]) / cell_m - 1e-9)
        rows = math.ceil((high[1] - low[1]) / cell_m - 1e-9)
        return cls(np.zeros((rows, columns), dtype=np.bool_), low, cell_m)

    def cell(self, point: Point) -> Cell:
        """(row, column) of the cell that holds a point; may lie outside."""
        return (
            math.floor((point[1] - self.origin[1]) / self.cell_m),
            math.floor((point[0] - self.origin[0]) / self.cell_m),
        )

    def point(self, cell: Cell) -> Point:
        """The middle of a cell."""
        return self.origin[0] + (cell[1] + 0.5) * self.cell_m, self.origin[1] + (cell[0] + 0.5) * self.cell_m

    def holds(self, cell: Cell) -> bool:
        rows, columns = self.occupied.shape
        return bool(0 <= cell[0] < rows and 0 <= cell[1] < columns)

    def filled(self, outlines: Iterable[Sequence[Point]]) -> Self:
        """The same map with convex polygons (corners in order) occupied."""
        occupied = self.occupied.copy()
        for outline in outlines:
            occupied |= self._inside(outline)
        return replace(self, occupied=occupied)

    def marked(self, points: Iterable[Point], radius_m: float = 0.0) -> Self:
        """The same map with the cells within `radius_m` of these points occupied."""
        occupied, reach = self.occupied.copy(), math.ceil(radius_m / self.cell_m)
        aside = np.indices((2 * reach + 1, 2 * reach + 1)).reshape(2, -1).T - reach
        at = np.array([*points]).reshape(-1, 1, 2) - self.origin
        cells = np.floor(at / self.cell_m).astype(int)[:, :, ::-1] + aside
        off_m = np.linalg.norm((cells[:, :, ::-1] + 0.5) * self.cell_m - at, axis=2)
        near = cells[(off_m <= max(radius_m, self.cell_m / 2)) | ~aside.any(axis=1)]
        inside = near[((near >= 0) & (near < occupied.shape)).all(axis=1)]
        occupied[inside[:, 0], inside[:, 1]] = True
        return replace(self, occupied=occupied)

    @cached_property
    def clearance_m(self) -> Floats:
        """For every cell's middle, metres to the nearest occupied cell's middle, at most `FAR_M`."""
        reach = math.ceil(FAR_M / self.cell_m)
        padded = np.pad(self.occupied, reach, constant_values=True)
        far = float(reach * reach)
        column = _nearest_squared(np.where(padded, 0.0, far), reach, axis=0)
        both = _nearest_squared(column, reach, axis=1)
        cut = both[reach:-reach, reach:-reach]
        return np.asarray(np.minimum(np.sqrt(cut) * self.cell_m, FAR_M))

    def free_m(self, point: Point) -> float:
        """Clearance at a point, 0 outside."""
        cell = self.cell(point)
        return float(self.clearance_m[cell]) if self.holds(cell) else 0.0

    def clear(self, start: Point, end: Point, radius_m: float) -> bool:
        """Whether a disc of this radius can go straight from one point to the other."""
        if not all(map(self.holds, (self.cell(start), self.cell(end)))):
            return False
        cells = {self.cell((x, y)) for x, y in spaced((start, end), self.cell_m / 2)}
        return all(self.clearance_m[cell] >= radius_m for cell in cells)

    def _inside(self, outline: Sequence[Point]) -> Flags:
        """Cells whose middle lies in a convex polygon, grown by half a cell so that thin walls are not lost."""
        rows, columns = self.occupied.shape
        y, x = np.mgrid[0:rows, 0:columns]
        px, py = self.origin[0] + (x + 0.5) * self.cell_m, self.origin[1] + (y + 0.5) * self.cell_m
        area = sum(a[0] * b[1] - b[0] * a[1] for a, b in _edges(outline))
        sign, inside = math.copysign(1.0, area), np.ones((rows, columns), dtype=np.bool_)
        for (ax, ay), (bx, by) in _edges(outline):
            length = math.hypot(bx - ax, by - ay) or 1.0
            inside &= sign * ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / length >= -self.cell_m / 2
        return inside


def find_path(
    grid: GridMap, start: Point, goal: Point, radius_m: float, *, near_m: float = 0.0
) -> tuple[Point, ...] | None:
    """The corner points of a short, roomy path from `start` to `goal`, both included; None where there is none.

    A start that is too close to something is left by the nearest way out. With `near_m` the way may end at the
    passable point nearest to the goal, at most that far from it; the goal itself is then replaced by that point.
    """
    passable = grid.clearance_m >= radius_m
    target = _nearest_passable(grid, passable, goal, max(near_m, grid.cell_m))
    if target is None:
        return None
    cells = _search(grid, passable, grid.cell(start), target, radius_m)
    if not cells:
        return None
    end = goal if target == grid.cell(goal) else grid.point(target)
    return smooth(grid, (start, *(grid.point(c) for c in cells[1:-1]), end), radius_m)


def smooth(grid: GridMap, points: Sequence[Point], radius_m: float) -> tuple[Point, ...]:
    """The way with every corner left out that a disc of this radius, and half the wished-for room, does not need."""

    def free(at: int, further: int) -> bool:
        ends, roomy = (points[at], points[further]), radius_m + ROOM_M / 2
        return grid.clear(*ends, roomy) or (further <= at + 4 and grid.clear(*ends, radius_m))

    return (*points[:1], *(points[n] for n in pulled(range(len(points)), free)))


def length_m(path: Sequence[Point]) -> float:
    """How long a way is."""
    return sum(math.dist(a, b) for a, b in pairwise(path))


def _search(grid: GridMap, passable: Flags, start: Cell, goal: Cell, radius_m: float) -> list[Cell]:
    """Cells from start to goal, none where there is no way. A cell that is too tight can be left but not entered."""
    if not grid.holds(start):
        return []
    tight = np.clip((radius_m + ROOM_M - grid.clearance_m) / ROOM_M, 0.0, 1.0)
    cost = np.where(_escape(grid, passable, start, radius_m), 1.0 + ROOM_COST * tight, math.inf)
    dear = np.pad(cost, (0, 1), constant_values=math.inf).tolist()  # beyond every edge, by row and column -1 too

    def ahead(cell: Cell) -> float:
        across, along = abs(cell[0] - goal[0]), abs(cell[1] - goal[1])
        return max(across, along) + (ROOT2 - 1.0) * min(across, along)

    return cheapest(
        start, lambda cell: cell == goal, lambda cell: float(dear[cell[0]][cell[1]]), ahead=ahead, least=0.0
    )


def _escape(grid: GridMap, passable: Flags, start: Cell, radius_m: float) -> Flags:
    """What may be entered: the passable cells, and where the start is none, a disc around it that is not occupied."""
    if passable[start]:
        return passable
    reach = math.ceil(2 * radius_m / grid.cell_m)
    rows = slice(max(0, start[0] - reach), start[0] + reach + 1)
    columns = slice(max(0, start[1] - reach), start[1] + reach + 1)
    free = passable.copy()
    free[rows, columns] |= grid.clearance_m[rows, columns] >= min(radius_m, grid.clearance_m[start])
    return free


def _nearest_passable(grid: GridMap, passable: Flags, point: Point, within_m: float) -> Cell | None:
    """The passable cell nearest to a point, or None where none is near enough."""
    cell = grid.cell(point)
    if grid.holds(cell) and passable[cell]:
        return cell
    reach = math.ceil(within_m / grid.cell_m)
    low_r, low_c = max(0, cell[0] - reach), max(0, cell[1] - reach)
    window = passable[low_r : max(0, cell[0] + reach + 1), low_c : max(0, cell[1] + reach + 1)]
    around = [(int(r) + low_r, int(c) + low_c) for r, c in np.argwhere(window)]
    near = [(math.dist(grid.point(c), point), c) for c in around]
    near = [entry for entry in near if entry[0] <= within_m + grid.cell_m / 2]
    return min(near)[1] if near else None


def _nearest_squared(squared: Floats, reach: int, axis: int) -> Floats:
    """Along one axis, the least of each neighbour's value plus its squared distance in cells."""
    best = squared.copy()
    mine, theirs = np.moveaxis(best, axis, 0), np.moveaxis(squared, axis, 0)
    for far in range(1, min(reach, len(theirs) - 1) + 1):
        np.minimum(mine[:-far], theirs[far:] + float(far * far), out=mine[:-far])
        np.minimum(mine[far:], theirs[:-far] + float(far * far), out=mine[far:])
    return best


def _edges(outline: Sequence[Point]) -> list[tuple[Point, Point]]:
    return list(zip(outline, (*outline[1:], outline[0]), strict=True))
