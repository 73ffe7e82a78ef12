"""Reading: names and amounts can only be copied, and what code has put in figures is not read again by the model."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.models.pocket.reading import Sayable, with_units
from sayso.robots.drone.form import SAYABLE

WISH = "Fly forty centimetres up, then go to the rubber duck beside my chair, or stop after three pictures."
READ = SAYABLE.reads(WISH)


def admitted(text: str, wish: str = READ, says: Sayable = SAYABLE) -> bool:
    held = says.constraint(wish)
    return held.take(text) and held.may_end


def test_amounts_stand_in_figures_before_the_model_sees_them() -> None:
    assert READ == "<plan>fly 40 cm up, then go to the rubber duck beside my chair, or stop after 3 pictures<do>"


@pytest.mark.parametrize(
    "text",
    [
        "moved(up, 40 cm) then at('rubber duck')",
        "at(duck) or at('rubber duck beside my chair')",
        "at(duck beside chair)",
        "picture(nearest chair) then home",
        "3 { picture }",
        "if sees(2 pictures) { home } else { landed }",
        "until turned(right, 360 deg) { picture }",
        "if not found(duck) { stayed }",
        "each(all pictures) { at(it) then picture(it) }",
        "each(3 pictures) { picture(it) }",
        "found(chair) then if sees(chair.rubber) { at(chair) } else { home }",
        "answered('how many', pictures)",
        "at(person)",
        "refuse handle",
        "ask which",
    ],
)
def test_what_was_said_can_be_written(text: str) -> None:
    assert admitted(text)


@pytest.mark.parametrize(
    "text",
    [
        "moved(up, 20 cm)",  # nobody said 20
        "at('toy duck')",  # nor toy
        "at(box)",
        "at('rubber du')",  # half a word
        "said('go away')",
        "5 { picture }",
        "moved(up, 40 cm) then",
        "holding(duck)",
    ],
)
def test_what_nobody_said_cannot_be_written(text: str) -> None:
    assert not admitted(text)


def test_a_thing_that_can_only_be_guessed_has_one_of_the_names_that_were_taught() -> None:
    assert admitted("at('something to drink')", "<plan>i am thirsty<do>")
    assert not admitted("at('something to drink')", "<plan>i am thirsty<do>", replace(SAYABLE, unsaid=()))


def test_units_that_people_leave_out() -> None:
    assert with_units("turned(right, 45) then moved(left, 120) then waited(5)") == (
        "turned(right, 45 deg) then moved(left, 120 cm) then waited(5 s)"
    )
    assert with_units("moved(up, 2) then turned(left, 30 deg)") == "moved(up, 2 m) then turned(left, 30 deg)"


@given(st.text(max_size=60))
def test_any_wish_gives_a_grammar_that_admits_a_refusal(wish: str) -> None:
    assert admitted("refuse nonsense", SAYABLE.reads(wish))


PORTER = Sayable(
    mark="next",
    goals=("placed(which, which)", "visited(which, distance?)", "home"),
    tests=("found(which)",),
    refusals=("nonsense",),
    missing=("where",),
    clauses=("if", "each", "never"),
    relations=(),
    unsaid=("home",),
    among=True,
)
ORDER = PORTER.reads(
    "Every nail but the long one and the bent one from the bench goes to the bin; come within 2 metres"
)


def test_a_kind_of_robot_says_what_its_wishes_are_made_of() -> None:
    assert ORDER.startswith("<next>every nail")
    assert admitted(
        "placed(all nail from bench but 'long one' but 'bent one', bin); visited(bin, 200 cm)", ORDER, PORTER
    )
    assert admitted("placed(nail, bin) then visited(bench); never visited(bin)", ORDER, PORTER)
    assert admitted("each(all nail) { placed(it, bin) then placed(it, home) }", ORDER, PORTER)
    assert not admitted("at(bin)", ORDER, PORTER)
    assert not admitted("until found(nail) { home }", ORDER, PORTER)
    assert not admitted("placed(nail on bench, bin)", ORDER, PORTER)


def test_only_who_can_mean_all_of_a_kind_may_say_so() -> None:
    assert not admitted("at(all pictures)")
    assert not admitted("at(chair); at(duck)")
