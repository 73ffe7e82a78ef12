"""What a stepwise mission still owes, and whether it keeps to its own list.

The list that the model wrote at first is advisory, but it says what the model took the wish to mean: each thing that it
takes up and puts somewhere is a goal. `done` while one of them is open is asked about before it is believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sayso.planners.stepwise_answer import Step

GO, PICK, PUT = "go_to", "pick_up", "place"


@dataclass(frozen=True, slots=True)
class Goal:
    """A thing that is to end up at a place."""

    thing: str
    place: str

    def __str__(self) -> str:
        return f"{self.thing} to {self.place}"


def goals_of(steps: Iterable[Step]) -> list[Goal]:
    """The goals that a list of steps amounts to: what is placed, and where the robot was sent before that."""
    at, goals = "", list[Goal]()
    for step in steps:
        if step.skill == GO:
            at = step.args[0]
        elif step.skill == PUT and at:
            goals.append(Goal(_bare(step.args[0]), _bare(at)))
    return goals


@dataclass(slots=True)
class Ledger:
    """Open and met goals of one mission. `departures` tells where the model left its list, and how."""

    open: list[Goal] = field(default_factory=list)
    met: list[Goal] = field(default_factory=list)
    departures: list[str] = field(default_factory=list)
    _list: tuple[Step, ...] = ()
    _at: str = ""

    def take(self, plan: Sequence[Step]) -> str:
        """A list that the model wrote; what is new about it, where there was one before."""
        if not plan or tuple(plan) == self._list:
            return ""
        fresh = goals_of(plan)
        for goal in self.met:
            if goal in fresh:
                fresh.remove(goal)
        changed = bool(self._list) and fresh != self.open
        self._list, self.open = tuple(plan), fresh
        return self._departed("a new list of steps") if changed else ""

    def choose(self, step: Step) -> str:
        """The next step was chosen; how it departs from the list, empty where it does not."""
        if not self._list:
            return ""
        if step.like(self._list[0]):
            self._list = self._list[1:]
            return ""
        later = next((n for n, s in enumerate(self._list) if step.like(s)), None)
        if later is None:
            return self._departed(f"{step} instead of {self._list[0]}")
        skipped, self._list = self._list[:later], self._list[later + 1 :]
        return self._departed(f"{step}, leaving out {', '.join(map(str, skipped))}")

    def worked(self, step: Step) -> None:
        """The step was done."""
        if step.skill == GO:
            self._at = _bare(step.args[0])
        elif step.skill == PUT and self._at:
            goal = next((g for g in self.open if _same(g, step.args[0], self._at)), None)
            if goal:
                self.open.remove(goal)
                self.met.append(goal)

    def _departed(self, how: str) -> str:
        self.departures.append(how)
        return how


def _same(goal: Goal, thing: str, place: str) -> bool:
    return goal.place == place and (set(goal.thing.split()) <= set(_bare(thing).split()) or goal.thing == _bare(thing)
                                    or set(_bare(thing).split()) <= set(goal.thing.split()))  # fmt: skip


def _bare(text: str) -> str:
    """A name without articles, and a place without the side that one stands at."""
    words = re.sub(r"^(?:the )?\w+ (?:side|end) of ", "", text.lower().replace("_", " ").strip())
    return re.sub(r"^(?:the|an?) ", "", words)
