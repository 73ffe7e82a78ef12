"""The solids that robots are drawn with, for whoever shows a place in three dimensions.

A kit may bring a figure of its kind. Of a robot without one its physics are shown, where a simulator has some, and
else the general figure.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Triple: TypeAlias = tuple[float, float, float]
Turn: TypeAlias = tuple[Triple, Triple, Triple]
"""A rotation matrix, row by row."""

NO_TURN: Turn = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Solid:
    """A coloured shape in its body's frame: box, sphere (an ellipsoid by its size), cylinder or capsule.

    `size_m` are full measures along its own x, y and z; a cylinder and a capsule lie along z.
    """

    shape: str
    size_m: Triple
    at_m: Triple
    turn: Turn
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A robot's solids in its own frame, x forward and z up, in its true size.

    It is drawn at least so large that its reach is this `share` of the place's width, or it would not be found.
    """

    solids: tuple[Solid, ...]
    share: float = 0.03

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Self:
        """As a table describes it: its share, and its solids, each turned about the vertical by its `yaw_deg`."""
        return cls(tuple(map(_solid, table["solids"])), table["share"])

    @property
    def reach_m(self) -> float:
        """From its middle to its outermost point, about."""
        return max(math.hypot(*s.at_m) + max(s.size_m) / 2 for s in self.solids)

    def fitting(self, span_m: float) -> tuple[Solid, ...]:
        """The solids as they are drawn in a place so wide."""
        scale = max(1.0, self.share * span_m / self.reach_m)
        return tuple(replace(s, size_m=_times(s.size_m, scale), at_m=_times(s.at_m, scale)) for s in self.solids)


class Land(Protocol):
    """Open country, drawn under whatever is shown of a place."""

    @property
    def span_m(self) -> float:
        """How wide it is."""

    def net(self) -> list[list[list[float] | None]]:
        """Points over all of it, the northernmost row first, each row from west to east."""
        raise NotImplementedError

    def paint(self, chances: NDArray[np.float64] | None = None) -> Any:
        """(height, width, 3) uint8, north up; with what is believed over it."""


@dataclass(frozen=True, slots=True)
class Believed:
    """A belief about where something is: one line, and the probability of each cell of the land, row 0 in the south."""

    says: str
    chances: NDArray[np.float64]


@runtime_checkable
class Believing(Protocol):
    """A planner that can tell what it believes of the land."""

    def believed(self) -> Believed | None:
        """None where there is nothing to be told."""


def turned(yaw_rad: float) -> Turn:
    """A rotation about the vertical."""
    c, s = math.cos(yaw_rad), math.sin(yaw_rad)
    return (c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)


def _solid(told: Mapping[str, Any]) -> Solid:
    turn, size_m, at_m = turned(math.radians(told.get("yaw_deg", 0.0))), told["size_m"], told["at_m"]
    return Solid(told["shape"], tuple(size_m), tuple(at_m), turn, told["colour"], told.get("opacity", 1.0))


def _times(triple: Triple, factor: float) -> Triple:
    x, y, z = triple
    return x * factor, y * factor, z * factor


GENERAL = Figure(
    (
        Solid("cylinder", (0.36, 0.36, 0.22), (0.0, 0.0, 0.13), NO_TURN, "#2f3b4a"),
        Solid("cylinder", (0.24, 0.24, 0.08), (0.0, 0.0, 0.28), NO_TURN, "#1f6f8b"),
        Solid("sphere", (0.10, 0.10, 0.10), (0.17, 0.0, 0.18), NO_TURN, "#e2582a"),
    )
)
"""A robot that nobody knows: it stands on the ground and looks where the bright dot is."""
