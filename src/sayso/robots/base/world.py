"""A bare hall with a base in it, for dry runs: a floor, walls, and the base that drives through simulated homes."""

from typing import ClassVar

import mujoco

from sayso.roles import Perception, Robot
from sayso.scene import Pose
from sayso.world import Touch, Truth
from sayso.worlds.indoor.mobile_base import MobileBase, add_base
from sayso.worlds.physics import Physical
from sayso.worlds.scenery import described


class Hall(Physical):
    """A bare hall. Nobody but a machine's own protocol drives this base: the hall has no robot of its own."""

    name: ClassVar[str] = "hall"
    step_s = 0.01
    robot: Robot
    perception: Perception

    def __init__(self, at: Pose = Pose(), charge: float = 0.99) -> None:
        spec = described(__file__, "hall")
        add_base(spec, at)
        super().__init__(spec.compile())
        self.base, self.charge, self._start = MobileBase(self.model, self.data, at), charge, at
        self._touches: dict[str, Touch] = {}
        mujoco.mj_forward(self.model, self.data)

    def step(self) -> None:
        self.base.tick(self.step_s)
        mujoco.mj_step(self.model, self.data)
        for pair in self.data.contact.geom[: self.data.ncon]:
            names = {self.model.geom(int(geom)).name for geom in pair} - {"base", "floor"}
            for name in names:
                self._touches.setdefault(name, Touch(name, self.time_s))

    def really(self) -> tuple[Pose, float]:
        return self.base.pose, abs(self.base.velocity[0])

    def truth(self) -> Truth:
        pose, speed_mps = self.really()
        touches = tuple(self._touches.values())
        return Truth(
            time_s=self.time_s, pose=pose, start=self._start, speed_mps=speed_mps, charge=self.charge, contacts=touches
        )
