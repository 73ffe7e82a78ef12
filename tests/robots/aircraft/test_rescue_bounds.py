"""What a wish bounds is kept in the air: heights, ground to keep off, a time, an order, an end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rescue_acts import act
from rescue_sky import RED, Sky, can, step
from search_ground import flat

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import NotUnderstood
from sayso.events import Event, MissionEnded, Moved, Said, TaskEnded, TaskStarted
from sayso.limits import FREE, Limits
from sayso.planners.scored import Scored
from sayso.prompts.score import score_prompt
from sayso.robots.aircraft.domain import Rules
from sayso.robots.aircraft.mission import searches
from sayso.robots.aircraft.search.keep_off import Ceiling, KeepOff, around, bounds_of, straight
from sayso.robots.aircraft.search.pay import Effort
from sayso.robots.aircraft.search.wish import Bounds, SearchWish
from sayso.robots.aircraft.suite.double import RescueDouble
from sayso.robots.aircraft.world.country import Rescue
from sayso.scene import Pose
from sayso.task import Failed, Refused

QUICK = Effort(focus=3, expansions=8)


def test_a_way_leads_around_what_is_to_be_kept_off() -> None:
    ground = flat()
    off = np.zeros(ground.shape, dtype=np.bool_)
    off[5:15, 14:16] = True
    begin, end = (-200.0, 0.0), (200.0, 0.0)
    way = around(ground, off, begin, end)
    assert not straight(ground, off, begin, end) and way[-1] == end and len(way) > 1
    assert all(straight(ground, off, a, b) for a, b in zip([begin, *way], way, strict=False))
    assert around(ground, ~off & False, begin, end) == [end], "straight where nothing is in the way"
    inside = ground.middle((10, 14))
    assert around(ground, off, inside, end)[-1] == end, "there is a way out of what it stands over"


def test_bounds_are_told_by_pose_above_the_ground() -> None:
    ground = flat()
    ground.elevation_m[:, 20:] = 50.0
    ceiling, off = bounds_of(Bounds(under_m=60.0, off=("water",)), ground)
    assert isinstance(ceiling, Ceiling) and isinstance(off, KeepOff)
    assert ceiling.refusal(Pose(-100.0, 0.0, 59.0)) is None
    assert ceiling.refusal(Pose(-100.0, 0.0, 61.0)) == Refused("ceiling", "61 m above the ground", "below 60 m")
    assert ceiling.refusal(Pose(200.0, 0.0, 80.0)) is None, "over a hill it may be higher above its home"
    x, y = ground.centre("water")
    assert off.refusal(Pose(x, y, 30.0)) and off.beyond_m(Pose(x, y, 30.0)) > 0
    assert off.refusal(Pose(0.0, 0.0, 30.0)) is None and off.beyond_m(Pose(0.0, 0.0, 30.0)) == 0
    assert bounds_of(Bounds(off=("forest",)), ground) == (), "it has to get away from where it starts"


def fly(says: str, seed: int = 1, change: str = "", steps: int = 8) -> tuple[list[Event], Rescue]:
    """A mission in the valley; `change` is said after four actions."""
    world, events = Rescue("valley", seed), list[Event]()

    double = RescueDouble({says: '{"find": [{"label": "person", "colour": "red"}], "in": ["west field"]}'})

    def planner(model: object) -> Scored:
        rules = Rules(steps_max=steps, effort=QUICK)
        return Scored(double, searches(world.charts, double, rules), score_prompt)

    async def mission() -> None:
        ran = 0
        async with Agent(world=world, model=double, planner=planner) as agent:
            async for event in agent.say(says):
                events.append(event)
                ran += isinstance(event, TaskEnded) and event.skill != "log"
                if change and ran == 4 and isinstance(event, TaskEnded):
                    agent.change(change)

    SimClock().run(mission())
    return events, world


def test_a_search_stays_below_its_ceiling_and_off_the_ground_that_it_may_not_cross() -> None:
    says = "Search the west field for a person in red. Stay below 60 m and do not fly over the village."
    events, world = fly(says, steps=5)
    village, ground = world.terrain.cells("village"), world.terrain
    over = [e for e in events if isinstance(e, Moved) and village[ground.cell(e.x_m, e.y_m)]]
    assert not over
    ended = events[-1]
    assert isinstance(ended, MissionEnded)
    assert "never over(village)" in ended.goal and ".red" not in ended.goal
    assert ended.left_out == (), "the operator sees to the colour"
    assert not any("over" in clause for clause in (*ended.missing, *ended.unknown)), "the trail tells it (G47)"
    above = [
        e.z_m + ground.height_m(*ground.home) - ground.height_m(e.x_m, e.y_m) for e in events if isinstance(e, Moved)
    ]
    assert 25 < max(above) < 60
    assert any(isinstance(e, TaskStarted) and e.skill == "search_area" for e in events)
    assert world.truth().at_home
    told = next(e.text for e in events if isinstance(e, Said))
    assert "below 60 m, not over village" in told
    assert not world.charts.off.any(), "it holds for its mission alone"


def test_a_bound_that_is_said_in_flight_is_kept_from_then_on() -> None:
    events, world = fly("Search the west field for a person in red.", change="Stay below 60 m from now on.")
    said = next(n for n, e in enumerate(events) if isinstance(e, Said) and e.text == "below 60 m")
    late = [e for e in events[said + 1 :] if isinstance(e, TaskStarted) and e.skill in ("ascend", "search_area")]
    assert not any(e.skill == "ascend" and e.args[0] >= 60 for e in late)  # type: ignore[operator]
    assert world.truth().at_home


def test_a_search_that_is_called_off_comes_home_and_is_no_failure() -> None:
    events, world = fly("Search the west field for a person in red.", change="Stand down and come back.")
    started = [e.skill for e in events if isinstance(e, TaskStarted) and e.skill != "log"]
    assert started[4:] == ["return_home"]
    ended = events[-1]
    assert isinstance(ended, MissionEnded) and ended.outcome == "achieved"
    assert world.truth().at_home
    assert any(isinstance(e, Said) and "called off" in e.text for e in events)


def test_a_plan_from_elsewhere_is_refused_what_the_wish_forbids() -> None:
    """The bound is the robot's own while the mission lasts, not the planner's good will."""
    world = Rescue("valley", 1)
    bounds = bounds_of(Bounds(under_m=60.0, off=("village",)), world.terrain)
    world.aircraft.bounded(replace(FREE, bounds=bounds))
    act(world, "take_off")
    assert act(world, "ascend", 90) == Refused("ceiling", "70 m above the ground", "below 60 m")
    refused = act(world, "search_area", "village")
    assert isinstance(refused, Refused) and refused.limit == "keep off"
    assert not isinstance(act(world, "return_home"), Refused | Failed)


def test_the_limits_of_the_person_stay_as_they_are() -> None:
    limits = Limits(altitude_max_m=50.0)
    wide = replace(limits, bounds=(Ceiling(flat(), 500.0, "below 500 m"),))
    refused = wide.pose_refusal(Pose(0.0, 0.0, 60.0))
    assert refused is not None and refused.limit == "altitude"


def test_levels_of_a_search_are_those_of_the_wish() -> None:
    sky = Sky(wishes={"find her": replace(RED, bounds=Bounds(at_m=60.0))})
    domain = sky.domain()
    sky.fly((0.0, 0.0, 30.0))
    sky.tell(domain)
    assert not {"search_area", "hover", "take_image"} & can(domain).keys(), "nothing is looked for from here"
    assert [c.statement for c in domain.candidates("ascend")] == ["ascend(60)"]
    sky.fly((0.0, 0.0, 60.0))
    sky.tell(domain)
    assert can(domain)["search_area"] == 1.0 and "ascend" not in can(domain)


def test_areas_in_an_order_are_searched_one_after_the_other() -> None:
    sky = Sky(wishes={"find her": SearchWish(RED.sought, ("A1", "C3"), ordered=True)})
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    assert {c.statement for c in domain.candidates("search_area")} == {'search_area("A1")'}
    sky.swept("A1")
    sky.tell(domain, step(domain, "search_area"))
    assert {c.statement for c in domain.candidates("search_area")} == {'search_area("C3")'}
    sky.swept("C3")
    sky.tell(domain, step(domain, "search_area"))
    assert len(domain.candidates("search_area")) > 2, "after the last one it may look again"


def test_it_is_home_before_its_time_is_over() -> None:
    sky = Sky(wishes={"find her": replace(RED, bounds=Bounds(within_s=600.0))})
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    assert domain.candidates("search_area")
    sky.flight = replace(sky.flight, now_s=560.0)
    sky.tell(domain)
    assert can(domain) == {"return_home": 1.0}


def test_more_of_the_battery_is_kept_where_the_wish_says_so() -> None:
    sky = Sky(wishes={"find her": replace(RED, bounds=Bounds(reserve=0.85))})
    domain = sky.domain()
    sky.fly(charge=0.88)
    sky.tell(domain)
    assert "search_area" not in can(domain) and can(domain)["return_home"] == 1.0


def test_a_find_is_told_with_its_place_to_whom_the_wish_names() -> None:
    sky = Sky(wishes={"find her": replace(RED, report=("warden",))})
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    assert domain.news()
    sky.swept("A1", seen=[(-200.0, 200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    sky.asked("s10", "yes", (-200.0, 200.0))
    sky.tell(domain, step(domain, "confirm"))
    assert domain.news() == [
        "The person is at x -200 m, y 200 m.",
        "To the warden: the person is at x -200 m, y 200 m.",
    ]
    assert domain.news() == []


@pytest.mark.parametrize("flew", [False, True])
def test_called_off_there_is_nothing_left_but_the_way_home(flew: bool) -> None:
    sky = Sky(wishes={"find her": RED, "stand down": replace(RED, over=True)})
    domain = sky.domain()
    if flew:
        sky.fly()
    sky.tell(domain)
    sky.says = "stand down"
    sky.tell(domain)
    verdict = domain.over()
    if flew:
        assert verdict is None and can(domain) == {"return_home": 1.0}
    else:
        assert verdict is not None and verdict.met


def test_a_question_in_flight_is_told_and_the_search_goes_on() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    domain.news()

    async def unclear(brief: object, running: object) -> SearchWish:
        raise NotUnderstood("Which wood: pine wood or oak wood?")

    domain._read = unclear
    sky.says = "search the wood"
    sky.tell(domain)
    (told,) = domain.news()
    assert told.startswith("Which wood: pine wood or oak wood?") and "go on as before" in told
