"""Whoever writes a robot from the page gets plain commands for it, eight of eight, and no untrue word."""

from __future__ import annotations

import math

import pytest
from mast import Mast

from sayso import Agent, Pose, Result, Robot, RobotState, skill
from sayso.bench.judge import TruthRecorder
from sayso.clock import SimClock
from sayso.world import Truth


def told(wish: str, mast: Robot) -> Result:
    async def go() -> Result:
        async with Agent(mast) as agent:
            return await agent.do(wish)

    return SimClock().run(go())


@pytest.mark.parametrize(
    ("wish", "verified"),
    [
        ("turn left 90 degrees", True),
        ("make a quarter turn to the right", True),
        ("tilt the head up to 30 degrees", True),
        ("what is the wind", None),
        ("if the wind is below 2 m/s, shoot, otherwise tilt to 10 degrees", True),
        ("shoot until the wind is at most 2 metres per second", True),
        ("if the dome is open, pan 45 degrees 2 times", True),
        ("zoom in to 5 and then shoot a frmae", False),
    ],
)
def test_eight_of_eight_plain_commands(wish: str, verified: bool | None) -> None:
    mast = Mast()
    result = told(wish, mast)
    assert (result.outcome, result.ended.verified) == ("achieved", verified), result
    if verified is False:
        assert any("nothing but the skill itself tells" in why for why in result.ended.unknown)


def test_they_do_what_they_say() -> None:
    mast = Mast()
    told("turn right 30 degrees", mast)
    assert math.degrees(mast.pose.yaw_rad) == pytest.approx(-30)
    assert told("how strong is the wind", mast).said == ("4 m/s",)
    told("shoot until the wind is at most 2 metres per second", mast)
    assert (mast.shots, mast.gusts) == (2, 2.0)
    told("zoom", mast)
    assert mast.zoom == 1.0
    assert told("is the dome open", mast).said == ("True",)


def test_what_it_did_not_bring_about_is_no_success() -> None:
    mast = Mast(gusts=100.0)
    result = told("shoot until the wind is at most 2 m/s", mast)
    assert (result.outcome, mast.shots) == ("not_achieved", 20)
    assert result.said == ("After 20 times the wind is above 2 m/s.",)


@pytest.mark.parametrize(
    "wish", ["make me a sandwich", "go to the chair", "what is the capital of France", "shoot twcie"]
)
def test_a_refusal_is_one_sentence_and_true_for_this_robot(wish: str) -> None:
    mast = Mast()
    result = told(wish, mast)
    assert result.outcome == "refused" and mast.shots == 0
    assert result.reason.count(". ") == 0, result.reason
    assert not any(word in result.reason for word in ("picture", "see a chair", "nothing but"))


def test_a_bench_may_ask_for_what_a_sensor_tells() -> None:
    truth = Truth(readings={"soil_moisture_percent": 41.0})
    witness = TruthRecorder(lambda: truth)
    assert witness.verdict("measured(soil_moisture, at least, 40 %)").truth is True
    assert witness.verdict("measured('soil moisture', at most, 0.3 percent)").truth is False
    assert witness.verdict("measured(soil_moisture, at least, 40 cm)").truth is None


@pytest.mark.parametrize("wish", ["turn left 10 degrees", "forward 10 cm", "lift to 110 cm"])
def test_who_stands_still_has_not_moved_by_a_little_either(wish: str) -> None:
    class Stuck(Robot):
        """Nothing of it moves, and nothing in it knows."""

        name = "stuck"

        def state(self) -> RobotState:
            return RobotState(Pose(z_m=1.0))

        async def halt(self) -> None:
            """It rests."""

        @skill(uses="head", path=lambda pose, angle_deg: [pose.moved(turn_rad=math.radians(angle_deg))])
        async def turn_left(self, angle_deg: float) -> None:
            """Turn left."""

        @skill(uses="base", path=lambda pose, distance_cm: [pose.moved(forward_m=distance_cm / 100)])
        async def forward(self, distance_cm: float) -> None:
            """Drive straight ahead."""

        @skill(uses="lift", path=lambda pose, height_cm: [Pose(pose.x_m, pose.y_m, height_cm / 100, pose.yaw_rad)])
        async def lift_to(self, height_cm: float) -> None:
            """Lift the head."""

    result = told(wish, Stuck())
    assert (result.outcome, result.ended.verified) == ("not_achieved", False), result
