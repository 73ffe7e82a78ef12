"""What stands behind the line in a dry run of any flying machine: the simulated drone, in a world of its own."""

from __future__ import annotations

import asyncio

from sayso.perception.geometry import GeometricCamera
from sayso.robots.drone.world.office import Office

SCENE = "empty"


class Behind:
    """A world that runs from `start` to `stop`, while the machine that it stands in for is connected."""

    def __init__(self, world: Office | None) -> None:
        self.world = world or Office(SCENE, perception=GeometricCamera)
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._running = asyncio.ensure_future(self.world.run())

    async def stop(self) -> None:
        if self._running:
            self._running.cancel()
            await asyncio.wait([self._running])
