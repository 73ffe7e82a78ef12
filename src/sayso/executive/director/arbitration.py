"""The question whether a task could run now, and who is stronger (D26 to D33), changing nothing.

The answer is a `Solution`: runnable, with the types it would use; pushable, with the providers that would have to be
pushed first; or blocked, with the reasons. The question also collects every group and state on which the answer
depends (`watching`), so that the task hears when one of them changes.

Who may take what from whom is rules D26 to D28, one early return per reason. Two tasks are compared where their
branches part, never below: a child is as strong as the ancestor that stands beside an ancestor of its rival.
"""

import functools
import math
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass

from sayso.executive.director.terms import Because
from sayso.executive.director.tree import Condition, Group, Member, Node, Pushes, Reason, Solution, State, Status


@dataclass(frozen=True, slots=True)
class Ghost:
    """Ends the branch of a task whose parent lost its own task: anyone is stronger (D43)."""

    type: str
    priority: float = -math.inf
    optional: bool = True
    dying: bool = True


def branch(node: Node) -> list[Node | Ghost]:
    """From the task up to its root task; a ghost ends it where an ancestor's group has no task."""
    ancestors = list(node.ancestors())
    above = ancestors[-1].requester
    return [*ancestors, *([] if above.is_root else [Ghost(above.type)])]


def parting(a: Node, b: Node) -> tuple[list[Node | Ghost], list[Node | Ghost]]:
    """Both branches without the part that they share; the last entries are where they part."""
    ours, theirs = branch(a), branch(b)
    while ours and theirs and ours[-1].type == theirs[-1].type:
        ours.pop()
        theirs.pop()
    return ours, theirs


def challenge(holder: Node | None, asker: Node | None) -> bool:
    """May `asker` take what `holder` has? (D27)"""
    if holder is None or asker is None:
        return holder is None
    if holder.requester is asker.requester:
        return True  # one parent may rearrange its children
    ours, theirs = parting(asker, holder)
    if not ours:
        return True  # it was only lent to a descendant
    if not theirs:
        return False  # nobody challenges an ancestor
    mine, its = ours[-1], theirs[-1]
    if mine.dying is not its.dying:
        return its.dying
    we_may, they_may = any(e.optional for e in ours), any(e.optional for e in theirs)
    if we_may is not they_may:
        return they_may
    return mine.priority > its.priority


def weaker(a: Node, b: Node) -> bool:
    """Among children of one parent: is `a` weaker than `b`? (D26)"""
    if a.optional is not b.optional:
        return a.optional
    return a.priority < b.priority


def strongest_first(nodes: Iterable[Node]) -> list[Node]:
    """Sorted by who would win; equals keep their order, so the earlier comes first (D28)."""
    found = list(nodes)
    return sorted(found, key=_by_strength) if len(found) > 1 else found


def _compare(a: Node, b: Node) -> int:
    if a.requester is b.requester:
        return weaker(a, b) - weaker(b, a)
    return challenge(a, b) - challenge(b, a)


_by_strength = functools.cmp_to_key(_compare)

RUNNABLE, PUSHABLE, BLOCKED = Status.RUNNABLE, Status.PUSHABLE, Status.BLOCKED


def blocked(because: Because, type: str, by: Node | None = None, says: str = "") -> Solution:
    return Solution(BLOCKED, reason=Reason(because, type, by, says))


