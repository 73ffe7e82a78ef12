"""The plain motions of a robot that drives on a map: straight ahead and back, a turn on the spot, a wait."""

import math
from collections.abc import Sequence
from typing import Protocol

from sayso.errors import NotUnderstood
from sayso.goal import Amount, Pred
from sayso.roles import RobotState
from sayso.scene import wrap
from sayso.skill import Range
from sayso.skills.motions import SIDES, moving, turning, waiting

BY_AMOUNT = ("moved", "turned", "waited", "stayed")
"""What it is told to do in plain commands; all else it is told is a wish about things, places and people."""

HALF_TURN_DEG = 181
"""So far a turn may be, with what its amount is rounded by, to be the short way."""
MOVE_CM, TURN_DEG, WAIT_S = Range(5, 500), Range(1, 360), Range(0, 300)
"""How far, round and long at once."""


class Driven(Protocol):
    """What drives to a point of its map, and turns to a heading."""

    def state(self) -> RobotState: ...
    async def drive_to(self, x_m: float, y_m: float, yaw_rad: float | None = None) -> None: ...
    async def turn_to(self, yaw_rad: float) -> None: ...


class Moves:
    """What it does by amounts; it goes round what is in the way, and ends up facing as it did."""

    move_forward = moving("forward", "Drive forward by a distance.", MOVE_CM)
    move_backward = moving("back", "Drive back by a distance.", MOVE_CM)
    turn_cw, turn_ccw = turning("right"), turning("left")
    delay = waiting("Stay where you are for a while.", WAIT_S.high)

    def __init__(self, robot: Driven) -> None:
        self._robot = robot

    async def go(self, forward_m: float, left_m: float, up_m: float) -> None:
        here = self._robot.state().pose
        there = here.moved(forward_m, left_m)
        await self._robot.drive_to(there.x_m, there.y_m, here.yaw_rad)

    async def turn(self, angle_rad: float) -> None:
        """More than half a turn goes in thirds: nobody takes the long way to a heading."""
        begin, parts = self._robot.state().pose.yaw_rad, 3 if abs(angle_rad) > math.radians(HALF_TURN_DEG) else 1
        for part in range(1, parts + 1):
            await self._robot.turn_to(wrap(begin + angle_rad * part / parts))


def calls_for(pred: Pred) -> Sequence[tuple[str, str]]:
    """The skills that bring about a predicate of `BY_AMOUNT`, each with its amount: several where it is too much at
    once. Raises `NotUnderstood` for a way that no robot drives."""
    match pred:
        case Pred("moved", ("forward" | "back" as side, Amount(value=metres))):
            name, total, span = SIDES[side][0], metres * 100, MOVE_CM
        case Pred("turned", ("left" | "right" as side, Amount(value=total))):
            name, span = "turn_ccw" if side == "left" else "turn_cw", TURN_DEG
        case Pred("waited", (Amount(value=total),)):
            name, span = "delay", WAIT_S
        case _:
            raise NotUnderstood("I drive forward and back, turn left and right, and wait; not that.")
    return [(name, f"{part:g}") for part in span.parts(total)]
