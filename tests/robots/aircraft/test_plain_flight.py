"""What is said plainly to a search aircraft is flown as it was said, within what it can fly home from."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest

from sayso.clock import SimClock
from sayso.events import Event, MissionEnded, Moved, Said, TaskStarted, Understood
from sayso.robots.aircraft.world.country import Rescue
from sayso.scene import wrap
from sayso.setup import Setup


def said(wish: str) -> tuple[list[Event], Rescue]:
    """What happened on it, and the country when the mission was over, before the aircraft goes home to rest."""
    setup = Setup(world="rescue", scene="moor", seed=5)
    robot, world = setup.make_robot()
    assert isinstance(world, Rescue)
    agent, events = setup.make_agent(robot, world), list[Event]()

    async def main() -> None:
        async with agent:
            events.extend([event async for event in agent.say(wish)])
            ended.append((world.aircraft.at, world.aircraft.yaw_rad))

    ended = list[tuple[tuple[float, float, float], float]]()
    SimClock().run(main())
    world.frame.at, world.frame.yaw_rad = ended[0]
    return events, world


def outcome(events: list[Event]) -> tuple[str, bool | None, str]:
    assert isinstance(events[-1], MissionEnded)
    return events[-1].outcome, events[-1].verified, events[-1].reason


@pytest.mark.parametrize(
    ("wish", "east_m", "north_m", "up_m", "left_deg"),
    [
        ("take off and fly 150 m north", 0.0, 150.0, 30.0, 0.0),
        ("fly 90 metres east", 90.0, 0.0, 30.0, -90.0),
        ("fly north 80 m, then fly back 30 m", 0.0, 50.0, 30.0, 0.0),
        ("take off, fly 40 m to the left", -40.0, 0.0, 30.0, 0.0),
        ("climb 25 m", 0.0, 0.0, 25.0, 0.0),
        ("take off, turn right 120 degrees", 0.0, 0.0, 30.0, -120.0),
        ("take off and go up", 0.0, 0.0, 40.0, 0.0),
    ],
)
def test_u9_a_plain_way_is_flown_and_its_verdict_observed(
    wish: str, east_m: float, north_m: float, up_m: float, left_deg: float
) -> None:
    events, world = said(wish)
    assert outcome(events)[:2] == ("achieved", True), outcome(events)
    (x_m, y_m, high_m), home = world.aircraft.at, world.terrain.home
    assert math.dist((x_m - home[0], y_m - home[1], high_m), (east_m, north_m, up_m)) < 3
    assert abs(math.degrees(wrap(world.aircraft.yaw_rad - math.pi / 2 - math.radians(left_deg)))) < 3


def test_u3_one_thing_after_the_other_and_home_is_down() -> None:
    events, world = said("take off, fly 60 m south, take a picture, come home and land")
    begun = [e.skill for e in events if isinstance(e, TaskStarted)]
    assert begun == ["take_off", "move_south", "take_picture", "return_home", "return_home"]
    assert outcome(events)[:2] == ("achieved", True) and world.aircraft.at_home


def test_a_place_of_the_map_is_flown_to() -> None:
    _, world = said("fly to square B2")
    assert "B2" in world.terrain.ground.below(world.aircraft.pose(world.aircraft.at))


def test_a_place_of_the_map_is_photographed_from_above_it() -> None:
    events, world = said("take a picture of the lake")
    assert "lake" in world.terrain.ground.below(world.aircraft.pose(world.aircraft.at))
    assert [e.skill for e in events if isinstance(e, TaskStarted)] == ["fly_to", "take_picture"]
    assert outcome(events)[:2] == ("achieved", True)


def test_u3_a_place_is_circled_as_often_as_was_said() -> None:
    events, world = said("circle around the lake three times and come back")
    assert [e.skill for e in events if isinstance(e, TaskStarted)] == ["circle"] * 3 + ["return_home"]
    assert outcome(events)[:2] == ("achieved", True) and world.aircraft.at_home


def test_a_place_is_looked_at_from_above_it_and_what_was_sighted_told() -> None:
    events, world = said("go and look at the lake")
    assert "lake" in world.terrain.ground.below(world.aircraft.pose(world.aircraft.at))
    assert "I have sighted" in [e.text for e in events if isinstance(e, Said)][-1]


@pytest.mark.parametrize(
    ("wish", "skills"),
    [
        (
            "have a look at the lake, and if nobody is there come back",
            ["fly_to", "hover", "sighted", "log", "is_visible", "return_home"],
        ),
        ("go to the nearest wood and say what you see", ["fly_to", "sighted", "log"]),
        ("follow the track and return", ["fly_along", "return_home"]),
        ("circle the lake at 70 metres", ["fly_at", "circle"]),
        ("circle twice over the lake", ["circle", "circle"]),
        ("fly 90 m east at 40 m", ["fly_at", "move_east"]),
        ("turn right and fly 60 m", ["turn_cw", "move_forward"]),
        ("come on home", ["return_home"]),
        ("fly to the lake and then return straight home", ["fly_to", "return_home"]),
        ("return to base", ["return_home"]),
        ("take a photo of the lake from 70 m up", ["fly_at", "fly_to", "take_picture"]),
        ("stay above the lake for 20 seconds", ["fly_to", "delay", "sighted", "log"]),
    ],
)
def test_u3_what_follows_on_a_place_is_done_there(wish: str, skills: list[str]) -> None:
    events, _ = said(wish)
    assert [e.skill for e in events if isinstance(e, TaskStarted)] == skills and outcome(events)[0] == "achieved"


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        ("put it down: land by the lake", "I land at home and nowhere else"),
        ("search the lake for a boy and then land beside the lake", "I land at home and nowhere else"),
        ("keep off the lake", "I shall keep off the lake. What else"),
    ],
)
def test_what_is_no_search_is_answered_by_what_it_can_do(wish: str, answer: str) -> None:
    events, world = said(wish)
    assert answer in outcome(events)[2] and world.aircraft.at[2] == 0


@pytest.mark.parametrize(("side", "sign"), [("over east", 1), ("to the west", -1)])
def test_u3_a_road_is_followed_to_the_side_that_was_said(side: str, sign: int) -> None:
    events, world = said(f"follow the track {side}")
    assert sign * world.aircraft.at[0] > 800 and f"{side.split()[-1]}ward" in outcome(events)[2]


def test_u4_a_place_that_nobody_knows_is_asked_about_on_the_ground() -> None:
    events, world = said("fly to the lighthouse")
    assert outcome(events)[0] == "asked" and "lighthouse" in outcome(events)[2]
    assert world.aircraft.at[2] == 0


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "where is the pine wood?",
            r"wood is \d+ m to the [\w-]+ where it is nearest, and its middle is \d+ m to ",
        ),
        ("how far is it to the lake?", r"\d+ m to the "),
        ("can you see a dog?", "I know no dog on my map and sighted none"),
        ("is there a lake on the map?", r"On my map there is one: the lake\. The lake is"),
        ("how large is the lake?", r"The lake is \d+ m from west to east"),
        ("which is further, the pine wood or the lake?", r"pine wood is \d+ m .* lake is \d+ m"),
        ("how long would you need to reach the lake?", r"The lake is \d+ m away: at least \d+ seconds"),
        ("who are you searching for?", "Nothing"),
        ("where are you?", "west moor"),
    ],
)
def test_u1_a_question_about_the_land_is_answered_from_the_map_and_moves_nothing(question: str, answer: str) -> None:
    events, world = said(question)
    told = " ".join(e.text for e in events if isinstance(e, Said))
    assert re.search(answer, told), told
    assert outcome(events)[0] == "achieved" and world.aircraft.at[2] == 0


def test_u2_what_it_measures_nothing_of_is_no_answer() -> None:
    events, world = said("what's the wind like?")
    assert any(isinstance(e, Said) and e.text.startswith("I measure no weather") for e in events)
    assert outcome(events)[0] == "not_achieved" and world.aircraft.at[2] == 0


@pytest.mark.parametrize("wish", ["climb 400 m", "fly 2500 m west"])
def test_what_no_limit_allows_is_refused_before_it_takes_off(wish: str) -> None:
    events, _ = said(wish)
    assert outcome(events)[0] == "not_achieved" and "limit" in outcome(events)[2]
    assert not any(isinstance(e, Said | TaskStarted) for e in events)


@pytest.mark.parametrize(
    ("wish", "most_mps"), [("fly to the track slowly", 6.0), ("climb to 60 m at 2 m/s", 2.0), ("fly 90 m east", 20.0)]
)
def test_u5_how_a_plain_way_is_flown_holds(wish: str, most_mps: float) -> None:
    events, _ = said(wish)
    assert outcome(events)[0] == "achieved", outcome(events)
    way = [e for e in events if isinstance(e, Moved)]
    fastest = max(
        math.dist((a.x_m, a.y_m, a.z_m), (b.x_m, b.y_m, b.z_m)) / (b.at_s - a.at_s)
        for a, b in pairwise(way)
        if b.at_s > a.at_s
    )
    assert fastest <= most_mps and (most_mps < 20 or fastest > 6), fastest


def test_how_somebody_moves_who_is_missing_is_no_manner_of_the_search() -> None:
    events, _ = said("find the child who walks slowly toward the village")
    assert not any("I move slowly" in e.told for e in events if isinstance(e, Understood))


def test_u1_what_it_has_sighted_is_told() -> None:
    events, _ = said("what do you see?")
    assert outcome(events)[0] == "achieved" and not any(isinstance(e, Moved) and e.z_m > 1 for e in events)
    assert "sighted nothing" in next(e.text for e in events if isinstance(e, Said))
