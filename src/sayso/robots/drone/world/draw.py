"""A room seen from above, drawn with Pillow.

The plan is drawn from plain shapes, so nothing here needs GL or knows MuJoCo. It is drawn at twice its size and shrunk,
which is how Pillow gets smooth lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from sayso.scene import Pose

Point = tuple[float, float]
Rgb = tuple[int, int, int]
Rectangle = tuple[float, float, float, float]

FINE = 2
PAPER: Rgb = (247, 246, 243)
FLOOR: Rgb = (232, 226, 216)
GRID: Rgb = (223, 216, 204)
WALL: Rgb = (92, 96, 104)
INK: Rgb = (45, 48, 54)
TRAIL: Rgb = (226, 88, 34)
DRONE: Rgb = (28, 34, 44)
BUMP: Rgb = (200, 30, 40)
SIGHT = (255, 196, 60, 70)
WEDGE_M = 2.4


@dataclass(frozen=True, slots=True)
class Shape:
    """A flat convex outline in metres, its colour, and how high its top is."""

    outline: tuple[Point, ...]
    colour: Rgb
    top_m: float


@dataclass(frozen=True, slots=True)
class Tag:
    """A name to write at a place; `large` names stand inside what they name, others beside it."""

    text: str
    at: Point
    large: bool
    seen: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a plan shows. Metres, world frame: x to the right, y up, as on any map."""

    size_m: Point
    shapes: tuple[Shape, ...]
    tags: tuple[Tag, ...]
    trail: tuple[Pose, ...]
    drone: Pose
    bumps: tuple[Point, ...] = ()
    half_view_rad: float = math.radians(35.1)
    title: str = ""
    caption: str = ""


class _Map:
    """World metres to pixels of the fine picture."""

    def __init__(self, size_m: Point, width: int, height: int) -> None:
        edge, strip = 0.03 * width, 0.055 * width
        self.scale = min((width - 2 * edge) / size_m[0], (height - 2 * edge - strip) / size_m[1])
        self.middle = (width / 2, (height - strip) / 2 + strip)

    def __call__(self, x_m: float, y_m: float) -> Point:
        return self.middle[0] + x_m * self.scale, self.middle[1] - y_m * self.scale


def draw_plan(plan: Plan, width_px: int, height_px: int) -> Any:
    """(height, width, 3) uint8."""
    width, height = width_px * FINE, height_px * FINE
    image = Image.new("RGB", (width, height), PAPER)
    pen = ImageDraw.Draw(image, "RGBA")
    place = _Map(plan.size_m, width, height)
    _room(pen, plan, place)
    for shape in sorted(plan.shapes, key=lambda s: s.top_m):
        edge: Rgb = tuple(int(v * 0.72) for v in shape.colour)  # type: ignore[assignment]
        pen.polygon([place(*p) for p in shape.outline], fill=shape.colour, outline=edge, width=FINE)
    _sight(image, plan, place)
    pen = ImageDraw.Draw(image, "RGBA")
    _trail(pen, plan, place)
    _tags(pen, plan, place)
    _drone(pen, plan.drone, place)
    _frame_text(pen, plan, place, width)
    return np.asarray(image.resize((width_px, height_px), Image.Resampling.LANCZOS))


def _room(pen: ImageDraw.ImageDraw, plan: Plan, place: _Map) -> None:
    half_x, half_y = plan.size_m[0] / 2, plan.size_m[1] / 2
    (left, top), (right, bottom) = place(-half_x, half_y), place(half_x, -half_y)
    wall = 0.10 * place.scale
    pen.rectangle((left - wall, top - wall, right + wall, bottom + wall), fill=WALL)
    pen.rectangle((left, top, right, bottom), fill=FLOOR)
    for i in range(math.ceil(-half_x), math.floor(half_x) + 1):
        pen.line((*place(i, -half_y), *place(i, half_y)), fill=GRID, width=FINE)
    for i in range(math.ceil(-half_y), math.floor(half_y) + 1):
        pen.line((*place(-half_x, i), *place(half_x, i)), fill=GRID, width=FINE)


def _sight(image: Image.Image, plan: Plan, place: _Map) -> None:
    """The wedge that the camera covers, fading with distance."""
    layer = Image.new("RGBA", image.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    x, y = place(plan.drone.x_m, plan.drone.y_m)
    middle = -math.degrees(plan.drone.yaw_rad)
    half = math.degrees(plan.half_view_rad)
    steps = 12
    for i in range(steps):
        radius = WEDGE_M * place.scale * (1 - i / steps)
        alpha = int(14 + 10 * i)
        pen.pieslice(
            (x - radius, y - radius, x + radius, y + radius), middle - half, middle + half, (*SIGHT[:3], alpha)
        )
    image.paste(Image.alpha_composite(image.convert("RGBA"), layer).convert("RGB"))


def _trail(pen: ImageDraw.ImageDraw, plan: Plan, place: _Map) -> None:
    points = [place(p.x_m, p.y_m) for p in plan.trail]
    if not points:
        return
    if len(points) > 1:
        pen.line(points, fill=(255, 255, 255, 200), width=5 * FINE, joint="curve")
        pen.line(points, fill=TRAIL, width=3 * FINE, joint="curve")
    x, y = points[0]
    radius = 5 * FINE
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=(255, 255, 255), outline=TRAIL, width=2 * FINE)
    for bump in plan.bumps:
        x, y = place(*bump)
        for sign in (1, -1):
            pen.line((x - radius, y - sign * radius, x + radius, y + sign * radius), fill=BUMP, width=2 * FINE)


