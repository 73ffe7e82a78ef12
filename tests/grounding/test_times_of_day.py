"""Times of day as people say them."""

from __future__ import annotations

import pytest

from sayso.grounding.clock import between_min, clocked, minutes_of
from sayso.grounding.utterance import figured


@pytest.mark.parametrize(
    ("said", "figures"),
    [
        ("gone since half past eight", "gone since 8:30"),
        ("it is quarter to one", "it is 12:45"),
        ("back by ten to six", "back by 5:50"),
        ("missing since nine o'clock", "missing since 9:00"),
        ("turn to your nine o'clock", "turn to your 90 deg to the left"),
        ("ten to six metres", "10 to 600 cm"),
        ("five to ten people", "5 to 10 people"),
        ("half of the way", "half of the way"),
    ],
)
def test_a_time_of_day_stands_in_figures_and_nothing_else_becomes_one(said: str, figures: str) -> None:
    assert figured(clocked(said)) == figures


@pytest.mark.parametrize(
    ("earlier", "later", "minutes"),
    [
        ("9", "11 15", 135),
        ("23:40", "0:10", 30),
        ("10 last night", "5", 420),
        ("4 in the afternoon", "6", 120),
        ("noon", "1:30 pm", 90),
        ("1405", "14:35", 30),
        ("7 this morning", "half past nine", 150),
    ],
)
def test_how_long_ago_it_was_is_the_shortest_time_that_fits(earlier: str, later: str, minutes: int) -> None:
    assert between_min(earlier, later) == minutes


def test_what_tells_no_time_tells_none() -> None:
    assert minutes_of("the evening before") == () and minutes_of("99:12") == ()
    assert between_min("the other day", "9") is None
