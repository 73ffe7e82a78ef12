"""What code reads of a wish that holds throughout: heights, times, places, an order, an end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.grounding.terms import terms

PLACES = ("north wood", "south wood", "old mill", "harbour", "orchard")


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("stay below 60 m", {"under_m": 60.0}),
        ("do it from under eighty metres", {"under_m": 80.0}),
        ("never above 90 metres, please", {"most_m": 90.0}),
        ("search at most 60 m high", {"most_m": 60.0}),
        ("no lower than thirty metres", {"least_m": 30.0}),
        ("search the orchard at sixty metres", {"at_m": 60.0}),
        ("90 m throughout", {"at_m": 90.0}),
        ("hold at thirty", {"at_m": 30.0}),
        ("200 feet high", {"at_m": 60.96}),
        ("he lies 50 m north of the harbour", {"at_m": None}),
        ("come back to where she left half an hour ago", {"within_s": None}),
        ("be back within 20 minutes", {"within_s": 1200.0}),
        ("come home after ten minutes", {"within_s": 600.0}),
        ("turn back at 30 % battery", {"reserve": 0.3}),
        ("wait 10 seconds", {"within_s": None}),
        ("stand down and come home", {"ends": True}),
        ("tell the harbourmaster where it is", {"report": ("harbourmaster",)}),
        ("tell me where it is", {"report": ()}),
        ("pick him up", {"carry": "pick him up"}),
    ],
)
def test_what_holds_throughout_is_read_as_it_was_said(wish: str, said: dict[str, Any]) -> None:
    read = terms(wish, PLACES)
    assert {name: getattr(read, name) for name in said} == said


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("search the harbour and the old mill", {"ordered": False}),
        ("the old mill first, then the harbour", {"ordered": True}),
        ("harbour, orchard and mill, in that order", {"ordered": True}),
        ("search the orchard, then come home", {"ordered": False}),
        ("the orchard, but do not fly over the harbour or the old mill", {"off": ("harbour", "old mill")}),
        ("stay away from the orchard, search the harbour", {"off": ("orchard",), "skip": ()}),
        ("leave out the harbour", {"skip": ("harbour",), "off": ()}),
        ("the orchard has been searched", {"skip": ("orchard",)}),
        ("skip the woods", {"skip": ("north wood", "south wood")}),
        ("skip the south wood", {"skip": ("south wood",)}),
    ],
)
def test_places_are_those_that_somebody_knows(wish: str, said: dict[str, Any]) -> None:
    read = terms(wish, PLACES)
    assert {name: getattr(read, name) for name in said} == said


@given(st.text(max_size=120))
def test_any_text_can_be_read(wish: str) -> None:
    assert terms(wish, PLACES).within_s is None or "in" in wish or "after" in wish
