"""What a model asks for, read generously in form and strictly in meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.planners.rolling_answer import ANSWER_MAX, read_answer
from sayso.robots.humanoid.soccer import TASKS


@pytest.mark.parametrize(
    "text",
    [
        "Task: WalkToBall Priority: 2",
        "task: walktoball priority: 2\n",
        "- Task: WalkToBall, Priority: 2.",
        "1. **Task:** WalkToBall **Priority:** 2",
        "Task: <WalkToBall> Priority: <2>",
        "Task:WalkToBall\n  Priority:2",
        "Task = `WalkToBall`; Priority = 2.0",
        "Here is what to do now.\nTask: WalkToBall Priority: 2\nGood luck!",
    ],
)
def test_forms_that_are_understood(text: str) -> None:
    answer = read_answer(text, TASKS)
    assert answer.tasks == {"WalkToBall": 2}
    assert answer.executable
    assert answer.refused == ()


def test_several_tasks_keep_their_order() -> None:
    answer = read_answer("Task: Wave Priority: 1\nTask: KickBall Priority: 9\n* Task: LookAtBall Priority: 3", TASKS)
    assert list(answer.tasks.items()) == [("Wave", 1), ("KickBall", 9), ("LookAtBall", 3)]
    assert str(answer) == "Task: Wave Priority: 1\nTask: KickBall Priority: 9\nTask: LookAtBall Priority: 3"


@pytest.mark.parametrize("word", ["Done", "done.", " DONE\n", "**Cannot**", "cannot!"])
def test_the_two_words(word: str) -> None:
    answer = read_answer(word, TASKS)
    assert answer.word in ("done", "cannot")
    assert answer.executable and not answer.tasks and not answer.refused


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Task: Jump Priority: 1", "Jump, which is no task"),
        ("Task: Kick Priority: 1", "was KickBall meant?"),
        ("Task: Walk To Ball Priority: 1", "Walk, which is no task"),
        ("Task: WalkToBalls Priority: 1", "WalkToBalls, which is no task"),
        ("Task: Legs Priority: 1", "Legs, which is no task"),
        ("Task: Wave", "Wave without a priority"),
        ("Task: Wave Priority: high", "Wave without a priority"),
        ("Task: Wave Priority: 0", "whole number from 1 to 99"),
        ("Task: Wave Priority: -3", "whole number from 1 to 99"),
        ("Task: Wave Priority: 2.5", "whole number from 1 to 99"),
        ("Task: Wave Priority: 1000000", "whole number from 1 to 99"),
        ("Task: Priority: 1", "Priority, which is no task"),
        ("Task: 7 Priority: 1", "a task without a name"),
        ("I would walk to the ball.", "names no task"),
        ("I am Done with this", "names no task"),
        ("", "an empty answer"),
        ("x" * (ANSWER_MAX + 1), "more than"),
        ("Task: Wave Priority: 1\n" * 1000, "more than"),
    ],
)
def test_what_is_refused_and_why(text: str, says: str) -> None:
    answer = read_answer(text, TASKS)
    assert answer.tasks == {}
    assert not answer.executable
    assert any(says in problem for problem in answer.refused), answer.refused


def test_an_unknown_task_does_not_spoil_the_known_ones() -> None:
    answer = read_answer("Task: Jump Priority: 5\nTask: Wave Priority: 1", TASKS)
    assert answer.tasks == {"Wave": 1}
    assert len(answer.refused) == 1
    assert not answer.executable, "the paper's figure asks for answers in which every task exists"


def test_a_task_named_twice_counts_once() -> None:
    answer = read_answer("Task: Wave Priority: 1\nTask: wave Priority: 7", TASKS)
    assert answer.tasks == {"Wave": 1}
    assert "Wave twice" in answer.refused[0]
    assert answer.executable


@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from(["Task:", "Priority:", *TASKS, "Jump", "9", "\n", "-"])).map(" ".join)
)
def test_no_text_yields_anything_but_known_tasks_with_good_priorities(text: str) -> None:
    answer = read_answer(text, TASKS)
    assert set(answer.tasks) <= set(TASKS)
    assert all(1 <= n <= 99 for n in answer.tasks.values())
    assert answer.tasks or answer.word or answer.refused, "nothing is ignored in silence"
    assert not (answer.word and answer.tasks)
