"""Both sides of a rolling planner as doubles: whoever briefs it and takes its tasks, and a model with its own pace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sayso.clock import SimClock
from sayso.goal import Clause, Part
from sayso.goals.text import show
from sayso.planners.rolling import Rolling
from sayso.prompts import rolling_prompt
from sayso.robots.humanoid.ball import Ball
from sayso.robots.humanoid.soccer import SKILLS as TASKS
from sayso.roles import Attempt, Brief, Chunk, Observation, Prompt, RobotState
from sayso.scene import Pose, Scene
from sayso.skill import SkillSet
from sayso.tables.guidance import read_guidance
from sayso.task import Ran, Task

SKILLS = SkillSet(TASKS, read_guidance("sayso.robots.humanoid"))


@dataclass
class Desk:
    """A session that remembers what it was told, with times."""

    request: str = "do something"
    ball: Ball = field(default_factory=Ball)
    ended: list[Ran] = field(default_factory=list)
    pose: Pose = Pose()
    packs: list[tuple[float, tuple[Task, ...]]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    goals: list[str] = field(default_factory=list)
    lacks: tuple[Part, ...] = ()

    async def look(self) -> Brief:
        state = RobotState(summary="standing", doing="standing")
        return Brief(
            self.request, SKILLS, Observation(Scene((), self.pose), state, (self.ball,), (), tuple(self.ended))
        )

    async def run(self, text: AsyncIterator[str], *, step: bool = False, terse: bool = False) -> Attempt:
        raise AssertionError("a rolling planner has no plans")

    def note(self, text: str) -> None:
        self.said.append(text)

    def understood(self, goal: Clause, *, whole: bool = False, heeds: Sequence[str] = ()) -> None:
        self.goals.append(show(goal))

    def missing(self) -> tuple[Part, ...]:
        return self.lacks

    def pursue(self, tasks: Sequence[Task]) -> None:
        self.packs.append((asyncio.get_running_loop().time(), tuple(tasks)))

    @property
    def names(self) -> list[list[str]]:
        """The types of every pack that was pursued."""
        return [[t.type for t in pack] for _, pack in self.packs]

    def turn(self) -> None:
        """The robot is somewhere new, so the state is another one."""
        self.pose = self.pose.moved(1.0)


class Slow:
    """A model double: answers what `answer` says, after `latency_s`. Knows how many calls were ever open at once."""

    name = "slow double"

    def __init__(self, answer: Callable[[Prompt], str | Exception], latency_s: float = 1.0) -> None:
        self._answer, self.latency_s = answer, latency_s
        self.asked: list[tuple[float, Prompt]] = []
        self.open = self.most_open = self.whole = 0

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        self.asked.append((asyncio.get_running_loop().time(), prompt))
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            answer = self._answer(prompt)
            await asyncio.sleep(self.latency_s)
            if isinstance(answer, Exception):
                raise answer
            for at in range(0, len(answer), 7):
                yield Chunk(answer[at : at + 7])
            self.whole += 1
        finally:
            self.open -= 1

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        raise NotImplementedError

    @property
    def times(self) -> list[float]:
        return [round(at, 3) for at, _ in self.asked]

    def texts(self) -> list[str]:
        """The last message of every prompt."""
        return [prompt.messages[-1][1] for _, prompt in self.asked]


def answers(*texts: str | Exception) -> Callable[[Prompt], str | Exception]:
    """These in turn, the last one for ever."""
    given = iter(texts)
    last: list[str | Exception] = [""]

    def answer(prompt: Prompt) -> str | Exception:
        last[0] = next(given, last[0])
        return last[0]

    return answer


def steer(
    desk: Desk, model: Any, script: Callable[[], Any] | None = None, at_most_s: float = 120.0, **options: Any
) -> tuple[bool, str] | None:
    """Run a rolling planner to its end on simulated time, `script` beside it; None when it did not end in time."""
    planner = Rolling(model, rolling_prompt, **options)

    async def main() -> tuple[bool, str] | None:
        beside = [asyncio.ensure_future(script())] if script else []
        try:
            async with asyncio.timeout(at_most_s):
                end = await planner.act(desk)
                return end.met, end.reason
        except TimeoutError:
            return None
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)

    return SimClock().run(main())


async def keep_turning(desk: Desk, every_s: float = 0.5) -> None:
    """Something always goes on."""
    while True:
        await asyncio.sleep(every_s)
        desk.turn()
