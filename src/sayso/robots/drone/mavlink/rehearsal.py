"""The dry run: the adapter that flies a multicopter, and the simulated drone behind the same datagrams."""

from __future__ import annotations

from sayso.machines import Room
from sayso.robots.drone.mavlink.adapter import Mavlink
from sayso.robots.drone.mavlink.face import Face
from sayso.robots.drone.mavlink.link import HOST, Address
from sayso.robots.drone.mavlink.protocol import PX4, Stack
from sayso.robots.drone.world.office import Office


class Rehearsal(Mavlink):
    """A multicopter whose machine is opened with it. `world` and `face` are for judges."""

    name = "mavlink (simulated)"

    def __init__(self, room: Room | None, world: Office | None = None, stack: Stack = PX4) -> None:
        super().__init__(room, Address(HOST, 0))
        self.identity = ""
        self.world = world or Office("empty")
        self.face = Face(self.world.drone, stack)

    async def _connect(self) -> None:
        self._begin(self.world.run())
        await super()._connect()
        await self.face.open(to=(HOST, self.link.port))

    async def close(self) -> None:
        await super().close()
        self.face.close()
