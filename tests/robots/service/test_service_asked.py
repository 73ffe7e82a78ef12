"""What a service robot is asked it finds out by going to look, moves nothing for it, and asks before what is final."""

from __future__ import annotations

import pytest

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded, Said, TaskEnded
from sayso.mission.defaults import make_planner
from sayso.models.pocket import Pocket
from sayso.robots.service.world.home import Home
from sayso.wish import Wish
from sayso.worlds import make

PEOPLE = {"people": [{"name": "Linda", "place": "couch"}, {"name": "Alex", "place": "couch"}]}


def told(wish: str | Wish, **setup: object) -> tuple[MissionEnded, list[Event], Home]:
    world = make("home", seed=3, setup=PEOPLE | setup)
    assert isinstance(world, Home)
    events: list[Event] = []

    async def run() -> None:
        pocket = Pocket()
        async with Agent(world=world, model=pocket, planner=make_planner("sequence", pocket, world.robot)) as agent:
            async for event in agent.say(wish):
                events.append(event)

    SimClock().run(run())
    ended = events[-1]
    assert isinstance(ended, MissionEnded)
    return ended, events, world


def said(events: list[Event]) -> str:
    return " ".join(e.text for e in events if isinstance(e, Said))


@pytest.mark.parametrize(
    ("asks", "answer"),
    [
        ("who is in the dining room?", "Nobody is in the dining room."),
        ("how many snacks are on the dining table?", "There are 3 snacks on the dining table."),
        ("is the paprika still on the bookcase?", "Yes, I see the paprika on the bookcase."),
        (
            "have you got anything to drink in the dining room that isn't juice?",
            "No, there is no drink in the dining room.",
        ),
        (
            "what is there to eat in the dining room?",
            "I see the potato chips, the cookies and the crackers in the dining room.",
        ),
        ("which is bigger, the cereal or the sponge?", "The cereal is the largest of the two."),
    ],
)
def test_u7_a_question_is_answered_by_looking_and_moves_nothing(asks: str, answer: str) -> None:
    ended, events, _ = told(asks)
    assert answer in said(events) and ended.outcome == "achieved" and ended.verified
    assert not any(isinstance(e, TaskEnded) and e.skill in ("grasp", "place", "give") for e in events)


def test_u6_who_wants_it_tidy_is_asked_and_nothing_goes_into_the_bin() -> None:
    ended, events, _ = told("please tidy the dining table")
    assert ended.outcome == "asked" and ended.reason == "Shall I put each thing on the dining table where it belongs?"
    assert not any(isinstance(e, TaskEnded) and e.skill != "speak" for e in events)


def test_u6_a_yes_puts_each_thing_where_it_belongs() -> None:
    """What is in its place stays there, and what rests on the knowledge of places is not called verified."""
    stray = {"sponge": "end table", "spoon": "end table"}
    asks, _, before = told("clean up the living room", objects=stray)
    ended, _, world = told(Wish("clean up the living room").answered(asks.reason, "yes"), objects=stray)
    things = {name: thing.on for name, thing in world.truth().things.items()}
    assert ended.outcome == "achieved" and not ended.verified
    assert (things["sponge"], things["spoon"]) == ("sink", "storage table")
    assert all(things[n] == t.on for n, t in before.truth().things.items() if n not in stray)


def test_u8_nobody_is_looked_for_in_vain_again() -> None:
    """(U7) Each person there gets one, and no empty room is looked into twice."""
    ended, events, world = told("bring everybody in the living room a snack")
    assert ended.outcome == "achieved"
    assert {t.holder for t in world.truth().things.values() if t.holder} == {"Linda", "Alex"}
    met = [e for e in events if isinstance(e, TaskEnded) and e.skill == "meet_next"]
    assert [e.value for e in met] == [True, True, False]


def test_an_answer_that_names_nobody_is_asked_of_who_wishes() -> None:
    ended, _, _ = told("bring somebody a spoon")
    assert ended.outcome == "asked" and ended.reason == "Who should get the spoon?"


def test_of_the_whole_home_nobody_sees_which_is_the_heaviest() -> None:
    ended, events, _ = told("bring me the heaviest thing there is")
    assert ended.outcome == "asked" and "Where should I look" in ended.reason
    assert not any(isinstance(e, TaskEnded) and e.skill != "speak" for e in events)


def test_u6_a_thing_is_thrown_away_where_the_wish_says_so() -> None:
    ended, _, world = told("chuck the sponge out")
    assert ended.outcome == "achieved" and world.truth().things["sponge"].on == "trash bin"


def test_u6_a_knife_is_not_handed_to_a_child() -> None:
    ended, events, _ = told("hand the little girl a knife")
    assert ended.outcome == "refused" and "child" in ended.reason
    assert not any(isinstance(e, TaskEnded) for e in events)
