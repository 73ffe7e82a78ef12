"""The events of one mission, sorted by who plays them back, and the comparison of two runs of it.

Several actors work side by side in a mission: a model talks, a plan is read, tasks run. What two of them do at one
instant has no order, so each actor's events are compared with its own.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NoReturn, TypeAlias

from sayso import events as ev
from sayso.errors import JournalError, SaysoError

UNCOMPARED = (ev.Moved, ev.SkillEnded, ev.Understood, ev.Warned)
"""What a replay need not repeat: poses are played to it, warnings tell a person of what is compared anyway, what a
composed skill came to follows from what it called, and what was understood from the plan and stands in the end."""

OF_TASKS = (ev.TaskStarted, ev.TaskEnded, ev.TaskSuspended, ev.TaskResumed)
MADE_BY: Mapping[str, tuple[type[ev.Event], ...]] = {
    "": (*UNCOMPARED, ev.MissionStarted),
    "plan": (ev.StatementReady, ev.PlanRefused),
    "tasks": OF_TASKS,
    "skills and guards": (ev.Said, ev.PictureTaken, ev.Judged, ev.LimitHeld),
}
"""Who makes which events; the mission all others."""

Events: TypeAlias = Sequence[ev.Event]
TIMES = ("at_s", "r_time_s", "c_time_s")
DECIMAL = re.compile(r"-?\d+\.\d+")
ROUGHLY = 0.1
NEAR = 60
"""Characters that are shown around the place where two texts part."""


def difference(then: Events, now: Events, *, within_s: float = 1e-3) -> str | None:
    """The first event of `now` that is not as in `then`, in words, or None.

    Poses, warnings and the calendar are not compared. Where `then` has no end (its process died), `now` may go on from
    there.
    """
    open_end = not any(isinstance(e, ev.MissionEnded) for e in then)
    before, after = _by_actor(then), _by_actor(now)
    faults = (_fault(before.get(a, []), after.get(a, []), within_s, open_end) for a in {**before, **after})
    return min((f for f in faults if f), default=(0.0, None))[1]


def short(event: ev.Event) -> str:
    """An event on one line, for a message."""
    line = f"{type(event).__name__} {ev.to_json(event)}"
    return line if len(line) <= 240 else f"{line[:240]}…"


def _by_actor(events: Iterable[ev.Event]) -> dict[str, list[ev.Event]]:
    sorted_: dict[str, list[ev.Event]] = {}
    for event in events:
        if actor := _actor(event):
            sorted_.setdefault(actor, []).append(event)
    return sorted_


def _actor(event: ev.Event) -> str:
    """Who made it; empty for what is not compared."""
    if isinstance(event, ev.Prompted | ev.ChunkArrived | ev.AnswerEnded | ev.AnswerFailed):
        return f"model call {event.call}"
    if isinstance(event, ev.Observed) and event.task:
        return "looks of skills"
    return next((actor for actor, made in MADE_BY.items() if isinstance(event, made)), "mission")


def _fault(then: Events, now: Events, within_s: float, open_end: bool) -> tuple[float, str] | None:
    """When two runs of one actor part, and how."""
    for a, b in zip(then, now, strict=False):
        if type(a) is not type(b):
            return a.at_s, f"at {a.at_s:.2f} s the record has {short(a)}, the replay {short(b)}"
        if unlike := _unlike(_facts(a), _facts(b)):
            return a.at_s, f"{type(a).__name__} at {a.at_s:.2f} s, {unlike}"
        if abs(a.at_s - b.at_s) > within_s:
            return a.at_s, f"{type(a).__name__} came at {a.at_s:.3f} s, in the replay at {b.at_s:.3f} s"
    if len(then) == len(now) or (open_end and len(then) < len(now)):
        return None
    longer, what = (then, "record") if len(then) > len(now) else (now, "replay")
    more = longer[min(len(then), len(now))]
    return more.at_s, f"only the {what} goes on, at {more.at_s:.2f} s with {short(more)}"


def _unlike(then: Mapping[str, object], now: Mapping[str, object]) -> str:
    """The first field that differs, from where it differs; empty where none does."""
    name = next((n for n in then if not _alike(then[n], now.get(n))), "")
    if not name:
        return ""
    a, b = (json.dumps(facts[name], ensure_ascii=False) for facts in (then, now))
    parted = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(0, parted - NEAR)
    return f"{name}: {a[start : start + 2 * NEAR]} in the record, {b[start : start + 2 * NEAR]} in the replay"


def _alike(then: object, now: object) -> bool:
    """Equal, or texts that differ in decimals only: they tell measured poses, which were played a moment apart."""
    if then == now or not (isinstance(then, str) and isinstance(now, str)):
        return then == now
    if DECIMAL.sub("", then) != DECIMAL.sub("", now):
        return False
    pairs = zip(DECIMAL.findall(then), DECIMAL.findall(now), strict=True)
    return all(abs(float(a) - float(b)) <= ROUGHLY for a, b in pairs)


def _facts(event: ev.Event) -> dict[str, object]:
    """What must be the same: not the times, which have a tolerance, and of a prompt its own words. The lines that it
    quotes were compared where they were said."""
    facts: dict[str, object] = json.loads(ev.to_json(event))
    facts = {k: round(v, 3) if isinstance(v, float) else v for k, v in facts.items() if k not in TIMES}
    if isinstance(event, ev.Prompted):
        own = ((role, [line for line in text.split("\n") if not line.startswith("|")]) for role, text in event.messages)
        facts["messages"] = [(role, "\n".join(lines)) for role, lines in own]
    return facts


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
