"""Whoever stands beside the pitch: keeps the books for the judges, pushes the robot, changes the request.

It sees the world's truth and nothing of the plan.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable

from sayso.robots.humanoid.ball import ASPECT, VIEW_RAD
from sayso.robots.humanoid.suite.goals import SAMPLE_S, Game, Goal, Sample
from sayso.robots.humanoid.world.pitch import Soccer
from sayso.scene import Pose

MIND_S = 1.0
"""The request changes up to this much earlier or later: anywhere in one of the planner's rounds."""
PUSH_N, PUSH_S, PUSHES_MAX = 65.0, 0.3, 3


class Bystander:
    """Keeps the books of a game, ten times a second, and does to it what the goal wants done."""

    def __init__(self, world: Soccer, goal: Goal, change: Callable[[str], None], seed: int) -> None:
        self.game = Game()
        self.met_s: float | None = None
        self._world, self._goal, self._change = world, goal, change
        self._chance = random.Random(seed)

    async def watch(self) -> None:
        """Until cancelled."""
        meddling = [self._push_over()] if self._goal.push else []
        meddling += [self._change_mind()] if self._goal.then else []
        async with asyncio.TaskGroup() as group:
            for work in meddling:
                group.create_task(work)
            while True:
                self.note()
                await asyncio.sleep(SAMPLE_S)

    def note(self) -> None:
        truth = self._world.truth()
        self.game.books = truth.books
        self.game.samples.append(
            Sample(
                at_s=truth.time_s,
                robot=truth.pose,
                ball=Pose(truth.ball.x_m, truth.ball.y_m),
                speed_mps=truth.speed_mps,
                fallen=truth.fallen,
                ball_in_view=in_view(self._world),
                waves=truth.books.waves,
            )
        )
        if self.met_s is None and self._goal.feasible and self._goal.judge(self.game):
            self.met_s = truth.time_s

    async def _push_over(self) -> None:
        """Once it is on its way to the ball; harder, if it keeps its feet."""
        while not self._on_its_way():
            await asyncio.sleep(SAMPLE_S)
        way = self._chance.uniform(0, 2 * math.pi)
        for n in range(PUSHES_MAX):
            force_n = PUSH_N * (1 + 0.4 * n)
            self._world.push(force_n * math.cos(way), force_n * math.sin(way), PUSH_S)
            await asyncio.sleep(1.5)
            if self.game.books.falls:
                return

    def _on_its_way(self) -> bool:
        first, last = self.game.samples[0], self.game.samples[-1]
        return last.ball_m < first.ball_m - 0.1 and last.ball_in_view

    async def _change_mind(self) -> None:
        await asyncio.sleep(self._goal.then_s + self._chance.uniform(-MIND_S, MIND_S))
        self._change(self._goal.then)
        self.game.changed_s = self._world.time_s


def in_view(world: Soccer) -> bool:
    """Whether the head camera really has the ball in its picture, nothing before it."""
    (x, y, z), half_m = world.eye.things()["ball"]
    at, forward, left, up = world.eye.axes()
    way = (x - at[0], y - at[1], z - at[2])
    depth, aside, high = (sum(a * b for a, b in zip(way, axis, strict=True)) for axis in (forward, left, up))
    half_width = math.tan(VIEW_RAD / 2) * depth
    inside = depth > 0 and abs(aside) <= half_width and abs(high) <= half_width / ASPECT
    return inside and world.eye.open_share((x, y, z), half_m) > 0.5
