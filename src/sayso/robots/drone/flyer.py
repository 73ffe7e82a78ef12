"""The interface of a drone's adapter: what the skills of flight ask of it."""

from typing import Protocol

from sayso.limits import Limits
from sayso.roles import RobotState


class Flyer(Protocol):
    """What the skills of flight ask of a drone. Metres and radians in the robot's own frame (x forward, y left)."""

    limits: Limits
    least_move_m: float
    """What it cannot move less than: nearer than that is there."""

    @property
    def flying(self) -> bool:
        """Whether it is in the air."""

    def state(self) -> RobotState:
        """The latest known state; never blocks."""

    async def take_off(self) -> None:
        """Climb to the height at which it hovers. Raises `SkillFailed` when it cannot."""

    async def land(self) -> None:
        """Come down and stop the rotors."""

    async def move(self, forward_m: float, left_m: float, up_m: float) -> None:
        """Fly straight to the point that lies there now. Raises `SkillFailed` when something is in the way."""

    async def turn(self, angle_rad: float) -> None:
        """Turn on the spot; positive is left."""

    def clearance_m(self, bearing_rad: float = 0.0) -> float:
        """How far it is to the next obstacle at this height, along a bearing (positive is left); inf when unknown."""
