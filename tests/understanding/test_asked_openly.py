"""What is asked where words of a wish are in no clause, and how a limit's refusal is told (U3, U10)."""

from __future__ import annotations

import pytest

from sayso.goal import Amount, Pred, Which
from sayso.goals.spoken import doing
from sayso.goals.text import parse
from sayso.understanding.gaps import LEAVE, leaving_out
from sayso.understanding.operators import missing, operators, undone


@pytest.mark.parametrize(
    ("wish", "asked"),
    [
        ("turn right, not left", "I would turn right. What shall I do about “not left”?"),
        ("turn right if the lamp is on", "I would turn right. What shall I do about “if the lamp is on”?"),
        ("turn right unless it rains, silently", "I would turn right. What shall I do about “unless it rains”?"),
        ("turn right politely", f"I would turn right, but I do not know what to make of “politely”. {LEAVE}"),
    ],
)
def test_u3_what_may_turn_a_wish_round_is_never_offered_to_be_left_out(wish: str, asked: str) -> None:
    assert leaving_out(wish, operators(wish), parse("turned(right)")) == asked


def test_u10_a_condition_that_is_in_doubt_is_read_back_as_a_sentence() -> None:
    goal = parse("if not found(person from cellar) { turned(right) }")
    asked = leaving_out("turn right unless it rains", operators("turn right unless it rains"), goal)
    assert asked.startswith("If there is no person from the cellar, I turn right. What shall I do about “unless")


@pytest.mark.parametrize(
    ("wish", "reading", "left"),
    [
        ("do not land, turn right", "turned(right)", []),
        ("do not land, turn right", "turned(right) then landed", ["not"]),
        ("turn right and land", "turned(right)", ["land"]),
    ],
)
def test_u3_a_deed_that_is_not_to_be_done_and_is_not_done_is_heard(wish: str, reading: str, left: list[str]) -> None:
    assert [one.text for one in missing(wish, parse(reading)) if one.kind in ("deed", "negation")] == left


def test_u3_what_is_left_undone_is_told() -> None:
    assert undone("turn right and do not land", parse("turned(right)")) == ["landed"]
    assert undone("turn right and do not land", parse("turned(right) then landed")) == []


def test_u10_where_it_stops_short_is_told_so() -> None:
    near = Pred("at", (Which("lamp"), Amount(1.5, "m")))
    assert doing(near) == "go to the lamp, stopping 1.5 m short"


def test_u10_a_person_is_named_as_they_were_written() -> None:
    wish = "hand Ann the mug, not the jar"
    asked = leaving_out(wish, operators(wish), parse("given(mug, ann)"))
    assert asked.startswith("I would give the mug to Ann.")
