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
from sayso.robots.aircraft.world.land import heated

STRIP_PX = 20
PAPER = (247, 246, 243)
INK = (45, 48, 54)


def heat_map(where: Whereabouts, width_px: int = 480, title: str = "") -> Any:
    """(height, width, 3) uint8, north up."""
    chances = where.belief.probability
    picture = heated(ground(where.terrain), chances, max(1, width_px // chances.shape[1]))
    hectares = where.belief.region(0.5).sum() * where.terrain.cell_m**2 / 1e4
    strip = Image.new("RGB", (picture.shape[1], STRIP_PX), PAPER)
    told = f"{title or where.subject.label}: half of the probability on {hectares:.0f} ha"
    ImageDraw.Draw(strip).text((4, 3), told, fill=INK, font=ImageFont.load_default(12))
    return np.concatenate([np.asarray(strip), picture])


def save_series(pictures: Sequence[Any], folder: Path, name: str) -> list[Path]:
    """Write pictures as numbered PNG files; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}-{n:02d}.png" for n in range(len(pictures))]
    for picture, path in zip(pictures, paths, strict=True):
        Image.fromarray(picture).save(path)
    return paths
