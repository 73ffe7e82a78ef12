"""A ROS 2 base whose graph fails or whose odometry lies: the rules of docs/safety.md on seeded missions (faults.py).

python tests/robots/base/test_ros_faults.py [navigation] [KIND [FIRST [COUNT]]]      plays more, prints what was broken
"""

from __future__ import annotations

import asyncio
import math
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "drone"))

from faults import KINDS, OVERSHOOT_M, Stage, broken, killed, report, until
from ros_nav import MOODS, Nav2
from ros_wire import ROOM, Wire, changed, free_port

from sayso.agent import Agent
from sayso.clock import WallClock
from sayso.events import MissionEnded
from sayso.robots.base.ros.adapter import LIMITS, Ros
from sayso.robots.base.ros.emulator import STANDS, Emulator
from sayso.robots.base.ros.messages import Odometry, Vector3
from sayso.robots.base.ros.node import EVERYWHERE, Line
from sayso.robots.base.world import Hall
from sayso.roles import Robot
from sayso.scene import Pose

LIES = ("odometry jumps", "odometry stands", "odometry shows 0.4", "odometry shows 2.2", "odometry is no number")
MISLED_M, NOTICED_S = 1.2, 8.0
"""How far outside the zone it may be where its odometry shows less than it drives, and how soon that is noticed."""

Lie = Callable[[Odometry, Odometry], Odometry]


def shows(share: float) -> Lie:
    """From where it was when it began to lie, so much of the way."""

    def lie(now: Odometry, then: Odometry) -> Odometry:
        at, first = now.pose.pose.position, then.pose.pose.position
        return at_place(now, first.x + share * (at.x - first.x), first.y + share * (at.y - first.y))

    return lie


def at_place(now: Odometry, x: float, y: float) -> Odometry:
    return changed(now, pose=changed(now.pose, pose=changed(now.pose.pose, position=Vector3(x, y))))


def jumps(now: Odometry, then: Odometry) -> Odometry:
    return at_place(now, now.pose.pose.position.x + 1.5, now.pose.pose.position.y)


def stands(now: Odometry, then: Odometry) -> Odometry:
    return changed(then, header=now.header, twist=Odometry().twist)


def is_no_number(now: Odometry, then: Odometry) -> Odometry:
    return at_place(now, math.nan, math.nan)


class Liar(Emulator):
    """Its odometry lies from `lies_s` on."""

    def __init__(self, hall: Hall, lie: Lie | None, lies_s: float) -> None:
        super().__init__(hall)
        self._lie, self._lies_s, self._then = lie, lies_s, None

    def odometry(self) -> Odometry:
        now = super().odometry()
        if self._lie is None or asyncio.get_running_loop().time() < self._lies_s:
            return now
        self._then: Odometry | None = self._then or now
        return self._lie(now, self._then)


class RosStage(Stage):
    limits = LIMITS
    by_itself_s = 3.0
    wishes = (
        "go forward 2 metres, turn around, go forward 2 metres",
        "turn left, go forward 150 cm, turn left, go forward 150 cm, come back",
        "wait 2 seconds, go back 2 metres, go forward 2 metres, go forward 2 metres",
        "go forward 1 metre, turn right, go forward 1 metre, turn right, go forward 2 metres",
    )

    def place(self) -> Hall:
        return Hall(STANDS)

    def machine(self, lost: float) -> tuple[Any, Any]:
        lies = {"odometry jumps": jumps, "odometry stands": stands, "odometry is no number": is_no_number}
        share = self.kind.rpartition(" ")[2]
        self.overshoot_m = MISLED_M if self.kind in LIES else OVERSHOOT_M
        lie = shows(float(share)) if self.kind.startswith("odometry shows") else lies.get(self.kind)
        return Wire(lost, self.seed), Liar(self.world, lie, self.fails_s)

    async def plug(self) -> Robot:
        async def connect() -> Line:
            return self.wire.end()

        self.face.open(self.wire.end())
        return Ros(ROOM, "", EVERYWHERE, connect)

    def rests(self) -> bool:
        return self.truth.speed_mps < 0.02 and self.world.base.still

    def told_to_move(self, text: str) -> bool:
        return text != "0.000 0.000"

    def judge(self) -> None:
        super().judge()
        ended = self.events[-1]
        if isinstance(ended, MissionEnded) and ended.outcome == "achieved" and self.fails_s + NOTICED_S < ended.at_s:
            if self.kind in LIES:
                self.broken.append("its odometry lied, and that was not noticed")


class NavigationStage(RosStage):
    """The same where Nav2 leads to points, in a mood that the seed draws."""

    wishes = (
        "drive to point x 2 m y 1 m and come back",
        "drive to point x 1 m y -1 m, drive to point x -1 m y 1 m",
        "wait 2 seconds, drive to point x 2 m y 0 m, drive to point x -2 m y 0 m",
        "go forward 1 metre, drive to point x 0 m y 1.5 m, come back",
    )

    async def plug(self) -> Robot:
        chance = random.Random(f"navigation {self.kind} {self.seed}")
        mood = chance.choice(["", "", "", *MOODS])
        start = self.face.odometry().pose.pose.position
        around = Pose(start.x + chance.uniform(-3.0, 3.0), start.y + chance.uniform(-3.0, 3.0))
        self.nav = Nav2(self.face, mood, [around] if chance.random() < 0.5 else [])
        self.nav.open(self.wire.end())
        return await super().plug()

    async def close(self, agent: Agent) -> None:
        await super().close(agent)
        self.nav.close()


STAGES = pytest.mark.parametrize("stage", [RosStage, NavigationStage])


@STAGES
@pytest.mark.parametrize("kind", (*KINDS, *LIES))
def test_no_rule_is_broken_while_the_graph_fails(kind: str, stage: type[RosStage]) -> None:
    """S1, S3, S4, S10, S12 and S13, for one mission; the slow tests play two hundred."""
    assert broken(stage, kind, range(1)) == []


@pytest.mark.slow
@STAGES
@pytest.mark.parametrize("kind", (*KINDS, *LIES))
def test_no_rule_is_broken_in_two_hundred_missions(kind: str, stage: type[RosStage]) -> None:
    assert broken(stage, kind, range(200)) == []


@pytest.mark.slow
def test_a_program_that_is_killed_leaves_a_base_that_stops(tmp_path: Path) -> None:
    """Half a second after the last word, as drivers of bases do."""
    pytest.importorskip("zenoh")
    from sayso.robots.base.ros.session import listen

    async def main() -> None:
        hall = Hall(STANDS)
        face, running = Emulator(hall), asyncio.ensure_future(hall.run())
        endpoint = f"tcp/127.0.0.1:{free_port()}"
        face.open(listen(endpoint))
        try:
            await killed(
                lambda: hall.base.pose.distance_m(STANDS) > 0.4, f"ros:@{endpoint}", tmp_path, "go forward 150 cm"
            )
            await until(lambda: hall.base.still, RosStage.by_itself_s)
            assert hall.truth().pose.distance_m(STANDS) < 1.0 and not hall.truth().contacts
        finally:
            running.cancel()
            face.close()

    WallClock().run(main())


if __name__ == "__main__":
    navigates = sys.argv[1:2] == ["navigation"]
    report(NavigationStage if navigates else RosStage, sys.argv[1 + navigates :])
