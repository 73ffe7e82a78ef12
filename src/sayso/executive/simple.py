"""The plainest executive that is still safe: one mission, resources held, limits first, stop beats everything.

It is the reference for the seam that every executive offers to the agent:

    await executive.do(task)   one skill call, from admission to its typed outcome
    executive.stop(by)         at once, from anywhere; latched until a person releases it
    executive.release(by)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Protocol

from sayso.errors import ReplanWanted, RobotError, SkillFailed
from sayso.events import Event, LimitHeld, Released, StopAsked, Stopped, TaskEnded, TaskStarted, Warned
from sayso.limits import Limits
from sayso.parts import Robot
from sayso.skill import Skill, SkillSet
from sayso.task import Done, Failed, Outcome, Preempted, Refused, Task

HALT_TIMEOUT_S = 5.0


class Executive(Protocol):
    """What the agent asks of whatever executes."""

    async def do(self, task: Task, statement: int = 0) -> Outcome: ...
    def stop(self, by: str) -> None: ...
    async def settled(self) -> None: ...
    def release(self, by: str) -> None: ...
    @property
    def stopped_by(self) -> str: ...


class SimpleExecutive:
    """One skill call a resource at a time. `emit` records an event; its order is the order of what happened."""

    def __init__(self, skills: SkillSet, robot: Robot, limits: Limits, emit: Callable[[Event], None]) -> None:
        self.skills, self.robot, self.limits, self.emit = skills, robot, limits, emit
        self._held: dict[str, asyncio.Lock] = {}
        self._running: set[asyncio.Task[Outcome]] = set()
        self._halting: asyncio.Task[None] | None = None
        self._stopped_by = ""
        self._count = 0

    @property
    def stopped_by(self) -> str:
        """Who stopped the robot, empty while it may move."""
        return self._stopped_by

    async def do(self, task: Task, statement: int = 0) -> Outcome:
        """Run one skill call to its outcome. Raises nothing but cancellation."""
        self._count += 1
        number = self._count
        try:
            outcome = self._refusal(task) or await self._perform(task, number, statement)
        except asyncio.CancelledError:
            self._tell_end(number, task, Preempted(self._stopped_by or "the end of the mission"))
            raise
        self._tell_end(number, task, outcome)
        return outcome

    def stop(self, by: str) -> None:
        """Cancel whatever runs and bring the robot to rest. Returns at once; `settled` waits for the confirmation."""
        if self._stopped_by:
            return
        self._stopped_by = by
        self.emit(StopAsked(by=by))
        for running in self._running:
            running.cancel()
        self._halting = asyncio.ensure_future(self._halt())

    async def settled(self) -> None:
        """Return when a stop has been confirmed by the robot, or could not be."""
        if self._halting:
            await asyncio.shield(self._halting)

    def release(self, by: str) -> None:
        """A person lifts the stop."""
        if self._stopped_by:
            self._stopped_by = ""
            self.emit(Released(by=by))

    def _refusal(self, task: Task) -> Outcome | None:
        """Why this task may not even begin, in the order in which it matters."""
        if self._stopped_by:
            return Preempted(f"stop ({self._stopped_by})")
        skill = self.skills.get(task.type)
        if skill is None:
            return Failed(f"this robot has no skill {task.type!r}")
        if problem := skill.problem(task.data):
            return Failed(problem)
        return self._limit(skill, task)

    def _limit(self, skill: Skill, task: Task) -> Refused | None:
        if skill.path is None:
            return None
        state = self.robot.state()
        if refused := self.limits.path_refusal(skill.path(state.pose, *task.data)):
            return refused
        return self.limits.battery_refusal(state.charge)

    async def _perform(self, task: Task, number: int, statement: int) -> Outcome:
        skill = self.skills[task.type]
        async with AsyncExitStack() as held:
            for resource in sorted(skill.uses):
                await held.enter_async_context(self._held.setdefault(resource, asyncio.Lock()))
            self.emit(TaskStarted(task=number, skill=task.type, args=tuple(task.data), statement=statement))
            running = asyncio.ensure_future(self._attempt(skill, task))
            self._running.add(running)
            try:
                return await running
            except asyncio.CancelledError:
                running.cancel()
                asked = asyncio.current_task()
                if asked and asked.cancelling():
                    raise
                return Preempted(f"stop ({self._stopped_by})")
            finally:
                self._running.discard(running)

    async def _attempt(self, skill: Skill, task: Task) -> Outcome:
        assert skill.body is not None, "the language hands over native calls only"
        try:
            return Done(await skill.body(*task.data))
        except ReplanWanted as changed:
            return Done(None, replan=str(changed))
        except SkillFailed as failed:
            return Failed(str(failed))
        except RobotError as broken:
            return Failed(f"the robot: {broken}")

    async def _halt(self) -> None:
        try:
            async with asyncio.timeout(HALT_TIMEOUT_S):
                await self.robot.halt()
        except (RobotError, TimeoutError) as error:
            self.emit(Warned(text=f"the robot did not confirm the stop: {str(error) or 'time-out'}"))
            self.emit(Stopped(state=self.robot.state().summary, confirmed=False))
            return
        self.emit(Stopped(state=self.robot.state().summary, confirmed=True))

    def _tell_end(self, number: int, task: Task, outcome: Outcome) -> None:
        if isinstance(outcome, Refused):
            self.emit(LimitHeld(limit=outcome.limit, asked=outcome.asked, bound=outcome.bound, skill=task.type))
        match outcome:
            case Done(value):
                kind, detail = "done", outcome.replan
            case Failed(reason):
                kind, value, detail = "failed", None, reason
            case Preempted(by):
                kind, value, detail = "preempted", None, by
            case Refused():
                kind, value, detail = "refused", None, outcome.reason
        self.emit(TaskEnded(task=number, skill=task.type, outcome=kind, value=value, detail=detail))
