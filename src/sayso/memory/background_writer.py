"""Writers of events in a thread of their own, so that no disk holds up the loop that moves a robot (S16).

Events of a mission, or jobs of the memory, are taken at once and kept in order; whoever must not act before they are
safe awaits `kept`. A file that cannot be written fails `kept` and nothing else: what was taken is tried again for a
while, as a lock or a full disk may pass. Where the journal fails, no new motion begins.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

from sayso.clock import current
from sayso.errors import JournalError
from sayso.events import MissionEnded

TAKEN_MAX = 20_000
"""Events that may wait for the disk; more than a mission's worth."""

ANSWER_MAX_S = 10.0
PAUSE_S, TRIES_MAX = 0.5, 20

T = TypeVar("T")
Write = Callable[[Sequence[T]], None]


class BackgroundWriter(Generic[T]):
    """Writes what it is given, a mission's events or the memory's jobs, in a thread of its own, in order.

    `open_file` is called in the thread and gives what writes, and what closes it. Both may raise
    `JournalError` or whatever a disk raises.
    """

    def __init__(self, mission: str, open_file: Callable[[], tuple[Write[T], Callable[[], None]]]) -> None:
        self.id = mission
        self._open_file = open_file
        self._lock = threading.Condition()
        self._events: list[T] = []
        self._taken = self._kept = self._failed = 0
        self._problem = ""
        self._ended = self._over = False
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._thread: threading.Thread | None = None

    def record(self, event: T) -> None:
        """Take an event to be written, in order. Never waits. Raises `JournalError` where too many wait already."""
        with self._lock:
            if len(self._events) >= TAKEN_MAX:
                raise JournalError(self._problem or f"more than {TAKEN_MAX} events wait for the disk")
            self._events.append(event)
            self._taken += 1
            self._lock.notify_all()
            if self._thread is None:
                self._thread = threading.Thread(target=self._write_all, name="sayso journal", daemon=True)
                self._thread.start()

    async def kept(self) -> None:
        """Return when all that was taken so far survives the death of the process. Raises `JournalError`."""
        await current().held(self._answered(self._taken))

    async def _answered(self, wanted: int) -> None:
        """`_written`, as long as the disk answers at all; wall time, since a disk knows no other."""
        if self._kept >= wanted:
            return
        silence = threading.Timer(ANSWER_MAX_S, self._tell, [f"the disk does not answer for {ANSWER_MAX_S:g} s"])
        silence.daemon = True
        silence.start()
        try:
            await self._written(wanted)
        finally:
            silence.cancel()

    async def _written(self, wanted: int) -> None:
        while True:
            with self._lock:
                if self._kept >= wanted:
                    return
                if self._problem:
                    raise JournalError(self._problem)
                loop = asyncio.get_running_loop()
                news: asyncio.Future[None] = loop.create_future()
                self._waiting.append((loop, news))
            await news

    @property
    def settled(self) -> bool:
        """Whether nothing waits for the disk."""
        return self._kept >= self._taken

    def flush(self, seconds: float) -> None:
        """Wait until all that was taken is written or has failed twice, at most so long, without a loop."""
        with self._lock:
            self._lock.wait_for(lambda: self._kept >= self._taken or self._failed > 1, seconds)

    @property
    def problem(self) -> str:
        """The reason why events are not written so far."""
        return "" if self.settled else self._problem or "the disk does not answer"

    def close(self, seconds: float) -> None:
        """Wait for the disk, at most so long."""
        with self._lock:
            self._ended, thread = True, self._thread
            self._lock.notify_all()
        if thread:
            thread.join(seconds)

    # In the thread

    def _write_all(self) -> None:
        write: Write[T] | None = None
        close: Callable[[], None] = _nothing
        while batch := self._next():
            try:
                if write is None:
                    write, close = self._open_file()
                write(batch)
            except Exception as error:  # a disk may raise anything; whoever awaits `kept` hears of it
                self._failed += 1
                self._tell(str(error) or type(error).__name__)
                if self._failed >= TRIES_MAX or self._ended:
                    break
                threading.Event().wait(PAUSE_S)
                continue
            with self._lock:
                self._failed = 0
                del self._events[: len(batch)]
                self._kept += len(batch)
                self._over = self._over or any(isinstance(e, MissionEnded) for e in batch)
            self._tell("")
        with suppress(Exception):
            close()

    def _next(self) -> list[T]:
        """What waits to be written, as soon as there is something; nothing at the end, and this thread is done."""
        with self._lock:
            while not (self._events or self._ended or self._over):
                self._lock.wait()
            if not self._events:
                self._thread = None
            return self._events[:]

    def _tell(self, problem: str) -> None:
        with self._lock:
            self._problem = problem
            waiting, self._waiting = self._waiting, []
            self._lock.notify_all()
        for loop, news in waiting:
            with suppress(RuntimeError):  # that loop is closed
                loop.call_soon_threadsafe(_wake, news)


def _nothing() -> None:
    """No file is open yet."""


def _wake(news: asyncio.Future[None]) -> None:
    if not news.done():
        news.set_result(None)
