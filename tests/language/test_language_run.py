"""Running: outcomes, budgets, and what an onlooker can see."""

from typing import Any

import pytest
from language_world import SKILLS, play

from sayso.errors import PlanRunError, UsageError
from sayso.language import Interpreter, PlanBounds, parse
from sayso.task import Done, Failed, Preempted, Refused


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Failed("the way is blocked"), "the way is blocked"),
        (Preempted("stop"), "preempted by stop"),
        (Refused("altitude", "4 m", "at most 3 m"), "the limit on altitude is at most 3 m; this would need 4 m"),
    ],
)
def test_outcomes_that_end_a_plan(outcome: Any, reason: str) -> None:
    """L44: a call that does not end well ends the plan, with its outcome and reason."""
    story = play("tc(1);?s('a'){tp}tc(2)", is_visible=outcome)
    assert story.calls == ["turn_cw(1)", "is_visible('a')"]
    assert (story.ended.how, story.ended.outcome, story.ended.reason) == ("failed", outcome, reason)


def test_a_skill_can_ask_for_a_new_plan() -> None:
    """L44: a skill that changed much ends the plan with `replan` and its reason."""
    story = play("tc(270);mf(100)", turn_cw=Done(replan="turned by more than 180 degrees"))
    assert story.calls == ["turn_cw(270)"]
    assert (story.ended.how, story.ended.reason) == ("replan", "turned by more than 180 degrees")


def test_calls_are_tasks() -> None:
    """L44: a call carries the task, the skill, the arguments and the number of its statement."""
    steps = Interpreter(parse("_1=3;tc(_1*2)"), SKILLS).run()
    call: Any = next(steps)
    assert (call.task.type, call.task.data, call.skill.name, call.args) == ("turn_cw", (6,), "turn_cw", (6,))
    assert (call.statement, call.through) == (2, ())
    with pytest.raises(UsageError, match="outcome of turn_cw"):
        steps.send(None)


@pytest.mark.parametrize("text", ["1000{1000{}}", "1000{1000{tp}}", "1000{s('a')}", "1000{1000{?False{}}}"])
def test_statement_budget(text: str) -> None:
    """L45: executed statements and passes of loops are counted, in composed skills as well."""
    with pytest.raises(PlanRunError, match="ran 10000 statements"):
        play(text)
    assert play("9{9{}}", bounds=PlanBounds(statements_run=200)).ended.how == "finished"
    with pytest.raises(PlanRunError):
        play("9{9{}}", bounds=PlanBounds(statements_run=50))


def test_operation_budget() -> None:
    """L45: what is computed is counted too, however few statements do it."""
    sum_of_many = "+".join(["_1"] * 500)
    with pytest.raises(PlanRunError, match="computed 100000 values without ending"):
        play(f"_1=0;1000{{_2={sum_of_many}}}")
    assert play(f"_1=0;50{{_2={sum_of_many}}}").ended.how == "finished"


def test_no_plan_exhausts_the_stack() -> None:
    """L35: the deepest plan that is admitted runs."""
    nested = "(" * 31 + "1" + ")" * 31
    mixed = "str(1+" * 15 + "1" + ")" * 15
    text = "1{?True{" * 16 + f"l({nested});l({mixed})" + "}}" * 16
    assert len(play(text).calls) == 2
