"""The embedded recogniser, where its extra is installed. `turn_left_45_degrees.wav` was spoken by flite, voice slt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sayso.ears import RATE_HZ, Sound
from sayso.ears.sound import read_wav
from sayso.kits import kits, words_for
from sayso.parts import Brief
from sayso.skill import Param, Range, Skill, SkillSet

pytest.importorskip("moonshine_voice")
pytest.importorskip("pocketsphinx")

from sayso.ears.embedded import Embedded

SPOKEN = read_wav(Path(__file__).parent / "turn_left_45_degrees.wav")


@pytest.fixture(scope="module")
def ears() -> Embedded:
    return Embedded()


def turner(skill: str = "turn_left") -> Brief:
    """Something that turns to one side, and can do nothing else."""
    degrees = Param("angle_deg", "number", range=Range(0, 180), unit="deg")
    given = Skill(skill, (degrees,), description="Turn on the spot.", provided=True)
    return Brief("", SkillSet([given]), words=words_for(next(iter(kits()))))


def test_a_command_that_both_hear_is_sure(ears: Embedded) -> None:
    heard = ears.hear(SPOKEN, turner())
    assert heard.sure and heard.text == "turn left forty five degrees"


def test_what_the_robot_cannot_do_is_heard_and_is_no_command(ears: Embedded) -> None:
    heard = ears.hear(SPOKEN, turner("turn_right"))
    assert not heard.sure and heard.text


def test_noise_is_no_command(ears: Embedded) -> None:
    noise = np.random.default_rng(0).normal(0, 2000, 2 * RATE_HZ).astype(np.int16)
    assert not ears.hear(Sound(noise), turner()).sure


@pytest.mark.parametrize("samples", [0, 1, 100, RATE_HZ])
def test_no_sound_is_no_word(ears: Embedded, samples: int) -> None:
    assert not ears.hear(Sound(np.zeros(samples, np.int16)), turner()).sure


def test_likeness_is_of_sounds_not_of_letters(ears: Embedded) -> None:
    assert ears.alike("turn left", "Turn left!") == 1.0
    assert ears.alike("move right two", "move write to") >= 0.8
    assert ears.alike("turn forty five degrees", "Turn 45 degrees.") == 1.0
    assert ears.alike("land now", "pretty picture") < 0.4
