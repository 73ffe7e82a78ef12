"""Looking all round, and going round things, on the simulated drone: judged by where things truly are."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pytest

from sayso import events as ev
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.models.scripted import Scripted
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt
from sayso.result import Result
from sayso.roles import Model
from sayso.scene import Pose
from sayso.world import Truth
from sayso.worlds import make


@dataclass(frozen=True, slots=True)
class Flown:
    """What came of a plan, where the drone truly was on the way, and how things stand at the end."""

    result: Result
    way: tuple[Pose, ...]
    truth: Truth


def flown(plan: str, south_m: float | None = None) -> Flown:
    """A plan in the office, said by a double; with a fence in the south, the drone goes no further there."""

    def planner(model: Model) -> Stream:
        return Stream(model, plan_prompt, replans=0)

    async def main() -> Flown:
        world, events, way = make("office", "tour", 3), list[ev.Event](), list[Pose]()
        limits = world.robot.limits
        if south_m is not None:
            world.robot.limits = replace(limits, zone=replace(limits.zone, y_min_m=south_m))
        async with Agent(world=world, model=Scripted([plan]), planner=planner) as agent:
            async for event in agent.say("do it"):
                events.append(event)
                if isinstance(event, ev.Moved):
                    way.append(world.truth().pose)
            assert isinstance(events[-1], ev.MissionEnded)
            return Flown(Result(events[-1], tuple(events)), tuple(way), world.truth())

    return SimClock().run(main())


def sides(way: tuple[Pose, ...], centre: Pose, within_m: float = 2.2) -> set[int]:
    """The twelfths of a circle about a thing, by number, in which the drone was near it."""
    near = [p for p in way if math.hypot(p.x_m - centre.x_m, p.y_m - centre.y_m) < within_m]
    return {int((math.atan2(p.y_m - centre.y_m, p.x_m - centre.x_m) % (2 * math.pi)) / (math.pi / 6)) for p in near}


def kinds(truth: Truth, label: str) -> dict[str, Pose]:
    return {i: t.pose for i, t in truth.things.items() if t.label == label}


def test_a_look_all_round_counts_what_is_behind_too() -> None:
    told = flown("lr;l('I see '+hm('person')+' people and '+hm('giraffe')+' giraffes.')")
    there = len(kinds(told.truth, "person"))
    assert there == 2 and told.result.said[-1] == f"I see {there} people and 0 giraffes."
    assert told.truth.pose.yaw_rad == pytest.approx(0.0, abs=0.1), "it faces as before"
    (listed,) = (e.value for e in told.result.events if isinstance(e, ev.TaskEnded) and e.skill == "look_round")
    assert "2 person" in listed and "1 trash can" in listed


def test_each_of_a_kind_is_gone_to_in_turn() -> None:
    told = flown("lr;_1=0;20{?_1<hm('person'){_1=_1+1;g(nt('person',_1));tp}}")
    assert told.result.outcome == "achieved", told.result.reason
    assert len([e for e in told.result.events if isinstance(e, ev.PictureTaken) and "person" in e.labels]) == 2
    for where in kinds(told.truth, "person").values():
        assert min(math.hypot(p.x_m - where.x_m, p.y_m - where.y_m) for p in told.way) < 1.2
    assert told.truth.contacts == ()


def test_there_is_no_third_of_two_and_nothing_without_a_look() -> None:
    assert "the look round saw 2 person, so there is no number 3" in flown("lr;g(nt('person',3))").result.reason
    assert "look_round first" in flown("l(hm('person'))").result.reason


def test_a_thing_is_found_by_another_name_and_nothing_stands_for_what_is_not_there() -> None:
    told = flown("?s('rubbish bin'){g('rubbish bin');tp}:{->False}")
    assert told.result.outcome == "achieved", told.result.reason
    (where,) = kinds(told.truth, "trash can").values()
    assert math.hypot(told.truth.pose.x_m - where.x_m, told.truth.pose.y_m - where.y_m) < 1.2
    assert flown("?s('giraffe'){g('giraffe')}:{->False}").result.outcome == "not_achieved"


def test_it_goes_once_all_the_way_round_a_thing() -> None:
    told = flown("lr;circle('person')")
    assert told.result.outcome == "achieved", told.result.reason
    end = min(kinds(told.truth, "person").values(), key=lambda p: p.distance_m(told.truth.pose))
    assert sides(told.way, end) == set(range(12))
    assert told.truth.contacts == () and abs(told.truth.pose.bearing_rad(end)) < 0.2


def test_it_goes_to_the_far_side_by_whichever_way_is_free() -> None:
    told = flown("s('chair');gb('chair');tp")
    assert told.result.outcome == "achieved", told.result.reason
    chair = min(kinds(told.truth, "chair").values(), key=lambda p: p.distance_m(told.truth.pose))
    begun, ended = (math.atan2(p.y_m - chair.y_m, p.x_m - chair.x_m) for p in (told.way[0], told.truth.pose))
    assert abs(math.remainder(ended - begun, 2 * math.pi)) > math.radians(130)
    assert told.truth.contacts == () and abs(told.truth.pose.bearing_rad(chair)) < 0.2
    assert any("chair" in e.labels for e in told.result.events if isinstance(e, ev.PictureTaken))


def test_a_fence_holds_on_the_way_round() -> None:
    told = flown("lr;circle('person')", south_m=-1.6)
    assert told.result.outcome == "not_achieved" and "the way round the person is blocked after" in told.result.reason
    assert min(p.y_m for p in told.way) >= -1.6 and told.truth.contacts == ()


def test_u7_what_is_meant_is_picked_of_all_that_there_is_and_turned_to() -> None:
    told = flown("lr;l(wo('how many all round','chair'));o(nt('furthest chair',1));tp;g(nt('furthest chair',1))")
    assert told.result.outcome == "achieved", told.result.reason
    assert told.result.said[-1] == "I count 2 chairs from here."
    far = max(kinds(told.truth, "chair").values(), key=lambda p: p.distance_m(told.way[0]))
    assert math.hypot(told.truth.pose.x_m - far.x_m, told.truth.pose.y_m - far.y_m) < 1.2
    assert any("chair" in e.labels for e in told.result.events if isinstance(e, ev.PictureTaken))
