"""Goals read back to a person: docs/goals.md, rule G20."""

from __future__ import annotations

import pytest

from sayso.goal import Part
from sayso.goals.spoken import doubtful, spoken, unmet
from sayso.goals.text import parse


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("visited(mug.red) then picture(mug.red) then home",
         "I go to the red mug, take a picture of it and then come back."),
        ("moved(up, 40 cm)", "I move up 40 cm."),
        ("turned(right, 90 deg) then waited(2 s)", "I turn right 90° and then wait 2 s."),
        ("placed(all lemon but lemon.green, basket)", "I bring every lemon but the green lemon to the basket."),
        ("if sees(person on sofa) { stayed } else { at(sofa) }",
         "If the person on the sofa is in view, I stay where I am, and if not, I go to the sofa."),
        ("each(all person) { picture(it) }", "I take a picture of everybody."),
        ("each(2 child) { confirmed(it) }", "I confirm each of the 2 children."),
        ("placed(3 'can of cola', shelf)", "I bring 3 cans of cola to the shelf."),
        ("placed(2 box but box, shelf)", "I bring 2 more boxes to the shelf."),
        ("placed(all dishes from table, sink)", "I bring every dish from the table to the sink."),
        ("placed(3 'red apples', basket)", "I bring 3 red apples to the basket."),
        ("at(nth 2 largest box left_of chair); never over(river)",
         "I go to the 2nd largest box left of the chair and never fly over the river."),
        ("only picture(chair)", "I take a picture of the chair and nothing else."),
        ("toward(chair, 40 deg)", "I turn to within 40° of the chair."),
        ("picture(chair, 2 m)", "I take a picture of the chair from within 2 m."),
        ("until sees(sign) { moved(up, 25 cm) } most 5",
         "I move up 25 cm until the sign is in view, 5 times at most."),
        ("said('dinner is ready')", "I say “dinner is ready”."),
        ("given(coke, me) then heard(Mary, 'hello')", "I give the coke to you and then tell Mary “hello”."),
    ],
)  # fmt: skip
def test_a_goal_is_one_sentence(text: str, sentence: str) -> None:
    """G20"""
    assert spoken(parse(text)) == sentence


def test_what_was_not_reached_is_told_in_a_persons_words() -> None:
    """G20"""
    short = Part("at(furthest table)", False, "I stopped 1.1 m short of the table")
    assert (
        doubtful(Part("at(thing.warm)", None, "I saw nothing"))
        == "I cannot tell whether I am at the warm thing: I saw nothing"
    )
    assert unmet((short, Part("landed", False))) == "I stopped 1.1 m short of the table. I did not land."


def test_what_is_done_over_and_over_is_told_once() -> None:
    """G20"""
    again = " then ".join(["answered('How many?') then turned(right, 60 deg)"] * 6)
    assert spoken(parse(f"want {again}")) == "I answer “How many?” and then turn right 60°, 6 times."
