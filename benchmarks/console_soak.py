"""A soak of the console: missions one after another for a long time, and whether memory grows meanwhile.

One page stays open in a real browser and flies; viewers come and go beside it. The server's resident memory is read
from the operating system every second; of each half minute the median counts, since it rises and falls by some
megabytes with each collection, and by many while one robot takes another's place. The page's heap is read from its
browser after a collection. Whether there is growth is told by the slope of a straight line through what was read once
caches and the conversation have filled up, and a robot with a fresh battery has been built beside the first one.
Readings resemble their neighbours, so the slope's standard error is widened by as much as that takes from their number.
"""

from __future__ import annotations

import asyncio
import math
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from console_viewers import gather

READ_S, OFTEN_S = 30.0, 1.0
STAY_S = 15.0
"""How long a viewer stays before another one takes its place."""

SETTLED_AFTER = 1 / 3
"""Of a soak that passes before memory counts."""


class Reading(NamedTuple):
    """Seconds since the soak began, what was read then, and for the server the median since the reading before."""

    at_s: float
    server_mb: float
    page_mb: float
    missions: int


@dataclass(frozen=True, slots=True)
class Trend:
    """Megabytes a minute, and the standard error of that."""

    slope: float
    error: float

    @property
    def most(self) -> float:
        """The slope that it hardly exceeds: two standard errors above what was found."""
        return self.slope + 2 * self.error


def trend(minutes: Sequence[float], mb: Sequence[float]) -> Trend:
    """The straight line through readings at even intervals; fewer than four have no error that could be told."""
    if len(minutes) < 4:
        return Trend(0.0, math.inf)
    t, y = np.asarray(minutes), np.asarray(mb)
    t = t - t.mean()
    slope = float((t * y).sum() / (t**2).sum())
    rest = y - y.mean() - slope * t
    alike = float((rest[1:] * rest[:-1]).sum() / (rest**2).sum()) if rest.any() else 0.0
    alike = min(max(alike, 0.0), 0.95)
    error = math.sqrt((rest**2).sum() / (len(t) - 2) / (t**2).sum() * (1 + alike) / (1 - alike))
    return Trend(slope, error)


def settled(readings: Sequence[Reading]) -> Sequence[Reading]:
    """Those of the later part."""
    begin_s = readings[-1].at_s * SETTLED_AFTER if readings else 0.0
    return [r for r in readings if r.at_s >= begin_s]


def soak(
    address: str, minutes: float, viewers: int, server_mb: Callable[[], float], page_mb: Callable[[], float],
    fly: Callable[[], None], log: Path | None,
) -> list[Reading]:  # fmt: skip
    """Call `fly` again and again for so long, with viewers; what was read meanwhile, also written to `log`."""
    began_s = time.monotonic()
    readings: list[Reading] = []
    over = threading.Event()
    page, missions = page_mb(), 0

    async def read() -> None:
        found: list[float] = []
        while not over.is_set():
            found.append(server_mb())
            if len(found) * OFTEN_S >= READ_S:
                readings.append(Reading(time.monotonic() - began_s, statistics.median(found), page, missions))
                _keep(log, readings)
                found.clear()
            await asyncio.sleep(OFTEN_S)

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(_come_and_go(address, viewers, over))
            reading = group.create_task(read())
            while not over.is_set():
                await asyncio.sleep(0.2)
            reading.cancel()

    with ThreadPoolExecutor(1) as thread:
        beside = thread.submit(asyncio.run, main())
        try:
            while time.monotonic() - began_s < 60 * minutes and not beside.done():
                fly()
                missions, page = missions + 1, page_mb()
        finally:
            over.set()
            beside.result()
    return readings


def _keep(log: Path | None, readings: Sequence[Reading]) -> None:
    if log:
        log.write_text("seconds,server_mb,page_mb,missions\n" + "".join(map(_line, readings)), "utf-8")


def _line(reading: Reading) -> str:
    return f"{reading.at_s:.0f},{reading.server_mb:.2f},{reading.page_mb:.2f},{reading.missions}\n"


async def _come_and_go(address: str, count: int, over: threading.Event) -> None:
    viewers = await gather(address, count)
    while not over.is_set():
        await asyncio.sleep(STAY_S)
        if viewers:
            await viewers.pop(0).close()
            viewers += await gather(address, 1)
    for viewer in viewers:
        await viewer.close()
