"""Runs in the peers' Python: zenoh-ros2-sdk is a node of ROS 2, with rosbags' types and hashes. It prints what it saw.

python ros_peer.py PORT drive     drives the base whose router listens there
python ros_peer.py PORT base      is a base there, until it is told to end; it calls /sayso/stop once it has come half a
                                  metre for the second time
python ros_peer.py PORT navigate  is such a base with an action server, which leads it to the goals that it is sent
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
from ros_action import HASHES
from rosbags.typesys import Stores, get_typestore
from zenoh_ros2_sdk import ROS2Publisher, ROS2ServiceClient, ROS2ServiceServer, ROS2Subscriber
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


class Navigator:
    """An action server as rcl lays it out, on the SDK's services and publisher: one goal at a time, by a detour."""

    def __init__(self, there: dict[str, Any]) -> None:
        goal = "unique_identifier_msgs/UUID goal_id\n"
        pose, _ = STORE.generate_msgdef("geometry_msgs/msg/PoseStamped", ros_version=2)
        uuid, _ = STORE.generate_msgdef("unique_identifier_msgs/msg/UUID", ros_version=2)
        info, _ = STORE.generate_msgdef("action_msgs/msg/GoalInfo", ros_version=2)
        nest = "=" * 80 + "\nMSG: {}\n{}"
        needs = nest.format("unique_identifier_msgs/UUID", uuid) + nest.format("geometry_msgs/PoseStamped", pose)
        infos = nest.format("action_msgs/GoalInfo", info)
        action = "nav2_msgs/action/NavigateToPose"
        stamp = nest.format("builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n")

        def serve(what: str, kind: str, request: str, response: str, **how: Any) -> ROS2ServiceServer:
            return ROS2ServiceServer(
                f"/navigate_to_pose/_action/{what}", kind, request_definition=request, response_definition=response,
                type_hash=HASHES[kind], **how, **there,
            )  # fmt: skip

        sent = f"{goal}geometry_msgs/PoseStamped pose\nstring behavior_tree\n{needs}"
        accepted = f"bool accepted\nbuiltin_interfaces/Time stamp\n{stamp}"
        self._send = serve("send_goal", f"{action}_SendGoal", sent, accepted, callback=self.take)
        cancels = f"int8 return_code\naction_msgs/GoalInfo[] goals_canceling\n{infos}"
        self._cancel = serve(
            "cancel_goal", "action_msgs/srv/CancelGoal", f"action_msgs/GoalInfo goal_info\n{infos}", cancels,
            callback=self.cancel,
        )  # fmt: skip
        self._result = serve(
            "get_result", f"{action}_GetResult", f"{goal}{needs}", "int8 status\nuint16 error_code\nstring error_msg\n",
            mode="queue",
        )  # fmt: skip
        self._speeds = ROS2Publisher("/sayso/cmd_vel", **told("geometry_msgs/msg/Twist"), **there)
        self.way: list[tuple[float, float]] = []
        self.at = (0.0, 0.0)
        self.status, self.goals, self.cancelled = 0, list[list[float]](), list[bool]()
        self._id: bytes = b""

    def take(self, asked: Any) -> Any:
        at = asked.pose.pose.position
        self.goals.append([round(at.x, 2), round(at.y, 2), asked.pose.header.frame_id])
        (x, y), self._id, self.status = self.at, bytes(asked.goal_id.uuid), 0
        aside = (0.4 * (y - at.y), 0.4 * (at.x - x))  # a third to the left of the straight way
        self.way = [((x + at.x) / 2 + aside[0], (y + at.y) / 2 + aside[1]), (at.x, at.y)]
        stamp = kind("builtin_interfaces/msg/Time")(sec=0, nanosec=0)
        return self._send.response_msg_class(accepted=True, stamp=stamp)

    def cancel(self, asked: Any) -> Any:
        self.cancelled.append(bytes(asked.goal_info.goal_id.uuid) == self._id)
        self.way, self.status = [], self.status or 5
        return self._cancel.response_msg_class(return_code=0, goals_canceling=[asked.goal_info])

    def step(self, x: float, y: float, about: float) -> None:
        self.at = (x, y)
        if self.way and math.dist(self.at, self.way[0]) < 0.1:
            self.way.pop(0)
            if not self.way:
                self.status = 4
                self._speeds.publish(**twist(0.0, 0.0))
        if self.way:
            aside = math.remainder(math.atan2(self.way[0][1] - y, self.way[0][0] - x) - about, 2 * math.pi)
            self._speeds.publish(**twist(0.5 if abs(aside) < 0.4 else 0.0, max(-1.0, min(1.0, 1.5 * aside))))
        if self.status:
            try:
                key, _ = self._result.take_request(timeout=0.0)
            except TimeoutError:
                return
            self._result.send_response(
                key, self._result.response_msg_class(status=self.status, error_code=0, error_msg="")
            )


def base(port: int, navigates: bool = False) -> dict[str, Any]:
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
    navigator = Navigator(there) if navigates else None
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
        if navigator and number % 3 == 0:
            navigator.step(x, y, about)
        if number % 25 == 1:
            numbers = dict.fromkeys(("temperature", "current", "charge", "capacity", "design_capacity"), math.nan)
            kinds = {f"power_supply_{what}": 0 for what in ("status", "health", "technology")}
            none = numpy.zeros(0, dtype="float32")
            battery.publish(
                header=header, voltage=12.1, **numbers, percentage=0.8, present=True, cell_voltage=none,
                cell_temperature=none, location="", serial_number="", **kinds,
            )  # fmt: skip
        if driven > 1.5 and not calling and not navigator:
            calling = True
            threading.Thread(target=lambda: answers.append(client.call()), daemon=True).start()
    answered = [[bool(a.success), str(a.message)] for a in answers if a]
    led = {"goals": navigator.goals, "cancelled": navigator.cancelled} if navigator else {}
    return {"heard": len(heard), "driven": round(driven, 2), "fastest": round(fastest, 2), "answered": answered, **led}


def main(port: int, what: str) -> None:
    seen = {"drive": drive, "base": base, "navigate": lambda port: base(port, True)}[what](port)
    seen["versions"] = {name: version(name) for name in ("zenoh-ros2-sdk", "rosbags", "eclipse-zenoh")}
    print(json.dumps(seen), flush=True)
    os._exit(0)  # zenoh's threads would go on


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
