"""The office seen from above: the room and what stands in it, the way flown, what was bumped into, the drone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sayso.scene import Pose
from sayso.worlds.draw import INK, TRAIL, WHITE, Chart, Point, Rgb, Tag

FLOOR: Rgb = (232, 226, 216)
GRID: Rgb = (223, 216, 204)
WALL: Rgb = (92, 96, 104)
BUMP: Rgb = (200, 30, 40)
WALL_M = 0.1
SIGHT_M, HALF_VIEW_RAD = 2.4, math.radians(35.1)
LARGER = 2.0
"""The drone is drawn larger than it is, so that it can be seen."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A flat convex outline in metres, its colour, and how high its top is."""

    outline: tuple[Point, ...]
    colour: Rgb
    top_m: float


def overview(
    chart: Chart,
    size_m: Point,
    shapes: Sequence[Shape],
    tags: Sequence[Tag],
    way: Sequence[Pose],
    bumps: Sequence[Point],
    title: str,
    caption: str,
) -> Any:
    """(height, width, 3) uint8. `way` ends where the drone is."""
    x, y = size_m[0] / 2, size_m[1] / 2
    for wide, colour in ((WALL_M, WALL), (0.0, FLOOR)):
        a, b = x + wide, y + wide
        chart.area([(-a, -b), (a, -b), (a, b), (-a, b)], colour, edge=False)
    for i in range(math.ceil(-x), math.floor(x) + 1):
        chart.line([(i, -y), (i, y)], GRID, 1)
    for i in range(math.ceil(-y), math.floor(y) + 1):
        chart.line([(-x, i), (x, i)], GRID, 1)
    for shape in sorted(shapes, key=lambda s: s.top_m):
        chart.area(shape.outline, shape.colour)
    chart.sight(way[-1], HALF_VIEW_RAD, SIGHT_M)
    chart.trail(way)
    for bump in bumps:
        chart.cross(bump, BUMP)
    chart.tags(tags, clear_of=way[-1])
    _drone(chart, way[-1])
    chart.titles(title, caption)
    return chart.picture()


def _drone(chart: Chart, pose: Pose) -> None:
    """Four rotors and a nose."""
    arm, rotor_m = 0.05 * LARGER, 0.043 * LARGER
    for x, y in ((arm, arm), (-arm, arm), (-arm, -arm), (arm, -arm)):
        tip = pose.moved(x, y)
        chart.line([(pose.x_m, pose.y_m), (tip.x_m, tip.y_m)], INK, 3)
        chart.disc((tip.x_m, tip.y_m), rotor_m, WHITE, INK)
    nose = [pose.moved(0.2, 0.0), pose.moved(0.05, 0.07), pose.moved(0.05, -0.07)]
    chart.area([(p.x_m, p.y_m) for p in nose], TRAIL, edge=False)
