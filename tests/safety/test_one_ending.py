"""One wish has one ending, whatever breaks (docs/safety.md)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Any

import pytest
from trolley import Trolley, ended, from_call, mending, once, say

from sayso import Range, skill
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import RobotError, UsageError
from sayso.events import Event, PlanEnded, TaskStarted
from sayso.models.scripted import Scripted
from sayso.planners.text_planner import TextPlanner
from sayso.roles import End, Session
from sayso.task import Task


def test_what_was_pursued_ends_with_its_mission_even_in_an_error() -> None:
    """S15."""

    class Chaser:
        name, steers = "chaser", True

        async def act(self, session: Session) -> End:
            session.pursue([Task("roll", (0.5,))])
            await asyncio.sleep(1.0)
            raise RobotError("the camera is gone")

    robot = Trolley()
    events = say(["_"], robot, planner=Chaser())[0]
    assert ended(events).outcome == "error" and robot.speed_mps == 0 and robot.x_m > 0.4


def test_leaving_by_break_ends_the_mission_and_latches_nothing() -> None:
    """S7: the next wish works, and a robot that cannot stay where it is comes to its resting state."""
    robot = Trolley()

    async def run() -> list[Event]:
        agent = Agent(robot, model=Scripted(["roll(0.1)", "drive(1)"]))
        async for event in agent.say("go"):
            if isinstance(event, TaskStarted):
                break
        return [e async for e in agent.say("again")]

    events = SimClock().run(run())
    assert ended(events).outcome == "achieved" and robot.calls["rest"] >= 1


def test_a_plain_function_may_approve() -> None:
    """S13."""
    assert ended(say(["drive(1)"], Trolley(), approve=lambda plan: True)[0]).outcome == "achieved"
    refused = ended(say(["drive(1)"], Trolley(), approve=lambda plan: 1 / 0)[0])
    assert refused.outcome == "refused" and "ZeroDivisionError" in refused.reason


def test_tasks_that_nobody_can_approve_are_not_pursued() -> None:
    """S13: who wants to approve what a robot does is not passed over by a planner that writes no plan."""

    class Chaser:
        name, steers = "chaser", True

        async def act(self, session: Session) -> End:
            session.pursue([Task("roll", (0.5,))])
            await asyncio.sleep(1.0)
            return End()

    robot = Trolley()
    events = say(["_"], robot, planner=Chaser(), approve=lambda plan: True)[0]
    assert ended(events).outcome == "refused" and "no plan to approve" in ended(events).reason
    assert robot.speed_mps == 0 and not any(isinstance(e, TaskStarted) for e in events)


def test_two_wishes_at_once_are_one_mission_and_one_refusal() -> None:
    """S13."""

    async def run() -> tuple[list[Any], int]:
        agent = Agent(Trolley(), model=Scripted(["drive(1)"] * 2))

        async def wish() -> list[Event]:
            return [e async for e in agent.say("go")]

        both = await asyncio.gather(wish(), wish(), return_exceptions=True)
        return list(both), 0

    both, _ = SimClock().run(run())
    stories = [b for b in both if isinstance(b, list)]
    assert len(stories) == 1 and ended(stories[0]).outcome == "achieved"
    assert isinstance(next(b for b in both if not isinstance(b, list)), UsageError)


def test_a_robot_that_cannot_be_reached_ends_the_mission() -> None:
    """S13: and the next wish works once it can."""
    robot = Trolley(open=once(1, OSError("no route to host")))
    first, second = say(["drive(1)"] * 2, robot, wishes=2)
    assert ended(first).outcome == "error" and ended(first).reason == "the robot: no route to host"
    assert ended(second).outcome == "achieved"


def test_one_robot_has_one_agent() -> None:
    """S14."""

    async def run() -> None:
        robot = Trolley()
        async with Agent(robot, model=Scripted([])):
            other = Agent(robot, model=Scripted([]))
            with pytest.raises(UsageError, match="an agent already"):
                await other.open()

    SimClock().run(run())


def test_a_battery_that_is_low_while_a_mission_ends_lands_the_robot_once() -> None:
    """S12: whoever brings it to rest first does it, others wait; close() always reaches the adapter's."""

    class Lands(Trolley):
        landing = False

        async def rest(self) -> None:
            self._called("rest")
            if self.landing:
                raise RobotError("another motion took over")
            self.landing = True
            await asyncio.sleep(3.0)
            self.landing, self.resting = False, True

    robot = Lands()

    async def run() -> None:
        async with Agent(robot, model=Scripted(["drive(2)"])) as agent:
            async for event in agent.say("go"):
                if isinstance(event, TaskStarted):
                    asyncio.get_running_loop().call_later(1.9, setattr, robot, "charge", 0.1)
        assert robot.resting and robot.speed_mps == 0

    SimClock().run(run())
    assert robot.calls["rest"] == robot.calls["close"] == 1


