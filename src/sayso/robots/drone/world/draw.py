"""The office seen from above: the room and what stands in it, the way flown, what was bumped into, the drone."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from sayso.robots.drone.world.quadrotor import Quadrotor
from sayso.scene import Pose
from sayso.world import Truth
from sayso.worlds.draw import INK, TRAIL, WHITE, Chart, Point, Rgb, Tag
from sayso.worlds.scenery import Stage

FLOOR: Rgb = (232, 226, 216)
GRID: Rgb = (223, 216, 204)
WALL: Rgb = (92, 96, 104)
BUMP: Rgb = (200, 30, 40)
WALL_M = 0.1
SIGHT_M, HALF_VIEW_RAD = 2.4, math.radians(35.1)
LARGER = 2.0
"""The drone is drawn larger than it is, so that it can be seen."""

AROUND = tuple(np.array([math.cos(a), math.sin(a), 0.0]) for a in (math.radians(15 * i) for i in range(24)))


@dataclass(frozen=True, slots=True)
class Shape:
    """A flat convex outline in metres, counter-clockwise, its colour, and how high its top is."""

    outline: tuple[Point, ...]
    colour: Rgb
    top_m: float


def seen_from_above(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> Shape:
    """A geom in the world's x, y plane: its farthest points all around."""
    points = [farthest(model, data, geom, way).tolist() for way in AROUND]
    red, green, blue = (int(255 * v) for v in model.geom_rgba[geom][:3].tolist())
    top = farthest(model, data, geom, np.array([0.0, 0.0, 1.0]))
    return Shape(tuple((x, y) for x, y, _ in points), (red, green, blue), float(top[2]))


def farthest(model: mujoco.MjModel, data: mujoco.MjData, geom: int, way: NDArray[np.float64]) -> NDArray[np.float64]:
    """The point of a geom that lies farthest along a unit vector, in the world's frame."""
    turn = data.geom_xmat[geom].reshape(3, 3)
    point: NDArray[np.float64] = data.geom_xpos[geom] + turn @ _farthest(
        int(model.geom_type[geom]), model.geom_size[geom], turn.T @ way
    )
    return point


def _farthest(kind: int, size: Any, way: Any) -> Any:
    """The same in the geom's own frame, from its middle."""
    shape = mujoco.mjtGeom
    if kind == shape.mjGEOM_SPHERE:
        return size[0] * way
    if kind == shape.mjGEOM_CAPSULE:
        return size[0] * way + [0.0, 0.0, math.copysign(size[1], way[2])]
    if kind == shape.mjGEOM_ELLIPSOID:
        return size * size * way / np.linalg.norm(size * way)
    if kind == shape.mjGEOM_CYLINDER:
        x, y = size[0] * way[:2] / (math.hypot(way[0], way[1]) or 1.0)
        return np.array([x, y, math.copysign(size[1], way[2])])
    return np.copysign(size, way)


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
        yield Tag(placed.label, middle.xy, inside, seen)


def _drone(chart: Chart, pose: Pose) -> None:
    arm, rotor_m = 0.05 * LARGER, 0.043 * LARGER
    for x, y in ((arm, arm), (-arm, arm), (-arm, -arm), (arm, -arm)):
        tip = pose.moved(x, y)
        chart.line([pose.xy, tip.xy], INK, 3)
        chart.disc(tip.xy, rotor_m, WHITE, INK)
    nose = [pose.moved(0.2, 0.0), pose.moved(0.05, 0.07), pose.moved(0.05, -0.07)]
    chart.area([p.xy for p in nose], TRAIL, edge=False)
