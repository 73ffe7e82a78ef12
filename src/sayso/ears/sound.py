"""Sources of sound: WAV data, in a file or as a browser sends it, or the microphone."""

import asyncio
import io
import wave
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np

from sayso.ears import RATE_HZ, Sound
from sayso.errors import UsageError
from sayso.plugins.loading import extra

LONGEST_S = 30.0
"""Nobody takes longer for one command; what is longer is cut."""


def read_wav(file: Path) -> Sound:
    """A file that holds one utterance. Raises `UsageError`."""
    try:
        return from_wav(file.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{file}: {error}") from error


def from_wav(data: bytes) -> Sound:
    """PCM of 8, 16 or 32 bits, any rate, any number of channels. Raises `ValueError` for anything else."""
    try:
        with wave.open(io.BytesIO(data)) as file:
            width, channels, rate_hz = file.getsampwidth(), file.getnchannels(), file.getframerate()
            raw = file.readframes(int(LONGEST_S * rate_hz))
    except (wave.Error, EOFError) as error:
        raise ValueError(f"no WAV data that I can read: {error}") from error
    kinds: dict[int, tuple[type[Any], float, float]] = {
        1: (np.uint8, 128.0, 256.0), 2: (np.int16, 0.0, 1.0), 4: (np.int32, 0.0, 2.0**-16)
    }  # fmt: skip
    if width not in kinds:
        raise ValueError(f"WAV data of {8 * width} bits a sample; 8, 16 and 32 are read")
    kind, zero, scale = kinds[width]
    samples = (np.frombuffer(raw[: len(raw) - len(raw) % (width * channels)], kind) - zero) * scale
    return Sound(_at_rate(samples.reshape(-1, channels).mean(axis=1), rate_hz))


def _at_rate(samples: Any, rate_hz: int) -> Any:
    """(n,) at another rate as (m,) int16 at ours, by its spectrum: nothing above half of either rate stays."""
    n, m = len(samples), round(len(samples) * RATE_HZ / rate_hz)
    if n and m and n != m:
        samples = np.fft.irfft(np.fft.rfft(samples)[: m // 2 + 1], m) * (m / n)
    return np.clip(np.round(samples), -32768, 32767).astype(np.int16)


class Microphone:
    """The machine's microphone. An utterance ends where speech does (WebRTC's detector, which pocketsphinx brings)."""

    live = True

    def __init__(self) -> None:
        """Raises `UsageError` where the extra is missing or there is no microphone."""
        try:
            with extra("ears", "listening to a microphone"):
                import sounddevice
                from pocketsphinx import Endpointer
        except OSError as error:
            raise UsageError(f"no sound here: {error}; sayso listen FILE.wav needs no microphone") from error
        self._ends = Endpointer(sample_rate=RATE_HZ)
        self._frames: asyncio.Queue[bytes] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        frame = self._ends.frame_bytes // 2
        try:
            self._stream = sounddevice.RawInputStream(
                RATE_HZ, frame, channels=1, dtype="int16", callback=self._came
            )  # fmt: skip
            self._stream.start()
        except sounddevice.PortAudioError as error:
            raise UsageError(f"no microphone: {error}; sayso listen FILE.wav needs none") from error

    def _came(self, data: Any, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._frames.put_nowait, bytes(data))

    async def utterances(self) -> AsyncIterator[Sound]:
        """One after the other, as they end."""
        said = b""
        while True:
            speech = self._ends.process(await self._frames.get())
            said = said + speech if speech else said
            if said and (not self._ends.in_speech or len(said) > 2 * RATE_HZ * LONGEST_S):
                yield Sound(np.frombuffer(said, np.int16))
                said = b""

    def forget(self) -> None:
        """Drop what came in meanwhile: the robot itself spoke."""
        while not self._frames.empty():
            self._frames.get_nowait()

    def close(self) -> None:
        self._stream.close()
