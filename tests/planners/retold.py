"""How a task ended, from the line that a planner would be told."""

from __future__ import annotations

from sayso.roles import Attempt
from sayso.task import Ran


def ran(line: str) -> Ran:
    """`ask: done the kitchen` and the like; what stands behind done is a value."""
    skill, _, rest = line.partition(": ")
    outcome, _, more = rest.partition(" ")
    return Ran(skill, (), outcome, "" if outcome == "done" else more, more or None if outcome == "done" else None)


def attempt(plan: str, *lines: str, ended: str = "") -> Attempt:
    """An earlier plan of which this ran."""
    return Attempt(plan, tuple(map(ran, lines)), ended)
