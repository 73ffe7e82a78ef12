"""Feet and ball: what a kick does, what it does not, and where the ball ends."""

from __future__ import annotations

import asyncio
import math

import pytest
from soccer_game import ball_way_m, knock_over, play, until

from sayso.errors import SkillFailed
from sayso.robots.humanoid.world.pitch import Soccer
from sayso.scene import Pose


async def kick(world: Soccer, foot: str = "right", rest_s: float = 8.0) -> None:
    assert await until(lambda: world.robot.stable, 2.0)
    world.robot.start_kick(foot)
    assert world.robot.kicking
    await asyncio.sleep(rest_s)
    assert not world.robot.kicking


@pytest.mark.parametrize(("foot", "left_m"), [("right", -0.06), ("left", 0.06)])
@pytest.mark.parametrize("ahead_m", [0.23, 0.29])
def test_a_kick_sends_the_ball_ahead_and_it_rolls_to_rest(foot: str, left_m: float, ahead_m: float) -> None:
    start = (-4.0 + ahead_m, left_m)
    world = play(lambda w: kick(w, foot, 9.0), robot_at=Pose(-4.0), ball_at=start)
    truth = world.truth()
    assert truth.books.kicks[0].touched
    assert 1.0 <= ball_way_m(world, start) < 7.0
    assert math.hypot(*world.data.joint("ball").qvel[:2]) < 0.01
    assert abs(math.atan2(truth.ball.y_m - start[1], truth.ball.x_m - start[0])) < math.radians(10)
    assert truth.books.falls == []


@pytest.mark.parametrize("ball_at", [(0.6, -0.06), (0.25, 0.35), (-0.4, 0.0)])
def test_a_kick_out_of_reach_moves_nothing(ball_at: tuple[float, float]) -> None:
    world = play(lambda w: kick(w, rest_s=3.0), ball_at=ball_at)
    assert ball_way_m(world, ball_at) < 0.01
    assert not world.truth().books.kicks[0].touched
    assert world.truth().books.touches == []


def test_an_untouched_ball_stays() -> None:
    async def script(world: Soccer) -> None:
        await asyncio.sleep(5.0)

    assert ball_way_m(play(script, ball_at=(1.0, 1.0)), (1.0, 1.0)) < 0.005


def test_a_walk_into_the_ball_pushes_it() -> None:
    async def script(world: Soccer) -> None:
        world.robot.set_walk(0.3, 0.0, 0.0)
        await asyncio.sleep(3.0)

    truth = play(script, ball_at=(0.5, -0.05)).truth()
    assert truth.books.touches
    assert truth.ball.x_m > 0.7
    assert truth.books.kicks == []


def test_a_kick_out_of_a_fast_walk_is_written_down_as_one() -> None:
    async def script(world: Soccer) -> None:
        world.robot.set_walk(0.4, 0.0, 0.0)
        await asyncio.sleep(1.5)
        assert not world.robot.stable
        world.robot.start_kick()
        await asyncio.sleep(2.0)

    assert [kick.walking for kick in play(script).truth().books.kicks] == [True]


def test_who_lies_cannot_kick() -> None:
    async def script(world: Soccer) -> None:
        await knock_over(world)
        with pytest.raises(SkillFailed, match="not on its feet"):
            world.robot.start_kick()

    play(script)


def test_halt_puts_a_raised_foot_down_without_a_kick() -> None:
    async def script(world: Soccer) -> None:
        await asyncio.sleep(0.5)
        world.robot.start_kick()
        await asyncio.sleep(0.2)
        await world.robot.halt()
        await asyncio.sleep(1.0)

    start = (0.25, -0.06)
    world = play(script, ball_at=start)
    assert ball_way_m(world, start) < 0.02


def test_a_goal_counts_as_one_and_stays_in_the_net() -> None:
    world = play(lambda w: kick(w, rest_s=6.0), robot_at=Pose(3.6), ball_at=(3.85, -0.06))
    truth = world.truth()
    assert [g.into for g in truth.books.goals] == ["opponent"]
    assert truth.books.out == []
    assert 4.5 < truth.ball.x_m < 5.1


def test_an_own_goal_is_told_apart_and_a_ball_beside_is_out() -> None:
    own = play(lambda w: kick(w, rest_s=5.0), robot_at=Pose(-3.6, 0, 0, math.pi), ball_at=(-3.85, 0.06)).truth()
    assert [g.into for g in own.books.goals] == ["own"]
    beside = play(lambda w: kick(w, rest_s=5.0), robot_at=Pose(3.6, 2.0), ball_at=(3.85, 1.94)).truth()
    assert beside.books.goals == []
    assert len(beside.books.out) == 1


async def _short_game(world: Soccer) -> None:
    world.robot.set_walk(0.3, 0.0, 0.2)
    await asyncio.sleep(1.0)
    world.push(6.0, 3.0, 0.2)
    await asyncio.sleep(1.0)
    world.robot.stop_walking()
    await kick(world, rest_s=2.5)


def test_the_same_seed_gives_the_same_game() -> None:
    one, two = (play(_short_game, seed=7, robot_at=None, ball_at=None).truth() for _ in range(2))
    assert one == two


def test_another_seed_gives_another_start() -> None:
    one, two = (Soccer(seed).truth() for seed in (1, 2))
    assert one.pose != two.pose
    assert one.ball_distance_m == pytest.approx(0.75, abs=0.12)
    assert abs(one.pose.yaw_rad) > 2.9, "it faces its own goal, with the ball behind it"


def test_a_ball_that_went_out_is_laid_back_inside_the_line() -> None:
    turned = Pose(0.0, 2.5, 0.0, math.pi / 2)
    world = play(lambda w: kick(w, rest_s=6.0), robot_at=turned, ball_at=(0.06, 2.75))
    truth = world.truth()
    assert len(truth.books.out) == 1
    assert abs(truth.ball.y_m) < 3.0
    assert math.hypot(*world.data.joint("ball").qvel[:2]) < 0.01