class Question:
    """A search for a way in which `asker` could run. `helpers` names the members that promise a state."""

    def __init__(self, asker: Node, helpers: Callable[[str], Iterable[Member]]) -> None:
        self.asker = asker
        self.helpers = helpers
        self.watching: list[tuple[Group | State, Node]] = []

    def group(self, group: Group, authority: Node, used: Set[Group], path: tuple[Member, ...] = ()) -> Solution:
        """The first member of a group that can run; else the first that could after a push. A pushed group has one
        member only, unless its own task is stronger than the pusher (D30, D31)."""
        self.watching.append((group, self.asker))
        free = group.pushed is None or challenge(group.pusher, authority)
        best: Solution | None = None
        for member in group.members:
            if not (member.enabled and (free or member is group.pushed)):
                continue
            if best is None and (refused := refusal(group, authority, used)):
                return refused
            found = member.plain or self._requirements(member, authority, used, path)
            if found.status is RUNNABLE:
                return found
            if best is None or found.status < best.status:
                best = found
        return best or blocked(Because.NOBODY, group.type)

    def _requirements(self, member: Member, authority: Node, used: Set[Group], path: tuple[Member, ...]) -> Solution:
        """All are asked even after one says no, so that the task watches everything it waits for (D31)."""
        if member in path:
            return blocked(Because.LOOP, member.group.type)
        path = (*path, member)
        waived = member.group.pushed is member
        answers = [self.state(c, path) for c in member.whens if not c.met and not waived]
        taken: tuple[Group, ...] = ()
        for need in member.needs:
            answer = self.group(need, authority, used | {member.group, *taken}, path)
            answers.append(answer)
            taken += (need, *answer.needs) if answer.status is RUNNABLE else ()
        worst = max(answers, key=lambda a: a.status, default=None)
        if worst is None or worst.status is RUNNABLE:
            return Solution(RUNNABLE, member, taken)
        if worst.status is BLOCKED:
            return worst
        return _merge(member, [a for a in answers if a.status is PUSHABLE])

    def state(self, condition: Condition, path: tuple[Member, ...]) -> Solution:
        """The helpers to push so that an unmet state becomes met (D32): the shallowest, equals together."""
        self.watching.append((condition.state, self.asker))
        answers = [self._helper(m, path) for m in self.helpers(condition.state.name) if _would_do(m, condition)]
        usable = [a for a in answers if a.status is PUSHABLE]
        if not usable:
            return blocked(Because.UNMET, path[-1].group.type, says=str(condition))
        depth = min(a.depth for a in usable)
        pushes: Pushes = {}
        for answer in usable:
            if answer.depth == depth:
                for group, members in answer.pushes.items():
                    pushes.setdefault(group, []).extend(m for m in members if m not in pushes[group])
        reason = Reason(Because.PUSHES, next(iter(pushes)).type, detail=str(condition))
        return Solution(PUSHABLE, pushes=pushes, depth=depth, reason=reason)

    def _helper(self, member: Member, path: tuple[Member, ...]) -> Solution:
        """A push redirects a running group, so the group's own task is the authority, and an idle group cannot help."""
        group = member.group
        self.watching.append((group, self.asker))
        if group.owner is None or not member.enabled or member in self.asker.given_up:
            return blocked(Because.NOBODY, group.type)
        if not challenge(group.pusher, self.asker):
            return blocked(Because.OWNED, group.type, group.pusher)
        owner, free = group.owner, frozenset[Group]()
        found = refusal(group, owner, free) or member.plain or self._requirements(member, owner, free, path)
        if found.status is RUNNABLE:
            return Solution(PUSHABLE, member, pushes={group: [member]})
        found.depth += 1
        return found


def refusal(group: Group, authority: Node, used: Set[Group]) -> Solution | None:
    """Why the type is not to be had, whoever provides it (D31)."""
    if group in used:
        return blocked(Because.SHARED, group.type)
    if (owner := group.owner) is None:
        if any(n.requester is group for n in authority.ancestors()):  # the tree would be a ring
            return blocked(Because.LOOP, group.type)
    elif owner.requester is not authority.requester and not challenge(owner, authority):
        return blocked(Because.OWNED, group.type, owner)
    return held_against(group, authority) if group.holders else None


def held_against(group: Group, authority: Node) -> Solution | None:
    """The need of somebody stronger that keeps `authority` from this type, although nobody may own it (D62)."""
    for holder in group.holders:
        if holder.owner is None or holder in (n.group for n in authority.ancestors()):
            continue
        if not challenge(holder.owner, authority):
            return blocked(Because.HELD, group.type, holder.owner)
    return None


def _would_do(member: Member, condition: Condition) -> bool:
    name = condition.state.name
    return name in member.causing and bool(condition.when.test(member.causing[name]))


def _merge(member: Member, answers: list[Solution]) -> Solution:
    """Only the deepest pushes are due now; in one group they must agree on a provider (D33)."""
    depth = max(a.depth for a in answers)
    pushes: Pushes = {}
    for answer in answers:
        if answer.depth != depth:
            continue
        for group, members in answer.pushes.items():
            pushes[group] = [m for m in pushes[group] if m in members] if group in pushes else list(members)
    if not all(pushes.values()):
        return blocked(Because.SPLIT, member.group.type)
    deepest = next(a for a in answers if a.depth == depth)
    return Solution(PUSHABLE, member, pushes=pushes, depth=depth, reason=deepest.reason)
