"""What stands in the Director's one queue besides the runs of bodies.

`Later` and `Cancel` are for the loop, which has a clock and tasks; the others come back to the arbiter in their turn,
after the runs that were scheduled before them (D54, D55).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from sayso.executive.director.tree import Body, Group, Node, Run, Wait


@dataclass(slots=True)
class Told:
    """A state has a value."""

    state: str
    value: int


@dataclass(slots=True)
class Woken:
    """A group that blocked tasks watch has a task again (D61)."""

    group: Group


@dataclass(slots=True)
class Settled:
    """The children of a branch that was given up for a sibling may go now, if nobody has claimed what they hold."""

    group: Group
    children: list[Node]
    laps: int


@dataclass(slots=True)
class Patience:
    """A push has had its time."""

    node: Node
    serial: int


@dataclass(slots=True)
class Later:
    """Hand `what` back after `seconds`."""

    seconds: float
    what: Wait | Patience


@dataclass(slots=True)
class Cancel:
    """This body's task is no longer its own."""

    body: Body


Command: TypeAlias = Run | Told | Woken | Settled | Later | Cancel
Message: TypeAlias = Told | Woken | Settled | Wait | Patience | Any