def test_close_reaches_the_adapter_and_a_failed_rest_is_told() -> None:
    """S12."""
    robot = Trolley(rest=from_call(1, RobotError("it does not land")))

    async def run() -> None:
        with pytest.raises(RobotError, match="it does not land"):
            async with Agent(robot, model=Scripted(["drive(1)"])) as agent:
                async for _ in agent.say("go"):
                    pass

    SimClock().run(run())
    assert robot.calls["close"] == 1


def test_a_world_that_breaks_ends_the_mission() -> None:
    """S13."""

    class Place:
        name = "place"

        def __init__(self) -> None:
            self.robot = Trolley()
            self.perception = None

        async def run(self) -> None:
            await asyncio.sleep(0.5)
            raise RuntimeError("the physics exploded")

    async def run() -> list[Event]:
        agent = Agent(world=Place(), model=Scripted(["roll(0.1)"]))  # type: ignore[arg-type]
        return [e async for e in agent.say("go")]

    events = SimClock().run(run())
    assert ended(events).outcome == "error" and "the physics exploded" in ended(events).reason


def test_a_planner_that_swallows_its_cancellation_is_left_behind() -> None:
    """S13."""

    class Deaf(TextPlanner):
        name = "deaf"

        async def plan(self, brief: Any) -> AsyncIterator[str]:
            for _ in range(2):
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.sleep(600)
            yield "drive(1)"

    async def run() -> tuple[list[Event], float]:
        agent = Agent(Trolley(), planner=Deaf())
        asyncio.get_running_loop().call_later(1.0, agent.stop, "key")
        return [e async for e in agent.say("go")], asyncio.get_running_loop().time()

    events, at_s = SimClock().run(run())
    assert ended(events).outcome == "stopped" and at_s < 10
    assert not any(isinstance(e, TaskStarted) for e in events)


def test_a_plan_that_only_computes_hears_a_stop_and_ends() -> None:
    """S5: nothing of ours blocks the loop."""
    turns = 0

    async def count(agent: Agent) -> None:
        nonlocal turns
        while agent.mission:
            turns += 1
            await asyncio.sleep(0)

    async def stop(agent: Agent) -> None:
        while not agent.mission:
            await asyncio.sleep(0)
        for _ in range(5):
            await asyncio.sleep(0)
        agent.stop("key")

    heavy = "_1=1;1000{9{_2=" + "+".join(["_1"] * 400) + "}}"
    events = say([heavy], Trolley(), planner=mending(0), meanwhile=count)[0]
    assert ended(events).outcome == "not_achieved" and "computed" in ended(events).reason
    assert turns > 50
    events = say([heavy], Trolley(), planner=mending(0), meanwhile=stop)[0]
    assert ended(events).outcome == "stopped" and all(e.how == "cut" for e in events if isinstance(e, PlanEnded))


def test_nested_loops_end_and_are_not_looked_ahead_for_ever() -> None:
    """S5."""
    events = say(["drive(1);1000{1000{1000{}}}"], Trolley(), planner=mending(0))[0]
    assert ended(events).outcome == "not_achieved" and "without ending" in ended(events).reason


def test_a_driver_that_raises_what_the_system_raised_is_a_fault_of_the_robot() -> None:
    """S13: an adapter need not put the errors of its sockets in others; a bug is still told as one."""

    class Wired(Trolley):
        @skill(uses="wheels")
        async def call(self, number: Annotated[int, Range(0, 1)]) -> None:
            """Call the wheels."""
            raise (ConnectionResetError("reset by peer"), ZeroDivisionError("a bug"))[number]

    broken, bug = (ended(say([f"call({n})"], Wired(), planner=mending(0))[0]) for n in (0, 1))
    assert (broken.outcome, bug.outcome) == ("not_achieved", "error")
    assert "the robot: ConnectionResetError: reset by peer" in broken.reason
