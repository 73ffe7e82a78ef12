"""Skills that obey nobody, on a robot that checks nothing: they end where a stop, a fence or a mission does."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

import pytest
from trolley import BRAKE_MPS2, FENCE_M, SPEED_MPS, Trolley, ended, say

from sayso import Range, skill
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import MissionEnded, Stopped, TaskEnded, TaskStarted, Warned
from sayso.executive.guards import WATCH_S
from sayso.executive.halting import AGAIN_S
from sayso.limits import REST_MPS
from sayso.models.scripted import Scripted
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt
from sayso.roles import End, RobotState, Session
from sayso.scene import Pose
from sayso.task import Task

RADIUS_M = 2.0


class Rogue(Trolley):
    """A trolley whose skills obey nobody."""

    def __init__(self) -> None:
        super().__init__()
        self.laps = 0

    def push(self) -> None:
        """Switch the motor on."""
        self.resting, self.wanted_mps = False, SPEED_MPS

    @skill(uses="wheels")
    async def deaf(self) -> None:
        """Push, and swallow every cancellation."""
        while True:
            self.laps += 1
            self.push()
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.05)

    @skill(uses="wheels")
    async def sly(self) -> None:
        """Swallow every cancellation, wait until all is quiet, and push again."""
        for pause_s in (3, 0.8, 0.7, 0.8, 4, 4, 4):
            self.push()
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(pause_s)

    @skill(uses="wheels")
    async def switch(self) -> None:
        """Return with the motor on."""
        self.push()

    @skill(uses="wheels")
    async def timed(self, delay_s: Annotated[float, Range(0, 9)]) -> None:
        """Return, and leave something behind that pushes later."""
        asyncio.get_running_loop().call_later(delay_s, self.push)

    @skill()
    async def covert(self) -> None:
        """Push, and say that it uses nothing."""
        self.push()
        await asyncio.sleep(20)

    @skill(uses="arm")
    async def reach(self) -> None:
        """Push with what should be an arm."""
        self.push()
        await asyncio.sleep(20)


class Round(Rogue):
    """It drives in a circle that leaves the fence at its side."""

    def state(self) -> RobotState:
        flat, angle = super().state(), self.x_m / RADIUS_M
        pose = Pose(RADIUS_M * math.sin(angle), RADIUS_M * (1 - math.cos(angle)), 0.0, angle)
        self.furthest_y_m = max(getattr(self, "furthest_y_m", 0.0), pose.y_m)
        return RobotState(pose, 1.0, flat.speed_mps, flat.resting, True, flat.summary)


class Chaser:
    """Wants these tasks, again and again; a test double."""

    name, steers = "chaser", True

    def __init__(self, *tasks: Task, rounds: int = 30) -> None:
        self.tasks, self.rounds = tasks, rounds

    async def act(self, session: Session) -> End:
        for _ in range(self.rounds):
            session.pursue(self.tasks)
            await asyncio.sleep(0.4)
        return End(True, "chased")


def tell(robot: Trolley, plans: Sequence[str], **options: Any) -> list[list[Any]]:
    planner = options.pop("planner", partial(Stream, render=plan_prompt, replans=2))
    return say(plans, robot, planner=planner, **options)


async def a_while(agent: Agent) -> None:
    await asyncio.sleep(30)


@pytest.mark.parametrize("plan", ["roll(1)", "deaf", "sly", "switch;drive(9)", "timed(2);drive(1)", "covert", "reach"])
def test_no_skill_leads_out_of_the_fence(plan: str) -> None:
    """S10: whoever swallows a cancellation, leaves the motor on or says that it uses nothing goes no further than one
    reaction, counted with the time after which a halt that does not slow it down is told again."""
    robot = Rogue()
    for events in tell(robot, [plan] * 30, wishes=3, after=a_while):
        ended(events)
    reaction_s = WATCH_S + AGAIN_S + SPEED_MPS / BRAKE_MPS2
    assert FENCE_M - 0.5 < robot.furthest_m <= FENCE_M + SPEED_MPS * reaction_s
    assert robot.speed_mps == 0


def test_several_at_once_do_not_lead_out_of_the_fence() -> None:
    """S10: pursued side by side, each with another name for the same motors."""
    robot = Rogue()
    chaser = Chaser(Task("roll", (1.0,), 1), Task("reach", (), 2), Task("covert", (), 3))
    for events in tell(robot, [], planner=chaser, wishes=2, after=a_while):
        ended(events)
    reaction_s = WATCH_S + AGAIN_S + SPEED_MPS / BRAKE_MPS2
    assert FENCE_M - 0.5 < robot.furthest_m <= FENCE_M + SPEED_MPS * reaction_s
    assert robot.speed_mps == 0


def test_a_curve_does_not_lead_out_of_the_fence() -> None:
    """S10."""
    robot = Round()
    for events in tell(robot, ["roll(1)"] * 9, wishes=2, after=a_while):
        ended(events)
    assert FENCE_M - 0.5 < robot.furthest_y_m <= FENCE_M + SPEED_MPS * (WATCH_S + SPEED_MPS / BRAKE_MPS2)


@pytest.mark.parametrize("plan", ["deaf", "sly", "timed(1.5);drive(9)", "covert"])
def test_what_moves_although_it_was_stopped_is_halted_again(plan: str) -> None:
    """S2, S4: a stop that was confirmed holds against whatever drives the robot later, and a person is told."""
    robot, there_m = Rogue(), list[float]()

    async def stop(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        agent.stop("key")
        await agent.executive.settled()
        there_m.append(robot.x_m)

    events = tell(robot, [plan], meanwhile=stop, after=a_while)[0]
    assert ended(events).outcome == "stopped" and any(isinstance(e, Stopped) for e in events)
    assert robot.speed_mps == 0 and robot.x_m - there_m[0] <= 0.3


@pytest.mark.parametrize("plan", ["switch", "timed(0.1)", "timed(0.5)", "sly;drive(1)"])
def test_what_moves_on_after_its_mission_is_halted(plan: str) -> None:
    """S15, S4: the motors that a skill leaves on are no business of the next wish."""
    robot, told = Rogue(), list[str]()

    async def soon(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        assert robot.speed_mps == 0 and not agent.executive.stopped_by
        told.extend(e.text for e in kept if isinstance(e, Warned))

    kept: list[Any] = []

    class Book:
        def begin(self, mission: str) -> Book:
            return self

        def record(self, event: Any) -> None:
            kept.append(event)

        async def kept(self) -> None: ...

    events = tell(robot, [plan], memory=Book(), after=soon)[0]
    assert isinstance(events[-1], MissionEnded) and robot.x_m > 0
    assert plan == "sly;drive(1)" or told == ["it moves although its mission is over; halted again"]


def test_a_skill_that_is_pursued_runs_and_is_halted_when_nobody_wants_it_any_longer() -> None:
    """S15: a steering planner may want any skill; what it drops comes to rest, also amid the mission."""
    robot = Rogue()

    class Fickle(Chaser):
        async def act(self, session: Session) -> End:
            session.pursue([Task("roll", (0.5,))])
            await asyncio.sleep(1.0)
            assert robot.speed_mps == pytest.approx(0.5)
            session.pursue([])
            await asyncio.sleep(1.0)
            assert robot.speed_mps == 0
            session.pursue([Task("roll", (9.0,)), Task("drive", (0.5,))])
            await asyncio.sleep(2.0)
            return End(True, "done")

    events = tell(robot, [], planner=Fickle())[0]
    assert ended(events).outcome == "achieved", ended(events).reason
    assert [(e.skill, e.outcome) for e in events if isinstance(e, TaskEnded)] == [
        ("roll", "preempted"), ("roll", "failed"), ("drive", "done"),
    ]  # fmt: skip
    assert [e.skill for e in events if isinstance(e, TaskStarted)] == ["roll", "drive"]


def test_a_call_that_nothing_lets_begin_is_given_up() -> None:
    """S13, S3: where no halt helps, the mission says so, long before its time is over."""

    class Runaway(Trolley):
        async def halt(self) -> None:
            self._called("halt")

    robot = Runaway()
    last = ended(tell(robot, ["roll(1)"] * 3)[0])
    assert last.outcome == "not_achieved" and "not confirmed" in last.reason and last.at_s < 40
    assert robot.speed_mps > REST_MPS


def test_close_does_not_wait_for_a_skill_that_never_ends() -> None:
    """S12: it reaches the adapter, and nothing of the skill runs afterwards."""
    robot = Rogue()

    async def run() -> None:
        async with Agent(robot, model=Scripted(["deaf"])) as agent:
            async for event in agent.say("go"):
                if isinstance(event, TaskStarted):
                    break
        laps = robot.laps
        await asyncio.sleep(10)
        assert robot.calls["close"] == 1 and robot.laps == laps > 0

    SimClock().run(run())
