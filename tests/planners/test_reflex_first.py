"""Reflex in front of a model: what the grammar reads to the last word is its own, all else goes to the model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from sitting import Sitting, finished

from sayso.errors import NotUnderstood
from sayso.planners.reflex.first import ReflexFirst, behind
from sayso.planners.text_planner import TextPlanner, stepped
from sayso.roles import Attempt, Brief, End, Observation, Session
from sayso.scene import Pose, Scene
from sayso.skill import SkillSet
from sayso.skills import skills_for
from sayso.worlds import make as make_world


def drone() -> SkillSet:
    world = make_world("office")
    return skills_for(world.robot, world.perception)


SKILLS = drone()


class Behind(TextPlanner):
    """A test double for a planner with a model: notes what it was asked."""

    name = "behind"
    replans = 1

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        self.asked.append(brief.instruction)
        yield "l('asked')"


def sitting(sentence: str, ends: Callable[[str], Attempt] = finished) -> Sitting:
    return Sitting(Brief(sentence, SKILLS, Observation(Scene(observer=Pose(0, 0, 1.0)))), ends)


def planned(sentence: str) -> tuple[str, list[str]]:
    behind, there = Behind(), sitting(sentence)
    end = asyncio.run(ReflexFirst(behind).act(there))
    assert end.met and len(there.plans) == 1
    return there.texts[0], behind.asked


@pytest.mark.parametrize(
    ("sentence", "plan"),
    [
        ("go up 37 cm", "mu(37);"),
        ("turn left 20 degrees, then 2 metres forward", "tu(20);mf(200);"),
        ("land", "la;"),
        ("take a picture", "tp;"),
        ("stop", "d(0);"),
        ("fly a square of 1 metre", "4{mf(100);tc(90);}"),
    ],
)
def test_plain_commands_never_reach_the_model(sentence: str, plan: str) -> None:
    assert planned(sentence) == (plan, [])


@pytest.mark.parametrize(
    "sentence",
    ["I am thirsty", "plant, now", "trun left", "the tallest person, please", "fetch me something to read"],
)
def test_what_the_grammar_does_not_read_is_the_models(sentence: str) -> None:
    assert planned(sentence) == ("l('asked')", [sentence])


def test_endless_sentences_reach_nobody() -> None:
    with pytest.raises(NotUnderstood, match="too long"):
        planned("go to the chair now! " * 500)


def test_repairs_are_the_models() -> None:
    behind, there = Behind(), sitting("go up 37 cm", lambda text: Attempt(text, ended="the ceiling"))
    end = asyncio.run(ReflexFirst(behind).act(there))
    assert there.texts == ["mu(37);", "l('asked')"] and behind.asked == ["go up 37 cm"]
    assert end == End(False, "gave up after 1 new plans; the last one: the ceiling")


class Stepping(Behind):
    """Goes on step by step."""

    async def act(self, session: Session) -> End:
        return await stepped(session, await session.look(), self.plan, 9)


def test_other_words_in_the_middle_of_a_mission_are_read_by_the_grammar_again() -> None:
    """The next step of a running mission is the planner's; what the person says then is a sentence like any other."""
    told, there = Stepping(), sitting("I am so thirsty")
    there.changes = {2: "land"}
    end = asyncio.run(ReflexFirst(told).act(there))
    assert there.texts == ["l('asked')", "l('asked')", "la;"] and end.met
    assert told.asked == ["I am so thirsty", "I am so thirsty"]


def test_a_command_that_failed_leaves_the_mission_to_the_planner() -> None:
    """What the planner knows by then, such as where it has searched, is not lost."""

    def ends(text: str) -> Attempt:
        return Attempt(text, ended="the wind") if text == "la;" else finished(text)

    told, there = Stepping(), sitting("I am so thirsty", ends)
    there.changes = {1: "land"}
    end = asyncio.run(ReflexFirst(told).act(there))
    assert there.texts[:3] == ["l('asked')", "la;", "l('asked')"] and not end.met
    assert told.asked[:2] == ["I am so thirsty", "land"]


def test_the_planner_behind_is_found() -> None:
    planner = ReflexFirst(Behind())
    assert behind(planner) is planner.planner and behind(planner.planner) is planner.planner
