"""The course of a mission under the planner `rolling`: what was asked for, what came of it, and whether that is new."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sayso.planners.rolling_answer import Answer
from sayso.roles import Attempt, Brief
from sayso.scene import Pose, wrap
from sayso.task import PURSUED, Ran, Task

MOVED_M = 0.3
TURNED_RAD = math.pi / 6
ENDINGS_SHOWN = 6
LASTED_S = 2.0
"""A lasting task counts as having happened after this."""


@dataclass(frozen=True, slots=True)
class State:
    """What a robot does, what is believed and where it stands, comparable. That time goes by is no news."""

    words: tuple[str, ...] = ()
    distances_m: tuple[float, ...] = ()
    place: Pose = Pose()

    def like(self, other: State) -> bool:
        if self.words != other.words:
            return False
        if any(abs(a - b) >= MOVED_M for a, b in zip(self.distances_m, other.distances_m, strict=True)):
            return False
        turned = abs(wrap(self.place.yaw_rad - other.place.yaw_rad))
        return turned < TURNED_RAD and self.place.distance_m(other.place) < MOVED_M


def state_of(brief: Brief) -> State:
    seen = brief.seen
    own = (seen.state.doing, seen.state.holding) if seen.state else ("", "")
    gists = [belief.gist() for belief in seen.believed]
    return State((*own, *(words for words, _ in gists)), tuple(far_m for _, far_m in gists), seen.scene.observer)


@dataclass(slots=True)
class Wish:
    """A task that was asked for, since when under this request, and how it ended, if it has."""

    task: Task
    since_s: float
    ended: Ran | None = None


def pursued(skill: str, seconds: float) -> Ran:
    """A task that goes on."""
    return Ran(skill, outcome=PURSUED, reason=f"for {seconds:.0f} s", value=round(seconds))


class Course:
    """One request from its first round to its last. `inherited` are the tasks still in force from the one before."""

    def __init__(self, request: str, start: State, inherited: Sequence[Task] = ()) -> None:
        self.request = request
        self.wishes: dict[str, Wish] = {}
        self.told: list[str] = []
        self.idle = self.failures = 0
        self._inherited = {t.type: t for t in inherited}
        self._start = start
        self._seen = [start]
        self._endings: list[Ran] = []
        self._ended_in: dict[str, list[State]] = {}
        self._asked: set[str] = set()
        self._late: set[str] = set()
        self._changed = False
        self._fresh = False

    @property
    def in_force(self) -> tuple[Task, ...]:
        """What is pursued at this moment."""
        return tuple(w.task for w in self.wishes.values() if not w.ended) or tuple(self._inherited.values())

    def see(self, state: State, ended: Sequence[Ran]) -> None:
        """Take in how things stand. The same end in the same state again is no progress."""
        self._changed = self._changed or not state.like(self._start)
        for one in ended:
            if one.skill in self.wishes and one.outcome != "preempted":  # that was our own doing
                self.wishes[one.skill].ended = one
                self._late.add(one.skill)
                self._endings.append(one)
                places = self._ended_in.setdefault(str(one), [])
                if one.done and not any(map(state.like, places)):
                    places.append(state)
                    self._seen, self._fresh = [state], True
        if not any(map(state.like, self._seen)):
            self._seen.append(state)
            self._fresh = True

    def take(self, answer: Answer, now_s: float) -> tuple[Task, ...]:
        """The tasks of a new answer. What goes on unchanged keeps its task, so that it is not begun again; what ended
        while the model was thinking is not wanted anew, since the model did not know."""
        before = {n: w.task for n, w in self.wishes.items() if not w.ended} or self._inherited
        began = {n: w.since_s for n, w in self.wishes.items() if not w.ended}
        late = {n: w for n, w in self.wishes.items() if n in self._late}
        self.wishes = {}
        for name, priority in answer.tasks.items():
            if name in late:
                self.wishes[name] = late[name]
                continue
            task = before.get(name)
            if task is None or task.priority != priority:
                task = Task(name, priority=priority, optional=True)
            self.wishes[name] = Wish(task, began.get(name, now_s))
        self._inherited = {}
        self._fresh = self._fresh or not set(answer.tasks) <= self._asked
        self._asked |= set(answer.tasks)
        return self.in_force

    def drop(self) -> None:
        """Pursue nothing."""
        self.wishes, self._inherited = {}, {}

    def asked(self) -> None:
        """A prompt has been made; what ends from here on the model does not know."""
        self._late.clear()

    def history(self, now_s: float) -> tuple[Attempt, ...]:
        """The last answer, and what became of it."""
        if not self.wishes and not self._endings:
            return ()
        plan = "\n".join(f"Task: {n} Priority: {w.task.priority}" for n, w in self.wishes.items())
        going = [pursued(n, now_s - w.since_s) for n, w in self.wishes.items() if not w.ended]
        return (Attempt(plan, (*self._endings[-ENDINGS_SHOWN:], *going)),)

    def evidence(self, now_s: float, lasting: frozenset[str]) -> str:
        """What has visibly happened since the request; empty when nothing has."""
        if done := [one for one in self._endings if one.done]:
            return str(done[-1])
        for name, wish in self.wishes.items():
            if name in lasting and now_s - wish.since_s >= LASTED_S:
                return f"{name} has gone on for {now_s - wish.since_s:.0f} s"
        return "the state is another one than at the request" if self._changed else ""

    def end_round(self, failed: bool) -> None:
        """Count the rounds in which nothing was new, and of these the ones in which no answer came."""
        self.idle = 0 if self._fresh else self.idle + 1
        self.failures = self.failures + 1 if failed else 0
        self._fresh = False
