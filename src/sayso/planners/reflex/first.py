"""Reflex in front of a planner with a model.

What a person says about the robot's own body ("up one metre, then turn left 30 degrees") needs no understanding of the
world, and a grammar is exact where a model only nearly is; what names a thing is the model's. So "stop" and "land" also
work on the ground while the model is away.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from sayso.errors import NotUnderstood
from sayso.parts import Brief, Planner, closing
from sayso.planners.reflex import statements, steps_of
from sayso.planners.reflex.tree import Land, LookAround, Move, Return, Steps, TakeOff, Times, Turn, Wait

OWN = (TakeOff, Land, Return, Move, Turn, LookAround, Wait)
"""What concerns the robot alone. `Say` is not among them: whether a question is meant is not for a grammar to know."""


class ReflexFirst:
    """Reads what it is sure of by grammar; hands everything else to `planner`, repairs too."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.name = f"reflex, {planner.name}"

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        """See `parts.Planner`; raises what the planner behind raises."""
        own = [] if brief.failure else _own(brief)
        for statement in own:
            yield statement
        if own:
            return
        async with closing(self.planner.plan(brief)) as text:
            async for piece in text:
                yield piece


def _own(brief: Brief) -> list[str]:
    """The plan of a sentence that is all about the robot itself; empty for any other."""
    try:
        steps = steps_of(brief)
        return statements(brief, steps) if _concerns_only_itself(steps) else []
    except NotUnderstood:
        return []


def _concerns_only_itself(steps: Steps) -> bool:
    inner = [step.body for step in steps if isinstance(step, Times)]
    plain = [step for step in steps if not isinstance(step, Times)]
    return all(isinstance(step, OWN) for step in plain) and all(map(_concerns_only_itself, inner))
