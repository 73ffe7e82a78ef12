"""The supervisor of the event loop: a thread that halts the robot where the loop does not turn (S5).

Stop, guards and telemetry live on the loop; whatever blocks it, a driver or a careless skill, makes them deaf. The
thread asks the loop for a sign of life and, where none comes, calls the adapter's `halt_now`.
"""

import asyncio
import functools
import threading
import time
from collections.abc import Callable
from contextlib import suppress

BLOCKED_S = 0.25
"""A loop that does not turn for so long is blocked."""

BEAT_S = 0.05


class Supervisor:
    """Watches the loop that runs when it is made.

    `halt_now` is called from its thread; `late` on the loop, before all else when it turns again, with the seconds for
    which it stood still.
    """

    def __init__(self, halt_now: Callable[[], None], late: Callable[[float], None]) -> None:
        self._halt_now, self._late = halt_now, late
        self._loop = asyncio.get_running_loop()
        self._answered, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._watch, name="sayso supervisor", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread. Returns at once."""
        self._ended.set()
        self._halt_now, self._late = _nothing, _nothing

    def _watch(self) -> None:
        while not self._ended.wait(BEAT_S):
            self._answered.clear()
            asked_s = time.monotonic()
            if not self._ask(self._answered.set):
                return
            if not self._answered.wait(BLOCKED_S):
                self._ask(functools.partial(self._tell, asked_s))
                self._halt_until_it_turns()

    def _halt_until_it_turns(self) -> None:
        while not self._ended.is_set():
            with suppress(Exception):  # whatever a driver raises here, the next call may arrive
                self._halt_now()
            if self._answered.wait(BLOCKED_S):
                return

    def _tell(self, asked_s: float) -> None:
        self._late(time.monotonic() - asked_s)

    def _ask(self, call: Callable[[], None]) -> bool:
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:  # the loop is closed
            return False
        return True


def _nothing(*_: object) -> None:
    """Nobody watches any more."""
