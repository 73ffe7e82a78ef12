"""What figures are compared with: the machine's own limits, measured by the same clock in the same run."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

import numpy as np

from sayso.bench.speed import best_s

CALL, NUMPY, PASS, HOP = "a call of Python", "a small numpy call", "a pass over its memory", "a hop of asyncio"
CALLS = 100_000


def call_s() -> float:
    """One call of a Python function that does nothing."""

    def nothing() -> None:
        return None

    def many() -> None:
        for _ in range(CALLS):
            nothing()

    return best_s(many) / CALLS


def numpy_s() -> float:
    """One addition of two arrays of 256 numbers."""
    a, b = np.ones(256), np.ones(256)
    out = np.empty(256)

    def many() -> None:
        for _ in range(CALLS):
            np.add(a, b, out=out)

    return best_s(many) / CALLS


def pass_s(size_bytes: float) -> float:
    """Reading so many bytes once, by the product of a matrix with a vector, on one thread."""
    rows = max(1, round(size_bytes / 4 / 384))
    matrix, vector = np.ones((rows, 384), dtype=np.float32), np.ones(384, dtype=np.float32)
    return best_s(lambda: matrix @ vector, 11)


async def hop_s() -> float:
    """From asking the loop for a turn to having it, at some moment of its work, by the clock on the wall."""
    await asyncio.sleep(0.002)
    began = time.perf_counter()
    await asyncio.sleep(0)
    return time.perf_counter() - began


def fresh(code: str) -> list[float]:
    """The numbers that a Python process of its own prints."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [float(number) for number in run.stdout.split()]
