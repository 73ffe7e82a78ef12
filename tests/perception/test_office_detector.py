"""The detector that comes with the office, on one rendered picture of it; how good it is, `make eyes` measures."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sayso.errors import UsageError
from sayso.perception.detecting import make
from sayso.perception.detector import Detection
from sayso.perception.yolo import shared

PICTURE = Path(__file__).with_name("pictures") / "office.png"
"""From the middle of the scene `tour`, towards the table under the whiteboard."""

THERE = {
    "whiteboard": (164, 136, 370, 254), "table": (311, 285, 537, 404), "laptop": (451, 258, 508, 291),
    "bottle": (378, 254, 388, 290), "banana": (419, 285, 440, 292), "coke": (348, 275, 357, 292),
    "apple": (468, 279, 481, 293),
}  # fmt: skip
"""Left, top, right and bottom in pixels of 640 × 480, by which geom each pixel shows."""


async def found(name: str) -> Sequence[Detection]:
    return await make(name).detect(np.asarray(Image.open(PICTURE).convert("RGB")))


def test_most_of_what_is_there_is_found_and_little_else() -> None:
    sure = [one for one in asyncio.run(found("office")) if one.confidence >= 0.5]
    right = {one.label for one in sure if one.label in THERE and overlap(one) > 0.5}
    assert len(right) >= 5 and len(sure) - len(right) <= 1, sure


def overlap(one: Detection) -> float:
    """Of its box with where such a thing is."""
    box = one.box
    sides = (box.x - box.width / 2, box.y - box.height / 2, box.x + box.width / 2, box.y + box.height / 2)
    return float(shared(np.array(sides) * (640, 480, 640, 480), np.array([THERE[one.label]], float))[0])


def test_it_is_small_enough_to_come_along() -> None:
    from sayso.robots.drone.world import EYES

    assert EYES.stat().st_size < 4_000_000


def test_a_name_that_nobody_brings_along_is_told_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"there is no file ofice to see with; there are .*, office$"):
        make("ofice")
