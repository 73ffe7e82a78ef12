"""A simulated world beside whoever waits: it keeps up with the event loop's time, on wall clocks and virtual ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


async def keep_pace(
    now_s: Callable[[], float], step_to: Callable[[float], None], tick_s: float, stretch_s: float
) -> None:
    """Step a world until cancelled, every `tick_s` to where the loop's time is.

    After the time has jumped it is caught up with in stretches of at most `stretch_s`, between which others get a turn.
    What `step_to` raises ends it.
    """
    loop = asyncio.get_running_loop()
    began_s = loop.time() - now_s()
    while True:
        await asyncio.sleep(tick_s)
        while (goal_s := loop.time() - began_s) - now_s() > stretch_s:
            step_to(now_s() + stretch_s)
            await asyncio.sleep(0)
        step_to(goal_s)
