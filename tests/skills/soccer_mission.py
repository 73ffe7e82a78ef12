"""Runs soccer providers under the Director in the soccer world, on simulated time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from measured_soccer import MeasuredSoccer
from sayso.clock import SimClock
from sayso.executive.loop import Director
from sayso.robots.humanoid.soccer import OPPONENT_GOAL, RECOVERY, soccer_providers, watch_robot
from sayso.scene import Pose
from sayso.task import Provider

Script = Callable[[MeasuredSoccer, Director], Awaitable[Any]]
Change = Callable[[list[Provider]], list[Provider]]


def mission(
    script: Script,
    *,
    aim: Pose | None = OPPONENT_GOAL,
    change: Change = list,
    recovery: bool = True,
    **setup: Any,
) -> MeasuredSoccer:
    """Run `script` with the robot's providers at work; `change` may take some away. Returns the world as it ended."""
    world = MeasuredSoccer(**({"seed": 1} | setup))

    async def main() -> None:
        async with Director() as director:
            director.add(*change(soccer_providers(world.robot, world.perception, aim)))
            if recovery:
                director.emit(RECOVERY)
            beside = [world.run(), watch_robot(world.robot, director.tell, director.send)]
            tasks = [asyncio.create_task(b) for b in beside]
            try:
                await asyncio.sleep(0.5)
                await script(world, director)
                await raise_early(tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    SimClock().run(main())
    return world


async def raise_early(tasks: Iterable[asyncio.Task[None]]) -> None:
    for task in tasks:
        if task.done():
            await task


async def until(holds: Callable[[], bool], at_most_s: float) -> bool:
    """Wait until something holds; False when it did not in time."""
    loop = asyncio.get_running_loop()
    deadline_s = loop.time() + at_most_s
    while not holds():
        if loop.time() > deadline_s:
            return False
        await asyncio.sleep(1 / 30)
    return True
