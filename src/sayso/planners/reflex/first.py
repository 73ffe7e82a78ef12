"""The plain commands in front of a planner with a model.

What they have understood to the last word they plan themselves, at once and the same each time; all else is the
model's. So "stop" and "land" also work on the ground while the model is away, and "return home" in the middle of a
search.
"""

import asyncio

from sayso.clock import beside
from sayso.errors import NotUnderstood, Unclear
from sayso.goals.clauses import preds
from sayso.planners.reflex import LONGEST_CHARS, Command
from sayso.planners.reflex.urgent import urgent
from sayso.roles import Attempt, Brief, End, Planner, Session

WATCH_S = 0.25
"""How often it is looked whether the wish is still the same while a plan of it runs."""


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
        """See `roles.Planner`. Raises `NotUnderstood` for an endless sentence, and what the planner raises."""
        try:
            return await self.planner.act(_Reading(session, self._mends, self.steers))
        except _ObeyedError as obeyed:
            return obeyed.end


class _ObeyedError(Exception):
    """A sentence was read by grammar and done."""

    def __init__(self, end: End) -> None:
        self.end = end


class _Reading:
    """A session for the planner behind: each new sentence is read by grammar before that planner hears of it."""

    def __init__(self, session: Session, mends: bool, steers: bool) -> None:
        self._session, self._mends, self._steers = session, mends, steers
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
        only, meant = brief.words.only, {pred.name for pred in preds(sure.goal)}
        if only and not urgent(brief.instruction) and not (meant and meant <= {*only}):
            return brief
        self._session.pursue(())
        plan = await self._run(sure)
        if plan is None:
            return await self.look()
        if plan.whole or not self._mends:
            raise _ObeyedError(End.of(plan))
        return await self._session.look()

    async def _run(self, sure: Command) -> Attempt | None:
        """How its plan ended; None where the wish became another one before that, for a planner that steers."""
        async with beside(sure.run(self._session)) as running:
            while not running.done():
                await asyncio.wait([running], timeout=WATCH_S if self._steers else None)
                if not running.done() and (await self._session.look()).instruction != self._read:
                    return None
            return running.result()


def behind(planner: object) -> object:
    """The planner that decides in the end: the one behind the grammar, or the planner itself."""
    return planner.planner if isinstance(planner, ReflexFirst) else planner
