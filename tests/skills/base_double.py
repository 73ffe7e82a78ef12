"""A test double of a service robot's base: it is where it was sent, at once, where that is free."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sayso.errors import SkillFailed
from sayso.limits import Limits
from sayso.roles import RobotState
from sayso.scene import Pose, Scene, Thing

Free = Callable[[float, float], bool]

TABLE_OF_NAMES: dict[str, Any] = {
    "places": [], "outside": [], "rooms": [], "categories": [], "answers": [], "doors": [],
    "objects": [{"name": "apple", "category": "fruit", "aliases": []}], "people": {"male": [], "female": []},
}  # fmt: skip


class Base:
    """Has no hand and no voice. `shut` are points that it cannot get to though they look free."""

    limits, holding = Limits(), False
    knowledge: Mapping[str, Any] = TABLE_OF_NAMES

    def __init__(self, at: Pose, free: Free = lambda x, y: True, known: Free = lambda x, y: True) -> None:
        self.pose, self.free, self._known, self.driven, self.shut = at, free, known, list[tuple[float, float]](), 0

    def state(self) -> RobotState:
        return RobotState(self.pose)

    def way_m(self, x_m: float, y_m: float, near_m: float = 0.0) -> float | None:
        return self.pose.distance_m(Pose(x_m, y_m)) if self._known(x_m, y_m) else None

    async def drive_to(
        self, x_m: float, y_m: float, yaw_rad: float | None = None, *, near_m: float = 0.0, what: str = "there"
    ) -> None:
        if self.shut:
            self.shut -= 1
            raise SkillFailed(f"the way {what} is blocked")
        self.driven.append((round(x_m, 2), round(y_m, 2)))
        self.pose = Pose(x_m, y_m, 0.0, self.pose.yaw_rad if yaw_rad is None else yaw_rad)

    async def turn_to(self, yaw_rad: float) -> None:
        self.pose = Pose(self.pose.x_m, self.pose.y_m, 0.0, yaw_rad)

    async def look(self, pan_rad: float, tilt_rad: float) -> None: ...


class Eyes:
    """Sees all that is further away than what the base itself hides."""

    def __init__(self, base: Base, *things: Thing, blind_m: float = 0.5) -> None:
        self._base, self._things, self._blind_m = base, things, blind_m

    async def look(self) -> Scene:
        here = self._base.pose
        return Scene(tuple(t for t in self._things if t.pose and here.distance_m(t.pose) > self._blind_m), here)
