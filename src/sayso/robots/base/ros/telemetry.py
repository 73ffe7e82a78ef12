"""The telemetry of a ROS 2 base: odometry and battery, and how far they can be believed."""

import math
from dataclasses import dataclass

from sayso.robots import real
from sayso.robots.base.ros import messages as msg
from sayso.scene import Pose

LEAST_S = 0.02
"""Messages that are nearer than that tell no speed by how far they are apart."""


@dataclass(slots=True)
class Told(real.Telemetry):
    """The latest telemetry of a base."""

    moving, jump = (0.02, 0.04), (0.3, 2.0)

    turned_rad: float = 0.0
    """How far it has turned since it was first heard, full turns included."""

    gone_m: float = 0.0
    """How far along its nose it has gone since then, less how far back."""

    frame: str = ""
    base: str = ""
    """In which frame its odometry is, and what is there."""

    _stamp: msg.Time | None = None

    def hear(self, odometry: msg.Odometry, now_s: float) -> None:
        """The next message. One that tells the same moment again is no news, and one that is no number none at all."""
        at, turn = odometry.pose.pose.position, odometry.pose.pose.orientation
        twist = odometry.twist.twist
        numbers = (at.x, at.y, turn.x, turn.y, turn.z, turn.w, twist.linear.x, twist.linear.y, twist.angular.z)
        if odometry.header.stamp == self._stamp or not all(map(math.isfinite, numbers)):
            return
        pose, gap_s = Pose(at.x, at.y, 0.0, _yaw_rad(turn)), _apart_s(self._stamp, odometry.header.stamp)
        way = pose.seen_from(self.pose) if self._stamp else Pose()
        self._stamp, self.lean_rad = odometry.header.stamp, _lean_rad(turn)
        self.frame, self.base = odometry.header.frame_id, odometry.child_frame_id
        self.turned_rad += way.yaw_rad
        self.gone_m += way.x_m
        speed_mps, least_s = math.hypot(twist.linear.x, twist.linear.y), max(gap_s, LEAST_S)
        self.turn_radps = max(abs(twist.angular.z), abs(way.yaw_rad) / least_s)
        self.stood(pose, max(speed_mps, math.hypot(*way.xy) / least_s), gap_s, now_s)

    def hear_battery(self, battery: msg.BatteryState) -> None:
        """Some drivers tell per cent; what nobody measures is not told."""
        full = battery.percentage / 100 if battery.percentage > 1.0 else battery.percentage
        if math.isfinite(full):
            self.charge = min(1.0, max(0.0, full))


def _apart_s(one: msg.Time | None, other: msg.Time) -> float:
    """By the robot's clock; 0 where that went back, without end where it is the first."""
    return max(0.0, other.sec - one.sec + 1e-9 * (other.nanosec - one.nanosec)) if one else math.inf


def _yaw_rad(q: msg.Quaternion) -> float:
    return math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))


def _lean_rad(q: msg.Quaternion) -> float:
    """How far its axis is from upright."""
    return math.acos(max(-1.0, min(1.0, 1 - 2 * (q.x * q.x + q.y * q.y))))
