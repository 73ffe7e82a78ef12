"""From a sentence to a verdict: streaming, mending, refusing. Each behaviour is a transcript."""

from __future__ import annotations

import pytest
from cart import Cart, ended, mission, transcript

from sayso.events import AnswerEnded, ApprovalAsked, ChunkArrived, Event, Prompted, StatementReady, TaskStarted, Warned
from sayso.limits import Limits, Zone


def test_a_plan_runs_to_its_end() -> None:
    events, agent = mission(["forward(50);turn(90);->True"])
    assert transcript(events) == ["start forward(50)", "done forward", "start turn(90)", "done turn", "achieved"]
    assert agent.robot.state().pose.x_m == pytest.approx(0.5)


def test_the_first_statement_runs_while_the_rest_is_still_being_said() -> None:
    events, _ = mission(["forward(10);" + "turn(10);" * 20], slow=True)
    first_start = next(e for e in events if isinstance(e, TaskStarted))
    last_chunk = [e for e in events if isinstance(e, ChunkArrived)][-1]
    assert first_start.at_s < last_chunk.at_s / 2


def test_a_slow_skill_does_not_stall_reading() -> None:
    events, _ = mission(["forward(300);" + "turn(10);" * 10], slow=True)
    read = max(e.at_s for e in events if isinstance(e, StatementReady))
    done = next(e.at_s for e in events if type(e).__name__ == "TaskEnded")
    assert read < done


def test_a_false_answer_is_not_an_achievement() -> None:
    events, _ = mission(["?count()>5{->True}->False"])
    assert ended(events).outcome == "not_achieved"
    assert "could not be done" in ended(events).reason


def test_a_plan_that_says_why_it_cannot_be_done_has_that_for_its_reason() -> None:
    events, _ = mission(["l('I have no hands.');->False"])
    assert (ended(events).reason, ended(events).declined) == ("I have no hands.", True)
    events, _ = mission(["l('On my way.');forward(100);->False"])
    assert ended(events).reason == "it could not be done", "what was said before it moved is no reason"


def test_a_value_is_the_answer() -> None:
    events, _ = mission(["->count()"])
    assert (ended(events).outcome, ended(events).value) == ("achieved", 3)


def test_replan_asked_by_the_plan() -> None:
    events, _ = mission(["turn(90);replan;forward(100)", "forward(20)"])
    assert transcript(events) == [
        "start turn(90)", "done turn", "replan 1", "start forward(20)", "done forward", "achieved",
    ]  # fmt: skip


def test_replan_asked_by_a_skill() -> None:
    events, _ = mission(["turn(270);forward(100)", "forward(20)"])
    assert transcript(events) == [
        "start turn(270)", "done turn: the view has changed", "replan 1",
        "start forward(20)", "done forward", "achieved",
    ]  # fmt: skip


def test_a_failed_skill_is_told_to_the_next_plan() -> None:
    asked: list[str] = []

    def answer(prompt: object) -> str:
        asked.append(prompt.messages[-1][1])  # type: ignore[attr-defined]
        return "turn(10);grab();forward(10)" if len(asked) == 1 else "forward(20)"

    events, _ = mission(answer)
    assert transcript(events) == [
        "start turn(10)", "done turn", "start grab()", "failed grab: there is nothing to grab",
        "replan 1", "start forward(20)", "done forward", "achieved",
    ]  # fmt: skip
    assert "there is nothing to grab" in asked[1]
    assert "turn: done" in asked[1], "the history says what already ran"


def test_an_error_in_the_text_stops_before_the_bad_statement() -> None:
    events, _ = mission(["turn(10);fly(3);forward(100)", "forward(20)"])
    refused, *rest = transcript(events)
    assert refused.startswith("plan refused: line 1, column 10: unknown skill 'fly'")
    assert rest == ["start turn(10)", "done turn", "replan 1", "start forward(20)", "done forward", "achieved"]


def test_budget_of_new_plans_ends_honestly() -> None:
    events, _ = mission(["grab()"] * 10, replans=3)
    assert transcript(events).count("start grab()") == 4
    assert ended(events).outcome == "not_achieved"
    assert "gave up after 3 new plans" in ended(events).reason and "nothing to grab" in ended(events).reason


def test_budget_of_model_calls_ends_honestly() -> None:
    robot = Cart()
    robot.limits = Limits(model_calls_max=2)
    events, _ = mission(["grab()"] * 10, replans=8, robot=robot)
    assert sum(isinstance(e, Prompted) for e in events) <= 2
    assert "model calls" in ended(events).reason


@pytest.mark.parametrize(
    ("limits", "names"),
    [
        (Limits(tokens_max=10), "tokens"),
        (Limits(cost_max_usd=0.0001, usd_per_mtoken_in=10.0), "cost"),
    ],
)
def test_budget_of_tokens_and_cost_ends_honestly(limits: Limits, names: str) -> None:
    robot = Cart()
    robot.limits = limits
    events, _ = mission(["grab()"] * 10, replans=8, robot=robot)
    assert sum(isinstance(e, Prompted) for e in events) == 1
    assert ended(events).outcome == "not_achieved" and f"the limit on {names}" in ended(events).reason


