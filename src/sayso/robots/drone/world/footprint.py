"""Outlines of geoms seen from above, for drawing a room without any GL.

A convex shape's outline is the list of its farthest points in every direction of the plane, in order; each kind of
geom has a closed form for its farthest point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco

from sayso.worlds.draw import Point, Rgb

DIRECTIONS = tuple((math.cos(a), math.sin(a)) for a in (math.radians(15 * i) for i in range(24)))


@dataclass(frozen=True, slots=True)
class Shape:
    """A flat convex outline in metres, counter-clockwise, its colour, and how high its top is."""

    outline: tuple[Point, ...]
    colour: Rgb
    top_m: float


def seen_from_above(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> Shape:
    """A geom in the world's x, y plane."""
    kind, size = int(model.geom_type[geom]), model.geom_size[geom].tolist()
    x, y, z = data.geom_xpos[geom].tolist()
    turn = data.geom_xmat[geom].tolist()  # rows of the rotation from the geom's frame to the world
    points = []
    for dx, dy in DIRECTIONS:
        local = tuple(turn[i] * dx + turn[3 + i] * dy for i in range(3))
        px, py, pz = _farthest(kind, size, local)
        points.append((x + turn[0] * px + turn[1] * py + turn[2] * pz, y + turn[3] * px + turn[4] * py + turn[5] * pz))
    red, green, blue = (int(255 * v) for v in model.geom_rgba[geom][:3].tolist())
    return Shape(tuple(points), (red, green, blue), z + half_m(model, data, geom)[2])


def half_m(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> tuple[float, float, float]:
    """How far the geom reaches from its middle along x, y and z of the world, either way: every geom is
    point-symmetric."""
    kind, size, turn = int(model.geom_type[geom]), model.geom_size[geom].tolist(), data.geom_xmat[geom].tolist()
    ways = (tuple(turn[3 * axis : 3 * axis + 3]) for axis in range(3))
    x, y, z = (sum(a * b for a, b in zip(way, _farthest(kind, size, way), strict=True)) for way in ways)
    return x, y, z


def _farthest(kind: int, size: list[float], way: tuple[float, ...]) -> tuple[float, float, float]:
    """The point of a geom that lies farthest along `way` (a unit vector in its frame)."""
    x, y, z = way
    shape = mujoco.mjtGeom
    if kind in (shape.mjGEOM_SPHERE, shape.mjGEOM_CAPSULE):
        radius = size[0]
        stem = math.copysign(size[1], z) if kind == shape.mjGEOM_CAPSULE else 0.0
        return radius * x, radius * y, radius * z + stem
    if kind == shape.mjGEOM_ELLIPSOID:
        a, b, c = size
        scale = math.sqrt((a * x) ** 2 + (b * y) ** 2 + (c * z) ** 2)
        return a * a * x / scale, b * b * y / scale, c * c * z / scale
    if kind == shape.mjGEOM_CYLINDER:
        flat = math.hypot(x, y) or 1.0
        return size[0] * x / flat, size[0] * y / flat, math.copysign(size[1], z)
    return math.copysign(size[0], x), math.copysign(size[1], y), math.copysign(size[2], z)
