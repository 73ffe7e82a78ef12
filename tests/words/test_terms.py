"""What code reads of a wish that holds throughout: heights, times, places, an order, an end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.grounding.terms import terms

PLACES = ("north wood", "south wood", "old mill", "harbour", "orchard")


def told(wish: str, verb: str) -> list[str]:
    return [" ".join(clause[1:]) for clause in terms(wish, PLACES) if clause[0] == verb]


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("stay below 60 m", {"under": ["60 m"]}),
        ("do it from under eighty metres", {"under": ["80 m"]}),
        ("never above 90 metres, please", {"most": ["90 m"]}),
        ("search at most 60 m high", {"most": ["60 m"]}),
        ("no lower than thirty metres", {"least": ["30 m"]}),
        ("search the orchard at sixty metres", {"at": ["60 m"]}),
        ("90 m throughout", {"at": ["90 m"]}),
        ("hold at thirty", {"at": ["30 m"]}),
        ("200 feet high", {"at": ["60.96 m"]}),
        ("he lies 50 m north of the harbour", {"at": []}),
        ("come back to where she left half an hour ago", {"within": []}),
        ("be back within 20 minutes", {"within": ["1200 s"]}),
        ("come home after ten minutes", {"within": ["600 s"]}),
        ("turn back at 30 % battery", {"battery": ["30 %"]}),
        ("wait 10 seconds", {"within": []}),
        ("stand down and come home", {"over": [""]}),
        ("tell the harbourmaster where it is", {"tell": ["harbourmaster"]}),
        ("tell me where it is", {"tell": []}),
        ("pick him up", {"hands": ["pick him up"]}),
    ],
)
def test_what_holds_throughout_is_read_as_it_was_said(wish: str, said: dict[str, list[str]]) -> None:
    assert {verb: told(wish, verb) for verb in said} == said


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("search the harbour and the old mill", {"ordered": []}),
        ("the old mill first, then the harbour", {"ordered": [""]}),
        ("harbour, orchard and mill, in that order", {"ordered": [""]}),
        ("search the orchard, then come home", {"ordered": []}),
        ("the orchard, but do not fly over the harbour or the old mill", {"off": ["harbour", "old mill"]}),
        ("stay away from the orchard, search the harbour", {"off": ["orchard"], "skip": []}),
        ("leave out the harbour", {"skip": ["harbour"], "off": []}),
        ("the orchard has been searched", {"skip": ["orchard"]}),
        ("skip the woods", {"skip": ["north wood", "south wood"]}),
        ("skip the south wood", {"skip": ["south wood"]}),
    ],
)
def test_places_are_those_that_somebody_knows(wish: str, said: dict[str, list[str]]) -> None:
    assert {verb: told(wish, verb) for verb in said} == said


@given(st.text(max_size=120))
def test_any_text_can_be_read(wish: str) -> None:
    assert not told(wish, "within") or "in" in wish or "after" in wish
