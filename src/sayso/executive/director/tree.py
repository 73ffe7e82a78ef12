"""The things that the Director arbitrates: groups, their members, the tasks in the tree, the states that matter.

Nothing here decides. A *group* is all providers of one type; the task that owns its type is its `owner`, and that
task's children are its `subtasks`. A child knows the group that asked for it (`requester`), so walking from a node to
its requester's owner, and on, climbs to the root. Rule numbers (D1, D2, ...) are those of `docs/executive.md`.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sayso.task import Done, Outcome, Provider, Task, When, Word

if TYPE_CHECKING:
    from sayso.executive.director.reasons import Reason
    from sayso.executive.director.run import Body


@dataclass(frozen=True, slots=True)
class Settings:
    """The bounds that keep every pass finite.

    `push_patience_s`: how long a pushed provider may take to cause what it promised. `reruns_max`: how often one
    group's providers may be called before everything has been quiet once; each child adds two. `depth_max`: how deep
    the tree may grow. `settle_laps`: how many generations of runs a dying branch waits for its successor to claim what
    it held. `grace_s`: how long a cancelled body may hold up the body that takes over what it held. `wakes`: whether a
    blocked task hears of a provider that appears, is enabled or comes back (the published Director leaves it asleep).
    """

    push_patience_s: float = 10.0
    reruns_max: int = 1000
    depth_max: int = 64
    settle_laps: int = 8
    grace_s: float = 1.0
    wakes: bool = True


class State:
    """The last value told, who asks for it, and which tasks wait for it."""

    __slots__ = ("name", "told", "value", "watchers", "whens")

    def __init__(self, name: str) -> None:
        self.name = name
        self.told = False
        self.value = 0
        self.whens: list[Condition] = []
        self.watchers: dict[Node, None] = {}


class Condition:
    """One `When` of one member, and whether it is met. A state that was never told meets nothing (D34)."""

    __slots__ = ("member", "met", "state", "when")

    def __init__(self, when: When, state: State, member: Member) -> None:
        self.when, self.state, self.member = when, state, member
        self.met = False
        self.refresh()

    def refresh(self) -> bool:
        """Ask again; True where the answer changed."""
        was = self.met
        self.met = self.state.told and bool(self.when.test(self.state.value))
        return self.met is not was

    def __str__(self) -> str:
        return self.when.says or self.when.state


class Member:
    """A provider in its group, with its names resolved."""

    __slots__ = ("body", "causing", "enabled", "group", "is_async", "needs", "plain", "provider", "required", "whens")

    def __init__(self, provider: Provider, group: Group) -> None:
        self.provider = provider
        self.group = group
        self.body = provider.body
        self.is_async = inspect.iscoroutinefunction(provider.body)
        self.enabled = True
        self.needs: tuple[Group, ...] = ()
        self.whens: tuple[Condition, ...] = ()
        self.causing: dict[str, int] = dict(provider.causing)
        self.required: tuple[str, ...] = provider.triggers
        self.plain = not provider.needs and not provider.when

    def __str__(self) -> str:
        return str(self.provider)


class Group:
    """All providers of one type, and who owns the type. A group acts as one requester (D5)."""

    __slots__ = (
        "active", "bodies", "done", "holders", "is_root", "members", "outcome", "owner", "plain", "pushed",
        "pusher", "raised", "reserved", "runs", "runs_in", "said_done", "starts", "stops", "subtasks", "trying",
        "type", "waits", "watchers", "watching", "zombie",
    )  # fmt: skip

    def __init__(self, type: str, is_root: bool = False) -> None:
        self.type = type
        self.is_root = is_root
        self.members: list[Member] = []
        self.starts: list[Member] = []
        self.stops: list[Member] = []
        self.plain: Member | None = None
        self.owner: Node | None = None
        self.active: Member | None = None
        self.zombie = False
        self.done = False
        self.said_done: Node | None = None
        self.outcome: Outcome | None = None
        self.subtasks: list[Node] = []
        self.waits: list[Wait] = []
        self.watchers: dict[Node, None] = {}
        self.watching: list[tuple[Group | State, Node]] = []
        self.pusher: Node | None = None
        self.pushed: Member | None = None
        self.reserved: tuple[Group, ...] = ()
        self.holders: dict[Group, None] = {}
        self.trying = False
        self.raised = False
        self.runs = 0
        self.runs_in = -1
        self.bodies: list[Body] = []

    def sort_out(self) -> None:
        """Find the member that answers most questions at once: the first enabled one, where it asks for nothing."""
        first = next((m for m in self.members if m.enabled), None)
        self.plain = first if first and first.plain else None

    @property
    def idle(self) -> bool:
        """Nobody provides, wants, holds or pushes it: the group can be forgotten."""
        return not (
            self.members or self.starts or self.stops or self.owner or self.watchers or self.holders or self.subtasks
        )

    def __str__(self) -> str:
        return f"root {self.type}" if self.is_root else self.type


class Node:
    """A task in the tree: one emission. Two emissions of one type are two nodes (D2).

    `priority` and `optional` may be lowered when a weaker emission of the same type replaces this one (D19). `dying`
    says that its parent has left it out. `reason` is the last decision about it.
    """

    __slots__ = (
        "armed", "data", "depth", "dying", "given_up", "group", "name", "optional", "priority", "reason", "requester",
        "suspended", "task", "type",
    )  # fmt: skip

    def __init__(
        self, type: str, data: Any, priority: int, optional: bool, name: str, requester: Group, task: Task | None = None
    ) -> None:
        self.type = type
        self.data = data
        self.priority = priority
        self.optional = optional
        self.name = name
        self.requester = requester
        self.task = task
        self.group: Group | None = None
        self.dying = False
        self.depth: int = requester.owner.depth + 1 if requester.owner is not None else 0
        self.suspended = False
        self.armed = 0
        self.given_up: tuple[Member, ...] = ()
        self.reason: Reason | None = None

    @property
    def runs(self) -> bool:
        return self.group is not None and self.group.owner is self

    def as_task(self) -> Task:
        """The Task that was emitted; made on demand where the body gave only a type."""
        if self.task is None:
            self.task = Task(self.type, self.data, self.priority, self.optional, self.name)
        return self.task

    def ancestors(self) -> Iterator[Node]:
        """This node, its parent, and so on to the root task."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.requester.owner

    def __str__(self) -> str:
        return self.name or self.type


class Wait:
    """A child that only lets time pass; it competes for nothing (D17)."""

    __slots__ = ("group", "member", "seconds")

    def __init__(self, seconds: float, group: Group, member: Member) -> None:
        self.seconds, self.group, self.member = seconds, group, member


class Progress(enum.Enum):
    """How a used type stands for the one who asks (D50)."""

    NO_TASK = "not asked for"
    QUEUED = "asked for, waiting"
    RUNNING = "asked for, running"


@dataclass(frozen=True, slots=True)
class Uses:
    """What a provider sees of a type that it uses, as it was when the run was scheduled."""

    progress: Progress = Progress.NO_TASK
    done: bool = False
    outcome: Outcome | None = None

    @property
    def value(self) -> Any:
        """What the task found, where it said Done."""
        return self.outcome.value if isinstance(self.outcome, Done) else None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a task that whoever asked for it may want to know.

    `what` is ended, suspended, resumed, gave_up or raised; `outcome` belongs to ended, `text` says why or by whom.
    """

    what: str
    task: Task
    outcome: Outcome | None = None
    text: str = ""
    error: BaseException | None = None


__all__ = [
    "Condition", "Group", "Member", "Node", "Notice", "Progress", "Settings", "State", "Uses", "Wait", "Word",
]  # fmt: skip
