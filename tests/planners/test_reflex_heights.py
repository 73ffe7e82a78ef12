"""Heights above the floor are not ways up (U4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflex_brief import plan

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.limits import Limits
from sayso.worlds import make

INDOORS = Limits(altitude_min_m=0.0, altitude_max_m=2.8)
TO = (
    "go up to {}", "come down to {}", "hover at {}", "fly to a height of {}", "stay at {} high", "take off to {}",
    "climb until you are at {}", "rise until you reach {} above the ground", "hover {} above the floor", "fly {} high",
)  # fmt: skip
BY = ("go up {}", "rise by {}", "climb another {}", "fly {} higher", "go up {} more", "move {} up")


@given(st.sampled_from(TO), st.integers(20, 900))
def test_u4_a_height_is_measured_from_the_floor(form: str, cm: int) -> None:
    assert plan(form.format(f"{cm} cm")) == f"fa({cm});"
    assert plan(form.format(f"{cm / 100} metres")) == f"fa({cm});"


@given(st.sampled_from(BY), st.integers(20, 500))
def test_u4_a_way_up_is_measured_from_where_it_is(form: str, cm: int) -> None:
    assert plan(form.format(f"{cm} cm")) == f"mu({cm});"


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("climb as high as possible", "fa(270);"),
        ("go up all the way", "fa(270);"),
        ("sink as low as you can", "fa(30);"),
        ("move in a circle", "12{mf(30);tc(30);}"),
        ("rise to 1 m, then to 2 m and to 50 cm", "fa(100); fa(200); fa(50);"),
        ("go to 1 m, then up 20 cm and land", "fa(100); mu(20); la;"),
    ],
)
def test_u4_as_high_as_it_may_is_a_little_below_its_limit(sentence: str, shown: str) -> None:
    assert plan(sentence, limits=INDOORS) == shown


@pytest.mark.parametrize(
    ("wish", "height_m"),
    [("hover at 1.4 m", 1.4), ("take off and come down to 70 cm", 0.7), ("come down 70 cm off the ground", 0.7)],
)
def test_u4_a_height_is_flown_and_judged(wish: str, height_m: float) -> None:
    world = make("office")

    async def main() -> tuple[str, bool | None, float]:
        async with Agent(world=world) as agent:
            result = await agent.do(wish)
            return result.outcome, result.ended.verified, world.truth().pose.z_m

    outcome, verified, z_m = SimClock().run(main())
    assert (outcome, verified) == ("achieved", True) and abs(z_m - height_m) < 0.1


@pytest.mark.parametrize(
    ("wish", "height_m"),
    [
        ("go up 1 m and then down 70 cm", 0.3), ("up 1.6 m", 1.6), ("go up half a metre", 0.5), ("go up 2.2 m", 2.2),
        ("take off and go up half a metre", 1.5), ("go up a metre, then down a metre", 0.0),
    ],
)  # fmt: skip
def test_u4_up_from_the_ground_is_the_height_above_it(wish: str, height_m: float) -> None:
    """G11, U9: where a way down ends on the ground it lands."""
    world = make("office")

    async def main() -> tuple[str, bool | None, float]:
        async with Agent(world=world) as agent:
            result = await agent.do(wish)
            return result.outcome, result.ended.verified, world.truth().pose.z_m

    outcome, verified, z_m = SimClock().run(main())
    assert (outcome, verified) == ("achieved", True) and abs(z_m - height_m) < 0.1


@pytest.mark.parametrize(
    "sentence", ["go to the chair at a height of 1.2 m", "fly 120 cm above the floor to the chair"]
)
def test_u4_on_the_way_to_a_thing_and_there_it_is_so_high(sentence: str) -> None:
    assert plan(sentence).startswith("fa(120);") and plan(sentence).endswith("fa(120);")
