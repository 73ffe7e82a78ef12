"""The floor of the arbiter: one queue of commands, one list of jobs, and how a run gets its arguments.

A job of the arbiter's own may stand in the queue as well: its turn comes after the runs that were scheduled before it
(D54, D55). `Later` and `Cancel` are for the loop, which has a clock and tasks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from sayso.executive.director.registry import Registry
from sayso.executive.director.terms import Notice, Progress, Settings, Uses
from sayso.executive.director.tree import Body, Group, Member, Node, Run
from sayso.task import Failed, Outcome, RunReason, Task

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
    """Queue, jobs and the binding of runs. Everything else of the arbiter builds on it."""

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

    def schedule(
        self,
        member: Member,
        node: Node | None,
        reason: RunReason,
        child: tuple[Task, Outcome] | None = None,
    ) -> None:
        """Queue a run with its arguments bound (D12). Without a message that it requires there is none (D13)."""
        snapshot = latest = None
        if member.asks:
            provider = member.provider
            if any(name not in self.messages for name in provider.triggers):
                self._jobs.append(partial(self.claim, member.group))
                return
            latest = {n: self.messages.get(n) for n in (*provider.triggers, *provider.hears)}
            snapshot = {t: self.uses(member.group, t) for t in (*provider.uses, *provider.needs)}
        self.queue.append(Run(member, node, reason, snapshot, latest, child))
        group = member.group
        if group.runs_in != self.epoch:
            group.runs_in, group.runs = self.epoch, 0
        group.runs += 1
        if group.runs > self._reruns_max:
            self._restless(group)

    def _restless(self, group: Group) -> None:
        """A group that is called over and over without one quiet moment fails (D63)."""
        if group.runs > 2 * len(group.subtasks) + self._reruns_max and group.owner is not None:
            text = f"{group.type} was called {group.runs - 1} times without coming to rest"
            self._jobs.append(partial(self.fail_node, group.owner, Failed(text)))

    def claim(self, group: Group) -> None:
        """Take what the running provider of this group needs."""
        raise NotImplementedError

    def fail_node(self, node: Node, outcome: Failed) -> None:
        """Take a task out of the tree as failed; its parent hears of it."""
        raise NotImplementedError

    def start_or_stop(self, members: list[Member], node: Node, reason: RunReason) -> None:
        for member in members:
            if member.enabled:
                self.schedule(member, node, reason)

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
