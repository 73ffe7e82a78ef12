"""The synchronous agent, for scripts and notebooks: each call waits, on a loop in a thread of its own.

    from sayso import sync

    with sync.Agent(Rover()) as agent:
        print(agent.do("drive forward half a metre"))

A simulated world keeps simulated time, which stands still between wishes. An interrupt while a wish runs stops the
robot first.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Self

import sayso.agent
from sayso.clock import Clock, SimClock, WallClock, current
from sayso.planners.plan_run import Approve
from sayso.result import Result
from sayso.skill import SkillSet
from sayso.wish import Wish


class Agent:
    """`sayso.Agent` with calls that wait; it takes the same arguments, and the `clock` that it lives on.

    Opening raises what `sayso.Agent` raises, `close` `RobotError` where the robot could not be brought to rest.
    """

    def __init__(self, *given: Any, clock: Clock | None = None, **options: Any) -> None:
        clock = clock or (SimClock() if options.get("world") else WallClock())
        self._asked: queue.SimpleQueue[tuple[str | Wish, Approve | None, Future[Result]] | None] = queue.SimpleQueue()
        self._opened: Future[sayso.agent.Agent] = Future()
        self._closed: Future[None] = Future()
        live = self._live(lambda: sayso.agent.Agent(*given, **options))
        threading.Thread(target=lambda: clock.run(live), name="sayso", daemon=True).start()
        self._agent = self._opened.result()

    async def _live(self, make: Callable[[], sayso.agent.Agent]) -> None:
        """In the thread: open, do one wish after another, close."""
        try:
            agent = make()
            await agent.open()
        except BaseException as error:
            self._opened.set_exception(error)
            return
        self._opened.set_result(agent)
        try:
            while (asked := await _next(self._asked)) is not None:
                await _answer(agent, *asked)
            await agent.close()
            self._closed.set_result(None)
        except BaseException as error:
            self._closed.set_exception(error)

    def do(self, wish: str | Wish, *, approve: Approve | None = None) -> Result:
        """Do what is wished for, and tell what came of it. See `sayso.Agent.do`."""
        answer: Future[Result] = Future()
        self._asked.put((wish, approve, answer))
        try:
            return answer.result()
        except KeyboardInterrupt:
            self.stop("key")
            answer.exception()
            raise

    def stop(self, by: str = "api") -> None:
        """Bring the robot to rest, from any thread, whatever is going on; latched until `release`."""
        self._agent.stop(by)

    def release(self, by: str = "api") -> None:
        """A person lifts the stop."""
        self._agent.soon(self._agent.release, by)

    @property
    def skills(self) -> SkillSet:
        """What can be asked for."""
        return self._agent.skills

    def close(self) -> None:
        """Bring the robot to where it can be left alone, then disconnect."""
        if not self._closed.done():
            self._asked.put(None)
        self._closed.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def _next(asked: queue.SimpleQueue[Any]) -> Any:
    """What is asked next; simulated time does not go on meanwhile."""
    found: list[Any] = []

    async def wait() -> None:
        found.append(await asyncio.to_thread(asked.get))

    await current().held(wait())
    return found[0]


async def _answer(agent: sayso.agent.Agent, wish: str | Wish, approve: Approve | None, answer: Future[Result]) -> None:
    try:
        answer.set_result(await agent.do(wish, approve=approve))
    except BaseException as error:
        answer.set_exception(error)
        if not isinstance(error, Exception):
            raise
