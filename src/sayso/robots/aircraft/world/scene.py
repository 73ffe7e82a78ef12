"""Rescue scenes from their files: ground, hills, areas, season, and who is really there.

A scene is a TOML file beside the others in `scenes`. Areas paint the ground in their order. What a searcher is
told about a subject (category, last known place, attractor) is in the file as well; where it really is gets drawn from
exactly that, by seed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sayso.errors import UsageError
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.terrain import (
    KINDS,
    Area,
    Terrain,
    area_of,
    inside_polygon,
    middles,
    near_line,
    squares,
)
from sayso.search.model import Floats
from sayso.tables import toml


@dataclass(frozen=True)
class RescueScene:
    """A scene as read: what may be known of the place, who is there, and a sentence to fly it by."""

    terrain: Terrain
    subjects: tuple[Subject, ...]
    instruction: str = ""


def scene_names() -> tuple[str, ...]:
    """All rescue scenes."""
    folder = resources.files(__package__).joinpath("scenes")
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml")))


@lru_cache(maxsize=32)
def read_scene(name: str) -> RescueScene:
    """The scene of that name. Raises `UsageError` that lists the scenes.

    A scene never changes, so missions share it, and with it all that is worked out from its terrain.
    """
    if name not in scene_names():
        raise UsageError(f"the world rescue has no scene {name!r}; there are {', '.join(scene_names())}")
    told = toml(__package__, f"scenes/{name}.toml")
    subjects = tuple(Subject(**{**entry, "seen_at": tuple(entry["seen_at"])}) for entry in told["subject"])
    return RescueScene(_terrain(name, told), subjects, told["instruction"])


def _terrain(name: str, told: Mapping[str, Any]) -> Terrain:
    cell_m = float(told["cell_m"])
    wide_m, high_m = told["size_m"]
    shape = round(high_m / cell_m), round(wide_m / cell_m)
    kinds = np.full(shape, KINDS.index(told["ground"]), dtype=np.uint8)
    areas: dict[str, Area] = {}
    painted = [(entry, _inside(entry, shape, cell_m)) for entry in told.get("area", ())]
    for entry, inside in painted:
        kinds[inside] = KINDS.index(entry["kind"])
    for entry, inside in painted:
        # an area keeps what nothing painted later took from it: a field is not the road through it
        own = inside & (kinds == KINDS.index(entry["kind"]))
        areas[entry["name"]] = area_of(entry["name"], entry["kind"], own)
    areas |= {square.name: square for square in squares(shape, *told.get("grid", (4, 4)))}
    elevation = _hills(shape, cell_m, told.get("hill", ()))
    x, y = told.get("home", (0.0, 0.0))
    return Terrain(kinds, elevation, cell_m, areas, (x, y), told["season"], told["light"], name)


def _inside(entry: Mapping[str, Any], shape: tuple[int, int], cell_m: float) -> NDArray[np.bool_]:
    if "line" in entry:
        return near_line(shape, cell_m, entry["line"], max(entry["width_m"], 1.01 * cell_m))
    if "box" in entry:
        x0, y0, x1, y1 = entry["box"]
        return inside_polygon(shape, cell_m, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    return inside_polygon(shape, cell_m, entry["polygon"])


def _hills(shape: tuple[int, int], cell_m: float, hills: Sequence[Mapping[str, Any]]) -> Floats:
    """Round hills (or hollows) of a height and a radius, added up; metres."""
    x, y = middles(shape, cell_m)
    height = np.zeros(shape)
    for hill in hills:
        squared = (x - hill["at"][0]) ** 2 + (y - hill["at"][1]) ** 2
        height += hill["height_m"] * np.exp(-squared / (2 * hill["radius_m"] ** 2))
    return height
