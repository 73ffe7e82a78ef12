"""The plain motions of a robot that drives on a map: straight ahead and back, a turn on the spot, a wait."""

from __future__ import annotations

from typing import Protocol

from sayso.roles import RobotState
from sayso.scene import wrap
from sayso.skill import Range
from sayso.skills.motions import moving, turning, waiting

BY_AMOUNT = ("moved", "turned", "waited", "stayed")
"""What it is told to do in plain commands; all else it is told is a wish about things, places and people."""


class Driven(Protocol):
    """What drives to a point of its map, and turns to a heading."""

    def state(self) -> RobotState: ...
    async def drive_to(self, x_m: float, y_m: float, yaw_rad: float | None = None) -> None: ...
    async def turn_to(self, yaw_rad: float) -> None: ...


class Moves:
    """What it does by amounts; it goes round what is in the way, and ends up facing as it did."""

    move_forward = moving("forward", "Drive forward by a distance.", Range(5, 500))
    move_backward = moving("back", "Drive back by a distance.", Range(5, 500))
    turn_cw, turn_ccw = turning("right"), turning("left")
    delay = waiting("Stay where you are for a while.", 300)

    def __init__(self, robot: Driven) -> None:
        self._robot = robot

    async def go(self, forward_m: float, left_m: float, up_m: float) -> None:
        here = self._robot.state().pose
        there = here.moved(forward_m, left_m)
        await self._robot.drive_to(there.x_m, there.y_m, here.yaw_rad)

    async def turn(self, angle_rad: float) -> None:
        await self._robot.turn_to(wrap(self._robot.state().pose.yaw_rad + angle_rad))
