"""A client of Nav2's action NavigateToPose, by which a base finds its way around what its own sensors see.

An action of ROS 2 is three services and two topics; the services are enough. Nav2 says its speeds on `sayso/cmd_vel`
instead of the wheels' own topic, and nothing reaches the wheels that the adapter does not say again: no word of Nav2's
is needed to stop, and none is believed about where it is.
"""

import math
import uuid
from collections.abc import Callable
from functools import partial
from typing import Self

from sayso.errors import SkillFailed
from sayso.robots.base.ros import messages as msg
from sayso.robots.base.ros.node import Node
from sayso.scene import Pose

ACTION, SPEEDS = "navigate_to_pose/_action", "sayso/cmd_vel"
ANSWERS_S = 5.0
"""A server that has said nothing for so long does not take the goal."""

FRESH_S = 0.3
"""How long what it said about speeds holds."""

REACHED, GIVEN_UP = 4, 5


class Navigation:
    """The client of one server, for one goal after the other. `now_s` is the loop's time, from any thread."""

    def __init__(self, node: Node, result: str, speeds: str, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._send = node.asks(f"{ACTION}/send_goal", msg.SEND_GOAL, msg.Taken)
        self._cancel = node.asks(f"{ACTION}/cancel_goal", msg.CANCEL_GOAL, msg.Left)
        [kind] = [kind for kind in msg.GET_RESULTS if kind.key == result]
        self._result = node.asks(f"{ACTION}/get_result", kind, msg.Ended)
        node.hears_speeds(SPEEDS, msg.TWISTS[speeds], self._hear)
        self._goal: msg.GoalId = ()
        self._taken: bool | None = None
        self._ended: msg.Ended | None = None
        self._asked_s = self._heard_s = -math.inf
        self._speeds = (0.0, 0.0)

    @classmethod
    async def found(cls, node: Node, now_s: Callable[[], float]) -> tuple[Self | None, str]:
        """The one in the robot's namespace, and how it is; nothing where there is none, nor anything to say."""
        if not await node.kinds("SS", f"{ACTION}/send_goal"):
            return None, ""
        results = {kind.key for kind in msg.GET_RESULTS} & await node.kinds("SS", f"{ACTION}/get_result")
        if not results or msg.SEND_GOAL.key not in await node.kinds("SS", f"{ACTION}/send_goal"):
            return None, "Nav2 is there in a version that is not known, and not used"
        speeds = msg.TWISTS.keys() & await node.kinds("MP", SPEEDS)
        if not speeds:
            return None, f"Nav2 is there and not used, since it says its speeds past sayso, not on {SPEEDS}"
        return cls(node, min(results), min(speeds), now_s), "Nav2 finds the way to points"

    def go(self, frame: str, there: Pose) -> None:
        """To a pose in a frame of the robot's."""
        self._goal, self._taken, self._ended = tuple(uuid.uuid4().bytes), None, None
        self._asked_s, self._speeds = self._now_s(), (0.0, 0.0)
        turn = msg.Quaternion(z=math.sin(there.yaw_rad / 2), w=math.cos(there.yaw_rad / 2))
        spot = msg.SpotStamped(msg.Header(frame_id=frame), msg.Spot(msg.Vector3(*there.xy), turn))
        self._send(msg.SendGoal(self._goal, spot), partial(self._take, self._goal))

    def leave(self) -> None:
        """Give the goal up, from any thread; to be said again until it is."""
        if goal := self._goal:
            self._cancel(msg.GoalInfo(goal), lambda left: self._forget(goal))

    def speeds(self) -> tuple[float, float]:
        """How fast it would go now, m/s and rad/s."""
        return self._speeds if self._now_s() - self._heard_s < FRESH_S else (0.0, 0.0)

    def says_there(self) -> bool:
        """Whether it says that it is there. Raises `SkillFailed` where it will not be."""
        if self._taken is None and self._now_s() - self._asked_s > ANSWERS_S:
            raise SkillFailed("Nav2 does not answer", "no answer")
        if self._taken is False:
            raise SkillFailed("Nav2 does not take this goal", "not taken")
        if self._ended and self._ended.status == GIVEN_UP:
            raise SkillFailed("somebody else told Nav2 to give its goal up", "given up")
        if self._ended and self._ended.status != REACHED:
            raise SkillFailed(f"Nav2 finds no way there ({self._ended.error_code})", "no way")
        return self._ended is not None

    def _take(self, goal: msg.GoalId, told: msg.Taken) -> None:
        if goal == self._goal:
            self._taken = told.accepted
            if told.accepted:
                self._result(msg.GetResult(goal), partial(self._end, goal))
        elif told.accepted:  # too late
            self._cancel(msg.GoalInfo(goal), lambda left: None)

    def _end(self, goal: msg.GoalId, told: msg.Ended) -> None:
        if goal == self._goal:
            self._ended = told
        self._forget(goal)

    def _forget(self, goal: msg.GoalId) -> None:
        if goal == self._goal:
            self._goal = ()

    def _hear(self, twist: msg.Twist) -> None:
        speeds = twist.linear.x, twist.angular.z
        if all(map(math.isfinite, speeds)):
            self._speeds, self._heard_s = speeds, self._now_s()
