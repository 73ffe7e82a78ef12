"""A simulated place. It is not a role: it hands out an ordinary robot and an ordinary perception, and knows the truth
that judges ask for."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from sayso.figures import Land
from sayso.limits import Limits
from sayso.parts import Perception, Robot
from sayso.scene import Pose
from sayso.truth import Truth


class World(ABC):
    """A simulated place. It hands out an ordinary robot and perception, keeps its own time, and knows the truth.

    On a clock it is stepped every `tick_s`. After the clock has jumped it catches up in stretches of at most
    `stretch_s`, between which others get a turn.
    """

    name: ClassVar[str] = "world"
    tick_s: ClassVar[float] = 0.02
    stretch_s: ClassVar[float] = 0.25
    robot: Robot
    perception: Perception
    instruction: str = ""
    """The wish that this place was made for; empty where any will do."""

    @property
    @abstractmethod
    def time_s(self) -> float:
        """Seconds that this world has run."""

    @abstractmethod
    def step_to(self, until_s: float) -> None:
        """Let this world's time pass until then, or the last step before. Raises `RobotError` when it comes apart."""

    @abstractmethod
    def truth(self) -> Truth:
        """What is really so, for judges and pictures only: nothing on the way to a plan may read it."""

    @property
    def limits(self) -> Limits:
        """What is safe here."""
        return self.robot.limits

    async def run(self) -> None:
        """Keep up with the running loop's time, virtual or on the wall, until cancelled."""
        loop = asyncio.get_running_loop()
        began_s = loop.time() - self.time_s
        while True:
            await asyncio.sleep(self.tick_s)
            while (goal_s := loop.time() - began_s) - self.time_s > self.stretch_s:
                self.step_to(self.time_s + self.stretch_s)
                await asyncio.sleep(0)
            self.step_to(goal_s)

    def really(self) -> tuple[Pose, float]:
        """Where the robot really is, and its speed in m/s: a part of `truth` that may be cheaper to ask often."""
        truth = self.truth()
        return truth.pose, truth.speed_mps

    def physics(self) -> tuple[Any, Any] | None:
        """MuJoCo's model and data, for whoever draws the place in three dimensions; None where there are no such."""
        return None

    def land(self) -> Land | None:
        """The open country that the place lies on; None indoors and wherever the ground is flat."""
        return None

    def names(self) -> Sequence[tuple[str, Pose]]:
        """What the map calls its areas and furniture, and where to write it: words that a person can point with."""
        return ()

    def overview(self, width_px: int = 640, height_px: int = 480) -> Any:
        """The place seen from above as (height, width, 3) uint8; drawn without GL where there is none."""
        return None

    def close(self) -> None:
        """Give back what pictures needed."""
