"""Commands are told in one order and done in another (U3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.understanding import requested
from sayso.understanding.order import as_done, hanging


@pytest.mark.parametrize(
    ("told", "done"),
    [
        ("land, but first take a picture of the lamp", "take a picture of the lamp, then land"),
        ("before you land, take a picture of Mary's lamp", "take a picture of Mary's lamp, then land"),
        ("take a picture before you land", "take a picture, then land"),
        ("go to the hall and, once that is done, wave", "go to the hall, then wave"),
        ("go to the hall, and when you get there, tell me who is in it", "go to the hall, then tell me who is in it"),
        ("climb to 3 m and finally come back", "climb to 3 m, then come back"),
        ("wait five seconds and after that go to the hall", "wait five seconds and after that go to the hall"),
        ("stop before you get to the wall", "stop before you get to the wall"),
        ("turn left before you go", "turn left before you go"),
        ("before it gets dark, land", "before it gets dark, land"),
        ("do not land before you take a picture", "do not land before you take a picture"),
        ("bring me a plum. If there are none, bring me a pear", "bring me a plum or a pear"),
        ("fetch a plum, or, if you can't find one, the pear", "fetch a plum or the pear"),
        ("look for Mary. If there isn't any, come home", "look for Mary. If there isn't any, come home"),
        ("bring a plum, provided it's not the green one", "bring a plum, but not the green one"),
    ],
)
def test_u3_what_is_told_last_and_done_first_is_done_first(told: str, done: str) -> None:
    assert as_done(told) == done
    assert requested(told).core == done


def test_u3_what_hangs_on_the_answer_before_it_is_done_or_is_not() -> None:
    """(U3)"""
    assert hanging("If not, wave instead", "No. I can walk.") == "wave"
    assert hanging("If you can't, land", "Yes, I can fly.") == ""
    assert hanging("if so then land", "Yes, I can fly.") == "land"
    assert hanging("if not, land", "I do not know that.") == "if not, land"
    assert hanging("then land", "Yes.") == "then land"


WORDS = ["go", "land", "before", "you", ",", "but", "first", "take", "the", "lamp", "then", "finally", "and", "stop"]


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_u3_any_order_loses_no_word_that_names_something(words: list[str]) -> None:
    said, done = (text.replace(",", "").split() for text in (" ".join(words), as_done(" ".join(words))))
    assert all(done.count(word) == said.count(word) for word in ("go", "land", "lamp", "take", "stop"))
