"""The embedded recogniser, where its extra is installed. `turn_left_45_degrees.wav` was spoken by flite, voice slt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sayso.ears import RATE_HZ, Sound, embedded
from sayso.ears.sound import read_wav
from sayso.planners.reflex import urgent
from sayso.plugins.kits import kits, words_for
from sayso.roles import Brief
from sayso.skill import Param, Range, Skill, SkillSet

pytest.importorskip("moonshine_voice")
pytest.importorskip("pocketsphinx")

from sayso.ears.embedded import LEAST, SURE, Embedded
from sayso.ears.moonshine import Moonshine
from sayso.errors import UsageError

TURN, STOP = (read_wav(Path(__file__).parent / f"{name}.wav") for name in ("turn_left_45_degrees", "stop"))


@pytest.fixture(scope="module")
def ears() -> Embedded:
    return Embedded()


def turner(skill: str = "turn_left") -> Brief:
    """Something that turns to one side, and can do nothing else."""
    degrees = Param("angle_deg", "number", range=Range(0, 180), unit="deg")
    given = Skill(skill, (degrees,), description="Turn on the spot.", provided=True)
    return Brief("", SkillSet([given]), words=words_for(next(iter(kits()))))


def test_a_command_that_both_hear_is_sure(ears: Embedded) -> None:
    heard = ears.hear(TURN, turner())
    assert heard.sure and "left" in heard.text


def test_what_the_robot_cannot_do_is_heard_and_is_no_command(ears: Embedded) -> None:
    """Though "right" is the nearest thing that it can."""
    heard = ears.hear(TURN, turner("turn_right"))
    assert not heard.sure and heard.text


def test_a_cry_of_stop_is_heard_as_one(ears: Embedded) -> None:
    assert urgent(ears.hear(STOP, turner()).text) == "stop"


def test_noise_is_no_command(ears: Embedded) -> None:
    noise = np.random.default_rng(0).normal(0, 2000, 2 * RATE_HZ).astype(np.int16)
    assert not ears.hear(Sound(noise), turner()).sure


@pytest.mark.parametrize("samples", [0, 1, 100, RATE_HZ])
def test_no_sound_is_no_word(ears: Embedded, samples: int) -> None:
    assert not ears.hear(Sound(np.zeros(samples, np.int16)), turner()).sure


def test_a_package_without_its_model_is_told_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "FOLDER", "assets/nothing")
    with pytest.raises(UsageError, match=r"sayso\[ears\]"):
        Moonshine()


def test_what_was_said_is_much_likelier_than_its_opposite() -> None:
    model = Moonshine()
    heard = model.hear(TURN.samples)
    text, likely = model.text(heard)
    said, opposite, other = model.likelihoods(["Turn left 45 degrees.", "Turn right 45 degrees.", "Land."], heard)
    assert "left" in text and 0 <= likely - said < SURE < LEAST
    assert likely - opposite > SURE and likely - other > LEAST


def test_a_text_is_about_as_likely_beside_others_as_alone() -> None:
    model = Moonshine()
    heard = model.hear(TURN.samples)
    texts = ["Turn left.", "Turn left forty-five degrees.", "Ö"]
    alone = [model.likelihoods([text], heard)[0] for text in texts]
    assert model.likelihoods(texts, heard) == pytest.approx(alone, abs=2.0)
