"""A repair never repeats what has run: answers that are cut anywhere, once and again, move the robot no further than
the whole plan does."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from cart import Cart, ended, mission

from sayso.errors import ModelBroke
from sayso.events import Event, TaskStarted, Warned
from sayso.models.tokens import counted
from sayso.roles import Chunk, Model, Prompt

PLANS = (
    "forward(50);turn(90);forward(50)",
    "3{forward(10);turn(15)}->True",
    "_1=count();?_1>0{forward(20);turn(5)}:{turn(7);forward(9)}forward(3);",
)


class Cutting(Model):
    """Says the same plan each time, and breaks off where `cuts` say, until those are used up."""

    name = "cutting (a test double)"

    def __init__(self, plan: str, *cuts: int) -> None:
        self._plan, self._cuts = plan, list(cuts)

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        cut = self._cuts.pop(0) if self._cuts else None
        for sign in self._plan[:cut]:
            yield Chunk(sign)
        if cut is not None:
            raise ModelBroke("the connection broke", self._plan[:cut])
        yield Chunk("", counted(prompt, self._plan))


def started(events: list[Event]) -> list[str]:
    return [f"{e.skill}{e.args}" for e in events if isinstance(e, TaskStarted)]


def flown(plan: str, *cuts: int) -> list[Event]:
    events, _ = mission(Cutting(plan, *cuts), robot=Cart())
    assert ended(events).outcome == "achieved", ended(events).reason
    return events


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_that_is_cut_at_any_character_moves_as_far_as_the_whole_one(plan: str) -> None:
    whole = started(flown(plan))
    for cut in range(1, len(plan) + 1):
        assert started(flown(plan, cut)) == whole, f"cut behind {plan[:cut]!r}"


@pytest.mark.parametrize("plan", PLANS)
def test_one_that_is_cut_again_and_again_as_well(plan: str) -> None:
    whole = started(flown(plan))
    for cut in range(1, len(plan) + 1, 3):
        assert started(flown(plan, len(plan) - cut, cut, len(plan))) == whole


def test_what_is_not_done_again_is_told() -> None:
    told = [e.text for e in flown(PLANS[0], 14) if isinstance(e, Warned)]
    assert told == ["the plan broke off: “tu” (line 1, column 13) is left out",
                    "forward(50) is done already, and not done again"]  # fmt: skip


def test_an_answer_with_prose_behind_its_plan_is_asked_for_again_and_moves_once() -> None:
    events, _ = mission(["forward(50);turn(90)\nThis is a plan.", "forward(50);turn(90);forward(5)"], robot=Cart())
    assert started(events) == ["forward(50,)", "turn(90,)", "forward(5,)"]


def test_another_plan_than_the_one_that_was_cut_runs_from_its_first_call() -> None:
    events, _ = mission(["forward(50);fly(3)", "turn(90);forward(50)"], robot=Cart())
    assert started(events) == ["forward(50,)", "turn(90,)", "forward(50,)"]


def test_what_failed_or_ended_well_may_be_done_again() -> None:
    events, _ = mission(["forward(50);grab()", "forward(50)"], robot=Cart())
    assert started(events) == ["forward(50,)", "grab()", "forward(50,)"]
