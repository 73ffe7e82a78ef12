"""One call of a provider's body: what it is told, and what it says back.

    def kick(run):
        run.emit("Legs", "kick")         # a child task; what is not emitted again is given up
        run.wait(0.5)                    # call me again in half a second

All that a body emits is delivered as one pack when it returns. What it is told was bound when the run was scheduled
(D12): the task's data, the reason, the state of the types it uses, the latest messages.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from sayso.errors import UsageError
from sayso.executive.director.tree import Group, Member, Node, Uses
from sayso.task import Done, Outcome, RunReason, Task

if TYPE_CHECKING:
    import asyncio


class Run:
    """Handed to every body. `node` is None where an idle provider merely hears a message (D13)."""

    __slots__ = ("child", "kept", "latest", "member", "node", "pack", "reason", "result", "seconds", "snapshot")

    def __init__(
        self,
        member: Member,
        node: Node | None,
        reason: RunReason,
        snapshot: dict[str, Uses] | None,
        latest: dict[str, Any] | None,
        child: tuple[Task, Outcome] | None = None,
    ) -> None:
        self.member = member
        self.node = node
        self.reason = reason
        self.snapshot = snapshot
        self.latest = latest
        self.child = child
        self.pack: list[Node | Task] | None = None
        self.seconds: float | None = None
        self.kept = False
        self.result: Done | None = None

    @property
    def data(self) -> Any:
        """The task's data, None without a task."""
        return self.node.data if self.node is not None else None

    @property
    def type(self) -> str:
        return self.member.group.type

    def emit(
        self, wish: str | Task, data: Any = (), *, priority: int = 0, optional: bool = False, name: str = ""
    ) -> None:
        """Ask for a child task. Emitting the very same Task object again keeps that child, without a new run."""
        if self.pack is None:
            self.pack = []
        if isinstance(wish, str):
            self.pack.append(Node(wish, data, priority, optional, name, self.member.group))
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


class Body:
    """A body that awaits. `run` may be replaced by a later one until the body has begun."""

    __slots__ = ("answer", "begun", "cancelled", "run", "task")

    def __init__(self, run: Run, answer: Awaitable[Any] | None) -> None:
        self.run = run
        self.answer = answer
        self.begun = False
        self.cancelled = False
        self.task: asyncio.Task[None] | None = None
