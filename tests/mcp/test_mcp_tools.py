"""What another program can do with a robot, and what it cannot. The client is the SDK's own."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path

import pytest
from mcp_house import House, served
from rich.console import Console

from sayso.memory.journal import Journal
from sayso.roles import RobotState
from sayso.terminal.replay import replay

TOOLS = {"say", "check_plan", "run_plan", "stop", "why", "where"}


async def until_it_flies(house: House) -> None:
    while house.agent.robot.state().resting:
        await asyncio.sleep(0.1)


def test_there_are_six_tools_and_none_releases_approves_or_changes_a_limit(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        assert {tool.name for tool in (await house.client.list_tools()).tools} == TOOLS
        for name in ("release", "approve", "set_limits"):
            assert await house.call(name) == f"Unknown tool: {name}"

    served(tmp_path, play)


def test_a_wish_is_done_and_told_while_it_goes_on(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        report = await house.call("say", wish="take off and turn left 90 degrees")
        assert (report["outcome"], report["verified"]) == ("achieved", True)
        marks = [line.partition(": ")[0] for line in house.told]
        assert (marks[0], marks.count("done"), marks[-1]) == ("wish", 2, "end")
        assert house.agent.robot.state().pose.yaw_rad > math.radians(80)
        assert "“take off and turn left 90 degrees”" in await house.call("why")

    served(tmp_path, play)


def test_a_skill_is_a_tool_only_where_that_was_asked_for_and_its_range_is_in_the_schema(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        tools = {tool.name: tool for tool in (await house.client.list_tools()).tools}
        assert len(tools) > len(TOOLS)
        assert "skill_release" not in tools
        distance = tools["skill_move_forward"].input_schema["properties"]["distance_cm"]
        assert (distance["type"], distance["minimum"], distance["maximum"]) == ("number", 1, 500)
        before = house.agent.robot.state().pose
        assert "less than or equal to 500" in await house.call("skill_move_forward", distance_cm=900)
        assert house.agent.robot.state().pose.distance_m(before) < 0.01
        assert (await house.call("skill_take_off"))["outcome"] == "achieved"
        assert (await house.call("skill_move_forward", distance_cm=50))["verified"]

    served(tmp_path, play, skills=True)


def test_a_plan_is_checked_before_it_runs_and_errors_point_at_their_place(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        good = await house.call("check_plan", plan="to; mf(50)")
        assert (good["admissible"], good["errors"]) == (True, [])
        for plan, why in (("take_off(); fly_away();", "unknown skill 'fly_away'"),
                          ("take_off(); 9{move_up(100);}", "altitude is at most 2.5 m")):  # fmt: skip
            assert why in (await house.call("check_plan", plan=plan))["errors"][0]
            assert why in await house.call("run_plan", plan=plan)
            assert house.agent.robot.state().resting
        assert (await house.call("run_plan", plan="take_off(); want airborne"))["goal"] == "want airborne"

    served(tmp_path, play)


def test_a_plan_that_was_run_is_replayed_from_its_record(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        assert (await house.call("run_plan", plan="take_off(); turn_cw(90);"))["outcome"] == "achieved"

    served(tmp_path, play)
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert replay(journal.events(journal.resolve()), Console(quiet=True)) is None


def test_whoever_cancels_has_left_the_robot_rests_and_nothing_is_latched(tmp_path: Path) -> None:
    """S7"""

    async def play(house: House) -> None:
        asked = asyncio.create_task(house.call("say", wish="take off and fly up 100 cm and wait 60 seconds"))
        await until_it_flies(house)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        again = await house.call("say", wish="take off")
        assert again["outcome"] == "achieved"

    served(tmp_path, play)
    with Journal(tmp_path / "journal.sqlite") as journal:
        left = journal.missions()[0]
    assert (left.outcome, left.reason) == ("stopped", "stopped by the listener left")


def test_a_stop_is_heard_at_once_and_only_a_person_releases_it(tmp_path: Path) -> None:
    """S2"""

    async def play(house: House) -> None:
        asked = asyncio.create_task(house.call("say", wish="take off and wait 60 seconds"))
        await until_it_flies(house)
        now_s = asyncio.get_running_loop().time()
        await house.call("stop")
        assert asyncio.get_running_loop().time() - now_s < 0.05
        assert (await asked)["outcome"] == "stopped"
        assert "a person has to release it" in (await house.call("say", wish="release; turn left"))["reason"]
        assert json.loads(await house.read("robot://state"))["stopped_by"] == "another program"
        house.agent.release("key")
        assert (await house.call("say", wish="turn left 90 degrees"))["outcome"] == "achieved"

    served(tmp_path, play)


def test_one_mission_runs_at_a_time_and_the_word_stop_is_obeyed_meanwhile(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        asked = asyncio.create_task(house.call("say", wish="take off and wait 60 seconds"))
        await until_it_flies(house)
        assert "a mission is running" in await house.call("say", wish="turn left")
        assert "a mission is running" in await house.call("run_plan", plan="land();")
        assert (await house.call("say", wish="stop"))["reason"] == "obeyed"
        assert (await asked)["outcome"] == "stopped"

    served(tmp_path, play)


def test_a_client_that_says_yes_to_everything_approves_nothing(tmp_path: Path) -> None:
    plans: list[str] = []

    async def nobody(plan: str) -> bool:
        plans.append(plan)
        return False

    async def play(house: House) -> None:
        assert (await house.call("say", wish="take off"))["outcome"] == "refused"
        report = await house.call("run_plan", plan="take_off();")
        assert (report["outcome"], report["reason"]) == ("refused", "the plan was not approved")
        assert (house.asked, plans) == ([], ["take_off", "take_off"])
        assert house.agent.robot.state().resting

    served(tmp_path, play, approve=nobody)


def test_a_stop_does_not_wait_for_an_approval(tmp_path: Path) -> None:
    """S1"""

    async def thinking(plan: str) -> bool:
        await asyncio.Event().wait()
        return True

    async def play(house: House) -> None:
        asked = asyncio.create_task(house.call("run_plan", plan="take_off();"))
        await asyncio.sleep(1.0)
        await house.call("stop")
        assert (await asked)["outcome"] == "stopped"

    served(tmp_path, play, approve=thinking)


def test_an_answer_goes_on_with_the_wish_that_was_asked_about(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        assert "nothing was asked" in await house.call("say", wish="the chair", answers=True)
        first = await house.call("say", wish="go")
        assert (first["outcome"], first["asked"][-1]) == ("asked", "?")
        second = await house.call("say", wish="the chair", answers=True)
        assert second["mission"] != first["mission"]
        assert "the chair" in (await house.read("mission://LAST/journal")).splitlines()[0]
        third = await house.call("say", wish="the chair", answers=True)
        assert ("nothing was asked" in third) == (second["outcome"] != "asked"), "only what still asks is answered"

    served(tmp_path, play)


def test_a_state_that_cannot_be_read_breaks_no_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> RobotState:
        raise OSError("a test double")

    async def play(house: House) -> None:
        monkeypatch.setattr(house.agent.robot, "state", broken)
        assert (await house.call("check_plan", plan="take_off()"))["admissible"]
        assert not json.loads(await house.read("robot://state"))["connected"]
        monkeypatch.undo()

    served(tmp_path, play)


def test_what_a_client_sends_is_bounded(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        assert "at most 2000 characters" in await house.call("say", wish="x" * 2001)
        assert "at most 20000 characters" in await house.call("run_plan", plan="to;" * 10_000)
        assert "at most 200 characters" in await house.call("where", thing="x" * 201)

    served(tmp_path, play)


def test_state_limits_scene_and_journal_can_be_read(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        state = json.loads(await house.read("robot://state"))
        assert RobotState().pose.__slots__ == tuple(state["pose"])
        limits = json.loads(await house.read("robot://limits"))
        assert (limits["altitude_max_m"], limits["cost_max_usd"]) == (2.5, None)
        await house.call("say", wish="take off")
        things = json.loads(await house.read("robot://scene"))["things"]
        assert "chair" in [thing["label"] for thing in things]
        kinds = [json.loads(line)["kind"] for line in (await house.read("mission://LAST/journal")).splitlines()]
        assert (kinds[0], kinds[-1]) == ("MissionStarted", "MissionEnded")
        assert "chair" in await house.call("where", thing="chair")

    served(tmp_path, play)
