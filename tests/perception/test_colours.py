"""What colour a thing has, by its pixels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.grounding.utterance import table
from sayso.perception.detecting import COLOURS, colour
from sayso.scene import Box

BOX = Box(0.5, 0.5, 0.5, 0.5)


def patch(*rgb: tuple[int, int, int]) -> np.ndarray:
    """A grey picture with a patch in its middle, whose columns have these colours in turn."""
    picture = np.full((120, 160, 3), 140, np.uint8)
    for n in range(40, 120):
        picture[30:90, n] = rgb[n % len(rgb)]
    return picture


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        ((200, 30, 25), "red"), ((245, 135, 28), "orange"), ((240, 210, 40), "yellow"), ((50, 140, 60), "green"),
        ((40, 85, 160), "blue"), ((110, 50, 170), "purple"), ((235, 110, 170), "pink"),
        ((235, 235, 230), ""), ((140, 145, 150), ""), ((28, 28, 33), ""), ((148, 107, 74), ""),
    ],
)  # fmt: skip
def test_what_is_plainly_of_a_colour_is_so_and_what_light_makes_is_not_told(
    rgb: tuple[int, int, int], name: str
) -> None:
    assert colour(patch(rgb), BOX) == name
    dim = tuple(int(0.6 * c) for c in rgb)
    assert colour(patch((dim[0], dim[1], dim[2])), BOX) == name, "in the shade"


def test_what_has_several_colours_has_none() -> None:
    assert colour(patch((200, 30, 25), (40, 85, 160)), BOX) == ""
    assert colour(patch((200, 30, 25), (200, 30, 25), (200, 30, 25), (40, 85, 160)), BOX) == "red"


@given(st.tuples(*[st.floats(0, 1)] * 4), st.integers(0, 9))
def test_any_box_in_any_picture_has_a_colour_or_none(sides: tuple[float, ...], seed: int) -> None:
    picture = np.random.default_rng(seed).integers(0, 256, (9, 12, 3), dtype=np.uint8)
    assert colour(picture, Box(*sides)) in (*COLOURS, "")


def test_what_it_tells_are_words_that_a_wish_is_read_for() -> None:
    assert set(COLOURS) <= set(table()["traits"]["colours"])
