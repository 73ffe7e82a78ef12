"""What can be chosen, what cannot, and what is never shown; and plans in words."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from sayso.console.choices import ConsoleSetup, masked, refuse_secrets, tightened, try_model
from sayso.console.plan_text import plan_lines, spelled
from sayso.errors import UsageError
from sayso.limits import Limits
from sayso.setup import Setup

OWN = Limits(altitude_max_m=2.5, battery_reserve=0.1, mission_max_s=600)


def test_limits_can_be_tightened() -> None:
    strict = tightened(OWN, {"altitude_max_m": 1.0, "battery_reserve": 0.3, "model_calls_max": 5})
    assert (strict.altitude_max_m, strict.battery_reserve, strict.model_calls_max) == (1.0, 0.3, 5)


@pytest.mark.parametrize(
    "wanted",
    [
        {"altitude_max_m": 3.0}, {"battery_reserve": 0.05}, {"mission_max_s": float("nan")}, {"mission_max_s": -1.0},
        {"zone": 1.0}, {"cost_max_usd": float("nan")},
    ],
)  # fmt: skip
def test_no_page_lifts_a_limit(wanted: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        tightened(OWN, wanted)


def test_a_setup_is_journaled_without_what_is_not_the_missions() -> None:
    choice = ConsoleSetup(world="soccer", seed=4, dead_man_s=3, limits=(("mission_max_s", 60.0),))
    setup = choice.record()
    assert set(setup) == {
        "model", "planner", "world", "scene", "seed", "wind_mps", "approve", "memory", "real_time", "robot",
        "zone", "detector", "eyes",
    }  # fmt: skip
    assert ConsoleSetup.recorded({**setup, "from": "a newer version"}) == replace(choice, dead_man_s=0, limits=())
    assert choice.untimed and not Setup(world="soccer").untimed, "a replay compares no times of a wall's clock"


@pytest.mark.parametrize("spec", ["http://me:pass@host/v1#m", "http://host/v1?api_key=x#m", "openai:sk-secret-1"])
def test_a_key_in_a_models_address_is_refused(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-1")
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        refuse_secrets(spec)
    good, says = asyncio.run(try_model(spec))
    assert not good and "sk-secret-1" not in says


def test_secrets_are_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "abcdefgh123")
    assert masked("401 for key abcdefgh123!") == "401 for key •••!"


@pytest.mark.parametrize(("spec", "good"), [("", True), ("nonsense", False), ("http://127.0.0.1:9/v1#m", False)])
def test_the_test_button_always_has_an_answer(spec: str, good: bool) -> None:
    answers, says = asyncio.run(try_model(spec))
    assert answers is good and says


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        ("?iv('cup')==True", "if iv('cup') is True"),
        ("->False", "return False"),
        ("3", "repeat 3 times"),
        ("?a>1&b!=2", "if a > 1 and b is not 2"),
        ("l('a & b == c')", "l('a & b == c')"),
        ("m('it\\'s & that')", "m('it\\'s & that')"),
    ],
)
def test_statements_in_words(plan: str, text: str) -> None:
    assert spelled(plan) == text


def test_a_plan_in_lines() -> None:
    assert plan_lines("to;?iv('x')==True{g('x');2{tc(90)}}:{l('no')};la") == [
        (0, "to"), (0, "?iv('x')==True"), (1, "g('x')"), (1, "2"), (2, "tc(90)"), (0, ":"), (1, "l('no')"),
        (0, "la"),
    ]  # fmt: skip
    assert plan_lines("no plan {") == [(0, "no plan {")]
