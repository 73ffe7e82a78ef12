"""The detection model that planner and world share: how likely a camera in the air finds something on the ground.

A search is worth POD = 1 − exp(−W·v·τ/A). The sweep width W is the swath times the chance to notice an object that is
in the picture; that chance comes from the object's pixels (altitude and optics), its colour against the ground of the
season, and the light. The figures are a table (`detection.toml`) in which every layer names its source; `Detection`
computes with any table of that form, so that measured figures can replace the assumptions.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from sayso.errors import UsageError
from sayso.robots.aircraft.search.terrain import KINDS, Terrain
from sayso.search.model import Floats
from sayso.tables import toml

Table: TypeAlias = Mapping[str, Any]

TELLS = ("detect", "recognise", "identify")
HALF_AT = 1.4304130258770553
"""x at which x^E/(1+x^E) is 79 %, the chance that Johnson's pixels are given for: so many times those of 50 %."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """What one picture covers on level ground, in metres: across the way of flight, and along it."""

    across_m: float
    along_m: float


class Detection:
    """The detection model: its table, and what follows from it. A missing or senseless entry is a `UsageError` that
    names it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._half_pixels = {tell: _number(table, "johnson", tell) / HALF_AT for tell in TELLS}
        for kind in KINDS:
            _number(table, "clutter", kind)
        self.payloads = tuple(table["camera"])

    def footprint(self, payload: str, altitude_m: float) -> Footprint:
        """What a picture from there covers."""
        camera = self._camera(payload)
        across_m = 2 * altitude_m * math.tan(math.radians(camera["hfov_deg"]) / 2)
        return Footprint(across_m, across_m / camera["aspect"])

    def pixels(self, payload: str, altitude_m: float, size_m: float, zoomed: bool = False) -> float:
        """How many pixels an object of that size has in the picture, seen from straight above."""
        camera = self._camera(payload)
        zoom = camera["zoom"] if zoomed else 1.0
        return float(size_m * camera["pixels"] * zoom / self.footprint(payload, altitude_m).across_m)

    def tells(self, pixels: float, what: str = "detect", clutter: float = 1.0) -> float:
        """The chance to detect, recognise or identify an object of so many pixels in plain view."""
        x = pixels / (self._half_pixels[what] * clutter)
        if x > 10:
            return 1.0
        odds = x ** (2.7 + 0.7 * x)
        return float(odds / (1 + odds))

    def visibility(self, colour: str, kind: str, season: str) -> float:
        """A colour's sweep width against that ground, relative to the best visible one: 0 to 1."""
        colours = self.table["colours"]
        classes = colours["default"] | colours.get(season, {}) | colours.get(kind, {})
        shade = classes.get(colour, classes["unknown"])
        return _number(self.table, "visibility", shade) / _number(self.table, "visibility", "high")

    def contrast(self, payload: str, colour: str, kind: str, season: str, light: str) -> float:
        """How much of the ideal sweep width is left: colour and light, or warmth for a thermal camera. 0 to 1."""
        lit = _number(self.table, "light", payload, light)
        if payload == "ir":
            return lit * _number(self.table, "thermal", light, season)
        return lit * self.visibility(colour, kind, season)

    def glimpse(
        self, payload: str, altitude_m: float, size_m: float, colour: str, kind: str, season: str, light: str
    ) -> float:
        """g: the chance to notice an object that is in the picture and open to the sky, on that ground."""
        seen = self.tells(self.pixels(payload, altitude_m, size_m), clutter=_number(self.table, "clutter", kind))
        learnt = float(self.table.get("learnt", {}).get(payload, {}).get(kind, 1.0))
        return min(1.0, seen * self.contrast(payload, colour, kind, season, light) * learnt)

    def glimpses(self, terrain: Terrain, payload: str, altitude_m: float, size_m: float, colour: str) -> Floats:
        """g for each kind of ground of this map, in the order of `KINDS`."""
        season, light = terrain.season, terrain.light
        return np.array([self.glimpse(payload, altitude_m, size_m, colour, kind, season, light) for kind in KINDS])

    def open_to_sky(self, terrain: Terrain) -> Floats:
        """The chance that something in a cell can be seen from the air at all, shape (rows, columns)."""
        shares = self.table["open_to_sky"]
        return terrain.by_kind({kind: float(shares[kind][terrain.season]) for kind in KINDS})

    def false_alarms(self, terrain: Terrain, payload: str) -> Floats:
        """Expected false sightings in a cell when it is searched once, shape (rows, columns)."""
        per_km2 = self.table["false_alarms"][payload]
        area_km2 = (terrain.cell_m / 1000) ** 2
        return terrain.by_kind({kind: float(per_km2[kind]) * area_km2 for kind in KINDS})

    def place_sd_m(self, altitude_m: float) -> float:
        """Standard error of a reported place along each axis."""
        return _number(self.table, "place", "base_m") + _number(self.table, "place", "per_altitude") * altitude_m

    def score_ratio(self, confidence: float) -> float:
        """How much likelier a real sighting is to have this confidence than a false one."""
        at = min(max(confidence, 1e-3), 1 - 1e-3)
        score = self.table["score"]
        return _beta(at, *score["real"]) / _beta(at, *score["false"])

    def confirms(
        self, payload: str, altitude_m: float, size_m: float, colour: str, kind: str, terrain: Terrain
    ) -> float:
        """The chance that an operator says yes to an object that is there, from zoomed pictures."""
        seen = self.tells(self.pixels(payload, altitude_m, size_m, zoomed=True), "identify")
        return seen * min(1.0, 0.5 + self.contrast(payload, colour, kind, terrain.season, terrain.light) / 2)

    def confirmations(self, terrain: Terrain, payload: str, altitude_m: float, size_m: float, colour: str) -> Floats:
        """The same for each kind of ground of this map, in the order of `KINDS`."""
        return np.array([self.confirms(payload, altitude_m, size_m, colour, kind, terrain) for kind in KINDS])

    @property
    def false_yes(self) -> float:
        """The chance that an operator says yes to a sighting that is none."""
        return _number(self.table, "confirm", "false_yes")

    @property
    def confirm_span(self) -> float:
        """How many pictures wide and high the operator looks around a sighting."""
        return _number(self.table, "confirm", "span")

    def _camera(self, payload: str) -> Mapping[str, float]:
        if payload not in self.payloads:
            raise UsageError(f"there is no payload {payload!r} in the table; there are {', '.join(self.payloads)}")
        camera: Mapping[str, float] = self.table["camera"][payload]
        return camera


@cache
def detection() -> Detection:
    """The model of the table that comes along."""
    return Detection(toml(__package__, "detection.toml"))


def _number(table: Table, *path: str) -> float:
    at: Any = table
    for key in path:
        if key not in at:
            raise UsageError(f"the detection table has no entry {'.'.join(path)}")
        at = at[key]
    if not isinstance(at, int | float) or not 0 <= at < math.inf:
        raise UsageError(f"the detection table's {'.'.join(path)} must be a number from 0, not {at!r}")
    return float(at)


def _beta(x: float, a: float, b: float) -> float:
    scale = math.gamma(a + b) / math.gamma(a) / math.gamma(b)
    return float(scale * x ** (a - 1) * (1 - x) ** (b - 1))
