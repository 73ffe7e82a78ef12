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

pytest.importorskip("pocketsphinx")

from sayso.ears.sphinx import Sphinx


@pytest.fixture(scope="module")
def ears() -> Sphinx:
    return Sphinx()


def turner() -> Brief:
    """Something that turns to the left, and can do nothing else."""
    degrees = Param("angle_deg", "number", range=Range(0, 180), unit="deg")
    skill = Skill("turn_left", (degrees,), description="Turn on the spot.", provided=True)
    return Brief("", SkillSet([skill]), words=words_for(next(iter(kits()))))


def test_a_command_that_both_passes_hear_is_sure(ears: Sphinx) -> None:
    heard = ears.hear(read_wav(Path(__file__).parent / "turn_left_45_degrees.wav"), turner())
    assert heard.sure and heard.text == "turn left forty five degrees"


def test_noise_is_no_command(ears: Sphinx) -> None:
    noise = np.random.default_rng(0).normal(0, 2000, 2 * RATE_HZ).astype(np.int16)
    assert not ears.hear(Sound(noise), turner()).sure


def test_no_sound_is_no_word(ears: Sphinx) -> None:
    assert not ears.hear(Sound(np.zeros(0, np.int16)), turner()).sure


def test_likeness_is_of_sounds_not_of_letters(ears: Sphinx) -> None:
    assert ears.alike("turn left", "turn left") == 1.0
    assert ears.alike("move right two", "move write to") == 1.0
    assert ears.alike("land now", "pretty picture") < 0.4
