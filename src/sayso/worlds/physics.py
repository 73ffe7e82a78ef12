"""The base of worlds that MuJoCo steps: their time, the way that was gone, and the truth of what is in view."""

import math
from abc import abstractmethod
from typing import Any, ClassVar, Protocol

import mujoco

from sayso.errors import RobotError
from sayso.roles import Perception
from sayso.scene import Pose, Scene
from sayso.world import World
from sayso.worlds.lens import Lens


class Seer(Perception, Protocol):
    """A perception that can also be asked outside of a loop, for judges."""

    def see(self, seen_s: float = 0.0) -> Scene:
        """What is in view now."""


class Physical(World):
    """A world that MuJoCo steps. Who makes one sets `model`, and says what `step` does."""

    step_s: ClassVar[float]
    """What one `step` takes."""
    trail_m: ClassVar[float] = 0.05

    def __init__(self, model: mujoco.MjModel) -> None:
        self.model, self.data = model, mujoco.MjData(model)
        self.lens = Lens(model)
        self.trail: list[Pose] = []
        self._settled_s = 0.0
        self._judge: Seer | None = None
        self._seen = (-1.0, frozenset[str]())

    @abstractmethod
    def step(self) -> None:
        """One step of `step_s`: motors, physics, and what is noted of it."""

    @property
    def time_s(self) -> float:
        return float(self.data.time) - self._settled_s

    def step_to(self, until_s: float) -> None:
        for _ in range(math.floor((until_s - self.time_s) / self.step_s + 1e-6)):
            began_s = self.data.time
            self.step()
            if self.data.time < began_s:
                raise RobotError("the simulation came apart and MuJoCo reset it; its state means nothing any more")
        self.note_way()

    def note_way(self) -> None:
        """Remember where the robot has been, for pictures."""
        pose, _ = self.really()
        if not self.trail or self.trail[-1].distance_m(pose) > self.trail_m:
            self.trail.append(pose)

    def in_frame(self) -> frozenset[str]:
        """Ids of what a perfect detector finds in the camera's image now; worked out once for one moment."""
        if self._judge and self._seen[0] != self.time_s:
            self._seen = (self.time_s, frozenset(thing.id for thing in self._judge.see()))
        return self._seen[1]

    def physics(self) -> tuple[Any, Any]:
        return self.model, self.data

    def photograph(self, camera: str, width_px: int, height_px: int) -> Any:
        """What one of the model's cameras sees; None where there is no GL."""
        return self.lens.shoot(self.data, int(self.model.camera(camera).id), width_px, height_px)

    def close(self) -> None:
        self.lens.close()
