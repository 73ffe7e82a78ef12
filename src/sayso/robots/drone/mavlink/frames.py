"""Where MAVLink counts from, and where we do.

An autopilot's local frame is north, east, down, with headings clockwise from north, and its origin where it was
switched on. Ours is forward, left, up from where the machine stood when it was connected, with headings to the left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sayso.scene import Pose, wrap


@dataclass(frozen=True, slots=True)
class Ned:
    """Metres north, east and down, and a heading in rad, clockwise from north."""

    north_m: float = 0.0
    east_m: float = 0.0
    down_m: float = 0.0
    heading_rad: float = 0.0

    def ours(self, at: Ned) -> Pose:
        """What stands `at` there, in the frame whose origin and x axis are this place and heading."""
        c, s = math.cos(self.heading_rad), math.sin(self.heading_rad)
        north, east = at.north_m - self.north_m, at.east_m - self.east_m
        turned = wrap(self.heading_rad - at.heading_rad)
        return Pose(c * north + s * east, s * north - c * east, self.down_m - at.down_m, turned)

    def theirs(self, pose: Pose) -> Ned:
        """The way back."""
        c, s = math.cos(self.heading_rad), math.sin(self.heading_rad)
        return Ned(
            self.north_m + c * pose.x_m + s * pose.y_m,
            self.east_m + s * pose.x_m - c * pose.y_m,
            self.down_m - pose.z_m,
            wrap(self.heading_rad - pose.yaw_rad),
        )
