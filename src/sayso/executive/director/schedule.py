"""The floor of the arbiter: one queue of commands, and one list of jobs.

A job of the arbiter's own may stand in the queue as well: its turn comes after the runs that were scheduled before it
(D54, D55). `Later` and `Cancel` are for the loop, which has a clock and tasks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from sayso.executive.director.registry import Registry
from sayso.executive.director.terms import Notice, Progress, Settings, Uses
from sayso.executive.director.tree import Body, Group, Run

JOBS_MAX = 20_000
"""Decisions that one message may cause, besides a hundred a group. Beyond it priorities must run in a circle."""

Job: TypeAlias = Callable[[], None]


@dataclass(slots=True)
class Later:
    """Do this in `seconds`."""

    seconds: float
    job: Job


@dataclass(slots=True)
class Cancel:
    """This body's task is no longer its own."""

    body: Body


Command: TypeAlias = Run | Later | Cancel | Job


class Schedule:
    """Queue and jobs. Everything else of the arbiter builds on it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.registry = Registry()
        self.queue: deque[Command] = deque()
        self.notices: list[Notice] = []
        self.messages: dict[str, Any] = {}
        self.epoch = 0
        self._jobs: deque[Job] = deque()
        self._tired = False
        self._reruns_max = settings.reruns_max

    def work(self) -> None:
        """Look at every consequence of the last decision until none is left."""
        left = JOBS_MAX + 100 * len(self.registry.groups)
        while self._jobs:
            self._jobs.popleft()()
            left -= 1
            self._tired = left <= 0  # priorities run in a circle: waiting tasks stay put
        self._tired = False
        self.registry.sweep()

    def do(self, job: Job) -> None:
        """A job whose turn in the queue has come, or whose time."""
        job()
        self.work()

    def cancel_bodies(self, group: Group) -> None:
        """Whatever still awaits on behalf of this group has lost its task (D59)."""
        self.queue.extend(Cancel(body) for body in group.bodies)

    def uses(self, group: Group, type: str) -> Uses:
        """How `type` stands for the requester `group` (D50)."""
        used = self.registry.groups.get(type)
        if used is None:
            return Uses()
        if used.owner is not None and used.owner.requester is group:
            progress = Progress.RUNNING
        elif any(child.type == type for child in group.subtasks):
            progress = Progress.QUEUED
        else:
            progress = Progress.NO_TASK
        return Uses(progress, used.done, used.outcome)
