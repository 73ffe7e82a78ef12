"""Other words in the middle of a mission: a planner that steers hears them at once, also while a plain command runs."""

from __future__ import annotations

import asyncio

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded, PlanEnded, TaskStarted
from sayso.planners.reflex.first import ReflexFirst
from sayso.roles import End, Session
from sayso.worlds import make


class Steering:
    """A test double of a planner that looks while things go on, and understands nothing by itself."""

    name, steers = "double", True

    async def act(self, session: Session) -> End:
        await session.look()
        return End(False, "I have no plan of my own")


def mission(first: str, then: str, after_s: float) -> list[Event]:
    clock = SimClock()

    async def main() -> list[Event]:
        async with Agent(world=make("office"), planner=ReflexFirst(Steering())) as agent:

            async def change() -> None:
                await asyncio.sleep(after_s)
                agent.change(then)

            changing = asyncio.ensure_future(change())
            events = [event async for event in agent.say(first)]
            await changing
            return events

    return clock.run(main())


def test_a_plain_command_gives_way_to_the_wish_that_takes_its_place() -> None:
    events = mission("wait 60 s and then go up 30 cm", "turn left 90 degrees", 5.0)
    ends = [e for e in events if isinstance(e, PlanEnded)]
    assert [e.how for e in ends] == ["cut", "finished"]
    done = [e.skill for e in events if isinstance(e, TaskStarted)]
    assert done[-1].startswith("turn") and not any(task.startswith("move_up") for task in done)
    (end,) = [e for e in events if isinstance(e, MissionEnded)]
    assert end.outcome == "achieved" and end.at_s < 30.0


def test_what_is_no_plain_command_goes_to_the_planner_behind() -> None:
    events = mission("wait 60 s", "make me happy", 5.0)
    (end,) = [e for e in events if isinstance(e, MissionEnded)]
    assert end.reason == "I have no plan of my own" and end.at_s < 30.0
