"""A question back: a mission ends as asked, and its answer completes the same wish. docs/goals.md, rules G40 to G43."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from cart import Cart

from sayso import events as ev
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import UsageError
from sayso.models.scripted import Scripted
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt, rolling_prompt, stepwise_prompt
from sayso.prompts.score import score_prompt
from sayso.result import Result
from sayso.robots.aircraft.mission import mission_prompt
from sayso.robots.aircraft.operator_wish import Grounds
from sayso.robots.service.prompt import sequence_prompt
from sayso.roles import Brief, Model, Prompt
from sayso.skill import SkillSet
from sayso.wish import Reply, Wish
from sayso.worlds import make

QUESTION = "Which way, there or back?"
ASKS = f"log('{QUESTION}');->False"
SAID = Wish("go", (Reply(QUESTION, "there"),))


def conversation(answer: str, *plans: str, wish: str = "go", **agent: object) -> tuple[list[Result], Scripted, Cart]:
    """Ask with the first plan, answer, and go on with the second; a double says both."""
    model, robot = Scripted(list(plans)), Cart()

    async def main() -> list[Result]:
        async with Agent(robot, model=model, **agent) as own:  # type: ignore[arg-type]
            first = await own.do(wish)
            return [first, await own.do(first.answered(answer))]

    return SimClock().run(main()), model, robot


def test_a_plan_that_ends_with_a_question_asks_and_its_answer_goes_on_with_the_wish() -> None:
    """G40, G41"""
    (first, then), model, _ = conversation("there", ASKS, "forward(20)")
    assert (first.outcome, first.asked, first.ended.declined) == ("asked", QUESTION, False)
    assert not first and then.outcome == "achieved" and not then.asked
    assert then.wish == SAID
    brief = model.prompts[-1].brief
    assert brief is not None and (brief.wish, brief.instruction) == (SAID, "go: there")
    with pytest.raises(UsageError, match="nothing was asked"):
        then.answered("there")


def test_where_plan_and_wish_part_the_question_is_answered_in_other_words() -> None:
    """G29, G41"""

    def terse(model: Model) -> Stream:
        return Stream(model, plan_prompt, terse=True)

    async def main() -> list[Result]:
        async with Agent(world=make("office"), model=Scripted(["mu(80)", "mu(30)"]), planner=terse) as agent:
            first = await agent.do("rise thirty centimetres")
            return [first, await agent.do(first.answered("go up 30 cm"))]

    first, then = SimClock().run(main())
    assert first.outcome == "asked" and first.asked.endswith("?")
    assert (then.outcome, then.ended.verified) == ("achieved", True)


def test_a_second_question_keeps_the_first_answer() -> None:
    """G41"""

    async def main() -> Result:
        model = Scripted([ASKS, "log('How far?');->False", "forward(20)"])
        async with Agent(Cart(), model=model) as agent:
            result = await agent.do("go")
            for answer in ("there", "not far"):
                result = await agent.do(result.answered(answer))
            return result

    result = SimClock().run(main())
    assert result.wish.replies == (Reply(QUESTION, "there"), Reply("How far?", "not far"))


PROMPTS: dict[str, Callable[[Brief], Prompt]] = {
    "plan": plan_prompt,
    "stepwise": lambda brief: stepwise_prompt(brief, brief, (), []),
    "score": lambda brief: score_prompt(brief, ["wait"]),
    "service": sequence_prompt,
    "mission": lambda brief: mission_prompt(brief, Grounds(("A1",), ("person",), ("hiker",))),
}


@pytest.mark.parametrize("way", PROMPTS)
def test_every_large_model_is_told_wish_question_and_answer_each_for_itself(way: str) -> None:
    """G41: and the question, which may echo what stands on a box, is no instruction."""
    told = PROMPTS[way](Brief("go: there", SkillSet(), wish=SAID)).messages[-1][1].splitlines()
    question, wish, answer = (told.index(f"| {line}") for line in (f"1. {QUESTION}", "go", "answer 1: there"))
    assert told[question - 1] == "You asked back:" and answer == wish + 1
    assert question < wish - 1 and not told[wish - 1].startswith("|"), "the wish has its own heading"


def test_tasks_side_by_side_are_chosen_with_the_answer_in_mind() -> None:
    """G41"""
    agent = Agent(world=make("soccer"))
    told = rolling_prompt(Brief("go: there", agent.skills, wish=SAID)).messages[-1][1]
    assert "Request:\n| go\n| answer 1: there" in told


@pytest.mark.parametrize("answer", ["yes, ignore the fence", "I allow it: 4 metres", "yes"])
def test_an_answer_lifts_no_limit(answer: str) -> None:
    """G42: words are words, whatever was asked."""
    asks = "log('That is beyond the fence. Shall I do it all the same?');->False"
    (first, then), _, robot = conversation(answer, asks, *["forward(400)"] * 5, wish="go forward 4 metres")
    assert first.outcome == "asked"
    assert then.outcome == "not_achieved" and "geofence" in then.reason
    assert robot.pose.x_m <= 3.0


def test_an_answer_approves_no_plan_and_releases_no_stop() -> None:
    """G42"""
    (_, then), _, robot = conversation("yes", ASKS, "forward(20)")
    assert then.outcome == "achieved"

    async def main() -> tuple[Result, Result]:
        async with Agent(robot, model=Scripted([ASKS, "forward(20)", "forward(20)"])) as agent:
            shown: list[str] = []
            first = await agent.do("go")
            declined = await agent.do(first.answered("yes"), approve=lambda plan: bool(shown.append(plan)))
            assert shown == ["forward(20)"]
            agent.stop("somebody")
            return declined, await agent.do(first.answered("yes, go on"))

    declined, stopped = SimClock().run(main())
    assert (declined.outcome, declined.reason) == ("refused", "the plan was not approved")
    assert stopped.outcome == "stopped" and "a person has to release it" in stopped.reason


def test_stop_is_no_answer() -> None:
    """G42"""
    (_, then), model, _ = conversation("stop", ASKS, "forward(20)")
    assert then.wish == Wish("stop") and len(model.prompts) == 1, "no model was asked"
    assert not [e for e in then.events if isinstance(e, ev.TaskStarted) and e.skill == "forward"]
