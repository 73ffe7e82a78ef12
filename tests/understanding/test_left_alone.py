"""What a wish wants left alone is left alone, whoever plans (U5)."""

from __future__ import annotations

import pytest

from sayso.clock import SimClock
from sayso.events import LimitHeld, TaskEnded, Understood
from sayso.result import Result
from sayso.setup import Setup
from sayso.understanding.manners import manners
from sayso.wish import How


@pytest.mark.parametrize(
    ("sentence", "core", "about"),
    [
        ("leave the vase where it is and roll to the bench", "roll to the bench", "vase"),
        ("roll to the bench, but hands off the kettle", "roll to the bench", "kettle"),
        ("carry the box without opening the crate", "carry the box", "crate"),
        ("don't take the pear, bring a plum", "bring a plum", "pear"),
    ],
)
def test_u5_to_leave_something_alone_is_a_manner(sentence: str, core: str, about: str) -> None:
    rest, how = manners(sentence)
    assert rest == core
    assert [(m.how, m.about) for m in how] == [(How.ALONE, about)]


@pytest.mark.parametrize("sentence", ["if the lamp is lit leave it be", "leave them alone", "do not move a muscle"])
def test_u5_what_is_only_pointed_to_stays_in_the_sentence(sentence: str) -> None:
    assert manners(sentence) == (sentence, ())


def test_u5_a_plan_that_takes_what_is_left_alone_is_refused() -> None:
    """Here the wish contradicts itself, and its plan would take the very thing."""
    chosen = Setup(world="warehouse", scene="store")

    async def said() -> Result:
        robot, world = chosen.make_robot()
        async with chosen.make_agent(robot, world) as agent:
            return await agent.do("hands off the lemon, and bring the lemon to the basket")

    result = SimClock().run(said())
    assert not result
    assert any(isinstance(e, Understood) and "I leave the lemon alone." in e.told for e in result.events)
    refused = [e for e in result.events if isinstance(e, TaskEnded | LimitHeld) and "left alone" in str(e)]
    assert refused
