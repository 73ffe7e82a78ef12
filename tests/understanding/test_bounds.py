"""What a wish says of how becomes limits of its mission: they only tighten, hold below every planner, and end with it
(U5, S22)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded, Moved, TaskEnded, Understood
from sayso.limits import Apart, Limits, Stay, Zone
from sayso.models.scripted import Scripted
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt
from sayso.robots.drone.detour import detour
from sayso.robots.drone.world.office import Office
from sayso.roles import Model
from sayso.scene import Pose, Spot

METRES = st.floats(-6, 6)
SPOT = Spot("lamp-1", "lamp", Pose(2.0, 0.0), 0.3, 0.5)


def limits() -> st.SearchStrategy[Limits]:
    low, high = st.floats(-2, 0), st.floats(0, 3)
    return st.builds(
        Limits,
        zone=st.builds(Zone, low, high, low, high),
        altitude_min_m=low,
        altitude_max_m=high,
        speed_max_mps=high,
        bounds=st.sampled_from([(), (Apart("it", 1.0, lambda: (SPOT,)),), (Stay(Pose(), 0.5),)]),
    )


@given(limits(), limits(), METRES, METRES, METRES, st.floats(0, 4))
def test_s22_a_wish_never_loosens_a_limit(own: Limits, wish: Limits, x: float, y: float, z: float, mps: float) -> None:
    """(U5)"""
    both, pose = own.within(wish), Pose(x, y, z)
    for one in (own, wish):
        assert not one.pose_refusal(pose) or both.pose_refusal(pose)
        assert not one.speed_refusal(mps) or both.speed_refusal(mps)
        assert both.beyond_m(pose) >= one.beyond_m(pose)


@given(METRES, METRES)
def test_u5_the_way_out_of_what_is_bounded_is_open_and_the_way_in_is_not(x: float, y: float) -> None:
    kept, here = Limits(bounds=(Apart("the lamp", 1.0, lambda: (SPOT,)),)), Pose(x, y)
    away = math.atan2(y - SPOT.middle.y_m, x - SPOT.middle.x_m)
    out, through = Pose(x + 9 * math.cos(away), y + 9 * math.sin(away)), Pose(4.0 - x, -y)
    assert kept.path_refusal((here, out)) is None
    assert kept.path_refusal((here, through)) or abs(x - 2.0) < 2.5


def fly(*wishes: str, plan: str = "") -> tuple[list[list[Event]], Office]:
    """Missions in the office, by plain commands, or by a model that writes this plan whatever is wished."""
    world, missions = Office("tour"), list[list[Event]]()

    async def play() -> None:
        model = Scripted([plan] * 4) if plan else None
        async with Agent(world=world, model=model, planner=_streams if plan else None) as agent:
            for wish in wishes:
                events = list[Event]()
                async for event in agent.say(wish):
                    events.append(event)
                missions.append(events)

    SimClock().run(play())
    return missions, world


def ended(events: Sequence[Event]) -> MissionEnded:
    assert isinstance(events[-1], MissionEnded)
    return events[-1]


def fastest_mps(events: Sequence[Event]) -> float:
    moved = [e for e in events if isinstance(e, Moved)]
    ways = pairwise(moved)
    return max(math.dist((a.x_m, a.y_m, a.z_m), (b.x_m, b.y_m, b.z_m)) / max(b.at_s - a.at_s, 0.2) for a, b in ways)


def heights_m(events: Sequence[Event]) -> list[float]:
    return [e.z_m for e in events if isinstance(e, Moved)]


def test_u5_slowly_is_a_speed_and_gone_with_its_mission() -> None:
    (slow, fast), _ = fly("slowly go forward 2 metres", "go back 2 metres")
    assert ended(slow).outcome == ended(fast).outcome == "achieved"
    assert fastest_mps(slow) <= 0.55 < 1.0 < fastest_mps(fast)
    told = next(e.told for e in slow if isinstance(e, Understood))
    assert told == "I move forward 2 m. I move slowly, at 0.5 m/s at most."


def test_s22_a_plan_does_not_lead_higher_nearer_or_further_than_the_wish_allows() -> None:
    """Whatever a model plans (U5)."""
    (low,), _ = fly("look round, no higher than 1.2 metres", plan="to;mu(100);mu(20)")
    assert max(heights_m(low)) <= 1.2 and ended(low).outcome != "achieved"
    (near,), world = fly("look round, keeping 2 metres away from people", plan="to;g('person')")
    people = [t.pose for t in world.truth().things.values() if t.label == "person"]
    assert min(Pose(e.x_m, e.y_m).level_m(p) for e in near if isinstance(e, Moved) for p in people) >= 2.0
    (here,), _ = fly("look round without moving from the spot", plan="to;mf(200)")
    assert max(abs(e.x_m - 0.6) for e in here if isinstance(e, Moved)) <= 0.35


def test_s22_a_changed_wish_brings_its_own_bounds_from_that_moment_on() -> None:
    """(U5)"""
    world, events = Office("tour"), list[Event]()

    async def play() -> None:
        async with Agent(world=world, model=Scripted(["5{mf(20);mb(20)}", "mu(50)"]), planner=_streams) as agent:
            async for event in agent.say("hover about"):
                events.append(event)
                if isinstance(event, TaskEnded) and sum(isinstance(e, TaskEnded) for e in events) == 4:
                    agent.change("go on for 60 seconds, no higher than 1.2 metres, within 3 seconds")

    SimClock().run(play())
    began_s = next(e.at_s for e in events if isinstance(e, TaskEnded))
    assert ended(events).reason.startswith("The 3 s are over") and ended(events).at_s > began_s
    assert world.robot.limits == Office("tour").robot.limits, "gone with the mission"


def _streams(model: Model) -> Stream:
    return Stream(model, plan_prompt, replans=0)


def test_u5_a_least_height_is_risen_to_held_and_landed_through() -> None:
    (high,), _ = fly("go forward 1 metre, go back 1 metre and land, never lower than 1.4 metres")
    assert ended(high).outcome == "achieved" and max(heights_m(high)) >= 1.4 and heights_m(high)[-1] < 0.2
    (sunk,), _ = fly("take off, then go down 50 cm, no lower than 1.4 metres")
    assert ended(sunk).outcome != "achieved"


def test_u5_it_stops_at_the_distance_that_was_asked_for() -> None:
    (off,), world = fly("go to the person but keep 1.8 metres away")
    assert ended(off).outcome == "achieved" and ended(off).verified
    person = world.truth().things["person-1"].pose
    assert 1.8 <= world.truth().pose.level_m(person) <= 2.6


def test_u5_it_goes_round_what_it_is_to_keep_away_from() -> None:
    kept = Limits(bounds=(Apart("the lamp", 1.0, lambda: (SPOT,)),))
    here, there = Pose(0.0, 0.1), Pose(4.0, 0.0)
    way = detour(kept, here, there, lambda at: at.level_m(there) < 0.3)
    assert way and way[-1].level_m(there) < 0.3
    assert kept.path_refusal((here, there)) and not kept.path_refusal((here, *way))
    assert not detour(kept, here, SPOT.middle, lambda at: at.level_m(SPOT.middle) < 1.0), "none leads inside"


def test_u5_when_the_time_is_over_it_stops_and_says_so() -> None:
    (late,), _ = fly("go forward 1.5 metres and come back within 4 seconds")
    assert ended(late).outcome == "not_achieved"
    assert re.fullmatch(r"The 4 s are over; I did not move forward 1\.5 m, but \d+ cm", ended(late).reason)
    assert ended(late).at_s < 6


def test_u5_what_cannot_be_held_is_asked_about() -> None:
    (high,), _ = fly("go forward 1 metre but stay above 40 metres")
    assert ended(high).outcome == "asked" and "cannot stay above 40 m" in ended(high).reason
    assert not any(h > 0.1 for h in heights_m(high))
