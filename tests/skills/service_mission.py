"""Runs one plan on the service robot in the home, as an agent would, and tells what became of every call."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded, Said, TaskEnded
from sayso.models.scripted import Scripted
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt
from sayso.robots.service.world.home import Home
from sayso.worlds import make

ALONE: dict[str, Any] = {"people": []}


class Flown:
    """The world after a mission, and what was recorded."""

    def __init__(
        self, plan: str, setup: Mapping[str, Any] | None = None, seed: int = 1, wish: str = "do it", **options: Any
    ) -> None:
        world = make("home", seed=seed, setup=ALONE if setup is None else setup, **options)
        assert isinstance(world, Home)
        self.world = world
        self.events: list[Event] = []
        SimClock().run(self._run(plan, wish))
        self.truth = world.truth()

    async def _run(self, plan: str, wish: str) -> None:
        agent = Agent(world=self.world, model=Scripted([plan]), planner=partial(Stream, render=plan_prompt, replans=0))
        async with agent:
            async for event in agent.say(wish):
                self.events.append(event)

    @property
    def ended(self) -> MissionEnded:
        last = self.events[-1]
        assert isinstance(last, MissionEnded)
        return last

    def value(self, skill: str) -> Any:
        """What the last call of a skill returned."""
        return [e.value for e in self.events if isinstance(e, TaskEnded) and e.skill == skill][-1]

    def outcome(self, skill: str) -> tuple[str, str]:
        """How the last call of a skill ended, and its reason."""
        return [(e.outcome, e.detail) for e in self.events if isinstance(e, TaskEnded) and e.skill == skill][-1]

    @property
    def said(self) -> list[str]:
        return [e.text for e in self.events if isinstance(e, Said)]
