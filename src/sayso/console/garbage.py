"""Python's garbage collection, moved to moments when nobody waits.

Pages are made of many small objects, and looking through all of them takes a good part of a second, during which no
stop would be heard. So the young ones are looked through often, and all of them when no mission runs.
"""

import ctypes
import gc
import sys
import time
from collections.abc import Callable
from contextlib import suppress

YOUNG, ALL = 1, 2
MMAP_THRESHOLD, ARENA_MAX = -3, -8
"""Options of glibc's `mallopt`, by their numbers in malloc.h."""

LARGE_BYTES, ARENAS = 2**20, 2
IDLE_S, LATEST_S = 20.0, 600.0
"""How long after the last time all objects are looked through: while nothing runs, and in any case."""


class GarbageCollection:
    """Collects garbage in steps: `begin` it when all is loaded, call `some` a few times a second, and `end` it."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._last_s = 0.0
        self._soon = False

    def begin(self) -> None:
        """Leave out what has been loaded and stays, and switch automatic collection off."""
        gc.collect()
        gc.freeze()
        gc.disable()
        self._last_s = self._now_s()

    def soon(self) -> None:
        """Collect everything at the next moment when nothing runs, since something large has been given up."""
        self._soon = True

    def some(self, busy: bool) -> int:
        """Collect what a moment allows, and return which generation that was."""
        since_s = self._now_s() - self._last_s
        due = since_s > (LATEST_S if busy else IDLE_S) or (self._soon and not busy)
        generation = ALL if due else YOUNG
        gc.collect(generation)
        if generation == ALL:
            self._last_s = self._now_s()
            if self._soon:
                give_back()
            self._soon = False
        return generation

    def end(self) -> None:
        """Switch automatic collection on again."""
        gc.enable()
        gc.unfreeze()


def give_back() -> None:
    """Give freed memory back to the system. Other systems than Linux do that by themselves."""
    if trim := _glibc("malloc_trim"):
        trim(0)


def keep_apart() -> None:
    """Set the allocator so that large pieces of memory come from the system one by one and go back so. By itself, glibc
    has places that follow each other leave large holes in the memory of each thread."""
    if option := _glibc("mallopt"):
        option(MMAP_THRESHOLD, LARGE_BYTES)
        option(ARENA_MAX, ARENAS)


def _glibc(name: str) -> Callable[..., int] | None:
    """A function of glibc; None elsewhere."""
    if sys.platform != "linux":
        return None
    with suppress(AttributeError):  # another C library
        return ctypes.CDLL(None)[name]
    return None
