"""Constraints of decoding that several forms share. One takes text as long as it can still become an answer."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer

LETTERS = "".join(map(chr, range(32, 127)))
ANSWER_CHARS = 200


class GrammarConstraint:
    """Answers of a grammar in llguidance's notation."""

    def __init__(self, grammar: str) -> None:
        self.text = ""
        self._matcher = _matcher(grammar).deep_copy()

    def take(self, more: str) -> bool:
        if not self.viable(more):
            return False
        self._matcher.consume_tokens(list(more.encode()))
        self.text += more
        return True

    def viable(self, more: str) -> bool:
        letters = more.encode()
        return self._matcher.validate_tokens(list(letters)) == len(letters)

    def letters(self) -> frozenset[str]:
        return frozenset(c for c in LETTERS if self.viable(c))

    @property
    def may_end(self) -> bool:
        return bool(self.text) and self._matcher.is_accepting()


class LineConstraint(GrammarConstraint):
    """One line of any text, not too long: a spoken answer."""

    def __init__(self, most: int = ANSWER_CHARS) -> None:
        super().__init__(rf"start: /[^\n]{{1,{most}}}/")


@functools.lru_cache(maxsize=8)
def _matcher(grammar: str) -> LLMatcher:
    """At the beginning of a text. Compiling takes some 20 ms, a copy next to nothing."""
    from llguidance import LLMatcher  # a fiftieth of a second, which only answers of this model wait for

    matcher = LLMatcher(_letters(), grammar)
    if problem := matcher.get_error():
        raise ValueError(problem)
    return matcher


@functools.cache
def _letters() -> LLTokenizer:
    """A byte a token: how our tokens are spelled depends on what stands before them, which no table can say."""
    from llguidance import LLTokenizer, TokenizerWrapper

    return LLTokenizer(TokenizerWrapper(_Bytes()))


class _Bytes:
    tokens = (*(bytes([n]) for n in range(256)), b"<end>")
    eos_token_id = 256
    bos_token_id = None
    special_token_ids = (256,)

    def __call__(self, text: bytes) -> list[int]:
        return list(text)
