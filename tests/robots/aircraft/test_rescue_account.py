"""Each phrase of an order to search is heard, or asked about (U3)."""

from __future__ import annotations

import pytest

from sayso.grounding.terms import looked_for, terms
from sayso.robots.aircraft.form import HearingForm
from sayso.roles import Brief, Prompt
from sayso.skill import SkillSet
from sayso.understanding import requested

PLACES = "old moor\npine wood\nlake"


def prompt(said: str) -> Prompt:
    brief = Brief(said, SkillSet(), request=requested(said, bounds=False))
    return Prompt("mission", (), brief=brief, question=PLACES)


def asked(said: str, reading: str, without: str = "") -> str:
    """What is asked where the sentence is read so, and without one of its phrases alike unless it is said how."""
    return HearingForm().ignored(prompt(said), reading, lambda _: without or reading)


@pytest.mark.parametrize(
    ("said", "reading", "about"),
    [
        ("comb the lake unless it is foggy", "colour(foggy); in(lake)", "“unless it is foggy”"),
        ("look for the rider before it gets cold", "find(person); colour(cold)", "“before it gets cold”"),
        ("search the muddy bank of the lake", "in(lake)", "“the muddy bank of”"),
        ("look between the lake and the pine wood", "in(lake); in('pine wood')", "“between the”"),
        ("look for her within 300 m of the lake", "find(person); in(lake); at(300 m)", "“300 m”"),
        ("find a white or a green tent", "find(tent); colour(white); find(tent); colour(green)", "“or a green tent”"),
        ("search the lake and paint it", "in(lake)", "“and paint it”"),
        ("look for somebody who is not in green", "find(person); colour(green)", "“not in green”"),
        ("if you find the goat, chase it", "find(goat)", "“chase it”"),
        ("search the lake with your radar", "find(person); in(lake)", "“with your radar”"),
        ("once you spot her, sink to 30 m", "find(person)", "“sink to 30 m”"),
        ("photograph the lake every five minutes", "in(lake)", "“every five minutes”"),
        ("search the lake for a girl with a kite", "find(child); in(lake)", "“with a kite”"),
    ],
)
def test_u3_a_phrase_of_an_order_to_search_that_no_clause_has_is_asked_about(
    said: str, reading: str, about: str
) -> None:
    assert about in asked(said, reading)


@pytest.mark.parametrize(
    ("said", "reading"),
    [
        ("find a boat in red and one in blue", "find(boat); colour(red); find(boat); colour(blue)"),
        ("find the girl in green and wait beside her", "find(child); colour(green); then(hover)"),
        ("if you see a boat on the lake, take a photo of it", "find(boat); in(lake); then(image)"),
        ("quickly, a boy in the lake", "find(child); in(lake)"),
        ("look along the lake first", "in(lake)"),
        ("first the lake, then the old moor for a man", "find(person); in(lake); in('old moor')"),
        ("search the lake from 60 m, but come home when the battery is below 40 %", "in(lake)"),
        ("look for her at the lake, she is not home", "find(person); in(lake)"),
    ],
)
def test_u3_what_a_search_does_of_an_order_is_heard(said: str, reading: str) -> None:
    assert asked(said, reading, "find(dog)") == ""


@pytest.mark.parametrize(
    ("said", "reading", "hinders"),
    [
        ("search as much of the lake as you can", "skip(lake)", True),
        ("search all but the lake", "skip(lake)", False),
        ("leave the lake out", "skip(lake)", False),
        ("search slowly", "moves(slow)", True),
        ("if you see a goat, chase it", "find(goat)", True),
        ("if you see a goat, photograph it", "find(goat); then(image)", False),
        ("search the lake except the jetty", "skip(lake)", True),
        ("search the lake for a stray goat", "find(person); in(lake)", True),
        ("search the lake for him", "find(person); in(lake)", False),
        ("pause the search for a minute", "within(60 s)", True),
        ("search the lake for ten minutes", "in(lake); within(600 s)", False),
        ("search for him, he walks slowly", "find(person); moves(slow)", False),
    ],
)
def test_u3_what_is_left_out_and_what_somebody_is_like_has_to_be_said(said: str, reading: str, hinders: bool) -> None:
    assert bool(HearingForm().hindered(prompt(said), reading)) is hinders


@pytest.mark.parametrize(
    ("said", "stays"),
    [("find him and wait right there", True), ("stay above the boy", True), ("stay above the lake", False)],
)
def test_u3_who_stays_where_somebody_was_found_does_not_come_home(said: str, stays: bool) -> None:
    assert (("then", "hover") in terms(said, ("lake",))) is stays


def test_u3_nobody_is_looked_for_by_a_word_that_names_nobody() -> None:
    assert looked_for("find a kayak") == (("find", "kayak"),)
    assert not looked_for("find nobody") and not looked_for("find us")
