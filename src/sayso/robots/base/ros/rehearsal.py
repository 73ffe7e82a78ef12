"""The dry run: the adapter that drives a base, and the simulated base behind the same keys and bytes."""

from __future__ import annotations

from sayso.machines import Room
from sayso.robots.base.ros.adapter import Ros
from sayso.robots.base.ros.face import Face
from sayso.robots.base.ros.node import EVERYWHERE, Bus, Line
from sayso.robots.base.world import Hall
from sayso.scene import Pose

STANDS = Pose(-1.0, 0.5, 0.0, 0.6)


class Rehearsal(Ros):
    """A base whose machine is opened with it. `hall`, `face` and `bus` are for judges."""

    name = "ros (simulated)"

    def __init__(self, room: Room | None, face: Face | None = None, bus: Bus | None = None) -> None:
        super().__init__(room, "", EVERYWHERE, self._joined)
        self.face, self.bus = face or Face(Hall(STANDS)), bus or Bus()
        self.hall = self.face.hall

    async def _joined(self) -> Line:
        self._begin(self.hall.run())
        self.face.open(self.bus.end())
        return self.bus.end()

    async def close(self) -> None:
        await super().close()
        self.face.close()
