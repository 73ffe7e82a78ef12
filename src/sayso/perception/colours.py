"""What colour a thing has, by its pixels, where one that light does not make covers most of it.

Of the eleven basic terms (Berlin and Kay 1969) these are seven: white, grey, black and brown change with the light, and
who calls them by one picture is wrong too often.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sayso.scene import Box

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
UP_TO_DEG = (16, 43, 66, 175, 255, 320, 345, 360)
"""Where the hue of each ends, from red through the circle to red again."""

MOST = 0.6
"""The share of its middle that has to be of one colour; what is of many has none."""

LIVELY, LIT = 0.45, 0.25
"""The least saturation and value of a colour: with less it may be the light's."""

ORANGE = 0.75
"""The least saturation of orange: what has less is brown in good light."""


def colour(picture: NDArray[np.uint8], box: Box) -> str:
    """The colour of the middle of a box in a picture (height, width, 3), empty where no one is most of it."""
    height, width = picture.shape[:2]
    rows = slice(round((box.y - box.height / 4) * height), max(1, round((box.y + box.height / 4) * height)))
    columns = slice(round((box.x - box.width / 4) * width), max(1, round((box.x + box.width / 4) * width)))
    pixels = picture[rows, columns].reshape(-1, 3).astype(float) / 255
    value, chroma = pixels.max(axis=1), np.ptp(pixels, axis=1)
    numbers = np.searchsorted(UP_TO_DEG, _hue_deg(pixels), side="right") % len(COLOURS)
    least = np.where(numbers == COLOURS.index("orange"), ORANGE, LIVELY)
    counts = np.bincount(numbers[(chroma > least * value) & (value > LIT)], minlength=len(COLOURS))
    return COLOURS[int(counts.argmax())] if counts.max() > MOST * len(pixels) else ""


def _hue_deg(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    red, green, blue = pixels.T
    hue: NDArray[np.float64] = np.degrees(np.arctan2(3**0.5 * (green - blue), 2 * red - green - blue)) % 360
    return hue
