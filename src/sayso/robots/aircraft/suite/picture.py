"""The belief of a search as a heat map over the ground, as a picture.

Red is where the missing one probably is; what was searched cools down, and warms again where somebody may have walked
in. The colour is a cell's probability relative to the hottest cell, so the picture shows shape and not certainty; the
caption tells how much probability the framed half of it holds on how much ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.robots.aircraft.world.draw import ground
from sayso.search.model import Floats

STRIP_PX = 20
EDGE = (255, 255, 255)
HOT, WARM = np.array([200.0, 20.0, 20.0]), np.array([250.0, 210.0, 60.0])
PAPER = (247, 246, 243)
INK = (45, 48, 54)


def heat_map(where: Whereabouts, width_px: int = 480, title: str = "") -> Any:
    """(height, width, 3) uint8, north up."""
    chances = where.belief.probability
    half = where.belief.region(0.5)
    cells = _coloured(ground(where.terrain), chances[::-1])
    scale = max(1, width_px // chances.shape[1])
    picture = Image.fromarray(cells.astype(np.uint8)).resize(
        (chances.shape[1] * scale, chances.shape[0] * scale), Image.Resampling.NEAREST
    )
    whole = Image.new("RGB", (picture.width, picture.height + STRIP_PX), PAPER)
    whole.paste(picture, (0, STRIP_PX))
    pen = ImageDraw.Draw(whole)
    _frame(pen, half[::-1], scale)
    hectares = half.sum() * where.terrain.cell_m**2 / 1e4
    told = f"{title or where.subject.label}: half of the probability on {hectares:.0f} ha"
    pen.text((4, 3), told, fill=INK, font=ImageFont.load_default(12))
    return np.asarray(whole)


def save_series(pictures: Sequence[Any], folder: Path, name: str) -> list[Path]:
    """Write pictures as numbered PNG files; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}-{n:02d}.png" for n in range(len(pictures))]
    for picture, path in zip(pictures, paths, strict=True):
        Image.fromarray(picture).save(path)
    return paths


def _coloured(below: Any, chances: Floats) -> Any:
    """Ground, covered by warmth where the probability is."""
    heat = np.sqrt(chances / max(float(chances.max()), 1e-15))[:, :, None]
    return below * (1 - 0.85 * heat) + 0.85 * heat * (WARM + (HOT - WARM) * heat)


def _frame(pen: ImageDraw.ImageDraw, inside: Any, scale: int) -> None:
    """A line around the cells of a region."""
    for row, column in np.argwhere(inside[:, 1:] != inside[:, :-1]):
        x, y = (column + 1) * scale, row * scale + STRIP_PX
        pen.line((x, y, x, y + scale), fill=EDGE)
    for row, column in np.argwhere(inside[1:] != inside[:-1]):
        x, y = column * scale, (row + 1) * scale + STRIP_PX
        pen.line((x, y, x + scale, y), fill=EDGE)
