"""Amounts in figures: quantities, units, fractions, turns and the clock are read by code, not by a model."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.grounding.utterance import figured, onward, read

ROWS = [
    tuple(part.strip() for part in line.split("|"))
    for line in Path(__file__).with_name("quantities.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
RIGHT_AT_LEAST = 0.99


def test_a_table_of_phrases_is_read_right() -> None:
    wrong = [(said, figured(said), right) for said, right in ROWS if figured(said) != right]
    assert len(ROWS) >= 300
    assert len(wrong) <= (1 - RIGHT_AT_LEAST) * len(ROWS), wrong


@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error_and_figures_stay(text: str) -> None:
    figured(text)


@given(st.integers(1, 999), st.sampled_from(("cm", "deg", "s")))
def test_what_is_in_figures_already_stays_as_it_is(n: int, unit: str) -> None:
    assert figured(f"go {n} {unit} on") == f"go {n} {unit} on"


@pytest.mark.parametrize(
    ("wish", "onward_"),
    [
        ("go back to the lamp", "go to the lamp"),
        ("Take a picture, then fly back over to that shelf.", "Take a picture, then fly over to that shelf."),
        ("take the two plates back to the kitchen", "take the two plates to the kitchen"),
        ("go back to the start", None),
        ("go back to my place", None),
        ("tell him to go back to the couch", None),
        ("go back", None),
    ],
)
def test_back_to_a_thing_is_no_way_home(wish: str, onward_: str | None) -> None:
    assert onward(wish) == (onward_ or wish)
    assert ("home" in read(wish).maybe) == (onward_ is None)
