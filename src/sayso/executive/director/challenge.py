"""Who may take what from whom: rules D26 to D28, one early return per reason.

Two tasks are compared where their branches part, never below: a child is as strong as the ancestor that stands beside
an ancestor of its rival.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass

from sayso.executive.director.tree import Node


@dataclass(frozen=True, slots=True)
class Ghost:
    """Ends the branch of a task whose parent lost its own task: anyone is stronger (D43)."""

    type: str
    priority: float = -math.inf
    optional: bool = True
    dying: bool = True


def branch(node: Node) -> list[Node | Ghost]:
    """From the task up to its root task; a ghost ends it where an ancestor's group has no task."""
    entries: list[Node | Ghost] = []
    here: Node | None = node
    while here is not None:
        entries.append(here)
        group = here.requester
        here = group.owner
        if here is None and not group.is_root:
            entries.append(Ghost(group.type))
    return entries


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
