"""Sweeps of an area, and the record of what has been looked at.

A `Sweep` is a parallel track: straight legs side by side, with the distance flown at which the camera passes each cell.
Planner, aircraft and camera compute it from the same few numbers, so a `Look`, the record of what was really looked at,
needs only these numbers and how far the flight came. A look travels inside a scene as one of its things.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from sayso.robots.aircraft.search.detection import Detection
from sayso.robots.aircraft.search.terrain import Area, Cell, Terrain
from sayso.scene import Pose, Scene, Thing
from sayso.search.grid import Window
from sayso.search.model import Floats

Point: TypeAlias = tuple[float, float]

ALIKE_M = 40.0
"""A word on a sighting is a word on all of its label so near."""

CONFIRMED, REJECTED, OPEN = "confirmed", "not confirmed", "unconfirmed"
"""The status of a sighting: what the operator decided on it, or that nobody has."""

LOOKED = "searched"
"""The label of a look that travels in a scene."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """The sweep of an area. `legs` are ((x, y) from, (x, y) to) in metres; `passed_m`, shape of the area's window, is
    how far has been flown along the legs when a cell is passed, inf for cells that never are."""

    legs: tuple[tuple[Point, Point], ...]
    passed_m: Floats


@lru_cache(maxsize=4096)
def sweep(terrain: Terrain, area: Area, spacing_m: float, corner: int = 0) -> Sweep:
    """The parallel track over an area, its legs along the longer side and at most `spacing_m` apart.

    `corner` (0 to 3) says where it begins: 1 reverses the order of the legs, 2 the direction of the first.
    """
    rows, columns = area.mask.shape
    along_rows = columns >= rows
    mask = area.mask if along_rows else area.mask.T
    count = max(1, math.ceil(mask.shape[0] * terrain.cell_m / spacing_m - 1e-6))
    strips = range(count)[::-1] if corner & 1 else range(count)
    passed, legs, flown = np.full(mask.shape, np.inf), [], 0.0
    forward = not corner & 2
    for strip in strips:
        first, last = _rows_of(strip, count, mask.shape[0])
        held = np.flatnonzero(mask[first:last].any(axis=0))
        if not len(held):
            continue
        low, high = float(held[0]), float(held[-1] + 1)
        middle = np.arange(mask.shape[1]) + 0.5
        gone = (middle - low if forward else high - middle) * terrain.cell_m + flown
        part = passed[first:last]
        part[:] = np.where(mask[first:last], np.minimum(part, gone), part)
        ends = ((strip + 0.5) / count * mask.shape[0] - 0.5, low - 0.5, high - 0.5)
        legs.append(_leg(terrain, area, ends, along_rows, forward))
        flown += (high - low) * terrain.cell_m
        forward = not forward
    passed = passed if along_rows else passed.T
    passed.setflags(write=False)
    return Sweep(tuple(legs), passed)


def nearest_corner(terrain: Terrain, area: Area, spacing_m: float, at: Point) -> int:
    """The corner at which a sweep begins that is nearest to a place."""
    return min(range(4), key=lambda c: math.dist(sweep(terrain, area, spacing_m, c).legs[0][0], at))


def _rows_of(strip: int, count: int, rows: int) -> tuple[int, int]:
    """The rows whose centre lies in a strip; at least the one in its middle."""
    first, last = math.ceil(strip * rows / count - 0.5), math.ceil((strip + 1) * rows / count - 0.5)
    if first < last:
        return first, last
    middle = min(int((strip + 0.5) * rows / count), rows - 1)
    return middle, middle + 1


def _leg(
    terrain: Terrain, area: Area, ends: tuple[float, float, float], along_rows: bool, forward: bool
) -> tuple[Point, Point]:
    across, low, high = ends
    row, column = area.window[0].start, area.window[1].start
    if along_rows:
        a, b = terrain.middle((row + across, column + low)), terrain.middle((row + across, column + high))
    else:
        a, b = terrain.middle((row + low, column + across)), terrain.middle((row + high, column + across))
    return (a, b) if forward else (b, a)


@dataclass(frozen=True, slots=True)
class Look:
    """What the camera looked at: a `sweep` of an area as far as `flown_m`, or a `stare` at what lay under it at (x, y).

    `coverage` is swath over track spacing, or how many good glances a stare was worth. Times are seconds of the
    mission's world. `asked` is the sighting that a stare was to confirm, `said` the operator's word on it (yes, no).
    """

    how: str
    payload: str
    altitude_m: float
    coverage: float
    area: str = ""
    spacing_m: float = 0.0
    corner: int = 0
    flown_m: float = 0.0
    x_m: float = 0.0
    y_m: float = 0.0
    from_s: float = 0.0
    at_s: float = 0.0
    asked: str = ""
    said: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """The cells of one look: `share` is how much of each was in the picture, `passed_m` when (a stare: 0)."""

    window: Window
    share: Floats
    passed_m: Floats

    def at(self, cell: Cell) -> tuple[float, float]:
        """`share` and `passed_m` of a cell of the map; nothing and never where it is none of these."""
        row, column = (n - part.start for n, part in zip(cell, self.window, strict=True))
        if not (0 <= row < self.share.shape[0] and 0 <= column < self.share.shape[1]):
            return 0.0, math.inf
        return float(self.share[row, column]), float(self.passed_m[row, column])


def seen(look: Look, terrain: Terrain, model: Detection) -> Seen:
    """The cells that a look covers, as far as it was flown."""
    if look.how == "sweep":
        area = terrain.area(look.area)
        passed = sweep(terrain, area, look.spacing_m, look.corner).passed_m
        return Seen(area.window, (passed <= look.flown_m + 1e-6).astype(np.float64), passed)
    across_m, along_m = stared(look, model)
    rows, row_share = _overlap(look.y_m, along_m, terrain.shape[0], terrain.cell_m)
    columns, column_share = _overlap(look.x_m, across_m, terrain.shape[1], terrain.cell_m)
    share = np.outer(row_share, column_share)
    return Seen((rows, columns), share, np.zeros(share.shape))


def stares_at(look: Look, place: Point, model: Detection) -> bool:
    """Whether a place is in the picture of a stare."""
    across_m, along_m = stared(look, model)
    return abs(place[0] - look.x_m) <= across_m / 2 and abs(place[1] - look.y_m) <= along_m / 2


def stared(look: Look, model: Detection) -> Point:
    """What a stare covers, metres east–west and north–south; for a confirmation the camera is turned about."""
    one = model.footprint(look.payload, look.altitude_m)
    wide = model.confirm_span if look.asked else 1.0
    return one.across_m * wide, one.along_m * wide


def _overlap(at_m: float, wide_m: float, cells: int, cell_m: float) -> tuple[slice, Floats]:
    """Which cells of an axis a span touches, and how much of each."""
    low, high = (at_m - wide_m / 2) / cell_m + cells / 2, (at_m + wide_m / 2) / cell_m + cells / 2
    first, last = min(max(math.floor(low), 0), cells - 1), min(max(math.ceil(high), 1), cells)
    edges = np.arange(first, max(last, first + 1) + 1)
    share = np.clip(np.minimum(edges[1:], high) - np.maximum(edges[:-1], low), 0.0, 1.0)
    return slice(int(edges[0]), int(edges[-1])), share


WORDS = ("how", "payload", "area", "asked", "said")
NUMBERS = ("altitude_m", "coverage", "spacing_m", "flown_m", "x_m", "y_m", "from_s")
"""What is told of a look in a scene; its id, corner and time besides."""


def as_thing(look: Look) -> Thing:
    """The look as a thing of a scene; the label tells a person or a model what it is."""
    facts = asdict(look)
    told = {name: facts[name] for name in WORDS if facts[name]} | {name: f"{facts[name]:.3f}" for name in NUMBERS}
    attributes = {**told, "corner": str(look.corner)}
    label = f"{LOOKED} {look.area}".strip()
    return Thing(look.id, label, pose=Pose(look.x_m, look.y_m), attributes=attributes, seen_s=look.at_s)


def looks_in(scene: Scene) -> list[Look]:
    """The looks that a scene tells of, the earliest first."""
    found = (_look(thing) for thing in scene if "coverage" in thing.attributes)
    return sorted(found, key=lambda look: (look.at_s, look.id))


def sightings_of(look: Look, things: Sequence[Thing] | Scene) -> list[Thing]:
    """The sightings that were made during a look."""
    return [thing for thing in things if thing.attributes.get("look") == look.id]


def _look(thing: Thing) -> Look:
    told = thing.attributes
    facts: dict[str, Any] = {name: told[name] for name in WORDS if name in told}
    facts |= {name: float(told[name]) for name in NUMBERS}
    return Look(**facts, corner=int(told["corner"]), at_s=thing.seen_s, id=thing.id)
