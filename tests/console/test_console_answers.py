"""Questions back, and the wishes that their answers complete."""

from __future__ import annotations

import asyncio

import pytest
from console_robot import desk, ended

from sayso.clock import SimClock
from sayso.console.answers import answered, is_answer, open_question
from sayso.console.shown import show_all
from sayso.console.spelled import spelled_line
from sayso.events import MissionEnded, MissionStarted, Prompted, Said, StopAsked
from sayso.prompts.render import probe_prompt
from sayso.scene import Scene

ASKED = [MissionStarted(instruction="go", setup={}), Said(at_s=1, text="Where should I go?")]
GIVEN_UP = MissionEnded(at_s=2, outcome="not_achieved", reason="the plan ended with False")


@pytest.mark.parametrize(
    ("wish", "answer", "whole"),
    [
        ("go", "the kitchen.", "go: the kitchen"),
        ("Turn!", "left", "Turn: left"),
        ("find it", "the bottle", "find the bottle"),
        ("Bring that to him, please", "the man in red", "Bring that to the man in red, please"),
        ("put something on the table", "an apple", "put an apple on the table"),
        ("items", "three", "items: three"),
    ],
)
def test_an_answer_completes_its_wish(wish: str, answer: str, whole: str) -> None:
    assert answered(wish, answer) == whole


@pytest.mark.parametrize(("text", "may"), [("the kitchen", True), ("left", True), ("Take off", False), ("42!", False)])
def test_what_may_be_an_answer(text: str, may: bool) -> None:
    assert is_answer(text) is may


def test_a_question_is_open_when_a_mission_gave_up_with_it() -> None:
    assert open_question(show_all(ASKED)) == "", "the mission goes on"
    assert open_question(show_all([*ASKED, GIVEN_UP])) == "Where should I go?"
    done = MissionEnded(at_s=2, outcome="achieved", reason="done")
    assert open_question(show_all([*ASKED, done])) == "", "the robot asked somebody else, and was done"
    assert open_question(show_all([*ASKED, StopAsked(at_s=1.5, by="key"), GIVEN_UP])) == ""


def test_a_mission_that_waits_for_an_answer_does_not_look_failed() -> None:
    last = show_all([*ASKED, GIVEN_UP]).items[-1]
    assert (last.kind, last.text, last.good) == ("note", "it waits for your answer", True)


def test_the_next_sentence_answers_and_another_wish_does_not() -> None:
    async def main() -> None:
        d = desk(*["l('Where should I go?');->False;", "forward(5);"] * 2)
        await d.open()
        d.seats.sit("ann")
        for said, whole in (("straight ahead", "go: straight ahead"), ("turn around", "turn around")):
            await d.say("ann", "go")
            await ended(d)
            assert d.question == "Where should I go?"
            assert await d.say("ann", said) == ""
            await ended(d)
            assert (d.shown.wish, d.question) == (whole, "")
        await d.close()

    SimClock().run(main())


def test_the_tree_of_a_robot_at_rest_is_empty() -> None:
    async def main() -> None:
        d = desk("forward(100);")
        await d.open()
        d.seats.sit("ann")
        await d.say("ann", "go")
        await asyncio.sleep(0.3)
        assert [b["label"] for b in d.tree()] == ["mission"]
        await ended(d)
        assert d.tree() == []
        await d.close()

    SimClock().run(main())


def test_a_model_is_seen_to_be_asked_a_question() -> None:
    prompt = probe_prompt("What can be drunk?", Scene())
    event = Prompted(call=1, purpose="probe", model="m", messages=prompt.messages)
    assert show_all([event]).awaited == "m is asked: What can be drunk?"


def test_lines_of_a_story_are_in_words() -> None:
    assert (
        spelled_line("  ?a==True   ran 1.0 to 2.0 s: done = False") == "  if a is True   ran 1.0 to 2.0 s: done = False"
    )
