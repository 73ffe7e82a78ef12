"""Why a task runs or waits: the record that each decision leaves, in words that a person can read."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sayso.executive.director.challenge import Ruling
    from sayso.executive.director.tree import Node


class Because(enum.Enum):
    """The kinds of reason. `{type}` is the type that matters, `{by}` who stands in the way."""

    RUNS = "nothing stands in its way"
    PUSHES = "{type} is pushed to cause {detail}"
    NOBODY = "nobody provides {type}"
    OWNED = "{type} belongs to {by}: {ruling}"
    HELD = "{type} is held by {by}, which needs it: {ruling}"
    SHARED = "a stronger sibling uses {type}"
    LOOP = "{type} would need itself"
    UNMET = "{type} requires {detail}, and no running provider may be pushed to cause it"
    SPLIT = "what {type} requires cannot all be caused by the same provider"
    TOO_DEEP = "the tree would grow deeper than {detail} tasks"
    SIBLING = "it runs only together with {by}, which waits"
    UNTRIED = "it is optional, and what is required could not run"
    GAVE_UP = "{detail}"


@dataclass(frozen=True, slots=True)
class Reason:
    """One decision: its kind, the type it is about, who stands in the way, and by which ruling."""

    because: Because
    type: str = ""
    by: Node | None = None
    ruling: Ruling | None = None
    detail: str = ""

    def __str__(self) -> str:
        return self.because.value.format(
            type=self.type,
            by=lineage(self.by) if self.by else "nobody",
            ruling=self.ruling.text if self.ruling else "",
            detail=self.detail,
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
