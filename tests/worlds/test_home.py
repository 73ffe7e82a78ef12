"""The home: what is where at the start, what meets what, who hears whom, and what the robot's own motions do."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest

from sayso.clock import SimClock
from sayso.errors import SkillFailed, UsageError
from sayso.limits import LimitReached
from sayso.robots.service.world.home import Home
from sayso.scene import Pose
from sayso.worlds import make
from sayso.worlds.indoor.arm import ArmShape, solve
from sayso.worlds.indoor.robot import SimService


def home(setup: Mapping[str, Any] | None = None, seed: int = 1) -> Home:
    world = make("home", seed=seed, setup={"people": []} if setup is None else setup)
    assert isinstance(world, Home)
    return world


def run(world: Home, main: Callable[[SimService], Awaitable[Any]]) -> Any:
    async def both() -> Any:
        running = asyncio.ensure_future(world.run())
        try:
            return await main(world.robot)
        finally:
            running.cancel()

    return SimClock().run(both())


def test_everything_is_there_and_stays_where_it_belongs() -> None:
    world = make("home", seed=2)
    assert isinstance(world, Home)
    world.step_to(3.0)
    truth, table = world.truth(), world.robot.knowledge
    usual = {c["name"]: c["place"] for c in table["categories"]}
    objects = truth.things
    assert len(objects) == 27 and len(usual) == 8 and len(table["places"]) == 14
    assert sum(bool(p.get("placement")) for p in table["places"]) == 9 and len(table["rooms"]) == 5
    assert {o.label: o.on for o in objects.values()} == {o.label: usual[o.category] for o in objects.values()}
    assert 5 <= len(truth.people) <= 8 and "operator" in truth.people
    assert all(world.things.all[i].upright for i in objects)
    assert max(Counter(o.category for o in objects.values()).values()) == 5


def test_the_same_seed_is_the_same_home() -> None:
    one, same, other = (make("home", seed=s) for s in (5, 5, 6))
    poses = [{i: o.pose for i, o in w.truth().things.items()} for w in (one, same, other)]
    assert poses[0] == poses[1] != poses[2]


@pytest.mark.parametrize(
    ("setup", "hint"),
    [
        ({"objects": {"sword": "sink"}}, "no object is called 'sword'"),
        ({"objects": {"coke": "moon"}}, "cannot be put on 'moon'"),
        ({"people": [{"name": "Mary", "pose": "flying"}]}, "a pose is one of"),
        ({"people": [{"name": "Mary"}, {"name": "Mary"}]}, "two people are called Mary"),
        ({"doors": {"gate": "closed"}}, "there is no gate"),
        ({"weather": "rain"}, "not weather"),
        ({"objects": {"coke": {"on": "cup"}, "cup": None}}, "which is not there"),
    ],
)
def test_a_set_up_that_cannot_be_is_refused(setup: dict[str, Any], hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        home(setup)


def test_a_set_up_says_what_is_where() -> None:
    world = home(
        {
            "people": [{"name": "Mary", "place": "bed", "pose": "lying"}, {"name": "Alex", "place": "sink"}],
            "objects": {"coke": "dining table", "apple": None, "cup": {"on": "tray"}},
            "doors": {"kitchen door": "closed"},
        }
    )
    world.step_to(2.0)
    truth = world.truth()
    objects = truth.things
    assert "apple" not in objects and objects["coke"].on == "dining table" and objects["cup"].on == "tray"
    assert truth.people["Mary"].posture == "lying" and truth.people["Alex"].room == "kitchen"
    assert "kitchen door" in truth.closed


def test_the_arm_reaches_what_it_says_and_no_more() -> None:
    shape = ArmShape()
    for pitch in (0.0, 0.6, 1.2):
        stance = solve(shape, (0.5, 0.2, 0.8), (pitch, 0.0))
        assert stance is not None
        yaw, shoulder, elbow, _, wrist, _ = stance.angles
        up, fore, hand = -shoulder, -shoulder - elbow, -shoulder - elbow - wrist
        far = shape.upper_m * math.cos(up) + shape.fore_m * math.cos(fore) + shape.hand_m * math.cos(hand)
        high = shape.upper_m * math.sin(up) + shape.fore_m * math.sin(fore) + shape.hand_m * math.sin(hand)
        assert math.isclose(hand, -pitch, abs_tol=1e-9)
        assert math.isclose(shape.shoulder[0] + far * math.cos(yaw), 0.5, abs_tol=1e-6)
        assert math.isclose(shape.shoulder[2] + stance.lift_m + high, 0.8, abs_tol=1e-6)
    assert solve(shape, (1.2, 0.0, 0.8), (0.3, 0.0)) is None


def test_a_hand_takes_only_what_it_has_got_to() -> None:
    world = home()

    async def main(robot: SimService) -> None:
        stand = next(p["stand"] for p in robot.knowledge["places"] if p["name"] == "counter")
        await robot.drive_to(*stand)
        at = world.things.all["coke"].middle
        await robot.turn_to(robot.state().pose.yaw_rad + robot.state().pose.bearing_rad(at))
        with pytest.raises(SkillFailed, match="closed on nothing"):
            await robot.grasp_at(at.x_m, at.y_m, at.z_m + 0.15)
        with pytest.raises(SkillFailed, match="out of reach"):
            await robot.grasp_at(at.x_m, at.y_m - 2.0, at.z_m)
        await robot.grasp_at(at.x_m, at.y_m, at.z_m)
        assert robot.holding and world.truth().holding == "coke"
        await robot.drive_to(1.4, -2.0, 0.0)
        world.arm.open(0.1)
        await asyncio.sleep(1.5)

    run(world, main)
    coke = world.truth().things["coke"]
    assert coke.on == "floor" and coke.holder == "" and world.truth().contacts == ()


def test_voices_carry_a_few_metres_and_not_through_walls() -> None:
    near, far = {"name": "Mary", "at": [1.0, 2.3]}, {"name": "Alex", "at": [-1.6, 2.3]}
    behind = {"name": "John", "at": [2.4, 0.0]}
    world = home({"people": [near, far, behind]})

    async def main(robot: SimService) -> tuple[str, str] | None:
        await robot.say("Mary, what is your name?")
        return await robot.listen(3.0)

    assert run(world, main) == ("Mary", "My name is Mary.")
    people = world.truth().people
    assert people["Mary"].heard and not people["Alex"].heard and not people["John"].heard
    assert "robot" in world.truth().said[1].heard_by


def test_a_closed_door_blocks_until_somebody_opens_it() -> None:
    world = home(
        {
            "people": [{"name": "Mary", "at": [2.6, 0.35]}],
            "doors": {"kitchen door": "closed", "serving door": "closed"},
            "robot": {"at": [1.4, 0.2]},
        }
    )

    async def main(robot: SimService) -> None:
        with pytest.raises(SkillFailed, match=r"the way to the kitchen is blocked at the \w+ door"):
            await robot.drive_to(1.4, -2.4, what="to the kitchen")
        await robot.drive_to(1.6, 0.2)
        await robot.say("Mary, please open the kitchen door.")
        assert await robot.listen(15.0) == ("Mary", "The kitchen door is open.")
        await asyncio.sleep(2.0)
        await robot.drive_to(1.4, -2.4, what="to the kitchen")

    run(world, main)
    assert world.truth().room == "kitchen" and world.truth().contacts == ()


def test_a_door_that_was_opened_out_of_sight_is_driven_through() -> None:
    doors = {"kitchen door": "closed", "serving door": "closed"}
    world = home({"people": [], "doors": doors, "robot": {"at": [1.4, 0.2]}})

    async def main(robot: SimService) -> None:
        with pytest.raises(SkillFailed, match="is blocked at"):
            await robot.drive_to(1.4, -2.4, what="to the kitchen")
        await robot.drive_to(-4.0, 0.0)
        world.set_door("kitchen door", closed=False)
        world.set_door("serving door", closed=False)
        await robot.drive_to(1.4, -2.4, what="to the kitchen")

    run(world, main)
    assert world.truth().room == "kitchen"


def test_people_are_driven_round() -> None:
    world = home({"people": [{"name": "Mary", "at": [-1.0, 0.2]}], "robot": {"at": [1.5, 0.0], "yaw_deg": 180}})
    run(world, lambda robot: robot.drive_to(-4.0, 0.0))
    assert world.truth().contacts == ()
    assert world.base.pose.distance_m(Pose(-4.0, 0.0)) < 0.1


def test_halt_stops_wheels_and_arm() -> None:
    world = home()

    async def main(robot: SimService) -> None:
        driving = asyncio.ensure_future(robot.drive_to(0.0, 0.0))
        await asyncio.sleep(2.0)
        assert robot.state().speed_mps > 0.1 and not robot.state().resting
        await robot.halt()
        assert robot.state().resting
        with pytest.raises(SkillFailed, match="halted"):
            await driving
        await robot.halt()

    run(world, main)


def test_the_zone_is_not_left() -> None:
    world = home()

    async def main(robot: SimService) -> None:
        with pytest.raises(LimitReached):
            await robot.drive_to(9.0, 0.0)

    run(world, main)


def test_the_camera_sees_what_is_there_and_not_through_walls() -> None:
    world = home(
        {
            "people": [{"name": "Mary", "at": [0.2, 2.3], "gesture": "waving"}],
            "robot": {"at": [2.4, 2.3], "yaw_deg": 180},
        }
    )
    scene = world.perception.see()  # type: ignore[attr-defined]
    mary = next(t for t in scene if t.label == "person")
    assert mary.attributes["name"] == "Mary" and mary.attributes["gesture"] == "waving"
    fruit = [t for t in scene if t.attributes.get("category") == "fruits"]
    assert all(t.attributes["on"] == "bookcase" for t in fruit)
    assert not any(t.attributes.get("category") in ("drinks", "snacks") for t in scene)
