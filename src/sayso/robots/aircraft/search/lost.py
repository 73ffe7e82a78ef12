"""The lost subject: who or what is sought, and the prior of where it is.

By its `law` the distance from the last known place is log-normal by category (`lost.toml`, with sources), no farther
than it could have come since, cut by the ground, and leaning toward whatever attracts. What a person tells may be
wrong: a searcher's `prior` keeps a share of doubt for all the ground there is. How it moves on during the search is a
`Drift`: stay, or go to a neighbouring cell with weight exp(β·cos) toward the attractor.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from sayso.errors import UsageError
from sayso.robots.aircraft.search.terrain import KINDS, Terrain
from sayso.search.drift import Drift, nearest
from sayso.search.grid import last_seen
from sayso.search.model import Floats
from sayso.tables import toml

WATER = "water"
COMPASS = {"north": (1, 0), "south": (-1, 0), "east": (0, 1), "west": (0, -1)}
"""Sides of the map, as a step along rows and columns."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Who or what is sought, as far as it is told.

    `size_m` is the side of a square of the size that it shows from above. `attractor` names an area or a kind of ground
    (road, settlement, …) or a side of the map, empty for none. `seen_at` is the last known place (x, y) in metres, None
    when unknown; `ago_s` how long ago that was, inf when unknown. `mobile` False: it lies still. `within` names the
    areas to which the search is confined, empty for the whole map.
    """

    label: str = "person"
    category: str = "unknown"
    size_m: float = 0.7
    colour: str = "unknown"
    mobile: bool = True
    attractor: str = ""
    beta: float = 1.0
    seen_at: tuple[float, float] | None = None
    ago_s: float = math.inf
    within: tuple[str, ...] = ()


@lru_cache(maxsize=64)
def prior(subject: Subject, terrain: Terrain) -> Floats:
    """Where a searcher expects the subject when the search begins, shape (rows, columns); sums to one.

    A last known place, its time and the way it went are what somebody said. A share of the probability (`doubt`) stays
    with the ground as if none of that had been said; all of it, where what was said fits no cell of the map.
    """
    told = _weights(subject, terrain)
    if subject.seen_at is None or not told.any():
        return law(replace(subject, seen_at=None), terrain)
    doubt = float(_table()["doubt"]["share"])
    untold = law(replace(subject, seen_at=None), terrain)
    return _settled((1 - doubt) * told / told.sum() + doubt * untold)


@lru_cache(maxsize=64)
def law(subject: Subject, terrain: Terrain) -> Floats:
    """Where the subject is if all that was told is so, shape (rows, columns); sums to one.

    Raises `UsageError` where nothing is left after all cuts.
    """
    weights = _weights(subject, terrain)
    if not weights.any():
        raise UsageError(f"nothing is left of where the {subject.label} may be: no cell of the map fits what is told")
    return _settled(weights / weights.sum())


def _weights(subject: Subject, terrain: Terrain) -> Floats:
    """Ground, last known place and confinement; deep water only where it was named."""
    by_kind = {kind: float(_table()["terrain"][kind]) for kind in KINDS}
    if any(terrain.area(name).kind == WATER for name in subject.within):
        by_kind[WATER] = 1.0
    weights = terrain.by_kind(by_kind)
    if subject.seen_at is not None:
        weights = weights * _around(subject, terrain, subject.seen_at)
    return weights * terrain.cells(*subject.within) if subject.within else weights


def _settled(weights: Floats) -> Floats:
    """For all to read, and nobody to write."""
    weights.setflags(write=False)
    return weights


@dataclass(frozen=True, eq=False)
class Motion:
    """How a subject moves: one step of `drift` every `step_s` seconds, the time to walk from one cell to the next.

    None and inf where it does not.
    """

    drift: Drift | None = None
    step_s: float = math.inf


@lru_cache(maxsize=64)
def motion(subject: Subject, terrain: Terrain) -> Motion:
    """The motion of a subject, prepared once for all beliefs about it."""
    walking = _entry("walking", subject.category)
    if not subject.mobile or not walking["speed_mps"]:
        return Motion()
    dry = ~terrain.of_kind(WATER)
    afloat = subject.within and not terrain.cells(*subject.within)[dry].any()
    passable = ~dry if afloat else dry  # who is looked for in the water alone stays in it
    toward = attractor(subject, terrain)
    drift = Drift(terrain.shape, toward, beta=subject.beta, stay=walking["stay"], passable=passable)
    return Motion(drift, terrain.cell_m / walking["speed_mps"])


def attractor(subject: Subject, terrain: Terrain) -> Floats | None:
    """Directions (down the rows, along the columns) to the nearest cell that attracts, shape (2, rows, columns)."""
    if not subject.attractor:
        return None
    wanted = subject.attractor.lower()
    if wanted in COMPASS and wanted not in terrain.areas:
        return np.broadcast_to(np.array(COMPASS[wanted], dtype=np.float64)[:, None, None], (2, *terrain.shape))
    if wanted in KINDS:
        mask = terrain.of_kind(wanted)
    else:
        mask = terrain.cells(wanted)
    return nearest(terrain.shape, np.argwhere(mask)) if mask.any() else None


def _around(subject: Subject, terrain: Terrain, seen_at: tuple[float, float]) -> Floats:
    """Distance and direction from the last known place."""
    distance = _entry("distance", subject.category)
    wide_m, high_m = terrain.size_m
    at = (seen_at[1] + high_m / 2) / terrain.cell_m - 0.5, (seen_at[0] + wide_m / 2) / terrain.cell_m - 0.5
    weights = last_seen(terrain.shape, at, terrain.cell_m, distance["mean"], distance["sd"])
    r, c = np.indices(terrain.shape)
    down, right = r - at[0], c - at[1]
    far_m = np.hypot(down, right) * terrain.cell_m
    reach_m = max(_entry("walking", subject.category)["fastest_mps"] * subject.ago_s, 2 * terrain.cell_m)
    weights = np.where(far_m <= reach_m, weights, 0.0)
    toward = attractor(subject, terrain)
    if toward is None or not subject.mobile:
        return np.asarray(weights)
    here = terrain.cell(*seen_at)
    way = toward[0][here], toward[1][here]
    cosine = (down * way[0] + right * way[1]) / np.maximum(np.hypot(down, right) * math.hypot(*way), 1e-9)
    return np.asarray(weights * np.exp(subject.beta * cosine))


def categories() -> tuple[str, ...]:
    """The categories of which something is known."""
    return tuple(_table()["distance"])


def _entry(layer: str, category: str) -> Mapping[str, float]:
    entries: Mapping[str, Mapping[str, float]] = _table()[layer]
    if category not in entries:
        raise UsageError(f"there is no category {category!r} of lost people; there are {', '.join(entries)}")
    return entries[category]


def _table() -> Mapping[str, Any]:
    return toml(__package__, "lost.toml")
