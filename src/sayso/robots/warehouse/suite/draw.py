"""Two plain charts with Pillow alone: bars with their intervals side by side, and lines over a count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

Rgb: TypeAlias = tuple[int, int, int]
Bar: TypeAlias = tuple[float, float, float]
"""A share, and the ends of its interval."""

PAPER, INK, FAINT = (250, 249, 246), (45, 48, 54), (206, 204, 198)
COLOURS: Sequence[Rgb] = ((38, 98, 160), (226, 128, 44), (92, 148, 76), (168, 62, 92), (120, 104, 168), (100, 100, 100),
                          (60, 160, 160), (180, 150, 60))  # fmt: skip
WIDTH_PX, HEIGHT_PX = 860, 440
LEFT_PX, RIGHT_PX, TOP_PX, FOOT_PX = 66, 190, 40, 46


def bars(title: str, groups: Mapping[str, Mapping[str, Bar]]) -> Image.Image:
    """Shares from 0 to 1 by group and series. A series keeps its colour in every group."""
    picture, pen = _paper(title)
    series = list(dict.fromkeys(name for some in groups.values() for name in some))
    for tenth in range(0, 11, 2):
        y = _y(tenth / 10)
        pen.line((LEFT_PX, y, WIDTH_PX - RIGHT_PX, y), fill=FAINT)
        pen.text((LEFT_PX - 10, y), f"{tenth * 10} %", fill=INK, font=_font(12), anchor="rm")
    slot = (WIDTH_PX - LEFT_PX - RIGHT_PX) / max(1, len(groups))
    wide = min(46.0, slot * 0.8 / max(1, len(series)))
    for n, (group, some) in enumerate(groups.items()):
        middle = LEFT_PX + slot * (n + 0.5)
        pen.text((middle, HEIGHT_PX - FOOT_PX + 8), group, fill=INK, font=_font(13), anchor="mt")
        for name, (share, low, high) in some.items():
            x = middle + (series.index(name) - len(series) / 2) * wide
            pen.rectangle((x + 2, _y(share), x + wide - 2, _y(0)), fill=_colour(series.index(name)))
            pen.line((x + wide / 2, _y(low), x + wide / 2, _y(high)), fill=INK, width=2)
    _legend(pen, series)
    return picture


def lines(title: str, across: str, up: str, some: Mapping[str, Sequence[float]]) -> Image.Image:
    """Values over 1, 2, 3, …, a line each."""
    picture, pen = _paper(title)
    most = max((v for line in some.values() for v in line), default=1.0) or 1.0
    count = max((len(line) for line in some.values()), default=1)
    for tenth in range(0, 11, 2):
        y = _y(tenth / 10)
        pen.line((LEFT_PX, y, WIDTH_PX - RIGHT_PX, y), fill=FAINT)
        pen.text((LEFT_PX - 10, y), f"{most * tenth / 10:.3g}", fill=INK, font=_font(12), anchor="rm")
    step = (WIDTH_PX - LEFT_PX - RIGHT_PX) / max(1, count - 1)
    for n, line in enumerate(some.values()):
        points = [(LEFT_PX + step * i, _y(v / most)) for i, v in enumerate(line)]
        if len(points) > 1:
            pen.line(points, fill=_colour(n), width=3)
        for x, y in points:
            pen.ellipse((x - 3, y - 3, x + 3, y + 3), fill=_colour(n))
    pen.text(
        (WIDTH_PX - RIGHT_PX, HEIGHT_PX - FOOT_PX + 8), f"{across} 1 to {count}", fill=INK, font=_font(13), anchor="rt"
    )
    pen.text((LEFT_PX, TOP_PX - 6), up, fill=INK, font=_font(12), anchor="lb")
    _legend(pen, list(some))
    return picture


def _paper(title: str) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGB", (WIDTH_PX, HEIGHT_PX), PAPER)
    pen = ImageDraw.Draw(picture)
    pen.text((WIDTH_PX / 2, 8), title, fill=INK, font=_font(15), anchor="mt")
    return picture, pen


def _legend(pen: ImageDraw.ImageDraw, names: Sequence[str]) -> None:
    for n, name in enumerate(names):
        y = TOP_PX + 10 + 22 * n
        pen.rectangle((WIDTH_PX - RIGHT_PX + 16, y, WIDTH_PX - RIGHT_PX + 30, y + 14), fill=_colour(n))
        pen.text((WIDTH_PX - RIGHT_PX + 36, y + 7), name, fill=INK, font=_font(12), anchor="lm")


def _y(share: float) -> float:
    return HEIGHT_PX - FOOT_PX - share * (HEIGHT_PX - FOOT_PX - TOP_PX - 14)


def _colour(n: int) -> Rgb:
    return COLOURS[n % len(COLOURS)]


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
