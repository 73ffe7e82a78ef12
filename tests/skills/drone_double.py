"""Doubles for the tests of the shared skills: a drone that moves exactly as asked, in a place of upright boxes.

No physics and no camera: a move takes its duration on the running loop's clock and arrives exactly; perception is
geometry with a frame of 70 by 56 degrees and no occlusion.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field

import numpy as np

from sayso.errors import SkillFailed
from sayso.limits import Limits, Zone
from sayso.roles import RobotState
from sayso.scene import Box, Pose, Scene, Thing

HALF_WIDTH_RAD = math.radians(35.1)
HALF_HEIGHT_RAD = math.radians(27.8)


@dataclass(frozen=True)
class Block:
    """An upright box in the way, in metres."""

    x_m: float
    y_m: float
    half_m: float
    top_m: float = 3.0

    def holds(self, x_m: float, y_m: float, z_m: float) -> bool:
        return abs(x_m - self.x_m) <= self.half_m and abs(y_m - self.y_m) <= self.half_m and z_m <= self.top_m


@dataclass
class DroneDouble:
    """A kinematic drone, said to be a double. `log` holds what it was asked to do."""

    pose: Pose = Pose()
    flying: bool = False
    blocks: list[Block] = field(default_factory=list)
    limits: Limits = Limits(zone=Zone(-20, 20, -20, 20), altitude_max_m=4.0)
    log: list[str] = field(default_factory=list)
    sees: bool = True
    photograph: None = None
    least_move_m: float = 0.0

    def state(self) -> RobotState:
        return RobotState(pose=self.pose)

    async def take_off(self) -> None:
        await asyncio.sleep(2)
        self.log.append("take_off")
        self.flying = True
        self.pose = self.pose.moved(up_m=1.0)

    async def land(self) -> None:
        await asyncio.sleep(2)
        self.log.append("land")
        self.flying = False
        self.pose = Pose(self.pose.x_m, self.pose.y_m, 0.0, self.pose.yaw_rad)

    async def move(self, forward_m: float, left_m: float, up_m: float) -> None:
        assert self.flying
        self.log.append(f"move {forward_m:.2f} {left_m:.2f} {up_m:.2f}")
        start = self.pose
        for part in np.linspace(0, 1, 50):
            there = start.moved(forward_m * part, left_m * part, up_m * part)
            if any(b.holds(there.x_m, there.y_m, there.z_m) for b in self.blocks):
                raise SkillFailed("something is in the way")
            self.pose = there
        await asyncio.sleep(math.hypot(forward_m, left_m, up_m))

    async def turn(self, angle_rad: float) -> None:
        assert self.flying
        self.log.append(f"turn {math.degrees(angle_rad):.0f}")
        await asyncio.sleep(abs(angle_rad))
        self.pose = self.pose.moved(turn_rad=angle_rad)

    def clearance_m(self, bearing_rad: float = 0.0) -> float:
        ray = self.pose.moved(turn_rad=bearing_rad)
        for ahead_m in np.arange(0, 10, 0.05):
            there = ray.moved(float(ahead_m))
            if any(b.holds(there.x_m, there.y_m, there.z_m) for b in self.blocks):
                return float(ahead_m)
        return math.inf

    def picture(self, width_px: int = 480, height_px: int = 360) -> np.ndarray | None:
        return np.zeros((height_px, width_px, 3), np.uint8) if self.sees else None


@dataclass
class EyesDouble:
    """A perception by geometry, said to be a double. `misses` looks in a row see nothing."""

    drone: DroneDouble
    things: dict[str, Pose]
    misses: int = 0
    with_pose: bool = True

    async def look(self) -> Scene:
        if self.misses:
            self.misses -= 1
            return Scene(observer=self.drone.pose)
        seen = [self._see(name, pose) for name, pose in self.things.items()]
        return Scene(tuple(t for t in seen if t), self.drone.pose)

    def _see(self, name: str, pose: Pose) -> Thing | None:
        here = self.drone.pose
        bearing_rad = here.bearing_rad(pose)
        ahead_m = math.hypot(pose.x_m - here.x_m, pose.y_m - here.y_m)
        elevation_rad = math.atan2(pose.z_m - here.z_m, ahead_m)
        if abs(bearing_rad) > HALF_WIDTH_RAD or abs(elevation_rad) > HALF_HEIGHT_RAD:
            return None
        x = 0.5 - 0.5 * math.tan(bearing_rad) / math.tan(HALF_WIDTH_RAD)
        y = 0.5 - 0.5 * math.tan(elevation_rad) / math.tan(HALF_HEIGHT_RAD)
        size = min(1.0, 0.4 / max(ahead_m, 0.1))
        distance_m = here.distance_m(pose)
        label = name.partition("#")[0]
        if not self.with_pose:
            return Thing(name, label, Box(x, y, size, size))
        return Thing(name, label, Box(x, y, size, size), distance_m, pose)
