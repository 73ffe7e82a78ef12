"""Stop beats everything, at any moment, and stays until a person releases it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from cart import Cart, ended, mission, transcript
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.agent import Agent
from sayso.events import Event, Stopped, TaskStarted


def after(seconds: float, by: str = "api") -> Any:
    async def stop(agent: Agent) -> None:
        await asyncio.sleep(seconds)
        agent.stop(by)

    return stop


def test_stop_while_a_skill_runs() -> None:
    robot = Cart()
    events, _ = mission(["forward(300)"], robot=robot, meanwhile=after(1.0))
    assert transcript(events) == [
        "start forward(300)", "stop by api", "preempted forward: api", "stopped, standing, confirmed", "stopped",
    ]  # fmt: skip
    assert robot.pose.x_m == pytest.approx(0.5, abs=0.06)


def test_stop_while_the_model_thinks() -> None:
    events, _ = mission(["forward(300)"], slow=True, meanwhile=after(0.2))
    assert not any(isinstance(e, TaskStarted) for e in events)
    assert transcript(events) == ["stop by api", "stopped, standing, confirmed", "stopped"]


def test_stop_while_a_person_is_asked_for_approval() -> None:
    async def never(plan: str) -> bool:
        await asyncio.Event().wait()
        return True

    events, _ = mission(["forward(300)"], approve=never, meanwhile=after(3.0, "key"))
    assert transcript(events) == ["stop by key", "stopped, standing, confirmed", "stopped"]


def test_the_word_stop_is_obeyed_while_a_mission_runs() -> None:
    async def shout(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        assert [e async for e in agent.say("STOP!")] == []

    events, _ = mission(["forward(300)"], meanwhile=shout)
    assert "stop by word" in transcript(events)
    assert ended(events).outcome == "stopped"


def test_stop_is_latched_until_a_person_releases_it() -> None:
    async def later(agent: Agent) -> list[list[Event]]:
        await asyncio.sleep(1.0)
        agent.stop("api")
        while agent.mission:
            await asyncio.sleep(0.1)
        refused = [e async for e in agent.say("again")]
        agent.release("me")
        obeyed = [e async for e in agent.say("again")]
        seen.extend([refused, obeyed])
        return seen

    seen: list[list[Event]] = []
    mission(["forward(100)"] * 3, meanwhile=later, replans=0)
    assert not any(isinstance(e, TaskStarted) for e in seen[0])
    assert ended(seen[0]).outcome != "achieved"
    assert ended(seen[1]).outcome == "achieved"


def test_a_wish_that_is_changed_to_stop_is_obeyed_at_once() -> None:
    async def later(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        agent.change("stop!")

    events, _ = mission(["forward(100)"] * 3, meanwhile=later)
    assert "stop by word" in transcript(events) and ended(events).outcome == "stopped" and ended(events).at_s < 1.5


def test_the_watchdog_stops_a_robot_that_nobody_watches() -> None:
    events, _ = mission(["20{turn(90)}"], watchdog_s=2.0)
    assert "stop by watchdog" in transcript(events) and ended(events).outcome == "stopped"
    assert ended(events).at_s < 3


def test_the_watchdog_is_content_while_somebody_is_there() -> None:
    async def watch(agent: Agent) -> None:
        for _ in range(10):
            await asyncio.sleep(1.0)
            agent.alive()

    events, _ = mission(["forward(300)"], watchdog_s=2.0, meanwhile=watch)
    assert ended(events).outcome == "achieved"


def test_stop_while_a_driver_blocks_in_a_thread() -> None:
    import threading

    from sayso import skill
    from sayso.clock import WallClock
    from sayso.models.scripted import Scripted

    freed, came_back = threading.Event(), threading.Event()

    class Blocking(Cart):
        @skill(uses="base")
        async def grind(self) -> None:
            """Block a thread as a driver without async does."""
            await asyncio.to_thread(self._grind)

        def _grind(self) -> None:
            freed.wait(60)
            came_back.set()

    async def run() -> list[Event]:
        agent = Agent(Blocking(), model=Scripted(["grind()"]))
        asyncio.get_running_loop().call_later(0.2, agent.stop, "key")
        events = [event async for event in agent.say("go")]
        assert not came_back.is_set(), "the stop did not wait for the driver's call to come back"
        freed.set()
        return events

    events = WallClock().run(run())
    assert transcript(events)[-2:] == ["stopped, standing, confirmed", "stopped"]


def test_a_robot_that_does_not_answer_is_reported_as_such() -> None:
    events, _ = mission(["forward(300)"], robot=Cart(deaf=True), meanwhile=after(1.0))
    stopped = next(e for e in events if isinstance(e, Stopped))
    assert not stopped.confirmed
    assert ended(events).outcome == "stopped"


def test_leaving_the_loop_stops_the_robot() -> None:
    from sayso.clock import SimClock
    from sayso.models.scripted import Scripted

    robot = Cart()

    async def run() -> None:
        agent = Agent(robot, model=Scripted(["forward(300)"]))
        listening = agent.say("go")
        async for event in listening:
            if isinstance(event, TaskStarted):
                break
        await listening.aclose()

    SimClock().run(run())
    assert robot.halts == 1 and robot.pose.x_m < 0.3


@settings(max_examples=40)
@given(at_s=st.floats(0.0, 12.0))
def test_stop_at_any_moment_ends_with_a_robot_at_rest(at_s: float) -> None:
    """S1, S4: whatever runs in that moment, it goes nowhere any more, and nothing begins."""
    robot = Cart()
    went_m: list[float] = []

    async def stop(agent: Agent) -> None:
        await asyncio.sleep(at_s)
        agent.stop("key")
        await agent.executive.settled()
        there_m = robot.pose.x_m
        await asyncio.sleep(10)
        went_m.append(robot.pose.x_m - there_m)

    events, _ = mission(["turn(90);forward(200);replan", "2{forward(50)}"], robot=robot, slow=True, meanwhile=stop)
    assert went_m == [0.0]
    assert ended(events).outcome in ("stopped", "achieved")
    if ended(events).outcome == "stopped":
        stop_s = next(e.at_s for e in events if type(e).__name__ == "StopAsked")
        assert not any(isinstance(e, TaskStarted) and e.at_s > stop_s for e in events)
        assert robot.halts == 1
