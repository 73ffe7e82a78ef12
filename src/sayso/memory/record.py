"""The events of one mission, sorted by who plays them back, and the order in which they are played."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

from sayso import events as ev
from sayso.errors import JournalError, SaysoError

UNCOMPARED = (ev.Moved, ev.SkillEnded, ev.Understood, ev.Warned)
"""What a replay need not repeat: poses are played to it, warnings tell a person of what is compared anyway, what a
composed skill came to follows from what it called, and what was understood from the plan and stands in the end."""

OF_TASKS = (ev.TaskStarted, ev.TaskEnded, ev.TaskSuspended, ev.TaskResumed)

LATE_S = 5.0
"""How long a replay that lacks something goes on waiting for it, on its own clock."""


class Diverged(SaysoError):
    """Raised when the replay asks for something else than the record holds."""


class Record:
    """One mission's events, by who plays them back.

    `calls` are the tasks of statements, one list of events each, from the start (or the limit that refused it) to the
    end, with what the skill said, saw and asked. `asides` happened beside them: what guards did, what a steering
    planner pursued. `size` counts what is compared. `diverged` says what a replay asked for that is not there.
    """

    def __init__(self, events: Sequence[ev.Event]) -> None:
        if not events or not isinstance(events[0], ev.MissionStarted):
            raise JournalError("a mission's record begins with MissionStarted; this one does not")
        end = next((n for n, e in enumerate(events, start=1) if isinstance(e, ev.MissionEnded)), len(events))
        self.events = tuple(events[:end])
        self.started: ev.MissionStarted = events[0]
        self.ended = next((e for e in events if isinstance(e, ev.MissionEnded)), None)
        self.stop = next((e for e in events if isinstance(e, ev.StopAsked)), None)
        self.looks = [e for e in events if isinstance(e, ev.Observed) and e.task == 0]
        self.moves = [e for e in events if isinstance(e, ev.Moved)]
        self.approvals = [e for e in events if isinstance(e, ev.ApprovalGiven)]
        self.probes = {e.call for e in events if isinstance(e, ev.Prompted) and e.purpose == "probe"}
        self.calls: list[list[ev.Event]] = []
        self.asides: list[ev.Event] = []
        self.diverged = ""
        self._sort()
        compared = [e for e in self.events if not isinstance(e, UNCOMPARED)]
        self.size = len(compared)
        self._places = {id(e): n for n, e in enumerate(compared)}

    def _sort(self) -> None:
        current: list[ev.Event] | None = None
        pursued = {e.task for e in self.events if isinstance(e, ev.TaskStarted) and not e.statement}
        for event, after in zip(self.events, (*self.events[1:], None), strict=True):
            if isinstance(event, OF_TASKS) and event.task in pursued:
                self.asides.append(event)
            elif isinstance(event, ev.LimitHeld) and not _refuses(event, after):
                self.asides.append(event)
            elif isinstance(event, ev.TaskEnded):
                self.calls.append([*(current or ()), event])
                current = None
            elif isinstance(event, ev.TaskStarted | ev.LimitHeld):
                current = [*(current or ()), event]
            elif isinstance(event, ev.TaskSuspended | ev.TaskResumed) or self._of_a_body(event):
                (self.asides if current is None else current).append(event)
            elif isinstance(event, ev.Stopped):
                self.asides.append(event)
        if current:
            self.calls.append(current)

    def _of_a_body(self, event: ev.Event) -> bool:
        """Whether a skill's body made this event: it said, saw, showed or asked something."""
        if isinstance(event, ev.Observed):
            return event.task != 0
        if isinstance(event, ev.Prompted | ev.AnswerEnded | ev.AnswerFailed):
            return event.call in self.probes
        if isinstance(event, ev.Said):
            return not event.itself
        return isinstance(event, ev.PictureTaken | ev.Judged)

    @property
    def cut(self) -> bool:
        """Whether the record breaks off, by a stop or by the death of the process, so that more could have come."""
        return self.ended is None or self.stop is not None

    def place(self, event: ev.Event) -> int:
        """How many events of this record came before one of them; poses and warnings do not count."""
        return self._places[id(event)]

    def before_stop(self, event: ev.Event) -> bool:
        """Whether an event of this record came before the stop, where there was one."""
        return self.stop is None or self.place(event) < self.place(self.stop)

    @property
    def caught(self) -> bool:
        """Whether the stop met a call that had been asked for and had not begun."""
        return any(not self.before_stop(call[0]) for call in self.calls)

    async def beyond(self, wanted: str) -> NoReturn:
        """Raises `Diverged` for what the record does not hold, and waits for ever where it was cut."""
        if self.cut:
            await never()
        self.part(f"the record ends before {wanted}")

    def part(self, reason: str) -> NoReturn:
        """Note that the replay goes another way from here. Raises `Diverged`."""
        self.diverged = self.diverged or reason
        raise Diverged(reason)


async def never() -> NoReturn:
    """Wait for ever, until cancelled: for what the record does not tell."""
    await asyncio.Event().wait()
    raise AssertionError("nobody sets that event")


class PlaybackOrder:
    """Keeps the record's order while it is played: an event has its turn at its time, once all that came before it
    have happened again. Make it on the running loop, when the mission begins.

    `caught` is told when a call is asked for that the stop caught before it began.
    """

    def __init__(self, record: Record) -> None:
        self.caught: Callable[[], None] = lambda: None
        self._record = record
        self._origin_s = asyncio.get_running_loop().time()
        self.happened = 0
        self._more = asyncio.Event()

    def count(self, event: ev.Event) -> None:
        """Count an event of the replay."""
        if not isinstance(event, UNCOMPARED):
            self.happened += 1
            self._more.set()

    def left_s(self, at_s: float) -> float:
        """Seconds until what the record has at that time is due."""
        left_s = self._origin_s + at_s - asyncio.get_running_loop().time()
        return left_s if left_s > 1e-6 else 0.0

    def ready(self, event: ev.Event) -> bool:
        """Whether all that came before it has happened again."""
        return self.happened >= self._record.place(event)

    async def turn(self, event: ev.Event) -> None:
        """Return when a recorded event has its turn; at once, without letting others run, where it has it already.

        What never happens again is not waited for longer than `LATE_S`: the comparison will tell what it was.
        """
        if left_s := self.left_s(event.at_s):
            await asyncio.sleep(left_s)
        with suppress(TimeoutError):
            async with asyncio.timeout(LATE_S):
                while not self.ready(event):
                    self._more.clear()
                    await self._more.wait()


def _refuses(held: ev.LimitHeld, after: ev.Event | None) -> bool:
    """Whether a limit was held against the task that ends with the next event, and not against the robot."""
    return isinstance(after, ev.TaskEnded) and after.outcome == "refused" and after.skill == held.skill
