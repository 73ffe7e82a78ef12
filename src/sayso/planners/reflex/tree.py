"""What a sentence asks for, as steps. The grammar makes them, the writer turns them into MiniSpec."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from sayso.skill import Value

Steps: TypeAlias = "tuple[Step, ...]"


@dataclass(frozen=True, slots=True)
class TakeOff:
    pass


@dataclass(frozen=True, slots=True)
class Land:
    pass


@dataclass(frozen=True, slots=True)
class Return:
    """Fly back to where the mission began."""


@dataclass(frozen=True, slots=True)
class Move:
    """`way` is forward, backward, left, right, up or down; `usual` is set where no distance was said."""

    way: str
    cm: float
    usual: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """`way` is cw or ccw."""

    way: str
    deg: float


@dataclass(frozen=True, slots=True)
class TurnUntil:
    """Turn in steps until a thing is in view, at most once round."""

    way: str
    step_deg: float
    thing: str


@dataclass(frozen=True, slots=True)
class LookAround:
    """Turn once round in steps, looking."""


@dataclass(frozen=True, slots=True)
class GoTo:
    thing: str


@dataclass(frozen=True, slots=True)
class Find:
    thing: str


@dataclass(frozen=True, slots=True)
class Face:
    thing: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Of a thing, or of whatever is in view when `thing` is empty."""

    thing: str = ""


@dataclass(frozen=True, slots=True)
class Wait:
    """With `hovering` in the air; else wherever the robot is."""

    s: float
    hovering: bool = False


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Say whether a thing is in view."""

    thing: str


@dataclass(frozen=True, slots=True)
class If:
    """`search` looks all round for the thing; without it only the present view counts. `must` means that a mission
    in which the condition does not hold has failed."""

    thing: str
    then: Steps
    other: Steps | None = None
    search: bool = False
    negated: bool = False
    must: bool = False


@dataclass(frozen=True, slots=True)
class Times:
    n: int
    body: Steps


@dataclass(frozen=True, slots=True)
class Call:
    """A skill by its name, with what it needs."""

    skill: str
    args: tuple[Value, ...] = ()


Step: TypeAlias = (
    Call | TakeOff | Land | Return | Move | Turn | TurnUntil | LookAround | GoTo | Find | Face | Picture
    | Wait | Say | Answer | If | Times
)  # fmt: skip


def spoken(thing: str) -> str:
    """A thing's name as one would say it, without the index that picks one of several."""
    return thing.partition("[")[0]
