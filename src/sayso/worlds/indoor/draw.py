"""The flat from above, drawn with Pillow: walls, furniture, things, people and which way they look, the robot's way.

Plain shapes in, picture out; needs no GL. Drawn at twice its size and shrunk, for smooth lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from sayso.scene import Pose

Point = tuple[float, float]
Rgb = tuple[int, int, int]

FINE = 2
PAPER: Rgb = (247, 246, 243)
FLOOR: Rgb = (233, 227, 217)
STREET: Rgb = (206, 206, 208)
WALL: Rgb = (84, 88, 96)
INK: Rgb = (45, 48, 54)
TRAIL: Rgb = (226, 88, 34)
ROBOT: Rgb = (40, 44, 52)
DOOR: Rgb = (150, 98, 52)
SIGHT = (255, 196, 60, 46)
SIGHT_M = 2.5


@dataclass(frozen=True, slots=True)
class Block:
    """A flat outline: a wall, a piece of furniture with its name, a thing."""

    outline: tuple[Point, ...]
    colour: Rgb
    name: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A person from above."""

    pose: Pose
    shirt: Rgb
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class FlatPlan:
    """All that the picture shows. Metres in the world frame, x to the right, y up."""

    size_m: Point
    floors: tuple[Block, ...]
    walls: tuple[Block, ...]
    furniture: tuple[Block, ...]
    things: tuple[Block, ...]
    people: tuple[Figure, ...]
    trail: tuple[Pose, ...]
    robot: Pose
    radius_m: float
    head_rad: float
    half_view_rad: float
    title: str
    caption: str


def draw_flat(plan: FlatPlan, width_px: int, height_px: int) -> Any:
    """(height, width, 3) uint8."""
    width, height = width_px * FINE, height_px * FINE
    strip = 0.055 * width
    scale = min(width * 0.97 / plan.size_m[0], (height - strip) * 0.97 / plan.size_m[1])

    def at(x: float, y: float) -> Point:
        return width / 2 + x * scale, strip + (height - strip) / 2 - y * scale

    image = Image.new("RGB", (width, height), PAPER)
    pen = ImageDraw.Draw(image, "RGBA")
    for floor in plan.floors:
        pen.polygon([at(*p) for p in floor.outline], fill=floor.colour)
    for block in (*plan.furniture, *plan.walls, *plan.things):
        edge = tuple(int(v * 0.7) for v in block.colour)
        pen.polygon([at(*p) for p in block.outline], fill=block.colour, outline=edge, width=FINE)
    _sight(pen, plan, at, scale)
    _trail(pen, plan, at)
    for figure in plan.people:
        _figure(pen, figure, at, scale)
    _robot(pen, plan, at, scale)
    _names(pen, plan, at, scale)
    margin = 0.02 * width
    pen.text((margin, strip * 0.25), plan.title, fill=INK, font=ImageFont.load_default(13 * FINE))
    pen.text(
        (width - margin, strip * 0.3), plan.caption, fill=(90, 94, 100), font=ImageFont.load_default(11 * FINE),
        anchor="ra",
    )  # fmt: skip
    return np.asarray(image.resize((width_px, height_px), Image.Resampling.LANCZOS))


def _sight(pen: ImageDraw.ImageDraw, plan: FlatPlan, at: Any, scale: float) -> None:
    x, y = at(plan.robot.x_m, plan.robot.y_m)
    middle = -math.degrees(plan.robot.yaw_rad + plan.head_rad)
    half, far = math.degrees(plan.half_view_rad), SIGHT_M * scale
    pen.pieslice((x - far, y - far, x + far, y + far), middle - half, middle + half, fill=SIGHT)


def _trail(pen: ImageDraw.ImageDraw, plan: FlatPlan, at: Any) -> None:
    points = [at(p.x_m, p.y_m) for p in plan.trail]
    if len(points) > 1:
        pen.line(points, fill=TRAIL, width=2 * FINE, joint="curve")
    if points:
        (x, y), r = points[0], 4 * FINE
        pen.ellipse((x - r, y - r, x + r, y + r), fill=PAPER, outline=TRAIL, width=2 * FINE)


def _figure(pen: ImageDraw.ImageDraw, figure: Figure, at: Any, scale: float) -> None:
    """Shoulders, head and nose."""
    pose, wide, deep = figure.pose, 0.22, 0.12
    corners = [(deep * math.cos(t), wide * math.sin(t)) for t in (math.radians(20 * i) for i in range(18))]
    pen.polygon([at(q.x_m, q.y_m) for q in (pose.moved(x, y) for x, y in corners)], fill=figure.shirt, outline=INK)
    (x, y), r = at(pose.x_m, pose.y_m), 0.10 * scale
    pen.ellipse((x - r, y - r, x + r, y + r), fill=(222, 176, 142), outline=INK)
    nose = pose.moved(0.2)
    pen.line((x, y, *at(nose.x_m, nose.y_m)), fill=INK, width=FINE)


def _robot(pen: ImageDraw.ImageDraw, plan: FlatPlan, at: Any, scale: float) -> None:
    pose, r = plan.robot, plan.radius_m * scale
    x, y = at(pose.x_m, pose.y_m)
    pen.ellipse((x - r, y - r, x + r, y + r), fill=ROBOT, outline=(255, 255, 255), width=FINE)
    nose = [pose.moved(plan.radius_m), pose.moved(0.05, 0.1), pose.moved(0.05, -0.1)]
    pen.polygon([at(p.x_m, p.y_m) for p in nose], fill=TRAIL)


def _names(pen: ImageDraw.ImageDraw, plan: FlatPlan, at: Any, scale: float) -> None:
    """Furniture inside, people and things beside what they name; a name that would cover another is moved down."""
    font, small = ImageFont.load_default(max(7, int(scale * 0.09)) * 1.0), ImageFont.load_default(int(scale * 0.14))
    taken: list[tuple[float, float, float, float]] = []
    wanted: list[tuple[str, Point, Any, int]] = []
    for figure in plan.people:
        x, y = at(figure.pose.x_m, figure.pose.y_m)
        wanted.append((f"{figure.name} {figure.note}".strip(), (x, y + 0.26 * scale), small, 235))
    for block in plan.furniture:
        wanted.append((block.name, at(*_middle(block.outline)), small, 0))
    for block in plan.things:
        x, y = at(*_middle(block.outline))
        wanted.append((block.name, (x, y + 0.12 * scale), font, 170))
    for text, (x, y), face, plate in wanted:
        left, top, right, bottom = pen.textbbox((0, 0), text, font=face)
        spot = _spot((x - (right - left) / 2, y - (bottom - top) / 2, right - left, bottom - top), taken)
        taken.append((*spot, right - left, bottom - top))
        if plate:
            box = (spot[0] - 2, spot[1] - 1, spot[0] + right - left + 2, spot[1] + bottom - top + 2)
            pen.rectangle(box, fill=(255, 255, 255, plate))
        pen.text((spot[0] - left, spot[1] - top), text, fill=INK, font=face)


def _spot(box: tuple[float, float, float, float], taken: Sequence[tuple[float, float, float, float]]) -> Point:
    x, y, wide, high = box
    for shift in (0, 1, -1, 2, -2, 3, -3, 4):
        there = y + shift * (high + FINE)
        free = all(x + wide < a or a + w < x or there + high < b or b + h < there for a, b, w, h in taken)
        if free:
            return x, there
    return x, y


def _middle(outline: Sequence[Point]) -> Point:
    return sum(p[0] for p in outline) / len(outline), sum(p[1] for p in outline) / len(outline)
