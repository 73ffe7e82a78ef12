"""The map of a search: what grows where, how high it lies, and the areas that have names.

It is what everybody may know before the flight, never where the sought ones are. x points east and y north, in metres
from the middle of the map; cells are [row, column] with row 0 in the south, so rows grow with y and columns with x.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sayso.errors import UsageError
from sayso.scene import Ground, Pose
from sayso.search.grid import Window
from sayso.search.model import Floats

Cell: TypeAlias = tuple[int, int]
"""Row and column."""

LINE_CELLS = 4
"""Along a road or a brook so many cells are one stretch."""

KINDS = ("field", "forest", "settlement", "water", "road")
SEASONS = ("spring", "summer", "autumn", "winter")
LIGHTS = ("day", "dusk", "night")


@dataclass(frozen=True, slots=True, eq=False)
class Area:
    """A named part of the map: its cells are those of the window where `mask`, shape of the window, is true."""

    name: str
    kind: str
    window: Window
    mask: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Terrain:
    """The map. `kinds` holds indices into `KINDS`, `elevation_m` metres, both of shape (rows, columns).

    `areas` go by name, the scene's own first and then the squares of the search grid (A1, A2, …). `home` is where the
    aircraft starts and lands, (x, y) in metres.
    """

    kinds: NDArray[np.uint8]
    elevation_m: Floats
    cell_m: float
    areas: Mapping[str, Area]
    home: tuple[float, float] = (0.0, 0.0)
    season: str = "summer"
    light: str = "day"
    name: str = ""
    _blocks: dict[str, Area] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.season not in SEASONS or self.light not in LIGHTS:
            known = f"season is one of {', '.join(SEASONS)} and light of {', '.join(LIGHTS)}"
            raise UsageError(f"{known}, not {self.season} and {self.light}")

    @property
    def shape(self) -> tuple[int, int]:
        return self.kinds.shape[0], self.kinds.shape[1]

    @property
    def size_m(self) -> tuple[float, float]:
        """East–west and north–south extent."""
        return self.shape[1] * self.cell_m, self.shape[0] * self.cell_m

    def cell(self, x_m: float, y_m: float) -> Cell:
        """The cell of a place; a place off the map gets the nearest one."""
        rows, columns = self.shape
        row = math.floor(y_m / self.cell_m + rows / 2)
        column = math.floor(x_m / self.cell_m + columns / 2)
        return min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)

    def middle(self, cell: tuple[float, float]) -> tuple[float, float]:
        """Where a cell's centre is: (x, y) in metres."""
        rows, columns = self.shape
        return (cell[1] + 0.5 - columns / 2) * self.cell_m, (cell[0] + 0.5 - rows / 2) * self.cell_m

    def centre(self, name: str) -> tuple[float, float]:
        """The middle of an area's cells: (x, y) in metres."""
        area = self.area(name)
        rows, columns = area.mask.nonzero()
        return self.middle((area.window[0].start + float(rows.mean()), area.window[1].start + float(columns.mean())))

    def inside(self, name: str) -> tuple[float, float]:
        """The middle of the cell of an area that is nearest to all of it: a brook bends round its own middle."""
        centre = self.centre(name)
        return min(self.spots(name), key=lambda at: math.dist(at, centre))

    def spots(self, name: str) -> list[tuple[float, float]]:
        """The middles of all cells of an area: (x, y) in metres."""
        area = self.area(name)
        row, column = area.window[0].start, area.window[1].start
        return [self.middle((row + r, column + c)) for r, c in np.argwhere(area.mask).tolist()]

    def line(self, name: str) -> list[tuple[float, float]]:
        """Spots along an area, (x, y) in metres: the cells in the middle of each stretch of its longer side."""
        area = self.area(name)
        across = int(area.mask.shape[1] >= area.mask.shape[0])
        cells = np.argwhere(area.mask) + [side.start for side in area.window]
        stretches = (cells[cells[:, across] // LINE_CELLS == n] for n in np.unique(cells[:, across] // LINE_CELLS))
        return [self.middle(tuple(np.median(some, axis=0).tolist())) for some in stretches]

    def cells(self, *names: str) -> NDArray[np.bool_]:
        """Where any of these areas is, shape (rows, columns). Raises like `area`."""
        inside = np.zeros(self.shape, dtype=np.bool_)
        for area in map(self.area, names):
            inside[area.window] |= area.mask
        return inside

    def holds(self, x_m: float, y_m: float) -> bool:
        """Whether a place is on the map."""
        wide_m, high_m = self.size_m
        return abs(x_m) <= wide_m / 2 and abs(y_m) <= high_m / 2

    def kind(self, cell: Cell) -> str:
        return KINDS[self.kinds[cell]]

    def height_m(self, x_m: float, y_m: float) -> float:
        """Elevation at a place, between the cells' centres as on an inclined sheet."""
        rows, columns = self.shape
        row = min(max(y_m / self.cell_m + rows / 2 - 0.5, 0.0), rows - 1.0)
        column = min(max(x_m / self.cell_m + columns / 2 - 0.5, 0.0), columns - 1.0)
        r, c = min(int(row), rows - 2), min(int(column), columns - 2)
        v, u = row - r, column - c
        below, above = self._heights[r], self._heights[r + 1]
        south = below[c] * (1 - u) + below[c + 1] * u
        north = above[c] * (1 - u) + above[c + 1] * u
        return south * (1 - v) + north * v

    @cached_property
    def _heights(self) -> list[list[float]]:
        """The elevation as lists, which are much quicker to ask for one number."""
        heights: list[list[float]] = self.elevation_m.tolist()
        return heights

    @cached_property
    def ground(self) -> Ground:
        """Areas and kinds of ground, by name."""

        @cache
        def over(cell: Cell) -> frozenset[str]:
            return frozenset({self.kind(cell), *(name for name, inside in cells.items() if inside[cell])})

        def below(pose: Pose) -> frozenset[str]:
            return over(self.cell(*pose.xy)) if self.holds(*pose.xy) else frozenset()

        def height_m(pose: Pose) -> float:
            return self.height_m(*pose.xy) - self.height_m(*self.home)

        def middle(name: str) -> Pose | None:
            return Pose(*self.inside(name)) if name in self.areas else None

        cells = {name: self.cells(name) for name in self.areas}
        return Ground(frozenset({*KINDS, *cells}), below, height_m=height_m, middle=middle)

    def by_kind(self, values: Mapping[str, float]) -> Floats:
        """A value for every cell from a value for each kind, shape (rows, columns)."""
        return np.asarray(np.array([values[kind] for kind in KINDS], dtype=np.float64)[self.kinds])

    def of_kind(self, kind: str) -> NDArray[np.bool_]:
        """Where there is field, forest, …; shape (rows, columns)."""
        return np.asarray(self.kinds == KINDS.index(kind))

    @cached_property
    def squares(self) -> tuple[str, ...]:
        """The squares of the search grid, by name."""
        return tuple(name for name, area in self.areas.items() if area.kind == "square")

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The areas that the scene names."""
        return tuple(name for name, area in self.areas.items() if area.kind != "square")

    @property
    def places(self) -> tuple[str, ...]:
        """What has a name: the scene's own areas and the squares of the grid."""
        return (*self.named, *self.squares)

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """Every four squares that make one larger square, as "A1-B2": more ground in one sweep."""
        corners = [(name, f"{chr(ord(name[0]) + 1)}{int(name[1:]) + 1}") for name in self.squares]
        return tuple(f"{name}-{other}" for name, other in corners if other in self.areas)

    def area(self, name: str) -> Area:
        """The area of that name, whatever its capitals; "A1-B2" is all between two squares.

        Raises `UsageError` that lists what there is.
        """
        if name in self.areas:
            return self.areas[name]
        if found := self._block(name):
            return found
        wanted = " ".join(name.lower().split()).removeprefix("the ")
        for known, area in self.areas.items():
            if known.lower() == wanted:
                return area
        raise UsageError(f"there is no area {name!r}; there are {', '.join(self.named)}, and the squares A1 and so on")

    def _block(self, name: str) -> Area | None:
        """The rectangle between two squares; the same one each time, since tracks over it are kept."""
        first, _, last = (part.strip() for part in name.upper().partition("-"))
        if first not in self.squares or last not in self.squares:
            return None
        known = f"{first}-{last}"
        if known not in self._blocks:
            both = self.areas[first].window, self.areas[last].window
            rows, columns = (slice(min(a.start, b.start), max(a.stop, b.stop)) for a, b in zip(*both, strict=True))
            inside = np.ones((rows.stop - rows.start, columns.stop - columns.start), dtype=np.bool_)
            self._blocks[known] = Area(known, "block", (rows, columns), inside)
        return self._blocks[known]


def area_of(name: str, kind: str, inside: NDArray[np.bool_]) -> Area:
    """The area of all cells where `inside`, shape (rows, columns), is true."""
    rows, columns = np.nonzero(inside)
    if not len(rows):
        raise UsageError(f"the area {name} holds no cell of the map")
    window = slice(int(rows.min()), int(rows.max()) + 1), slice(int(columns.min()), int(columns.max()) + 1)
    return Area(name, kind, window, inside[window].copy())


def squares(shape: tuple[int, int], across: int, down: int) -> list[Area]:
    """The search grid: `across` × `down` equal parts, letters from west to east and numbers from north to south."""
    if not 0 < across <= 26 or not 0 < down <= 99:
        raise UsageError(f"a search grid has 1 to 26 columns and 1 to 99 rows, not {across} and {down}")
    row_edges = np.linspace(shape[0], 0, down + 1).round().astype(int)
    column_edges = np.linspace(0, shape[1], across + 1).round().astype(int)
    made = []
    for j in range(down):
        for i in range(across):
            window = slice(int(row_edges[j + 1]), int(row_edges[j])), slice(*map(int, column_edges[i : i + 2]))
            size = window[0].stop - window[0].start, window[1].stop - window[1].start
            made.append(Area(f"{chr(ord('A') + i)}{j + 1}", "square", window, np.ones(size, dtype=np.bool_)))
    return made


def middles(shape: tuple[int, int], cell_m: float) -> tuple[Floats, Floats]:
    """x of each column, shape (1, columns), and y of each row, shape (rows, 1): metres to the cells' middles."""
    y, x = ((np.arange(size, dtype=np.float64) + 0.5 - size / 2) * cell_m for size in shape)
    return x[None, :], y[:, None]


def inside_polygon(shape: tuple[int, int], cell_m: float, corners: Sequence[Sequence[float]]) -> NDArray[np.bool_]:
    """Which cells have their centre inside a polygon given by (x, y) in metres; shape (rows, columns)."""
    x, y = middles(shape, cell_m)
    inside = np.zeros(shape, dtype=np.bool_)
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if y0 == y1:
            continue
        crosses = (y0 > y) != (y1 > y)
        inside ^= crosses & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
    return inside


def near_line(
    shape: tuple[int, int], cell_m: float, points: Sequence[Sequence[float]], width_m: float
) -> NDArray[np.bool_]:
    """Which cells lie within half a width of a line of (x, y) points, a road or a river; shape (rows, columns)."""
    x, y = middles(shape, cell_m)
    near = np.zeros(shape, dtype=np.bool_)
    for (x0, y0), (x1, y1) in pairwise(points):
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
        near |= np.hypot(x - x0 - along * dx, y - y0 - along * dy) <= width_m / 2
    return near
