"""Pay: what each next action of a search is worth at least, from AEMS2 over the few areas that matter now.

The search looks ahead over a focus, the areas where a sweep brings most; all others are "elsewhere". While the focus
stays and the tree's belief still agrees with the map, the tree is kept and goes on growing below the action that was
done; otherwise it is planted anew. Time to reach an area is a cost of the first action only, and is put on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sayso.errors import UsageError
from sayso.robots.aircraft.search.craft import At
from sayso.robots.aircraft.search.outlook import Lump, Surveys, chances, level_of, look_ahead, way_between_s
from sayso.robots.aircraft.search.problem import MINUTE, Layout, Outlook, build, lower, start, upper
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.search.aems import AEMS2, Decision

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


@dataclass(slots=True)
class _Grown:
    lump: Lump
    idle_s: tuple[float, ...]
    planner: AEMS2
    layout: Layout
    way_s: float


class LookAhead:
    """The look-ahead for one subject. `kept` counts the decisions in which the tree went on."""

    def __init__(self, where: Whereabouts, surveys: Surveys, effort: Effort | None = None):
        self.where, self.surveys = where, surveys
        self.effort = effort or Effort()
        self.kept = self.planted = 0
        self.decision: Decision | None = None
        self._grown: _Grown | None = None

    def worths(self, steps: Sequence[Step], at: At, pending: Pending | None = None) -> list[float]:
        """The lower bound of each step's value. Steps to areas outside the focus widen it."""
        idle_s = tuple(dict.fromkeys(s.seconds for s in steps if s.what == "idle"))
        lump = self._lump(steps, at)
        outlook = look_ahead(self.where, self.surveys, at, lump, pending=pending, idle_s=idle_s)
        grown = self._tree(lump, outlook)
        self.decision = grown.planner.plan(self.effort.expansions)
        return [self._worth(step, grown, at) for step in steps]

    def observe(self, step: Step, seen: int) -> None:
        """What was done and seen: the tree is kept below it, where it has that branch."""
        if self._grown is None:
            return
        action = self._action(step, self._grown)
        try:
            if action is None:
                raise UsageError("not an action of this tree")
            self._grown.planner.observe(action, seen)
        except UsageError:
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
            belief = start(outlook, grown.layout)
            if float(np.abs(grown.planner.belief - belief).sum()) / 2 <= AGREES:
                self.kept += 1
                return grown
        self.planted += 1
        problem = build(outlook)
        planner = AEMS2(problem, lower(problem, outlook), upper(problem, outlook))
        planner.start()
        way_s = way_between_s(self.surveys, lump.focus)
        self._grown = _Grown(lump, outlook.idle_s, planner, Layout(outlook), way_s)
        return self._grown

    def _worth(self, step: Step, grown: _Grown, at: At) -> float:
        assert self.decision is not None
        action = self._action(step, grown)
        if action is None:
            return self.decision.lower - MINUTE * step.seconds / 60
        worth = float(self.decision.q_lower[action])
        if step.what == "sweep":
            late_s = float(self.surveys.travel_s(at)[self.surveys.number[step.area]]) - grown.way_s
            worth -= MINUTE * late_s / 60
        return worth

    def _action(self, step: Step, grown: _Grown) -> int | None:
        layout = grown.layout
        match step.what:
            case "sweep":
                index = self.surveys.number[step.area]
                return grown.lump.focus.index(index) if index in grown.lump.focus else None
            case "climb":
                return layout.climb(step.level)
            case "confirm":
                return layout.confirm
            case "home":
                return layout.home
            case "idle" if step.seconds in grown.idle_s:
                return layout.idle + grown.idle_s.index(step.seconds)
        return None
