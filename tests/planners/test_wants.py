"""How each planner says what it understood, and hears what is missing: docs/goals.md, rules G32 and G38."""

from __future__ import annotations

import asyncio
import json

import pytest
from rolling_desk import Desk, Slow, answers, steer
from scored_desk import Table
from sitting import Sitting, finished

from sayso.goal import Clause, Part, Pred, Which
from sayso.goals.text import show
from sayso.models.scripted import Scripted
from sayso.planners.scored import Scored
from sayso.planners.sequence import Sequence
from sayso.planners.stepwise import Stepwise
from sayso.planners.stream import Stream
from sayso.plugins.steps import Ledger
from sayso.prompts import plan_prompt, stepwise_prompt
from sayso.prompts.score import score_prompt
from sayso.roles import Attempt, Brief, End, Observation, Planner
from sayso.skill import Param, Skill, SkillSet, Value


async def nothing(value: Value) -> None: ...


GO = Skill("go_to", (Param("thing", "thing"),), description="go", short="go", means="visited({thing})", body=nothing)
SKILLS = SkillSet([GO])
AT_TABLE = Pred("at", (Which("table"),))
SHORT = Part("at(table)", False, "0.7 m short of table")


def step(call: str, want: str = "") -> str:
    """What a model answers that chooses steps; with a goal as its first answer."""
    first = {"action_list": [call, "done"], "first_action": call, "want": want}
    return json.dumps(first if want else {"next_action": call})


def sat(planner: Planner, unmet: int = 0) -> Sitting:
    """The session after a mission in which the end was claimed in vain so many times."""
    left = [unmet]

    def ends(text: str) -> Attempt:
        plan = finished(text)
        if left[0] and (plan.value is True or "go" not in text):
            left[0] -= 1
            return Attempt(text, how="unmet", ended=str(SHORT), missing=(SHORT,))
        return plan

    sitting = Sitting(Brief("go to the table", SKILLS, Observation()), ends)
    assert asyncio.run(planner.act(sitting)).met
    return sitting


@pytest.mark.parametrize("make", [Stream, Sequence])
def test_a_whole_plan_has_its_goal_behind_it(make: type[Stream] | type[Sequence]) -> None:
    """G38"""
    there = sat(make(Scripted(["go('table')\nwant at(table)"], chunk=3), plan_prompt))
    assert ([t.strip() for t in there.texts], there.goals) == (["go('table')"], ["want at(table)"])


def test_a_goal_that_is_none_is_told_and_the_plan_runs() -> None:
    """G38"""
    there = sat(Stream(Scripted(["go('table');want at(("]), plan_prompt))
    assert there.goals == [] and there.notes[0].startswith("the goal behind the plan is none: ")


def test_a_planner_of_steps_says_its_goal_with_its_first_list() -> None:
    """G38"""
    model = Scripted([step("go_to(table)", "want at(table)"), step("done")], chunk=500)
    assert sat(Stepwise(model, stepwise_prompt)).goals == ["want at(table)"]
    assert "WANT is what is wanted" in model.prompts[0].messages[0][1]
    assert r"\"want\"" in model.prompts[0].grammar and r"want" not in model.prompts[1].grammar


class Owing(Ledger):
    """A ledger that reads the wish by itself."""

    def wanted(self) -> Clause | None:
        return AT_TABLE


def test_a_kits_ledger_says_the_goal_where_the_model_says_none() -> None:
    """G38"""
    first = [step("go_to(table)"), step("done"), step("done")]
    assert sat(Stepwise(Scripted(first, chunk=500), stepwise_prompt, ledger=lambda brief: Owing())).goals == [
        "want at(table)"
    ]
    own = [step("go_to(table)", "want visited(table)"), step("done")]
    there = sat(Stepwise(Scripted(own, chunk=500), stepwise_prompt, ledger=lambda brief: Owing()))
    assert there.goals == ["want visited(table)"]


def test_what_is_missing_is_feedback_to_a_planner_of_steps() -> None:
    """G32"""
    model = Scripted(
        [step("go_to(table)", "want at(table)"), step("done"), step("go_to(table)"), step("done")], chunk=9
    )
    there = sat(Stepwise(model, stepwise_prompt), unmet=1)
    assert there.texts == ['go_to("table")', "->True"] * 2
    assert "done, while this is missing: at(table): 0.7 m short of table" in model.prompts[2].messages[-1][1]


def test_a_domain_says_the_goal_of_a_planner_that_weighs() -> None:
    """G38"""

    async def domain(brief: Brief) -> Table:
        return Table({}, {}, End(True, "there"), wants=AT_TABLE)

    assert sat(Scored(None, domain, score_prompt)).goals == [show(AT_TABLE)]


def test_a_planner_of_tasks_says_its_goal_below_its_first_answer() -> None:
    """G38"""
    desk, model = Desk(), Slow(answers("Task: Wave Priority: 1\nwant at(ball)", "Task: Wave Priority: 1", "Done"))
    assert steer(desk, model) == (True, f"going by {model.name}, it is done (Wave has gone on for 4 s)")
    assert desk.goals == ["want at(ball)"] and desk.names[0] == ["Wave"]
    assert "at(thing, m?)" in model.asked[0][1].messages[0][1]


def test_what_is_missing_is_feedback_to_a_planner_of_tasks() -> None:
    """G32"""
    desk, model = Desk(lacks=(SHORT,)), Slow(answers("Task: Wave Priority: 1", "Task: Wave Priority: 1", "Done"))
    end = steer(desk, model)
    assert end and not end[0] and "Done, while this is missing: at(table): 0.7 m short of table" in end[1]
    assert "Done, while this is missing" in model.texts()[3]
