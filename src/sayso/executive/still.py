"""What moves although it may not is halted, again and again: a skill may swallow its cancellation, a driver's thread go
on, or what let go of the robot leave its motors on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from sayso.executive.halting import Halting
from sayso.executive.reading import Reading
from sayso.limits import REST_MPS

AFTER_S = 1.0
"""So long at least, and until it rests, a robot may not begin to move after its mission."""


class Still:
    """Sees to it that one robot stays where a stop, a limit or the end of its mission left it; `warn` hears of it."""

    def __init__(self, reading: Reading, halting: Halting, warn: Callable[[str], None]) -> None:
        self._reading, self._halting, self._warn = reading, halting, warn
        self._over_s: float | None = None
        self._told = False

    def mission_over(self) -> None:
        """Nobody wants anything of the robot from now on."""
        self._over_s, self._told = asyncio.get_running_loop().time(), False

    def look(
        self, wanted: Collection[object], stops: Collection[object], troubles: Collection[object], to_rest: bool
    ) -> None:
        """What is wanted of the robot at this moment, what stopped it, which limits are in danger, and whether it is on
        its way to rest in any case."""
        now_s, over_s = asyncio.get_running_loop().time(), self._over_s
        if wanted or (over_s is not None and now_s - over_s > AFTER_S and self._reading.still()):
            self._over_s = None
        held = stops or self._over_s is not None
        if not (held or troubles) or to_rest or self._reading.speed_mps() <= REST_MPS:
            return
        if held and not self._told:
            self._told = True
            self._warn(f"it moves although {'it was stopped' if stops else 'its mission is over'}; halted again")
        self._halting.command()
