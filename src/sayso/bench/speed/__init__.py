"""Figures of speed: `sayso bench speed`. Each stands beside a reference that is measured in the same run on the same
machine (its memory, a hop of asyncio, a call of Python, another parser), so that a bar is a ratio and holds anywhere.

Times are of the processor where nothing waits, so that what others do on a machine is not our speed; medians or the
best of repeated runs, so that one hiccup does not decide. Whoever has figures registers a function that yields rows:

    [project.entry-points."sayso.speed"]
    rover = "my_rover.speed:rows"
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points

from sayso.errors import UsageError


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


def measure() -> Iterator[Row]:
    """Every figure in turn; about a minute."""
    for entry in sorted(entry_points(group="sayso.speed"), key=lambda e: e.name):
        rows = entry.load()
        if not callable(rows):
            raise UsageError(f"the entry point {entry.name} = {entry.value} of sayso.speed is no function")
        yield from rows()


def best_s(once: Callable[[], object], repeats: int = 5) -> float:
    """Processor time of the quickest of some runs: others only add to it."""
    return min(_timed(once) for _ in range(repeats))


def median_s(once: Callable[[], object], repeats: int = 7) -> float:
    """Processor time of the run in the middle."""
    return statistics.median(_timed(once) for _ in range(repeats))


def _timed(once: Callable[[], object]) -> float:
    began = time.process_time()
    once()
    return time.process_time() - began
