"""Skills of remembering: where a thing was last seen, and turning there."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from sayso.roles import Perception, Recalling, RobotState
from sayso.scene import plain
from sayso.skill import ThingName, Value, skill

FACING_RAD = 0.07
"""Turns smaller than this show nothing new."""


class Body(Protocol):
    """The interface of a robot, as these skills use it."""

    def state(self) -> RobotState: ...


class Turner(Body, Protocol):
    """The interface of a robot that can turn on the spot; positive is left."""

    async def turn(self, angle_rad: float) -> None: ...


class Recollection:
    """Asking memory; for every robot that has one."""

    def __init__(self, body: Body, memory: Recalling) -> None:
        self._body, self._memory = body, memory

    @skill(short="w")
    async def where(self, thing: ThingName) -> Value:
        """Where a thing was last seen, in words; False when it never was."""
        return plain(self._memory.where(thing, self._body.state().pose), 200) or False


class LookingBack:
    """Turning to where things were; `ready` makes the robot fit to turn."""

    def __init__(
        self, turner: Turner, perception: Perception, memory: Recalling, ready: Callable[[], Awaitable[None]]
    ) -> None:
        self._turner, self._perception, self._memory, self._ready = turner, perception, memory, ready

    @skill(uses="base", short="rc", again=True)
    async def recall(self, thing: ThingName) -> bool:
        """Turn to where a thing was last seen; True when it is in view."""
        if (await self._perception.look()).find(thing):
            return True
        known = self._memory.recall(thing)
        if known is None or known.pose is None:
            return False
        await self._ready()
        turn_rad = self._turner.state().pose.bearing_rad(known.pose)
        if abs(turn_rad) > FACING_RAD:
            await self._turner.turn(turn_rad)
        return (await self._perception.look()).find(thing) is not None
