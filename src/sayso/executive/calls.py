"""Calls of a robot's skills on the Director: each runs to its outcome and is recorded.

A plan waits for its calls; the tasks that a steering planner pursues are calls that nobody waits for. All are children
of the mission. A call whose resource is taken is suspended. A skill that may be begun again is, when the resource comes
back; any other ends as preempted at once, and so does one whose patience ends.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from sayso.errors import JournalError
from sayso.events import Event, LimitHeld, TaskEnded, TaskResumed, TaskStarted, TaskSuspended
from sayso.executive.director.terms import Notice
from sayso.executive.loop import Director
from sayso.skill import Skill, SkillSet
from sayso.task import LIMIT, Done, Failed, Outcome, Preempted, Refused, Task

PATIENCE_S = 20.0
"""How long a suspended call waits."""

LASTING_MAX_S = 60.0
"""A plan waits for each of its calls; one to a task that may go on for ever fails after this long."""


class Call:
    """One call. The first of an outcome, an error and the end of its patience counts. A `native` skill has a body."""

    __slots__ = ("args", "begun", "impatient", "native", "number", "outcome", "pursued", "skill", "statement", "task")

    def __init__(self, number: int, skill: Skill | None, wish: Task, statement: int = 0, pursued: bool = False) -> None:
        self.number, self.skill, self.statement, self.pursued = number, skill, statement, pursued
        self.args: tuple[Any, ...] = tuple(wish.data)
        self.native = skill is not None and skill.body is not None
        self.task = Task(wish.type, self if self.native else self.args, wish.priority, pursued)
        self.outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.begun = False
        self.impatient: asyncio.TimerHandle | None = None

    def goes_on(self) -> None:
        """Note that the call has what it waited for."""
        if self.impatient:
            self.impatient.cancel()
            self.impatient = None


class Calls:
    """The skill calls of one robot. `attempt` runs a skill's body, `refusal` says why a wish may not begin,
    `in_the_way` what suspends a call. `recorded` returns when all that was told is on record."""

    def __init__(
        self,
        director: Director,
        skills: Callable[[], SkillSet],
        emit: Callable[[Event], None],
        attempt: Callable[[Call], Awaitable[Outcome]],
        refusal: Callable[[Task], Outcome | None],
        in_the_way: Callable[[Notice], str],
        recorded: Callable[[], Awaitable[None]] | None,
    ) -> None:
        self._director, self._skills, self._emit, self._attempt = director, skills, emit, attempt
        self._refusal, self._in_the_way, self._recorded = refusal, in_the_way, recorded
        self.wanted: dict[Task, Call] = {}
        self._numbers = itertools.count(1)
        self._on_record: set[Task] = set()
        self._recording: asyncio.Future[None] | None = None

    async def do(self, wish: Task, statement: int = 0) -> Outcome:
        """Run one call to its outcome. Raises `JournalError` where nothing can be recorded, and cancellation."""
        if refused := self._refusal(wish):
            return self._ended(next(self._numbers), wish.type, refused)
        call = Call(next(self._numbers), self._skills()[wish.type], wish, statement)
        self.wanted[call.task] = call
        if call.native:
            self._expire(call, PATIENCE_S, Preempted("whatever holds the robot"))
        else:
            self._start(call)
            self._expire(call, LASTING_MAX_S, Failed(f"{wish.type} went on for {LASTING_MAX_S:g} s without an end"))
        self._renew()
        try:
            return await call.outcome
        except asyncio.CancelledError:
            self.finish(call, Preempted("the end of the mission"))
            raise

    def pursue(self, wishes: Sequence[Task]) -> None:
        """Replace the tasks that a steering planner wants; one that is wanted again unchanged goes on undisturbed."""
        before = {(c.task.type, c.task.priority): c for c in self.wanted.values() if c.pursued}
        for wish in {w.type: w for w in wishes}.values():
            if before.pop((wish.type, wish.priority), None):
                continue
            skill = self._skills().get(wish.type)
            if skill and (refused := self._refusal(wish)):
                self._ended(next(self._numbers), wish.type, refused)
                continue
            call = Call(next(self._numbers), skill, wish, pursued=True)
            self.wanted[call.task] = call
            self._start(call)
        for call in before.values():
            self.finish(call, Preempted("the planner, which wants it no longer"))
        self._renew()

    def give_up(self, outcome: Outcome, *, moving: bool = False) -> None:
        """End all calls; with `moving` those that use anything of the robot."""
        for call in list(self.wanted.values()):
            if not moving or call.skill is None or call.pursued or call.skill.uses:
                self.finish(call, outcome)

    def finish(self, call: Call, outcome: Outcome) -> None:
        """End a call with this outcome, unless it has ended already."""
        if call.task in self.wanted:
            del self.wanted[call.task]
            call.goes_on()
            if not call.outcome.done():
                call.outcome.set_result(outcome)
            self._ended(call.number, call.task.type, outcome)
            self._renew()

    def close(self) -> None:
        """Stop waiting for the record."""
        if self._recording:
            self._recording.cancel()

    def mission(self, run: Any) -> None:
        """What is wanted now. A body waits for its record; what has none begins when it is there (S16)."""
        ready = [t for t, c in self.wanted.items() if c.native or not self._recorded or t in self._on_record]
        for task in ready:
            run.emit(task)
        if len(ready) < len(self.wanted) and (self._recording is None or self._recording.done()):
            self._recording = asyncio.ensure_future(self._when_recorded())

    async def _when_recorded(self) -> None:
        """Have the mission look again then. Where there is no record, the agent ends it."""
        assert self._recorded
        wanted = set(self.wanted)
        with suppress(JournalError):
            await self._recorded()
            self._on_record = wanted
            self._renew()

    async def perform(self, run: Any) -> None:
        """Run a native skill's body, as its provider."""
        call: Call = run.data
        if not call.begun:
            call.goes_on()
            self._start(call)
        try:
            if self._recorded:
                await self._recorded()
            outcome = await self._attempt(call)
        except Exception as error:
            self._fail(call, error)
            if not isinstance(error, JournalError):
                raise
        else:
            self.finish(call, outcome)

    def hear(self, notice: Notice) -> None:
        """Take a notice of the Director about a task."""
        call = self.wanted.get(notice.task)
        if call is None:
            return
        if notice.what == "ended":
            self.finish(call, notice.outcome or Done())
        elif notice.what == "suspended" and call.native and call.skill:
            by = self._in_the_way(notice)
            if not call.skill.again:
                self.finish(call, Preempted(by))
            elif not call.pursued:
                self._emit(TaskSuspended(task=call.number, skill=call.task.type, by=by))
                self._expire(call, PATIENCE_S, Preempted(by))
        elif notice.what == "resumed" and call.native and call.impatient:
            call.goes_on()
            self._emit(TaskResumed(task=call.number, skill=call.task.type))

    def _renew(self) -> None:
        self._director.send("renew")

    def _expire(self, call: Call, seconds: float, outcome: Outcome) -> None:
        """Finish with `outcome` unless something else does before."""
        call.goes_on()
        call.impatient = asyncio.get_running_loop().call_later(seconds, self.finish, call, outcome)

    def _fail(self, call: Call, error: Exception) -> None:
        """What nobody expects of a skill climbs to whoever waits for the call; else the tree tells of it."""
        if not call.pursued and call.task in self.wanted:
            del self.wanted[call.task]
            call.outcome.set_exception(error)
            self._renew()

    def _start(self, call: Call) -> None:
        call.begun = True
        self._emit(TaskStarted(task=call.number, skill=call.task.type, args=call.args, statement=call.statement))

    def _ended(self, number: int, skill: str, outcome: Outcome) -> Outcome:
        if isinstance(outcome, Refused):
            self._emit(LimitHeld(limit=outcome.limit, asked=outcome.asked, bound=outcome.bound, skill=skill))
        self._emit(TaskEnded(task=number, skill=skill, **_told(outcome)))
        return outcome


def _told(outcome: Outcome) -> dict[str, Any]:
    match outcome:
        case Done(value, replan):
            return {"outcome": "done", "value": value, "detail": replan}
        case Failed(reason, code, about):
            return {"outcome": "failed", "detail": reason, "code": code, "about": about}
        case Preempted(by):
            return {"outcome": "preempted", "detail": by}
        case Refused():
            return {"outcome": "refused", "detail": outcome.reason, "code": LIMIT, "about": (outcome.limit,)}
