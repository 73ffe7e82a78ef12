"""`--show-machine`: a state for each call that ran, what came of it, and where it went on."""

from __future__ import annotations

from sayso.events import Event, MissionEnded, Replanned, TaskEnded, TaskStarted
from sayso.terminal.mission import drawn


def started(at_s: float, task: int, skill: str, *args: str, statement: int = 1) -> Event:
    return TaskStarted(at_s=at_s, task=task, skill=skill, args=args, statement=statement)


def test_a_failure_and_a_new_plan_are_drawn_in_order() -> None:
    events = [
        started(0.0, 1, "move_to", "counter"),
        TaskEnded(at_s=6.25, task=1, skill="move_to", outcome="done"),
        started(6.25, 2, "look_for_obj", "coke"),
        started(6.5, 3, "look", statement=0),
        TaskEnded(at_s=9.0, task=2, skill="look_for_obj", outcome="failed", detail="found no coke"),
        Replanned(at_s=9.0, round=1, reason="found no coke"),
        started(9.5, 4, "speak", "I could not find it."),
        MissionEnded(
            at_s=9.5, outcome="not_achieved", reason="", value=None, r_time_s=0.0, c_time_s=9.0, plan_tokens=0,
            model_calls=2, replans=1,
        ),
    ]  # fmt: skip
    lines = [line.rstrip() for line in drawn(events).plain.splitlines()]
    assert lines == [
        f"  1  {chr(39).join(['move_to(', 'counter', ')']):<44} done         6.2 s",
        f"  2  {chr(39).join(['look_for_obj(', 'coke', ')']):<44} failed       2.8 s  found no coke",
        "  >  a new plan",
        f"  3  {chr(39).join(['speak(', 'I could not find it.', ')']):<44} never ended",
        "  =  not achieved",
    ]


def test_long_calls_are_cut_and_values_shown() -> None:
    said = "a sentence that goes on and on and on and on and on"
    text = drawn([
        started(0.0, 1, "speak", said),
        TaskEnded(at_s=1.0, task=1, skill="speak", outcome="done", value=3),
    ]).plain  # fmt: skip
    assert "…" in text and "-> 3" in text and said not in text
