"""The ball detector against a camera of plain numbers: what it sees, misses, measures and remembers."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.clock import SimClock
from sayso.robots.humanoid.ball import FRAME_HZ, BallDetector, Track, Vector
from sayso.roles import Perception
from sayso.scene import Pose


class FixedEye:
    """A double: a camera 0.8 m up at the observer, pan and tilt to be set, on an empty field."""

    def __init__(self, ball: tuple[float, float] = (1.5, 0.0)) -> None:
        self.time_s = 0.0
        self.pose = Pose()
        self.pan_rad, self.tilt_rad = 0.0, 0.4
        self.ball = ball
        self.open = 1.0

    def now_s(self) -> float:
        return self.time_s

    def observer(self) -> Pose:
        return self.pose

    def axes(self) -> tuple[Vector, Vector, Vector, Vector]:
        yaw, tilt = self.pose.yaw_rad + self.pan_rad, self.tilt_rad
        c, s = math.cos(yaw), math.sin(yaw)
        forward = (c * math.cos(tilt), s * math.cos(tilt), -math.sin(tilt))
        up = (c * math.sin(tilt), s * math.sin(tilt), math.cos(tilt))
        return (self.pose.x_m, self.pose.y_m, 0.8), forward, (-s, c, 0.0), up

    def things(self) -> Mapping[str, tuple[Vector, float]]:
        return {"ball": ((*self.ball, 0.07), 0.07), "opponent goal": ((4.5, 0.0, 0.6), 1.3)}

    def open_share(self, centre: Vector, half_m: float) -> float:
        return self.open if half_m < 1 else 1.0


def keen(eye: FixedEye) -> BallDetector:
    """Without misses and noise."""
    return BallDetector(eye, miss=0.0, noise_rad=0.0, noise_range=0.0)


def frames(eye: FixedEye, detector: BallDetector, seconds: float) -> int:
    """Let time pass; returns in how many frames the ball was found."""
    found = 0
    for _ in range(round(seconds * FRAME_HZ)):
        eye.time_s += 1 / FRAME_HZ
        found += detector.frame().find("ball") is not None
    return found


def test_it_is_a_perception() -> None:
    assert isinstance(keen(FixedEye()), Perception)


def test_a_ball_in_front_is_seen_where_it_is() -> None:
    eye = FixedEye((1.5, 0.5))
    detector = keen(eye)
    scene = detector.frame()
    ball = scene.find("ball")
    assert ball is not None
    assert ball.box is not None
    assert ball.pose is not None
    assert ball.box.x < 0.5, "what lies to the left appears to the left"
    assert ball.distance_m == pytest.approx(math.hypot(1.5, 0.5))
    assert (ball.pose.x_m, ball.pose.y_m) == pytest.approx((1.5, 0.5))
    assert detector.ball.visible
    assert detector.ball.bearing_rad == pytest.approx(math.atan2(0.5, 1.5))


@pytest.mark.parametrize(
    ("ball", "pan_rad", "tilt_rad", "seen"),
    [
        ((1.5, 0.0), 0.0, 0.4, True),
        ((1.5, 0.0), 1.2, 0.4, False),
        ((0.0, 1.5), 0.0, 0.4, False),
        ((0.0, 1.5), 1.2, 0.4, True),
        ((0.0, -1.5), 1.2, 0.4, False),
        ((-1.5, 0.0), 1.25, 0.4, False),
        ((0.3, 0.0), 0.0, 0.2, False),
        ((0.3, 0.0), 0.0, 1.1, True),
        ((5.0, 0.0), 0.0, 1.1, False),
    ],
)
def test_pan_and_tilt_decide(ball: tuple[float, float], pan_rad: float, tilt_rad: float, seen: bool) -> None:
    eye = FixedEye(ball)
    eye.pan_rad, eye.tilt_rad = pan_rad, tilt_rad
    assert (keen(eye).frame().find("ball") is not None) is seen


def test_too_far_is_not_seen_and_far_is_seen_less_often() -> None:
    shares = []
    for distance_m in (1.0, 5.0, 6.5):
        eye = FixedEye((distance_m, 0.0))
        eye.tilt_rad = 0.1 if distance_m > 2 else 0.4
        shares.append(frames(eye, BallDetector(eye, seed=3), 40.0) / (40 * FRAME_HZ))
    assert shares[0] > 0.93
    assert 0.4 < shares[1] < 0.85
    assert shares[2] == 0.0


def test_hidden_is_not_seen_and_half_hidden_half_the_time() -> None:
    eye = FixedEye()
    eye.open = 0.0
    assert frames(eye, BallDetector(eye), 5.0) == 0
    eye.open = 0.5
    assert 0.3 < frames(eye, BallDetector(eye), 40.0) / (40 * FRAME_HZ) < 0.7


def test_noise_is_of_the_size_it_says_and_centred() -> None:
    eye = FixedEye((2.0, 0.0))
    eye.tilt_rad = 0.3
    detector = BallDetector(eye, seed=5)
    errors = []
    for _ in range(600):
        eye.time_s += 1 / FRAME_HZ
        ball = detector.frame().find("ball")
        if ball and ball.distance_m is not None:
            errors.append(ball.distance_m - 2.0)
    mean = sum(errors) / len(errors)
    spread = math.sqrt(sum((e - mean) ** 2 for e in errors) / len(errors))
    assert abs(mean) < 0.02
    assert spread == pytest.approx(0.06, rel=0.2)


def test_the_estimate_is_better_than_a_single_frame() -> None:
    eye = FixedEye((2.0, 0.3))
    eye.tilt_rad = 0.3
    detector = BallDetector(eye, seed=5)
    frames(eye, detector, 4.0)
    estimate = detector.ball
    assert estimate.distance_m == pytest.approx(math.hypot(2.0, 0.3), abs=0.06)
    assert estimate.bearing_rad == pytest.approx(math.atan2(0.3, 2.0), abs=0.02)


def test_what_was_never_seen_is_not_known() -> None:
    eye = FixedEye((-1.0, 0.0))
    detector = keen(eye)
    frames(eye, detector, 1.0)
    assert detector.ball.unseen_s is None
    assert detector.ball.distance_m is None
    assert not detector.ball.visible
    assert "never seen" in str(detector.ball.told)


def test_out_of_view_it_remembers_where_from_where_the_robot_stands_by_now() -> None:
    eye = FixedEye((2.0, 0.0))
    detector = keen(eye)
    frames(eye, detector, 1.0)
    eye.pose = Pose(1.0, 0.0, 0.0, math.pi / 2)
    frames(eye, detector, 5.0)
    ball = detector.ball
    assert not ball.visible
    assert ball.unseen_s == pytest.approx(5.0, abs=0.1)
    assert ball.distance_m == pytest.approx(1.0, abs=0.05)
    assert ball.bearing_rad == pytest.approx(-math.pi / 2, abs=0.05)
    assert "is not visible, last seen 5" in str(ball.told)


def test_a_missed_frame_does_not_make_it_invisible() -> None:
    eye = FixedEye()
    detector = keen(eye)
    frames(eye, detector, 1.0)
    eye.open = 0.0
    frames(eye, detector, 2 / FRAME_HZ)
    assert detector.ball.visible
    frames(eye, detector, 0.5)
    assert not detector.ball.visible
    assert detector.ball.unseen_s == pytest.approx(0.5 + 2 / FRAME_HZ, abs=0.1)


def test_it_follows_a_rolling_ball_and_a_ball_that_was_carried_off() -> None:
    eye = FixedEye((0.8, -0.3))
    detector = BallDetector(eye, seed=1)
    for _ in range(30):
        eye.ball = (eye.ball[0] + 0.6 / FRAME_HZ, eye.ball[1])
        frames(eye, detector, 1 / FRAME_HZ)
    rolling = detector.ball.pose
    assert rolling is not None and rolling.x_m == pytest.approx(eye.ball[0], abs=0.1), "it is not left behind"
    eye.ball = (1.2, 1.0)
    eye.pan_rad = 0.5
    frames(eye, detector, 0.3)
    pose = detector.ball.pose
    assert pose is not None
    assert (pose.x_m, pose.y_m) == pytest.approx((1.2, 1.0), abs=0.15)


def test_a_track_left_alone_stops_rolling() -> None:
    track = Track(0.0, 0.0, 0.01)
    track.vx_mps = 1.0
    for _ in range(150):
        track.predict(1 / 30)
    assert (track.vx_mps, track.vy_mps) == (0.0, 0.0)
    assert track.x_m == pytest.approx(1.0, abs=0.05), "v² / 2a"


@settings(max_examples=40)
@given(st.floats(-6, 6), st.floats(-6, 6), st.floats(-1.25, 1.25), st.floats(-0.35, 1.15), st.integers(0, 99))
def test_whatever_is_seen_lies_in_the_picture(x: float, y: float, pan: float, tilt: float, seed: int) -> None:
    eye = FixedEye((x, y))
    eye.pan_rad, eye.tilt_rad = pan, tilt
    for thing in BallDetector(eye, seed).frame():
        assert thing.box is not None
        assert 0 <= thing.box.x <= 1
        assert 0 <= thing.box.y <= 1
        assert thing.distance_m is not None
        assert thing.distance_m >= 0


def test_look_takes_a_frame_when_the_last_is_old_and_run_keeps_looking() -> None:
    eye = FixedEye()
    detector = keen(eye)

    async def main() -> None:
        assert (await detector.look()).find("ball") is not None
        eye.ball = (-1.0, 0.0)
        assert (await detector.look()).find("ball") is not None, "the same frame"
        eye.time_s += 0.2
        assert (await detector.look()).find("ball") is None
        running = asyncio.create_task(detector.run())
        eye.ball = (1.5, 0.0)
        eye.time_s += 0.2
        await asyncio.sleep(0.2)
        assert detector.ball.visible
        running.cancel()

    SimClock().run(main())


def test_the_same_seed_sees_the_same() -> None:
    def game(seed: int) -> list[str]:
        eye = FixedEye((3.0, 0.4))
        detector = BallDetector(eye, seed)
        return [repr(detector.frame()) for _ in range(50)]

    assert game(4) == game(4)
    assert game(4) != game(5)
