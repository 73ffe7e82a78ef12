"""A robot of somebody's own, written from docs/own-robot.md alone: a camera on a mast that pans and tilts."""

from __future__ import annotations

import asyncio
import math
from typing import Annotated

from sayso import Limits, Pose, Range, Robot, RobotState, skill


class Mast(Robot):
    """It stands where it stands; its head turns round, nods and zooms."""

    name = "mast"
    limits = Limits(mission_max_s=300)

    def __init__(self, gusts: float = 4.0) -> None:
        self.pose, self.tilt, self.zoom, self.shots, self.gusts = Pose(0.0, 0.0, 3.0), 0.0, 1.0, 0, gusts

    def state(self) -> RobotState:
        return RobotState(self.pose, summary=f"zoomed to {self.zoom:g}")

    async def halt(self) -> None:
        """The head holds as soon as nothing turns it."""

    @skill(uses="head", path=lambda pose, angle_deg: [pose.moved(turn_rad=math.radians(angle_deg))])
    async def pan(self, angle_deg: Annotated[float, Range(-180, 180)]) -> None:
        """Pan the head to the left; less than nothing is to the right."""
        await asyncio.sleep(abs(angle_deg) / 45)
        self.pose = self.pose.moved(turn_rad=math.radians(angle_deg))

    @skill(uses="neck", means="measured(tilt, at least, {angle_deg} deg)")
    async def tilt_to(self, angle_deg: Annotated[float, Range(0, 90)]) -> None:
        """Tilt the head up."""
        await asyncio.sleep(1)
        self.tilt = angle_deg

    @skill()
    async def tilt_deg(self) -> float:
        """How far is the head tilted."""
        return self.tilt

    @skill(uses="lens")
    async def zoom_to(self, times: Annotated[float, Range(1, 20)] = 1.0) -> None:
        """Zoom in."""
        self.zoom = times

    @skill(uses="shutter")
    async def shoot(self) -> None:
        """Shoot a frame."""
        self.shots += 1
        self.gusts -= 1

    @skill()
    async def wind_m_per_s(self) -> float:
        """How strong is the wind."""
        return self.gusts

    @skill()
    async def dome_open(self) -> bool:
        """Whether the dome is open."""
        return True
