"""The goal in a model's answer: `want …` behind its plan, or on a line of its own."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from sayso.errors import PlanSyntaxError
from sayso.goals.text import parse
from sayso.parts import Session, closing

_WANT = re.compile(r"(?:^|[;\n}])\s*(want\b)")
_BEGUN = re.compile(r"(?:^|[;\n}])\s*(w|wa|wan|want)$")


class Apart:
    """Takes a goal behind a plan apart from the plan, while the text arrives. A piece costs what it is long, however
    much came before it: a stop is heard beside the longest plan."""

    def __init__(self) -> None:
        self._before = ";"
        """What stands before that which is held: the end of a statement, or a letter inside one."""
        self._held, self._goal = "", list[str]()

    def plan(self, chunk: str) -> str:
        """What of the text so far is the plan's and was not handed out yet."""
        if self._goal:
            self._goal.append(chunk)
            return ""
        text = self._before + self._held + chunk
        goal = _WANT.search(text)
        held = goal or _BEGUN.search(text)
        end = held.start(1) if held else len(text)
        if goal:
            self._goal.append(text[end:])
        self._held = "" if goal else text[end:]
        said = text[:end].rstrip()
        self._before = ";" if said[-1] in ";}" or "\n" in text[len(said) : end] else "x"
        return text[1:end]

    def rest(self) -> str:
        """What was held back because it could have become a goal."""
        fresh, self._held = self._held, ""
        return fresh

    @property
    def goal(self) -> str:
        """The text of the goal; empty where none was written."""
        return "".join(self._goal).strip()


def split(answer: str) -> tuple[str, str]:
    """A whole answer without its goal, and the goal."""
    apart = Apart()
    return apart.plan(answer) + apart.rest(), apart.goal


class Wants:
    """Tells a session the goal that a model wrote, the first one for each wish: a model that hears that its goal is not
    met cannot wish for less."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told_for: str | None = None

    def told(self, wish: str) -> bool:
        """Whether a goal of this wish was told."""
        return self._told_for == wish

    def tell(self, goal: str, wish: str) -> None:
        """A text that is no goal is told to the operator and left."""
        if not goal or self.told(wish):
            return
        try:
            self._session.understood(parse(goal))
        except PlanSyntaxError as error:
            self._session.note(f"the goal behind the plan is none: {error}")
        else:
            self._told_for = wish

    async def plan(self, text: AsyncIterator[str], wish: str) -> AsyncIterator[str]:
        """The plan in a text that arrives, without the goal behind it, which is told as soon as the text is over."""
        apart = Apart()
        async with closing(text) as chunks:
            async for chunk in chunks:
                yield apart.plan(chunk)
        yield apart.rest()
        self.tell(apart.goal, wish)
