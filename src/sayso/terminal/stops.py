"""Ctrl-C and its like: the first one stops the robot, the second one leaves at once."""

import asyncio
import os
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

Stop = Callable[[str], None]

SECOND = b"sayso: stopping; a second one leaves at once, and leaves the robot as it is\n"
SHOW_CURSOR = b"\x1b[?25h"


class Stops:
    """`with` it around everything from the first moment on; `heard_by` says whom a stop is for, once there is one.

    A signal that came before is delivered then. SIGINT counts as a key; a request to end and a closed terminal stop the
    robot as well, so that nothing flies on unwatched.
    """

    def __init__(self) -> None:
        self.asked = ""
        self._over = False
        self._stop: Stop | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in _signals():
            self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def heard_by(self, stop: Stop) -> None:
        """From now on, `stop(by)` is called on the running loop."""
        self._loop, self._stop = asyncio.get_running_loop(), stop
        if self.asked:
            self._loop.call_soon(stop, self.asked)

    def done(self) -> None:
        """What was asked for has been done: the next signal is a first one again."""
        self.asked = ""

    def unheard(self) -> None:
        """Nothing is left to stop: a first signal changes nothing any more, a second one still leaves at once."""
        self._loop = self._stop = None
        self._over = True

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            leave(number)
        self.asked = "key" if number == signal.SIGINT else signal.Signals(number).name
        if not self._over:
            os.write(2, SECOND)
        if self._loop and self._stop:
            self._loop.call_soon_threadsafe(self._stop, self.asked)


def leave(number: int) -> None:
    """End this process as the signal would have, whatever is going on. The journal is whole at any moment."""
    if os.isatty(2):
        os.write(2, SHOW_CURSOR)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _signals() -> list[signal.Signals]:
    names = [signal.SIGINT, signal.SIGTERM]
    hangup = signal.Signals.__members__.get("SIGHUP")
    if hangup and signal.getsignal(hangup) is not signal.SIG_IGN:  # under nohup a mission outlives its terminal
        names.append(hangup)
    return names
