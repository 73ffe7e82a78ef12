"""The rover: where it is, what it grips, and what can be asked of it. It drives in a plane; nothing slips or tips."""

from __future__ import annotations

import asyncio
import math
from typing import Annotated

from sayso.errors import SkillFailed
from sayso.limits import Limits, Zone
from sayso.roles import Robot, RobotState
from sayso.scene import Pose
from sayso.skill import Range, skill

SPEED_MPS, TURN_RADPS = 0.5, 1.5
REACH_M = 0.35


class Rover(Robot):
    """Two wheels and a gripper. `blocks` are the poses of what can be gripped, by label."""

    name = "rover"
    kind = "rover"
    limits = Limits(zone=Zone(-3.0, 3.0, -3.0, 3.0), speed_max_mps=1.0, mission_max_s=120)

    def __init__(self, blocks: dict[str, Pose]) -> None:
        self.blocks, self.pose = blocks, Pose()
        self.held = ""
        self.forward_mps = self.turning_radps = 0.0

    def step(self, seconds: float) -> None:
        """Let time pass."""
        turned = self.pose.yaw_rad + self.turning_radps * seconds
        self.pose = Pose(self.pose.x_m, self.pose.y_m, 0.0, turned).moved(forward_m=self.forward_mps * seconds)
        if self.held:
            self.blocks[self.held] = self.pose.moved(forward_m=0.2)

    def state(self) -> RobotState:
        moves = self.forward_mps != 0 or self.turning_radps != 0
        says = f"holding the {self.held}" if self.held else "empty gripper"
        return RobotState(self.pose, speed_mps=abs(self.forward_mps), resting=not moves, summary=says)

    async def halt(self) -> None:
        self.forward_mps = self.turning_radps = 0.0

    @skill(uses="base", short="fw", path=lambda pose, distance_cm: [pose.moved(forward_m=distance_cm / 100)])
    async def forward(self, distance_cm: Annotated[float, Range(5, 300)]) -> None:
        """Drive straight ahead."""
        await self._drive(distance_cm / 100)

    @skill(uses="base", short="bk", path=lambda pose, distance_cm: [pose.moved(forward_m=-distance_cm / 100)])
    async def back(self, distance_cm: Annotated[float, Range(5, 100)]) -> None:
        """Drive straight back."""
        await self._drive(-distance_cm / 100)

    @skill(uses="base", short="tl")
    async def turn_left(self, angle_deg: Annotated[float, Range(-180, 180)]) -> None:
        """Turn on the spot; a negative angle turns right."""
        self.turning_radps = math.copysign(TURN_RADPS, angle_deg)
        await asyncio.sleep(math.radians(abs(angle_deg)) / TURN_RADPS)
        await self.halt()

    @skill(uses="gripper", short="gr")
    async def grip(self) -> str:
        """Close the gripper; tells what it holds."""
        tip = self.pose.moved(forward_m=0.2)
        near = min(self.blocks, key=lambda name: self.blocks[name].distance_m(tip))
        if self.held or self.blocks[near].distance_m(tip) > REACH_M:
            raise SkillFailed("nothing lies between the fingers" if not self.held else f"it holds the {self.held}")
        self.held = near
        return near

    @skill(uses="gripper", short="le")
    async def let_go(self) -> None:
        """Open the gripper."""
        if not self.held:
            raise SkillFailed("the gripper is empty")
        self.held = ""

    async def _drive(self, distance_m: float) -> None:
        self.forward_mps = math.copysign(SPEED_MPS, distance_m)
        await asyncio.sleep(abs(distance_m) / SPEED_MPS)
        await self.halt()
