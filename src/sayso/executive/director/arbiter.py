"""The Director's arbitration, pure and synchronous, and its tree in words and data.

Each public method takes one message (a pack, a root task, a state, a provider that comes or goes), changes the tree and
appends what follows from it to `queue`: runs of bodies in first-in-first-out order, timers, cancellations. Whoever owns
the arbiter drains the queue and reports back.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from sayso.executive.director.branches import Branches
from sayso.executive.director.schedule import Later
from sayso.executive.director.terms import Notice, Settings, Uses
from sayso.executive.director.tree import Group, Node, Run, lineage, strength
from sayso.task import Done, Failed, Provider, RunReason, Task, Word


class Arbiter(Branches):
    """The Director without its loop. Not thread-safe, not re-entrant: one message at a time (D11)."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings or Settings())
        self.roots: dict[str, Group] = {}

    def register(self, provider: Provider) -> None:
        """Add a provider; tasks that were blocked for want of it try again (D47, D61)."""
        member = self.registry.add(provider)
        if member.provider.word is Word.PROVIDE:
            self._welcome(provider)

    def enable(self, provider: Provider) -> None:
        """Enable a provider: running tasks stay with theirs, blocked ones try again (D48, D61)."""
        member = self.registry.find(provider)
        if not member.enabled:
            member.enabled = True
            self._welcome(provider)

    def disable(self, provider: Provider) -> None:
        """Hide a provider from every later question. Where it is active it stays so (D48)."""
        member = self.registry.find(provider)
        member.enabled = False
        self.wake(member.group)  # the next choice may need less than this one did
        self.work()

    def unregister(self, provider: Provider) -> None:
        """Remove a provider; what it was doing is given to another, or waits (D49)."""
        member = self.registry.drop(provider)
        group = member.group
        member.enabled = False
        if group.pushed is member and group.pusher is not None:
            self._jobs.append(partial(self._retry, group.pusher.requester))
            self.unpush(group)
        if group.active is member and group.owner is not None:
            self._jobs.append(partial(self._retry, group.owner.requester))
        self.wake(group)
        self.work()

    def _welcome(self, provider: Provider) -> None:
        self.wake(self.registry.group(provider.provides))
        for name in provider.causing:
            self.wake(self.registry.state(name))
        self.work()

    def emit(self, task: Task) -> None:
        """Add a root task, delivered at once; data None takes the earlier one of its type back (D7)."""
        root = self.roots.get(task.type)
        if root is None:
            if task.data is None:
                return
            root = self.roots[task.type] = Group(task.type, is_root=True)
        self.accept(root, [] if task.data is None else [self._node(root, task)])
        self.work()
        self._forget_root(root)

    def _node(self, group: Group, wish: Task) -> Node:
        """The very same Task is the same wish: its node stays. Any other is another wish (D2)."""
        for child in group.subtasks:
            if child.task is wish:
                return child
        return Node(wish.type, wish.data, wish.priority, wish.optional, group, wish)

    def _forget_root(self, root: Group) -> None:
        if not root.subtasks and self.roots.get(root.type) is root:
            self.unwatch(root)
            del self.roots[root.type]

    def deliver(self, run: Run) -> None:
        """Accept the pack of a body that has returned, unless the task has left it in the meantime (D8, D14)."""
        member, node = run.member, run.node
        group = member.group
        if (node is not group.owner or member is not group.active) and self.is_late(run):
            return
        if run.kept:
            if not all(child.runs for child in group.subtasks):
                self._jobs.append(partial(self._retry, group))  # the one that they waited for may have failed
        elif run.result is not None:
            self._done(group, run.result)
        elif run.pack is None and not group.subtasks and not group.wait and run.seconds is None:
            group.done, group.outcome = False, None
        else:
            group.done, group.outcome = False, None
            group.wait = run if run.seconds is not None else None
            if run.seconds is not None:
                self.queue.append(Later(max(0.0, run.seconds), partial(self._wait_over, run)))
            self.accept(group, self._pack(group, run))
        if group.reserved and node is group.owner:
            self.claim(group)
        if group.raised:
            group.raised = False
            self._jobs.append(partial(self.encourage, group))
        if self._jobs:
            self.work()

    def is_late(self, run: Run) -> bool:
        """Whether the provider is no longer the active one of its group, or the type has gone to another requester."""
        group = run.member.group
        owner = group.owner
        if group.active is not run.member or owner is None or run.node is None:
            return True
        return owner.requester is not run.node.requester

    def _pack(self, group: Group, run: Run) -> list[Node]:
        nodes = [w if isinstance(w, Node) else self._node(group, w) for w in run.pack or ()]
        return [n for n in nodes if n.data is not None]

    def _done(self, group: Group, result: Done) -> None:
        """A task's first Done is told to its parent; a root task that is done leaves (D15)."""
        node = group.owner
        if node is None or (group.done and group.said_done is node):
            return
        group.done, group.said_done, group.outcome = True, node, result
        self.notices.append(Notice("ended", node.as_task(), result))
        parent = node.requester
        if parent.is_root:
            parent.subtasks = []
            self.remove(node)
            self.unwatch(parent)
            self._forget_root(parent)
        elif parent.active is not None and parent.owner is not None and not node.dying:
            self.schedule(parent.active, parent.owner, RunReason.SUBTASK_DONE, (node.as_task(), result))

    def fail(self, run: Run, outcome: Failed) -> None:
        """Remove the task of a body that raised, as failed; the parent hears of it (D63)."""
        node, group = run.node, run.member.group
        if group.owner is not None and run.reason is not RunReason.STOPPED and node is not None:
            if group.owner.requester is node.requester and (
                group.active is run.member or run.reason is RunReason.STARTED
            ):
                self.fail_node(group.owner, outcome)
        self.work()

    def tell(self, name: str, value: int) -> None:
        """Set a state's value; where that changes what some provider requires, its group looks again (D34)."""
        state = self.registry.state(name)
        state.value, state.told = value, True
        for condition in [c for c in state.whens if c.refresh()]:
            self._jobs.append(partial(self._review, condition.member.group))
            self.work()

    def send(self, name: str, value: Any = None) -> None:
        """Deliver a message: active providers that it triggers run again; whoever merely hears it runs anyway (D13)."""
        self.messages[name] = value
        for member in list(self.registry.listeners(name)):
            group = member.group
            if group.active is member and group.owner is not None:
                self.schedule(member, group.owner, RunReason.OTHER_TRIGGER)
            elif name in member.provider.hears and member.enabled:
                self.schedule(member, None, RunReason.OTHER_TRIGGER)
        self.work()

    def _wait_over(self, run: Run) -> None:
        """The time that a run lets pass has passed, and no other pack came first (D17)."""
        group = run.group
        if group.wait is run and group.active is run.member and group.owner is not None:
            group.wait = None
            self.schedule(run.member, group.owner, RunReason.SUBTASK_DONE)

    def rest(self) -> None:
        """Start the count of re-runs anew, since everything has been quiet for a moment (D63)."""
        self.epoch += 1

    def root_uses(self, type: str) -> Uses:
        """How a type stands for the root task of the same type (D50)."""
        root = self.roots.get(type)
        return self.uses(root or Group(type, is_root=True), type)


