"""Lessons that are flown: the oracle meets itself, and a drone that does something else does not."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest
import training_path  # noqa: F401

from fly_lessons import differs, fly, looks_like, stage, told_the_same
from lessons import Lesson
from recite import asked
from sayso.perception.geometry import GeometricCamera
from sayso.robots.drone.world.office import Office
from sayso.scene import Pose
from witness import Fact

WANTED = 3


def told(word: str) -> list[Lesson]:
    """Some lessons that ask the model nothing more, whose plan has the word in it and whose scene can be built."""
    plans = (one for one in asked("recall") if one.kind == "plan" and word in one.target and one.scene)
    plain = (one for one in plans if "sa(" not in one.target and "p(" not in one.target.replace("tp", ""))
    return list(islice((o for o in plain if o.scene and looks_like(_office(o), o.scene)), WANTED))


def _office(one: Lesson) -> Office:
    assert one.scene is not None
    return Office(stage(one.scene), perception=GeometricCamera)


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "plans.json"
    path.write_text(json.dumps(["mr(130);tu(40);l('else')"]), "utf-8")
    return f"scripted:{path}"


@pytest.mark.parametrize("word", ["g('", "tp", "mf(", "tu(", "rh"])
def test_an_oracle_meets_itself_and_another_plan_does_not(word: str, script: str) -> None:
    compared = 0
    for one in told(word):
        wanted, again = fly(one, script, oracle=True), fly(one, script, oracle=True)
        if wanted is None or again is None:
            continue
        compared += 1
        assert differs(wanted, again, frozenset()) == "", one.sentence
        other = fly(one, script, oracle=False)
        assert other is not None
        assert differs(wanted, other, frozenset()), one.sentence
    assert compared >= WANTED // 2


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("cup[0.16]", "cup[0.17]", True),  # a room is drawn, a lesson is not: a hundredth is no other cup
        ("cup[0.16]", "cup[0.73]", False),
        ("cup", "cup[0.73]", False),
        ("I see 2 cups.", "2 cups", True),
        ("I see 2 cups.", "I see 3 cups.", False),
        ("yes, here is the cup", "no, I see no cup", False),
        ("good morning", "good night", False),
    ],
)
def test_what_was_said_is_compared_by_things_places_and_figures(one: str, other: str, same: bool) -> None:
    assert told_the_same(_said(one), _said(other), frozenset({"cup", "cups"})) is same


def _said(text: str) -> tuple[Fact, ...]:
    return (Fact(text, Pose(), frozenset()),)
