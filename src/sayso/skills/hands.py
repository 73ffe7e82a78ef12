"""Grasp points and free places to put things down, for every robot with an arm."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sayso.grounding.names import Place, Point
from sayso.scene import Thing

CLEAR_M = 0.04  # between things that are put down
EDGE_M = 0.15

Kinds = Mapping[str, Mapping[str, Any]]


def grip(thing: Thing, kinds: Kinds) -> tuple[float, float, float]:
    """The grasp point of a thing: its middle, a little above in what is tall."""
    assert thing.pose is not None
    height = float(kinds[thing.label]["size_m"][2]) if thing.label in kinds else 0.08
    return thing.pose.x_m, thing.pose.y_m, thing.pose.z_m + max(0.0, height / 2 - 0.05)


def free_spots(where: Place, view: Sequence[Thing], held: str, kinds: Kinds) -> list[Point]:
    """Free points on a placement for what is held, in the furniture's frame, in two rows along its front."""
    half = max(kinds.get(held, {}).get("size_m", (0.08, 0.08))[:2]) / 2
    size_m = {label: kind.get("size_m", (0.1, 0.1)) for label, kind in kinds.items()}
    taken = [(where.local(t.pose), max(size_m.get(t.label, (0.1, 0.1))[:2]) / 2) for t in view if t.pose]
    width = where.size_m[1] / 2 - half - 0.02
    spots = [
        (where.size_m[0] / 2 - max(EDGE_M, half + 0.03) - row, (i - 20) / 20 * width)
        for row in (0.0, 0.14)
        for i in range(41)
    ]
    return [
        s
        for s in spots
        if all(math.dist(s, at) > half + r + CLEAR_M for at, r in taken) and s[0] - half > -where.size_m[0] / 2
    ]
