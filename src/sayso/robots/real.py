"""The base of adapters for real machines: a check list before the first motion, and telemetry.

The zone of a simulated robot is read from its walls. Here it is what a person staked out around the spot where the
machine stands, and without one nothing moves (S19).
"""

import asyncio
import math
from abc import abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, ClassVar

from sayso.errors import RobotError, SkillFailed
from sayso.limits import LimitReached, Limits
from sayso.plugins.machines import StakedRoom
from sayso.roles import Check, Robot, RobotState
from sayso.scene import Pose
from sayso.task import Refused

START_CHARGE = 0.1
"""How much more than its reserve the battery must hold to set out."""

LOOK_S, AGAIN_S, TICK_S = 0.1, 0.3, 0.05
HALT_S = 4.0
LEVEL_RAD = math.radians(15)


class Real(Robot):
    """A real machine. `flies` says that its zone needs a height."""

    flies: ClassVar[bool] = False

    def unfit(self) -> str:
        """What about the machine itself forbids a first motion, such as how it stands; empty where it is fit."""
        return ""

    def checks(self) -> tuple[Check, ...]:
        state, unfit = self.state(), self.unfit()
        least = self.limits.battery_reserve + START_CHARGE
        stands = f"stands at x {state.pose.x_m:.1f} m, y {state.pose.y_m:.1f} m"
        return (
            Check("link", "answers" if state.connected else "silent", "" if state.connected else "a link that answers"),
            Check("battery", f"{state.charge:.0%}", "" if state.charge >= least else f"at least {least:.0%}"),
            self._zone(),
            Check("place", unfit or stands, "fit to set out" if unfit else ""),
        )

    def _zone(self) -> Check:
        zone = self.limits.zone
        ends = [zone.x_min_m, zone.x_max_m, zone.y_min_m, zone.y_max_m]
        ends += [self.limits.altitude_max_m] if self.flies else []
        up = f", up to {self.limits.altitude_max_m:g} m" if self.flies else ""
        if all(map(math.isfinite, ends)):
            return Check("zone", f"{zone}{up}")
        return Check("zone", "not set", "one that a person sets, such as --zone ahead=3,back=1,left=2,right=2,up=2")


@dataclass(slots=True)
class Telemetry:
    """The latest telemetry of a machine, its pose in a frame of its own; times are the loop's, -inf where it has told
    nothing yet. `charge` is a fraction of full, -1 where nobody tells; `jumped_m` is how far its place has jumped."""

    pose: Pose = Pose()
    speed_mps: float = 0.0
    turn_radps: float = 0.0
    lean_rad: float = 0.0
    charge: float = -1.0
    jumped_m: float = 0.0
    heard_s: float = -math.inf
    moved_s: float = -math.inf

    moving: ClassVar[tuple[float, float]]
    """Above so many m/s or rad/s it is not at rest."""
    jump: ClassVar[tuple[float, float]]
    """Between two places it cannot have moved by more, metres and m/s; then it knows its place no more."""

    def stood(self, pose: Pose, speed_mps: float, gap_s: float, now_s: float) -> None:
        """The next place, so long after the last one."""
        way_m, (jump_m, jump_mps) = self.pose.distance_m(pose), self.jump
        if way_m > jump_m + jump_mps * gap_s:
            self.jumped_m += way_m
        self.pose, self.speed_mps, self.heard_s = pose, speed_mps, now_s
        if speed_mps > self.moving[0] or self.turn_radps > self.moving[1]:
            self.moved_s = now_s


class Distant(Real):
    """A machine at the end of a line that loses datagrams: it tells its state all the time, and whatever is told to it
    is told until its states show it. Without a room it connects and tells its state, and stays where it is."""

    title: ClassVar[str]
    """What a sentence calls it, such as the Tello."""
    by: ClassVar[str] = "estimate"
    """By what it knows where it is."""
    silent_s: ClassVar[float] = 0.65
    """After so long without a state the link is lost."""

    told: Telemetry
    _clock: asyncio.AbstractEventLoop | None = None
    _halted = False

    def __init__(self, limits: Limits, room: StakedRoom | None) -> None:
        self.limits = room.within(limits) if room else limits
        self._beside: list[asyncio.Task[None]] = []
        self._opened: list[Callable[[], None]] = []
        """What closes all that was opened for it, the first one last."""
        self._origin = Pose()

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
        while self._opened:
            self._opened.pop()()
        await asyncio.sleep(0)  # a port is free at the loop's next turn

    @property
    def connected(self) -> bool:
        return self._clock is not None and self._clock.time() - self.told.heard_s < self.silent_s

    @property
    def pose(self) -> Pose:
        """From where it stood when it was connected, along its nose."""
        return self.told.pose.seen_from(self._origin)

    def state(self) -> RobotState:
        told = self.told
        return RobotState(
            pose=self.pose,
            charge=max(0.0, told.charge),
            speed_mps=told.speed_mps,
            resting=self._clock is None or self._rests(),
            connected=self.connected,
            summary=self._summary(),
        )

    @abstractmethod
    def _rests(self) -> bool:
        """Whether it can be left alone as it is."""

    @abstractmethod
    def _summary(self) -> str: ...

    def still(self, seconds: float) -> bool:
        """Whether every state for so long showed it at rest."""
        return self.connected and self.told.heard_s - self.told.moved_s > seconds

    def unfit(self) -> str:
        if self.told.lean_rad > LEVEL_RAD:
            return f"stands askew, by {math.degrees(self.told.lean_rad):.0f} degrees"
        return self._astray() if self.told.charge >= 0 else "does not tell how full its battery is"

    def _astray(self) -> str:
        """How it lost its place, empty while it knows it."""
        m = self.told.jumped_m
        return f"lost its place: its {self.by} has jumped by {m:.1f} m, so that the zone is elsewhere" if m else ""

    def _must_keep_to(self, goal: Pose) -> None:
        if lost := self._astray():
            raise LimitReached(Refused("place", lost, "one that it knows"))
        if refused := self.limits.path_refusal((self.pose, goal)):
            raise LimitReached(refused)

    async def _until(self, done: Callable[[], bool], patience_s: float = math.inf) -> None:
        """Ask `done`, which may go on with a motion, until it is; not once more where it was halted. Raises
        `SkillFailed`, and `RobotError` where the machine says nothing."""
        until_s = self.now_s() + patience_s
        while True:
            if self._halted:
                await asyncio.sleep(LOOK_S)  # whoever halted it from another thread is about to say why
                raise SkillFailed("it was told to stop")
            if not self.connected:
                raise RobotError(f"no word from {self.title}")
            self._must_go_on()
            if done():
                return
            if self.now_s() > until_s:
                raise SkillFailed(f"{self.title} was not there in time, {patience_s:.0f} s")
            await asyncio.sleep(TICK_S)

    def _must_go_on(self) -> None:
        """Raises `SkillFailed` where a motion under way cannot end well."""

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
