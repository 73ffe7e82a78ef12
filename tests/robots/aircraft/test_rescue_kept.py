"""Who says what to do where nobody is found keeps the search to the places that were named (U3)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rescue_sky import RED, Sky, can, step

from sayso import events as ev
from sayso.clock import SimClock
from sayso.grounding.terms import finds, kept_to, looked_over, strange, terms
from sayso.robots.aircraft.reach import Flight
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


def flown(wish: str) -> tuple[list[ev.Event], ev.MissionEnded]:
    clock = SimClock()

    async def mission() -> list[ev.Event]:
        chosen = Setup(model="", world="rescue", scene="valley", seed=0)
        async with chosen.make_agent(*chosen.make_robot()) as agent:
            return [event async for event in agent.say(wish)]

    happened = clock.run(mission())
    end = happened[-1]
    assert isinstance(end, ev.MissionEnded)
    return happened, end


@pytest.mark.parametrize(
    ("wish", "none", "outcome"),
    [
        ("search the village for my dog, and if nobody is there fly home", "no dog", "achieved"),
        ("go and find the man in the village", "nobody", "not_achieved"),
    ],
)
def test_u3_a_search_that_is_kept_to_a_place_ends_when_all_of_it_was_looked_at(
    wish: str, none: str, outcome: str
) -> None:
    happened, end = flown(wish)
    swept = [event.args[0] for event in happened if isinstance(event, ev.TaskStarted) and event.skill == "search_area"]
    assert len(swept) > 1 and {*swept} == {"village"}, "one pass is no search"
    said = [event.text for event in happened if isinstance(event, ev.Said)][-1]
    assert f"I found {none} in the village; the chance that I overlooked" in said and "there is about" in said
    assert end.outcome == outcome and end.at_s < 800


def test_u3_the_end_of_a_search_everywhere_tells_what_was_searched_and_what_was_not() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    for square in ("A1", "A2"):
        sky.swept(square)
    sky.tell(domain)
    assert domain.hunt.unfound()[0] == "I did not find the person."
    named = [area for area in domain.charts.terrain.named if domain.hunt.looked(area) < 0.1]
    assert all(area in domain.hunt.unfound()[-1] for area in named)


def test_an_area_is_searched_until_little_is_left_and_is_done_then() -> None:
    wish = replace(RED, areas=("A1", "C1"), only=True, must_find=False)
    sky = Sky(wishes={"find her": wish})
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    assert {c.statement for c in domain.candidates("search_area")} == {'search_area("A1")', 'search_area("C1")'}
    assert "return_home" not in can(domain) and "hover" not in can(domain), "there is something to be searched"
    left = 1.0
    while "A1" in domain.hunt.undone:
        sky.swept("A1")
        sky.tell(domain)
        assert domain.hunt.overlooked < left
        left = domain.hunt.overlooked
    assert domain.hunt.undone == ["C1"] and not domain.hunt.covered
    sky.swept("C1")
    sky.swept("C1")
    sky.tell(domain)
    assert domain.hunt.covered and domain.hunt.searched and "return_home" in can(domain)
    sky.flight = Flight((0.0, 0.0, 0.0), 0.8)
    sky.tell(domain)
    ended = domain.over()
    assert ended and ended.met and "I found nobody in A1 or C1; the chance" in ended.reason


def test_who_was_found_is_circled_where_that_was_said_and_the_battery_allows() -> None:
    sky = Sky(wishes={"find her": replace(RED, on_find=("confirm", "circle", "home"))})
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1", seen=[(-200.0, 200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    confirm = step(domain, "confirm")
    sky.asked("s10", "yes", (-200.0, 200.0))
    sky.tell(domain, confirm)
    circle = step(domain, "hover")
    assert can(domain)["hover"] and circle.statement == "circle_here()"
    sky.flight = Flight((0.0, 0.0, 0.0), 0.8)
    sky.tell(domain)
    ended = domain.over()
    assert ended and not ended.met and "I did not circle above it." in ended.reason


@pytest.mark.parametrize(
    ("said", "clauses"),
    [
        ("if you spot somebody, orbit them", {("then", "circle")}),
        ("look in the moor, then everywhere else", {("everywhere",)}),
        ("search the moor, and if she is not there try the lake", {("in", "lake"), ("ordered",)}),
        ("search the moor and be home with half the battery", {("battery", "50 %")}),
        ("search the moor and do not climb above 80 m", {("most", "80 m")}),
        ("search the lake without flying below 60 m", {("least", "60 m")}),
    ],
)
def test_u3_what_follows_in_a_search_is_read_by_code(said: str, clauses: set[tuple[str, ...]]) -> None:
    assert clauses <= {*terms(said, ("moor", "lake"))}


def test_u3_only_a_place_that_is_looked_over_and_nothing_else_is_read_by_code() -> None:
    assert looked_over("check the moor and then the lake", ("moor", "lake")) == (("in", "moor"), ("in", "lake"))
    assert not looked_over("check the moor with your eyes closed", ("moor",))
    assert not looked_over("check the moor until it gets dark", ("moor",))
    assert strange("search the quarry", ["quarry"]) == ["quarry"] and not strange("search for the dog", ["dog"])
    assert finds("find the man") and not finds("see if you can find him") and not finds("search for him")