def _drone(pen: ImageDraw.ImageDraw, pose: Pose, place: _Map) -> None:
    """Four rotors and a nose, at twice its size so that it can be seen."""
    arm, rotor = 0.10, 0.085
    for x, y in ((arm, arm), (-arm, arm), (-arm, -arm), (arm, -arm)):
        tip = pose.moved(x, y)
        pen.line((*place(pose.x_m, pose.y_m), *place(tip.x_m, tip.y_m)), fill=DRONE, width=3 * FINE)
        cx, cy = place(tip.x_m, tip.y_m)
        r = rotor * place.scale
        pen.ellipse((cx - r, cy - r, cx + r, cy + r), fill=(255, 255, 255, 190), outline=DRONE, width=2 * FINE)
    nose = [pose.moved(0.2, 0.0), pose.moved(0.05, 0.07), pose.moved(0.05, -0.07)]
    pen.polygon([place(p.x_m, p.y_m) for p in nose], fill=TRAIL)


def _tags(pen: ImageDraw.ImageDraw, plan: Plan, place: _Map) -> None:
    """Names, each moved to the first spot around its thing where it covers no other name."""
    taken: list[Rectangle] = []
    half = 0.2 * place.scale
    x, y = place(plan.drone.x_m, plan.drone.y_m)
    taken.append((x - half, y - half, x + half, y + half))
    (west, north), (east, south) = (place(s * plan.size_m[0] / 2, -s * plan.size_m[1] / 2) for s in (-1, 1))
    room = (west, north, east, south)
    for tag in sorted(plan.tags, key=lambda t: t.large):
        font = _font((10 if tag.large else 9) * FINE)
        x, y = place(*tag.at)
        left, top, right, bottom = pen.textbbox((0, 0), tag.text, font=font)
        wide, high = right - left, bottom - top
        spot = _free_spot(x, y, wide, high, taken, room, beside=not tag.large)
        taken.append(spot)
        plate = (spot[0] - 3 * FINE, spot[1] - 2 * FINE, spot[2] + 3 * FINE, spot[3] + 2 * FINE)
        fill = (255, 226, 150, 235) if tag.seen else (255, 255, 255, 190)
        pen.rounded_rectangle(plate, radius=3 * FINE, fill=fill)
        pen.text((spot[0] - left, spot[1] - top), tag.text, fill=INK, font=font)


def _free_spot(
    x: float, y: float, wide: float, high: float, taken: Sequence[Rectangle], room: Rectangle, beside: bool
) -> Rectangle:
    reach = 8 * FINE
    around = [(0.0, -1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
    rings = [(dx * n, dy * n) for n in (1.0, 1.9, 2.8) for dx, dy in around]
    spots = rings if beside else [(0.0, 0.0), *rings]
    best: tuple[float, Rectangle] | None = None
    for dx, dy in spots:
        cx, cy = x + dx * (wide / 2 + reach), y + dy * (high / 2 + reach)
        spot = (cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2)
        covered = sum(_overlap(spot, other) for other in taken)
        if spot[0] < room[0] or spot[1] < room[1] or spot[2] > room[2] or spot[3] > room[3]:
            covered += wide * high
        if covered == 0.0:
            return spot
        if best is None or covered < best[0]:
            best = (covered, spot)
    assert best is not None
    return best[1]


def _overlap(a: Rectangle, b: Rectangle) -> float:
    gap = 4 * FINE
    wide = min(a[2], b[2]) - max(a[0], b[0]) + gap
    high = min(a[3], b[3]) - max(a[1], b[1]) + gap
    return max(0.0, wide) * max(0.0, high)


def _frame_text(pen: ImageDraw.ImageDraw, plan: Plan, place: _Map, width: int) -> None:
    """Title on the left above the room, caption on the right, and a metre to measure with."""
    margin, line = place(-plan.size_m[0] / 2, plan.size_m[1] / 2)[0], 10 * FINE
    pen.text((margin, line), plan.title, fill=INK, font=_font(13 * FINE))
    small = _font(11 * FINE)
    right = place(plan.size_m[0] / 2, 0)[0]
    pen.text((right, line + 2 * FINE), plan.caption, fill=(90, 94, 100), font=small, anchor="ra")
    x, y = place(plan.size_m[0] / 2 - 0.25, -plan.size_m[1] / 2 + 0.2)
    pen.line((x - place.scale, y, x, y), fill=INK, width=2 * FINE)
    for end in (x - place.scale, x):
        pen.line((end, y - 3 * FINE, end, y + 3 * FINE), fill=INK, width=2 * FINE)
    pen.text((x - place.scale / 2, y - 4 * FINE), "1 m", fill=INK, font=_font(9 * FINE), anchor="mb")


Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont


def _font(size: int) -> Font:
    return ImageFont.load_default(size)
