"""Open country as it is drawn: a net of heights, painted with what grows there and with where someone may be.

The paint is a picture of the map, north up. What a search believes goes on top of it: red is likely, the white line
holds half of the probability at least. Who is really there is in neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from sayso.robots.aircraft.search.terrain import Terrain
from sayso.robots.aircraft.world.draw import LIGHT, ground
from sayso.search.grid import region
from sayso.search.model import Floats

NET = 41
"""Points of the net along a side; enough for hills, little enough to send."""

PAINT_PX = 768
HOT, WARM = np.array([200.0, 20.0, 20.0]), np.array([250.0, 210.0, 60.0])
COVERS = 0.8
LAMPS = 0.8
"""The scene's lamps are bright."""

EDGE = (255, 255, 255)
ALIKE = 0.97


@dataclass(frozen=True, slots=True)
class Land:
    """The land under a search: metres, heights above where the aircraft stands at home."""

    terrain: Terrain

    @property
    def span_m(self) -> float:
        return max(self.terrain.size_m)

    def height_m(self, x_m: float, y_m: float) -> float:
        """How high the ground is there."""
        return self.terrain.height_m(x_m, y_m) - self.terrain.height_m(*self.terrain.home)

    def net(self) -> list[list[list[float] | None]]:
        """Points over the whole map, the northernmost row first, each row from west to east."""
        wide_m, high_m = self.terrain.size_m
        xs, ys = np.linspace(-wide_m / 2, wide_m / 2, NET), np.linspace(high_m / 2, -high_m / 2, NET)
        return [[[round(x, 1), round(y, 1), round(self.height_m(x, y), 1)] for x in xs.tolist()] for y in ys.tolist()]

    def paint(self, chances: Floats | None = None) -> Any:
        """(height, width, 3) uint8, north up; with the probability of each cell (row 0 in the south) over it."""
        cells = ground(self.terrain) * (LIGHT[self.terrain.light] * LAMPS)
        return heated(cells, chances, max(1, PAINT_PX // cells.shape[1]), width_px=2)


def heated(cells: Any, chances: Floats | None, scale: int, width_px: int = 1) -> Any:
    """A picture of the ground, each cell `scale` pixels, covered by warmth where the probability is."""
    likely = chances is not None and float(chances.max()) > 0
    if chances is not None and likely:
        heat = np.sqrt(chances[::-1] / chances.max())[:, :, None]
        cells = cells * (1 - COVERS * heat) + COVERS * heat * (WARM + (HOT - WARM) * heat)
    size = cells.shape[1] * scale, cells.shape[0] * scale
    picture = Image.fromarray(cells.astype(np.uint8)).resize(size, Image.Resampling.NEAREST)
    if chances is not None and likely:
        inside = chances >= ALIKE * chances[half_of(chances)].min()  # without a comb where many cells are alike
        _outline(picture, inside[::-1], scale, width_px)
    return np.asarray(picture)


def half_of(chances: Floats) -> NDArray[np.bool_]:
    """The fewest cells that hold half of the probability, also of a sum over several who are missing."""
    return region(chances / chances.sum(), 0.5)


def _outline(picture: Image.Image, inside: NDArray[np.bool_], scale: int, width_px: int) -> None:
    """A line around the cells of a region."""
    pen = ImageDraw.Draw(picture)
    for row, column in np.argwhere(inside[:, 1:] != inside[:, :-1]).tolist():
        x, y = (column + 1) * scale, row * scale
        pen.line((x, y, x, y + scale), fill=EDGE, width=width_px)
    for row, column in np.argwhere(inside[1:] != inside[:-1]).tolist():
        x, y = column * scale, (row + 1) * scale
        pen.line((x, y, x + scale, y), fill=EDGE, width=width_px)
