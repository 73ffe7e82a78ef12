"""What `import sayso` gives: a list that is kept, costs nothing, and is enough for a robot of one's own."""

from __future__ import annotations

import asyncio
import importlib
import subprocess
import sys
import time
from typing import Annotated

import pytest

import sayso
from sayso.events import AnswerEnded, Prompted, TaskStarted
from sayso.worlds import make

PUBLIC = [
    "Agent", "Brief", "Choice", "End", "Limits", "Memory", "Model", "Perception", "PlaceName", "Planner", "Pose", "Ran",
    "Range", "Result", "Robot", "RobotError", "RobotState", "SaysoError", "Scene", "Session", "SimClock", "Skill",
    "SkillFailed", "SkillSet", "TextPlanner", "Thing", "ThingName", "UsageError", "WallClock", "Wish", "World", "Zone",
    "__version__", "connect", "skill", "skills_for", "sync",
]  # fmt: skip


class Rover(sayso.Robot):
    """Two wheels on a table top, by the public names alone."""

    name = "rover"
    limits = sayso.Limits(zone=sayso.Zone(x_min_m=0.0, x_max_m=1.0))
    pose = sayso.Pose()

    def state(self) -> sayso.RobotState:
        return sayso.RobotState(self.pose, summary="standing")

    async def halt(self) -> None:
        """It stands whenever nobody drives it."""

    @sayso.skill(uses="base", path=lambda pose, distance_cm: [pose.moved(forward_m=distance_cm / 100)])
    async def forward(self, distance_cm: Annotated[float, sayso.Range(5, 500)]) -> float:
        """Drive straight ahead; how far it is from the edge then."""
        await asyncio.sleep(distance_cm / 20)
        self.pose = self.pose.moved(forward_m=distance_cm / 100)
        return 1.0 - self.pose.x_m


def test_the_list_is_the_list() -> None:
    assert sorted(sayso.__all__) == sorted(PUBLIC) == sorted(dir(sayso))
    for name in PUBLIC:
        assert getattr(sayso, name) is not None
    with pytest.raises(AttributeError, match="no 'Manager'"):
        sayso.Manager  # noqa: B018


def test_to_import_it_brings_no_library_along() -> None:
    heavy = "import sayso, sys; print([m for m in ('mujoco', 'numpy', 'openai', 'asyncio') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True).stdout.strip() == "[]"


def test_a_wish_and_what_came_of_it() -> None:
    async def go() -> list[sayso.Result]:
        async with sayso.Agent(Rover()) as agent:
            return [await agent.do(wish) for wish in ("drive forward half a metre", "drive forward 60 cm", "dance")]

    done, refused, unread = sayso.SimClock().run(go())
    assert done and (done.outcome, done.reason, done.answer, done.said) == (
        "achieved",
        "I moved forward 50 cm.",
        0.5,
        (),
    )
    assert done.ended.c_time_s == pytest.approx(2.5) and any(isinstance(e, TaskStarted) for e in done.events)
    assert not refused and refused.outcome == "not_achieved" and "geofence" in refused.reason
    assert unread.outcome == "refused" and str(unread).startswith("refused: ")


def test_a_model_may_be_named() -> None:
    with pytest.raises(sayso.UsageError, match="there is no model"):
        sayso.Agent(Rover(), model="nonsense:x")


def test_what_can_be_asked_for_without_an_agent() -> None:
    assert set(sayso.skills_for(Rover())) == {"forward", "log", "probe", "time"}
    office = make("office")
    assert {"goto", "take_picture"} <= set(sayso.skills_for(office.robot, office.perception))


def test_calls_that_wait_for_scripts_and_notebooks() -> None:
    with sayso.sync.Agent(Rover(), clock=sayso.SimClock()) as agent:
        assert agent.do("drive forward half a metre").answer == 0.5
        agent.stop("key")
        assert agent.do("drive forward 5 cm").outcome == "stopped"
        agent.release("me")
        assert agent.do("drive forward 10 cm")
        assert "forward" in agent.skills
    agent.close()


def test_they_work_inside_a_running_loop_and_errors_come_back() -> None:
    async def notebook() -> str:
        with sayso.sync.Agent(Rover(), clock=sayso.SimClock()) as agent:
            return agent.do("drive forward 20 cm").outcome

    assert asyncio.run(notebook()) == "achieved"
    with pytest.raises(sayso.UsageError, match="an agent needs a robot"):
        sayso.sync.Agent()


def test_the_clock_is_found_and_a_model_charges_it_what_it_took() -> None:
    """On simulated time the world waits for the embedded model as long as that took, and no longer."""

    async def go() -> tuple[sayso.Result, float]:
        model = sayso.connect("pocket")
        async with sayso.Agent(world=make("office"), model=model) as agent:
            began_s = time.monotonic()
            return await agent.do("fly forward one metre"), time.monotonic() - began_s

    result, took_s = sayso.SimClock().run(go())
    asked, answered = (next(e.at_s for e in result.events if isinstance(e, k)) for k in (Prompted, AnswerEnded))
    assert 0.005 < answered - asked < took_s + 0.1


def test_a_module_by_its_old_name_is_found_for_one_version_with_the_new_one_told():
    with pytest.warns(DeprecationWarning, match=r"sayso\.parts is called sayso\.roles"):
        old = importlib.import_module("sayso.parts")
    assert old.Robot is sayso.Robot
    sys.modules.pop("sayso.parts")
