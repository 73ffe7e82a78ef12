"""Whoever writes a robot from the page gets plain commands for it, eight of eight, and no untrue word."""

from __future__ import annotations

import math

import pytest
from mast import Mast

from sayso import Agent, Result
from sayso.bench.judge import Witness
from sayso.clock import SimClock
from sayso.truth import Truth


def told(wish: str, mast: Mast) -> Result:
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
    class Stuck(Mast):
        """Its motors are off, and it does not know."""

        async def tilt_to(self, angle_deg: float) -> None:
            """Tilt the head up."""

    mast = Mast()
    mast.gusts = 100.0
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
    witness = Witness(lambda: truth)
    assert witness.verdict("measured(soil_moisture, at least, 40 %)").truth is True
    assert witness.verdict("measured('soil moisture', at most, 0.3 percent)").truth is False
    assert witness.verdict("measured(soil_moisture, at least, 40 cm)").truth is None
