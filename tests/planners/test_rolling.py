"""The rolling planner: rounds, changes of mind, failures, and when it is over."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from retold import ran
from rolling_desk import Desk, Slow, answers, keep_turning, steer

from sayso.errors import ModelBroke, ModelUnavailable
from sayso.planners.rolling import Rolling
from sayso.prompts import rolling_prompt
from sayso.robots.humanoid.ball import Ball
from sayso.roles import Planner
from sayso.scene import Pose

WAVE, TURN = "Task: Wave Priority: 1", "Task: TurnOnSpot Priority: 1"
WALK_KICK = "Task: WalkToBall Priority: 1\nTask: KickBall Priority: 2"


def test_it_fulfils_the_contract() -> None:
    assert isinstance(Rolling(Slow(answers("Done")), rolling_prompt), Planner)


def test_it_asks_every_two_seconds_and_pursues_what_it_hears() -> None:
    desk, model = Desk(), Slow(answers(TURN, WALK_KICK, WAVE), latency_s=0.5)
    steer(desk, model, lambda: keep_turning(desk), at_most_s=7.0)
    assert model.times == [0.0, 2.0, 4.0, 6.0]
    assert desk.names == [["TurnOnSpot"], ["WalkToBall", "KickBall"], ["Wave"], ["Wave"]]
    assert [t.priority for t in desk.packs[1][1]] == [1, 2]
    assert all(t.optional for _, pack in desk.packs for t in pack)


def test_one_call_in_flight_at_most_however_slow_the_model() -> None:
    desk, model = Desk(), Slow(answers(TURN), latency_s=3.3)
    steer(desk, model, lambda: keep_turning(desk), at_most_s=20.0)
    assert model.most_open == 1
    assert model.times[:4] == [0.0, 3.3, 6.6, 9.9], "the next call begins when the late one has ended"


def test_what_goes_on_keeps_its_task_and_what_is_done_is_wanted_anew() -> None:
    desk, model = Desk(), Slow(answers(WALK_KICK))

    async def script() -> None:
        await asyncio.sleep(5.5)
        desk.ended.append(ran("KickBall: done"))
        await keep_turning(desk)

    steer(desk, model, script, at_most_s=8.0)
    first, second, third, fourth = ({t.type: t for t in pack} for _, pack in desk.packs)
    assert second["WalkToBall"] is first["WalkToBall"] and second["KickBall"] is first["KickBall"]
    assert third["KickBall"] is second["KickBall"]
    assert fourth["WalkToBall"] is first["WalkToBall"]
    assert fourth["KickBall"] is not third["KickBall"]


def test_what_ends_while_the_model_thinks_is_not_wanted_anew_by_that_answer() -> None:
    desk, model = Desk(), Slow(answers(WALK_KICK))

    async def script() -> None:
        await asyncio.sleep(2.5)
        desk.ended.append(ran("KickBall: done"))
        await keep_turning(desk)

    steer(desk, model, script, at_most_s=6.0)
    assert desk.names == [["WalkToBall", "KickBall"], ["WalkToBall"], ["WalkToBall", "KickBall"]]


def test_a_new_priority_is_a_new_task() -> None:
    desk, model = Desk(), Slow(answers(WAVE, "Task: Wave Priority: 4"))
    steer(desk, model, lambda: keep_turning(desk), at_most_s=4.5)
    (first,), (second,) = (pack for _, pack in desk.packs)
    assert (first.priority, second.priority) == (1, 4)


def test_a_task_given_up_by_the_planner_itself_is_not_over_when_it_asks_again() -> None:
    desk, model = Desk(), Slow(answers(TURN))

    async def script() -> None:
        await asyncio.sleep(3.0)
        desk.ended.append(ran("TurnOnSpot: preempted the planner, which wants it no longer"))
        await keep_turning(desk)

    steer(desk, model, script, at_most_s=8.0)
    assert len({id(pack[0]) for _, pack in desk.packs}) == 1


# The request changes


@pytest.mark.parametrize("at_s", [0.1, 0.9, 1.05, 1.5, 1.95, 2.4])
def test_a_changed_request_is_asked_about_at_once_and_the_old_answer_dropped(at_s: float) -> None:
    desk = Desk("turn")
    model = Slow(lambda prompt: WAVE if "| wave" in prompt.messages[-1][1] else TURN, latency_s=1.0)

    async def script() -> None:
        await asyncio.sleep(at_s)
        desk.request = "wave"

    steer(desk, model, script, at_most_s=at_s + 2.0)
    waves = [at for at, pack in desk.packs if [t.type for t in pack] == ["Wave"]]
    assert waves and waves[0] - at_s <= 1.0 + 0.25 + 1e-6, "watch interval and one answer"
    assert all(at <= at_s + 1e-6 for at, pack in desk.packs if pack[0].type == "TurnOnSpot")
    assert model.most_open == 1


def test_the_dropped_answer_is_told_to_the_operator() -> None:
    desk, model = Desk("turn"), Slow(answers(TURN))

    async def script() -> None:
        await asyncio.sleep(0.5)
        desk.request = "wave"

    steer(desk, model, script, at_most_s=1.0)
    assert any("dropped" in said for said in desk.said)


def test_the_old_tasks_stay_until_the_new_request_is_answered_and_go_on_where_asked_again() -> None:
    desk, model = Desk("turn"), Slow(answers(TURN, TURN))

    async def script() -> None:
        await asyncio.sleep(1.5)
        desk.request = "go on turning"

    steer(desk, model, script, at_most_s=3.5)
    assert () not in [pack for _, pack in desk.packs]
    assert desk.packs[0][1][0] is desk.packs[1][1][0]


@pytest.mark.parametrize("request_", ["Wave to me", "Wave to me.", "  Wave to me .\n"])
def test_a_full_stop_makes_no_difference(request_: str) -> None:
    desk, model = Desk(request_), Slow(answers(WAVE))
    steer(desk, model, at_most_s=1.0)
    assert model.texts()[0].endswith("Request:\n| Wave to me\nAnswer:")


def test_adding_a_full_stop_is_no_change() -> None:
    desk, model = Desk("turn"), Slow(answers(TURN))

    async def script() -> None:
        await asyncio.sleep(0.5)
        desk.request = "turn."

    steer(desk, model, script, at_most_s=1.8)
    assert len(model.asked) == 1 and model.whole == 1


# Wrong answers


def test_unknown_and_doubled_tasks_are_refused_and_told_at_the_next_prompt() -> None:
    desk = Desk()
    model = Slow(answers(f"Task: Jump Priority: 3\n{WAVE}\n{WAVE}", WAVE, WAVE))
    steer(desk, model, lambda: keep_turning(desk), at_most_s=5.5)
    assert desk.names == [["Wave"], ["Wave"], ["Wave"]]
    _, second, third = model.texts()
    assert "Not accepted:\n| Jump, which is no task" in second and "Wave twice" in second
    assert "Not accepted" not in third
    assert sum("Jump" in said for said in desk.said) == 1


@pytest.mark.parametrize("bad", ["", "Walk to it.", "Task: Jump Priority: 1", "Task: Wave Priority: none", "x" * 10**5])
def test_an_answer_without_a_good_task_keeps_the_last_plan(bad: str) -> None:
    desk, model = Desk(), Slow(answers(TURN, bad))
    steer(desk, model, lambda: keep_turning(desk), at_most_s=5.0)
    assert desk.names == [["TurnOnSpot"]]
    assert len(model.asked) == 3
    assert any("not accepted" in said for said in desk.said)


def test_nobody_reads_an_endless_answer_to_its_end() -> None:
    desk, model = Desk(), Slow(answers("Task: Wave Priority: 1\n" * 10**5))
    steer(desk, model, lambda: keep_turning(desk), at_most_s=3.0)
    assert model.whole == 0 and model.open == 0


# Failed calls


@pytest.mark.parametrize("error", [ModelUnavailable("no route"), ModelBroke("cut", "Task: Wa")])
def test_a_failed_call_keeps_the_last_plan(error: Exception) -> None:
    desk, model = Desk(), Slow(answers(TURN, error, WAVE))
    steer(desk, model, lambda: keep_turning(desk), at_most_s=5.5)
    assert desk.names == [["TurnOnSpot"], ["Wave"]]
    assert any(str(error) in said for said in desk.said)


def test_a_call_that_hangs_is_ended_and_counts_as_failed() -> None:
    desk, model = Desk(), Slow(answers(WAVE), latency_s=1e6)
    steer(desk, model, lambda: keep_turning(desk), at_most_s=25.0)
    assert model.times == [0.0, 10.0, 20.0]
    assert model.most_open == 1
    assert desk.packs == []


def test_when_no_call_succeeds_and_nothing_happens_the_models_error_climbs() -> None:
    desk = Desk()
    with pytest.raises(ModelUnavailable, match="no route"):
        steer(desk, Slow(answers(ModelUnavailable("no route"))))


def test_an_outage_while_the_last_tasks_still_get_somewhere_does_not_end_it() -> None:
    desk, model = Desk(), Slow(answers(TURN, *[ModelUnavailable("no route")] * 5, WAVE))
    steer(desk, model, lambda: keep_turning(desk), at_most_s=14.0)
    assert desk.names == [["TurnOnSpot"], ["Wave"]]


def test_leaving_it_ends_the_open_call() -> None:
    desk, model = Desk(), Slow(answers(WAVE), latency_s=5.0)
    assert steer(desk, model, at_most_s=2.0) is None
    assert model.open == 0


# When it is over


def test_three_rounds_without_progress_end_it() -> None:
    desk, model = Desk(), Slow(answers(TURN))
    met, reason = steer(desk, model) or (None, "")
    assert met is False
    assert "no further in 3 rounds" in reason
    assert len(model.asked) == 4, "the first round brought a new task"


def test_turning_once_around_is_progress_and_turning_for_ever_is_not() -> None:
    desk, model = Desk(), Slow(answers(TURN))

    async def script() -> None:
        while True:
            await asyncio.sleep(0.1)
            desk.pose = desk.pose.moved(turn_rad=0.05)

    met, reason = steer(desk, model, script) or (None, "")
    assert met is False and "no further" in reason
    assert 6 <= len(model.asked) <= 12, "a whole turn takes 12.6 s"


def test_that_time_goes_by_is_no_progress() -> None:
    desk, model = Desk(), Slow(answers(TURN))

    async def script() -> None:
        for n in range(1000):
            await asyncio.sleep(0.1)
            desk.ball = Ball(False, n / 10, 1.2 + n % 7 / 100)

    met, _ = steer(desk, model, script) or (None, "")
    assert met is False
    assert len(model.asked) <= 6


def test_the_same_end_in_the_same_place_again_and_again_is_no_progress() -> None:
    desk, model = Desk(), Slow(answers(WALK_KICK))

    async def script() -> None:
        while True:
            await asyncio.sleep(2.0)
            desk.ended.append(ran("WalkToBall: done"))

    met, _ = steer(desk, model, script) or (None, "")
    assert met is False
    assert len(model.asked) <= 6


def test_done_counts_after_a_task_was_done() -> None:
    desk, model = Desk(), Slow(answers(WALK_KICK, WALK_KICK, "Done"))

    async def script() -> None:
        await asyncio.sleep(3.0)
        desk.ended.append(ran("KickBall: done"))

    assert steer(desk, model, script) == (True, f"going by {model.name}, it is done (KickBall: done)")


def test_done_counts_after_a_lasting_task_has_gone_on() -> None:
    desk, model = Desk(), Slow(answers(WAVE, WAVE, "Done"))
    met, reason = steer(desk, model) or (None, "")
    assert met is True and "Wave has gone on" in reason


def test_done_counts_when_the_state_is_another_one() -> None:
    desk, model = Desk(), Slow(answers("Task: WalkToBall Priority: 1", "Done"))

    async def script() -> None:
        await asyncio.sleep(1.5)
        desk.ball = Ball(True, 0.0, 1.0)

    met, reason = steer(desk, model, script) or (None, "")
    assert met is True and "state" in reason


@pytest.mark.parametrize("first", ["Done", "Task: KickBall Priority: 1"])
def test_the_models_word_alone_never_ends_it_as_met(first: str) -> None:
    desk, model = Desk(), Slow(answers(first, "Done"))
    met, reason = steer(desk, model) or (None, "")
    assert met is False
    assert "nothing has happened" in reason
    assert any("Not accepted:\n| Done" in text for text in model.texts())
    assert len(model.asked) >= 3


def test_an_end_that_nobody_asked_for_is_no_evidence() -> None:
    desk, model = Desk(ended=[ran("KickBall: done")]), Slow(answers("Done"))
    met, _ = steer(desk, model) or (None, "")
    assert met is False


def test_what_was_done_for_the_earlier_request_does_not_meet_the_next() -> None:
    desk = Desk("kick")
    model = Slow(lambda prompt: "Done" if "| sing" in prompt.messages[-1][1] else WALK_KICK)

    async def script() -> None:
        await asyncio.sleep(3.0)
        desk.ended.append(ran("KickBall: done"))
        await asyncio.sleep(0.5)
        desk.request = "sing"

    met, _ = steer(desk, model, script) or (None, "")
    assert met is False


def test_cannot_takes_the_tasks_back_and_ends_it_as_not_met() -> None:
    desk, model = Desk("jump"), Slow(answers("Cannot"))
    met, reason = steer(desk, model) or (None, "")
    assert met is False
    assert "I cannot do “" in reason
    assert desk.names == [[], [], []]


def test_one_wrong_cannot_does_not_end_it() -> None:
    desk, model = Desk(), Slow(answers("Cannot", WAVE, WAVE, "Done"))
    met, _ = steer(desk, model) or (None, "")
    assert met is True


def test_the_prompt_tells_for_how_long_and_what_has_ended() -> None:
    desk, model = Desk(), Slow(answers(WALK_KICK))

    async def script() -> None:
        await asyncio.sleep(3.5)
        desk.ended.append(ran("KickBall: done"))

    steer(desk, model, script, at_most_s=5.0)
    first, second, third = model.texts()
    assert "Earlier answer" not in first
    assert "| WalkToBall: pursued for 1 s" in second
    assert "| KickBall: done\n| WalkToBall: pursued for 3 s" in third
    assert "KickBall: done" not in third.partition("State:")[2], "what ended is no state"


def test_a_bug_in_the_brief_is_not_swallowed() -> None:
    desk: Any = Desk()

    async def broken() -> None:
        raise LookupError("no robot")

    desk.look = broken
    with pytest.raises(LookupError):
        steer(desk, Slow(answers(WAVE)))


def test_standing_at_a_border_is_no_motion() -> None:
    """Noise of a few centimetres makes no new state, wherever it happens."""
    desk, model = Desk(), Slow(answers(TURN))

    async def script() -> None:
        for n in range(1000):
            await asyncio.sleep(0.05)
            desk.pose = Pose(0.25 + 0.04 * (n % 3 - 1), 0.0, 0.0, 0.1 * (n % 2))

    met, _ = steer(desk, model, script) or (None, "")
    assert met is False
    assert len(model.asked) == 4
