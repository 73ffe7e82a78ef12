"""The arbiter's registry of providers, queue of commands and list of jobs.

A job of the arbiter's own may stand in the queue as well: its turn comes after the runs that were scheduled before it
(D54, D55). `Later` and `Cancel` are for the loop, which has a clock and tasks.

The registry holds who provides what: groups, states, and the three ways to look a provider up (type, promise, message).
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from sayso.errors import UsageError
from sayso.executive.director.terms import Notice, Progress, Settings, Uses
from sayso.executive.director.tree import Body, Condition, Group, Member, Run, State
from sayso.task import Provider, Word


class Registry:
    """Groups by type, states by name. A group lives while somebody provides, wants, holds or needs its type."""

    def __init__(self) -> None:
        self.groups: dict[str, Group] = {}
        self.states: dict[str, State] = {}
        self.members: dict[Provider, Member] = {}
        self._causes: dict[str, list[Member]] = {}
        self._listeners: dict[str, list[Member]] = {}
        self._needed: dict[str, int] = {}
        self._strays: set[Group] = set()

    def group(self, type: str) -> Group:
        """The group of a type that somebody asked for; made where nobody provides it, so that it can be watched."""
        found = self.groups.get(type)
        if found is None:
            found = self.groups[type] = Group(type)
            self._strays.add(found)
        return found

    def state(self, name: str) -> State:
        return self.states.setdefault(name, State(name))

    def helpers(self, state: str) -> list[Member]:
        """The members that promise a state."""
        return self._causes.get(state, [])

    def listeners(self, message: str) -> list[Member]:
        return self._listeners.get(message, [])

    def add(self, provider: Provider) -> Member:
        """Rule D3. Raises `UsageError` where a Start or Stop asks for what only a Provide may ask."""
        if provider in self.members:
            raise UsageError(f"provider {provider} is registered already")
        if provider.word is not Word.PROVIDE and (provider.needs or provider.when or provider.causing):
            raise UsageError(
                f"{provider}: {provider.word.name} may not have needs, when or causing; put them on Provide"
            )
        group = self.group(provider.provides)
        member = self.members[provider] = Member(provider, group)
        self._shelf(member).append(member)
        self._link(member)
        self._strays.difference_update((group, *member.needs))
        return member

    def _link(self, member: Member) -> None:
        provider = member.provider
        member.needs = tuple(map(self.group, provider.needs))
        member.whens = tuple(Condition(w, self.state(w.state), member) for w in provider.when)
        for condition in member.whens:
            condition.state.whens.append(condition)
        for name in member.causing:
            self._causes.setdefault(name, []).append(member)
        for name in (*provider.triggers, *provider.hears):
            self._listeners.setdefault(name, []).append(member)
        for type in provider.needs:
            self._needed[type] = self._needed.get(type, 0) + 1

    def drop(self, provider: Provider) -> Member:
        """Take a provider out of every list. Raises `UsageError` where it is not registered."""
        member = self.find(provider)
        del self.members[provider]
        self._shelf(member).remove(member)
        for condition in member.whens:
            condition.state.whens.remove(condition)
        for name in member.causing:
            self._causes[name].remove(member)
        for name in (*provider.triggers, *provider.hears):
            self._listeners[name].remove(member)
        for type in provider.needs:
            self._needed[type] -= 1
        self._strays.update((member.group, *member.needs))
        return member

    def find(self, provider: Provider) -> Member:
        member = self.members.get(provider)
        if member is None:
            raise UsageError(f"provider {provider} is not registered")
        return member

    def sweep(self) -> None:
        """Forget types that nobody cares for any more: a model may invent many."""
        for group in [g for g in self._strays if g.idle and not self._needed.get(g.type)]:
            self._strays.discard(group)
            self.groups.pop(group.type, None)

    def _shelf(self, member: Member) -> list[Member]:
        group = member.group
        return {Word.PROVIDE: group.members, Word.START: group.starts, Word.STOP: group.stops}[member.provider.word]


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
