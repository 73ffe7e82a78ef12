"""Open country in the scene: the lie of the land as a net, painted with what grows there and with where someone may be.

The paint is a picture of the map, north up, laid over the net. What a search believes goes on top of it: red is likely,
the white line holds half of the probability at least. Who is really there is in neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from sayso.planners.reflex.first import behind
from sayso.planners.scored import Scored
from sayso.robots.aircraft.search.terrain import Terrain
from sayso.robots.aircraft.world.draw import LIGHT, ground

Floats: TypeAlias = NDArray[np.float64]
Triple: TypeAlias = tuple[float, float, float]

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
class Ground:
    """The land under a search: metres, heights above where the aircraft stands at home."""

    terrain: Terrain

    def height_m(self, x_m: float, y_m: float) -> float:
        """How high the ground is there."""
        return self.terrain.height_m(x_m, y_m) - self.terrain.height_m(*self.terrain.home)

    def net(self) -> list[list[list[float] | None]]:
        """Points over the whole map, the northernmost row first, each row from west to east."""
        wide_m, high_m = self.terrain.size_m
        xs, ys = np.linspace(-wide_m / 2, wide_m / 2, NET), np.linspace(high_m / 2, -high_m / 2, NET)
        return [[[round(x, 1), round(y, 1), round(self.height_m(x, y), 1)] for x in xs.tolist()] for y in ys.tolist()]

    def names(self) -> list[tuple[str, Triple]]:
        """The areas that have names, and where to write them."""
        return [(name, self._middle(name)) for name in self.terrain.named]

    def _middle(self, name: str) -> Triple:
        area = self.terrain.areas[name]
        rows, columns = area.mask.nonzero()
        cell = area.window[0].start + float(rows.mean()), area.window[1].start + float(columns.mean())
        x, y = self.terrain.middle(cell)
        return x, y, self.height_m(x, y)

    def paint(self, belief: Floats | None = None) -> Any:
        """(height, width, 3) uint8, north up; with a belief (probability of each cell, row 0 in the south) over it."""
        cells = ground(self.terrain) * (LIGHT[self.terrain.light] * LAMPS)
        likely = belief is not None and float(belief.max()) > 0
        if belief is not None and likely:
            heat = np.sqrt(belief[::-1] / belief.max())[:, :, None]
            cells = cells * (1 - COVERS * heat) + COVERS * heat * (WARM + (HOT - WARM) * heat)
        scale = max(1, PAINT_PX // cells.shape[1])
        size = cells.shape[1] * scale, cells.shape[0] * scale
        picture = Image.fromarray(cells.astype(np.uint8)).resize(size, Image.Resampling.NEAREST)
        if belief is not None and likely:
            inside = belief >= ALIKE * belief[half_of(belief)].min()  # without a comb where many cells are alike
            _outline(picture, inside[::-1], scale)
        return np.asarray(picture)


def ground_of(world: object) -> Ground | None:
    """The land of a world that knows its terrain, None for any other."""
    terrain = getattr(world, "terrain", None)
    return Ground(terrain) if isinstance(terrain, Terrain) else None


@dataclass(frozen=True, slots=True)
class Believed:
    """Where those who are still missing may be: their names, and the probability of each cell, summed over them."""

    labels: tuple[str, ...]
    chances: Floats

    def says(self, cell_m: float) -> str:
        """In one line, for people."""
        hectares = float(half_of(self.chances).sum()) * cell_m**2 / 1e4
        return f"where the {' or the '.join(self.labels)} may be: half of the probability on {hectares:.0f} ha"


def believed_by(planner: object) -> Believed | None:
    """What a planner that searches believes now; None for any other, and where all have been found."""
    deciding = behind(planner)
    domain = deciding.now if isinstance(deciding, Scored) else None
    missing = [hunted.where for hunted in getattr(domain, "hunted", ()) if not hunted.found]
    if not missing:
        return None
    labels = dict.fromkeys(str(where.subject.label) for where in missing)
    return Believed(tuple(labels), np.sum([where.belief.probability for where in missing], axis=0))


def half_of(belief: Floats) -> NDArray[np.bool_]:
    """The fewest cells that hold half of the probability."""
    order = np.argsort(belief, axis=None)[::-1]
    held = np.cumsum(belief.ravel()[order])
    inside = np.zeros(belief.size, dtype=bool)
    inside[order[: int(np.searchsorted(held, held[-1] / 2)) + 1]] = True
    return inside.reshape(belief.shape)


def _outline(picture: Image.Image, inside: NDArray[np.bool_], scale: int) -> None:
    """A line around the cells of a region."""
    pen = ImageDraw.Draw(picture)
    for row, column in np.argwhere(inside[:, 1:] != inside[:, :-1]).tolist():
        x, y = (column + 1) * scale, row * scale
        pen.line((x, y, x, y + scale), fill=EDGE, width=2)
    for row, column in np.argwhere(inside[1:] != inside[:-1]).tolist():
        x, y = column * scale, (row + 1) * scale
        pen.line((x, y, x + scale, y), fill=EDGE, width=2)
