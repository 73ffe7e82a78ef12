"""Questions back, as the console shows and takes them."""

from __future__ import annotations

import asyncio

from console_robot import ended, station
from console_shown import show_all

from sayso.clock import SimClock
from sayso.console.plan_text import spelled_line
from sayso.events import MissionEnded, MissionStarted, Prompted, Said, Understood
from sayso.prompts.render import probe_prompt
from sayso.scene import Scene

WHERE = "Where should I go?"
ASKED = [MissionStarted(instruction="go", setup={}), Said(at_s=1, text=WHERE)]
WAITS = MissionEnded(at_s=2, outcome="asked", reason=WHERE, value=False)


def test_a_mission_that_waits_for_an_answer_does_not_look_failed() -> None:
    items = show_all([*ASKED, WAITS]).items
    assert [(i.kind, i.text, i.good) for i in items[1:]] == [
        ("asks", WHERE, True), ("note", "it waits for your answer", True),
    ]  # fmt: skip


def test_a_question_that_was_not_said_aloud_is_shown() -> None:
    items = show_all([ASKED[0], MissionEnded(at_s=2, outcome="asked", reason="Shall I go on?")]).items
    assert [(i.kind, i.text) for i in items[1:]] == [("asks", "Shall I go on?"), ("note", "it waits for your answer")]
    assert items[1].choices == ("yes", "no")


def test_what_was_understood_and_left_out_is_shown() -> None:
    (item,) = show_all([Understood(goal="want picture", told="I take a picture.", left_out=("from above",))]).items
    assert (item.kind, item.text) == ("means", "I take a picture. I leave out “from above”.")


def test_the_next_sentence_answers_and_another_wish_does_not() -> None:
    async def main() -> None:
        d = station(*["l('Where should I go?');->False;", "forward(5);"] * 2)
        await d.open()
        d.seats.sit("ann")
        for said, whole in (("straight ahead", "go: straight ahead"), ("turn around", "turn around")):
            await d.say("ann", "go")
            await ended(d)
            assert d.question == WHERE
            assert await d.say("ann", said) == ""
            assert d.question == "", "it is answered, and the robot is at it"
            await ended(d)
            assert (d.shown.wish, d.question) == (whole, "")
        await d.close()

    SimClock().run(main())


def test_the_tree_of_a_robot_at_rest_is_empty() -> None:
    async def main() -> None:
        d = station("forward(100);")
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
    assert show_all([event]).awaited == "asks m: What can be drunk?"


def test_lines_of_a_story_are_in_words() -> None:
    assert (
        spelled_line("  ?a==True   ran 1.0 to 2.0 s: done = False") == "  if a is True   ran 1.0 to 2.0 s: done = False"
    )
