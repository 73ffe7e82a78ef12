"""A filter that takes steady noise out of speech.

It is Wiener's filter with the speech estimated from one frame to the next (Ephraim and Malah 1984, equation 51), and
the noise in each band as what it falls to in its quietest moments (after Martin 2001).
"""

from typing import Any

import numpy as np

FRAME, HOP = 512, 128
"""Samples of a frame, and from one frame to the next: 32 and 8 ms."""

SMOOTH = 12
"""Frames over which power is averaged before its quietest moments are looked for."""

QUIETEST, ABOVE = 0.1, 1.1
"""The noise is what so large a share of the time is quieter than, times this much."""

MEMORY = 0.95
"""How much of what is taken for speech comes from the frame before."""

FLOOR = 0.1
"""What is left of a band with nothing but noise: less would sound, and be heard, as whistles."""


def denoised(samples: Any) -> Any:
    """(n,) int16 at 16 000 a second without steady noise; what is shorter than a frame stays as it is."""
    if len(samples) < FRAME:
        return samples
    padded = np.pad(samples.astype(float), (FRAME, 2 * FRAME))
    window = np.hanning(FRAME)
    spectra = np.fft.rfft(np.lib.stride_tricks.sliding_window_view(padded, FRAME)[::HOP] * window, axis=1)
    power = np.abs(spectra) ** 2
    within = power[FRAME // HOP : -(2 * FRAME // HOP)] if len(power) > 4 * FRAME // HOP else power
    added = np.cumsum(np.pad(within, ((1, 0), (0, 0))), axis=0)
    mean = (added[SMOOTH:] - added[:-SMOOTH]) / SMOOTH if len(within) > SMOOTH else within
    noise = np.quantile(mean, QUIETEST, axis=0) * ABOVE + 1e-9
    gains, speech = np.empty_like(power), np.zeros(power.shape[1])
    for gain, now in zip(gains, power / noise, strict=True):
        ratio = MEMORY * speech + (1 - MEMORY) * np.maximum(now - 1, 0)
        gain[:] = np.maximum(ratio / (1 + ratio), FLOOR)
        speech = gain**2 * now
    out, weight = np.zeros(len(padded)), np.full(len(padded), 1e-3)
    for n, frame in enumerate(np.fft.irfft(spectra * gains, FRAME, axis=1) * window):
        out[n * HOP : n * HOP + FRAME] += frame
        weight[n * HOP : n * HOP + FRAME] += window**2
    clean = (out / weight)[FRAME : FRAME + len(samples)]
    return np.clip(np.round(clean), -32768, 32767).astype(np.int16)
