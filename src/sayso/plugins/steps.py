"""The records that pass between a stepwise planner and a kind of robot: steps, their results, and what is still owed.

The planner leads the conversation with the model and keeps its budget. What a wish amounts to, and what of it is open,
only a kind of robot can tell: its kit brings a `Ledger`, one for each mission. `ListLedger` is that of any other robot.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sayso.errors import NotUnderstood
from sayso.goal import Clause
from sayso.roles import Observation
from sayso.task import Ran

DONE, GIVE_UP = "done", "give_up"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a skill with its arguments, or `done`, or `give_up` with the reason."""

    skill: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.skill}({', '.join(self.args)})" if self.skill != DONE else DONE

    def like(self, other: Step) -> bool:
        """Whether both ask for the same, however it is spelt."""
        return self.skill == other.skill and [normalized(a) for a in self.args] == [normalized(a) for a in other.args]


def normalized(text: str) -> str:
    """A word without case, spaces and marks."""
    return re.sub(r"[^a-z0-9.,]", "", text.lower())


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step: whether it was done, what of it ran, and what is seen after it."""

    worked: bool
    ran: tuple[Ran, ...] = ()
    seen: Observation = field(default_factory=Observation)

    def failed(self, code: str) -> Ran | None:
        """What failed with this code."""
        return next((one for one in self.ran if one.code == code and not one.done), None)


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """An answer of the model."""

    text: str


@dataclass(frozen=True, slots=True)
class StepFeedback:
    """The feedback to the model after a step: what came of it, what is known since, and which goals are open."""

    ran: tuple[str, ...] = ()
    news: tuple[str, ...] = ()
    owed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RejectedAnswer:
    """The feedback on an answer that was not accepted."""

    why: tuple[str, ...]


Turn: TypeAlias = ModelAnswer | StepFeedback | RejectedAnswer
"""One turn of the conversation with a model."""


class Ledger:
    """What a mission still owes, as a kind of robot keeps account of it. By itself the model's list, and the steps that
    it left out: it knows nothing of the world."""

    def __init__(self) -> None:
        self._list: tuple[Step, ...] = ()
        self._done = 0

    @property
    def owed(self) -> str:
        """The open goals in words; empty where nothing is open."""
        if not self._list and not self._done:
            return "the task, for which nothing has been done"
        return ", ".join(self.due())

    def wanted(self) -> Clause | None:
        """The goal, as far as it is known by now: a model's own comes first. It is asked for after every answer."""
        return None

    def take(self, plan: Sequence[Step]) -> str:
        """The model wrote a list (or none); how it departs from an earlier one, empty where it does not."""
        changed, self._list = bool(plan and self._list) and tuple(plan) != self._list, tuple(plan) or self._list
        return "a new list of steps" if changed else ""

    def choose(self, step: Step) -> str:
        """The model chose its next step; how it departs from the list, empty where it does not."""
        if not self._list:
            return ""
        if step.like(self._list[0]):
            self._list = self._list[1:]
            return ""
        later = next((n for n, s in enumerate(self._list) if step.like(s)), None)
        if later is None:
            return f"{step} instead of {self._list[0]}"
        skipped, self._list = self._list[:later], self._list[later + 1 :]
        return f"{step}, leaving out {', '.join(map(str, skipped))}"

    def owe(self, goal: Clause) -> None:
        """Take the model's reading of the wish, for `follows`. Raises `NotUnderstood` for what no skill reaches."""
        raise NotUnderstood("I understood what you want, but not how I could do it.")

    def hear(self, step: Step | None, heard: StepResult | None) -> None:
        """Take a step's result (none: the mission begins). Where nobody tells what came of it, it counts as done."""
        self._done += step is not None and (heard is None or heard.worked)

    def follows(self) -> Step | None:
        """The next step, where the model said what the wish means; None where it is asked for each step."""
        return None

    def put_off(self) -> str:
        """Let what is due wait behind the rest, once; what waits, empty where there is nothing else to go on with."""
        return ""

    def due(self) -> Sequence[str]:
        """What is open in words, what comes next first."""
        return [str(step) for step in self._list if step.skill not in (DONE, GIVE_UP)]

    def doubts(self) -> bool:
        """The model says that it is done: open again what seems not to be; whether what was seen speaks against it."""
        return False
