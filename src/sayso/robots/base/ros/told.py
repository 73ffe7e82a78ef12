"""What a base tells of itself by its odometry and its battery, and how far that can be believed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from sayso.robots.base.ros.messages import BatteryState, Odometry, Quaternion, Time
from sayso.scene import Pose

MOVING_MPS, MOVING_RADPS = 0.02, 0.04
JUMP_M, JUMP_MPS = 0.3, 2.0
"""Between two messages it cannot have moved by more; then its odometry has jumped, and the zone with it."""

LEAST_S = 0.02
"""Messages that are nearer than that tell no speed by how far they are apart."""


@dataclass(slots=True)
class Told:
    """The latest of it. `pose` is in the frame of its odometry; times are the loop's. `charge` is a fraction of full,
    -1 where nobody tells; `jumped_m` is how far its odometry has jumped."""

    pose: Pose = Pose()
    speed_mps: float = 0.0
    turn_radps: float = 0.0
    lean_rad: float = 0.0
    charge: float = -1.0
    jumped_m: float = 0.0
    heard_s: float = -math.inf
    moved_s: float = -math.inf
    turned_rad: float = 0.0
    """How far it has turned since it was first heard, full turns included."""

    gone_m: float = 0.0
    """How far along its nose it has gone since then, less how far back."""

    frame: str = ""
    base: str = ""
    """In which frame its odometry is, and what is there."""

    _stamp: Time | None = field(default=None)

    def hear(self, odometry: Odometry, now_s: float) -> None:
        """The next message. One that tells the same moment again is no news, and one that is no number none at all."""
        at, turn = odometry.pose.pose.position, odometry.pose.pose.orientation
        twist = odometry.twist.twist
        numbers = (at.x, at.y, turn.x, turn.y, turn.z, turn.w, twist.linear.x, twist.linear.y, twist.angular.z)
        if odometry.header.stamp == self._stamp or not all(map(math.isfinite, numbers)):
            return
        last, gap_s, first = self.pose, _apart_s(self._stamp, odometry.header.stamp), self._stamp is None
        self._stamp, self.heard_s = odometry.header.stamp, now_s
        self.pose, self.lean_rad = Pose(at.x, at.y, 0.0, _yaw_rad(turn)), _lean_rad(turn)
        self.frame, self.base = odometry.header.frame_id, odometry.child_frame_id
        way = Pose() if first else self.pose.seen_from(last)
        way_m, way_rad = math.hypot(way.x_m, way.y_m), way.yaw_rad
        if way_m > JUMP_M + JUMP_MPS * gap_s:
            self.jumped_m += way_m
        self.turned_rad += way_rad
        self.gone_m += way.x_m
        self.speed_mps = max(math.hypot(twist.linear.x, twist.linear.y), way_m / max(gap_s, LEAST_S))
        self.turn_radps = max(abs(twist.angular.z), abs(way_rad) / max(gap_s, LEAST_S))
        if self.speed_mps > MOVING_MPS or self.turn_radps > MOVING_RADPS:
            self.moved_s = now_s

    def hear_battery(self, battery: BatteryState) -> None:
        """Some drivers tell per cent; what nobody measures is not told."""
        full = battery.percentage / 100 if battery.percentage > 1.0 else battery.percentage
        if math.isfinite(full):
            self.charge = min(1.0, max(0.0, full))


def _apart_s(one: Time | None, other: Time) -> float:
    """By the robot's clock; 0 where that went back."""
    return max(0.0, other.sec - one.sec + 1e-9 * (other.nanosec - one.nanosec)) if one else 0.0


def _yaw_rad(q: Quaternion) -> float:
    return math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))


def _lean_rad(q: Quaternion) -> float:
    """How far its axis is from upright."""
    return math.acos(max(-1.0, min(1.0, 1 - 2 * (q.x * q.x + q.y * q.y))))
