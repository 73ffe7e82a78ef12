"""The guards: each watches a robot for one limit beside every mission, and takes it over when that is in danger.

A guard is asked many times a second with the robot's state; it answers with a refusal while there is trouble. What is
done about it is one of two things: `halt` (come to rest here) or `leave` (go home where the robot can, then rest),
after which the robot is grounded until the trouble is over (S11).

Besides, what moves although it may not is halted, again and again: a skill may swallow its cancellation, a driver's
thread go on, or what let go of the robot leave its motors on (`RestKeeper`).
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import ClassVar, Literal

from sayso.executive.halting import Halting
from sayso.executive.state_reader import StateReader
from sayso.limits import REST_MPS, Limits
from sayso.roles import RobotState
from sayso.scene import Pose
from sayso.task import Refused

WATCH_S = 0.05
CREEP_M = 0.02
"""What a robot that stands outside its fence may sway further out."""

RISING_M = 0.15
"""What flies may sink on its way up to the least height of a wish."""

STEADY_S = 2.0
"""How long a lost link must answer before it is trusted again."""

CHARGED = 0.05
"""So much above its reserve a battery counts as charged again."""

AFTER_S = 1.0
"""So long at least, and until it rests, a robot may not begin to move after its mission."""


class Guard(ABC):
    """One safety sibling. `ends` says whether what the robot is doing is refused, not merely interrupted."""

    name: ClassVar[str]
    priority: ClassVar[int]
    reaction: ClassVar[Literal["halt", "leave"]] = "halt"
    ends: ClassVar[bool] = False

    def __init__(self, limits: Limits) -> None:
        self.limits = limits

    @abstractmethod
    def trouble(self, state: RobotState) -> Refused | None:
        """What is in danger now, or None; must be quick."""


class LostLink(Guard):
    """The guard of the link: trouble from the first silence until it has been steady for a while (S9, S11)."""

    name, priority, reaction = "lost_link", 900, "leave"
    _lost_s = _seen_s = 0.0
    _lost = False

    def trouble(self, state: RobotState) -> Refused | None:
        now_s = asyncio.get_running_loop().time()
        if not state.connected:
            if not self._lost:
                self._lost, self._lost_s = True, now_s
            self._seen_s = 0.0
        elif self._lost:
            self._seen_s = self._seen_s or now_s
            self._lost = now_s - self._seen_s < STEADY_S
        return Refused("link", "no word from the robot", "a link that answers") if self._lost else None

    def lost_s(self) -> float:
        """How long the link has been, or was, without an answer."""
        return (self._seen_s or asyncio.get_running_loop().time()) - self._lost_s


class Geofence(Guard):
    """The guard of zone and altitudes: trouble when the robot could no longer stop inside, or moves further out.

    It reckons with one look of the watch and with how far this robot coasts once it has been told to halt (S10).
    """

    name, priority, ends = "geofence", 800, True

    def __init__(self, limits: Limits, reading: StateReader, halting: Halting, lands: Callable[[], bool]) -> None:
        super().__init__(limits)
        self._reading, self._halting, self._lands = reading, halting, lands
        self._floor_m, self._told = limits.altitude_min_m, limits
        self._rested_m = self._depth_m = 0.0

    @property
    def stranded(self) -> bool:
        """Whether it stood outside already when it last set out."""
        return self._rested_m > 0

    @property
    def inside(self) -> bool:
        """Whether it was inside at the last look."""
        return self._depth_m == 0

    def trouble(self, state: RobotState) -> Refused | None:
        self._depth_m = depth_m = self.limits.beyond_m(state.pose)
        if self.limits is not self._told:  # where other limits find it is where it sets out
            self._rested_m, self._told = depth_m, self.limits
        if self._reading.still(state):
            self._rested_m = min(depth_m, self._rested_m or depth_m)
            return None
        self._rested_m = min(depth_m, self._rested_m)
        ahead, rises = self._ahead(state.pose), self.limits.altitude_min_m > self._floor_m
        creep_m = RISING_M if rises else CREEP_M
        if depth_m > 0 and self.limits.beyond_m(ahead) <= max(depth_m, self._rested_m + creep_m):
            return None
        return self.limits.pose_refusal(ahead)

    def _ahead(self, here: Pose) -> Pose:
        """Where it could come to rest at the soonest. Whoever lands means to come down to the floor; a wish's least
        height holds for all others."""
        ahead = self._reading.ahead(WATCH_S + self._halting.coast_s)
        if ahead.z_m >= here.z_m or (self.limits.altitude_min_m > self._floor_m and not self._lands()):
            return ahead
        return replace(ahead, z_m=here.z_m)


class Overspeed(Guard):
    """The guard of speed: trouble while the robot is faster than it may be."""

    name, priority = "overspeed", 700

    def trouble(self, state: RobotState) -> Refused | None:
        return self.limits.speed_refusal(state.speed_mps)


class Battery(Guard):
    """The guard of the battery: trouble from the reserve on until it is charged."""

    name, priority, reaction = "battery", 600, "leave"
    _low = False

    def trouble(self, state: RobotState) -> Refused | None:
        refused = self.limits.battery_refusal(state.charge - (CHARGED if self._low else 0.0))
        self._low = refused is not None
        return self.limits.battery_refusal(state.charge) or refused


def guards(
    limits: Limits, reading: StateReader, halting: Halting, lands: Callable[[], bool] = lambda: False
) -> tuple[Guard, ...]:
    """The guards that every robot gets, the strongest first. `lands` tells whether it is on its way down to rest. Reach
    and obstacles are asked where a motion is made."""
    return LostLink(limits), Geofence(limits, reading, halting, lands), Overspeed(limits), Battery(limits)


class RestKeeper:
    """Keeps a robot at rest where a stop, a limit or the end of its mission left it; `warn` is called when it moves."""

    def __init__(self, reading: StateReader, halting: Halting, warn: Callable[[str], None]) -> None:
        self._reading, self._halting, self._warn = reading, halting, warn
        self._over_s: float | None = None
        self._told = False

    def mission_over(self) -> None:
        """Note that no mission wants anything of the robot."""
        self._over_s, self._told = asyncio.get_running_loop().time(), False

    def look(
        self, wanted: Collection[object], stops: Collection[object], troubles: Collection[object], to_rest: bool
    ) -> None:
        """What is wanted of the robot at this moment, what stopped it, which limits are in danger, and whether it is on
        its way to rest in any case."""
        now_s, over_s = asyncio.get_running_loop().time(), self._over_s
        if wanted or (over_s is not None and now_s - over_s > AFTER_S and self._reading.still()):
            self._over_s = None
        held = stops or self._over_s is not None
        if not (held or troubles) or to_rest or self._reading.speed_mps() <= REST_MPS:
            return
        if held and not self._told:
            self._told = True
            self._warn(f"it moves although {'it was stopped' if stops else 'its mission is over'}; halted again")
        self._halting.command()
