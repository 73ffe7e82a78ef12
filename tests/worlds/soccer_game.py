"""Plays a script against the soccer world on simulated time."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Any

from measured_soccer import MeasuredSoccer
from sayso.clock import SimClock
from sayso.robots.humanoid.world.pitch import Soccer
from sayso.scene import Pose

Script = Callable[[MeasuredSoccer], Awaitable[Any]]


def play(script: Script, kind: type[MeasuredSoccer] = MeasuredSoccer, **setup: Any) -> MeasuredSoccer:
    """Run `script` while the physics runs; the world is returned as the script left it."""
    world = kind(**({"seed": 1, "robot_at": Pose(), "ball_at": (-2.0, 2.0)} | setup))

    async def main() -> None:
        running = asyncio.create_task(world.run())
        try:
            await script(world)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    SimClock().run(main())
    return world


async def until(holds: Callable[[], bool], at_most_s: float) -> bool:
    """Wait until something holds; False when it did not in time."""
    loop = asyncio.get_running_loop()
    deadline_s = loop.time() + at_most_s
    while not holds():
        if loop.time() > deadline_s:
            return False
        await asyncio.sleep(1 / 90)
    return True


async def watch(world: Soccer, seconds: float, every_s: float = 1 / 45) -> list[tuple[float, Pose]]:
    """The robot's true poses over a while, with their times."""
    rows = []
    end_s = world.time_s + seconds
    while world.time_s < end_s - 1e-9:
        await asyncio.sleep(every_s)
        robot = world.truth().pose
        rows.append((world.time_s, Pose(robot.x_m, robot.y_m, 0.0, robot.yaw_rad)))
    return rows


async def knock_over(world: Soccer, fx_n: float = 22.0, fy_n: float = 0.0) -> None:
    world.push(fx_n, fy_n, 0.3)
    assert await until(lambda: world.robot.fallen, 3.0), "the push should have felled it"


def ball_way_m(world: Soccer, start: tuple[float, float]) -> float:
    ball = world.truth().ball
    return math.hypot(ball.x_m - start[0], ball.y_m - start[1])
