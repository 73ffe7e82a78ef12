"""What a goal is made of: predicates over things, and the few ways to put them together.

Everything here is frozen data. In `sayso.goals`, `text` reads and writes it, `holds` tells whether it is so and
`spoken` says it to people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sayso.tables import toml

ALL = 0
"""The count of a `Which` that means every one of them."""

IT = "it"
"""The kind of a `Which` that stands for the thing which an enclosing `Each` is at."""

ME = "me"
"""The kind of a `Which` that stands for whoever wishes."""

YOU = "you"
"""The kind of a `Which` that stands for the robot: what is behind you."""

PLACE = "place"
"""The kind of a spot that is told by what it is beside."""

ANYTHING = "thing"
"""The kind that everything is of."""

UNITS: Mapping[str, tuple[str, float]] = {
    "": ("", 1.0), "m": ("m", 1.0), "cm": ("m", 0.01), "mm": ("m", 0.001), "km": ("m", 1000.0), "deg": ("deg", 1.0),
    "s": ("s", 1.0), "min": ("s", 60.0), "%": ("%", 1.0),
}  # fmt: skip
"""A unit as it may be written -> the unit that is kept, and the factor to it."""

BOUNDS = ("at least", "at most")

SIDES = ("forward", "back", "left", "right", "up", "down")

OTHER_SIDE = {side: other for a, b in (SIDES[:2], SIDES[2:4], SIDES[4:]) for side, other in ((a, b), (b, a))}

COMPASS = ("north", "east", "south", "west")
"""Ways by the map, where x points east and y north."""

UNSEEN_RANKS = ("heaviest", "lightest", "thinnest")
"""Superlatives that no look decides."""

FAR_RANKS = ("nearest", "furthest")
RANKS = (*FAR_RANKS, "largest", "smallest", "tallest", "shortest", "leftmost", "rightmost", "highest",
         "lowest", *UNSEEN_RANKS)  # fmt: skip
"""Superlatives; all others observation can decide."""

RELATIONS = ("on", "in", "beside", "behind", "before", "under", "left_of", "right_of")
"""How one thing may stand to another; `before` is on the observer's side of it."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity: metres, degrees, seconds, percent, or a plain number; what was measured is in any unit."""

    value: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """How a thing stands to another: `word` is one of `RELATIONS`."""

    word: str
    to: Which


@dataclass(frozen=True, slots=True)
class Which:
    """Which things are meant: `count` of those of a kind (`ALL` for every one) that have all `traits`.

    With a `rank` they are put in that order first, and those from the `nth` on are taken. `source` is where they were
    when the mission began; `but` are left out. With `among` they are of these. Nearest or furthest beside another thing
    are those that are so from there.
    """

    kind: str = ANYTHING
    traits: tuple[str, ...] = ()
    count: int = 1
    rank: str = ""
    nth: int = 1
    relation: Relation | None = None
    source: str = ""
    but: tuple[Which, ...] = ()
    among: tuple[Which, ...] = ()

    @property
    def measured(self) -> bool:
        """Whether how far it is from another thing tells which one is meant: the chair nearest to the door."""
        near = self.relation
        return near is not None and near.word == "beside" and near.to.kind != YOU and self.rank in FAR_RANKS


Argument: TypeAlias = Which | Amount | str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a predicate. `kind` is which, side, text, name, bound, measure (an amount in any unit), or the
    unit of an amount. With `optional` it may be left out."""

    name: str
    kind: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Meaning:
    """A predicate's signature.

    A `state` has to hold when all is over, anything else has to have happened.
    """

    parameters: tuple[Parameter, ...]
    state: bool = False


def _meaning(told: Mapping[str, str]) -> Meaning:
    state = "state" in told
    pairs = (word.split(":") for word in told["state" if state else "event"].split())
    return Meaning(tuple(Parameter(n, kind.removesuffix("?"), kind.endswith("?")) for n, kind in pairs), state)


PREDICATES: Mapping[str, Meaning] = {
    name: _meaning(told)
    for name, told in toml("sayso.grounding", "told.toml")["predicates"].items()
    if told.keys() & {"state", "event"}
}
"""Everything that can be wanted. Checker, grammar, page and evaluation read this one table, `grounding/told.toml`,
which says how it is told, too."""


@dataclass(frozen=True, slots=True)
class Pred:
    """One predicate with its arguments; those left out at the end are not there."""

    name: str
    args: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    """It is not so."""

    part: Clause


@dataclass(frozen=True, slots=True)
class All:
    """Every part, in any order."""

    parts: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """At least one part."""

    parts: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Then:
    """Every part, one after the other; states but the last need only have held in their turn."""

    parts: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class If:
    """`yes` where the test holds when its turn comes, else `no`; without a `no` nothing is wanted then."""

    test: Clause
    yes: Clause
    no: Clause | None = None


@dataclass(frozen=True, slots=True)
class Until:
    """`body` again and again until the test holds, or `most` times; 0 is without end."""

    test: Clause
    body: Clause
    most: int = 0


@dataclass(frozen=True, slots=True)
class Each:
    """`body` for every thing that is meant; `it` in the body is that thing."""

    which: Which
    body: Clause


@dataclass(frozen=True, slots=True)
class Never:
    """At no moment of the mission."""

    part: Clause


@dataclass(frozen=True, slots=True)
class Only:
    """Whatever of the kind was done was this: every picture shows it, every word said is that."""

    part: Pred


@dataclass(frozen=True, slots=True)
class Within:
    """All of it before so much time is over."""

    limit: Amount
    body: Clause


Clause: TypeAlias = Pred | Not | All | Any | Then | If | Until | Each | Never | Only | Within

Truth: TypeAlias = bool | None
"""So, not so, or not known."""


@dataclass(frozen=True, slots=True)
class Part:
    """One clause of a goal, as text, and how it stands."""

    clause: str
    truth: Truth
    why: str = ""

    def __str__(self) -> str:
        return f"{self.clause}: {self.why}" if self.why else self.clause
