"""The goal of a motion, told from its path law: so far ahead, so far round, or to a height."""

import math
from collections.abc import Callable, Sequence
from dataclasses import astuple
from typing import TypeAlias

from sayso.scene import Pose
from sayso.tables.units import Unit

PathLaw: TypeAlias = Callable[..., Sequence[Pose]]
"""(pose, *arguments) -> the poses that a motion passes through, so that limits can be asked before it starts."""

STARTS = (Pose(), Pose(3.0, -2.0, 1.5, 0.7))
"""What leads the same way from both is a motion; what leads to the same height is a height."""

WAYS = (("forward", "back"), ("left", "right"), ("up", "down"))
TRIED = {"length": 100.0, "angle": 60.0}
"""So much is tried, in the base of the unit: far from a full turn."""


def meant(path: PathLaw, name: str, unit: Unit, low: float, high: float) -> str:
    """The goal of a motion with one amount, called `name` and between these bounds; empty where its path tells none."""
    if unit.kind not in TRIED:
        return ""
    tried = min(max(unit.of(TRIED[unit.kind]), low), high)
    ends = [path(start, tried)[-1] for start in STARTS]
    slot = f"{{{name}}} {unit.sign}"
    if unit.kind == "length" and all(_near(end.z_m, unit.base(tried) / 100) for end in ends):
        level = all(_near(end.level_m(start), 0) for start, end in zip(STARTS, ends, strict=True))
        return f"height({slot})" if level else ""
    first, other = (astuple(end.seen_from(start)) for start, end in zip(STARTS, ends, strict=True))
    if not all(map(_near, first, other)):
        return ""
    amount = math.radians(tried * unit.size) if unit.kind == "angle" else unit.base(tried) / 100
    gone = [n for n, far in enumerate(first) if not _near(far, 0)]
    if len(gone) != 1 or not _near(abs(first[gone[0]]), abs(amount)) or (gone[0] == 3) != (unit.kind == "angle"):
        return ""
    against = (first[gone[0]] > 0) != (amount > 0)
    return f"turned({WAYS[1][against]}, {slot})" if gone[0] == 3 else f"moved({WAYS[gone[0]][against]}, {slot})"


def _near(one: float, other: float) -> bool:
    return math.isclose(one, other, abs_tol=1e-6)
