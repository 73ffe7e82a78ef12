"""The drone really flies: it arrives, it takes as long as the real one, it hits what is in its way."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from sayso.clock import SimClock
from sayso.errors import RobotError, SkillFailed
from sayso.robots.drone.world.office import Office
from sayso.robots.drone.world.sim import SimDrone
from sayso.scene import Pose

Mission = Callable[[SimDrone], Awaitable[None]]


def office(scene: str = "empty", seed: int = 0, wind_mps: float = 0.0) -> Office:
    return Office(scene, seed, wind_mps=wind_mps)


def fly(world: Office, mission: Mission) -> None:
    """Run `mission` while the world runs."""

    async def main() -> None:
        running = asyncio.create_task(world.run())
        try:
            await mission(world.drone)
        finally:
            running.cancel()

    SimClock().run(main())


async def seconds(motion: Awaitable[None]) -> float:
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    await motion
    return loop.time() - began_s


def test_takes_off_holds_its_height_and_lands() -> None:
    world = office()

    async def mission(drone: SimDrone) -> None:
        assert drone.state().resting and not drone.flying
        await drone.take_off()
        for _ in range(10):
            await asyncio.sleep(0.3)
            assert drone.state().pose.z_m == pytest.approx(1.02, abs=0.03)
        assert drone.flying and not drone.state().resting
        await drone.land()
        assert drone.state().resting and drone.state().pose.z_m < 0.03
        await drone.land()  # nothing left to do

    fly(world, mission)
    assert world.truth().contacts == ()


@pytest.mark.parametrize(
    ("forward_m", "left_m", "up_m"), [(1, 0, 0), (0, -1.5, 0), (-0.2, 0, 0), (1, 1, 0.5), (0, 0, 1)]
)
def test_a_move_arrives_in_the_heading_frame(forward_m: float, left_m: float, up_m: float) -> None:
    async def mission(drone: SimDrone) -> None:
        await drone.take_off()
        await drone.turn(math.radians(60))
        start = drone.state().pose
        took_s = await seconds(drone.move(forward_m, left_m, up_m))
        assert drone.state().pose.distance_m(start.moved(forward_m, left_m, up_m)) < 0.06
        assert took_s == pytest.approx(1.81 + 0.72 * math.hypot(forward_m, left_m, up_m), abs=0.15)

    fly(office(), mission)


@pytest.mark.parametrize("angle_deg", [45, -90, 180, 360, -360])
def test_a_turn_ends_at_its_angle_on_the_spot(angle_deg: float) -> None:
    async def mission(drone: SimDrone) -> None:
        await drone.take_off()
        start = drone.state().pose
        took_s = await seconds(drone.turn(math.radians(angle_deg)))
        end = drone.state().pose
        off_rad = math.remainder(end.yaw_rad - start.yaw_rad - math.radians(angle_deg), 2 * math.pi)
        assert abs(off_rad) < math.radians(2)
        assert end.distance_m(start) < 0.05
        assert took_s == pytest.approx(0.78 + 0.0165 * abs(angle_deg), abs=0.1)

    fly(office(), mission)


def test_small_errors_do_not_add_up() -> None:
    async def mission(drone: SimDrone) -> None:
        await drone.take_off()
        start = drone.state().pose
        for _ in range(4):
            await drone.move(1.0)
            await drone.turn(math.pi / 2)
        assert drone.state().pose.distance_m(start) < 0.06

    fly(office(), mission)


def test_a_faster_cruise_is_faster() -> None:
    async def mission(drone: SimDrone) -> None:
        await drone.take_off()
        await drone.move(-1.5)
        drone.speed_mps = 2.0
        assert await seconds(drone.move(3.0)) < 1.81 + 0.72 * 3.0 - 0.4

    fly(office(), mission)


def test_motions_before_take_off_fail() -> None:
    async def mission(drone: SimDrone) -> None:
        with pytest.raises(SkillFailed, match="not taken off"):
            await drone.move(1.0)
        with pytest.raises(SkillFailed, match="not taken off"):
            await drone.turn(1.0)

    fly(office(), mission)


def test_stops_short_of_a_wall_and_says_so() -> None:
    world = office()

    async def mission(drone: SimDrone) -> None:
        drone.limits = replace(drone.limits, zone=type(drone.limits.zone)())
        await drone.take_off()
        with pytest.raises(SkillFailed, match=r"flew 3\.\d+ of 5\.00 m.*0\.3\d m ahead"):
            await drone.move(5.0)
        assert 3.6 < drone.state().pose.x_m < 3.75
        assert drone.clearance_m() == pytest.approx(0.3, abs=0.06)
        with pytest.raises(SkillFailed, match="did not move"):
            await drone.move(0.5)
        await drone.move(-0.5)
        assert drone.flying

    fly(world, mission)
    assert world.truth().contacts == ()


def test_the_geofence_holds_without_the_executive() -> None:
    async def mission(drone: SimDrone) -> None:
        await drone.take_off()
        with pytest.raises(SkillFailed, match="geofence"):
            await drone.move(3.9)
        with pytest.raises(SkillFailed, match="altitude"):
            await drone.move(0, 0, 2.0)
        assert drone.state().pose.distance_m(Pose(0, 0, 1.02)) < 0.05

    fly(office(), mission)


def test_a_wall_is_solid() -> None:
    """Obstacle avoidance off, straight at the wall: it is touched, and it holds."""
    world = office()

    async def mission(drone: SimDrone) -> None:
        drone.limits = replace(drone.limits, obstacle_min_m=0.0, zone=type(drone.limits.zone)())
        await drone.take_off()
        with pytest.raises(SkillFailed, match=r"bumped|crashed"):
            await drone.move(0.0, -5.0)
        await asyncio.sleep(2.0)
        assert drone.state().pose.y_m > -3.0

    fly(world, mission)
    touch, *_ = world.truth().contacts
    assert touch.what == "wall" and touch.at_s > 3.0


def test_furniture_is_solid_and_named_to_judges() -> None:
    world = office("task09")

    async def mission(drone: SimDrone) -> None:
        drone.limits = replace(drone.limits, obstacle_min_m=0.0)
        await drone.take_off()
        with pytest.raises(SkillFailed):
            await drone.move(-3.0)

    fly(world, mission)
    assert world.truth().contacts[0].what == "chair"


def test_the_chair_between_blocks_the_way_to_the_apple() -> None:
    world = office("task09")

    async def mission(drone: SimDrone) -> None:
        await drone.take_off()
        await drone.turn(math.pi)
        apple = (await world.perception.look()).find("apple")
        assert apple is not None and apple.pose is not None and apple.distance_m is not None
        assert drone.clearance_m(drone.state().pose.bearing_rad(apple.pose)) < apple.distance_m - 1.0

    fly(world, mission)


def test_wind_pushes_and_is_held() -> None:
    world = office(seed=4, wind_mps=3.0)
    tilted = []

    async def mission(drone: SimDrone) -> None:
        await drone.take_off()
        start = drone.state().pose
        for _ in range(20):
            await asyncio.sleep(0.2)
            assert drone.state().pose.distance_m(start) < 0.4
            tilted.append(abs(world.data.qpos[4]) + abs(world.data.qpos[5]))
        await drone.move(1.0)
        assert drone.state().pose.distance_m(start.moved(1.0)) < 0.5

    fly(world, mission)
    assert max(tilted) > math.radians(2)  # it leans into the wind


def test_halt_stops_within_half_a_metre_and_ends_the_move() -> None:
    async def mission(drone: SimDrone) -> None:
        await drone.take_off()
        await drone.move(-2.0)
        move = asyncio.create_task(drone.move(5.0))
        await asyncio.sleep(2.0)
        assert drone.state().speed_mps > 1.0
        told = drone.state().pose
        await asyncio.gather(drone.halt(), drone.halt())
        with pytest.raises(SkillFailed, match="halted"):
            await move
        rest = drone.state()
        assert rest.speed_mps < 0.3 and rest.pose.distance_m(told) < 0.5
        await asyncio.sleep(1.0)
        assert drone.flying and drone.state().pose.distance_m(rest.pose) < 0.1
        await drone.halt()
        await drone.rest()
        assert drone.state().resting

    fly(office(), mission)


def test_halt_ends_a_landing_and_a_take_off() -> None:
    async def mission(drone: SimDrone) -> None:
        rising = asyncio.create_task(drone.take_off())
        await asyncio.sleep(1.5)
        await drone.halt()
        with pytest.raises(SkillFailed, match="halted"):
            await rising
        assert drone.flying and 0.1 < drone.state().pose.z_m < 1.0
        sinking = asyncio.create_task(drone.land())
        await asyncio.sleep(0.5)
        await drone.halt()
        with pytest.raises(SkillFailed, match="halted"):
            await sinking
        assert drone.flying
        await drone.land()
        assert not drone.flying

    fly(office(), mission)


def test_who_is_halted_while_its_rotors_spin_up_does_not_climb() -> None:
    async def mission(drone: SimDrone) -> None:
        rising = asyncio.ensure_future(drone.take_off())
        await asyncio.sleep(0.2)
        await drone.halt()
        with pytest.raises(SkillFailed):
            await rising
        await asyncio.sleep(3.0)
        assert drone.state().pose.z_m < 0.5 and drone.state().speed_mps < 0.1

    fly(office(), mission)


def test_a_cancelled_move_brakes() -> None:
    async def mission(drone: SimDrone) -> None:
        await drone.take_off()
        move = asyncio.create_task(drone.move(3.0))
        await asyncio.sleep(2.0)
        move.cancel()
        with pytest.raises(asyncio.CancelledError):
            await move
        here = drone.state().pose
        await asyncio.sleep(2.0)
        assert drone.state().pose.distance_m(here) < 0.6 and drone.state().speed_mps < 0.1

    fly(office(), mission)


def test_nothing_hangs_when_the_world_stands_still() -> None:
    async def main() -> None:
        world = office("task07")
        with pytest.raises(SkillFailed, match="not running"):
            await world.drone.move(1.0)
        with pytest.raises(RobotError, match="assume that it moves"):
            await world.drone.halt()

    SimClock().run(main())


def test_the_battery_lasts_about_thirteen_minutes_of_hovering() -> None:
    world = office("task07")

    async def mission(drone: SimDrone) -> None:
        await asyncio.sleep(13.0)
        assert drone.state().charge == pytest.approx(1 - 13 / 780, abs=0.002)
        world.quadrotor.charge = 0.001
        await asyncio.sleep(4.0)
        assert not drone.flying and drone.state().pose.z_m < 0.1

    fly(world, mission)


def test_clearance_looks_every_way_and_past_itself() -> None:
    async def mission(drone: SimDrone) -> None:
        await drone.take_off()
        assert drone.clearance_m() == pytest.approx(3.9, abs=0.1)  # the window's frame, before the wall
        assert drone.clearance_m(math.pi / 2) == pytest.approx(2.95, abs=0.1)
        assert drone.clearance_m(math.pi) == pytest.approx(4.0, abs=0.1)

    fly(office(), mission)


def test_time_that_jumps_is_flown_not_skipped() -> None:
    """After half a minute without a tick the world catches up step by step."""
    world = office("task07")

    async def main() -> None:
        running = asyncio.create_task(world.run())
        await asyncio.sleep(0.1)
        loop = asyncio.get_running_loop()
        clock._now_s += 30.0
        await asyncio.sleep(0.1)
        assert world.time_s == pytest.approx(loop.time(), abs=0.05)
        running.cancel()

    clock = SimClock()
    clock.run(main())
    assert world.drone.state().pose.distance_m(world.stage.start) < 0.05


def test_same_seed_same_flight_to_the_last_bit() -> None:
    def once(seed: int) -> list[float]:
        world = office("tour", seed=seed, wind_mps=1.0)

        async def mission(drone: SimDrone) -> None:
            await drone.take_off()
            await drone.turn(1.0)
            await drone.move(0.5, 0.1)

        fly(world, mission)
        values: list[float] = world.data.qpos.tolist()
        return values

    assert once(5) == once(5)
    assert once(5) != once(6)


def test_lands_on_what_is_below_and_judges_hear_of_it() -> None:
    world = office("task04")

    async def mission(drone: SimDrone) -> None:
        await drone.take_off()
        await drone.move(-2.4)
        await drone.land()
        assert drone.state().pose.z_m == pytest.approx(0.74, abs=0.02)
        await drone.take_off()
        assert drone.state().pose.z_m == pytest.approx(1.74, abs=0.05)

    fly(world, mission)
    assert [touch.what for touch in world.truth().contacts] == ["table"]


def test_a_capsized_drone_stops_its_rotors_and_stays_down() -> None:
    world = office("task07")

    async def mission(drone: SimDrone) -> None:
        move = asyncio.create_task(drone.move(0.5))
        await asyncio.sleep(0.5)
        world.data.qpos[3:7] = (0.0, 1.0, 0.0, 0.0)  # upside down
        with pytest.raises(SkillFailed, match="crashed"):
            await move
        await asyncio.sleep(2.0)
        assert drone.crashed and drone.state().resting and drone.state().pose.z_m < 0.1
        with pytest.raises(SkillFailed, match="crashed"):
            await drone.take_off()
        await drone.halt()

    fly(world, mission)
