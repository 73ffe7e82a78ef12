"""Detours around ground that is not to be flown over, and the bound that holds an aircraft to it.

A `KeepOff` and a `Ceiling` are bounds of one wish, over one map: they are enforced below whoever plans. A way that
keeps to them is looked for on the map's cells and pulled straight; out of forbidden ground it leaves the shortest way.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sayso.robots.aircraft.search.terrain import Terrain
from sayso.robots.aircraft.search.wish import Bounds
from sayso.scene import Pose
from sayso.search.ways import cheapest, pulled, spaced
from sayso.task import Refused

Point = tuple[float, float]
Cells = NDArray[np.bool_]

SLACK_M = 3.0
"""A height that may be flown at is swayed about by no more than this."""

DEAR = 100.0
"""What a cell of ground that must not be crossed, or beside it, costs a way that begins or ends in it."""


@dataclass(frozen=True, eq=False)
class Ceiling:
    """A ceiling: no higher above the ground than `top_m`."""

    terrain: Terrain
    top_m: float
    says: str

    def beyond_m(self, pose: Pose) -> float:
        return max(0.0, self._above_m(pose) - self.top_m)

    def refusal(self, pose: Pose) -> Refused | None:
        above_m = self._above_m(pose)
        return Refused("ceiling", f"{above_m:.0f} m above the ground", self.says) if above_m > self.top_m else None

    def _above_m(self, pose: Pose) -> float:
        ground = self.terrain.height_m(*pose.xy) - self.terrain.height_m(*self.terrain.home)
        return pose.z_m - ground


@dataclass(frozen=True, eq=False)
class KeepOff:
    """Ground to keep off: not over `name`: its `cells`, shape (rows, columns)."""

    terrain: Terrain
    name: str
    cells: Cells

    def beyond_m(self, pose: Pose) -> float:
        here = self.terrain.cell(*pose.xy)
        if not self.cells[here]:
            return 0.0
        away = np.argwhere(~self.cells) - here
        return float(np.sqrt((away**2).sum(axis=1)).min()) * self.terrain.cell_m if len(away) else math.inf

    def refusal(self, pose: Pose) -> Refused | None:
        over = self.cells[self.terrain.cell(*pose.xy)] and self.terrain.holds(*pose.xy)
        return Refused("keep off", f"over {self.name}", f"not over {self.name}") if over else None


def bounds_of(bounds: Bounds, terrain: Terrain) -> tuple[Ceiling | KeepOff, ...]:
    """What a wish bounds, over this map. Ground on which the aircraft starts cannot be kept off, and is left out."""
    made: list[Ceiling | KeepOff] = []
    if bounds.under_m is not None:
        made.append(Ceiling(terrain, bounds.under_m, f"below {bounds.under_m:g} m"))
    if bounds.most_m is not None:
        made.append(Ceiling(terrain, bounds.most_m + SLACK_M, f"at most {bounds.most_m:g} m"))
    home = terrain.cell(*terrain.home)
    for name in bounds.off:
        cells = terrain.cells(name)
        if not cells[home]:
            made.append(KeepOff(terrain, name, cells))
    return tuple(made)


def around(terrain: Terrain, off: Cells, at: Point, to: Point) -> list[Point]:
    """The corners of a way that keeps off these cells, the last one `to`; straight where nothing is in the way."""
    wide, goal = np.pad(off, 1), terrain.cell(*to)
    near = wide[:-2, 1:-1] | wide[2:, 1:-1] | wide[1:-1, :-2] | wide[1:-1, 2:] | off
    dear = np.pad(np.where(near, DEAR, 1.0), 1, constant_values=math.inf)  # around the map nobody flies

    def free(one: Point, other: Point) -> bool:
        return straight(terrain, off, one, other)

    if free(at, to):
        return [to]
    cells = cheapest(terrain.cell(*at), lambda cell: cell == goal, lambda cell: float(dear[cell[0] + 1, cell[1] + 1]))
    return pulled([at, *(terrain.middle(c) for c in cells[1:-1]), to], free)


def straight(terrain: Terrain, off: Cells, at: Point, to: Point) -> bool:
    """Whether nothing of these cells lies between two places."""
    return not any(off[terrain.cell(x, y)] for x, y in spaced((at, to), terrain.cell_m / 2, least=2))
