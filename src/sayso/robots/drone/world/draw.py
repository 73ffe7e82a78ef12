"""The office seen from above: the room and what stands in it, the way flown, what was bumped into, the drone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from sayso.robots.drone.world.footprint import Shape
from sayso.robots.drone.world.quadrotor import Quadrotor
from sayso.scene import Pose
from sayso.truth import Truth
from sayso.worlds.draw import INK, TRAIL, WHITE, Chart, Rgb, Tag
from sayso.worlds.scenery import Stage

FLOOR: Rgb = (232, 226, 216)
GRID: Rgb = (223, 216, 204)
WALL: Rgb = (92, 96, 104)
BUMP: Rgb = (200, 30, 40)
WALL_M = 0.1
SIGHT_M, HALF_VIEW_RAD = 2.4, math.radians(35.1)
LARGER = 2.0
"""The drone is drawn larger than it is, so that it can be seen."""


def overview(
    stage: Stage,
    shapes: Sequence[Shape],
    quad: Quadrotor,
    truth: Truth,
    trail: Sequence[Pose],
    size_px: tuple[int, int],
) -> Any:
    """(height, width, 3) uint8."""
    pose, size_m = truth.pose, stage.size_m[:2]
    chart = Chart(size_m, *size_px)
    x, y = size_m[0] / 2, size_m[1] / 2
    for wide, colour in ((WALL_M, WALL), (0.0, FLOOR)):
        a, b = x + wide, y + wide
        chart.area([(-a, -b), (a, -b), (a, b), (-a, b)], colour, edge=False)
    for i in range(math.ceil(-x), math.floor(x) + 1):
        chart.line([(i, -y), (i, y)], GRID, 1)
    for i in range(math.ceil(-y), math.floor(y) + 1):
        chart.line([(-x, i), (x, i)], GRID, 1)
    for shape in shapes:
        chart.area(shape.outline, shape.colour)
    chart.sight(pose, HALF_VIEW_RAD, SIGHT_M)
    chart.trail((*trail, pose))
    for bump in quad.bumps:
        chart.cross(bump, BUMP)
    chart.tags(_tags(stage, truth, quad.armed), clear_of=pose)
    _drone(chart, pose)
    chart.titles(stage.title, f"{pose.z_m:.2f} m up   battery {quad.charge:.0%}   {truth.time_s:.1f} s")
    return chart.picture()


def _tags(stage: Stage, truth: Truth, flying: bool) -> Iterator[Tag]:
    for placed in stage.things:
        middle, size_m = truth.things[placed.id].pose, truth.things[placed.id].size_m
        inside = size_m is not None and min(size_m[:2]) > 0.55 and not placed.fixed
        seen = flying and placed.id in truth.in_frame
        yield Tag(placed.label, (middle.x_m, middle.y_m), inside, seen)


def _drone(chart: Chart, pose: Pose) -> None:
    """Four rotors and a nose."""
    arm, rotor_m = 0.05 * LARGER, 0.043 * LARGER
    for x, y in ((arm, arm), (-arm, arm), (-arm, -arm), (arm, -arm)):
        tip = pose.moved(x, y)
        chart.line([(pose.x_m, pose.y_m), (tip.x_m, tip.y_m)], INK, 3)
        chart.disc((tip.x_m, tip.y_m), rotor_m, WHITE, INK)
    nose = [pose.moved(0.2, 0.0), pose.moved(0.05, 0.07), pose.moved(0.05, -0.07)]
    chart.area([(p.x_m, p.y_m) for p in nose], TRAIL, edge=False)
