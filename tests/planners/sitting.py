"""A session double: it notes what it was asked to run, and every plan ends as the test says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace

from sayso.goal import Clause, Part
from sayso.goals.text import show
from sayso.limits import FREE, Limits
from sayso.roles import Attempt, Brief
from sayso.task import Task


def finished(text: str) -> Attempt:
    """The plan does what it says."""
    return Attempt(text, how="returned", value=text.endswith("True")) if "->" in text else Attempt(text, how="finished")


@dataclass
class Sitting:
    """Shows `brief` with what ran so far. `ends` says how a plan ends; `changes` is the wish by the number of plans."""

    brief: Brief
    ends: Callable[[str], Attempt] = finished
    changes: dict[int, str] = field(default_factory=dict)
    plans: list[Attempt] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    goals: list[str] = field(default_factory=list)
    lacks: tuple[Part, ...] = ()
    bounds: Limits = FREE

    async def look(self) -> Brief:
        wish = self.changes.get(len(self.plans), self.brief.instruction)
        failure = self.plans[-1].ended if self.plans else ""
        self.brief = replace(self.brief, instruction=wish, history=tuple(self.plans), failure=failure)
        return self.brief

    async def run(self, text: AsyncIterator[str], *, step: bool = False, terse: bool = False) -> Attempt:
        self.plans.append(self.ends("".join([piece async for piece in text])))
        return self.plans[-1]

    def pursue(self, tasks: Sequence[Task]) -> None:
        assert not tasks, "this one has plans run"

    def understood(self, goal: Clause, *, whole: bool = False, heeds: Sequence[str] = ()) -> None:
        self.goals.append(show(goal))

    def missing(self) -> tuple[Part, ...]:
        return self.lacks

    def tighten(self, wish: Limits) -> None:
        self.bounds = wish

    def note(self, text: str) -> None:
        self.notes.append(text)

    @property
    def texts(self) -> list[str]:
        return [plan.plan for plan in self.plans]
