"""A double that answers every wish of the suite rightly, as an honest large model would: no list of it is refused."""

import asyncio
import json

import pytest
from test_stepwise_wish import SKILLS, Listener

from sayso.goals.text import parse
from sayso.models.scripted import Scripted
from sayso.planners.stepwise import Course, Stepwise
from sayso.prompts import stepwise_prompt
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.suite.courier import Courier
from sayso.robots.warehouse.suite.episode import errands, told
from sayso.robots.warehouse.suite.goal import Task, first_state, tasks
from sayso.robots.warehouse.world import STORE
from sayso.roles import Brief, Observation
from sayso.worlds.indoor.scene import knowledge, read_flat


def answered(wanted: Task) -> tuple[Course, list[str], int]:
    """The mission after the first answer, what it noted, and how often it asked."""
    steps = Courier(errands(wanted, first_state(wanted, read_flat(wanted.world, STORE).stock))).listed()
    model, listener = Scripted([json.dumps({"action_list": steps, "first_action": steps[0]})], chunk=1000), Listener()
    brief = Brief(told(wanted), SKILLS, Observation.of("standing"), knowledge=knowledge(STORE))
    course = Course(Stepwise(model, stepwise_prompt, ledger=Errands), listener, brief)

    async def run() -> str:
        return "".join([piece async for piece in course.step(brief)])

    assert asyncio.run(run()).partition("(")[0] == steps[0].partition("(")[0]
    return course, listener.notes, len(model.prompts)


@pytest.mark.parametrize("wanted", tasks(), ids=lambda t: t.id)
def test_a_list_that_is_right_is_never_refused(wanted: Task) -> None:
    """G45"""
    course, notes, prompts = answered(wanted)
    assert (notes, prompts) == ([], 1)
    assert course.wanted is not None, "it says what it understood"


def test_the_goal_of_a_list_is_the_goal_of_the_task() -> None:
    of_list = {t.id: answered(t)[0] for t in tasks()}
    for id_, goal in (
        ("L2-03", ""),
        ("L3-08", ""),
        ("R-03", "{ placed(apple.red, basket); placed('coke can', basket) } then visited(entrance)"),
    ):
        one = of_list[id_]
        assert one.wanted == parse(goal or next(t.goal for t in tasks() if t.id == id_))
