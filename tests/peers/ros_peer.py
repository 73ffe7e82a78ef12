"""Runs in the peers' Python: zenoh-ros2-sdk is a node of ROS 2, with rosbags' types and hashes. It prints what it saw.

python ros_peer.py PORT drive     drives the base whose router listens there
python ros_peer.py PORT base      is a base there, until it is told to end; it calls /sayso/stop once it has come half a
                                  metre for the second time
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import time
from importlib.metadata import version
from typing import Any

import numpy
from rosbags.typesys import Stores, get_typestore
from zenoh_ros2_sdk import ROS2Publisher, ROS2ServiceClient, ROS2Subscriber
from zenoh_ros2_sdk.session import ZenohSession
from zenoh_ros2_sdk.utils import compute_service_type_hash

STORE = get_typestore(Stores.ROS2_JAZZY)
TIMEOUT_S = 0.4


def told(name: str) -> dict[str, Any]:
    """What the SDK needs to know of a type, so that it downloads nothing."""
    definition = STORE.generate_msgdef(name, ros_version=2)[0]
    return {"msg_type": name, "msg_definition": definition, "type_hash": STORE.hash_rihs01(name)}


def kind(name: str) -> Any:
    return ZenohSession.get_instance().store.types[name]


def twist(ahead: float, turn: float) -> dict[str, Any]:
    vector = kind("geometry_msgs/msg/Vector3")
    return {"linear": vector(x=ahead, y=0.0, z=0.0), "angular": vector(x=0.0, y=0.0, z=turn)}


def yaw(q: Any) -> float:
    return 2 * math.atan2(q.z, q.w)


def drive(port: int) -> dict[str, Any]:
    odometry: list[tuple[float, Any]] = []
    trees: list[Any] = []
    batteries: list[Any] = []
    there = {"router_port": port}
    ROS2Subscriber(
        "/odom", callback=lambda m: odometry.append((time.monotonic(), m)), **told("nav_msgs/msg/Odometry"), **there
    )
    ROS2Subscriber("/tf", callback=trees.append, **told("tf2_msgs/msg/TFMessage"), **there)
    ROS2Subscriber("/battery_state", callback=batteries.append, **told("sensor_msgs/msg/BatteryState"), **there)
    cmd = ROS2Publisher("/cmd_vel", **told("geometry_msgs/msg/Twist"), **there)
    while not (odometry and trees and batteries):
        time.sleep(0.05)

    def at() -> Any:
        return odometry[-1][1].pose.pose

    def lead(ahead: float, turn: float, seconds: float) -> list[float]:
        """How far ahead, aside and about it went until it stood again, and how fast it said to go."""
        start, until, fastest = at(), time.monotonic() + seconds, 0.0
        while time.monotonic() < until:
            cmd.publish(**twist(ahead, turn))
            fastest = max(fastest, odometry[-1][1].twist.twist.linear.x)
            time.sleep(0.05)
        time.sleep(1.5)  # nobody speaks: it stops by itself
        end, c, s = at(), math.cos(yaw(start.orientation)), math.sin(yaw(start.orientation))
        dx, dy = end.position.x - start.position.x, end.position.y - start.position.y
        turned = math.remainder(yaw(end.orientation) - yaw(start.orientation), 2 * math.pi)
        return [round(v, 2) for v in (c * dx + s * dy, c * dy - s * dx, turned, fastest)]

    seen: dict[str, Any] = {"ahead": lead(0.3, 0.0, 3.0), "left": lead(0.0, 0.5, 3.0), "back": lead(-0.2, 0.0, 2.0)}
    last = odometry[-1][1]
    [tree] = trees[-1].transforms
    seen["frames"] = [last.header.frame_id, last.child_frame_id, tree.header.frame_id, tree.child_frame_id]
    seen["charge"] = round(float(batteries[-1].percentage), 2)
    seen["rate_hz"] = round((len(odometry) - 1) / (odometry[-1][0] - odometry[0][0]))
    seen["standing"] = last.twist.twist.linear.x == 0.0 or abs(last.twist.twist.linear.x) < 0.01
    return seen


def base(port: int) -> dict[str, Any]:
    there = {"router_port": port}
    heard: list[tuple[float, float, float]] = []
    ROS2Subscriber(
        "/cmd_vel",
        callback=lambda m: heard.append((time.monotonic(), m.linear.x, m.angular.z)),
        **told("geometry_msgs/msg/Twist"),
        **there,
    )
    odom = ROS2Publisher("/odom", **told("nav_msgs/msg/Odometry"), **there)
    battery = ROS2Publisher("/battery_state", **told("sensor_msgs/msg/BatteryState"), **there)
    trigger = compute_service_type_hash(
        "std_srvs/srv/Trigger", "uint8 structure_needs_at_least_one_member", "bool success\nstring message"
    )
    client = ROS2ServiceClient(
        "/sayso/stop",
        "std_srvs/srv/Trigger",
        "",
        "bool success\nstring message",
        type_hash=trigger,
        timeout=3.0,
        **there,
    )
    x = y = 0.0
    about, driven, answers, ends = 0.5, 0.0, [], threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ends.set()), daemon=True).start()
    step, number, fastest, calling = 0.02, 0, 0.0, False
    while not ends.is_set():
        time.sleep(step)
        fresh = heard and time.monotonic() - heard[-1][0] < TIMEOUT_S
        ahead, turn = heard[-1][1:] if fresh else (0.0, 0.0)
        x, y = x + ahead * step * math.cos(about), y + ahead * step * math.sin(about)
        about, driven, fastest, number = (
            about + turn * step,
            driven + abs(ahead) * step,
            max(fastest, ahead),
            number + 1,
        )
        now = time.time()
        header = kind("std_msgs/msg/Header")(
            stamp=kind("builtin_interfaces/msg/Time")(sec=int(now), nanosec=int(1e9 * (now % 1))), frame_id="odom"
        )
        spot = kind("geometry_msgs/msg/Pose")(
            position=kind("geometry_msgs/msg/Point")(x=x, y=y, z=0.0),
            orientation=kind("geometry_msgs/msg/Quaternion")(
                x=0.0, y=0.0, z=math.sin(about / 2), w=math.cos(about / 2)
            ),
        )
        flat = numpy.zeros(36)
        odom.publish(
            header=header,
            child_frame_id="base_link",
            pose=kind("geometry_msgs/msg/PoseWithCovariance")(pose=spot, covariance=flat),
            twist=kind("geometry_msgs/msg/TwistWithCovariance")(
                twist=kind("geometry_msgs/msg/Twist")(**twist(ahead, turn)), covariance=flat
            ),
        )
        if number % 25 == 1:
            numbers = dict.fromkeys(("temperature", "current", "charge", "capacity", "design_capacity"), math.nan)
            kinds = {f"power_supply_{what}": 0 for what in ("status", "health", "technology")}
            none = numpy.zeros(0, dtype="float32")
            battery.publish(
                header=header, voltage=12.1, **numbers, percentage=0.8, present=True, cell_voltage=none,
                cell_temperature=none, location="", serial_number="", **kinds,
            )  # fmt: skip
        if driven > 1.5 and not calling:
            calling = True
            threading.Thread(target=lambda: answers.append(client.call()), daemon=True).start()
    answered = [[bool(a.success), str(a.message)] for a in answers if a]
    return {"heard": len(heard), "driven": round(driven, 2), "fastest": round(fastest, 2), "answered": answered}


def main(port: int, what: str) -> None:
    seen = {"drive": drive, "base": base}[what](port)
    seen["versions"] = {name: version(name) for name in ("zenoh-ros2-sdk", "rosbags", "eclipse-zenoh")}
    print(json.dumps(seen), flush=True)
    os._exit(0)  # zenoh's threads would go on


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
