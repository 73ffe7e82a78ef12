"""What is drawn of robots: coloured solids, for whoever shows a place in three dimensions.

A kit may bring a figure of its kind. Of a robot without one its physics are shown, where a simulator has some, and
else the general figure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeAlias

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

    @property
    def reach_m(self) -> float:
        """From its middle to its outermost point, about."""
        return max(math.hypot(*s.at_m) + max(s.size_m) / 2 for s in self.solids)

    def fitting(self, span_m: float) -> tuple[Solid, ...]:
        """The solids as they are drawn in a place so wide."""
        scale = max(1.0, self.share * span_m / self.reach_m)
        return tuple(replace(s, size_m=_times(s.size_m, scale), at_m=_times(s.at_m, scale)) for s in self.solids)


def turned(yaw_rad: float) -> Turn:
    """A turn about the vertical."""
    c, s = math.cos(yaw_rad), math.sin(yaw_rad)
    return (c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)


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
