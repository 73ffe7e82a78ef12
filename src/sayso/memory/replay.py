"""A mission once more, from its record: the robot, its sensors and the person are played back, the rest really runs.

The planner, the language and the agent are the real ones, so a replay that ends otherwise shows a change in them. What
the record fixes is everything from outside: model text with its timing, scenes, task outcomes, stops, approvals.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from sayso.errors import JournalError, SaysoError
from sayso.events import (
    ApprovalGiven,
    Event,
    MissionEnded,
    MissionStarted,
    Moved,
    Observed,
    StopAsked,
    Stopped,
    TaskEnded,
    TaskStarted,
    to_json,
)
from sayso.parts import Robot, RobotState
from sayso.scene import Pose, Scene, scene_from
from sayso.skill import Value
from sayso.task import Done, Failed, Outcome, Preempted, Refused, Task

Emit = Callable[[Event], None]


class Diverged(SaysoError):
    """The replay wanted something else than what the record holds."""


class Record:
    """One mission's events, sorted by who has to play them."""

    def __init__(self, events: Sequence[Event]) -> None:
        if not events or not isinstance(events[0], MissionStarted):
            raise JournalError("a mission's record begins with MissionStarted; this one does not")
        self.events = tuple(events)
        self.started: MissionStarted = events[0]
        self.ended = next((e for e in events if isinstance(e, MissionEnded)), None)
        self.stop = next((e for e in events if isinstance(e, StopAsked)), None)
        self.stopped = next((e for e in events if isinstance(e, Stopped)), None)
        self.approvals = [e for e in events if isinstance(e, ApprovalGiven)]
        self.looks = [e for e in events if isinstance(e, Observed) and e.task == 0]
        self.moves = [e for e in events if isinstance(e, Moved)]
        self.tasks = list(_tasks(events))


def _tasks(events: Iterable[Event]) -> Iterable[list[Event]]:
    """The events of each task, from its start (or its refusal) to its end, other players' events left out."""
    outside = (ApprovalGiven, Moved, MissionEnded, StopAsked, Stopped)
    current: list[Event] = []
    for event in events:
        if isinstance(event, TaskStarted):
            current = [event]
        elif isinstance(event, TaskEnded):
            yield [*current, event]
            current = []
        elif current and not isinstance(event, outside) and _inside(event):
            current.append(event)
    if current:
        yield current


def _inside(event: Event) -> bool:
    """Whether a skill's body made this event: it said, saw, showed or asked something."""
    kind = type(event).__name__
    if kind in ("Said", "PictureTaken", "Warned", "LimitHeld"):
        return True
    return kind == "Observed" and getattr(event, "task", 0) != 0


class RecordedExecutive:
    """Plays every task's recorded events at their times and gives its recorded outcome."""

    def __init__(self, record: Record, emit: Emit) -> None:
        self._tasks = deque(record.tasks)
        self._record, self.emit = record, emit
        self._stopped_by = ""
        self._origin_s = asyncio.get_running_loop().time()

    @property
    def stopped_by(self) -> str:
        return self._stopped_by

    async def do(self, task: Task, statement: int = 0) -> Outcome:
        """The recorded outcome of the same task. Raises `Diverged` when another task is asked for."""
        if not self._tasks:
            raise Diverged(f"the record ends before {task.type}{tuple(task.data)}")
        events = self._tasks.popleft()
        first = events[0]
        same = first.skill == task.type if isinstance(first, TaskStarted | TaskEnded) else False
        if isinstance(first, TaskStarted) and tuple(first.args) != tuple(task.data):
            same = False
        if not same:
            raise Diverged(f"the record has {first} where the plan asks for {task.type}{tuple(task.data)}")
        for event in events:
            await self._until(event.at_s)
            self.emit(event)
        last = events[-1]
        if not isinstance(last, TaskEnded):
            await asyncio.Event().wait()  # the record holds no end: a stop, or the death of the process, comes next
        assert isinstance(last, TaskEnded)
        return _outcome(last)

    async def _until(self, at_s: float) -> None:
        await asyncio.sleep(max(0.0, self._origin_s + at_s - asyncio.get_running_loop().time()))

    def stop(self, by: str) -> None:
        if not self._stopped_by:
            self._stopped_by = by
            self.emit(StopAsked(by=by))

    async def settled(self) -> None:
        """Wait as long as the robot took to confirm."""
        if self._record.stopped:
            await self._until(self._record.stopped.at_s)
            self.emit(self._record.stopped)

    def release(self, by: str) -> None:
        self._stopped_by = ""


def _outcome(ended: TaskEnded) -> Outcome:
    value: Value = ended.value
    match ended.outcome:
        case "done":
            return Done(value, replan=ended.detail)
        case "failed":
            return Failed(ended.detail)
        case "preempted":
            return Preempted(ended.detail)
    return Refused("recorded", ended.detail, "as recorded")


class RecordedEyes:
    """The scenes that a planner was shown, in order."""

    def __init__(self, record: Record) -> None:
        self._looks = deque(record.looks)

    async def look(self) -> Scene:
        if not self._looks:
            raise Diverged("the record holds no further look at the scene")
        return scene_from(self._looks.popleft().scene)


class RecordedRobot(Robot):
    """A robot that is where the record says it was. It cannot be moved."""

    name = "recorded"

    def __init__(self, record: Record, kind: str) -> None:
        self._moves = record.moves
        self.kind = kind  # type: ignore[misc]  # one class plays every kind
        self._origin_s: float | None = None

    def state(self) -> RobotState:
        now_s = asyncio.get_running_loop().time()
        self._origin_s = now_s if self._origin_s is None else self._origin_s
        known = [m for m in self._moves if m.at_s <= now_s - self._origin_s + 1e-6] or self._moves[:1]
        if not known:
            return RobotState()
        m = known[-1]
        return RobotState(Pose(m.x_m, m.y_m, m.z_m, m.yaw_rad), m.charge)

    async def halt(self) -> None:
        """Nothing moves."""


def difference(before: Sequence[Event], after: Sequence[Event], within_s: float = 1e-3) -> str | None:
    """The first thing that went otherwise in a replay, or None. Poses and the wall's time are not compared."""

    def told(events: Sequence[Event]) -> list[Event]:
        return [e for e in events if not isinstance(e, Moved | MissionStarted)]

    then, now = told(before), told(after)
    for a, b in zip(then, now, strict=False):
        if type(a) is not type(b) or _facts(a) != _facts(b):
            return f"at {a.at_s:.2f} s the record has {_short(a)}, the replay {_short(b)}"
        if abs(a.at_s - b.at_s) > within_s:
            return f"{type(a).__name__} came at {a.at_s:.3f} s, in the replay at {b.at_s:.3f} s"
    if len(then) != len(now):
        longer, what = (then, "record") if len(then) > len(now) else (now, "replay")
        return f"only the {what} goes on with {longer[min(len(then), len(now))]}"
    return None


def _short(event: Event) -> str:
    return f"{type(event).__name__} {to_json(event)}"[:300]


def _facts(event: Event) -> dict[str, object]:
    facts: dict[str, object] = json.loads(to_json(event))
    return {k: round(v, 3) if isinstance(v, float) else v for k, v in facts.items() if k != "at_s"}
