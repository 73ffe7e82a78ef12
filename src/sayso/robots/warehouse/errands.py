"""A mission of bringing things from place to place: what its wish names, what is owed, and what was seen on the way.

Added to the paper: what the first list amounts to is the mission's goal; `done` is asked about while something of it is
open; goals over all of a kind close by evidence only. Of a wish that the model has read, every step is told from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sayso.errors import NotUnderstood
from sayso.goal import Clause
from sayso.parts import Brief
from sayso.robots.warehouse.every import due, fits, next_of, settle
from sayso.robots.warehouse.ledger import PICK, Choice, Goal, Goals, Owed, owed
from sayso.robots.warehouse.names import RANKS, Table
from sayso.robots.warehouse.next_step import Way
from sayso.robots.warehouse.notes import Sights
from sayso.robots.warehouse.wanted import wanted
from sayso.steps import DONE, GIVE_UP, Heard, Step


class Errands(Goals):
    """The ledger of one mission in a warehouse."""

    def __init__(self, brief: Brief) -> None:
        super().__init__()
        self.table, self.sights = Table.read(brief.knowledge), Sights()
        self._goals: list[Goal] = []
        self._way = Way(self.table, self.sights)
        self._read, self._over = False, False
        """Whether the model has read the wish; whether all was said to be done."""
        self._ahead: list[Owed] = []
        self._lost: list[str] = []

    def take(self, plan: Sequence[Step]) -> str:
        departed = super().take(plan)
        known = [*self._goals]
        for goal in self.open:
            if goal in known:
                known.remove(goal)
            elif goal not in self.met:
                self._goals.append(goal)
        return departed

    def owe(self, goal: Clause) -> None:
        self._read, self._ahead = True, owed(goal, self.table)
        self._take_up()

    def wanted(self) -> Clause | None:
        return wanted(self._goals, self.sights, self.table)

    def hear(self, step: Step | None, heard: Heard | None) -> None:
        super().hear(step, heard)
        if heard:
            self.sights.hear(step, heard)
            self._way.hear(step, heard)
        settle(self, self.sights, self.table)

    def follows(self) -> Step | None:
        return self._next() if self._read else None

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

    def meets(self, goal: Goal, thing: str, place: str) -> bool:
        if not goal.means(thing):
            return False
        return super().meets(goal, thing, place) or (goal.place == place and self.table.fits(goal.thing, thing))

    # Where the model read the wish

    def _take_up(self) -> None:
        """What is owed up to the next choice."""
        while self._ahead and isinstance(goal := self._ahead[0], Goal):
            self._ahead.pop(0)
            self.open.append(goal)
            self._goals.append(goal)

    def _next(self) -> Step:
        """What a failure asks for, what is due, where to look for a choice, the end."""
        try:
            if mended := self._way.mended():
                return mended
        except NotUnderstood as why:
            self._lose(next(iter(self._due()), None), str(why))
        while True:
            due = next(iter(self._due()), None)
            if due is None or due.every:
                if self._way.hand:
                    return self._way.rid()
                if due is not None:
                    self._lose(due, f"I found no {due.called}")
                elif (step := self._chosen()) is not None:
                    return step
                continue
            try:
                step = self._way.towards(due)
            except NotUnderstood as why:
                self._lose(due, str(why))
                continue
            if step is not None:
                self._told_apart(due, step)
                return step
            self._close(due)

    def _chosen(self) -> Step | None:
        """Where to look for what a choice hangs on, or the end; None once it is decided."""
        if not self._ahead:
            return self._end()
        choice = self._ahead[0]
        assert isinstance(choice, Choice)
        holds = self._way.holds(choice.test)
        if isinstance(holds, Step):
            return holds
        self._ahead[:1] = choice.yes if holds else choice.no
        self._take_up()
        return None

    def _end(self) -> Step | None:
        again = [g for g in self.met if self._over and g.thing and not g.every and not self._there(g)]
        if again:  # it was said to be done, and is not so
            self.open, self.met = again, [g for g in self.met if g not in again]
            self._over = False
            return None
        if self._lost or self._over:
            return Step(GIVE_UP, ("; ".join(self._lost) or "something is not as it should be",))
        self._over = True
        return Step(DONE)

    def _lose(self, goal: Goal | None, why: str) -> None:
        """What cannot be done is told at the end; the rest goes on."""
        if goal is not None and goal not in self.open:  # one of all of a kind: it is not there any more
            some = self.sights.seen.get(goal.source, [])
            gone = next((s for s in some if fits(goal, s, self.table)), None)
            if gone is not None:
                some.remove(gone)
                return
            goal = next((g for g in self.open if g.every), goal)
        self._lost.append(why)
        if goal in self.open:
            self.open.remove(goal)

    def _told_apart(self, goal: Goal, step: Step) -> None:
        """The smallest of those that were seen is that one from now on, whatever is seen beside it later."""
        if step.skill == PICK and goal in self.open and any(w in RANKS for w in goal.thing.split()):
            one = replace(goal, thing=step.args[0], nth=1)
            for goals in (self.open, self._goals):
                goals[goals.index(goal)] = one

    def _close(self, goal: Goal) -> None:
        if goal in self.open:
            self.open.remove(goal)
            self.met.append(goal)

    def _due(self) -> list[Goal]:
        return due(self.open, self.sights, self.table)
