"""A robot as other programs may use it: wishes, plans, state, records, and nothing that a person has to decide.

What it says is data, like any other wish: it may change a plan, never a limit. It can stop the robot and cannot release
it; it can have plans run and approves none. No protocol is known here.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sayso.agent import Agent
from sayso.clock import current
from sayso.errors import UsageError
from sayso.events import Event, Observed, to_line
from sayso.language import faults, parse, show
from sayso.memory.event_text import EventNarrator, one_line, story
from sayso.memory.journal import Journal
from sayso.planners.plan_answer import GoalSplitter
from sayso.planners.plan_run import Approve
from sayso.planners.reflex import urgent
from sayso.planners.text_planner import FixedPlan
from sayso.result import Result
from sayso.roles import Observation, closing
from sayso.scene import scene_json
from sayso.skill import Value
from sayso.understanding.facts import facts
from sayso.wish import Wish

BY = "another program"
"""Who stops the robot, in the record."""

WISH_CHARS, PLAN_CHARS, NAME_CHARS = 2000, 20_000, 200
"""The longest wish, plan and name of a thing that are read."""

Progress: TypeAlias = Callable[[str], Awaitable[None]]
"""Hears what happens while a mission runs, a line at a time. A slow one delays nobody but itself."""


@dataclass(frozen=True)
class Report:
    """The result of a mission. `outcome` is achieved, not_achieved, asked, refused, stopped or error; `asked` is the
    question that waits for an answer; `verified` tells whether every clause of the goal was observed to be true."""

    mission: str
    outcome: str
    reason: str
    asked: str
    said: list[str]
    answer: Value
    goal: str
    verified: bool | None
    missing: list[str]
    unknown: list[str]
    left_out: list[str]


@dataclass(frozen=True)
class Checked:
    """The result of checking a plan: how it is understood, or what is wrong with it and where."""

    admissible: bool
    plan: str
    errors: list[str]


class RemoteAccess:
    """One agent, as another program may use it. `journal` is the file of its memory, `approve` asks a person."""

    def __init__(self, agent: Agent, journal: Path | None = None, approve: Approve | None = None) -> None:
        self.agent = agent
        self.begun, self.idle = asyncio.Event(), asyncio.Event()
        self.idle.set()
        self.closed = False
        """Whether the robot is being put away: nothing begins any more."""
        self._journal, self._approve = journal, approve
        self._running: asyncio.Task[Report] | None = None
        self._last: Result | None = None
        self._left = False
        self._seen: Mapping[str, Any] = {}

    async def say(self, wish: str, progress: Progress, *, answers: bool = False) -> Report:
        """Do what the sentence wishes, or go on with the last wish where it `answers` what was asked back.

        Whoever is cancelled meanwhile has left: the robot stops and comes to rest, and nothing is latched (S7). Words
        that stop are obeyed also while a mission runs; any other wish is a `UsageError` then.
        """
        if self._running and urgent(wish):
            return Report("", **(await self.agent.do(wish)).told())
        if answers and self._last is None:
            raise UsageError("nothing was asked that could be answered")
        return await self._do(self._last.answered(wish) if answers and self._last else wish, progress)

    async def run_plan(self, plan: str, progress: Progress) -> Report:
        """Run a plan in MiniSpec, as `say` does a wish. Raises `UsageError` for one that is not admissible."""
        if not (checked := self.check_plan(plan)).admissible:
            raise UsageError("\n".join(checked.errors))
        return await self._do(plan, progress, given=True)

    def check_plan(self, plan: str) -> Checked:
        """Whether the plan may run where the robot stands. A goal may stand behind it (`want …`)."""
        agent, apart = self.agent, GoalSplitter()
        text = apart.plan(plan) + apart.rest()
        wrong = faults(text, agent.skills, agent.reading.now().pose, agent.limits)
        return Checked(
            not wrong, "" if wrong else show(parse(text), agent.skills), [error.pointed() for error in wrong]
        )

    def stop(self) -> None:
        """Bring the robot to rest, whatever is going on. Returns at once; only a person releases it."""
        self.agent.stop(BY)

    async def why(self, mission: str = "LAST") -> str:
        """The story of a mission. Raises `UsageError` for one that is not on record."""

        def read(journal: Journal) -> str:
            which = journal.resolve(mission)
            return "\n".join(map(str, story(journal.events(which), alive=journal.mission(which).alive)))

        return await self._read(read)

    async def events(self, mission: str) -> str:
        """The record of a mission: an event a line, as JSON. Raises `UsageError` for one that is not there."""
        return await self._read(lambda j: "\n".join(map(to_line, j.events(j.resolve(mission)))))

    async def _read(self, read: Callable[[Journal], str]) -> str:
        """What a thread reads: a journal that is locked for a while must not keep a stop waiting."""
        file = self._journal
        if file is None:
            raise UsageError("this robot keeps no journal")

        def reading() -> str:
            with Journal(file) as journal:
                return read(journal)

        with current().real():
            return await asyncio.to_thread(reading)

    def where(self, thing: str) -> str:
        """Where a thing was last seen, in words; empty where nothing of that name was."""
        memory = self.agent.recalling
        return memory.where(thing, self.agent.reading.now().pose) if memory else ""

    def state(self) -> dict[str, Any]:
        """How the robot is, in its own word, and what goes on."""
        agent = self.agent
        doing = {"mission": agent.mission.id, "wish": agent.mission.instruction} if agent.mission else {}
        itself = facts(agent.known(Observation(), agent.earlier or (), doing.get("wish", "")))
        return {**asdict(agent.reading.now()), "stopped_by": agent.executive.stopped_by, **doing, "facts": {**itself}}

    def limits(self) -> dict[str, Any]:
        """What the robot never exceeds; None is no bound."""
        return {name: _bound(value) for name, value in asdict(self.agent.limits).items()}

    async def scene(self) -> dict[str, Any]:
        """What is believed to be there: while a mission runs what it saw last, else what is in view now."""
        if self.agent.mission or self.agent.perception is None:
            return {**self._seen}
        return scene_json(await self.agent.perception.look())

    async def _do(self, wish: str | Wish, progress: Progress, *, given: bool = False) -> Report:
        while self._running and self._left:
            await asyncio.wait([self._running])
        if self._running or self.closed:
            raise UsageError(
                "the robot is being put away" if self.closed else "a mission is running; stop it, or wait for its end"
            )
        hear: asyncio.Queue[str | None] = asyncio.Queue()
        # In a task of its own, which is cancelled once: the protocol's scopes cancel again and again, and coming to
        # rest takes its time.
        self._running, self._left = asyncio.create_task(self._play(wish, hear.put_nowait, given)), False
        running = self._running
        try:
            while (line := await hear.get()) is not None:
                await progress(line)
            return await asyncio.shield(running)
        finally:
            if not running.done():
                self._left = True
                running.cancel()

    async def _play(self, wish: str | Wish, hear: Callable[[str | None], None], given: bool) -> Report:
        events: list[Event] = []
        mission, tell = "", EventNarrator()
        self.idle.clear()
        self.begun.set()
        try:
            with self._planned(given):
                async with closing(self.agent.say(wish, approve=self._approve)) as happening:
                    async for event in happening:
                        mission = self.agent.mission.id if self.agent.mission else mission
                        events.append(event)
                        if isinstance(event, Observed):
                            self._seen = event.scene
                        if line := tell(event):
                            hear(f"{line.mark}: {one_line(line.text)}")
            self._last = Result.of(events)
            return Report(mission, **self._last.told())
        finally:
            self._running = None
            self.begun.clear()
            self.idle.set()
            hear(None)

    @contextmanager
    def _planned(self, given: bool) -> Iterator[None]:
        """For one mission, the wish is a plan already; a replay finds that in the record."""
        agent, planner, setup = self.agent, self.agent.planner, self.agent.setup
        if given:
            agent.planner, agent.setup = FixedPlan(), setup | {"planner": FixedPlan.name}
        try:
            yield
        finally:
            agent.planner, agent.setup = planner, setup


def _bound(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _bound(inner) for name, inner in value.items()}
    return value if not isinstance(value, float) or math.isfinite(value) else None
