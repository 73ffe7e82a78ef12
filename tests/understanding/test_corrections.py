"""What a sentence takes back is not done (U4): what follows replaces the part of its kind, or is asked about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.understanding import requested
from sayso.understanding.corrections import AGAIN, corrected

BACK = st.sampled_from(
    [", no wait, ", ". No, ", ", sorry, ", ", I mean ", ", actually ", " - no, make that ", "... oops, ", " or rather "]
)
PARTS = st.sampled_from(
    [
        ("rise {}", "30 cm", "a metre and a half"), ("turn {}", "left", "right"), ("fly to {}", "the lamp", "the door"),
        ("wait {}", "ten seconds", "one minute"), ("{}", "go up", "land"), ("take {} pictures", "two", "three"),
    ]
)  # fmt: skip


@given(PARTS, BACK)
def test_u4_what_follows_replaces_the_part_of_its_kind(parts: tuple[str, str, str], back: str) -> None:
    form, first, then = parts
    assert corrected(form.format(first) + back + then) == form.format(then)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("go 3 m left, no wait, 2 m right", "go 2 m right"),
        ("turn right 40, no, 50", "turn right 50"),
        ("rise 1 m, I mean 2 m, and then come home", "rise 2 m, and then come home"),
        ("to the lamp, oh no, to the door, and take a picture", "to the door, and take a picture"),
        ("rise 1 m and turn left, sorry, turn right", "rise 1 m and turn right"),
        ("go to the lamp and wave. scratch that, land", "land"),
        ("climb a little, say 80 cm", "climb 80 cm"),
        ("sink a bit lower than my head, say one metre off the floor", "sink one metre off the floor"),
        ("land, then wait a while, say ten seconds", "land, then wait ten seconds"),
        ("rise, say two metres", "rise two metres"),
        ("look at the lamp, sorry, door", "look at the door"),
        ("go up 1 m, no, 2 m, no, 3 m", "go up 3 m"),
        ("turn left 30 degrees, oh wait, 50 degrees", "turn left 50 degrees"),
        ("find me a fruit, no lemon", "find me a fruit but no lemon"),
        ("roll to the lamp. No, the green one", "roll to the green lamp"),
        ("hand me a tool, anything but the saw", "hand me a tool but not the saw"),
        ("roll to the lamp, I mean the tall one, and wave", "roll to the tall lamp, and wave"),
    ],
)
def test_u4_what_goes_on_goes_on(said: str, meant: str) -> None:
    assert corrected(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "there is no lamp here, so land", "go up, but no higher than 1 m", "fly back, no more than 1 m",
        "say hello, no, good evening", "rise, no, wait", "I mean it, land", "if there is no door, wait", "never mind",
        "no, come here", "climb a little, say hello", "fly to the lamp and say one metre",
    ],
)  # fmt: skip
def test_u4_other_uses_of_these_words_take_nothing_back(said: str) -> None:
    assert corrected(said) == said


@pytest.mark.parametrize(
    "said",
    [
        "go to the lamp and wave, no wait, land",
        "go to the red cup, I mean the one behind it",
        "show me the shelf, no cup",
    ],
)
def test_u4_what_is_not_plain_is_asked_about(said: str) -> None:
    assert requested(said).asks == AGAIN
