"""Reflex in front of a model: what the grammar reads to the last word is its own, all else goes to the model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from sayso.errors import NotUnderstood
from sayso.parts import Brief
from sayso.planners.reflex.first import ReflexFirst, behind
from sayso.robots.drone.kit import drone_skills
from sayso.scene import Pose, Scene
from sayso.skill import SkillSet
from sayso.worlds import make as make_world


def drone() -> SkillSet:
    world = make_world("office")
    return drone_skills(world.robot, world.perception, None, print, print)  # type: ignore[arg-type]


SKILLS = drone()


class Behind:
    """A test double for a planner with a model: notes what it was asked."""

    name = "behind"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        self.asked.append(brief.instruction)
        yield "l('asked')"


def planned(sentence: str, failure: str = "") -> tuple[str, list[str]]:
    behind = Behind()

    async def run() -> str:
        brief = Brief(sentence, SKILLS, Scene(observer=Pose(0, 0, 1.0)), failure=failure)
        return "".join([piece async for piece in ReflexFirst(behind).plan(brief)])

    return asyncio.run(run()), behind.asked


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
    assert planned("go up 37 cm", failure="the ceiling")[1] == ["go up 37 cm"]


def test_other_words_in_the_middle_of_a_mission_are_read_by_the_grammar_again() -> None:
    """The next step of a running mission is the planner's; what the person says then is a sentence like any other."""
    told = Behind()
    planner = ReflexFirst(told)

    async def said(sentence: str, failure: str = "") -> str:
        brief = Brief(sentence, SKILLS, Scene(observer=Pose(0, 0, 1.0)), failure=failure)
        return "".join([piece async for piece in planner.plan(brief)])

    async def mission() -> list[str]:
        goes_on = "the plan asks for a new one"
        some = [("I am so thirsty", ""), ("I am so thirsty", goes_on), ("land", goes_on), ("land", "it failed")]
        return [await said(*each) for each in some]

    assert asyncio.run(mission()) == ["l('asked')", "l('asked')", "la;", "l('asked')"]
    assert told.asked == ["I am so thirsty", "I am so thirsty", "land"]


def test_notes_of_the_planner_behind_are_heard() -> None:
    class Noting(Behind):
        def __init__(self) -> None:
            super().__init__()
            self.note = lambda text: None

    heard: list[str] = []
    planner = ReflexFirst(Noting())
    planner.note = heard.append
    planner.note("a note")
    assert heard == ["a note"] and behind(planner) is planner.planner and behind(planner.planner) is planner.planner
    silent = ReflexFirst(Behind())
    silent.note = heard.append
    assert not hasattr(silent.planner, "note")
