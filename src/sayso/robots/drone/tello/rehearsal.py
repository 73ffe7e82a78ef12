"""The dry run: the adapter that flies a Tello, and the simulated drone behind the same datagrams."""

from __future__ import annotations

import asyncio

from sayso.machines import Room
from sayso.perception.geometry import GeometricCamera
from sayso.robots.drone.tello.adapter import Tello
from sayso.robots.drone.tello.face import Face
from sayso.robots.drone.world.office import Office

SCENE = "empty"


class Rehearsal(Tello):
    """A Tello whose machine is opened with it, in a world of its own. `world` and `face` are for judges."""

    name = "tello (simulated)"

    def __init__(self, room: Room | None, world: Office | None = None) -> None:
        super().__init__(room, "127.0.0.1", 0, 0)
        self.identity = ""
        self.world = world or Office(SCENE, perception=GeometricCamera)
        self.face = Face(self.world.drone)
        self._running: asyncio.Task[None] | None = None

    async def _connect(self) -> None:
        self._running = asyncio.ensure_future(self.world.run())
        self.link.port = await self.face.open()
        await super()._connect()
        self.face.state_port = self.link.state_port

    async def close(self) -> None:
        await super().close()
        self.face.close()
        if self._running:
            self._running.cancel()
            await asyncio.wait([self._running])
