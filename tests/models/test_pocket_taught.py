"""What the embedded model was never taught, and weights that are missing or damaged: told, never guessed."""

from __future__ import annotations

from typing import Any

import pytest
from pocket_asks import SKILLS, answer, pocket
from pocket_double import Dice, Parrot

from sayso.clock import SimClock
from sayso.errors import ModelUnavailable, UsageError
from sayso.models import known, make
from sayso.models.pocket import net
from sayso.roles import Brief, Prompt
from sayso.skill import SkillSet

pytestmark = pytest.mark.usefixtures("scribe")


def test_a_prompt_without_a_brief() -> None:
    with pytest.raises(ModelUnavailable, match="brief"):
        answer(pocket(Dice()), Prompt("plan", (("user", "go"),)))


@pytest.mark.parametrize(
    ("purpose", "kind"),
    [
        ("score", ""),
        ("rank", ""),
        ("plan", "drone"),
        ("rolling", "humanoid"),
        ("plan", "service"),
        ("stepwise", "warehouse"),
    ],
)
def test_what_it_was_never_taught_it_says_and_does_not_guess(purpose: str, kind: str) -> None:
    prompt = Prompt(purpose, (), Brief("find her", SkillSet(), kind=kind), question="take off\ngo home")
    model = pocket(Parrot("a", taught=()))
    with pytest.raises(ModelUnavailable, match="these weights of pocket had no lessons in"):
        answer(model, prompt)
    with pytest.raises(ModelUnavailable, match="these weights of pocket had no lessons in"):
        SimClock().run(model.score(prompt, ["A", "B"]))


@pytest.mark.parametrize("kind", ["", "toaster"])
@pytest.mark.parametrize("purpose", ["plan", "replan", "rolling", "stepwise", "mission"])
def test_a_robot_that_it_was_not_taught_is_told_so(purpose: str, kind: str) -> None:
    """Neither a word nor a motion of another robot's."""
    prompt = Prompt(purpose, (), Brief("make toast", SKILLS, kind=kind), question="")
    with pytest.raises(ModelUnavailable) as told:
        answer(pocket(Parrot("mf(100)")), prompt)
    assert str(told.value) == "pocket was not taught this robot's skills; plain commands work, or connect a model"


def test_a_question_about_a_scene_is_answered_for_any_robot() -> None:
    prompt = Prompt("probe", (), Brief("what is red", SKILLS, kind="toaster"), question="what is red", max_tokens=32)
    assert answer(pocket(Parrot("apple")), prompt) == "apple"


def test_another_way_of_asking_than_in_its_lessons_is_refused() -> None:
    prompt = Prompt("stepwise", (), Brief("go", SKILLS, kind="drone"))
    with pytest.raises(ModelUnavailable, match="learnt to plan and replan for this robot, not stepwise"):
        answer(pocket(Parrot("mf(100)")), prompt)


def test_missing_weights_say_what_to_do(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"training/export\.py"):
        make(f"pocket:{tmp_path}")
    monkeypatch.setattr(net, "FOLDER", tmp_path)
    with pytest.raises(UsageError, match="missing"):
        net.read_card(tmp_path)


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ("{", "no card"),
        ("{}", "no card"),
        ('{"format": 0, "bytes": {}}', "format 0"),
        ('{"format": 1, "bytes": {"card.json": 5}}', "should have 5"),
        ('{"format": 1, "bytes": {"weights.bin": 5}}', "missing"),
    ],
)
def test_damaged_weights(tmp_path: Any, card: str, says: str) -> None:
    (tmp_path / "card.json").write_text(card)
    with pytest.raises(UsageError, match=says):
        net.read_card(tmp_path)


def test_the_embedded_model_is_listed() -> None:
    assert "pocket" in [form for form, _ in known()]
