"""The executive's tree in words: who runs, on what, and who waits for whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rich.text import Text

Branch: TypeAlias = Mapping[str, Any]

STYLES = {"runs": "green", "pushes": "yellow", "waits": "red"}


def outline(tree: Sequence[Branch]) -> Text:
    """The tree as indented lines, the strongest root first."""
    strongest_first = sorted(tree, key=lambda branch: -branch["priority"])
    return Text("\n").join(line for branch in strongest_first for line in _lines(branch, 0))


def _lines(branch: Branch, depth: int) -> Iterator[Text]:
    state = branch["state"]
    line = Text.assemble("  " * depth, (branch["label"], "bold" if depth == 0 else ""), "  ", (state, STYLES[state]))
    if holds := branch.get("holds"):
        line.append(f", holds {' '.join(holds)}", "dim")
    if branch.get("pushed_by"):
        line.append(f", pushed by {branch['pushed_by']}", "yellow")
    if state != "runs":
        line.append(f": {branch['why']}", "dim")
    yield line
    for child in branch["children"]:
        yield from _lines(child, depth + 1)
