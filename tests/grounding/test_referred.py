"""What a sentence points back to, in a conversation. docs/goals.md, rule G56."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.grounding.referred import Before, referred

COKE = Before("Bring me a coke from the kitchen table", "coke", "kitchen table")
CHAIR = Before("fly round the red chair twice", "chair")
WORDS = (
    "it",
    "that",
    "there",
    "again",
    "the",
    "other",
    "one",
    "and",
    "now",
    "but",
    "20",
    "cm",
    "higher",
    "go",
    "bring",
)


@pytest.mark.parametrize(
    ("before", "said", "meant"),
    [
        (COKE, "put it back", "put the coke back where it belongs"),
        (COKE, "Please put that thing back.", "Please put the coke back where it belongs."),
        (COKE, "put it back on the sofa", "put the coke back on the sofa"),
        (COKE, "Could you carry that to the sofa, please?", "Could you carry the coke to the sofa, please?"),
        (COKE, "go there again", "go to the kitchen table again"),
        (COKE, "come back from there", "come back from the kitchen table"),
        (CHAIR, "take a picture of it", "take a picture of the chair"),
        (CHAIR, "what colour is it?", "what colour is the chair?"),
        (CHAIR, "how far is that", "how far is the chair"),
        (CHAIR, "fly to the other one", "fly to the other chair"),
        (CHAIR, "find its twin", "find the other chair"),
        (CHAIR, "look at the small blue one", "look at the small blue chair"),
    ],
)
def test_it_and_there_and_the_other_one_are_what_the_conversation_was_about(
    before: Before, said: str, meant: str
) -> None:
    """G56"""
    assert referred(said, before) == meant


@pytest.mark.parametrize(
    ("before", "said", "meant"),
    [
        (CHAIR, "again", CHAIR.wish),
        (CHAIR, "Do that once more, please!", CHAIR.wish),
        (CHAIR, "once more, but 20 cm higher", f"go 20 cm higher, then {CHAIR.wish}"),
        (CHAIR, "again, only lower", f"go lower, then {CHAIR.wish}"),
        (CHAIR, "now the table", "fly round the table twice"),
        (CHAIR, "and the other one too", "fly round the other chair twice"),
        (CHAIR, "the same with a blue one", "fly round a blue chair twice"),
        (COKE, "Do the same with the orange juice", "Bring me the orange juice from the kitchen table"),
    ],
)
def test_the_same_again_is_the_wish_of_before_and_what_is_otherwise_is_otherwise(
    before: Before, said: str, meant: str
) -> None:
    """G56"""
    assert referred(said, before) == meant


@pytest.mark.parametrize(
    "said",
    [
        "find the cup and bring it",
        "find cup and bring it",
        "the table is dirty, wipe it",
        "Is there a cup?",
        "it is dark in here",
        "fly to that table",
        "this chair, please",
        "the table",
        "once more with feeling",
        "repeat after me",
        "now go up a bit",
        "stop",
        "",
    ],
)
def test_what_is_not_plain_stays_as_it_was_said(said: str) -> None:
    """G56"""
    assert referred(said, CHAIR) == said


@given(st.text(max_size=60))
def test_without_a_conversation_nothing_is_taken_for_something_else(said: str) -> None:
    """G56"""
    assert referred(said, Before()) == said


@given(st.lists(st.sampled_from(WORDS)))
def test_any_sentence_of_such_words_is_read_without_a_crash(words: list[str]) -> None:
    """G56"""
    said = " ".join(words)
    assert (referred(said, COKE) and referred(said, CHAIR)) or not said
