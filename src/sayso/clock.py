"""Clocks: real time, virtual time that jumps, and the one that the running loop goes by.

Everything in sayso waits with plain `asyncio` (sleep, timeout, queues); what differs is the event loop's idea of
time. On a `SimClock` the loop jumps to its next timer whenever nothing is ready, so a mission of a minute takes as
long as its computing takes, and repeats exactly. Work that really happens outside (a network call, a thread) is
marked with `real()`: while any such wait is open, simulated time follows the wall, so latency is charged honestly.

A world or a robot is not known here: each steps itself in a task of its own, on this clock like everyone else.
"""

from __future__ import annotations

import asyncio
import contextvars
import heapq
import itertools
import selectors
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, TypeVarTuple, Unpack

T = TypeVar("T")
Args = TypeVarTuple("Args")


class Clock(Protocol):
    """The interface of a clock. Seconds; the origin is arbitrary."""

    def now_s(self) -> float:
        """The seconds on this clock."""

    def real(self) -> Any:
        """A context in which something outside takes real time."""

    async def held(self, wait: Awaitable[None]) -> None:
        """`wait`, uncounted: simulated time stands still, and how long it took changes no order of events."""

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run `main` to its end on a loop that keeps this clock's time."""


HELD_S = 0.5
"""How long a loop whose time stands still sleeps at most before it looks again."""


def current() -> Clock:
    """The clock of the running loop."""
    loop = asyncio.get_running_loop()
    return loop._sayso_clock if isinstance(loop, _ClockLoop) else WallClock()


class WallClock:
    """Real time, for real robots and for the console."""

    def now_s(self) -> float:
        return time.monotonic()

    @contextmanager
    def real(self) -> Iterator[None]:
        yield

    async def held(self, wait: Awaitable[None]) -> None:
        await wait

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        return asyncio.run(main)


class SimClock:
    """Virtual time: jumps to the next timer, deterministic, as fast as the computer.

    `pace` slows it down for somebody who watches: simulated seconds per wall second, 0 for no wait at all.
    """

    def __init__(self, start_s: float = 0.0, pace: float = 0.0) -> None:
        self._now_s = start_s
        self._outside = 0
        self._turns: list[_Turn] = []
        self.pace = pace
        self._anchor = (0.0, 0.0)

    def now_s(self) -> float:
        return self._now_s

    @contextmanager
    def real(self) -> Iterator[None]:
        if not self._outside:
            self._anchor = (time.monotonic(), self._now_s)
        self._outside += 1
        try:
            yield
        finally:
            self._charge()
            self._outside -= 1

    async def held(self, wait: Awaitable[None]) -> None:
        """Go on when `wait` is over, all else of this instant is done, and nobody who came before is still waiting."""
        if self._outside:
            self._charge()
        self._turns.append(turn := _Turn(asyncio.get_running_loop().create_future()))
        try:
            try:
                await wait
            finally:
                turn.arrived = True
            await turn.comes
        finally:
            self._turns.remove(turn)
            self._anchor = (time.monotonic(), self._now_s)

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        with asyncio.Runner(loop_factory=lambda: _ClockLoop(self)) as runner:
            return runner.run(main)

    def _charge(self) -> None:
        """Simulated time catches up with the wall since the outside wait began, or since it was last held."""
        if self._turns:
            return
        wall_s, then_s = self._anchor
        self._now_s = max(self._now_s, then_s + time.monotonic() - wall_s)

    def _select(self, select: Select, timeout: float | None) -> Ready:
        """Wait as this clock waits: for input at most `timeout` of its own seconds."""
        if timeout is not None and timeout <= 0:
            ready = select(timeout)
        elif self._turns:
            return self._stand(select)
        elif self._outside or timeout is None:
            ready = select(timeout)
        elif self.pace > 0:
            began_s = time.monotonic()
            ready = select(timeout / self.pace)
            self._now_s += min(timeout, (time.monotonic() - began_s) * self.pace) if ready else timeout
        else:
            ready = select(0)
            if not ready:
                self._now_s += timeout
        if self._outside:
            self._charge()
        return ready

    def _stand(self, select: Select) -> Ready:
        """This instant has nothing left to do but what is held: let the first go on, or wait until it can."""
        if ready := select(0):
            return ready
        first = self._turns[0]
        if not first.arrived:
            return select(HELD_S)
        if not first.comes.done():
            first.comes.set_result(None)
        return []


@dataclass(slots=True)
class Bucket:
    """A token bucket: it lets `burst` through at once and `rate_hz` lastingly."""

    rate_hz: float
    burst: float
    level: float = -1.0
    at_s: float = 0.0

    def takes(self, now_s: float) -> bool:
        """Whether there is room for one more now."""
        if self.level < 0:
            self.level, self.at_s = self.burst, now_s
        self.level = min(self.burst, self.level + (now_s - self.at_s) * self.rate_hz)
        self.at_s = now_s
        if self.level < 1:
            return False
        self.level -= 1
        return True


@dataclass(eq=False)
class _Turn:
    """One who waits while time stands still."""

    comes: asyncio.Future[None]
    arrived: bool = False


Ready = list[tuple[selectors.SelectorKey, int]]
Select = Callable[[float | None], Ready]


class _ClockSelector(selectors.DefaultSelector):
    """An ordinary selector whose waiting is left to the clock."""

    def __init__(self, clock: SimClock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> Ready:
        return self._clock._select(super().select, timeout)


class _Timer(asyncio.TimerHandle):
    """A timer that knows how many were set before it."""

    _scheduled: bool
    key = (0.0, 0)

    def __lt__(self, other: asyncio.TimerHandle) -> bool:
        return isinstance(other, _Timer) and self.key < other.key


class _ClockLoop(asyncio.SelectorEventLoop):
    """asyncio's own loop, telling the clock's time."""

    _scheduled: list[asyncio.TimerHandle]

    def __init__(self, clock: SimClock) -> None:
        self._sayso_clock = clock
        self._orders = itertools.count()
        super().__init__(_ClockSelector(clock))

    def time(self) -> float:
        return self._sayso_clock.now_s()

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Args]], object],
        *args: *Args,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """asyncio's, except that timers of one instant run in the order in which they were set: a run repeats exactly
        whatever other timers there are."""
        timer = _Timer(when, callback, args, self, context)
        timer.key = (when, next(self._orders))
        heapq.heappush(self._scheduled, timer)
        timer._scheduled = True
        return timer

    async def shutdown_default_executor(self, *timeout: Any) -> None:
        """Threads end in their own time; a simulated time-out for them would be over at once."""
        with self._sayso_clock.real():
            await super().shutdown_default_executor(*timeout)


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, T]) -> AsyncIterator[asyncio.Task[T]]:
    """Have work done meanwhile. It outlives nobody: on the way out it is cancelled, and has ended."""
    task = asyncio.ensure_future(work)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
