"""The nodes of the Director's tree: groups, their members, tasks, states and conditions.

Nothing here decides. A *group* is all providers of one type; the task that owns its type is its `owner`, and that
task's children are its `subtasks`. A child knows the group that asked for it (`requester`), so walking from a node to
its requester's owner, and on, climbs to the root. A *run* is one call of a member's body: all that it emits is
delivered as one pack when it returns, and what it is told was bound when it was scheduled (D12). Rule numbers (D1, D2,
...) are those of `docs/executive.md`.
"""

from __future__ import annotations

import asyncio
import enum
import inspect
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sayso.errors import UsageError
from sayso.executive.director.terms import Because, Uses
from sayso.task import Done, Outcome, Provider, RunReason, Task, When


@dataclass(slots=True, eq=False, repr=False)
class State:
    """The last value told, who asks for it, and which tasks wait for it."""

    name: str
    told: bool = False
    value: int = 0
    whens: list[Condition] = field(default_factory=list)
    watchers: dict[Node, None] = field(default_factory=dict)


@dataclass(slots=True, eq=False, repr=False)
class Condition:
    """One `When` of one member, and whether it is met. A state that was never told meets nothing (D34)."""

    when: When
    state: State
    member: Member
    met: bool = False

    def __post_init__(self) -> None:
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

    __slots__ = ("asks", "body", "causing", "enabled", "group", "is_async", "needs", "plain", "provider", "whens")

    def __init__(self, provider: Provider, group: Group) -> None:
        self.provider = provider
        self.group = group
        self.body = provider.body
        self.is_async = inspect.iscoroutinefunction(provider.body)
        self.enabled = True
        self.needs: tuple[Group, ...] = ()
        self.whens: tuple[Condition, ...] = ()
        self.causing: dict[str, int] = dict(provider.causing)
        self.asks = bool(provider.needs or provider.uses or provider.triggers or provider.hears)
        self.plain = None if provider.needs or provider.when else Solution(Status.RUNNABLE, self)

    def __str__(self) -> str:
        return str(self.provider)


