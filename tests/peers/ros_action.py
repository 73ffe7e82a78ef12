"""Runs in the peers' Python: what rosbags computes for the hashes of an action's services, which rosidl makes of its
goal and its result. That they are made so is told by two hashes that others know as well.

python ros_action.py
"""

from __future__ import annotations

import json
from typing import Any

from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_typestore

STORE = get_typestore(Stores.ROS2_JAZZY)
EVENT = "service_msgs/msg/ServiceEventInfo"


def number(kind: str) -> Any:
    return Nodetype.BASE, (kind, 0)


def named(kind: str) -> Any:
    return Nodetype.NAME, kind


def several(kind: Any, most: int = 0) -> Any:
    return Nodetype.SEQUENCE, (kind, most)


def service(name: str, request: list[Any], response: list[Any]) -> str:
    asks, answers, event = (f"{name}_{part}" for part in ("Request", "Response", "Event"))
    info = [("info", named(EVENT)), ("request", several(named(asks), 1)), ("response", several(named(answers), 1))]
    parts = [("request_message", named(asks)), ("response_message", named(answers)), ("event_message", named(event))]
    STORE.fielddefs.update({asks: ([], request), answers: ([], response), event: ([], info), name: ([], parts)})
    return STORE.hash_rihs01(name)


def action(name: str, goal: list[Any], result: list[Any]) -> dict[str, str]:
    STORE.fielddefs.update({f"{name}_Goal": ([], goal), f"{name}_Result": ([], result)})
    goal_id, stamp = ("goal_id", named("unique_identifier_msgs/msg/UUID")), named("builtin_interfaces/msg/Time")
    sends = service(
        f"{name}_SendGoal", [goal_id, ("goal", named(f"{name}_Goal"))], [("accepted", number("bool")), ("stamp", stamp)]
    )
    ends = [("status", number("int8")), ("result", named(f"{name}_Result"))]
    return {f"{name}_SendGoal": sends, f"{name}_GetResult": service(f"{name}_GetResult", [goal_id], ends)}


constants, fields = STORE.fielddefs[EVENT]
a_byte = (Nodetype.ARRAY, (number("uint8"), 16))  # what is called char there
STORE.fielddefs[EVENT] = (constants, [(n, a_byte if n == "client_gid" else kind) for n, kind in fields])

INFO = "action_msgs/msg/GoalInfo"
GOAL = [("pose", named("geometry_msgs/msg/PoseStamped")), ("behavior_tree", number("string"))]
CODE, WORDS = ("error_code", number("uint16")), ("error_msg", number("string"))
JAZZY = action("nav2_msgs/action/NavigateToPose", GOAL, [CODE])
HASHES = {
    **action("nav2_msgs/action/NavigateToPose", GOAL, [CODE, WORDS]),
    "action_msgs/srv/CancelGoal": service(
        "action_msgs/srv/CancelGoal",
        [("goal_info", named(INFO))],
        [("return_code", number("int8")), ("goals_canceling", several(named(INFO)))],
    ),
}
SEEN = {
    **action("action_tutorials_interfaces/action/Fibonacci", [("order", number("int32"))],
             [("sequence", several(number("int32")))]),
    "std_srvs/srv/Trigger": service(
        "std_srvs/srv/Trigger",
        [("structure_needs_at_least_one_member", number("uint8"))],
        [("success", number("bool")), ("message", number("string"))],
    ),
}  # fmt: skip

if __name__ == "__main__":
    print(json.dumps({"jazzy": JAZZY, "words": HASHES, "seen": SEEN}), flush=True)
