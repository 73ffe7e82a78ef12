"""The warehouse: furnished rooms' physics with racks, goods, nobody about, and failures by seed and rate.

    world = Warehouse("inbound", seed=3, failures={"slip": 0.2, "moved": 0.1})

`setup` is that of furnished rooms: `objects` go from ids to places (None: not there), `robot` says where it starts.
`aim` names the things that failures happen to where they can choose: those that a mission is about.
"""

import asyncio
import math
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from sayso.robots.warehouse.perception import Stockroom
from sayso.robots.warehouse.world import STORE
from sayso.robots.warehouse.world.sim import Mishaps, SimPicker
from sayso.worlds.indoor.arm import ArmShape
from sayso.worlds.indoor.build import HIDDEN_M, WRIST
from sayso.worlds.indoor.grid_path import find_path
from sayso.worlds.indoor.place import Furnished
from sayso.worlds.indoor.rooms import Eyes
from sayso.worlds.indoor.scene import read_flat
from sayso.worlds.indoor.setup import room_on

TROLLEY_S = 12.0
TROLLEY_AHEAD_M = 1.4


class Warehouse(Furnished):
    """A scene of the warehouse. `failures` are rates by kind (`sim.KINDS`)."""

    name: ClassVar[str] = "warehouse"
    robot: SimPicker
    folder: ClassVar[Path] = STORE
    wrist: ClassVar[bool] = True
    mission_max_s: ClassVar[float] = 1800.0
    eyes: ClassVar[Eyes] = Stockroom
    arm_shape: ClassVar[ArmShape] = ArmShape(
        shoulder=(0.18, 0.0, 0.45), lift_m=0.0, upper_m=0.26, fore_m=0.24, hand_m=0.13, carry=(0.12, 0.0, 0.16)
    )

    def __init__(
        self,
        scene: str = "store",
        seed: int = 0,
        *,
        setup: Mapping[str, Any] | None = None,
        failures: Mapping[str, float] | None = None,
        aim: Sequence[str] = (),
    ) -> None:
        self.mishaps = Mishaps(failures or {}, seed)
        self.aim = tuple(aim)
        self._meddled: set[str] = set()
        self._seed = seed
        super().__init__(scene, seed, setup=self._without_absent(scene, setup or {}))

    def _without_absent(self, scene: str, setup: Mapping[str, Any]) -> dict[str, Any]:
        objects = dict(setup.get("objects", {}))
        stock = {**read_flat(scene, self.folder).stock, **objects}
        gone = [i for i in stock if (not self.aim or i in self.aim) and self.mishaps.strikes("absent", 0.0, i)]
        return {**setup, "objects": {**objects, **dict.fromkeys(gone)}}

    def _make_robot(self, **parts: Any) -> SimPicker:
        return SimPicker(**parts, mishaps=self.mishaps, palm=self._palm.see, happen=self._happen)

    def _look_out(self) -> None:
        self._judge, self.perception = self._eye(), self._eye(misses=self.mishaps.rate("miss"), seed=self._seed)
        self._palm = Stockroom(
            self.model, self.data, int(self.model.camera(WRIST).id), tuple(self.things.all.values()), people=(),
            places=self.table, own_body=int(self.model.body("arm hand").id),
        )  # fmt: skip

    @property
    def meddled(self) -> set[str]:
        """The ids of what others have moved, and the robot not since."""
        return self._meddled - self.robot.delivered

    def _happen(self, kind: str) -> None:
        if kind == "moved":
            self._move_one()
        else:
            self._leave_trolley()

    def _move_one(self) -> None:
        """Somebody takes a thing to another table: none that is held, nor one that the robot has put down itself."""
        chance = self.mishaps.pick("moved")
        kept = self.robot.delivered
        left = [t for t in self.things.all.values() if not t.holder and t.id not in kept]
        free = [t for t in left if not self.aim or t.id in self.aim]
        pieces = [f for f in self.flat.furniture if any(p["name"] == f.name for p in self.table["places"])]
        if not free:
            self.mishaps.struck.pop()
            return
        thing, there = chance.choice(free), chance.choice(pieces)
        self._meddled.add(thing.id)
        self._set_down(thing.id, there.name, chance)

    def _set_down(self, id_: str, place: str, chance: random.Random) -> None:
        """Put a thing on a free spot of a place, if there is one."""
        thing, piece = self.things.all[id_], self.flat.piece(place)
        assert piece is not None
        taken = []
        for other in self.things.all.values():
            if other is not thing and self.things.place_of(other) == place:
                at, half = other.pose.seen_from(piece.pose), max(other.size_m[:2]) / 2
                taken.append((*at.xy, half, half))
        spot = room_on(piece, thing.size_m, taken, chance)
        if spot is not None:
            thing.put(piece.pose.moved(*spot, piece.size_m[2]))

    def _leave_trolley(self) -> None:
        """Somebody leaves a trolley ahead of the robot, and takes it away after a while."""
        here = self.base.pose
        ahead = here.moved(TROLLEY_AHEAD_M)
        half = [f.outline() for f in self.flat.furniture]
        near = any(math.dist(ahead.xy, corner) < 0.9 for outline in half for corner in outline)
        if near or find_path(self.map, here.xy, ahead.xy, 0.6) is None:
            self.mishaps.struck.pop()
            return
        mocap = int(self.model.body_mocapid[self.model.body("trolley").id])
        self.data.mocap_pos[mocap] = (*ahead.xy, 0.0)
        asyncio.get_running_loop().call_later(TROLLEY_S, self._take_trolley)

    def _take_trolley(self) -> None:
        self.data.mocap_pos[int(self.model.body_mocapid[self.model.body("trolley").id])] = (0.0, 0.0, HIDDEN_M)
