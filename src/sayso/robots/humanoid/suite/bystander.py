"""The bystander of the soccer suite: watches a game, pushes the robot and changes the request."""

import asyncio
import math
import random
from collections.abc import Callable

from sayso.bench.judge import TruthRecorder
from sayso.robots.humanoid.suite.goals import Goal
from sayso.robots.humanoid.world.pitch import Soccer

SAMPLE_S = 0.1
STILL_MPS = 0.1  # who stands and waves sways
MIND_S = 1.0
"""The request changes up to this much earlier or later: anywhere in one of the planner's rounds."""
PUSH_N, PUSH_S = 25.0, 0.3


class Bystander:
    """Watches a game, ten times a second, and does to it what the goal wants done."""

    def __init__(self, world: Soccer, goal: Goal, change: Callable[[str], None], seed: int) -> None:
        self.began_s = world.time_s
        self.met_s: float | None = None
        self.changed_s: float | None = None
        self._world, self._goal, self._change = world, goal, change
        self._chance = random.Random(seed)
        self._witness = TruthRecorder(world.truth)
        self._so_far = not goal.then
        self._first_m = world.truth().ball_distance_m
        self._moved_s, self._stands = -math.inf, True

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
        """One more moment; the head camera looks all the time."""
        truth = self._witness.note(looks=True)
        self._stands = truth.speed_mps < STILL_MPS and truth.upright is True
        if not self._stands:
            self._moved_s = truth.time_s
        if self.met_s is None and self._goal.feasible and self.met():
            self.met_s = truth.time_s

    def met(self) -> bool:
        """Whether what is wanted is so by now; of a changed request, also what was to be so before."""
        return self._so_far and self._witness.verdict(self._goal.judged).truth is True

    @property
    def now_s(self) -> float:
        return self._world.time_s

    @property
    def reaction_s(self) -> float | None:
        """From the changed request to when the robot came to a stand; None where it has not, or stood already."""
        if self.changed_s is None or self._moved_s < self.changed_s or not self._stands:
            return None
        return self._moved_s + SAMPLE_S - self.changed_s

    async def _push_over(self) -> None:
        """Once it is on its way to the ball."""
        while not self._on_its_way():
            await asyncio.sleep(SAMPLE_S)
        way = self._chance.uniform(0, 2 * math.pi)
        self._world.push(PUSH_N * math.cos(way), PUSH_N * math.sin(way), PUSH_S)

    def _on_its_way(self) -> bool:
        truth = self._world.truth()
        return truth.ball_distance_m < self._first_m - 0.1 and "ball" in truth.in_frame

    async def _change_mind(self) -> None:
        await asyncio.sleep(self._goal.then_s + self._chance.uniform(-MIND_S, MIND_S))
        self._so_far = not self._goal.before or self._witness.verdict(self._goal.before).truth is True
        self._witness = TruthRecorder(self._world.truth)
        self._change(self._goal.then)
        self.changed_s = self._world.time_s
