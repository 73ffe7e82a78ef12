"""What code reads of an operator's words completes a large model's reading, or contradicts it."""

from __future__ import annotations

import asyncio

import pytest

from sayso.errors import NotUnderstood
from sayso.models.scripted import Scripted
from sayso.robots.aircraft.mission import MissionReader
from sayso.robots.aircraft.operator_wish import Grounds
from sayso.robots.aircraft.search.wish import Bounds, SearchWish, Sought
from sayso.roles import Brief
from sayso.skill import SkillSet

GROUNDS = Grounds(
    ("north field", "west field", "highway", "village", "pine wood", "oak wood", "B2"),
    ("field", "forest", "road"),
    ("dementia", "child"),
)
RED = SearchWish((Sought("person", "red"),), ("north field",))
JSON = '{"find": [{"label": "person", "colour": "red"}], "in": ["north field"]}'


def read(says: str, answer: str, running: SearchWish | None = None) -> SearchWish:
    reader = MissionReader(Scripted([answer, answer]), GROUNDS)
    return asyncio.run(reader.read(Brief(says, SkillSet()), running))


def test_bounds_are_kept_as_they_were_said_whatever_a_model_makes_of_them() -> None:
    wish = read(
        "Search the north field for a person in red, stay below 60 m, do not fly over the village, be back within 20 "
        "minutes, and tell the warden.",
        JSON,
    )
    assert wish.bounds == Bounds(under_m=60.0, off=("village",), within_s=1200.0)
    assert wish.avoid == ("village",) and wish.report == ("warden",)
    assert "below 60 m, not over village, back within 20 min" in wish.in_words()
    assert "report to the warden" in wish.in_words()


def test_what_is_left_out_is_told() -> None:
    wish = read("Search the north field for a person in red in strips 40 m apart.", JSON)
    assert wish.left_out == ("40 m",)
    assert wish.in_words().endswith("I leave out: 40 m.")


def test_places_in_an_order_are_an_order() -> None:
    places = '{"find": ["dog"], "in": ["west field", "village"]}'
    assert read("First the west field for a dog, then the village.", places).ordered
    assert not read("Search the west field and the village for a dog, then come home.", places).ordered


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("Search the north field for a man in red at 10 m.", "I search from 30, 60, 90 m above the ground"),
        ("Find the man in red in the north field and stay below 20 metres.", "do not fly lower"),
        ("Find the man in red in the north field and pick him up.", "I cannot carry"),
    ],
)
def test_what_is_unsafe_or_beyond_it_is_refused_with_its_reason(says: str, why: str) -> None:
    with pytest.raises(NotUnderstood, match=why):
        read(says, JSON)


@pytest.mark.parametrize("answer", ["nothing", JSON])
def test_a_search_is_called_off_whatever_a_model_makes_of_it(answer: str) -> None:
    wish = read("Stand down and come back.", answer, RED)
    assert wish.over and RED.differs(wish) == ("The search is called off: I return and land.",)
    with pytest.raises(NotUnderstood):
        read("Stand down and come back.", "nothing")


def test_bounds_in_flight_change_the_running_search_and_nothing_else() -> None:
    lower = read("Stay below 60 m from now on.", "nothing", RED)
    assert lower.sought == RED.sought and lower.areas == RED.areas and lower.bounds == Bounds(under_m=60.0)
    off = read("Keep off the village.", "nothing", lower)
    assert off.bounds == Bounds(under_m=60.0, off=("village",)), "what was said before goes on"
    assert read("At most 90 m.", "nothing", off).bounds == Bounds(most_m=90.0, off=("village",))


def test_levels_are_those_that_a_bound_leaves() -> None:
    levels = (30.0, 60.0, 90.0)
    assert Bounds().levels(levels) == levels
    assert Bounds(under_m=60.0).levels(levels) == (30.0,)
    assert Bounds(most_m=60.0).levels(levels) == (30.0, 60.0)
    assert Bounds(at_m=70.0).levels(levels) == (60.0,)
    assert Bounds(least_m=60.0, under_m=60.0).levels(levels) == ()
