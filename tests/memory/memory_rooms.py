"""Looks at rooms that exist only here: doubles for what a camera and a detector would report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sayso.memory.places import GridMap
from sayso.memory.thing_record import Look
from sayso.scene import Box, Pose, Scene, Thing, View

EYE = Pose(0.0, 0.0, 1.0, 0.0)
HALF_WIDTH, HALF_HEIGHT = math.radians(35), math.radians(28)


def thing(
    label: str,
    x: float,
    y: float,
    z: float = 1.0,
    id_: str = "",
    likes: Mapping[str, str] | None = None,
    eye: Pose = EYE,
) -> Thing:
    """A thing at a place, with the box and the distance that `eye` would see."""
    pose = Pose(x, y, z)
    away_m = eye.distance_m(pose)
    spot = View(eye, HALF_WIDTH, HALF_HEIGHT).spot(pose) or (0.5, 0.5)
    size = min(1.0, 0.1 / max(away_m, 0.1))
    return Thing(id_ or f"{label} at {x:.2f} {y:.2f}", label, Box(*spot, size, size), away_m, pose, dict(likes or {}))


def look(things: Sequence[Thing], at_s: float, *, mission: str = "m", eye: Pose = EYE, seeing: bool = True) -> Look:
    """One look; without `seeing` nobody knows what was in frame."""
    view = View(eye, HALF_WIDTH, HALF_HEIGHT) if seeing else None
    return Look(Scene(tuple(things), eye, at_s, view), at_s, mission)


def unnamed(thing: Thing) -> Thing:
    """The same from a detector that tells nothing apart."""
    return replace(thing, id=thing.label)


def state(grid: GridMap, x_m: float, y_m: float) -> str:
    """Of the cell there: `occupied`, `free` or `unknown`."""
    cells, origin = grid.states(), grid.origin
    i, j = (math.floor(d / grid.cell_m + 1e-6) for d in (x_m - origin.x_m, y_m - origin.y_m))
    inside = 0 <= i < cells.shape[0] and 0 <= j < cells.shape[1]
    return {1: "occupied", 0: "unknown", -1: "free"}[int(cells[i, j]) if inside else 0]
