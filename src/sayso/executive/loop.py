"""The Director: the asyncio loop that runs provider bodies around the arbiter.

    async with Director() as director:
        @director.provide("Legs")
        def legs(run): ...

        @director.provide("Kick", needs=["Legs"], when=[When("stable", bool)])
        async def kick(run):
            await motors.swing(run.data)
            run.done()

        director.emit("Kick", "left", priority=5)

Everything passes one first-in-first-out queue. A plain body is called and has returned; an `async` one is owned by the
Director as a task: while it awaits, its earlier children keep running, and its pack counts when it returns (D59). It
is cancelled as soon as its provider has lost the task it was called for (D14), and again until it ends; whoever takes
over what it held waits for that, `Settings.grace_s` at most.

All methods are for the thread of the event loop; from elsewhere use `loop.call_soon_threadsafe`.
"""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from sayso.errors import SaysoError, SkillFailed
from sayso.executive.director.arbiter import Arbiter, explain, picture
from sayso.executive.director.schedule import Cancel, Job, Later
from sayso.executive.director.terms import Notice, Settings, Uses
from sayso.executive.director.tree import Body, Member, Run
from sayso.task import Failed, Provider, RunReason, Task, When, Word

log = logging.getLogger("sayso")

F = TypeVar("F", bound=Callable[[Run], Any])

BATCH = 200
"""Commands between two looks at the rest of the event loop: about half a millisecond."""


