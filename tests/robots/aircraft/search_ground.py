"""Small maps for the tests of searching."""

from __future__ import annotations

import numpy as np

from sayso.robots.aircraft.search.terrain import KINDS, Terrain, area_of, squares


def flat(
    rows: int = 20, columns: int = 30, cell_m: float = 20.0, season: str = "summer", light: str = "day"
) -> Terrain:
    """A level map: field, a wood in the north-east quarter, a road along the southernmost row, and a pond."""
    kinds = np.full((rows, columns), KINDS.index("field"), dtype=np.uint8)
    kinds[rows // 2 :, columns // 2 :] = KINDS.index("forest")
    kinds[0, :] = KINDS.index("road")
    kinds[3:5, 3:5] = KINDS.index("water")
    areas = {kind: area_of(kind, kind, kinds == KINDS.index(kind)) for kind in ("field", "forest", "road", "water")}
    areas |= {square.name: square for square in squares((rows, columns), 3, 2)}
    return Terrain(kinds, np.zeros((rows, columns)), cell_m, areas, (0.0, 0.0), season, light, "flat")
