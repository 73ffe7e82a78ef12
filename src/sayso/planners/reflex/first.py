"""Reflex in front of a planner with a model.

A grammar is exact where a model only nearly is: what it has understood to the last word it plans itself, at once and
the same each time. All else is the model's: whatever names things in other words, hints, or is mistyped. So "stop" and
"land" also work on the ground while the model is away, and "return home" in the middle of a search.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from sayso.errors import NotUnderstood
from sayso.parts import Brief, Planner, closing
from sayso.planners.reflex import LONGEST_CHARS, statements, steps_of


class ReflexFirst:
    """Reads what it is sure of by grammar; hands everything else to `planner`, repairs too.

    A sentence is read once: what follows on it, a repair or the next step, is the planner's. Other words in the middle
    of a mission are a new sentence.
    """

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.name = f"reflex, {planner.name}"
        self._read: str | None = None

    @property
    def note(self) -> Callable[[str], None]:
        """What hears the notes of the planner behind, where it makes any."""
        heard: Callable[[str], None] = getattr(self.planner, "note", _unheard)
        return heard

    @note.setter
    def note(self, note: Callable[[str], None]) -> None:
        if hasattr(self.planner, "note"):
            self.planner.note = note

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        """See `parts.Planner`. Raises `NotUnderstood` for a sentence of endless length, and what the planner behind
        raises."""
        if len(brief.instruction) > LONGEST_CHARS:
            raise NotUnderstood(f"That is too long for me: I read at most {LONGEST_CHARS} characters at once.")
        fresh = not brief.failure or self._read not in (None, brief.instruction)
        self._read = brief.instruction
        sure = _sure(brief) if fresh else []
        for statement in sure:
            yield statement
        if sure:
            return
        async with closing(self.planner.plan(brief)) as text:
            async for piece in text:
                yield piece


def behind(planner: object) -> object:
    """The planner that decides in the end: the one behind the grammar, or the planner itself."""
    return planner.planner if isinstance(planner, ReflexFirst) else planner


def _unheard(text: str) -> None:
    """Nobody listens."""


def _sure(brief: Brief) -> list[str]:
    """The plan of a sentence that the grammar reads as it stands; empty for any other."""
    try:
        return statements(brief, steps_of(brief, mend=False))
    except NotUnderstood:
        return []
