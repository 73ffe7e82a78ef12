"""What must hold whenever the Director is quiet, whatever happened before; and a hand-driven loop to get there.

`HandLoop` is a double of `executive.loop`: it calls plain bodies, keeps timers in a list, and knows no asyncio.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sayso.executive.director.arbiter import Arbiter, explain, picture, walk
from sayso.executive.director.arbitration import Question, Status
from sayso.executive.director.schedule import Later
from sayso.executive.director.terms import Because, Settings
from sayso.executive.director.tree import Group, Node, Run
from sayso.task import Failed, RunReason, Word


@dataclass
class HandLoop:
    """Drains the queue of an arbiter; counts starts and stops by type."""

    arbiter: Arbiter = field(default_factory=lambda: Arbiter(Settings(reruns_max=30)))
    timers: list[Later] = field(default_factory=list)
    started: dict[str, int] = field(default_factory=dict)
    calls: int = 0

    def drain(self, most: int = 50_000) -> None:
        """Work until the queue is empty; more than `most` commands would be a hang."""
        queue = self.arbiter.queue
        left = most
        while queue:
            left -= 1
            assert left > 0, "the Director does not come to rest"
            command = queue.popleft()
            if isinstance(command, Run):
                self._call(command)
            elif isinstance(command, Later):
                self.timers.append(command)
            elif callable(command):
                self.arbiter.do(command)
        self.arbiter.rest()
        self.arbiter.notices.clear()

    def _call(self, run: Run) -> None:
        self.calls += 1
        word = run.member.provider.word
        if word is not Word.PROVIDE:
            step = 1 if word is Word.START else -1
            self.started[run.type] = self.started.get(run.type, 0) + step
            assert self.started[run.type] in (0, 1), f"{run.type}: start and stop do not alternate"
            self.arbiter.deliver(run)
            return
        body: Callable[[Run], None] | None = run.member.body
        try:
            if body is not None:
                body(run)
        except RuntimeError as error:
            self.arbiter.fail(run, Failed(str(error)))
            return
        self.arbiter.deliver(run)

    def fire(self, number: int) -> None:
        """One of the timers is over."""
        if self.timers:
            self.arbiter.do(self.timers.pop(number % len(self.timers)).job)


def check(loop: HandLoop) -> None:
    """Every invariant at once; the queue is empty."""
    arbiter = loop.arbiter
    nodes = list(walk(arbiter))
    alive = set(nodes)
    for group in arbiter.registry.groups.values():
        _owner_is_in_the_tree(group, alive)
        _started_while_owned(loop, group)
        _watchers_are_alive(group, alive)
        _held_by_family(group)
        _push_is_alive(group, alive)
    for state in arbiter.registry.states.values():
        assert set(state.watchers) <= alive
    for group in [*arbiter.registry.groups.values(), *arbiter.roots.values()]:
        _all_or_nothing(group)
        _nobody_sleeps_through_a_chance(arbiter, group)
    for node in nodes:
        assert node.reason is not None, f"{node} cannot say why"
    picture(arbiter)
    for type in arbiter.registry.groups:
        explain(arbiter, type)


def _owner_is_in_the_tree(group: Group, alive: set[Node]) -> None:
    assert (group.owner is None) == (group.active is None), f"{group}: a provider without a task, or the reverse"
    if group.owner is None:
        assert not group.subtasks and not group.watching and not group.wait and not group.reserved
        return
    assert group.owner in alive, f"{group} belongs to an orphan"
    assert group.owner.group is group
    assert group.owner in group.owner.requester.subtasks
    assert sum(n.runs for n in alive if n.type == group.type) == 1


def _started_while_owned(loop: HandLoop, group: Group) -> None:
    if group.starts and group.stops:
        assert loop.started.get(group.type, 0) == (group.owner is not None), f"{group}: stopped but owning"


def _watchers_are_alive(group: Group, alive: set[Node]) -> None:
    for node in group.watchers:
        assert node in alive, f"a dead task watches {group}"
        assert any(w is group and n is node for w, n in node.requester.watching)


def _held_by_family(group: Group) -> None:
    """Whoever owns or holds a needed type is of the family of those who hold it."""
    for holder in group.holders:
        assert holder.owner is not None and group in holder.reserved
        owner = group.owner
        if owner is not None:
            assert any(n.group is holder for n in owner.ancestors()), f"{group} is held by {holder}, owned by {owner}"
        for other in group.holders:
            assert _related(holder, other) or _related(other, holder), f"{holder} and {other} both hold {group}"


def _related(above: Group, below: Group) -> bool:
    return below.owner is not None and any(n.group is above for n in below.owner.ancestors())


def _push_is_alive(group: Group, alive: set[Node]) -> None:
    assert (group.pusher is None) == (group.pushed is None)
    if group.pusher is not None:
        assert group.pusher in alive, f"{group} is pushed by a dead task"
        assert group.pushed in group.members
        assert group.owner is not None, f"{group} is pushed but idle"


def _all_or_nothing(group: Group) -> None:
    required = [n for n in group.subtasks if not n.optional]
    assert len({n.runs for n in required}) <= 1, f"{group}: half a pack runs"
    if any(n.runs for n in group.subtasks if n.optional):
        assert all(n.runs for n in required), f"{group}: optional children run while required ones wait"


def _nobody_sleeps_through_a_chance(arbiter: Arbiter, group: Group) -> None:
    """A pack that waits could not run if it tried.

    Where its own needs collided, a later loss elsewhere may steer the first choice around the collision; the rules do
    not search for that, so such a pack is left out.
    """
    if any(n.reason is not None and n.reason.because is Because.SHARED for n in group.subtasks):
        return
    required = [n for n in group.subtasks if not n.optional]
    waiting = [n for n in required if not n.runs]
    if not waiting:
        return
    used: frozenset[Group] = frozenset()
    for node in required:
        asked = node.group or arbiter.registry.groups.get(node.type)
        if asked is None or len(list(node.ancestors())) > arbiter.settings.depth_max:
            return
        answer = Question(node, arbiter.registry.helpers).group(asked, node, used)
        if answer.status is not Status.RUNNABLE:
            return
        used = used.union((asked, *answer.needs))
    raise AssertionError(f"{group}: {[str(n) for n in waiting]} could run, but nobody woke them")


def check_empty(loop: HandLoop) -> None:
    """After the last root task is gone nothing is left of the tree."""
    check(loop)
    assert not loop.arbiter.roots
    assert not any(loop.started.values())
    assert not any(g.owner or g.watchers or g.holders or g.pusher for g in loop.arbiter.registry.groups.values())
    assert all(
        g.members or g.starts or g.stops or not g.idle
        for g in loop.arbiter.registry.groups.values()
        if not _needed(loop, g)
    )


def _needed(loop: HandLoop, group: Group) -> bool:
    return any(group in m.needs for m in loop.arbiter.registry.members.values())


__all__ = ["HandLoop", "RunReason", "check", "check_empty"]
