"""Reflex in front of a planner with a model.

A grammar is exact where a model only nearly is: what it has understood to the last word it plans itself, at once and
the same each time. All else is the model's: whatever names things in other words, hints, or is mistyped. So "stop" and
"land" also work on the ground while the model is away.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from sayso.errors import NotUnderstood
from sayso.parts import Brief, Planner, closing
from sayso.planners.reflex import LONGEST_CHARS, statements, steps_of


class ReflexFirst:
    """Reads what it is sure of by grammar; hands everything else to `planner`, repairs too."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.name = f"reflex, {planner.name}"

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        """See `parts.Planner`. Raises `NotUnderstood` for a sentence of endless length, and what the planner behind
        raises."""
        if len(brief.instruction) > LONGEST_CHARS:
            raise NotUnderstood(f"That is too long for me: I read at most {LONGEST_CHARS} characters at once.")
        sure = [] if brief.failure else _sure(brief)
        for statement in sure:
            yield statement
        if sure:
            return
        async with closing(self.planner.plan(brief)) as text:
            async for piece in text:
                yield piece


def _sure(brief: Brief) -> list[str]:
    """The plan of a sentence that the grammar reads as it stands; empty for any other."""
    try:
        return statements(brief, steps_of(brief, mend=False))
    except NotUnderstood:
        return []
