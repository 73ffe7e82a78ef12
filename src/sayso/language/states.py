"""What can be expected next while a plan is read, as the states of an automaton.

Each says it in words, for errors; `parser` fills in what each kind of token then does. `{end}` is what would close the
expression at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Act: TypeAlias = Callable[[Any, str, int], None]
"""What a token does: (parser, its text, its offset)."""


class State(dict[str, Act]):
    """Kinds of tokens that can come, and what they do."""

    def __init__(self, expected: str) -> None:
        super().__init__()
        self.expected = expected

    def on(self, *acts: Mapping[str, Act]) -> None:
        for some in acts:
            self.update(some)


BEGIN = State("a statement")
FENCED = State("a statement")
TAGGED = State("a new line")
START = State("a statement")
CALLED = State("'(', ';' or a new line")
ASSIGNED = State("'='")
COUNTED = State("'{{'")
REPLANNING = State("';'")
REPLAN_PAREN = State("')'")
OPERAND = State("a value")
FIRST_ARGUMENT = State("a value or ')'")
OPERATOR = State("an operator or {end}")
NAMED = State("'(', an operator or {end}")
CLOSED = State("an operator or {end}")
CLOSED_BRANCH = State("a statement or ':'")
ELSE = State("'{{' or '?'")
OVER = State("nothing behind the closing fence")
SKIPPING = State("a statement")