class Director:
    """Tasks in, bodies called. `notice` hears what becomes of tasks."""

    def __init__(self, settings: Settings | None = None, notice: Callable[[Notice], None] | None = None) -> None:
        self.settings = settings or Settings()
        self.arbiter = Arbiter(self.settings)
        self.notice = notice
        self._calling = False
        self._pumping: asyncio.Handle | None = None
        self._bodies: set[Body] = set()
        self._timers: set[asyncio.TimerHandle] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._broken: BaseException | None = None
        self._closed = False

    def provide(
        self,
        type: str,
        *,
        needs: Iterable[str] = (),
        when: Iterable[When] = (),
        causing: Mapping[str, int] | None = None,
        triggers: Iterable[str] = (),
        hears: Iterable[str] = (),
        word: Word = Word.PROVIDE,
    ) -> Callable[[F], F]:
        """Declare the function below as a provider of `type`. The words are among those of `task.Provider`."""

        def declare(body: F) -> F:
            asks = tuple(needs), tuple(when), causing or {}, tuple(triggers)
            self.add(Provider(type, body, word, *asks, hears=tuple(hears)))
            return body

        return declare

    def add(self, *providers: Provider) -> None:
        """Raises `UsageError` for a provider that cannot be."""
        for provider in providers:
            self.arbiter.register(provider)
        self._go_on()

    def remove(self, provider: Provider) -> None:
        self.arbiter.unregister(provider)
        self._go_on()

    def enable(self, provider: Provider) -> None:
        self.arbiter.enable(provider)
        self._go_on()

    def disable(self, provider: Provider) -> None:
        self.arbiter.disable(provider)
        self._go_on()

    def emit(self, wish: str | Task, data: Any = (), *, priority: int = 0, optional: bool = False) -> None:
        """Add a root task. Data None takes the earlier one of the type back."""
        self._outside()
        self.arbiter.emit(Task(wish, data, priority, optional) if isinstance(wish, str) else wish)
        self._go_on()

    def take_back(self, type: str) -> None:
        """Remove the root task of this type, if there is one."""
        self.emit(Task(type, None))

    def tell(self, state: str, value: int) -> None:
        """Set a state's value. The news waits its turn behind what was scheduled before (D55)."""
        self._outside()
        self.arbiter.queue.append(partial(self.arbiter.tell, state, value))
        self._go_on()

    def send(self, message: str, value: Any = None) -> None:
        """Send a message to the providers that it triggers."""
        self._outside()
        self.arbiter.send(message, value)
        self._go_on()

    def uses(self, type: str) -> Uses:
        """How a type stands for the root task of that type."""
        return self.arbiter.root_uses(type)

    def why(self, wish: str | Task) -> str:
        """Why the tasks of a type, or one task, run or wait: one line for each link of the chain."""
        return explain(self.arbiter, wish)

    def tree(self) -> list[dict[str, Any]]:
        """The live tree as plain data: root tasks first, children within, with who owns and who waits for whom."""
        return picture(self.arbiter)

    def drain(self) -> None:
        """Work until the queue is empty; needs no event loop where every body is a plain function."""
        while self._batch(BATCH):
            pass

    async def quiet(self) -> None:
        """Return when nothing is queued and no body awaits. Raises what went wrong inside the Director."""
        await self._quiet.wait()
        self._raise()

    async def close(self) -> None:
        """Cancel whatever awaits and wait until it has ended, or cannot be made to. The tree is left as it is."""
        self._closed = True
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        if self._pumping:
            self._pumping.cancel()
        for body in self._bodies:
            self._let_go(body)
        for _ in range(2):
            if self._bodies:
                await asyncio.wait([body.task for body in self._bodies], timeout=self.settings.grace_s)
            self.evict()
        self._raise()

    async def __aenter__(self) -> Self:
        self._go_on()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _raise(self) -> None:
        if self._broken is not None:
            error, self._broken = self._broken, None
            raise error

    def _outside(self) -> None:
        """News from outside a body: whatever follows from it is no endless loop of bodies (D63)."""
        self._raise()
        if not self._calling:
            self.arbiter.rest()

    def _go_on(self) -> None:
        """Ask the event loop for a turn, where there is work and an event loop."""
        self._tell_notices()
        if self.arbiter.queue and self._pumping is None and not self._closed:
            self._quiet.clear()
            with suppress(RuntimeError):
                self._pumping = asyncio.get_running_loop().call_soon(self._pump)

    def _pump(self) -> None:
        self._pumping = None
        try:
            self._batch(BATCH)
        except Exception as error:  # kept for whoever waits: an event loop would only log it
            self._broken = error
            self._quiet.set()
            return
        self._go_on()
        self._rest()

    def _rest(self) -> None:
        if not self.arbiter.queue:
            self.arbiter.rest()
            if not self._bodies:
                self._quiet.set()

    def _batch(self, most: int) -> int:
        """Carry out at most `most` commands; how many are left."""
        queue, arbiter = self.arbiter.queue, self.arbiter
        while queue and most > 0:
            most -= 1
            command = queue.popleft()
            if isinstance(command, Run):
                self._call(command)
            elif isinstance(command, Later):
                self._after(command.seconds, partial(self._do, command.job))
            elif isinstance(command, Cancel):
                self._cancel(command.body)
            else:
                arbiter.do(command)
            if arbiter.notices:
                self._tell_notices()
        return len(queue)

    def _tell_notices(self) -> None:
        while self.arbiter.notices:
            notices, self.arbiter.notices = self.arbiter.notices, []
            for notice in notices:
                if self.notice is not None:
                    self.notice(notice)

    def _call(self, run: Run) -> None:
        member = run.member
        if member.is_async or member.group.bodies:
            self._begin(run)
            return
        answer = None
        if member.body is not None:
            self._calling = True
            try:
                answer = member.body(run)
            except Exception as error:  # a provider that raises is an outcome, not the end of the Director
                self.arbiter.fail(run, failure(member, error))
                return
            finally:
                self._calling = False
        if answer is not None and inspect.isawaitable(answer):
            self._begin(run, answer)
        else:
            self.arbiter.deliver(run)

    def _begin(self, run: Run, answer: Awaitable[Any] | None = None) -> None:
        """Hand a body that may await to a task of its own; one that has not begun is replaced by its successor."""
        if run.reason is not RunReason.STOPPED and run.node is not None and self._is_stale(run):
            if inspect.iscoroutine(answer):
                answer.close()
            return
        waiting = next((b for b in run.group.bodies if not b.begun and b.run.member is run.member), None)
        if waiting is not None and answer is None:
            waiting.run = run
            return
        self.arbiter.claim(run.group)
        self.arbiter.work()
        body = Body(run, answer, frozenset((run.type, *(g.type for g in run.group.reserved))))
        body.task = asyncio.get_running_loop().create_task(self._await(body), name=f"sayso {run.member}")
        self._bodies.add(body)
        run.group.bodies.append(body)
        body.task.add_done_callback(partial(self._ended, body))
        self._quiet.clear()

    def _is_stale(self, run: Run) -> bool:
        group = run.group
        if run.reason is RunReason.STARTED:
            return group.owner is None
        return self.arbiter.is_late(run)

    async def _await(self, body: Body) -> None:
        """Wait for whoever still holds what this body needs, then run it and deliver what it said."""
        try:
            await self._turn(body)
            body.begun = True
            member = body.run.member
            if body.answer is None and member.body is not None:
                body.answer = member.body(body.run)
            if body.answer is not None and inspect.isawaitable(body.answer):
                await body.answer
        except Exception as error:
            self._finish(body)
            if not (body.cancelled or self._closed):
                self.arbiter.fail(body.run, failure(body.run.member, error))
        else:
            self._finish(body)
            if not (body.cancelled or self._closed):
                self.arbiter.deliver(body.run)
        finally:
            self._go_on()

    async def _turn(self, body: Body) -> None:
        """Bodies of one group follow each other; a cancelled one elsewhere delays its successor a little (D59)."""
        for earlier in list(body.run.group.bodies):
            if earlier is body:
                break
            if not earlier.cancelled:
                await asyncio.wait([earlier.task])
        leaving = [other.task for other in self._bodies if other.cancelled and other.holds & body.holds]
        if leaving:
            await asyncio.wait(leaving, timeout=self.settings.grace_s)

    def _finish(self, body: Body) -> None:
        """The body is over before its pack is looked at, so that what follows does not try to cancel it."""
        with suppress(ValueError):
            body.run.group.bodies.remove(body)

    def _ended(self, body: Body, task: asyncio.Task[None]) -> None:
        self._finish(body)
        _shut(body.answer)  # cancelled before it began
        self._bodies.discard(body)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._broken = error
        if not self.arbiter.queue:
            self._rest()

    def _cancel(self, body: Body) -> None:
        if body.task.done() or body.run.reason is RunReason.STOPPED:
            return
        self._let_go(body)
        self._after(self.settings.grace_s, partial(self._evict, body))

    def _let_go(self, body: Body) -> None:
        self._finish(body)
        body.cancelled = True
        body.task.cancel()

    def evict(self) -> None:
        """End every body that was cancelled and has not ended yet: one that swallows that is never called again."""
        for body in [b for b in self._bodies if b.cancelled]:
            self._evict(body)

    def _evict(self, body: Body) -> None:
        if not body.task.done():
            _shut(body.answer)
            body.task.cancel()

    def _after(self, seconds: float, what: Job) -> None:
        def over() -> None:
            self._timers.discard(timer)
            what()

        timer = asyncio.get_running_loop().call_later(seconds, over)
        self._timers.add(timer)

    def _do(self, job: Job) -> None:
        self.arbiter.rest()
        self.arbiter.do(job)
        self._go_on()


def _shut(answer: object) -> None:
    if inspect.iscoroutine(answer):
        with suppress(RuntimeError, ValueError):  # it goes on all the same, or runs at this moment
            answer.close()


def failure(member: Member, error: Exception) -> Failed:
    """The reason in an exception that a body raised, in words for whoever plans next."""
    if isinstance(error, SkillFailed):
        return Failed(str(error), error.code, error.about)
    if not isinstance(error, SaysoError):  # a bug; often nobody waits for a provider, and its traceback ends here
        log.error("%s broke", member, exc_info=error)
    return Failed(f"{member} raised {type(error).__name__}: {error}")
