"""What a mission still owes, as things that go from place to place.

The list that the model wrote at first is advisory, but it says what the model took the wish to mean: each thing that it
takes up and puts somewhere is a goal. `done` while one of them is open is asked about before it is believed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from sayso.steps import DONE, Heard, Listed, Step

GO, PICK, PUT = "go_to", "pick_up", "place"

_EVERY_ON = re.compile(r"((?:every|all|each) .+?) (?:on|at|in|from) (?:the )?(.+)")


@dataclass(frozen=True, slots=True)
class Goal:
    """A thing that is to end up at a place; without a thing, the robot itself. `source` is where it is looked for.

    `only` there, where the wish names it: `every lemon on fruit table`. Those called as in `but` are left where they
    are, and so is what is at a place of `away`; where `kinds` are told, it is one of these. The `nth` is meant in the
    order of a superlative.
    """

    thing: str
    place: str
    source: str = field(default="", compare=False)
    only: bool = field(default=False, compare=False)
    but: tuple[str, ...] = field(default=(), compare=False)
    kinds: tuple[str, ...] = ()
    nth: int = 1
    away: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{' or '.join(self.kinds) or self.thing or 'the robot'} to {self.place}"

    @property
    def called(self) -> str:
        """What is meant, as people say it."""
        return " or ".join(self.kinds) or self.thing.removeprefix("every ")

    def means(self, name: str) -> bool:
        """Whether a thing of that name is not excepted."""
        return name not in self.but and (not self.kinds or name in self.kinds)

    @property
    def every(self) -> bool:
        """Whether it is over all of a kind."""
        return self.thing.startswith("every ")


def goals_of(steps: Sequence[Step]) -> list[Goal]:
    """The goals that a list of steps amounts to: what is placed, and where the robot was sent before that; and where

    it is sent last of all, to do nothing there."""
    at, source, goals = "", "", list[Goal]()
    for step in steps:
        if step.skill == GO:
            at = step.args[0]
        elif step.skill == PICK:
            source = at
        elif step.skill == PUT and at:
            goals.append(_goal(bare(step.args[0]), bare(at), bare(source)))
    moves = [s for s in steps if s.skill in (GO, PICK, PUT)]
    if len(steps) > 1 and moves and moves[-1].skill == GO and steps[-1].skill == DONE:
        goals.append(Goal("", bare(moves[-1].args[0])))
    return goals


def _goal(thing: str, place: str, source: str) -> Goal:
    """A goal; one over all of a kind may name the place that it is limited to."""
    limited = _EVERY_ON.fullmatch(thing)
    return Goal(limited[1], place, limited[2], only=True) if limited else Goal(thing, place, source)


class Goals(Listed):
    """Open and met goals of one mission, and those that a later list had no more."""

    def __init__(self, open: Sequence[Goal] = (), met: Sequence[Goal] = (), dropped: Sequence[Goal] = ()) -> None:
        super().__init__()
        self.open, self.met, self.dropped = list(open), list(met), list(dropped)
        self._waiting: list[Goal] = []
        self._at = ""

    @property
    def owed(self) -> str:
        return ", ".join(map(str, self.open)) if self.open or self.met or self._list else super().owed

    def take(self, plan: Sequence[Step]) -> str:
        """A list that the model wrote; what is new about it, where there was one before."""
        if not plan or tuple(plan) == self._list:
            return ""
        fresh = goals_of(plan)
        rest = [goal for goal in fresh if goal not in self.met]
        if self.met and len(fresh) - len(rest) >= len(set(self.met)) and len(rest) < len(fresh):
            fresh = rest  # the whole list again, not what is left of it
        same = fresh == self.open
        self.dropped += [goal for goal in self.open if goal not in fresh]
        self.open = fresh
        departed = super().take(plan)
        return "" if same else departed

    def put_off(self) -> str:
        first = next(iter(self.open), None)
        if first is None or len(self.open) < 2 or first in self._waiting:
            return ""
        self._waiting.append(first)
        self.open = [*self.open[1:], first]
        return str(first)

    def hear(self, step: Step | None, heard: Heard | None) -> None:
        super().hear(step, heard)
        if step and (heard is None or heard.worked):
            self._worked(step)

    def _worked(self, step: Step) -> None:
        if step.skill == GO:
            self._at = bare(step.args[0])
            if self.open and self.open[0] == Goal("", self._at):
                self.met.append(self.open.pop(0))
        elif step.skill == PUT and self._at:
            single = [g for g in self.open if g.thing and not g.every]
            goal = next((g for g in single if self.meets(g, bare(step.args[0]), self._at)), None)
            if goal:
                self.open.remove(goal)
                self.met.append(goal)

    def meets(self, goal: Goal, thing: str, place: str) -> bool:
        """Whether a goal is met by a thing, as it was called, that was put down at a place: by its words."""
        words, asked = {*thing.split()}, {*goal.thing.split()}
        return goal.place == place and (asked <= words or words <= asked)


def bare(text: str) -> str:
    """A name without articles, and a place without the side that one stands at."""
    words = re.sub(r"^(?:the )?\w+ (?:side|end) of ", "", text.lower().replace("_", " ").strip())
    return re.sub(r"^(?:the|an?) ", "", words)
