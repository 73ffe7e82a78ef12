"""The run of one plan while its text is still arriving: the middle of the picture, from language to executive.

One task reads and checks, another performs; a growing plan lies between them, so a slow skill never stalls reading and
a stream that breaks is an event, not a hang.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from sayso import events as ev
from sayso.clock import beside
from sayso.errors import ModelBroke, PlanError, PlanLimitError, SaysoError
from sayso.language import GIVE_WAY, NEED_TEXT, Call, Ended, Interpreter, Plan, PlanStream, show
from sayso.language.printer import whole_names
from sayso.roles import closing
from sayso.skill import Skill, SkillSet, Value
from sayso.task import LIMIT, Done, Failed, Outcome, Task

Approve: TypeAlias = Callable[[str], Awaitable[bool] | bool]
"""Shows a person the whole plan; True lets it run. A plain function must answer at once: it holds up the loop."""

Foresee: TypeAlias = Callable[[Plan], PlanError | None]
"""The limit that a plan would break, as far as it has arrived and can be foreseen."""

Weigh: TypeAlias = Callable[[Plan], None]
"""A whole plan -> nothing; raises `NotUnderstood` where it must not move. Asked once, before the first motion for which
the text is over, or at the end."""

Did: TypeAlias = tuple[str, Any, Done]
"""A call that was done: the skill, its arguments, what came of it."""

TERSE_S = 0.5
"""How long the rest of a plan is waited for before the first motion, where its model writes all of it in a moment."""


class Declined(SaysoError):
    """Raised where the person did not approve the plan."""


class PlanRun:
    """One plan, from its first character to its end. `do` runs one skill call; `text` is what has arrived.

    `before` is what a plan did whose text was cut: as far as this one begins with the same calls, they are done.
    """

    def __init__(
        self,
        skills: SkillSet,
        do: Callable[[Task, int], Awaitable[Outcome]],
        emit: Callable[[ev.Event], None],
        foresee: Foresee,
        weigh: Weigh | None = None,
        *,
        terse: bool = False,
        before: Sequence[Did] = (),
    ) -> None:
        self._before, self._did = deque(before), list[Did]()
        self._chunks: list[str] = []
        self._weigh, self._terse = weigh, terse
        self._skills, self._do, self._emit, self._foresee = skills, do, emit, foresee
        self._stream = PlanStream(skills)
        self._more = asyncio.Event()
        self._over = False
        self._problem: Exception | None = None
        self._told = 0

    @property
    def text(self) -> str:
        """The text as far as it has arrived."""
        return "".join(self._chunks)

    @property
    def did(self) -> tuple[Did, ...]:
        """What is done of it, where its text broke off or was refused: what is written in its place begins alike."""
        cut = isinstance(self._problem, ModelBroke | PlanError)
        return (*self._did, *self._before) if cut else ()

    @property
    def plan(self) -> Plan:
        """What of it is complete."""
        return self._stream.plan

    async def run(self, chunks: AsyncIterator[str], approve: Approve | None = None) -> Ended:
        """Run the plan; returns how it ended. Raises `Declined`, and what is no fault of the plan's text."""
        async with beside(self._read(chunks)) as reading:
            if approve:
                await reading
                await self._ask(approve)
            return await self._perform()

    async def _read(self, text: AsyncIterator[str]) -> None:
        """Feed the parser as characters arrive; every completed statement is checked before anyone can run it."""
        try:
            async with closing(text) as chunks:
                async for chunk in chunks:
                    self._chunks.append(chunk)
                    self._stream.feed(chunk)
                    self._tell_ready()
            self._stream.end()
        except PlanError as error:
            self._tell_ready()
            self._refuse(error)
            self._problem = error
        except Exception as error:
            if dropped := self._stream.cut():
                at = f"line {dropped.place.line}, column {dropped.place.column}"
                self._emit(ev.Warned(text=f"the plan broke off: “{dropped.text}” ({at}) is left out"))
            self._problem = error
        finally:
            self._over = True
            self._tell_ready()

    async def _perform(self) -> Ended:
        """Drive the interpreter: it yields tasks and hears outcomes, and waits where the text has not arrived."""
        steps = Interpreter(self._stream, self._skills, came=self._came).run()
        heard: Any = None
        moved = False
        while True:
            try:
                step = steps.send(heard)
            except StopIteration as end:
                ended = self._ended(end.value)
                await self._weighed(0.0)
                return ended
            except PlanError as error:
                return self._refuse(error)
            if step is NEED_TEXT:
                self._more.clear()
                await self._more.wait()
                heard = None
            elif step is GIVE_WAY:
                await asyncio.sleep(0)
                heard = None
            elif step.skill.uses and not moved and (harm := self._foresee(self._stream.plan)):
                return self._refuse(harm)
            else:
                if step.skill.uses:
                    await self._weighed(TERSE_S if self._terse and not moved else 0.0)
                moved = moved or bool(step.skill.uses)
                heard = self._done_before(step) or await self._do(step.task, step.statement)
                if isinstance(heard, Done) and not heard.replan:
                    self._did.append((step.task.type, step.task.data, heard))

    def _done_before(self, step: Call) -> Done | None:
        """What came of a call that was done already; from the first other one on all is done anew."""
        if not self._before:
            return None
        *call, came = self._before.popleft()
        if call != [step.task.type, step.task.data]:
            self._before.clear()
            return None
        self._emit(ev.Warned(text=f"{step} is done already, and not done again"))
        return came

    async def _weighed(self, wait_s: float) -> None:
        """Hold the plan against the wish, once its text is over; one that goes on arriving is not waited for long."""
        if wait_s and self._weigh and not self._over:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    while not self._over:
                        self._more.clear()
                        await self._more.wait()
        if self._over and self._weigh and not self._problem:
            weigh, self._weigh = self._weigh, None
            weigh(self._stream.plan)

    async def _ask(self, approve: Approve) -> None:
        """Show the whole checked plan to a person before anything moves; one with an error is not offered."""
        self._problem = self._problem or self._foresee(self._stream.plan)
        if self._problem:
            self._stream = PlanStream(None)
            self._stream.cut()
            return
        plan = show(self._stream.plan, self._skills)
        self._emit(ev.ApprovalAsked(plan=plan))
        try:
            answer = approve(plan)
            approved = await answer if isinstance(answer, Awaitable) else answer
        except Exception as error:
            raise Declined(f"the approval could not be asked for: {type(error).__name__}: {error}") from error
        self._emit(ev.ApprovalGiven(approved=approved))
        if not approved:
            raise Declined("the plan was not approved")

    def _came(self, skill: Skill, args: Sequence[Value], value: Value) -> None:
        self._emit(ev.SkillEnded(skill=skill.name, args=tuple(args), value=value))

    def _tell_ready(self) -> None:
        """Record what became complete, then wake the performer."""
        fresh, self._told = self._stream.ready[self._told :], len(self._stream.ready)
        for r in fresh:
            line, column = r.place.line, r.place.column
            place = {"line": line, "column": column, "depth": r.depth}
            text = whole_names(r.text, self._skills)
            self._emit(ev.StatementReady(statement=r.number, text=text, behind=r.behind, **place))
        self._more.set()

    def _refuse(self, error: PlanError) -> Ended:
        self._emit(ev.PlanRefused(error=str(error), pointed=error.pointed()))
        return _failed(error)

    def _ended(self, ended: Ended) -> Ended:
        """An error in the text is the plan's; what is wrong with the planner or its model climbs."""
        if isinstance(self._problem, PlanError):
            return _failed(self._problem)
        if isinstance(self._problem, ModelBroke):
            return Ended("failed", reason=str(self._problem))
        if self._problem is not None:
            raise self._problem
        return ended


def _failed(error: PlanError) -> Ended:
    limited = Failed(str(error), LIMIT) if isinstance(error, PlanLimitError) else None
    return Ended("failed", reason=error.pointed(), outcome=limited)
