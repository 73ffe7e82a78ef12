"""Reading on behind an error, so that a person or a model hears of all errors of a plan at once.

Behind a wrong token everything is skipped up to the next place where a statement clearly begins: behind a `;`, at a
`}`, inside the block of a broken header, or on a new line.
"""

from __future__ import annotations

from sayso.errors import PlanError, PlanSyntaxError
from sayso.language.bounds import PlanBounds
from sayso.language.nodes import Block, Branch, Conditional, Literal
from sayso.language.parser import Parser
from sayso.language.states import SKIPPING, START, Act
from sayso.language.tokens import FIRST, KINDS, kind_of

MOST_ERRORS = 100
"""Nobody reads more; noise would otherwise give one for each character."""


class TooManyErrors(Exception):
    """Reading is given up."""


class Survey(Parser):
    """A parser that notes errors in `errors` instead of raising them."""

    def __init__(self, bounds: PlanBounds) -> None:
        super().__init__(bounds)
        self.errors: list[PlanError] = []

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

    def _step(self, kind: str, text: str, at: int) -> None:
        try:
            super()._step(kind, text, at)
        except PlanSyntaxError as error:
            self.note(error)
            self._reset(SKIPPING)
            self._resume(kind, text, at)

    def _again(self, text: str, at: int) -> None:
        """Within a step: what it raises is noted once, by the step."""
        super()._step(kind_of(text), text, at)

    def _resume(self, kind: str, text: str, at: int) -> None:
        """The wrong token itself may be where a statement ends or begins."""
        try:
            SKIPPING[kind](self, text, at)
        except PlanSyntaxError:
            self._reset(START if kind == "}" else SKIPPING)


def _skip(parser: Parser, text: str, at: int) -> None:
    if parser._line_at == at:
        _skip_end(parser, text, at)


def _skip_end(parser: Parser, text: str, at: int) -> None:
    parser._reset(START)
    if not parser._blocks[-1].open:
        parser._pop()
    parser._again(text, at)


def _skip_open(parser: Parser, text: str, at: int) -> None:
    """The block behind a broken header is read as that of a condition."""
    if not parser._blocks[-1].open:
        parser._pop()
    parser._room(at)
    parser._push(Block(), Conditional([Branch(Literal(None), Block())]))


def _nothing(parser: Parser, text: str, at: int) -> None:
    """The text may end here."""


_ALL_KINDS: dict[str, Act] = dict.fromkeys({*KINDS.values(), *FIRST.values(), "odd"}, _skip)
SKIPPING.on(_ALL_KINDS, {";": _skip_end, "}": _skip_end, "{": _skip_open, "end": _nothing})
