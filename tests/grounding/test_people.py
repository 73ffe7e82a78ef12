"""People who are described, and what they are told in words told of them."""

from __future__ import annotations

import pytest

from sayso.grounding.addressed import asking, telling
from sayso.grounding.people import described, is_person, is_pronoun, looks


@pytest.mark.parametrize(
    ("phrase", "told"),
    [
        ("the lady in the white coat", "woman in the white coat"),
        ("somebody waving like mad", "person waving"),
        ("bloke pointing left", "man pointing left"),
        ("one sitting", "person sitting"),
        ("guy with the left arm up", "man raising left arm"),
        ("guest of honour white blouse", "person in the white blouse"),
        ("my wife", "woman"),
        ("red apple", "person in the red"),
        ("teapot", ""),
    ],
)
def test_a_description_in_words_that_looking_for_people_knows(phrase: str, told: str) -> None:
    assert described(phrase) == told


def test_things_are_no_people_though_they_are_told_apart_alike() -> None:
    assert is_person("one in the gray coat") and is_person("ladies") and is_person("those still sitting")
    assert not is_person("red one") and not is_person("cup") and not is_person("one on the left")
    assert is_pronoun("her") and not is_pronoun("mary")
    assert looks("woman in the gray t shirt") == {"gender": "female", "shirt": "grey", "garment": "t-shirt"}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("that dinner is ready", "Dinner is ready."),
        ("to take his pills", "Please take your pills."),
        ("good morning", "Good morning."),
    ],
)
def test_a_message_is_said_to_whom_it_is_for(told: str, said: str) -> None:
    assert telling(told) == said


def test_a_message_keeps_its_capitals() -> None:
    assert telling("the taxi for mary is here", "Tell him the taxi for Mary is here") == "The taxi for Mary is here."


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("whether she'd like tea", "May I ask whether you'd like tea?"),
        ("what he needs", "May I ask what you need?"),
        ("why she is late", "May I ask why you are late?"),
        ("is the tea good", "Is the tea good?"),
        ("to step aside", "Please step aside."),
    ],
)
def test_a_question_told_in_a_clause_is_asked(told: str, asked: str) -> None:
    assert asking(told) == asked
