"""Reading on behind an error, so that a person or a model hears of all errors of a plan at once.

Behind a wrong token everything is skipped up to the next place where a statement clearly begins: behind a `;`, at a
`}`, inside the block of a broken header, or on a new line.
"""

from __future__ import annotations

from sayso.errors import PlanError, PlanSyntaxError
from sayso.language.bounds import PlanBounds
from sayso.language.nodes import Block, Branch, Conditional, Literal
from sayso.language.parser import Parser

MOST_ERRORS = 100
"""Nobody reads more; noise would otherwise give one for each character."""


class TooManyErrors(Exception):
    """Reading is given up."""


class Survey(Parser):
    """A parser that notes errors in `errors` instead of raising them."""

    def __init__(self, bounds: PlanBounds) -> None:
        super().__init__(bounds)
        self.errors: list[PlanError] = []
        self._skips = False

    def note(self, error: PlanError) -> None:
        self.errors.append(error)
        if len(self.errors) >= MOST_ERRORS:
            raise TooManyErrors

    def survey(self, text: str) -> None:
        """Read all of `text`."""
        try:
            self.read(text)
            self.close()
        except PlanError as error:
            self.errors.append(error)
        except TooManyErrors:
            return

    def _token(self, kind: str, text: str) -> None:
        try:
            self._skip(kind, text) if self._skips else super()._token(kind, text)
        except PlanSyntaxError as error:
            self.note(error)
            try:  # the wrong token itself may be where a statement ends or begins
                self._skip(kind, text)
            except PlanSyntaxError:
                self._begin()
                self._skips = kind != "}"

    def _skip(self, kind: str, text: str) -> None:
        """Read on from here, if a statement can begin here."""
        self._skips = kind not in (";", "}", "{") and (kind == "end" or self._line_at != self._at)
        if self._skips:
            return
        if not self._blocks[-1].open:
            self._pop()
        self._begin()
        if kind == "{":  # the block behind a broken header is read as that of a condition
            self._room()
            self._push(Block(), Conditional([Branch(Literal(None), Block())]))
        else:
            super()._token(kind, text)

    def _begin(self) -> None:
        """Before a statement."""
        self._reading = self._statements()
        next(self._reading)
