"""Who says what to do where nobody is found keeps the search to the places that were named (U3)."""

from __future__ import annotations

import pytest

from sayso import events as ev
from sayso.clock import SimClock
from sayso.grounding.terms import kept_to
from sayso.setup import Setup


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("search the moor for a girl, and if there is nobody there come home", "search the moor for a girl"),
        ("look over the moor. if you find nothing, fly back", "look over the moor"),
        ("search the moor and come home if there's nobody there", "search the moor"),
        ("search the moor, and nowhere else, for a girl", "search the moor for a girl"),
    ],
)
def test_u3_what_keeps_a_search_to_its_places_is_read_by_code(said: str, rest: str) -> None:
    assert kept_to(said) == kept_to(rest) == rest


def test_u3_a_search_that_is_kept_to_a_place_ends_when_all_of_it_was_looked_at() -> None:
    clock = SimClock()

    async def mission() -> list[ev.Event]:
        chosen = Setup(model="", world="rescue", scene="valley", seed=0)
        async with chosen.make_agent(*chosen.make_robot()) as agent:
            return [
                event async for event in agent.say("search the village for my dog, and if nobody is there fly home")
            ]

    happened = clock.run(mission())
    swept = [event.args[0] for event in happened if isinstance(event, ev.TaskStarted) and event.skill == "search_area"]
    assert swept and {*swept} == {"village"}
    end = happened[-1]
    assert isinstance(end, ev.MissionEnded) and end.outcome == "achieved" and end.at_s < 800
