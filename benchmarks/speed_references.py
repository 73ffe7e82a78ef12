"""What figures are compared with: the machine's own limits, measured by the same clock in the same run."""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

CALL, NUMPY, PASS, HOP = "a call of Python", "a small numpy call", "a pass over its memory", "a hop of asyncio"
CALLS, TURNS_S = 100_000, 0.003


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what it took, and what the `reference` took, in the same unit (seconds, unless `unit` says another).

    `bar` is how many times the reference it may be. Without a figure of the reference (a peer that is not installed)
    there is nothing to hold.
    """

    id: str
    value: float
    reference: str
    of: float | None
    bar: float
    unit: str = "s"

    @property
    def ratio(self) -> float | None:
        return None if self.of is None else self.value / self.of

    @property
    def holds(self) -> bool:
        return self.ratio is None or self.ratio <= self.bar


def best_s(once: Callable[[], object], repeats: int = 5) -> float:
    """Processor time of the quickest of some runs: others only add to it."""
    return min(_timed(once) for _ in range(repeats))


def median_s(once: Callable[[], object], repeats: int = 7) -> float:
    """Processor time of the run in the middle."""
    return statistics.median(_timed(once) for _ in range(repeats))


def compared(
    id: str, ours: Callable[[], object], reference: str, theirs: Callable[[], object], bar: float, rounds: int = 15
) -> Row:
    """Both in turn, many short rounds, the one in the middle of each: what slows the machine down slows both."""
    ours(), theirs()
    took = [(_timed(ours), _timed(theirs)) for _ in range(rounds)]
    mine, other = (statistics.median(column) for column in zip(*took, strict=True))
    return Row(id, mine, reference, other, bar)


def _timed(once: Callable[[], object]) -> float:
    began = time.process_time()
    once()
    return time.process_time() - began


def calls(times: int) -> Callable[[], None]:
    """So many calls of a Python function that does nothing."""

    def nothing() -> None:
        return None

    def many() -> None:
        for _ in range(times):
            nothing()

    return many


def call_s() -> float:
    """One such call."""
    return best_s(calls(CALLS)) / CALLS


def numpy_s() -> float:
    """One addition of two arrays of 256 numbers."""
    a, b = np.ones(256), np.ones(256)
    out = np.empty(256)

    def many() -> None:
        for _ in range(CALLS):
            np.add(a, b, out=out)

    return best_s(many) / CALLS


def one_pass(size_bytes: float, vectors: int = 1) -> Callable[[], object]:
    """Reading so many bytes once, by the product of a matrix with a vector or with several, on one thread."""
    rows = max(1, round(size_bytes / 4 / 384))
    matrix, columns = np.ones((rows, 384), dtype=np.float32), np.ones((384, vectors), dtype=np.float32)
    return lambda: matrix @ columns


def pass_s(size_bytes: float) -> float:
    """Processor time of one pass."""
    return best_s(one_pass(size_bytes), 11)


async def hop_s() -> float:
    """From asking the loop for a turn to having it, by the clock on the wall: the longest of some, in which everybody
    else had one, since whether they are due at one moment is chance."""

    async def once() -> float:
        began = time.perf_counter()
        await asyncio.sleep(0)
        return time.perf_counter() - began

    took, until = list[float](), time.perf_counter() + TURNS_S
    while time.perf_counter() < until:
        took.append(await once())
    return max(took)


def fresh(code: str) -> list[float]:
    """The numbers that a Python process of its own prints."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [float(number) for number in run.stdout.split()]