@dataclass(slots=True, eq=False, repr=False)
class Group:
    """All providers of one type, and who owns the type. A group acts as one requester (D5)."""

    type: str
    is_root: bool = False
    members: list[Member] = field(default_factory=list)
    starts: list[Member] = field(default_factory=list)
    stops: list[Member] = field(default_factory=list)
    owner: Node | None = None
    active: Member | None = None
    done: bool = False
    said_done: Node | None = None
    outcome: Outcome | None = None
    subtasks: list[Node] = field(default_factory=list)
    wait: Run | None = None
    watchers: dict[Node, None] = field(default_factory=dict)
    watching: list[tuple[Group | State, Node]] = field(default_factory=list)
    pusher: Node | None = None
    pushed: Member | None = None
    reserved: tuple[Group, ...] = ()
    holders: dict[Group, None] = field(default_factory=dict)
    trying: bool = False
    raised: bool = False
    runs: int = 0
    runs_in: int = -1
    bodies: list[Body] = field(default_factory=list)

    @property
    def idle(self) -> bool:
        """Nobody provides, wants, holds or pushes it: the group can be forgotten."""
        return not (
            self.members or self.starts or self.stops or self.owner or self.watchers or self.holders or self.subtasks
        )

    def __str__(self) -> str:
        return f"root {self.type}" if self.is_root else self.type


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """A task in the tree: one emission. Two emissions of one type are two nodes (D2).

    `priority` and `optional` may be lowered when a weaker emission of the same type replaces this one (D19). `dying`
    says that its parent has left it out. `reason` is the last decision about it.
    """

    type: str
    data: Any
    priority: int
    optional: bool
    requester: Group
    task: Task | None = None
    group: Group | None = None
    dying: bool = False
    suspended: bool = False
    armed: int = 0
    given_up: tuple[Member, ...] = ()
    reason: Reason | None = None

    @property
    def runs(self) -> bool:
        return self.group is not None and self.group.owner is self

    def as_task(self) -> Task:
        """The Task that was emitted; made on demand where the body gave only a type."""
        if self.task is None:
            self.task = Task(self.type, self.data, self.priority, self.optional)
        return self.task

    def ancestors(self) -> Iterator[Node]:
        """This node, its parent, and so on to the root task."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.requester.owner

    def __str__(self) -> str:
        return self.type if self.task is None else str(self.task)


@dataclass(frozen=True, slots=True)
class Reason:
    """One decision: its kind, the type it is about, and who stands in the way."""

    because: Because
    type: str = ""
    by: Node | None = None
    detail: str = ""

    def __str__(self) -> str:
        return self.because.value.format(
            type=self.type, by=lineage(self.by) if self.by else "nobody", detail=self.detail
        )


def lineage(node: Node) -> str:
    """`Safety (priority 100) > Legs`: from the root task down."""
    return " > ".join(map(strength, reversed(list(node.ancestors()))))


def strength(node: Node) -> str:
    """`Walk (priority 2, optional)`; what is ordinary is not said."""
    marks = [f"priority {node.priority}"] if node.priority else []
    marks += ["optional"] if node.optional else []
    return f"{node} ({', '.join(marks)})" if marks else str(node)


RUNS = Reason(Because.RUNS)
UNTRIED = Reason(Because.UNTRIED)


class Status(enum.IntEnum):
    """How far a task, or a set of them, can get. Greater is worse."""

    RUNNABLE = 0
    PUSHABLE = 1
    BLOCKED = 2


Pushes = dict[Group, list[Member]]
"""For each group the members that would do, first choice first."""


@dataclass(slots=True)
class Solution:
    """Whether a task could run; `needs` are the groups that would be taken besides its own."""

    status: Status
    member: Member | None = None
    needs: tuple[Group, ...] = ()
    pushes: Pushes = field(default_factory=dict)
    depth: int = 0
    reason: Reason = RUNS


@dataclass(slots=True, eq=False, repr=False)
class Run:
    """One call of a provider's body, handed to it: what it is told, and what it says back.

        def kick(run):
            run.emit("Legs", "kick")         # a child task; what is not emitted again is given up
            run.wait(0.5)                    # call me again in half a second

    `node` is None where an idle provider merely hears a message (D13).
    """

    member: Member
    node: Node | None
    reason: RunReason
    snapshot: dict[str, Uses] | None
    latest: dict[str, Any] | None
    child: tuple[Task, Outcome] | None = None
    pack: list[Node | Task] | None = None
    seconds: float | None = None
    kept: bool = False
    result: Done | None = None

    @property
    def data(self) -> Any:
        """The task's data, None without a task."""
        return self.node.data if self.node is not None else None

    @property
    def type(self) -> str:
        return self.member.group.type

    def emit(self, wish: str | Task, data: Any = (), *, priority: int = 0, optional: bool = False) -> None:
        """Ask for a child task. Emitting the very same Task object again keeps that child, without a new run."""
        if self.pack is None:
            self.pack = []
        if isinstance(wish, str):
            self.pack.append(Node(wish, data, priority, optional, self.member.group))
        else:
            self.pack.append(wish)

    def done(self, value: Any = None, replan: str = "") -> None:
        """Tell the parent that this task has reached its end; children stay until the parent lets go (D15)."""
        self.result = Done(value, replan)

    def wait(self, seconds: float) -> None:
        """Be called again after `seconds`, unless another pack comes first (D17)."""
        self.seconds = seconds

    def keep(self) -> None:
        """Change nothing: children, Wait and done flag stay as they are (D10). Emit nothing else."""
        self.kept = True

    def uses(self, type: str) -> Uses:
        """How a type that the provider declared in `uses` or `needs` stood when this run was scheduled (D50)."""
        if self.snapshot is None or type not in self.snapshot:
            raise UsageError(f"{self.member} asks how {type} stands; declare it: Provider(..., uses=({type!r},))")
        return self.snapshot[type]

    def message(self, name: str) -> Any:
        """The latest value of a message in `triggers` or `hears`; None where it never came."""
        return self.latest.get(name) if self.latest else None

    @property
    def group(self) -> Group:
        return self.member.group


@dataclass(slots=True, eq=False, repr=False)
class Body:
    """A body that awaits. `run` may be replaced by a later one until the body has begun; `holds` are the types that it
    makes others wait for."""

    run: Run
    answer: Awaitable[Any] | None
    holds: frozenset[str]
    begun: bool = False
    cancelled: bool = False
    task: asyncio.Task[None] = field(init=False)
