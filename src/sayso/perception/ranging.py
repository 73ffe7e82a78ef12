"""The distance of a thing from the box in one picture, with its error, by how large such things are.

Two things tell: how large the box is of a thing whose size is known about, and where a thing that stands on the floor
meets it. Each has a standard deviation; together they weigh as much as they are exact. A thing of which nobody knows
how large it is may be near or far, and says so by its error.
"""

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from sayso.errors import UsageError
from sayso.grounding.lexicon import means
from sayso.scene import Box, View
from sayso.tables import toml

EDGE = 0.012
"""A box that ends so near to the frame's edge (fraction) may go on outside."""

BOX_ERROR, BOX_ERROR_MIN = 0.05, 0.006
"""How exact a side of a box is: as a share of the box, and at least so much of the frame."""

MODEL_ERROR = 0.05
"""No distance from a box is more exact than this share of it: things are no bricks that face the camera."""


@dataclass(frozen=True, slots=True)
class Extent:
    """A thing's height and width in metres, each from the smallest to the largest that is common."""

    height_m: tuple[float, float]
    width_m: tuple[float, float]
    on_floor: bool = False
    flat: bool = False

    @property
    def half_m(self) -> float:
        """Half its depth, about."""
        return FLAT_M / 2 if self.flat else _middle(self.width_m) / 2

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Self:
        """One line of a table. Raises `UsageError`."""
        try:
            (low, high), (narrow, wide) = said["height"], said["width"]
            sides = (float(low), float(high)), (float(narrow), float(wide))
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"a size is {{ height = [least, most], width = [least, most] }}, not {said}") from error
        if not all(0 < least <= most for least, most in sides):
            raise UsageError(f"a size goes from its least to its most, above 0, in metres; not {said}")
        return cls(*sides, on_floor=bool(said.get("floor")), flat=bool(said.get("flat")))


FLAT_M = 0.05

ANY_SIZE = Extent((0.05, 1.8), (0.05, 1.8))


@functools.cache
def _table() -> Mapping[str, Extent]:
    data = toml(__package__, "sizes.toml")
    return {label: Extent.read({**said, how: True}) for how, table in data.items() for label, said in table.items()}


def extent(label: str) -> Extent:
    """How large things of a label are: by the table, where they or what they may be called stands in it."""
    table = _table()
    return table.get(label.lower()) or next((table[name] for name in table if means(name, label)), ANY_SIZE)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something is: the direction of its middle (world frame, length 1), the distance to that, and standard
    deviations along the line of sight, to the sides, and up and down, in metres. `half_m` is half its depth, about."""

    ray: tuple[float, float, float]
    far_m: float
    far_error_m: float
    side_error_m: float
    rise_error_m: float
    half_m: float


def spot(box: Box, size: Extent, view: View, floor_m: float = 0.0) -> Spot:
    """Where the thing in a box is, as far as one picture tells. `floor_m` is the height of the floor."""
    ray = view.ray(box.x, box.y)
    long = math.hypot(*ray)
    level, slope = math.hypot(ray[0], ray[1]), ray[2]
    half_m = size.half_m
    cut_side = box.x - box.width / 2 < EDGE or box.x + box.width / 2 > 1 - EDGE
    cut_top, cut_foot = box.y - box.height / 2 < EDGE, box.y + box.height / 2 > 1 - EDGE
    told = []
    if not (cut_top or cut_foot):  # what is seen from above or below shows its depth as well
        leaning_m = 2 * half_m * abs(slope) / max(level, 1e-6)
        high = tuple(side + leaning_m for side in size.height_m)
        told.append(_by_size((high[0], high[1]), 2 * math.tan(view.half_height_rad), box.height))
    if not cut_side:
        told.append(_by_size(size.width_m, 2 * math.tan(view.half_width_rad), box.width))
    told = [(depth_m * long, error_m * long) for depth_m, error_m in told]
    told = sorted(told, key=lambda one: one[1] / one[0])[:1]  # who is larger is wider as well: no second opinion
    if size.on_floor and not cut_foot and (by_foot := _by_foot(box, view, view.eye.z_m - floor_m)):
        told.append((math.hypot(by_foot[0] + half_m, view.eye.z_m - floor_m - _middle(size.height_m) / 2), by_foot[1]))
    far_m, error_m = _together(told) if told else _nearer_than(box, size, view)
    aside = max(BOX_ERROR_MIN, BOX_ERROR * box.width) + (box.width / 2 if cut_side else 0.0)
    upward = max(BOX_ERROR_MIN, BOX_ERROR * box.height) + (box.height / 2 if cut_top or cut_foot else 0.0)
    return Spot(
        (ray[0] / long, ray[1] / long, ray[2] / long),
        far_m,
        error_m,
        far_m * aside * 2 * math.tan(view.half_width_rad) + 0.1 * half_m,
        far_m * upward * 2 * math.tan(view.half_height_rad) + 0.1 * half_m,
        half_m,
    )


def _middle(range_m: tuple[float, float]) -> float:
    return (range_m[0] + range_m[1]) / 2


def _by_size(side_m: tuple[float, float], frame: float, share: float) -> tuple[float, float]:
    """Depth of something so large that takes such a share of a frame which is so wide 1 m deep."""
    depth_m = _middle(side_m) / (frame * share)
    spread = (side_m[1] - side_m[0]) / math.sqrt(12) / _middle(side_m)
    return depth_m, depth_m * math.hypot(spread, max(BOX_ERROR, BOX_ERROR_MIN / share))


def _by_foot(box: Box, view: View, eye_m: float) -> tuple[float, float] | None:
    """Along the floor to where the thing meets it; None where it does not go down to it."""
    x, y, down = view.ray(box.x, box.y + box.height / 2)
    level = math.hypot(x, y)
    error = max(BOX_ERROR_MIN, BOX_ERROR * box.height) * 2 * math.tan(view.half_height_rad)
    if eye_m <= 0 or -down / max(level, 1e-6) < 2 * error:  # too near to the horizon to tell
        return None
    far_m = eye_m * level / -down
    return far_m, far_m * error / (-down / level)


def _together(told: list[tuple[float, float]]) -> tuple[float, float]:
    """The mean by exactness. Who disagrees by more than both allow makes the whole less exact."""
    weights = [1 / error_m**2 for _, error_m in told]
    far_m = sum(w * d for w, (d, _) in zip(weights, told, strict=True)) / sum(weights)
    apart = sum(w * (d - far_m) ** 2 for w, (d, _) in zip(weights, told, strict=True))
    stretch = max(1.0, apart / max(1, len(told) - 1))
    return far_m, max(math.sqrt(stretch / sum(weights)), MODEL_ERROR * far_m)


def _nearer_than(box: Box, size: Extent, view: View) -> tuple[float, float]:
    """Cut on all sides: it is at most as far as if what is seen were all of it."""
    depth_m = _middle(size.height_m) / (2 * math.tan(view.half_height_rad) * box.height)
    wide_m = _middle(size.width_m) / (2 * math.tan(view.half_width_rad) * box.width)
    far_m = min(depth_m, wide_m)
    return far_m, far_m / 2