def explain(arbiter: Arbiter, wish: str | Task) -> str:
    """Why the tasks of a type, or one task, run or wait: a line a link, whoever stands in the way in turn."""
    asked = [n for n in walk(arbiter) if (n.task is wish if isinstance(wish, Task) else n.type == wish)]
    if not asked:
        type = wish.type if isinstance(wish, Task) else wish
        group = arbiter.registry.groups.get(type)
        nobody = "" if group and group.members else f"; nobody provides {type} either"
        return f"nobody asks for {wish}{nobody}"
    lines: dict[str, None] = {}
    for node in sorted(asked, key=lambda n: not n.runs):
        lines.update(dict.fromkeys(_links(node, set())))
    return "\n".join(lines)


def _links(node: Node, seen: set[int]) -> Iterator[str]:
    if id(node) in seen:
        return
    seen.add(id(node))
    group = node.group
    if node.runs and group is not None:
        yield f"{lineage(node)} runs on {group.active}: {node.reason}"
        if group.pusher is not None and group.pushed is group.active:
            yield f"{group.active} was chosen because {lineage(group.pusher)} pushes it"
            yield from _links(group.pusher, seen)
        return
    yield f"{lineage(node)} waits: {node.reason}"
    if node.reason is not None and node.reason.by is not None:
        yield from _links(node.reason.by, seen)


def walk(arbiter: Arbiter) -> Iterator[Node]:
    """Every task in the tree, parents first."""
    ahead = [n for root in reversed(arbiter.roots.values()) for n in reversed(root.subtasks)]
    while ahead:
        node = ahead.pop()
        yield node
        if node.runs and node.group is not None:
            ahead.extend(reversed(node.group.subtasks))


def picture(arbiter: Arbiter) -> list[dict[str, Any]]:
    """The root tasks with their children; plain lists, dicts, text and numbers."""
    return [_branch(node) for root in arbiter.roots.values() for node in root.subtasks]


def _branch(node: Node) -> dict[str, Any]:
    group = node.group
    runs = node.runs and group is not None
    shown: dict[str, Any] = {
        "type": node.type,
        "label": strength(node),
        "priority": node.priority,
        "state": "runs" if runs else ("pushes" if node.armed else "waits"),
        "why": str(node.reason) if node.reason else "",
        "waits_for": lineage(node.reason.by) if not runs and node.reason and node.reason.by else "",
        "children": [],
    }
    if runs and group is not None:
        shown |= {
            "provider": str(group.active),
            "done": group.done,
            "awaits": any(b.begun for b in group.bodies),
            "holds": [g.type for g in group.reserved],
            "pushed_by": lineage(group.pusher) if group.pusher is not None else "",
            "needs": list(group.active.provider.needs) if group.active else [],
            "causes": dict(group.active.causing) if group.active else {},
            "children": [_branch(child) for child in group.subtasks],
        }
    return shown
