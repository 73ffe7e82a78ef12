"""The part of the parser that knows text and states but no grammar: tokens in, one act for each.

Nothing recurses and nothing is looked at twice, so reading is linear in the text; a token that has no act in the
present state is refused the moment it arrives.
"""

from __future__ import annotations

from typing import NoReturn

from sayso.language.bounds import LONGEST_WORD, PlanBounds, utf8_size
from sayso.language.lexer import Lexer
from sayso.language.nodes import Plan
from sayso.language.states import BEGIN
from sayso.language.tokens import FIRST, KINDS, kind_of, rare_kind

SHOWN = 20
"""Characters of a wrong token that an error repeats."""


class Automaton:
    """Takes in text of a `plan`. `_at` is the offset of the token at hand, `_line_at` that of the last token that was

    the first on its line, `_began_at` that of the statement at hand.
    """

    def __init__(self, bounds: PlanBounds) -> None:
        self.plan = Plan()
        self.bounds = bounds
        self._lexer = Lexer()
        self._state = BEGIN
        self._at = 0
        self._line_at = -1
        self._began_at = 0

    def read(self, text: str) -> None:
        """Take in more text, of any length."""
        source = self.plan.source
        size = len(text) if text.isascii() else utf8_size(text)
        room = self.bounds.program_bytes - source.bytes
        if size > room:
            self._overflow(text, room)
        source.add(text, size)
        tokens = self._lexer.feed(text)
        if tokens:
            self._take(tokens)
        if self._lexer.quoted is not None:
            self._bound_open_string(self._lexer.quoted.bytes)

    def _overflow(self, text: str, room: int) -> NoReturn:
        """What still fits is read, so that an error in it is found first; then the program is refused."""
        fits = text[:room].encode("utf-8", "surrogatepass")[:room].decode("utf-8", "ignore")
        self.read(fits)
        self._refuse("the program is too long", self.plan.source.size, f"at most {self.bounds.program_bytes} bytes")

    def _bound_open_string(self, size: int) -> None:
        if size > self.bounds.string_bytes:
            self._refuse("a string is too long", self._at, f"at most {self.bounds.string_bytes} bytes")

    def _take(self, tokens: list[str]) -> None:
        at = self._at
        for text in tokens:
            kind = KINDS.get(text) or FIRST.get(text[0]) or rare_kind(text)
            self._at = at
            if kind == "space":
                if "\n" in text or self._line_at == at:
                    self._line_at = at + len(text)
            else:
                self._step(kind, text, at)
            at += len(text)
        self._at = at

    def _step(self, kind: str, text: str, at: int) -> None:
        act = self._state.get(kind)
        if act is None:
            self._unexpected(text, at)
        act(self, text, at)

    def _again(self, text: str, at: int) -> None:
        """The token that ended one statement begins the next."""
        self._step(kind_of(text), text, at)

    def _expected(self) -> str:
        """What would be right here, in words."""
        return self._state.expected

    def _unexpected(self, text: str, at: int) -> NoReturn:
        if not text:
            self._refuse("the text ends in the middle of a statement", at, self._expected())
        shown = text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
        self._refuse(f"{shown!r} cannot stand here", at, self._expected())

    def _bound_word(self, text: str, at: int) -> None:
        if len(text) > LONGEST_WORD:
            self._refuse("a name is too long", at, f"at most {LONGEST_WORD} characters")

    def _refuse(self, message: str, at: int, expected: str = "") -> NoReturn:
        raise self.plan.source.syntax_error(message, at, expected)
