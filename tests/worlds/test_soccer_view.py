"""What can be seen of the soccer world: by the head camera and its detector, and by people from above."""

from __future__ import annotations

import asyncio
import math

import numpy as np
import pytest
from soccer_game import play, until

from sayso.robots.humanoid.ball import BallDetector
from sayso.robots.humanoid.world.pitch import CARPET_M, Soccer
from sayso.robots.humanoid.world.referee import GameTruth
from sayso.scene import Pose
from sayso.worlds.draw import FINE, Chart


async def settle(world: Soccer) -> None:
    await asyncio.sleep(1.5)


def detector(world: Soccer) -> BallDetector:
    assert isinstance(world.perception, BallDetector)
    return world.perception


def test_a_ball_ahead_is_seen_at_its_true_distance() -> None:
    world = play(settle, ball_at=(1.5, 0.3))
    ball = detector(world).ball
    assert ball.visible
    assert ball.distance_m == pytest.approx(math.hypot(1.5, 0.3), abs=0.08)
    assert ball.bearing_rad == pytest.approx(math.atan2(0.3, 1.5), abs=0.03)


def test_a_column_hides_it_and_a_step_aside_shows_it() -> None:
    async def script(world: Soccer) -> None:
        await settle(world)
        assert not detector(world).ball.visible
        assert detector(world).ball.unseen_s is None
        world.robot.set_walk(0.0, 0.2, 0.0)
        assert await until(lambda: detector(world).ball.visible, 4.0)

    play(script, ball_at=(2.0, 0.0), obstacles=[(1.0, 0.0)])


def test_at_kick_off_the_head_alone_cannot_find_the_ball_but_a_turn_can() -> None:
    async def script(world: Soccer) -> None:
        ball = detector(world)
        for pan in (1.25, -1.25, 0.0):
            for tilt in (0.2, 0.8):
                world.robot.set_head(pan, tilt)
                await asyncio.sleep(1.2)
        assert ball.ball.unseen_s is None, "the head reaches no further back"
        world.robot.set_head(0.0, 0.5)
        world.robot.set_walk(0.0, 0.0, 0.8)
        assert await until(lambda: ball.ball.visible, 6.0)

    play(script, seed=3, robot_at=None, ball_at=None)


def test_the_ball_at_its_feet_is_seen_with_the_head_down() -> None:
    async def script(world: Soccer) -> None:
        await settle(world)
        assert not detector(world).ball.visible
        world.robot.set_head(0.0, 1.15)
        await asyncio.sleep(1.0)
        assert detector(world).ball.visible

    play(script, ball_at=(0.25, -0.06))


def test_lying_on_its_face_it_sees_no_ball_behind_it() -> None:
    async def script(world: Soccer) -> None:
        await settle(world)
        world.push(22.0, 0.0, 0.3)
        assert await until(lambda: world.robot.fallen, 3.0)
        await asyncio.sleep(1.0)
        assert not detector(world).ball.visible

    play(script, ball_at=(2.5, 0.0))


def test_the_truth_of_a_moment_stays_what_it_was() -> None:
    moments: list[GameTruth] = []

    async def script(world: Soccer) -> None:
        world.robot.wave(True)
        moments.append(world.truth())
        await asyncio.sleep(4.0)

    assert play(script).truth().books.waves
    assert not moments[0].books.waves and moments[0].time_s == 0.0


def test_the_overview_shows_robot_and_ball_where_they_are() -> None:
    world = Soccer(robot_at=Pose(-2.0, 1.0), ball_at=(3.0, -2.0), obstacles=[(0.0, 2.0)])
    image = world.overview(1100, 800)
    assert image.shape == (800, 1100, 3)
    assert image.dtype == np.uint8
    chart = Chart(CARPET_M, 1100, 800)

    def pixel(x_m: float, y_m: float) -> tuple[int, int, int]:
        column, row = (round(at / FINE) for at in chart.at(x_m, y_m))
        red, green, blue = (int(v) for v in image[row, column])
        return red, green, blue

    assert pixel(3.0, -2.0) == (255, 255, 255), "the ball, right of the middle and below it"
    red, green, blue = pixel(-2.06, 1.06)
    assert red > green > blue, "the robot"
    assert pixel(-4.5, 0.5) != pixel(-4.2, 0.5), "the goal line is drawn"


def test_without_gl_there_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "disabled")
    assert Soccer().robot.picture() is None
