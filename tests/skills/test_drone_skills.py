"""The whole set of a drone's skills: its names as the paper has them, and the composed ones at work."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest
from drone_double import Block, DroneDouble, EyesDouble
from plan_driver import fly_plan

from sayso.clock import SimClock
from sayso.language import Ended, check
from sayso.plugins.kits import MissionServices
from sayso.robots.drone.kit import KIT
from sayso.scene import Pose, Scene
from sayso.skill import Range, SkillSet, skill
from sayso.skills import composed

HOVERING = Pose(z_m=1.0)


def skills_for(drone: Any, eyes: EyesDouble | None = None, ask: Any = None) -> tuple[SkillSet, list[str]]:
    said: list[str] = []
    eyes = eyes or EyesDouble(drone, {})
    given = MissionServices(
        robot=drone,
        eyes=eyes,
        perception=eyes,
        ask=ask,
        tell=said.append,
        shown=lambda *_: None,
        since_s=lambda: asyncio.get_running_loop().time(),
    )
    return KIT.capabilities(given).skills, said


def run(text: str, drone: DroneDouble, things: dict[str, Pose], ask: Any = None) -> tuple[Ended, list[str]]:
    skills, said = skills_for(drone, EyesDouble(drone, things), ask)
    assert check(text, skills) == []
    return SimClock().run(fly_plan(text, skills)), said


def test_the_abbreviations_are_the_papers() -> None:
    skills, _ = skills_for(DroneDouble())
    shorts = {s.short: s.name for s in skills.values()}
    papers = [
        "mf", "mb", "ml", "mr", "mu", "md", "tc", "tu", "d", "iv", "ox", "oy", "ow", "oh", "od", "p", "l", "tp", "g",
        "s", "sa", "t",
    ]  # fmt: skip
    assert set(papers) | {"to", "la", "o", "a", "rh", "lr", "hm", "nt", "fc", "wo", "gb", "ci", "fa"} == set(shorts)
    assert [shorts[s] for s in ("mf", "mb", "ml", "mr", "mu", "md")] == [
        f"move_{way}" for way in ("forward", "backward", "left", "right", "up", "down")
    ]
    assert [shorts[s] for s in ("tc", "tu", "d", "iv", "p", "l", "tp", "g", "s", "sa", "t")] == [
        "turn_cw", "turn_ccw", "delay", "is_visible", "probe", "log", "take_picture", "goto", "scan", "scan_abstract",
        "time",
    ]  # fmt: skip
    assert [shorts[s] for s in ("ox", "oy", "ow", "oh", "od")] == [
        f"object_{what}" for what in ("x", "y", "width", "height", "distance")
    ]


def test_scan_and_scan_abstract_are_the_specified_programs() -> None:
    sources = {c.name: c.source for c in composed("sayso.robots.drone", "plans.toml")}
    assert sources["scan"] == "8{?iv($1)==True{->True}tc(45)}->False"
    assert sources["scan_abstract"] == "8{_1=p($1);?_1!=False{->_1}tc(45)}->False"


def test_kinds_and_units_follow_from_the_signatures() -> None:
    skills, _ = skills_for(DroneDouble())
    assert skills["goto"].params[0].kind == skills["scan"].params[0].kind == "thing"
    assert skills["move_up"].params[0].unit == "cm" and skills["turn_cw"].params[0].unit == "deg"
    assert skills["delay"].params[0].range == Range(0, 60)
    assert skills["scan"].uses == ("base",) and skills["scan"].returns == "flag"
    assert all(s.description for s in skills.values())


def test_an_adapters_own_skill_replaces_the_shared_one() -> None:
    class Tello(DroneDouble):
        @skill(uses="base", short="mf")
        async def move_forward(self, distance_cm: float) -> None:
            """Fly ahead, at least 20 cm."""

        @skill(uses="base")
        async def flip(self) -> None:
            """Roll over once."""

    skills, _ = skills_for(Tello())
    assert skills["move_forward"].description == "Fly ahead, at least 20 cm."
    assert skills["flip"].short == "flip"


# The composed skills, flown


def test_scan_stops_at_the_first_heading_that_shows_the_thing() -> None:
    drone = DroneDouble(HOVERING, flying=True)
    ended, _ = run("->s('chair')", drone, {"chair": Pose(0, -3, 1)})
    assert ended.value is True
    assert drone.log == ["turn -45"] * 2
    assert abs(drone.pose.bearing_rad(Pose(0, -3))) < math.radians(35.2)


def test_scan_of_what_is_not_there_comes_round_and_says_so() -> None:
    drone = DroneDouble(HOVERING, flying=True)
    ended, _ = run("->s('chair')", drone, {})
    assert ended.value is False
    assert drone.log == ["turn -45"] * 8
    assert drone.pose.yaw_rad == pytest.approx(0, abs=1e-9)


def test_scan_abstract_asks_at_every_heading_until_there_is_an_answer() -> None:
    asked: list[str] = []

    async def ask(question: str, scene: Scene) -> str:
        asked.append(question)
        return "apple" if scene.find("apple") else "False"

    drone = DroneDouble(HOVERING, flying=True)
    ended, _ = run("->sa('anything to eat?')", drone, {"apple": Pose(-3, 0, 1)}, ask)
    assert ended.value == "apple"
    assert asked == ["anything to eat?"] * (len(drone.log) + 1)


@pytest.mark.parametrize("bearing_deg", [-33, -12, 0, 20, 34])
def test_orienting_ends_with_the_thing_in_the_middle(bearing_deg: float) -> None:
    bearing_rad = math.radians(bearing_deg)
    chair = Pose(3 * math.cos(bearing_rad), 3 * math.sin(bearing_rad), 1)
    drone = DroneDouble(HOVERING, flying=True)
    ended, _ = run("->o('chair')", drone, {"chair": chair})
    assert ended.value is True
    assert abs(math.degrees(drone.pose.bearing_rad(chair))) < 5
    assert len(drone.log) <= 4


def test_orienting_to_what_is_not_in_view_fails_with_the_reason() -> None:
    ended, _ = run("o('chair')", DroneDouble(HOVERING, flying=True), {})
    assert ended.how == "failed" and "no chair in view" in ended.reason


def test_approach_comes_near_in_bounded_steps() -> None:
    chair = Pose(4.3, 1, 1)
    drone = DroneDouble(HOVERING, flying=True)
    ended, _ = run("->a('chair')", drone, {"chair": chair})
    assert ended.value is True
    assert 0.5 < drone.pose.distance_m(chair) < 1.0
    assert all(float(step.split()[1]) <= 1.0 for step in drone.log if step.startswith("move"))


def test_a_plan_of_the_specification_runs() -> None:
    drone = DroneDouble(HOVERING, flying=True)
    ended, _ = run("16{tc(22.5);mf(10)}", drone, {})
    assert ended.how == "finished"
    assert drone.pose.distance_m(HOVERING) < 0.01, "sixteen sides close"


def test_a_large_turn_ends_the_plan_with_a_wish_for_a_new_one() -> None:
    drone = DroneDouble(HOVERING, flying=True)
    ended, _ = run("tc(270);mf(100)", drone, {})
    assert ended.how == "replan" and "270 degrees" in ended.reason
    assert drone.log == ["turn -270"]


def test_a_blocked_goto_ends_the_plan_with_its_reason() -> None:
    drone = DroneDouble(HOVERING, flying=True, blocks=[Block(2, y, 0.6) for y in range(-9, 10)])
    ended, _ = run("g('apple');mf(100)", drone, {"apple": Pose(4, 0, 1)})
    assert ended.how == "failed" and "blocked" in ended.reason


def test_log_and_time_in_a_plan() -> None:
    drone = DroneDouble(HOVERING, flying=True)
    _, said = run("_1=t;d(2);l(int(t-_1));l('a'+1);", drone, {})
    assert said == ["2", "a1"]
