"""Questions back, and the wishes that their answers complete. docs/goals.md, rule G43."""

from __future__ import annotations

import pytest

from sayso.grounding.answers import is_answer, meant, sentence
from sayso.wish import Reply, Wish, is_question

WHERE, TURN = "Where should I go?", "Shall I turn left or right?"


@pytest.mark.parametrize(
    ("wish", "question", "answer", "whole"),
    [
        ("go", WHERE, "the kitchen.", "go: the kitchen"),
        ("Turn!", TURN, "left", "Turn: left"),
        ("find it", "What?", "the bottle", "find the bottle"),
        ("Bring that to him, please", "To whom?", "the man in red", "Bring that to the man in red, please"),
        ("put something on the table", "What?", "an apple", "put an apple on the table"),
        ("items", "How many?", "three", "items: three"),
        ("go", WHERE, "go to the kitchen", "go to the kitchen"),
        ("do it", "Could you say it in other words?", "fly to the chair", "fly to the chair"),
        ("go round the chair", TURN, "turn left", "go round the chair: turn left"),
        ("go round the chair", "Do you want me to go to the chair?", "Yes, please do!", "go round the chair"),
        ("go round the chair", "Do you want me to go to the chair?", "no", "go round the chair"),
        (
            "go round the chair",
            "Do you want me to go to the chair?",
            "no, the table",
            "go round the chair: no, the table",
        ),
        ("is anybody by the pond", "Shall I “search the pond for a person”?", "yes", "search the pond for a person"),
        (
            "see to the pond",
            "What about “pond”: fly there, or search it?",
            "fly there at 9 m",
            "fly to the pond at 9 m",
        ),
    ],
)
def test_an_answer_completes_its_wish_in_one_sentence(wish: str, question: str, answer: str, whole: str) -> None:
    assert sentence(Wish(wish, (Reply(question, answer),))) == whole


@pytest.mark.parametrize(
    ("text", "question", "may"),
    [
        ("the kitchen", WHERE, True),
        ("left", TURN, True),
        ("turn left", TURN, True),
        ("Take off", WHERE, False),
        ("42", "How far?", True),
        ("do it", WHERE, True),
        ("go ahead", TURN, True),
        ("go ahead and land", TURN, False),
        ("den linken", TURN, True),
        ("  ", WHERE, False),
    ],
)
def test_what_may_be_an_answer(text: str, question: str, may: bool) -> None:
    assert is_answer(text, question) is may


def test_a_sentence_is_an_answer_only_while_something_is_asked() -> None:
    """G43"""
    wish = Wish("go")
    assert meant(wish, WHERE, "the kitchen") == wish.answered(WHERE, "the kitchen")
    assert meant(wish, WHERE, "take off") == Wish("take off")
    assert meant(wish, "", "the kitchen") == Wish("the kitchen")


@pytest.mark.parametrize(("text", "asks"), [("Where?", True), ("どこ？", True), ("There.", False), ("", False)])
def test_a_question_ends_with_its_mark(text: str, asks: bool) -> None:
    assert is_question(text) is asks
