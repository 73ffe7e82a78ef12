"""A skill call of a plan, on its way to an outcome."""

from __future__ import annotations

import asyncio
from typing import Any

from sayso.skill import Skill
from sayso.task import Outcome, Task


class Call:
    """One call. The first of an outcome, an error and the end of its patience counts."""

    __slots__ = ("args", "begun", "impatient", "number", "outcome", "skill", "statement", "task")

    def __init__(self, number: int, skill: Skill, args: tuple[Any, ...], statement: int) -> None:
        self.number, self.skill, self.args, self.statement = number, skill, args, statement
        self.outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.task = Task(skill.name, self if skill.body else args)
        self.begun = False
        self.impatient: asyncio.TimerHandle | None = None

    def expire(self, seconds: float, outcome: Outcome) -> None:
        """Finish with `outcome` unless something else does before."""
        self.goes_on()
        self.impatient = asyncio.get_running_loop().call_later(seconds, self.finish, outcome)

    def goes_on(self) -> None:
        """It has what it waited for."""
        if self.impatient:
            self.impatient.cancel()
            self.impatient = None

    def fail(self, error: Exception) -> None:
        """What nobody expects of a skill; climbs to whoever asked for the call."""
        if not self.outcome.done():
            self.outcome.set_exception(error)

    def finish(self, outcome: Outcome) -> None:
        """The first word counts."""
        self.goes_on()
        if not self.outcome.done():
            self.outcome.set_result(outcome)
