"""The shared skills of flight, on a kinematic double."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable

import pytest
from drone_double import Block, DroneDouble, EyesDouble

from sayso.clock import SimClock
from sayso.errors import ReplanWanted, SkillFailed
from sayso.limits import Limits, Zone
from sayso.robots.drone.flight import Flight
from sayso.scene import Pose
from sayso.skill import SkillSet, skills_of


def fly(
    mission: Callable[[Flight], Awaitable[object]], drone: DroneDouble, eyes: EyesDouble | None = None
) -> list[str]:
    """Fly a mission to its end; what was said comes back."""
    said: list[str] = []

    async def main() -> None:
        flight = Flight(drone, eyes or EyesDouble(drone, {}), said.append)
        await mission(flight)

    SimClock().run(main())
    return said


HOVERING = Pose(z_m=1.0)


@pytest.mark.parametrize(
    ("skill", "x_m", "y_m", "z_m"),
    [
        ("move_forward", 0, 0.5, 1), ("move_backward", 0, -0.5, 1), ("move_left", -0.5, 0, 1),
        ("move_right", 0.5, 0, 1), ("move_up", 0, 0, 1.5), ("move_down", 0, 0, 0.5),
    ],
)  # fmt: skip
def test_a_move_goes_its_way_in_the_drones_own_frame(skill: str, x_m: float, y_m: float, z_m: float) -> None:
    drone = DroneDouble(Pose(z_m=1.0, yaw_rad=math.pi / 2), flying=True)
    assert fly(lambda f: getattr(f, skill)(50), drone) == []
    assert (drone.pose.x_m, drone.pose.y_m, drone.pose.z_m) == pytest.approx((x_m, y_m, z_m), abs=1e-9)


@pytest.mark.parametrize(("skill", "yaw_deg"), [("turn_cw", -30), ("turn_ccw", 30)])
def test_clockwise_is_to_the_right(skill: str, yaw_deg: float) -> None:
    drone = DroneDouble(HOVERING, flying=True)
    fly(lambda f: getattr(f, skill)(30), drone)
    assert math.degrees(drone.pose.yaw_rad) == pytest.approx(yaw_deg)


def test_a_landed_drone_goes_no_lower() -> None:
    with pytest.raises(SkillFailed, match="on the ground"):
        fly(lambda f: f.move_down(30), DroneDouble())
    with pytest.raises(SkillFailed, match="no lower than 20 cm"):
        fly(lambda f: f.move_up(10), DroneDouble())


@pytest.mark.parametrize("skill", ["move_forward", "move_up", "turn_cw", "turn_ccw"])
def test_a_landed_drone_takes_off_first_and_says_so(skill: str) -> None:
    drone = DroneDouble()
    said = fly(lambda f: getattr(f, skill)(30), drone)
    assert drone.log[0] == "take_off" and len(drone.log) == 2
    assert len(said) == 1 and "take off" in said[0]


def test_take_off_and_land_do_nothing_where_there_is_nothing_to_do() -> None:
    async def mission(flight: Flight) -> None:
        await flight.land()
        await flight.take_off()
        await flight.take_off()
        await flight.land()

    drone = DroneDouble()
    assert fly(mission, drone) == []
    assert drone.log == ["take_off", "land"]


def test_a_large_turn_asks_for_a_new_plan_after_it_was_made() -> None:
    drone = DroneDouble(HOVERING, flying=True)
    with pytest.raises(ReplanWanted, match="270 degrees"):
        fly(lambda f: f.turn_cw(270), drone)
    assert drone.log == ["turn -270"]
    fly(lambda f: f.turn_cw(180), drone)


def test_a_blocked_move_fails_with_the_adapters_reason() -> None:
    drone = DroneDouble(HOVERING, flying=True, blocks=[Block(2, 0, 0.5)])
    with pytest.raises(SkillFailed, match="in the way"):
        fly(lambda f: f.move_forward(300), drone)


def test_delay_waits_on_the_clock() -> None:
    clock = SimClock()
    drone = DroneDouble()

    async def main() -> float:
        await Flight(drone, EyesDouble(drone, {}), lambda _: None).delay(12.5)
        return clock.now_s()

    assert clock.run(main()) == pytest.approx(12.5)
    assert not drone.flying


def paths() -> SkillSet:
    drone = DroneDouble()
    return SkillSet(skills_of(Flight(drone, EyesDouble(drone, {}), lambda _: None)))


def test_motions_predict_their_path() -> None:
    skills = paths()
    law = skills["move_up"].path
    assert law is not None
    assert law(HOVERING, 150)[-1].z_m == pytest.approx(2.5)
    assert law(Pose(), 150)[-1].z_m == pytest.approx(1.5), "from the ground it is the height above it"
    assert Limits(altitude_max_m=2).path_refusal(law(HOVERING, 150)) is not None
    assert Limits(altitude_max_m=2).path_refusal(law(HOVERING, 90)) is None
    for name in ("take_off", "move_forward", "move_backward", "move_left", "move_right", "move_down", "turn_cw"):
        assert skills[name].path is not None


@pytest.mark.parametrize(("skill", "args"), [("move_forward", (10,)), ("turn_cw", (22.5,)), ("delay", (0,))])
def test_small_amounts_are_admissible(skill: str, args: tuple[float, ...]) -> None:
    assert paths()[skill].problem(args) is None


@pytest.mark.parametrize(
    ("skill", "args"), [("move_forward", (-50,)), ("move_up", (501,)), ("turn_cw", (361,)), ("delay", (61,))]
)
def test_amounts_out_of_range_are_not(skill: str, args: tuple[float, ...]) -> None:
    problem = paths()[skill].problem(args)
    assert problem is not None and "must be" in problem


# goto


def at_m(drone: DroneDouble, pose: Pose) -> float:
    return drone.pose.distance_m(pose)


@pytest.mark.parametrize("with_pose", [True, False])
@pytest.mark.parametrize("bearing_deg", [-30, 0, 25])
def test_goto_ends_at_the_thing_and_faces_it(bearing_deg: float, with_pose: bool) -> None:
    bearing_rad = math.radians(bearing_deg)
    chair = Pose(4 * math.cos(bearing_rad), 4 * math.sin(bearing_rad), 1.0)
    drone = DroneDouble(HOVERING, flying=True, blocks=[Block(chair.x_m, chair.y_m, 0.05)])
    fly(lambda f: f.goto("chair"), drone, EyesDouble(drone, {"chair": chair}, with_pose=with_pose))
    assert 0.4 < at_m(drone, chair) < 1.0
    assert abs(math.degrees(drone.pose.bearing_rad(chair))) < 6


@pytest.mark.parametrize("z_m", [0.1, 0.45, 1.9])
def test_goto_changes_height_so_that_the_thing_stays_in_frame(z_m: float) -> None:
    thing = Pose(4, 0.5, z_m)
    drone = DroneDouble(HOVERING, flying=True)
    eyes = EyesDouble(drone, {"ball": thing})
    fly(lambda f: f.goto("ball"), drone, eyes)
    assert at_m(drone, thing) < 1.0
    scene = SimClock().run(eyes.look())
    assert scene.find("ball") is not None


def test_goto_keeps_the_altitude_limit() -> None:
    drone = DroneDouble(HOVERING, flying=True, limits=Limits(altitude_min_m=0.8))
    eyes = EyesDouble(drone, {"ball": Pose(3, 0, 0.1)})
    fly(lambda f: f.goto("ball"), drone, eyes)
    assert drone.pose.z_m >= 0.8
    assert math.hypot(drone.pose.x_m - 3, drone.pose.y_m) < 1.0


def test_goto_something_that_is_not_in_view_fails_by_name() -> None:
    drone = DroneDouble(HOVERING, flying=True)
    with pytest.raises(SkillFailed, match="no chair in view"):
        fly(lambda f: f.goto("chair[0.3]"), drone, EyesDouble(drone, {"chair": Pose(-3, 0, 1)}))
    assert drone.log == []


@pytest.mark.parametrize("half_m", [0.3, 1.0])
def test_goto_flies_round_what_blocks_the_way(half_m: float) -> None:
    apple = Pose(5, 0, 1)
    drone = DroneDouble(HOVERING, flying=True, blocks=[Block(2.5, 0, half_m)])
    fly(lambda f: f.goto("apple"), drone, EyesDouble(drone, {"apple": apple}))
    assert at_m(drone, apple) < 1.0


def test_goto_flies_over_what_it_cannot_fly_round() -> None:
    apple = Pose(5, 0, 1.2)
    drone = DroneDouble(HOVERING, flying=True, blocks=[Block(2.5, y, 0.3, top_m=1.4) for y in range(-9, 10)])
    fly(lambda f: f.goto("apple"), drone, EyesDouble(drone, {"apple": apple}))
    assert math.hypot(drone.pose.x_m - 5, drone.pose.y_m) < 1.0


def test_goto_says_so_where_no_way_leads_round_or_over() -> None:
    drone = DroneDouble(HOVERING, flying=True, blocks=[Block(2.5, y, 0.6) for y in range(-9, 10)])
    with pytest.raises(SkillFailed, match=r"way to the apple is blocked .* no way round it or over it"):
        fly(lambda f: f.goto("apple"), drone, EyesDouble(drone, {"apple": Pose(5, 0, 1)}))
    assert drone.pose.x_m < 2.0


def test_goto_over_a_table_climbs_before_it_comes_nearer() -> None:
    drone = DroneDouble(Pose(z_m=0.5), flying=True, blocks=[Block(4.3, 0, 0.6, top_m=0.75)])
    apple = Pose(4, 0, 1.1)
    fly(lambda f: f.goto("apple"), drone, EyesDouble(drone, {"apple": apple}))
    assert at_m(drone, apple) < 1.0


def test_an_index_picks_the_instance() -> None:
    left, right = Pose(3, 1.2, 1), Pose(3.5, -1.4, 1)
    for name, goal in (("chair[0.2]", left), ("chair[0.8]", right)):
        drone = DroneDouble(HOVERING, flying=True)
        fly(lambda f, name=name: f.goto(name), drone, EyesDouble(drone, {"chair#1": left, "chair#2": right}))
        assert at_m(drone, goal) < 1.0


def test_a_few_misses_of_the_detector_do_no_harm() -> None:
    drone = DroneDouble(HOVERING, flying=True)
    fly(lambda f: f.goto("chair"), drone, EyesDouble(drone, {"chair": Pose(3, 0, 1)}, misses=2))
    assert drone.pose.x_m > 2


def test_a_thing_that_vanishes_is_looked_for_where_it_was() -> None:
    drone = DroneDouble(HOVERING, flying=True)
    eyes = EyesDouble(drone, {"chair": Pose(5, 0, 1)})

    async def mission(flight: Flight) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(flight.goto("chair"))
            await asyncio.sleep(0.5)
            eyes.things.clear()

    with pytest.raises(ExceptionGroup) as caught:
        fly(mission, drone, eyes)
    assert "the chair is not where it was seen last" in str(caught.value.exceptions[0])
    assert drone.pose.x_m > 3


def test_goto_respects_the_geofence() -> None:
    drone = DroneDouble(HOVERING, flying=True, limits=Limits(zone=Zone(-1, 2, -1, 1)))
    with pytest.raises(SkillFailed, match="geofence"):
        fly(lambda f: f.goto("chair"), drone, EyesDouble(drone, {"chair": Pose(6, 0, 1)}))
    assert drone.pose.x_m <= 2


# return_home


async def outing(flight: Flight) -> None:
    await flight.move_forward(300)
    await flight.turn_ccw(90)
    await flight.move_forward(200)
    await flight.move_up(50)
    await flight.return_home()


def test_return_home_ends_where_the_mission_began() -> None:
    start = Pose(1, 2, 1.0, 0.3)
    drone = DroneDouble(start, flying=True)
    fly(outing, drone)
    assert drone.pose.distance_m(start) < 0.05
    assert drone.pose.yaw_rad == pytest.approx(0.3, abs=0.05)


def test_a_mission_that_began_on_the_ground_returns_above_its_place() -> None:
    drone = DroneDouble(Pose(1, 2))
    fly(outing, drone)
    assert drone.flying
    assert drone.pose.distance_m(Pose(1, 2, 1)) < 0.05


def test_return_home_goes_round_what_stands_in_the_straight_line() -> None:
    drone = DroneDouble(HOVERING, flying=True, blocks=[Block(1.8, 1.2, 0.5)])
    fly(outing, drone)
    assert drone.pose.distance_m(HOVERING) < 0.05


def test_the_way_home_is_known_from_earlier_missions() -> None:
    """G46"""
    drone, marks = DroneDouble(HOVERING, flying=True, blocks=[Block(1.8, 1.2, 0.5)]), [HOVERING]

    async def missions() -> None:
        for skill, amount in (("move_forward", 300), ("turn_ccw", 90), ("move_forward", 200), ("return_home", None)):
            flight = Flight(drone, EyesDouble(drone, {}), lambda text: None, marks=marks)
            await getattr(flight, skill)(*([amount] if amount else []))

    SimClock().run(missions())
    assert drone.pose.distance_m(HOVERING) < 0.05
    assert marks == [HOVERING], "who is back forgets the loop"


def test_return_home_without_a_trail_says_that_it_is_blocked() -> None:
    drone = DroneDouble(HOVERING, flying=True)

    async def mission(flight: Flight) -> None:
        await flight.move_forward(300)
        drone.blocks.append(Block(1.5, 0, 0.5))
        await flight.return_home()

    with pytest.raises(SkillFailed, match=r"blocked|in the way"):
        fly(mission, drone)