def test_the_missions_time_limit_brings_the_robot_to_rest() -> None:
    robot = Cart()
    robot.limits = Limits(mission_max_s=5)
    events, _ = mission(["100{turn(90)}"], robot=robot)
    assert ended(events).outcome == "not_achieved" and "time limit of 5 s" in ended(events).reason
    assert robot.halts == 1
    assert ended(events).at_s < 6


def test_a_limit_refuses_and_the_plan_is_mended() -> None:
    robot = Cart()
    robot.limits = Limits(zone=Zone(-1, 1, -1, 1))
    events, _ = mission(["_1=200;forward(_1)", "forward(50)"], robot=robot)
    lines = transcript(events)
    assert lines[0].startswith("refused forward: the limit on geofence")
    assert lines[1:] == ["replan 1", "start forward(50)", "done forward", "achieved"]


def test_a_bug_in_a_skill_ends_the_mission_with_the_robot_at_rest(caplog: pytest.LogCaptureFixture) -> None:
    robot = Cart()
    events, _ = mission(["slip()"], robot=robot)
    assert ended(events).outcome == "error" and "ZeroDivisionError" in ended(events).reason
    assert robot.halts == 1
    assert "Traceback" in caplog.text


def test_a_bug_in_a_planner_tells_where_the_plan_broke_off_and_ends_at_rest() -> None:
    from collections.abc import AsyncIterator

    from sayso.planners.text_planner import TextPlanner
    from sayso.roles import Brief

    class Broken(TextPlanner):
        name = "broken"

        async def plan(self, brief: Brief) -> AsyncIterator[str]:
            yield "forward(20);turn(9"
            raise KeyError("a mistake of its author")

    robot = Cart()
    events, _ = mission([], robot=robot, planner=Broken())
    told = [e.text for e in events if isinstance(e, Warned)]
    assert "the plan broke off: “turn(9” (line 1, column 13) is left out" in told
    assert ended(events).outcome == "error" and "KeyError" in ended(events).reason
    assert robot.halts == 1


def test_tokens_are_counted_for_plans_only() -> None:
    events, _ = mission(["turn(10)"], slow=True)
    counted = [e for e in events if isinstance(e, AnswerEnded)]
    assert [e.tokens_out for e in counted] == [ended(events).plan_tokens]
    assert ended(events).plan_tokens > 0


def test_response_time_is_that_of_the_first_motion() -> None:
    events, _ = mission(["count();forward(10)"], slow=True)
    assert ended(events).r_time_s == next(e.at_s for e in events if isinstance(e, TaskStarted) and e.skill == "forward")


async def _yes(plan: str) -> bool:
    return True


async def _no(plan: str) -> bool:
    return False


def test_approval_shows_the_whole_plan_before_anything_moves() -> None:
    events, _ = mission(["turn(10);forward(10)"], approve=_yes)
    kinds: list[type[Event]] = [type(e) for e in events]
    assert kinds.index(ApprovalAsked) < kinds.index(TaskStarted)
    asked = next(e for e in events if isinstance(e, ApprovalAsked))
    assert "turn(10)" in asked.plan and "forward(10)" in asked.plan
    assert ended(events).outcome == "achieved"


def test_a_plan_that_is_not_approved_moves_nothing() -> None:
    events, _ = mission(["forward(10)"], approve=_no)
    assert transcript(events) == ["refused"]


def test_a_plan_with_an_error_is_not_offered_for_approval() -> None:
    events, _ = mission(["turn(10);fly(3)"] * 2, approve=_yes, replans=1)
    assert not any(isinstance(e, ApprovalAsked | TaskStarted) for e in events)
    assert ended(events).outcome == "not_achieved"


def test_without_a_model_plain_commands_work_and_others_are_refused() -> None:
    import asyncio

    from sayso.agent import Agent
    from sayso.clock import SimClock

    async def run(wish: str) -> list[Event]:
        await asyncio.sleep(0)
        return [event async for event in Agent(Cart()).say(wish)]

    events = SimClock().run(run("what is the capital of France?"))
    assert transcript(events) == ["refused"]
    assert len(ended(events).reason) > 20, "a refusal helps to rephrase"


def test_a_plan_that_would_break_a_limit_is_refused_before_anything_moves() -> None:
    robot = Cart()
    robot.limits = Limits(zone=Zone(-1, 1, -1, 1))
    events, _ = mission(["forward(50);forward(100)", "forward(50)"], robot=robot)
    first = transcript(events)[0]
    assert first.startswith("plan refused: the limit on geofence")
    assert transcript(events)[1:] == ["replan 1", "start forward(50)", "done forward", "achieved"]
