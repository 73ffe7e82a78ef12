"""Figures of speed: `python benchmarks/speed.py`, about a minute; exit 0 where every bar holds.

Each stands beside a reference that is measured in the same run on the same machine (its memory, a hop of asyncio, a
call of Python, another parser), so that a bar is a ratio and holds anywhere. Times are of the processor where nothing
waits, so that what others do on a machine is not our speed; medians or the best of repeated runs, so that one hiccup
does not decide.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import chain

import speed_executive
import speed_flight
import speed_language
import speed_memory
import speed_pocket
import speed_search
from speed_references import Row

FIGURES: tuple[Callable[[], Iterator[Row]], ...] = (
    speed_search.rows, speed_flight.rows, speed_executive.rows, speed_language.rows, speed_memory.rows,
    speed_pocket.rows,
)  # fmt: skip


def main() -> int:
    """Print each figure as soon as it is measured."""
    rows = []
    for row in chain.from_iterable(figures() for figures in FIGURES):
        rows.append(row)
        ratio = "not here" if row.ratio is None else f"{row.ratio:.3g}"
        holds = f"<= {row.bar:g} {'yes' if row.holds else 'NO'}"
        print(f"{row.id:<38} {row.value:9.3g} {row.unit:<2} {ratio:>8}  {holds:<11} {row.reference}", flush=True)
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
