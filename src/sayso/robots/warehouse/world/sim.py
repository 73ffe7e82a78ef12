"""The simulated warehouse robot: the service robot without its lift, and what goes wrong with it.

Everything that it can do it does as the service robot does; each failure is a slip of one of these, felt as a real one
would be: by the lidar, by empty fingers, by where the base says that it is. That fingers are wet with soap, and what
somebody moves or leaves about, is decreed; that a thing slips out of them then is physics.
"""

import asyncio
import math
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

from sayso.errors import SkillFailed, UsageError
from sayso.robots.warehouse.failures import LOST, SPOT_TAKEN
from sayso.roles import RobotState
from sayso.scene import Pose, Scene, wrap
from sayso.world import ROBOT
from sayso.worlds.indoor.arm import Arm
from sayso.worlds.indoor.robot import SimService

THING = "thing"
"""What the hand is told to hold that the camera in it does not recognise."""

BESIDE_M = 0.45
"""How near a neighbour must be to be taken by mistake."""

AT_M = 1.4
WARY_M = 1.5
"""On shorter ways nobody has time to get into the way."""


KINDS: Mapping[str, str] = {
    "absent": "a thing is not there at all (drawn once for each thing)",
    "moved": "somebody puts a thing elsewhere while the robot drives",
    "miss": "the detector does not report a thing in view (drawn for each thing and look)",
    "wrong_side": "the base ends on the far side of a piece of furniture",
    "navigation": "the base loses its way and stops before the goal",
    "blocked_way": "somebody leaves a trolley on the way for a while",
    "slip": "the fingers are wet with soap, and what they take slips out",
    "wrong_object": "the hand takes a thing beside the one that is meant",
    "drop": "the fingers get wet with soap while the robot drives, and what they hold slips out",
    "blocked_place": "something keeps the hand from letting go on its spot",
}


class Mishaps:
    """The dice. `rates` are probabilities by kind; kinds that are left out never strike.

    Each kind has dice of its own, so that its rate does not change when the others strike, and a run with the same seed
    meets the same failures in the same order. What struck is on record, for judges of how well a planner recovers.
    """

    def __init__(self, rates: Mapping[str, float], seed: int) -> None:
        if unknown := set(rates) - set(KINDS):
            raise UsageError(f"no failure is called {sorted(unknown)[0]!r}; there are {', '.join(KINDS)}")
        if wrong := [k for k, p in rates.items() if not 0.0 <= p <= 1.0]:
            raise UsageError(f"the rate of {wrong[0]} is a probability from 0 to 1, not {rates[wrong[0]]}")
        self.rates = dict(rates)
        self.struck: list[tuple[str, float, str]] = []
        self._dice = {kind: random.Random(f"{seed} {kind}") for kind in KINDS}

    def rate(self, kind: str) -> float:
        return self.rates.get(kind, 0.0)

    def strikes(self, kind: str, at_s: float, what: str = "") -> bool:
        """Whether it happens now; if so, it is on record."""
        strikes = self._dice[kind].random() < self.rate(kind)
        if strikes:
            self.struck.append((kind, at_s, what))
        return strikes

    def pick(self, kind: str) -> random.Random:
        """Dice for what else has to be drawn about a failure of a kind."""
        return self._dice[kind]


@contextmanager
def soaped(arm: Arm, struck: bool, after_s: float = 0.0) -> Iterator[None]:
    """The fingers get wet with soap after a while, if that strikes, and are dry in the end."""
    soaping = asyncio.get_running_loop().call_later(after_s, arm.soap, struck)
    try:
        yield
    finally:
        soaping.cancel()
        arm.soap(False)


