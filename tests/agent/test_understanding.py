"""What a mission understood: said back, asked about, and its verdict. docs/goals.md, rules G26 to G32."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest

from sayso import events as ev
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.goals.observed import Watch
from sayso.goals.text import parse
from sayso.mission.session import MENDS_MAX
from sayso.models.scripted import Scripted
from sayso.planners.plan_answer import GoalSplitter
from sayso.planners.stepwise import Stepwise
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt, stepwise_prompt
from sayso.roles import End, Model, Session
from sayso.scene import Scene
from sayso.skill import SkillSet
from sayso.understanding.meaning import ONLY_DONE, Understanding
from sayso.wish import Request
from sayso.worlds import make


def flown(wish: str, *plans: str, terse: bool = False) -> list[ev.Event]:
    """The events of a wish in the office, planned by a double that says these plans."""

    def planner(model: Model) -> Stream:
        return Stream(model, plan_prompt, replans=len(plans) - 1, terse=terse)

    async def main() -> list[ev.Event]:
        async with Agent(world=make("office", seed=3), model=Scripted(list(plans)), planner=planner) as agent:
            return [event async for event in agent.say(wish)]

    return SimClock().run(main())


def ended(events: list[ev.Event]) -> ev.MissionEnded:
    last = events[-1]
    assert isinstance(last, ev.MissionEnded)
    return last


def understood(events: list[ev.Event]) -> Iterator[ev.Understood]:
    yield from (e for e in events if isinstance(e, ev.Understood))


def test_what_was_understood_is_said_before_it_moves() -> None:
    """G27"""
    events = flown("go to the chair and take its picture", "g('chair');tp")
    told = next(understood(events))
    assert told.told == "I go to the chair and then take a picture."
    first = next(n for n, e in enumerate(events) if isinstance(e, ev.TaskStarted))
    assert events.index(told) < first


def test_a_goal_behind_the_plan_is_the_models_own() -> None:
    """G28"""
    events = flown("go to the chair", "g('chair'); want visited(chair)")
    assert [u.goal for u in understood(events)] == ["want visited(chair)"]
    assert [e.text for e in events if isinstance(e, ev.StatementReady)] == ["goto('chair')"]
    assert (ended(events).outcome, ended(events).verified) == ("achieved", True)


@pytest.mark.parametrize("cut", range(1, 24, 3))
def test_a_goal_is_taken_apart_wherever_the_text_is_cut(cut: int) -> None:
    """G28"""
    text, apart = "g('chair');w('cup'); want at(chair)", GoalSplitter()
    plan = "".join([apart.plan(text[:cut]), apart.plan(text[cut:]), apart.rest()])
    assert (plan.strip(), apart.goal) == ("g('chair');w('cup');", "want at(chair)")


def test_a_plan_eight_times_as_long_takes_eight_times_as_long() -> None:
    """S17: and not sixty-four times, during which no stop would be heard."""

    def took_s(statements: int) -> float:
        apart, began_s = GoalSplitter(), time.process_time()
        for _ in range(statements):
            apart.plan("g('chair');")
        return time.process_time() - began_s

    assert min(took_s(24_000) for _ in range(3)) < 24 * min(took_s(3_000) for _ in range(3))


def test_where_a_small_models_plan_parts_from_the_wish_it_asks_and_does_not_move() -> None:
    """G29"""
    events = flown("rise thirty centimetres", "mu(80)", terse=True)
    assert (ended(events).outcome, ended(events).reason[-1]) == ("asked", "?")
    assert "nobody said “0.8 m”" in ended(events).reason
    assert not [e for e in events if isinstance(e, ev.TaskStarted)]


def test_a_plan_that_declines_leaves_out_what_was_said_and_one_that_moves_first_may_not() -> None:
    """G29"""
    declined = ended(flown("purple marmalade", "l('I did not understand.');->False", terse=True))
    assert (declined.outcome, declined.reason) == ("not_achieved", "I did not understand.")
    moved = flown("purple marmalade", "mu(80);->False", terse=True)
    assert ended(moved).outcome == "asked" and not any(isinstance(e, ev.TaskStarted) for e in moved)


def test_a_large_models_plan_is_told_and_not_refused() -> None:
    """G29"""
    events = flown("take a photo from higher up", "mu(80)")
    assert ended(events).outcome == "achieved"
    assert next(understood(events)).left_out == ended(events).left_out == ("photo",)


def test_what_is_minded_by_other_means_is_not_left_out() -> None:
    """G27"""
    told = list[ev.Event]()
    mind = Understanding(
        lambda: Request("take a photo of the red chair", core="take a photo of the red chair"),
        SkillSet,
        Watch(SkillSet),
        told.append,
    )
    for heeds, left_out in (((), ("red",)), (("red",), ())):
        mind.given(parse(f"want picture(chair, {len(heeds) + 1} m)"), Scene(), heeds=heeds)
        assert mind.left_out == left_out
    assert [e.left_out for e in told if isinstance(e, ev.Understood)] == [("red",), ()]


def test_the_verdict_is_the_goal_on_what_was_observed() -> None:
    """G30"""
    end = ended(flown("go to the chair", "mu(50); want at(chair)"))
    assert (end.outcome, end.verified) == ("not_achieved", False)
    assert end.missing[0].startswith("at(chair): ")
    assert "short of the chair" in end.reason


def test_what_nothing_observes_is_said() -> None:
    """G30"""
    end = ended(flown("go to the piano", "mu(50); want at(piano)"))
    assert (end.outcome, end.verified) == ("achieved", False)
    assert end.unknown == ("I cannot tell whether I am at the piano: I saw no piano",)


def test_a_plan_that_does_and_says_nothing_achieves_nothing() -> None:
    """G31"""
    end = ended(flown("go to the piano if there is one", "?iv('piano'){g('piano')}"))
    assert (end.outcome, end.reason) == ("not_achieved", "I did nothing and said nothing.")


DONE = '{"next_action": "done"}'


def stepped(wish: str, *answers: str) -> ev.MissionEnded:
    """How a wish ends in the office, planned step by step by a double that answers so."""

    def planner(model: Model) -> Stepwise:
        return Stepwise(model, stepwise_prompt)

    async def main() -> list[ev.Event]:
        async with Agent(world=make("office", seed=3), model=Scripted(list(answers)), planner=planner) as agent:
            return [event async for event in agent.say(wish)]

    return ended(SimClock().run(main()))


def first(step: str, want: str = "") -> str:
    return json.dumps({"action_list": [step, "done"], "first_action": step, "want": want})


@pytest.mark.parametrize(
    "answers",
    [
        [DONE, DONE],
        [first("is_visible(chair)"), DONE],
        [first("orienting(piano)"), DONE, DONE, DONE],
        [first("is_visible(chair)", "want found(piano)"), DONE, DONE, DONE, DONE, DONE],
    ],
    ids=["nothing", "a look", "a step that failed", "a goal that nobody can tell of"],
)
def test_steps_that_do_and_say_nothing_achieve_nothing(answers: list[str]) -> None:
    """G31: whatever planner says that it is done."""
    end = stepped("take the chair's picture", *answers)
    assert (end.outcome, end.reason) == ("not_achieved", "I did nothing and said nothing.")


def test_what_is_so_already_need_not_be_done() -> None:
    """G31"""
    end = stepped("see to it that the chair is in view", first("is_visible(chair)", "want sees(chair)"), DONE)
    assert (end.outcome, end.verified) == ("achieved", True)


def test_a_planner_that_steers_and_does_nothing_achieves_nothing() -> None:
    """G31"""

    class Content:
        """A double that finds everything well as it is."""

        name, steers = "content", True

        async def act(self, session: Session) -> End:
            await session.look()
            return End(True, "the state is another one than at the request")

    async def main() -> list[ev.Event]:
        async with Agent(world=make("soccer", seed=3), planner=Content()) as agent:
            return [event async for event in agent.say("kick the ball")]

    end = ended(SimClock().run(main()))
    assert (end.outcome, end.reason) == ("not_achieved", "I did nothing and said nothing.")


def test_a_false_clause_is_heard_and_mended() -> None:
    """G32"""
    events = flown("go to the chair", "mu(50); want at(chair)", "g('chair')")
    end = ended(events)
    assert (end.outcome, end.verified, end.replans) == ("achieved", True, 1)
    (again,) = (e for e in events if isinstance(e, ev.Replanned))
    assert again.reason.startswith("I stopped ") and again.reason.endswith(" short of the chair.")
    mend = [e for e in events if isinstance(e, ev.Prompted)][-1].messages[-1][1]
    assert f"To mend:\n| {again.reason}\n" in mend


def test_a_model_that_hears_what_is_missing_cannot_wish_for_less() -> None:
    """G32"""
    end = ended(flown("go to the chair", *["mu(50); want at(chair)", "mu(20); want moved(up, 20 cm)"]))
    assert (end.outcome, end.goal) == ("not_achieved", "want at(chair)")
    assert end.missing[0].startswith("at(chair): ")


def test_what_is_missing_is_told_a_few_times_and_no_more() -> None:
    """G32"""
    events = flown("go to the chair", *["mu(30); want at(chair)"] * 9)
    assert sum(isinstance(e, ev.Replanned) for e in events) == MENDS_MAX
    assert ended(events).outcome == "not_achieved"


def test_what_a_composed_skill_came_to_is_evidence() -> None:
    """G26"""
    events = flown("is there a piano anywhere?", "to;?s('piano')==True{l('yes')}:{l('no')}; want not found(piano)")
    (came,) = (e for e in events if isinstance(e, ev.SkillEnded))
    assert (came.skill, came.args, came.value) == ("scan", ("piano",), False)
    assert (ended(events).outcome, ended(events).verified) == ("achieved", True)


def test_all_of_them_is_known_after_a_look_all_round() -> None:
    """G26"""
    plan = "to;?s('piano')==True{l('a piano')};g('chair'); want each(all chair) { visited(it) }"
    searched, looked_round, not_looked = (
        ended(flown("go to all chairs", plan.replace("?s('piano')==True{l('a piano')}", looks)))
        for looks in ("?s('piano')==True{l('a piano')}", "lr", "d(1)")
    )
    assert not not_looked.verified and "may be another chair" in not_looked.unknown[0]
    assert searched.unknown == looked_round.unknown == ()


@pytest.mark.parametrize(
    ("command", "outcome", "missing"),
    [
        ("up 30 cm, right 50 cm, wait 2 seconds and go down 20 cm", "achieved", ""),
        ("if you see a piano, go to it, otherwise turn left", "achieved", ""),
        ("three times: up 30 cm, down 30 cm", "achieved", ""),
        ("find the piano", "not_achieved", "found(piano): I saw no piano"),
    ],
)
def test_a_plain_command_is_judged_by_its_goal(command: str, outcome: str, missing: str) -> None:
    """G30, G37"""

    async def main() -> list[ev.Event]:
        async with Agent(world=make("office", seed=3)) as agent:
            return [event async for event in agent.say(command)]

    events = SimClock().run(main())
    end = ended(events)
    assert (end.outcome, end.verified, "".join(end.missing)) == (outcome, outcome == "achieved", missing)
    assert next(understood(events)).left_out == ()


def test_of_a_wish_that_nobody_understood_the_goal_is_what_was_done() -> None:
    """G38"""

    end = stepped("go up a bit", first("move_up(50)"), DONE)
    assert (end.outcome, end.goal, end.verified) == ("achieved", "want moved(up, 0.5 m)", False)
    assert end.unknown == (ONLY_DONE,)
