"""The plain motion skills of a kind of robot: to a side by a distance, a turn on the spot, a wait.

A class that knows how to `go` and to `turn` declares which of them it has, with the words that a model reads and with
how far it may be asked to go:

    move_forward = moving("forward", "Drive forward by a distance.", Range(5, 500))
    turn_cw, turn_ccw = turning("right"), turning("left")
    delay = waiting("Stay where you are for a while.")
"""

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Protocol, TypeAlias

from sayso.scene import Pose
from sayso.skill import Range, skill
from sayso.tables.paths import PathLaw


class Mobile(Protocol):
    """The interface of a robot that moves. Metres and radians in the robot's own frame (x forward, y left, z up)."""

    async def go(self, forward_m: float, left_m: float, up_m: float) -> None:
        """Straight there, without turning. Raises `SkillFailed` where it cannot."""

    async def turn(self, angle_rad: float) -> None:
        """On the spot; positive is left."""


Start: TypeAlias = Callable[[Pose], Pose]
"""Where a motion starts that is asked for at a pose."""
Motion: TypeAlias = Callable[[Any, float], Awaitable[None]]

SIDES = {
    "forward": ("move_forward", "mf", (1, 0, 0)), "back": ("move_backward", "mb", (-1, 0, 0)),
    "left": ("move_left", "ml", (0, 1, 0)), "right": ("move_right", "mr", (0, -1, 0)),
    "up": ("move_up", "mu", (0, 0, 1)), "down": ("move_down", "md", (0, 0, -1)),
}  # fmt: skip
"""Name and abbreviation of the skill of each side, and its direction."""
IN_A_METRE = {"cm": 100, "m": 1}


def moving(
    side: str, says: str, most: Range, *, uses: str = "base", unit: str = "cm", start: Start = lambda pose: pose
) -> Motion:
    """A skill of moving to a side by a distance, in centimetres unless another `unit` is named."""
    name, short, (forward, left, up) = SIDES[side]

    def ways_m(distance: float) -> tuple[float, float, float]:
        way_m = distance / IN_A_METRE[unit]
        return forward * way_m, left * way_m, up * way_m

    def path(pose: Pose, distance: float) -> list[Pose]:
        begins = pose if up > 0 else start(pose)  # a height above the ground, by way of where it takes off to
        return [start(pose), begins.moved(*ways_m(distance))]

    async def in_cm(self: Mobile, distance_cm: float) -> None:
        await self.go(*ways_m(distance_cm))

    async def in_m(self: Mobile, distance_m: float) -> None:
        await self.go(*ways_m(distance_m))

    method = in_m if unit == "m" else in_cm
    means = f"moved({side}, {{distance_{unit}}} {unit})"
    return _declared(
        method, f"distance_{unit}", says, most, skill(uses, name=name, short=short, path=path, means=means)
    )


def turning(side: str, *, uses: str = "base", start: Start | None = None) -> Motion:
    """A skill of turning on the spot by an angle to the right or to the left. With `start` it has a path."""
    sign, name, short, says = {
        "left": (1, "turn_ccw", "tu", "Turn counter-clockwise (to the left) on the spot."),
        "right": (-1, "turn_cw", "tc", "Turn clockwise (to the right) on the spot."),
    }[side]

    def path(pose: Pose, angle_deg: float) -> list[Pose]:
        at = start(pose) if start else pose
        return [at, at.moved(turn_rad=sign * math.radians(angle_deg))]

    async def turn(self: Mobile, angle_deg: float) -> None:
        await self.turn(sign * math.radians(angle_deg))

    law: PathLaw | None = path if start else None
    means = f"turned({side}, {{angle_deg}} deg)"
    return _declared(turn, "angle_deg", says, Range(1, 360), skill(uses, name=name, short=short, path=law, means=means))


def waiting(says: str, most_s: float = 60, *, uses: str = "base") -> Motion:
    """A skill of waiting for a while."""

    async def delay(self: object, duration_s: float) -> None:
        await asyncio.sleep(duration_s)

    return _declared(
        delay, "duration_s", says, Range(0, most_s), skill(uses, short="d", means="waited({duration_s} s)")
    )


def _declared(method: Motion, amount: str, says: str, most: Range, mark: Callable[[Motion], Motion]) -> Motion:
    method.__doc__ = says
    method.__annotations__[amount] = Annotated[float, most]
    return mark(method)
