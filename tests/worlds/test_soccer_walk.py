"""The simulated humanoid on its feet: walking, turning, stopping, staying inside its limits."""

from __future__ import annotations

import asyncio
import math
import random

import pytest
from soccer_game import play, until, watch

from sayso.clock import SimClock
from sayso.errors import RobotError, UsageError
from sayso.robots.humanoid.world.body import WALK_MAX, WALK_RAMP
from sayso.robots.humanoid.world.pitch import Soccer
from sayso.scene import Pose, wrap


def test_it_stands_by_itself() -> None:
    async def script(world: Soccer) -> None:
        await asyncio.sleep(2.0)
        assert world.robot.stable
        assert world.robot.state().resting
        assert world.robot.state().summary == "standing"

    world = play(script)
    truth = world.truth()
    assert world.measured.tilt_max_rad < 0.05
    assert math.hypot(truth.pose.x_m, truth.pose.y_m) < 0.03


def test_it_walks_straight_to_a_place() -> None:
    async def script(world: Soccer) -> None:
        goal = Pose(1.0, 0.0)
        while (left := goal.x_m - world.robot.pose.x_m) > 0.02:
            here = world.robot.pose
            world.robot.set_walk(min(0.4, math.sqrt(0.6 * left)), -here.y_m, -here.yaw_rad)
            await asyncio.sleep(1 / 30)
        world.robot.stop_walking()
        assert await until(lambda: world.robot.stable, 2.0)

    robot = play(script).truth().pose
    assert robot.x_m == pytest.approx(1.0, abs=0.05)
    assert robot.y_m == pytest.approx(0.0, abs=0.05)
    assert robot.yaw_rad == pytest.approx(0.0, abs=0.1)


@pytest.mark.parametrize(("vx", "vy"), [(9.0, 0.0), (-9.0, 0.0), (0.0, 9.0), (9.0, -9.0)])
def test_speed_and_acceleration_are_limited_whatever_is_asked(vx: float, vy: float) -> None:
    async def script(world: Soccer) -> list[tuple[float, Pose]]:
        world.robot.set_walk(vx, vy, 0.0)
        rows.extend(await watch(world, 2.5))
        return rows

    rows: list[tuple[float, Pose]] = []
    world = play(script)
    truth = world.truth()
    assert world.measured.speed_max_mps < 0.45
    assert truth.books.falls == []
    half = {round(t, 2): p.distance_m(rows[0][1]) for t, p in rows}
    first_half_second_m = min(d for t, d in half.items() if t >= 0.5)
    assert first_half_second_m < 0.5 * (WALK_RAMP[0] * 1.4) * 0.5**2 + 0.02, "it cannot be at full speed at once"
    wanted = math.hypot(min(abs(vx), WALK_MAX[0] if vx > 0 else WALK_MAX[1]), min(abs(vy), WALK_MAX[1]))
    assert world.measured.walked_m > 0.6 * min(wanted, 0.4) * 2.5


def test_it_turns_on_the_spot() -> None:
    async def script(world: Soccer) -> None:
        world.robot.set_walk(0.0, 0.0, 5.0)
        await asyncio.sleep(3.0 / WALK_MAX[2])
        world.robot.stop_walking()
        assert await until(lambda: world.robot.stable, 2.0)

    world = play(script)
    truth = world.truth()
    assert world.measured.turned_rad == pytest.approx(3.0, abs=0.4)
    assert world.measured.turn_max_radps < 1.3
    assert math.hypot(truth.pose.x_m, truth.pose.y_m) < 0.1


def test_halt_returns_when_it_stands_and_needs_little_room() -> None:
    async def script(world: Soccer) -> None:
        world.robot.set_walk(0.4, 0.0, 0.0)
        world.robot.wave()
        await asyncio.sleep(2.0)
        began_m, began_s = world.robot.pose.x_m, world.time_s
        await world.robot.halt()
        assert world.robot.state().resting
        assert not world.robot.waving
        assert world.robot.pose.x_m - began_m < 0.25
        assert world.time_s - began_s < 2.0
        at = world.robot.pose
        await asyncio.sleep(1.0)
        assert world.robot.pose.distance_m(at) < 0.03

    play(script)


def test_halt_says_so_when_nobody_moves_the_world() -> None:
    async def main() -> None:
        world = Soccer()
        world.robot.set_walk(0.2, 0.0, 0.0)
        for _ in range(20):
            world.step()
        await world.robot.halt()

    with pytest.raises(RobotError, match="is its world running"):
        SimClock().run(main())


def test_numbers_that_are_not_finite_are_refused() -> None:
    robot = Soccer().robot
    with pytest.raises(UsageError):
        robot.set_walk(math.nan, 0.0, 0.0)
    with pytest.raises(UsageError):
        robot.set_head(math.inf, 0.0)
    with pytest.raises(UsageError):
        robot.start_kick("middle")


@pytest.mark.parametrize("seed", range(2))
def test_no_walk_leads_out_of_the_zone(seed: int) -> None:
    """A hostile driver at every command's maximum, from a corner of the zone."""
    chance = random.Random(seed)

    async def script(world: Soccer) -> None:
        for _ in range(40):
            pick = chance.choice([(9, 0, 0), (9, 9, 9), (9, -9, -9), (-9, 9, 1), (9, 0, 0.6), (0, 9, -1)])
            world.robot.set_walk(*pick)
            await asyncio.sleep(chance.uniform(0.05, 1.5))

    at = Pose(4.6 * chance.choice([-1, 1]), 3.2 * chance.choice([-1, 1]), 0.0, chance.uniform(-3, 3))
    world = play(script, robot_at=at, seed=seed)
    assert world.measured.walked_m > 1.0
    assert world.measured.zone_excess_m == 0.0
    assert world.measured.speed_max_mps <= world.robot.limits.speed_max_mps


def test_the_limit_that_holds_it_is_named() -> None:
    async def script(world: Soccer) -> None:
        world.robot.set_walk(0.4, 0.0, 0.0)
        assert world.robot.held is None
        await asyncio.sleep(6.0)
        assert world.robot.held is not None
        assert world.robot.held.limit == "geofence"
        assert abs(world.robot.velocity[0]) < 0.05

    play(script, robot_at=Pose(4.2, 2.2))


def test_the_head_reaches_only_as_far_as_a_head_does() -> None:
    async def script(world: Soccer) -> None:
        world.robot.set_head(3.0, -3.0)
        await asyncio.sleep(0.2)
        assert abs(world.robot.head[0]) < 0.6, "servos take time"
        await asyncio.sleep(1.5)
        assert world.robot.head == pytest.approx((1.25, -0.35), abs=0.03)
        world.robot.set_head(-3.0, 3.0)
        await asyncio.sleep(2.0)

    world = play(script)
    truth = world.truth()
    assert world.measured.head_pan_range_rad == pytest.approx((-1.25, 1.25), abs=0.05)
    assert world.measured.limb_travel_rad["head"] > 3.0
    assert world.measured.limb_travel_rad["legs"] < 0.3
    assert abs(wrap(truth.pose.yaw_rad)) < 0.05, "looking around moves only the head"


def test_waving_moves_one_arm_up_and_about() -> None:
    async def script(world: Soccer) -> None:
        world.robot.wave()
        await asyncio.sleep(4.0)
        assert world.robot.state().summary == "waving"
        world.robot.wave(False)
        await asyncio.sleep(1.0)

    world = play(script)
    truth = world.truth()
    assert len(truth.books.waves) >= 3
    assert world.measured.limb_travel_rad["right_arm"] > 5 * world.measured.limb_travel_rad["left_arm"]
    assert truth.books.falls == []
