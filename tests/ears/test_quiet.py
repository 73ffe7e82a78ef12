"""Steady noise is taken out of a sound, and what comes and goes stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sayso.ears import RATE_HZ
from sayso.ears.denoising import FRAME, denoised


def level_db(samples: Any) -> float:
    return float(10 * np.log10(np.mean(samples.astype(float) ** 2)))


def test_the_noise_goes_and_the_voice_stays() -> None:
    noise = np.random.default_rng(1).normal(0, 500, 3 * RATE_HZ)
    spoken = np.zeros(3 * RATE_HZ)
    spoken[RATE_HZ : 2 * RATE_HZ] = 4000 * np.sin(2 * np.pi * 440 * np.arange(RATE_HZ) / RATE_HZ)
    heard = (noise + spoken).astype(np.int16)
    clean = denoised(heard)
    assert clean.shape == heard.shape and clean.dtype == np.int16
    assert level_db(heard[:RATE_HZ]) - level_db(clean[:RATE_HZ]) > 10
    assert level_db(clean[RATE_HZ : 2 * RATE_HZ]) == pytest.approx(level_db(spoken[RATE_HZ : 2 * RATE_HZ]), abs=1)


@pytest.mark.parametrize("length", [0, 1, FRAME - 1, FRAME, 10 * FRAME + 1])
@pytest.mark.parametrize("value", [0, -32768, 32767])
def test_any_sound_comes_out_as_long_as_it_went_in(length: int, value: int) -> None:
    assert len(denoised(np.full(length, value, np.int16))) == length
