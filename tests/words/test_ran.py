"""What is over is told to whoever plans next; where a skill only answers, its answer is what came of it."""

from __future__ import annotations

from sayso.task import Ran


def test_what_a_skill_answers_is_told_and_what_a_deed_returns_is_not() -> None:
    assert str(Ran("describe", ("mug",), value="a red mug on the desk", answers=True)) == (
        "describe: done a red mug on the desk"
    )
    assert str(Ran("go_to", ("desk",), value="at the desk")) == "go_to: done"
    assert str(Ran("is_visible", ("mug",), value=True, answers=True)) == "is_visible: done"
    assert str(Ran("describe", ("mug",), "failed", "there is no mug", answers=True)) == (
        "describe: failed there is no mug"
    )
