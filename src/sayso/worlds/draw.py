"""A map of a place from above, drawn with Pillow from plain shapes, without GL or MuJoCo.

Metres go in, x to the right and y up as on any map. It is drawn at twice its size and shrunk, which is how Pillow gets
smooth lines.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from sayso.scene import Pose

Point: TypeAlias = tuple[float, float]
Rgb: TypeAlias = tuple[int, int, int]
Rectangle: TypeAlias = tuple[float, float, float, float]

FINE = 2
PAPER: Rgb = (247, 246, 243)
INK: Rgb = (45, 48, 54)
FAINT: Rgb = (90, 94, 100)
TRAIL: Rgb = (226, 88, 34)
WHITE: Rgb = (255, 255, 255)
SEEN = (255, 226, 150, 235)
SIGHT: Rgb = (255, 196, 60)


@dataclass(frozen=True, slots=True)
class Tag:
    """A name to write at a place; `inside` what it names, or beside it. One that is `seen` stands out."""

    text: str
    at: Point
    inside: bool = False
    seen: bool = False


class Chart:
    """A picture in the making: what is drawn later lies on top. `size_m` around the origin fits in."""

    def __init__(self, size_m: Point, width_px: int, height_px: int, paper: Rgb = PAPER) -> None:
        self._size_m, self._size_px = size_m, (width_px, height_px)
        width, height = width_px * FINE, height_px * FINE
        edge, strip = 0.03 * width, 0.055 * width
        self.scale = min((width - 2 * edge) / size_m[0], (height - 2 * edge - strip) / size_m[1])
        self._middle = (width / 2, (height - strip) / 2 + strip)
        self._image = Image.new("RGB", (width, height), paper)
        self._pen = ImageDraw.Draw(self._image, "RGBA")

    def at(self, x_m: float, y_m: float) -> Point:
        """Where a point lies, in pixels of the fine picture."""
        return self._middle[0] + x_m * self.scale, self._middle[1] - y_m * self.scale

    def ground(self, cells: Any) -> None:
        """Lay a picture of the ground, (rows, columns, 3) with north up, over the whole size."""
        (left, top), (right, bottom) = self._frame()
        picture = Image.fromarray(np.clip(cells, 0, 255).astype(np.uint8))
        size = round(right - left), round(bottom - top)
        self._image.paste(picture.resize(size, Image.Resampling.NEAREST), (round(left), round(top)))

    def area(self, outline: Iterable[Point], colour: Rgb, *, edge: bool = True) -> None:
        """A flat convex shape, with an edge a little darker than itself."""
        border = (round(colour[0] * 0.72), round(colour[1] * 0.72), round(colour[2] * 0.72)) if edge else None
        self._pen.polygon([self.at(*p) for p in outline], fill=colour, outline=border, width=FINE)

    def line(self, points: Iterable[Point], colour: Rgb, width_px: float = 2) -> None:
        if len(dots := [self.at(*p) for p in points]) > 1:
            self._pen.line(dots, fill=colour, width=round(width_px * FINE), joint="curve")

    def disc(
        self, at: Point, radius_m: float, colour: Rgb | None, edge: Rgb | None = None, least_px: float = 0
    ) -> None:
        """A round thing of its size, but never smaller than can be seen."""
        (x, y), r = self.at(*at), max(radius_m * self.scale, least_px * FINE)
        self._pen.ellipse((x - r, y - r, x + r, y + r), fill=colour, outline=edge, width=2 * FINE)

    def square(self, at: Point, half_px: float, edge: Rgb) -> None:
        """A mark around a place."""
        (x, y), r = self.at(*at), half_px * FINE
        self._pen.rectangle((x - r, y - r, x + r, y + r), outline=edge, width=2 * FINE)

    def cross(self, at: Point, colour: Rgb, half_px: float = 5) -> None:
        (x, y), r = self.at(*at), half_px * FINE
        for sign in (1, -1):
            self._pen.line((x - r, y - sign * r, x + r, y + sign * r), fill=colour, width=2 * FINE)

    def trail(self, poses: Iterable[Pose], *, start: bool = True) -> None:
        """The way that was gone, from a ring where it began."""
        points = [p.xy for p in poses]
        self.line(points, WHITE, 5)
        self.line(points, TRAIL, 3)
        if points and start:
            self.disc(points[0], 0.0, WHITE, TRAIL, least_px=5)

    def sight(self, eye: Pose, half_rad: float, reach_m: float) -> None:
        """The wedge that a camera covers, fading with distance."""
        layer = Image.new("RGBA", self._image.size, (0, 0, 0, 0))
        pen, steps = ImageDraw.Draw(layer), 12
        (x, y), middle, half = self.at(*eye.xy), -math.degrees(eye.yaw_rad), math.degrees(half_rad)
        for i in range(steps):
            r = reach_m * self.scale * (1 - i / steps)
            pen.pieslice((x - r, y - r, x + r, y + r), middle - half, middle + half, (*SIGHT, 14 + 10 * i))
        self._image.paste(Image.alpha_composite(self._image.convert("RGBA"), layer).convert("RGB"))
        self._pen = ImageDraw.Draw(self._image, "RGBA")

    def robot(self, pose: Pose, radius_m: float, colour: Rgb = INK, least_px: float = 4) -> None:
        """A round robot with a nose."""
        self.disc(pose.xy, radius_m, colour, WHITE, least_px)
        size = max(radius_m, least_px * FINE / self.scale)
        nose = (pose.moved(size), pose.moved(0.2 * size, 0.4 * size), pose.moved(0.2 * size, -0.4 * size))
        self.area([p.xy for p in nose], TRAIL, edge=False)

    def words(self, at: Point, text: str, size: int = 11) -> None:
        """A name on the ground, to be read on any colour."""
        self._pen.text(
            self.at(*at), text, fill=WHITE, font=_font(size), anchor="mm", stroke_width=2 * FINE, stroke_fill=INK
        )

    def tags(self, tags: Iterable[Tag], clear_of: Pose | None = None) -> None:
        """Names, each moved to the first spot around its thing where it covers neither another nor the robot."""
        taken: list[Rectangle] = []
        if clear_of:
            (x, y), half = self.at(*clear_of.xy), 0.2 * self.scale
            taken.append((x - half, y - half, x + half, y + half))
        (west, north), (east, south) = self._frame()
        for tag in sorted(tags, key=lambda t: t.inside):
            font = _font(10 if tag.inside else 9)
            left, top, right, bottom = self._pen.textbbox((0, 0), tag.text, font=font)
            size = right - left, bottom - top
            spot = _free_spot(self.at(*tag.at), size, taken, (west, north, east, south), beside=not tag.inside)
            taken.append(spot)
            plate = (spot[0] - 3 * FINE, spot[1] - 2 * FINE, spot[2] + 3 * FINE, spot[3] + 2 * FINE)
            self._pen.rounded_rectangle(plate, radius=3 * FINE, fill=SEEN if tag.seen else (*WHITE, 190))
            self._pen.text((spot[0] - left, spot[1] - top), tag.text, fill=INK, font=font)

    def titles(self, title: str, caption: str, colour: Rgb = INK) -> None:
        """Title on the left above the place, caption on the right, and a length to measure with."""
        (left, _), (right, bottom) = self._frame()
        self._pen.text((left, 10 * FINE), title, fill=colour, font=_font(13))
        self._pen.text(
            (right, 12 * FINE), caption, fill=FAINT if colour == INK else colour, font=_font(11), anchor="ra"
        )
        metres = 10 ** math.floor(math.log10(max(self._size_m) / 4))
        long, x, y = metres * self.scale, right - 0.03 * (right - left), bottom - 8 * FINE
        self._pen.line((x - long, y, x, y), fill=colour, width=2 * FINE)
        self._pen.text((x - long / 2, y - 4 * FINE), f"{metres:g} m", fill=colour, font=_font(9), anchor="mb")

    def picture(self) -> Any:
        """(height, width, 3) uint8."""
        return np.asarray(self._image.resize(self._size_px, Image.Resampling.LANCZOS))

    def _frame(self) -> tuple[Point, Point]:
        """The upper left and the lower right corner of the size."""
        half_x, half_y = self._size_m[0] / 2, self._size_m[1] / 2
        return self.at(-half_x, half_y), self.at(half_x, -half_y)


def _free_spot(at: Point, size: Point, taken: Sequence[Rectangle], room: Rectangle, beside: bool) -> Rectangle:
    (x, y), (wide, high), reach = at, size, 8 * FINE
    around = [(0.0, -1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
    rings = [(dx * n, dy * n) for n in (1.0, 1.9, 2.8) for dx, dy in around]

    def covered(spot: Rectangle) -> float:
        outside = spot[0] < room[0] or spot[1] < room[1] or spot[2] > room[2] or spot[3] > room[3]
        return sum(_overlap(spot, other) for other in taken) + outside * wide * high

    ways = rings if beside else [(0.0, 0.0), *rings]
    middles = [(x + dx * (wide / 2 + reach), y + dy * (high / 2 + reach)) for dx, dy in ways]
    return min(((cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2) for cx, cy in middles), key=covered)


def _overlap(a: Rectangle, b: Rectangle) -> float:
    gap = 4 * FINE
    wide = min(a[2], b[2]) - max(a[0], b[0]) + gap
    high = min(a[3], b[3]) - max(a[1], b[1]) + gap
    return max(0.0, wide) * max(0.0, high)


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size * FINE)
