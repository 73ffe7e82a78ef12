"""The fence and what a wish bounds hold for an adapter that checks nothing (docs/safety.md)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from trolley import BRAKE_MPS2, FENCE_M, SPEED_MPS, Trolley, ended, mending, say

from sayso.agent import Agent
from sayso.events import LimitHeld, Moved, TaskResumed
from sayso.executive.guards import WATCH_S
from sayso.limits import FREE
from sayso.planners.text_planner import TextPlanner
from sayso.roles import Brief, End, Session
from sayso.scene import Pose
from sayso.task import Refused


def test_a_fence_holds_for_an_adapter_that_checks_nothing() -> None:
    """S10: refused with limit and value, not begun again into the same breach, within one reaction of the fence."""
    robot = Trolley()
    events = say(["roll(1)"], robot, planner=mending(0))[0]
    reaction_s = WATCH_S + SPEED_MPS / BRAKE_MPS2
    assert robot.furthest_m <= FENCE_M + SPEED_MPS * reaction_s
    assert ended(events).outcome == "not_achieved"
    assert not any(isinstance(e, TaskResumed) for e in events)
    assert any(isinstance(e, LimitHeld) and e.limit == "geofence" for e in events)


def test_whoever_stands_outside_and_sets_out_further_stays_there_until_a_person_releases_it() -> None:
    """S10: no adapter and no plan creeps out step by step."""
    robot = Trolley()

    async def released(agent: Agent) -> None:
        agent.release("a person")
        assert agent.executive.grounded is None

    stories = say(["roll(1)"] * 100, robot, planner=mending(9), wishes=9, after=released)
    assert all("geofence" in ended(events).reason for events in stories)
    assert robot.furthest_m <= FENCE_M + SPEED_MPS * (WATCH_S + SPEED_MPS / BRAKE_MPS2)


class NoFurther:
    """A bound double: not beyond so far along x."""

    def __init__(self, x_m: float) -> None:
        self.x_m = x_m

    def beyond_m(self, pose: Pose) -> float:
        return max(0.0, pose.x_m - self.x_m)

    def refusal(self, pose: Pose) -> Refused | None:
        return Refused("bound", f"x {pose.x_m:.2f} m", f"at most {self.x_m:g} m") if pose.x_m > self.x_m else None


class Bounding(TextPlanner):
    """Asks for bounds by the number of the mission, then rolls."""

    name = "bounding"

    def __init__(self, *bounds: Sequence[NoFurther]) -> None:
        self.bounds = list(bounds)

    async def act(self, session: Session) -> End:
        session.tighten(replace(FREE, bounds=tuple(self.bounds.pop(0))))
        return await super().act(session)

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        yield "roll(1)"


def test_what_a_wish_bounds_holds_like_the_fence_and_only_for_its_mission() -> None:
    """S10: for an adapter that checks nothing; with or without it the limits stay as they are."""
    robot, reaction_m = Trolley(), SPEED_MPS * (WATCH_S + SPEED_MPS / BRAKE_MPS2)
    planner = Bounding([NoFurther(1.0)], [], [NoFurther(FENCE_M + 9)])
    bounded, free, wide = say([], robot, planner=lambda model: planner, wishes=3)
    assert "bound" in ended(bounded).reason
    assert any(isinstance(e, LimitHeld) and e.limit == "bound" and e.bound == "at most 1 m" for e in bounded)
    xs = [max(e.x_m for e in events if isinstance(e, Moved)) for events in (bounded, free, wide)]
    assert xs[0] <= 1.0 + reaction_m < 2.0 < xs[1]
    assert "geofence" in ended(free).reason and "geofence" in ended(wide).reason
    assert robot.furthest_m <= FENCE_M + reaction_m


def test_a_way_back_inside_stays_open() -> None:
    """S10."""
    robot = Trolley()
    robot.x_m = FENCE_M + 0.5
    events = say(["roll(-1)"], robot, planner=mending(0))[0]
    assert ended(events).outcome == "not_achieved", "it rolls on to the other side"
    assert robot.x_m < 0
