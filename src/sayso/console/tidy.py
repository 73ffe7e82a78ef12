"""Python's garbage collection at moments when nobody waits.

Pages are made of many small objects, and looking through all of them takes a good part of a second, during which no
stop would be heard. So the young ones are looked through often, and all of them when no mission runs.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

YOUNG, ALL = 1, 2
IDLE_S, LATEST_S = 20.0, 600.0
"""How long after the last time all objects are looked through: while nothing runs, and in any case."""


class Tidy:
    """`begin` it when everything has been loaded, call `some` a few times a second, and `end` it."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._last_s = 0.0

    def begin(self) -> None:
        """Leave out what has been loaded and stays, and let nothing begin by itself."""
        gc.collect()
        gc.freeze()
        gc.disable()
        self._last_s = self._now_s()

    def some(self, busy: bool) -> int:
        """Look through what a moment allows; which generation that was."""
        since_s = self._now_s() - self._last_s
        generation = ALL if since_s > (LATEST_S if busy else IDLE_S) else YOUNG
        gc.collect(generation)
        if generation == ALL:
            self._last_s = self._now_s()
        return generation

    def end(self) -> None:
        """As Python does it by itself."""
        gc.enable()
        gc.unfreeze()
