"""The worth of a search's next actions, at least, from AEMS2 over the few areas that matter now.

The search looks ahead over a focus, the areas where a sweep brings most; all others are "elsewhere". While the focus
stays and the tree's belief still agrees with the map, the tree is kept and goes on growing below the action that was
done; otherwise it is planted anew. Time to reach an area is a cost of the first action only, and is put on top.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sayso.errors import UsageError
from sayso.robots.aircraft.search.craft import At
from sayso.robots.aircraft.search.outlook import Lump, Surveys, chances, level_of, look_ahead, way_between_s
from sayso.robots.aircraft.search.problem import MINUTE, Outlook, build, lower, start, upper
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.search.aems import AEMS2

AGREES = 0.1
"""A kept tree may differ from the map by so much probability."""

Pending = tuple[tuple[float, float], float]
"""Where a sighting was reported, and the probability that it is true."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is looked ahead: areas in focus (0: all), the likeliest and the quickest; opened leaves a decision."""

    focus: int = 12
    expansions: int = 120


@dataclass(frozen=True, slots=True)
class Step:
    """An action of the look-ahead: sweep an area, climb to a level, confirm, home, or idle for so many seconds."""

    what: str
    area: str = ""
    level: int = 0
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """As the action of the look-ahead is called."""
        of = {"sweep": f" {self.area}", "climb": f" {self.level}", "idle": f" {self.seconds:g}"}
        return self.what + of.get(self.what, "")


@dataclass(slots=True)
class _Grown:
    lump: Lump
    idle_s: tuple[float, ...]
    planner: AEMS2


class LookAhead:
    """The look-ahead for one subject. `kept` counts the decisions in which the tree went on."""

    def __init__(self, where: Whereabouts, surveys: Surveys, effort: Effort | None = None):
        self.where, self.surveys = where, surveys
        self.effort = effort or Effort()
        self.kept = self.planted = 0
        self._grown: _Grown | None = None

    def worths(self, steps: Sequence[Step], at: At, pending: Pending | None = None) -> list[float]:
        """The lower bound of each step's value. Steps to areas outside the focus widen it."""
        idle_s = tuple(dict.fromkeys(s.seconds for s in steps if s.what == "idle"))
        lump = self._lump(steps, at)
        outlook = look_ahead(self.where, self.surveys, at, lump, pending=pending, idle_s=idle_s)
        grown = self._tree(lump, outlook)
        decision, actions = grown.planner.plan(self.effort.expansions), grown.planner.problem.actions
        late_s = self.surveys.travel_s(at) - way_between_s(self.surveys, lump.focus)
        worths = []
        for step in steps:
            known = step.name in actions
            worth = float(decision.q_lower[actions.index(step.name)]) if known else decision.lower
            late = late_s[self.surveys.number[step.area]] if step.what == "sweep" else 0.0 if known else step.seconds
            worths.append(worth - MINUTE * float(late) / 60)
        return worths

    def observe(self, step: Step, seen: int) -> None:
        """What was done and seen: the tree is kept below it, where it has that branch."""
        actions = self._grown.planner.problem.actions if self._grown else ()
        try:
            if self._grown and step.name in actions:
                self._grown.planner.observe(actions.index(step.name), seen)
                return
        except UsageError:  # the tree holds that to be impossible
            pass
        self._grown = None

    def forget(self) -> None:
        """Something happened that the tree knows nothing of."""
        self._grown = None

    def _lump(self, steps: Sequence[Step], at: At) -> Lump:
        """The present focus while it holds every area that is asked about, else the best areas and those."""
        asked = {self.surveys.number[s.area] for s in steps if s.what == "sweep"}
        if self._grown is not None and asked <= set(self._grown.lump.focus):
            return self._grown.lump
        if self.effort.focus <= 0 or self.effort.focus >= len(self.surveys.areas):
            return Lump(self.surveys, range(len(self.surveys.areas)))
        level = level_of(at[2])
        chance = chances(self.where, self.surveys, level)
        orders = (np.argsort(-gain, kind="stable") for gain in (chance, chance / self.surveys.seconds(level)))
        best = dict.fromkeys(int(n) for pair in zip(*orders, strict=True) for n in pair)
        return Lump(self.surveys, sorted({*list(best)[: self.effort.focus], *asked}))

    def _tree(self, lump: Lump, outlook: Outlook) -> _Grown:
        grown = self._grown
        if grown is not None and grown.lump is lump and grown.idle_s == outlook.idle_s:
            if float(np.abs(grown.planner.belief - start(outlook)).sum()) / 2 <= AGREES:
                self.kept += 1
                return grown
        self.planted += 1
        problem = build(outlook)
        planner = AEMS2(problem, lower(problem, outlook), upper(problem, outlook))
        self._grown = _Grown(lump, outlook.idle_s, planner)
        return self._grown
