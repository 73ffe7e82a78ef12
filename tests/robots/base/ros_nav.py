"""A test double of Nav2's action server, in the graph of a simulated base: it drives by the base's own odometry, and
may refuse, fail, fall silent and lie."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence

from sayso.robots.base.ros.cdr import read
from sayso.robots.base.ros.emulator import Emulator
from sayso.robots.base.ros.messages import (
    CANCEL_GOAL,
    GET_RESULTS,
    SEND_GOAL,
    Ended,
    GetResult,
    GoalId,
    GoalInfo,
    Left,
    SendGoal,
    Taken,
    Twist,
    Vector3,
)
from sayso.robots.base.ros.navigation import ACTION, SPEEDS
from sayso.robots.base.ros.node import Line, Node
from sayso.scene import Pose

TELLS_S, NEAR_M, SOON_S = 0.05, 0.15, 1.0
MPS = 0.5
"""Faster than our adapter lets it."""


MOODS = {
    "refuses": "takes no goal",
    "silent": "answers nothing, and does nothing",
    "late": "takes a goal only when it is told to (`take`)",
    "in vain": "gives up after a second, and tells why by a number",
    "cancelled": "says after a second that somebody cancelled it",
    "liar": "says after a second that it is there",
    "mute": "drives, and never says that it is there",
    "deaf": "drives on when its goal is given up",
    "idle": "takes a goal, and drives nowhere",
    "spinning": "turns for ever",
}


class Nav2:
    """`via` are points on its way, in the frame of the odometry; `mood`, of `MOODS`, is what is wrong with it."""

    def __init__(self, face: Emulator, mood: str = "", via: Sequence[Pose] = (), speeds: str = SPEEDS) -> None:
        self.face, self.mood, self.via, self._on = face, mood, via, speeds
        self.goals: list[SendGoal] = []
        self.left: list[GoalId] = []
        self._ways: list[Pose] = []
        self._began_s = math.inf
        self._asked: Callable[[object], None] = lambda answer: None
        self._result: Ended | None = None
        self._drives: asyncio.Task[None] | None = None

    def open(self, line: Line) -> None:
        node = Node(line, self.face.graph, "bt_navigator")
        node.serve(f"{ACTION}/send_goal", SEND_GOAL, lambda asked, say: self._send(read(SendGoal, asked), say))
        node.serve(f"{ACTION}/cancel_goal", CANCEL_GOAL, lambda asked, say: self._leave(read(GoalInfo, asked), say))
        node.serve(f"{ACTION}/get_result", GET_RESULTS[0], lambda asked, say: self._tell(read(GetResult, asked), say))
        self._line, self._say = line, node.publishes(self._on, Twist)
        self._drives = asyncio.ensure_future(self._drive())

    def close(self) -> None:
        if self._drives:
            self._drives.cancel()
            self._line.close()

    def _send(self, goal: SendGoal, say: Callable[[object], None]) -> None:
        self.goals.append(goal)
        self._accept = say
        if self.mood == "refuses":
            say(Taken(False))
        elif self.mood not in ("silent", "late"):
            self.take()

    def take(self) -> None:
        at = self.goals[-1].pose.pose.position
        self._ways, self._result = [*self.via, Pose(at.x, at.y)], None
        self._began_s, self._asked = asyncio.get_running_loop().time(), lambda answer: None
        self._accept(Taken(True))

    def _leave(self, goal: GoalInfo, say: Callable[[object], None]) -> None:
        self.left.append(goal.goal_id)
        if self.mood != "deaf" and self._ways:
            self._end(Ended(5))
        say(Left(0, (goal,)))

    def _tell(self, asked: GetResult, say: Callable[[object], None]) -> None:
        self._asked = say
        if self._result:
            say(self._result)

    def _end(self, result: Ended) -> None:
        self._ways, self._result = [], result
        self._say(Twist())
        if self.mood != "mute":
            self._asked(result)

    async def _drive(self) -> None:
        soon = {"in vain": Ended(6, 9003), "liar": Ended(4), "cancelled": Ended(5)}
        while True:
            await asyncio.sleep(TELLS_S)
            if self._ways and self.mood in soon and asyncio.get_running_loop().time() > self._began_s + SOON_S:
                self._end(soon[self.mood])
            elif self._ways and self.mood == "spinning":
                self._say(Twist(angular=Vector3(z=1.0)))
            elif self._ways and self.mood != "idle":
                self._step()

    def _step(self) -> None:
        spot = self.face.odometry().pose.pose
        here = Pose(spot.position.x, spot.position.y, 0.0, 2 * math.atan2(spot.orientation.z, spot.orientation.w))
        if here.distance_m(self._ways[0]) < NEAR_M:
            self._ways.pop(0)
        if not self._ways:
            self._end(Ended(4))
            return
        aside_rad = here.bearing_rad(self._ways[0])
        ahead_mps = MPS if abs(aside_rad) < 0.4 else 0.0
        self._say(Twist(Vector3(ahead_mps), Vector3(z=max(-1.0, min(1.0, 1.5 * aside_rad)))))
