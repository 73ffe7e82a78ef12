"""A state that cannot be read, and a link that is lost, for a moment or for long (docs/safety.md)."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any
from unittest.mock import patch

import pytest
from trolley import BRAKE_MPS2, FENCE_M, SPEED_MPS, Trolley, ended, mending, say

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import RobotError
from sayso.events import Event, LimitHeld, TaskEnded, Warned
from sayso.executive import state_reader
from sayso.executive.guards import WATCH_S
from sayso.models.scripted import Scripted
from sayso.roles import Robot, RobotState
from sayso.worlds import make


@pytest.mark.parametrize(
    "error", [OSError("no route"), RobotError("link"), ValueError("?")], ids=lambda e: type(e).__name__
)
def test_guards_outlive_a_state_that_raises(error: Exception) -> None:
    """S9: told once, and the fence still holds."""
    rolls = list[int]()

    def fails(call: int) -> Exception | None:
        """At the start, and once more amid the first roll."""
        rolls.extend([call] * (robot.x_m > 1.0))
        return error if call in (*range(5, 12), *rolls[:3]) else None

    robot = Trolley(state=fails)
    stories = say(["roll(1)"] * 15, robot, wishes=4, planner=mending(2))
    assert FENCE_M - 0.5 < robot.furthest_m <= FENCE_M + SPEED_MPS * (WATCH_S + SPEED_MPS / BRAKE_MPS2)
    told = [e.text for events in stories for e in events if isinstance(e, Warned) and "state" in e.text]
    assert len(told) == 4 and all(
        ("cannot" in a) and ("again" in b) for a, b in zip(told[::2], told[1::2], strict=True)
    )
    assert {ended(events).outcome for events in stories} <= {"not_achieved", "stopped"}


@pytest.mark.parametrize("error", [OSError("no route"), RobotError("link")], ids=lambda e: type(e).__name__)
def test_the_watchdog_outlives_a_state_that_raises(error: Exception) -> None:
    """S9: it looks beside the telemetry, which reads the state too."""
    robot = Trolley(state=lambda n: error if 3 <= n < 30 else None)
    events = say(["roll(0.1)"], robot, watchdog_s=4.0)[0]
    assert ended(events).outcome == "stopped" and ended(events).reason == "stopped by watchdog"
    assert any(isinstance(e, Warned) and "cannot be read" in e.text for e in events)


def test_a_state_that_is_rubbish_counts_as_a_lost_link() -> None:
    """S9."""

    class Garbled(Trolley):
        def state(self) -> Any:
            real = super().state()
            return None if 20 <= self.calls["state"] < 30 else real

    events = say(["drive(5)"], Garbled(), planner=mending(0))[0]
    assert any(isinstance(e, LimitHeld) and e.limit == "link" for e in events)
    ended(events)


def test_a_short_loss_of_the_link_does_not_ground_the_robot() -> None:
    """S11: a grounding ends when its cause ends, and the person is told how long it was."""
    robot = Trolley()

    async def flicker(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        robot.connected = False
        await asyncio.sleep(0.1)
        robot.connected = True

    async def later(agent: Agent) -> None:
        await asyncio.sleep(3.0)
        assert agent.executive.grounded is None
        after.extend([e async for e in agent.say("again")])

    after: list[Event] = []
    plans = ["drive(2)", "drive(0.5)", "drive(1)"]
    first, second = say(plans, robot, planner=mending(0), wishes=2, meanwhile=flicker, after=later)
    assert "no word from the robot" in ended(first).reason
    assert any(isinstance(e, Warned) and "lost for 0.1 s" in e.text for e in second)
    assert ended(after).outcome == "achieved"


def test_a_long_loss_of_the_link_grounds_the_robot_until_it_is_steady_or_a_person_releases_it() -> None:
    """S11."""
    robot = Trolley()

    async def lose(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        robot.connected = False
        await asyncio.sleep(5.0)
        robot.connected = True
        await asyncio.sleep(0.5)
        assert agent.executive.grounded
        await asyncio.sleep(5.0)
        assert agent.executive.grounded is None

    say(["drive(2)"], robot, planner=mending(0), meanwhile=lose)


class Unread(Robot):
    """A robot whose state only the watch can read: every skill that asks for it meets `error`."""

    def __init__(self, robot: Robot, error: Exception) -> None:
        self._good, self._error = robot.state, error

    def state(self) -> RobotState:
        asks = inspect.currentframe()
        if asks and asks.f_back and asks.f_back.f_code.co_filename != state_reader.__file__:
            raise self._error
        return self._good()

    async def halt(self) -> None: ...


@pytest.mark.parametrize(
    ("place", "plan", "error"),
    [
        ("office", "take_off();goto('chair')", OSError("no answer")),
        ("office", "take_off();move_forward(50);return_home()", ValueError("half an answer")),
        ("home", "look_for_obj('cup')", RobotError("it is off")),
        ("home", "follow('person')", OSError("no answer")),
        ("warehouse", "pick_up('apple')", ValueError("half an answer")),
        ("warehouse", "go_to('dining_table')", RobotError("it is off")),
    ],
)
def test_a_state_that_a_skill_cannot_read_is_a_fault_of_the_robot(place: str, plan: str, error: Exception) -> None:
    """S9, S13: whatever was raised, the cause is named, and it is no error of the program; the robot rests."""
    world = make(place, seed=1)

    async def live() -> list[Event]:
        async with Agent(world=world, model=Scripted([plan]), planner=mending(0)) as agent:
            with patch.object(world.robot, "state", Unread(world.robot, error).state):
                events = [e async for e in agent.say("go")]
                await asyncio.sleep(0.5)
                assert agent.executive.reading.still() and not agent.executive.stopped_by
        return events

    events = SimClock().run(live())
    told = f"the robot: its state could not be read ({type(error).__name__}: {error})"
    assert told in [e.detail for e in events if isinstance(e, TaskEnded)]
    assert ended(events).outcome == "not_achieved" and told in ended(events).reason
