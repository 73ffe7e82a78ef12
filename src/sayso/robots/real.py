"""What every machine that stands somewhere has in common: a check list before its first motion.

The zone of a simulated robot is read from its walls. Here it is what a person staked out around the spot where the
machine stands, and without one nothing moves (S19).
"""

from __future__ import annotations

import asyncio
import math
from abc import abstractmethod
from collections.abc import Coroutine
from typing import Any, ClassVar, Protocol

from sayso.errors import RobotError
from sayso.limits import LimitReached, Limits
from sayso.machines import Room
from sayso.parts import Check, Robot, RobotState
from sayso.scene import Pose
from sayso.task import Refused

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


class States(Protocol):
    """What a machine's states told: when the last one came and when one last showed it moving, of the loop's time; -inf
    where none has."""

    heard_s: float
    moved_s: float


class Distant(Real):
    """A machine at the end of a line that loses datagrams: it tells its state all the time, and whatever is told to it
    is told until its states show it. Without a room it connects and tells its state, and stays where it is."""

    title: ClassVar[str]
    """What a sentence calls it, such as the Tello."""
    silent_s: ClassVar[float] = 0.65
    """After so long without a state the link is lost."""

    told: States
    _clock: asyncio.AbstractEventLoop | None = None

    def __init__(self, limits: Limits, room: Room | None) -> None:
        self.limits = room.within(limits) if room else limits
        self._beside: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Raises `RobotError` where nobody answers, and where what has to be known is not told."""
        self._clock = asyncio.get_running_loop()
        try:
            await self._meet()
        except BaseException:
            await self.close()
            raise

    @abstractmethod
    async def _meet(self) -> None:
        """Connect, and wait for what has to be known. Raises `RobotError`; what was begun is closed then."""

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Go on with it beside everything else, until it is closed."""
        self._beside.append(asyncio.ensure_future(work))

    async def close(self) -> None:
        for task in self._beside:
            task.cancel()
        if self._beside:
            await asyncio.wait(self._beside)
        self._beside = []

    @property
    def connected(self) -> bool:
        return self._clock is not None and self._clock.time() - self.told.heard_s < self.silent_s

    def still(self, seconds: float) -> bool:
        """Whether every state for so long showed it at rest."""
        return self.connected and self.told.heard_s - self.told.moved_s > seconds

    def _astray(self) -> str:
        """How it lost its place, empty while it knows it."""
        return ""

    def _must_keep_to(self, goal: Pose) -> None:
        if lost := self._astray():
            raise LimitReached(Refused("place", lost, "one that it knows"))
        if refused := self.limits.pose_refusal(goal):
            raise LimitReached(refused)

    async def halt(self) -> None:
        """`halt_now` is repeated until states that came after it show rest."""
        self.halt_now()
        began_s = told_s = self.now_s()
        while not (self.still(2 * LOOK_S) and self.told.heard_s - began_s > 2 * LOOK_S):
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
