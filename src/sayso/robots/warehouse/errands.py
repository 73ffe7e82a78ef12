"""A mission of bringing things from place to place: what its wish names, what is owed, and what was seen on the way.

Added to the paper: a first list is held against the names in the wish; `done` is asked about while goals are open, and
goals over all of a kind close by evidence only.
"""

from __future__ import annotations

from collections.abc import Sequence

from sayso.parts import Brief
from sayso.robots.warehouse.every import due, is_every, next_of, settle
from sayso.robots.warehouse.ledger import Goal, Goals, goals_of
from sayso.robots.warehouse.names import Table
from sayso.robots.warehouse.notes import Sights
from sayso.robots.warehouse.wish import given_up_too_soon, left_behind, left_out, once, unheeded
from sayso.scene import Belief
from sayso.steps import Heard, Step


class Errands(Goals):
    """The ledger of one mission in a warehouse."""

    def __init__(self, brief: Brief) -> None:
        super().__init__()
        self.wish, self.table, self.sights = brief.instruction, Table.read(brief.knowledge), Sights()

    def take(self, plan: Sequence[Step]) -> str:
        departed = super().take(plan)
        self.open = once(self.wish, self.open, self.table)
        return departed

    def hear(self, step: Step | None, heard: Heard | None) -> None:
        super().hear(step, heard)
        if heard:
            self.sights.hear(step, heard)
        settle(self, self.sights, self.table)

    def left_out(self, plan: Sequence[Step], gives_up: bool) -> Sequence[str]:
        if gives_up:
            return unheeded(self.wish, self.table)
        goals = goals_of(plan)
        return left_out(self.wish, goals, self.table) if goals or not plan else ()

    def due(self) -> Sequence[str]:
        return [str(goal) for goal in self._due()]

    def doubts(self) -> bool:
        again = [g for g in given_up_too_soon(self, self.sights, self.table) if g not in self.open]
        self.open += [*again, *left_behind(self.wish, self, self.sights, self.table)]
        self.dropped = [g for g in self.dropped if g not in again]
        if any(is_every(g) and next_of(g, self.open, self.sights, self.table) for g in self.open):
            return True
        seen = self.sights.seen.items()
        elsewhere = [(g.thing, s, p) for g in self.open if g.thing for p, some in seen if p != g.place for s in some]
        return any(self.table.fits(thing, label, place) for thing, label, place in elsewhere)

    def recalled(self, remembers: bool) -> tuple[Belief, ...]:
        return self.sights.recalled(self._due(), remembers)

    def _due(self) -> list[Goal]:
        return due(self.open, self.sights, self.table)
