"""The tree in words and as plain data: for `sayso why`, for the live view, for whoever debugs a robot at night."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sayso.executive.director.arbiter import Arbiter
from sayso.executive.director.tree import Group, Node, lineage, strength
from sayso.task import Task


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
        shown |= _running(group)
        shown["children"] = [_branch(child) for child in group.subtasks]
    return shown


def _running(group: Group) -> dict[str, Any]:
    return {
        "provider": str(group.active),
        "done": group.done,
        "awaits": any(b.begun for b in group.bodies),
        "holds": [g.type for g in group.reserved],
        "pushed_by": lineage(group.pusher) if group.pusher is not None else "",
        "needs": list(group.active.provider.needs) if group.active else [],
        "causes": dict(group.active.causing) if group.active else {},
    }
