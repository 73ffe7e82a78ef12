"""Pushes, falls and getting up, and what the robot's own IMU makes of them."""

from __future__ import annotations

import asyncio
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soccer_game import knock_over, play, until

from sayso.errors import SkillFailed, UsageError
from sayso.robots.humanoid.world.pitch import Soccer
from sayso.robots.humanoid.world.sim import Attitude, FallEstimate

COMPASS = [0.0, 0.9, math.pi]


@pytest.mark.parametrize("way_rad", COMPASS)
def test_a_small_push_is_stood(way_rad: float) -> None:
    async def script(world: Soccer) -> None:
        await asyncio.sleep(0.5)
        world.push(5 * math.cos(way_rad), 5 * math.sin(way_rad), 0.3)
        await asyncio.sleep(2.0)
        assert world.robot.stable

    world = play(script)
    truth = world.truth()
    assert truth.books.falls == []
    assert world.measured.tilt_max_rad > 0.03, "but it is felt"


@pytest.mark.parametrize("way_rad", COMPASS)
def test_a_big_push_fells_it_and_it_gets_up(way_rad: float) -> None:
    async def script(world: Soccer) -> None:
        await asyncio.sleep(0.5)
        await knock_over(world, 22 * math.cos(way_rad), 22 * math.sin(way_rad))
        assert world.truth().tilt_rad > 0.7, "the estimate is not made up"
        await asyncio.sleep(1.0)
        assert world.robot.state().summary == "fallen"
        began_s = world.time_s
        world.robot.start_get_up()
        assert world.robot.getting_up
        assert await until(lambda: world.robot.stable, 8.0)
        assert 1.5 <= world.time_s - began_s <= 6.0
        assert not world.robot.fallen
        world.robot.set_walk(0.3, 0.0, 0.0)
        await asyncio.sleep(1.5)

    truth = play(script).truth()
    assert len(truth.books.falls) == 1
    assert truth.books.falls[0].pushed
    assert truth.books.falls[0].up_s is not None
    assert truth.speed_mps > 0.2


def test_it_can_be_felled_while_walking_and_forgets_the_walk() -> None:
    async def script(world: Soccer) -> None:
        world.robot.set_walk(0.4, 0.0, 0.0)
        await asyncio.sleep(1.5)
        await knock_over(world, 0.0, 22.0)
        assert not world.robot.walking
        world.robot.set_walk(0.4, 0.0, 0.0)
        assert not world.robot.walking, "who lies does not walk"
        world.robot.start_get_up()
        assert await until(lambda: world.robot.stable, 8.0)

    assert play(script).truth().books.falls


def test_pushed_over_again_while_getting_up_it_can_try_again() -> None:
    async def script(world: Soccer) -> None:
        await knock_over(world)
        world.robot.start_get_up()
        await asyncio.sleep(1.6)
        world.push(0.0, 40.0, 0.3)
        assert await until(lambda: not world.robot.getting_up, 3.0)
        assert await until(lambda: world.robot.fallen, 2.0)
        await asyncio.sleep(0.8)
        world.robot.start_get_up()
        assert await until(lambda: world.robot.stable, 8.0)

    play(script)


def test_it_gets_up_beside_what_it_fell_against() -> None:
    async def script(world: Soccer) -> None:
        await asyncio.sleep(0.3)
        world.push(22.0, 0.0, 0.3)
        assert await until(lambda: world.robot.fallen, 5.0)
        world.robot.start_get_up()
        assert await until(lambda: world.robot.stable, 8.0)

    assert play(script, obstacles=[(0.7, 0.0)]).truth().books.falls


@pytest.mark.parametrize(("tilt_rad", "after_s"), [(1.4, 0.1), (0.7, 1.0), (0.4, None)])
def test_lying_is_a_fall_soon_leaning_after_a_while_swaying_never(tilt_rad: float, after_s: float | None) -> None:
    estimate = FallEstimate()
    times = [n / 90 for n in range(270) if estimate.update(tilt_rad, 1 / 90)]
    assert times == ([] if after_s is None else [pytest.approx(after_s, abs=0.03)])
    assert estimate.fallen is (after_s is not None)


def test_one_bad_sample_is_no_fall_and_no_recovery() -> None:
    estimate = FallEstimate()
    for n in range(90):
        estimate.update(3.0 if n % 5 == 0 else 0.1, 1 / 90)
    assert not estimate.fallen
    for _ in range(90):
        estimate.update(1.5, 1 / 90)
    estimate.update(0.0, 1 / 90)
    assert estimate.fallen


def test_halt_lets_a_get_up_finish_and_a_fallen_robot_lie() -> None:
    async def script(world: Soccer) -> None:
        await knock_over(world)
        await world.robot.halt()
        assert world.robot.fallen
        assert world.robot.state().resting
        world.robot.start_get_up()
        await world.robot.halt()
        assert world.robot.stable

    play(script)


def test_getting_up_needs_a_fall_and_a_push_needs_numbers() -> None:
    world = Soccer()
    with pytest.raises(SkillFailed, match="has not fallen"):
        world.robot.start_get_up()
    with pytest.raises(UsageError):
        world.push(math.nan, 0.0, 0.1)


@settings(max_examples=30)
@given(st.floats(-1.4, 1.4), st.floats(0.0, 6.3))
def test_at_rest_the_filter_finds_gravity(tilt_rad: float, around_rad: float) -> None:
    up = (
        math.sin(tilt_rad) * math.cos(around_rad),
        math.sin(tilt_rad) * math.sin(around_rad),
        math.cos(tilt_rad),
    )
    attitude = Attitude()
    for _ in range(360):
        attitude.update((0.01, -0.01, 0.0), (9.81 * up[0], 9.81 * up[1], 9.81 * up[2]), 1 / 90)
    assert attitude.up == pytest.approx(up, abs=0.03)


def test_the_filter_follows_a_turn_that_the_accelerometer_cannot_see() -> None:
    attitude = Attitude()
    for _ in range(90):
        attitude.update((1.0, 0.0, 0.0), (0.0, 0.0, 60.0), 1 / 90)
    assert attitude.tilt_rad == pytest.approx(1.0, abs=0.02)


def test_a_walk_does_not_pass_for_a_fall() -> None:
    async def script(world: Soccer) -> None:
        world.robot.set_walk(0.4, 0.0, 0.5)
        worst = 0.0
        for _ in range(100):
            await asyncio.sleep(0.1)
            worst = max(worst, world.robot.attitude.tilt_rad)
        assert worst < 0.3

    play(script)
