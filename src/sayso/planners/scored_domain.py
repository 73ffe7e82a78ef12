"""Domains for the planner `scored`: kinds of steps, their parameters and worth.

A domain is where knowledge about a task lives that no language model has: which step is possible now (Can-pre), how
likely each of its parameters brings it to a good end (Can-comp), and what it is worth in the long run (Pay). The
planner only multiplies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sayso.drawing import Believed
from sayso.goal import Clause
from sayso.language.printer import quote
from sayso.limits import Bound
from sayso.roles import Brief, End
from sayso.skill import Value

STEPS_MAX = 30
"""Steps of a mission: with the reading of the wish they stay within a mission's model calls."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A step without its parameters. `says` is what the model reads; `can` is Can-pre, the probability that its
    preconditions hold."""

    name: str
    says: str
    can: float = 1.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A step with its parameters: `statement` in the plan language, `says` in words, `can` the Can-comp."""

    kind: str
    statement: str
    says: str
    can: float = 1.0


class Domain(Protocol):
    """Knows the state of one mission and what may be done in it."""

    async def take_in(self, brief: Brief) -> None:
        """Learn what has happened since the last decision, the wish included. Called before each decision."""

    def wanted(self) -> Clause | None:
        """The goal, as far as it is known by now; asked for before each decision."""
        return None

    def heeds(self) -> Sequence[str]:
        """Words of the wish that are minded and stand in no clause of the goal."""
        return ()

    def news(self) -> Sequence[str]:
        """What the operator should hear before the next step; each text once."""
        return ()

    def bounds(self) -> Sequence[Bound]:
        """What the wish bounds beside the robot's limits; asked for before each decision."""
        return ()

    def told(self) -> Brief:
        """The present brief as a model should see it: goal, steps so far with what came of them, state in words."""

    def over(self) -> End | None:
        """The end, where it has come."""

    def kinds(self) -> Sequence[Kind]:
        """Every kind of step."""

    def candidates(self, kind: str) -> Sequence[Candidate]:
        """All steps of a kind."""

    def everything(self) -> Sequence[Candidate]:
        """All steps of all kinds, those that are not possible now with them."""

    def pay(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """What each is worth in the long run, at least; any unit, any sign. All alike where nothing is known."""

    def believed(self) -> Believed | None:
        """What may be drawn of what it believes; None where that is nothing."""
        return None

    def chosen(self, candidate: Candidate) -> None:
        """This one is going to be run."""


def literal(value: Value) -> str:
    """A value as the plan language writes it, a text in double quotes."""
    return quote(value, '"') if isinstance(value, str) else str(value)
