"""The halt of a robot, repeated until it is at rest (S1, S3, S4).

A halt that raises, hangs or changes nothing is no halt. It is tried again, with pauses that grow, for as long as the
robot does not report rest; where its adapter offers a last resort, that is used after `CUT_AFTER` tries.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from sayso.executive.state_reader import StateReader
from sayso.limits import REST_MPS
from sayso.roles import Robot

HALT_TIMEOUT_S = 5.0
REST_TIMEOUT_S = 120.0
REST_WITHIN_S = 2.0
"""How long after `halt()` has returned the robot may take to be at rest."""

AGAIN_S = 0.2
"""A robot that has not slowed down so long after it was told to halt is told again."""

PAUSE_S, PAUSE_MAX_S = 0.2, 2.0
LAND_TRIES = 5
CUT_AFTER = 5
LOOK_S = 0.05


class Halting:
    """Brings one robot to rest. `rests` hears whether it was confirmed, `warn` of trouble on the way there, and
    `driven` that somebody else goes on driving it.

    `coast_s` is how far the robot went on after a command to halt, at most so far, in seconds of its speed then: what a
    fence has to reckon with.
    """

    def __init__(
        self,
        robot: Robot,
        reading: StateReader,
        rests: Callable[[bool], None],
        warn: Callable[[str], None],
        driven: Callable[[], None],
    ) -> None:
        self._robot, self._reading, self._rests, self._warn, self._driven = robot, reading, rests, warn, driven
        self._trying: asyncio.Task[None] | None = None
        self._landing: asyncio.Task[str] | None = None
        self._told, self._hurry = asyncio.Event(), asyncio.Event()
        self._again: asyncio.Future[str] | None = None
        self._told_s = self._told_mps = 0.0
        self.failing = False
        self.coast_s = 0.0

    def command(self) -> None:
        """Halt. Returns at once; where a halt is under way that has failed so far, the next try comes at once."""
        self._now()
        if self._landing is not None:
            self._landing.cancel()
        self._told.clear()
        self._hurry.set()
        if not self.under_way:
            self._try_until_at_rest()

    def _try_until_at_rest(self) -> None:
        """The robot is told in the loop's next turn, whoever else is waiting for one."""
        halt = begun(self._robot.halt)
        self._trying = asyncio.ensure_future(self._until_at_rest(halt))
        self._trying.add_done_callback(lambda _: halt.cancel())

    def _now(self) -> None:
        """The thread-safe halt of adapters that have one needs no turn of the loop."""
        with suppress(Exception):
            self._robot.halt_now()

    @property
    def under_way(self) -> bool:
        """Whether the robot is being brought to rest."""
        return self._trying is not None and not self._trying.done()

    async def settled(self) -> None:
        """Return when the robot has confirmed that it rests, or a try has failed; trying goes on then."""
        if self.under_way:
            await self._told.wait()

    async def _until_at_rest(self, halt: asyncio.Future[object]) -> None:
        tries, pause_s = 0, PAUSE_S
        while problem := await self._once(halt):
            tries += 1
            if not self.failing:
                self.failing = True
                self._warn(f"the robot did not confirm the stop: {problem}; it is told again until it does")
            self._conclude(False)
            if tries >= CUT_AFTER and self._robot.cut is not None and self._reading.now().connected:
                await self._cut(self._robot.cut)
            self._hurry.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_s):
                    await self._hurry.wait()
            pause_s = min(2 * pause_s, PAUSE_MAX_S)
            halt = begun(self._robot.halt)
        self.failing = False
        self._conclude(True)

    def _conclude(self, confirmed: bool) -> None:
        if confirmed or not self._told.is_set():
            self._rests(confirmed)
        self._told.set()

    async def _once(self, halt: asyncio.Future[object]) -> str:
        """One halt, and whether the robot then rests; what went wrong, or nothing."""
        loop = asyncio.get_running_loop()
        there, fastest_mps = self._reading.now().pose, self._reading.speed_mps()
        if problem := await self._halted(halt):
            return problem
        deadline_s = loop.time() + REST_WITHIN_S
        while not self._reading.still():
            if loop.time() > deadline_s:
                return (
                    f"halt() returned, and it still moves or does not say that it rests ({self._reading.now().summary})"
                )
            fastest_mps = max(fastest_mps, self._reading.speed_mps())
            self._contest()
            await asyncio.sleep(LOOK_S)
        if fastest_mps > REST_MPS:
            self.coast_s = max(self.coast_s, self._reading.now().pose.distance_m(there) / fastest_mps)
        return ""

    async def _halted(self, halt: asyncio.Future[object]) -> str:
        """Wait for a halt; what went wrong, or nothing."""
        self._told_s, self._told_mps = asyncio.get_running_loop().time(), self._reading.speed_mps()
        halting = asyncio.ensure_future(bounded(halt, HALT_TIMEOUT_S))
        try:
            while not (await asyncio.wait([halting], timeout=LOOK_S))[0]:
                self._reading.now()
                self._contest()
        finally:
            halting.cancel()
        return halting.result()

    def _contest(self) -> None:
        """Where it speeds up, or does not slow down, it is told again, and whoever may drive it still is let go of."""
        now_s, speed_mps = asyncio.get_running_loop().time(), self._reading.speed_mps()
        slower_mps = self._told_mps - speed_mps
        if slower_mps < REST_MPS and speed_mps > REST_MPS:
            if slower_mps >= -REST_MPS and now_s < self._told_s + AGAIN_S:
                return
            self._driven()
            self._now()
            if self._again:
                self._again.cancel()
            self._again = asyncio.ensure_future(bounded(begun(self._robot.halt), HALT_TIMEOUT_S))
        self._told_s, self._told_mps = now_s, speed_mps

    async def _cut(self, cut: Callable[[], Awaitable[None]]) -> None:
        problem = await bounded(begun(cut), HALT_TIMEOUT_S)
        self._warn(f"the last resort was used{': ' + problem if problem else ''}")

    async def land(self) -> str:
        """Bring the robot to where it can be left alone; what went wrong, or nothing.

        Whoever asks while that is under way waits for the same (S12).
        """
        if self._landing is None or self._landing.done():
            self._landing = asyncio.ensure_future(self._land())
        landing = self._landing
        try:
            return await asyncio.shield(landing)
        except asyncio.CancelledError:
            if not landing.cancelled():
                raise
            return "it was stopped on the way to rest"

    @property
    def landing(self) -> bool:
        """Whether the robot is on its way to where it can be left alone."""
        return self._landing is not None and not self._landing.done()

    async def _land(self) -> str:
        if self._trying is not None:
            self._trying.cancel()
            self._told.set()
        for _ in range(LAND_TRIES):
            if not (problem := await self._rest()):
                self.failing = False
                return ""
            if not self._reading.now().connected:
                break
            await asyncio.sleep(PAUSE_S)
        problem = (
            f"the robot could not be brought to rest: {problem}; last known: {self._reading.now().summary or 'nothing'}"
        )
        self._warn(problem)
        if self.failing:  # the landing took the place of a halt that nobody has confirmed yet
            self._try_until_at_rest()
        return problem

    async def _rest(self) -> str:
        """One try; what went wrong, or nothing."""
        problem = await bounded(begun(self._robot.rest), REST_TIMEOUT_S)
        state = self._reading.now()
        if not problem and not state.connected:
            return "rest() returned, and the robot does not answer"
        if not problem and not state.resting:
            return "rest() returned, and it says that it does not rest"
        return problem

    async def close(self) -> None:
        """Stop trying."""
        for task in (self._trying, self._landing, self._again):
            if task is not None:
                task.cancel()
                await asyncio.wait([task], timeout=1.0)


def begun(work: Callable[[], Awaitable[object]]) -> asyncio.Future[object]:
    """Start a driver's coroutine: it is at work from the loop's next turn on."""
    task: asyncio.Future[object]
    try:
        task = asyncio.ensure_future(work())
    except Exception as error:
        task = asyncio.get_running_loop().create_future()
        task.set_exception(error)
    task.add_done_callback(_let_go)
    return task


async def bounded(task: asyncio.Future[object], seconds: float) -> str:
    """Wait for a driver for a limited time, even if it swallows its cancellation, and return what went wrong."""
    try:
        done, _ = await asyncio.wait([task], timeout=seconds)
    finally:
        task.cancel()
    if not done:
        return f"no answer within {seconds:g} s"
    if task.cancelled():
        return "cancelled"
    raised = task.exception()
    return (str(raised) or type(raised).__name__) if raised else ""


def _let_go(task: asyncio.Future[object]) -> None:
    """Where nobody waits for it any more, what came of it is no news."""
    if not task.cancelled():
        task.exception()