class SimPicker(SimService):
    """`happen` lets the world bring about what is not the robot's own doing; `palm` is the wrist camera's view."""

    name: ClassVar[str] = "sim-picker"
    kind: ClassVar[str] = "warehouse"

    def __init__(
        self, *, mishaps: Mishaps, palm: Callable[[], Scene], happen: Callable[[str], None], **parts: Any
    ) -> None:
        super().__init__(**parts)
        self.mishaps, self._palm, self._happen = mishaps, palm, happen
        self._took = ""
        self.delivered: set[str] = set()

    def lidar(self) -> tuple[list[float], list[float], float]:
        """One sweep for the map of a memory: bearings from the heading (rad), ranges (m), and the reach (m)."""
        turns, ranges_m = self._base.scan()
        heading = self._base.pose.yaw_rad
        bearings = [wrap(turn - heading) for turn in turns.tolist()]
        return bearings, ranges_m.tolist(), self._base.lidar_reach_m

    def in_hand(self) -> str:
        """What the wrist camera takes the thing between the fingers for; empty where it recognises nothing there."""
        if not self.holding:
            return ""
        fingers = Pose(*self._arm.fingers)
        near = [(t.pose.distance_m(fingers), t.label) for t in self._palm() if t.pose and (t.distance_m or 9.0) < 0.25]
        return min(near)[1] if near and min(near)[0] < 0.20 else ""

    def state(self) -> RobotState:
        return replace(super().state(), holding=(self._took or THING) if self.holding else "")

    def _summary(self) -> str:
        pose = self._base.pose
        near = min(self.knowledge["places"], key=lambda p: math.dist(p["stand"][:2], pose.xy))
        at = math.dist(near["stand"][:2], pose.xy) < AT_M
        where = f"at the {near['name']}" if at else f"at x {pose.x_m:.1f}, y {pose.y_m:.1f}"
        hand = f"the hand holds the {self._took or THING}" if self.holding else "the hand is empty"
        return f"{'standing' if self._base.still else 'driving'} {where}, {hand}"

    async def drive_to(
        self, x_m: float, y_m: float, yaw_rad: float | None = None, *, near_m: float = 0.0, what: str = "there"
    ) -> None:
        here, now_s = self.state().pose, asyncio.get_running_loop().time()
        far_m = math.hypot(x_m - here.x_m, y_m - here.y_m)
        if far_m < WARY_M:
            await super().drive_to(x_m, y_m, yaw_rad, near_m=near_m, what=what)
            return
        for kind in ("moved", "blocked_way"):
            if self.mishaps.strikes(kind, now_s):
                self._happen(kind)
        if self.mishaps.strikes("navigation", now_s, what):
            await super().drive_to((x_m + here.x_m) / 2, (y_m + here.y_m) / 2, near_m=1.5, what=what)
            raise SkillFailed(f"lost its way {what}: the map and the lidar did not agree for a moment; try again", LOST)
        falls = self.holding and self.mishaps.strikes("drop", now_s)
        with soaped(self._arm, falls, 0.6 * far_m / self._base.most_mps):
            await super().drive_to(*self._astray(x_m, y_m, yaw_rad, now_s), near_m=near_m, what=what)

    def _astray(self, x_m: float, y_m: float, yaw_rad: float | None, now_s: float) -> tuple[float, float, float | None]:
        """Where the base really goes: to the far side of the furniture it should stand before, now and then."""
        places = [p for p in self.knowledge["places"] if "at" in p]
        before = next((p for p in places if math.dist(p["stand"][:2], (x_m, y_m)) < 0.05), None)
        if before is None or not self.mishaps.strikes("wrong_side", now_s, before["name"]):
            return x_m, y_m, yaw_rad
        at, stand = before["at"], before["stand"]
        far = 2 * at[0] - stand[0], 2 * at[1] - stand[1]
        if not self.free(*far) or self.way_m(*far) is None:
            self.mishaps.struck.pop()
            return x_m, y_m, yaw_rad
        return *far, stand[2] + math.pi

    async def grasp_at(self, x_m: float, y_m: float, z_m: float) -> None:
        now_s = asyncio.get_running_loop().time()
        slips = self.mishaps.strikes("slip", now_s)
        beside = self._beside(x_m, y_m)
        if not slips and beside and self.mishaps.strikes("wrong_object", now_s):
            x_m, y_m, z_m = beside
        with soaped(self._arm, slips):
            await super().grasp_at(x_m, y_m, z_m)
        self._took = self.in_hand()

    def _beside(self, x_m: float, y_m: float) -> tuple[float, float, float] | None:
        """The middle of the nearest other thing."""
        middles = [t.middle for t in self._things.all.values() if not t.holder]
        near = [(far, m.x_m, m.y_m, m.z_m) for m in middles if 0.05 < (far := m.level_m(Pose(x_m, y_m))) < BESIDE_M]
        return min(near)[1:] if near else None

    async def release_at(self, x_m: float, y_m: float, z_m: float) -> None:
        if self.mishaps.strikes("blocked_place", asyncio.get_running_loop().time()):
            raise SkillFailed("something was pushed onto that spot; look again and take another one", SPOT_TAKEN)
        held = self._things.held_by(ROBOT)
        await super().release_at(x_m, y_m, z_m)
        self.delivered |= {thing.id for thing in held}
