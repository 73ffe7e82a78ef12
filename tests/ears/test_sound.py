"""Sound as it comes: any rate, width and number of channels becomes 16 000 samples a second, int16, one channel."""

from __future__ import annotations

import io
import wave

import numpy as np
import pytest

from sayso.ears import RATE_HZ
from sayso.ears.sound import LONGEST_S, from_wav


def tone(rate_hz: int, width: int, channels: int, seconds: float = 0.5, hz: float = 440.0) -> bytes:
    wanted = np.sin(2 * np.pi * hz * np.arange(int(rate_hz * seconds)) / rate_hz)
    kinds = {1: (np.uint8, 127.0, 128.0), 2: (np.int16, 2.0**14, 0.0), 4: (np.int32, 2.0**30, 0.0)}
    kind, size, zero = kinds[width]
    samples = np.repeat((wanted * size * (0.5 if width == 1 else 1) + zero).astype(kind), channels)
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((channels, width, rate_hz, 0, "NONE", ""))
        out.writeframes(samples.tobytes())
    return file.getvalue()


@pytest.mark.parametrize("rate_hz", [8000, 16000, 22050, 48000])
@pytest.mark.parametrize(("width", "channels"), [(1, 1), (2, 1), (2, 2), (4, 1)])
def test_a_tone_stays_the_same_tone(rate_hz: int, width: int, channels: int) -> None:
    sound = from_wav(tone(rate_hz, width, channels))
    assert sound.samples.dtype == np.int16 and sound.seconds == pytest.approx(0.5, abs=0.001)
    spectrum = np.abs(np.fft.rfft(sound.samples))
    assert np.argmax(spectrum[1:]) + 1 == round(440.0 * len(sound.samples) / RATE_HZ)
    assert np.max(np.abs(sound.samples.astype(int))) > (50 if width == 1 else 15_000)


def test_what_is_above_half_of_our_rate_does_not_fold_back() -> None:
    assert np.max(np.abs(from_wav(tone(48000, 2, 1, hz=11_000.0)).samples)) < 1200


def test_nobody_is_listened_to_without_end() -> None:
    assert from_wav(tone(8000, 2, 1, seconds=LONGEST_S + 5)).seconds == LONGEST_S


@pytest.mark.parametrize("data", [b"", b"RIFF", b"hello world, this is no sound at all", tone(16000, 2, 1)[:40]])
def test_what_is_no_sound_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="WAV"):
        from_wav(data)
