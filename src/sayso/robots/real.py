"""What every machine that stands somewhere has in common: a check list before its first motion.

The zone of a simulated robot is read from its walls. Here it is what a person staked out around the spot where the
machine stands, and without one nothing moves (S19).
"""

from __future__ import annotations

import asyncio
import math
from abc import abstractmethod
from typing import ClassVar

from sayso.errors import RobotError
from sayso.parts import Check, Robot, RobotState, World

START_CHARGE = 0.1
"""How much more than its reserve the battery must hold to set out."""

LOOK_S, AGAIN_S = 0.1, 0.3
HALT_S = 4.0


class Real(Robot):
    """A machine. `flies` says that its zone needs a height."""

    flies: ClassVar[bool] = False

    def unfit(self) -> str:
        """What about the machine itself forbids a first motion, such as how it stands; empty where it is fit."""
        return ""

    def checks(self) -> tuple[Check, ...]:
        state, unfit = self.state(), self.unfit()
        return (
            Check("link", "answers" if state.connected else "silent", "" if state.connected else "a link that answers"),
            self._battery(state),
            self._zone(),
            Check("place", unfit or f"stands at {_spot(state)}", "fit to set out" if unfit else ""),
        )

    def _battery(self, state: RobotState) -> Check:
        least = self.limits.battery_reserve + START_CHARGE
        return Check("battery", f"{state.charge:.0%}", "" if state.charge >= least else f"at least {least:.0%}")

    def _zone(self) -> Check:
        zone = self.limits.zone
        ends = [zone.x_min_m, zone.x_max_m, zone.y_min_m, zone.y_max_m]
        ends += [self.limits.altitude_max_m] if self.flies else []
        up = f", up to {self.limits.altitude_max_m:g} m" if self.flies else ""
        if all(map(math.isfinite, ends)):
            return Check("zone", f"{zone}{up}")
        return Check("zone", "not set", "one that a person sets, such as --zone ahead=3,back=1,left=2,right=2,up=2")


def _spot(state: RobotState) -> str:
    return f"x {state.pose.x_m:.1f} m, y {state.pose.y_m:.1f} m"


class Distant(Real):
    """A machine at the end of a line that loses datagrams: it tells its state all the time, and whatever is told to it
    is told until its states show it."""

    title: ClassVar[str]
    """What a sentence calls it, such as the Tello."""
    silent_s: ClassVar[float] = 0.65
    """After so long without a state the link is lost."""

    @property
    @abstractmethod
    def heard_s(self) -> float:
        """When its last state came, of the loop's time; -inf where none has."""

    @property
    @abstractmethod
    def moved_s(self) -> float:
        """When a state last showed it moving."""

    _clock: asyncio.AbstractEventLoop | None = None

    @property
    def connected(self) -> bool:
        return self._clock is not None and self._clock.time() - self.heard_s < self.silent_s

    async def open(self) -> None:
        self._clock = asyncio.get_running_loop()

    def still(self, seconds: float) -> bool:
        """Whether every state for so long showed it at rest."""
        return self.connected and self.heard_s - self.moved_s > seconds

    async def halt(self) -> None:
        """`halt_now` is repeated until states that came after it show rest."""
        self.halt_now()
        began_s = told_s = self.now_s()
        while not (self.still(2 * LOOK_S) and self.heard_s - began_s > 2 * LOOK_S):
            now_s = self.now_s()
            if now_s - began_s > HALT_S or (now_s - began_s > self.silent_s and not self.connected):
                raise RobotError(f"{self.title} was told to stop, and {self.state().summary}")
            if now_s - told_s > AGAIN_S:
                told_s = now_s
                self.halt_now()
            await asyncio.sleep(LOOK_S / 2)

    def now_s(self) -> float:
        """The loop's time; after `open`, from any thread."""
        return (self._clock or asyncio.get_running_loop()).time()


class Behind:
    """What stands behind the line in a dry run: a world that runs from `start` to `stop`, while the machine that it
    stands in for is connected."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._running = asyncio.ensure_future(self._world.run())

    async def stop(self) -> None:
        if self._running:
            self._running.cancel()
            await asyncio.wait([self._running])
