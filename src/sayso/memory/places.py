"""The occupancy grid of one map, from lidar or range rays, and its named places.

The grid holds log-odds, clamped so that a wall that goes away is unlearnt within a few scans (Moravec and Elfes, 1985;
Thrun, Burgard and Fox, Probabilistic Robotics, ch. 9). It grows as far as the rays reach. Metres in the map's frame.
"""

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sayso.grounding.lexicon import kind
from sayso.scene import Pose

Floats: TypeAlias = NDArray[np.float64]
Cells: TypeAlias = NDArray[np.int64]

CELL_M = 0.1
HIT, PASS, MOST = 0.9, -0.4, 4.0
"""Log-odds: what a ray's end adds, what its way takes away, and where it ends."""

OCCUPIED_ABOVE, FREE_BELOW = 0.85, -0.35
"""Between the sums that there can be, which are tenths, so that rounding decides nothing."""
GROW_CELLS = 32
SIDE_MAX = 4096
HEADER = struct.Struct("<4sdii ii")
MAGIC = b"grid"


@dataclass(frozen=True, slots=True)
class Place:
    """A fixed place with a name: whatever lies within `radius_m` (level) of it is there."""

    name: str
    pose: Pose
    radius_m: float = 1.0
    aliases: tuple[str, ...] = ()


class Places:
    """The named places of one map."""

    def __init__(self, places: Iterable[Place] = ()) -> None:
        self._by_name: dict[str, Place] = {}
        for place in places:
            self.add(place)

    def __iter__(self) -> Iterator[Place]:
        return iter(self._by_name.values())

    def add(self, place: Place) -> None:
        """Add a place, in place of another of its name; what two are called means the later one."""
        self._by_name.pop(place.name, None)
        self._by_name[place.name] = place

    def named(self, name: str) -> Place | None:
        """The place of that name or alias."""
        called = (p for p in reversed(self._by_name.values()) if kind(name) in map(kind, (p.name, *p.aliases)))
        return next(called, None)

    def at(self, pose: Pose) -> str:
        """The name of the nearest place that a point lies in; empty where it lies in none."""
        near = [(p.pose.level_m(pose), p) for p in self]
        inside = [(away_m, p.name) for away_m, p in near if away_m <= p.radius_m]
        return min(inside)[1] if inside else ""


class GridMap:
    """An occupancy grid of log-odds; cell (0, 0) begins at `x_m`, `y_m`."""

    def __init__(self, cell_m: float = CELL_M) -> None:
        self.cell_m = cell_m
        self._origin = (0, 0)
        self._odds: NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)

    @property
    def origin(self) -> Pose:
        """Where the first cell begins."""
        return Pose(self._origin[0] * self.cell_m, self._origin[1] * self.cell_m)

    def holds(self, eye: Pose, reach_m: float) -> bool:
        """Whether a scan from there fits in: more than `SIDE_MAX` cells a side are not one place."""
        here = np.array([eye.x_m, eye.y_m])
        low, high = np.floor((here - reach_m) / self.cell_m), np.floor((here + reach_m) / self.cell_m)
        if self._odds.size:
            low = np.minimum(low, self._origin)
            high = np.maximum(high, np.array(self._origin) + self._odds.shape)
        return bool((high - low + 2 * GROW_CELLS < SIDE_MAX).all())

    def scan(self, eye: Pose, bearings_rad: Sequence[float], ranges_m: Sequence[float], reach_m: float) -> None:
        """Update the grid from one turn of rays, bearings from the eye's heading; `reach_m` and more met nothing."""
        bearings = np.asarray(bearings_rad, dtype=np.float64) + eye.yaw_rad
        measured = np.asarray(ranges_m, dtype=np.float64)
        if bearings.shape != measured.shape or bearings.ndim != 1:
            raise ValueError(f"{len(bearings)} bearings and {len(measured)} ranges do not belong together")
        good = np.isfinite(bearings) & ~np.isnan(measured) & (measured > 0)
        bearings, measured = bearings[good], np.minimum(measured[good], reach_m)
        if not len(bearings):
            return
        way = np.stack([np.cos(bearings), np.sin(bearings)], axis=1)
        met = measured < reach_m
        here = np.array([eye.x_m, eye.y_m])
        ends = self._cells(here + way[met] * measured[met, None])
        self._learn(self._free_cells(here, way, measured), ends)

    def _free_cells(
        self, here: NDArray[np.float64], way: NDArray[np.float64], far: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        steps = np.arange(0.0, float(far.max()), self.cell_m / 2)
        points = here + way[:, None, :] * steps[None, :, None]
        return self._cells(points[steps[None, :] < far[:, None] - self.cell_m / 2])

    def _cells(self, points: Floats) -> Cells:
        return np.floor(points / self.cell_m).astype(np.int64)

    def _learn(self, free: Cells, ends: Cells) -> None:
        every = np.concatenate([free, ends])
        if not len(every):
            return
        self._grow(every.min(axis=0), every.max(axis=0))
        passed, hit = free - self._origin, ends - self._origin
        change = np.zeros_like(self._odds)
        change[passed[:, 0], passed[:, 1]] = PASS
        change[hit[:, 0], hit[:, 1]] = HIT
        np.clip(self._odds + change, -MOST, MOST, out=self._odds)

    def _grow(self, low: Cells, high: Cells) -> None:
        """Make room for the cells from `low` to `high`."""
        was_low = np.array(self._origin) if self._odds.size else low
        was_high = was_low + self._odds.shape
        if self._odds.size and (low >= was_low).all() and (high < was_high).all():
            return
        new_low, new_high = np.minimum(low - GROW_CELLS, was_low), np.maximum(high + GROW_CELLS + 1, was_high)
        if (new_high - new_low > SIDE_MAX).any():
            raise ValueError(f"a map of more than {SIDE_MAX * self.cell_m:g} m a side is not one place")
        self._odds = np.pad(self._odds, np.stack([was_low - new_low, new_high - was_high], axis=1))
        self._origin = int(new_low[0]), int(new_low[1])

    def states(self) -> NDArray[np.int8]:
        """Every cell by (x, y): 1 occupied, -1 free, 0 unknown."""
        cells = np.zeros(self._odds.shape, dtype=np.int8)
        cells[self._odds > OCCUPIED_ABOVE] = 1
        cells[self._odds < FREE_BELOW] = -1
        return cells

    def to_bytes(self) -> bytes:
        """The map for the file: its header, then the log-odds in 1/30, packed."""
        packed = zlib.compress(np.round(self._odds * 30).astype(np.int8).tobytes(), 6)
        return HEADER.pack(MAGIC, self.cell_m, *self._origin, *self._odds.shape) + packed

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The map that `to_bytes` packed. Raises `ValueError`."""
        if len(data) < HEADER.size or not data.startswith(MAGIC):
            raise ValueError("no map begins like this")
        _, cell_m, x, y, width, height = HEADER.unpack(data[: HEADER.size])
        try:
            cells = np.frombuffer(zlib.decompress(data[HEADER.size :]), dtype=np.int8)
        except zlib.error as error:
            raise ValueError(str(error)) from error
        if not (0.0 < cell_m < 10.0) or width < 0 or height < 0 or len(cells) != width * height:
            raise ValueError(f"{len(cells)} cells are no map of {width} × {height}")
        grid = cls(cell_m)
        grid._origin = (x, y)
        grid._odds = (cells.reshape(width, height) / 30).astype(np.float32)
        return grid
