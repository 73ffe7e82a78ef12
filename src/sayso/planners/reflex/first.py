"""Reflex in front of a planner with a model.

A grammar is exact where a model only nearly is: what it has understood to the last word it plans itself, at once and
the same each time. All else is the model's: whatever names things in other words, hints, or is mistyped. So "stop" and
"land" also work on the ground while the model is away, and "return home" in the middle of a search.
"""

from __future__ import annotations

from sayso.errors import NotUnderstood, Unclear
from sayso.planners.reflex import LONGEST_CHARS, Command
from sayso.roles import Brief, End, Planner, Session


class ReflexFirst:
    """Reads what it is sure of by grammar; hands everything else to `planner`, repairs too.

    A sentence is read once: what follows on it, a repair or the next step, is the planner's, if that `mends` plans.
    Other words in the middle of a mission are a new sentence.
    """

    def __init__(self, planner: Planner, *, mends: bool = True) -> None:
        self.planner, self._mends = planner, mends
        self.name = f"reflex, {planner.name}"
        self.steers = planner.steers

    async def act(self, session: Session) -> End:
        """See `parts.Planner`. Raises `NotUnderstood` for a sentence of endless length, and what the planner behind
        raises."""
        try:
            return await self.planner.act(_Reading(session, self._mends))
        except _ObeyedError as obeyed:
            return obeyed.end


class _ObeyedError(Exception):
    """A sentence was read by grammar and done."""

    def __init__(self, end: End) -> None:
        self.end = end


class _Reading:
    """A session for the planner behind: each new sentence is read by grammar before that planner hears of it."""

    def __init__(self, session: Session, mends: bool) -> None:
        self._session, self._mends = session, mends
        self.run, self.pursue, self.note = session.run, session.pursue, session.note
        self.understood, self.missing = session.understood, session.missing
        self.tighten = session.tighten
        self._read: str | None = None

    async def look(self) -> Brief:
        brief = await self._session.look()
        if brief.instruction == self._read:
            return brief
        self._read = brief.instruction
        if len(brief.instruction) > LONGEST_CHARS:
            raise NotUnderstood(f"That is too long for me: I read at most {LONGEST_CHARS} characters at once.")
        try:
            sure = Command.read(brief, mend=False)
        except Unclear:
            raise
        except NotUnderstood:
            return brief
        self._session.pursue(())
        plan = await sure.run(self._session)
        if plan.whole or not self._mends:
            raise _ObeyedError(End.of(plan))
        return await self._session.look()


def behind(planner: object) -> object:
    """The planner that decides in the end: the one behind the grammar, or the planner itself."""
    return planner.planner if isinstance(planner, ReflexFirst) else planner
