"""A mission of bringing things from place to place: what its wish names, what is owed, and what was seen on the way.

Added to the paper: what the first list amounts to is the mission's goal; `done` is asked about while something of it is
open; goals over all of a kind close by evidence only. A small model's list is held against the wish.
"""

from __future__ import annotations

from collections.abc import Sequence

from sayso.goal import Clause
from sayso.goals.gaps import question
from sayso.parts import Brief
from sayso.robots.warehouse.every import due, next_of, settle
from sayso.robots.warehouse.ledger import GO, PICK, PUT, Goal, Goals
from sayso.robots.warehouse.names import Table
from sayso.robots.warehouse.notes import Sights
from sayso.robots.warehouse.wanted import wanted
from sayso.robots.warehouse.wish import gaps, mended
from sayso.scene import Belief
from sayso.steps import Heard, Step


class Errands(Goals):
    """The ledger of one mission in a warehouse."""

    def __init__(self, brief: Brief) -> None:
        super().__init__()
        self.wish, self.table, self.sights = brief.instruction, Table.read(brief.knowledge), Sights()
        self._goals: list[Goal] = []
        self._last: Step | None = None
        """What worked last, if it was the last step."""

    def take(self, plan: Sequence[Step]) -> str:
        departed = super().take(plan)
        known = [*self._goals]
        for goal in self.open:
            if goal in known:
                known.remove(goal)
            elif goal not in self.met:
                self._goals.append(goal)
        return departed

    def weigh(self) -> str:
        self.open = mended(self.wish, self.open, self.table)
        self._goals = [*self.open]
        return question(gaps(self.wish, self.open, self.table))

    def wanted(self) -> Clause | None:
        return wanted(self._goals, self.sights, self.table)

    def hear(self, step: Step | None, heard: Heard | None) -> None:
        super().hear(step, heard)
        self._last = step if heard and heard.worked else None
        if heard:
            self.sights.hear(step, heard)
        settle(self, self.sights, self.table)

    def follows(self) -> Step | None:
        """What is due and in the hand is carried to where it goes, and put down there."""
        due, held = next(iter(self._due()), None), self.sights.held
        if not (self._last and due and due.thing and held and due.place in self.table.spots):
            return None
        if not self.table.fits(due.thing, held[0], held[1]):
            return None
        if self._last.skill == GO and self.sights.at == due.place:
            return Step(PUT, (held[0],))
        return Step(GO, (due.place,)) if self._last.skill == PICK else None

    def due(self) -> Sequence[str]:
        return [str(goal) for goal in self._due()]

    def doubts(self) -> bool:
        again = [g for g in self._given_up_too_soon() if g not in self.open]
        self.open += again
        self.dropped = [g for g in self.dropped if g not in again]
        return any(
            next_of(g, self.open, self.sights, self.table) is not None if g.every else self._elsewhere(g)
            for g in self.open
            if g.thing
        )

    def _given_up_too_soon(self) -> list[Goal]:
        """Goals that the model let go of, as if others had seen to them, while what was seen says otherwise."""
        singles = [g for g in dict.fromkeys(self.dropped) if g.thing and not g.every and g not in self.met]
        return [g for g in singles if not self._there(g) and self._elsewhere(g)]

    def _there(self, goal: Goal) -> bool:
        """Whether something of the kind was seen where it should be."""
        return any(self.table.fits(goal.thing, label) for label in self.sights.seen.get(goal.place, ()))

    def _elsewhere(self, goal: Goal) -> bool:
        """Whether it was seen where it should not be."""
        seen = self.sights.seen.items()
        return any(self.table.fits(goal.thing, s, p) for p, some in seen if p != goal.place for s in some)

    def recalled(self, remembers: bool) -> tuple[Belief, ...]:
        return self.sights.recalled(self._due(), remembers)

    def meets(self, goal: Goal, thing: str, place: str) -> bool:
        return super().meets(goal, thing, place) or (goal.place == place and self.table.fits(goal.thing, thing))

    def _due(self) -> list[Goal]:
        return due(self.open, self.sights, self.table)
