"""Constraints of decoding that several forms share. One takes text as long as it can still become an answer."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sayso.errors import PlanError
from sayso.language import PlanStream
from sayso.language.guide import guided
from sayso.skill import SkillSet

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
        if not self.viable(more) or not self._feed(more):
            return False
        self._matcher.consume_tokens(list(more.encode()))
        self.text += more
        return True

    def _feed(self, more: str) -> bool:
        """What a grammar cannot say is held against it here."""
        return True

    def viable(self, more: str) -> bool:
        letters = more.encode()
        return self._matcher.validate_tokens(list(letters)) == len(letters)

    def letters(self) -> frozenset[str]:
        return frozenset(c for c in LETTERS if self.viable(c))

    @property
    def may_end(self) -> bool:
        return bool(self.text) and self._matcher.is_accepting()

    @property
    def whole(self) -> int:
        return len(self.text) if self.may_end else 0


class PlanConstraint(GrammarConstraint):
    """Plans that a robot with `skills` admits. Whole is what is complete statements."""

    def __init__(self, skills: SkillSet) -> None:
        super().__init__(guided(skills))
        self._skills = skills
        self._stream = PlanStream(skills)

    def _feed(self, more: str) -> bool:
        """Hold it against the checker, which knows bounds that are no matter of grammar."""
        try:
            self._stream.feed(more)
        except PlanError:
            self._stream = PlanStream(self._skills)
            self._stream.feed(self.text)
            return False
        return True

    @property
    def whole(self) -> int:
        return self._stream.whole


class LineConstraint(GrammarConstraint):
    """One line of any text, not too long: a spoken answer."""

    def __init__(self, most: int = ANSWER_CHARS) -> None:
        super().__init__(rf"start: /[^\n]{{1,{most}}}/")

    @property
    def whole(self) -> int:
        return len(self.text)


def one_of(words: Iterable[str]) -> str:
    """A part of a grammar's regular expression: any of these words."""
    return f"({'|'.join(re.escape(word) for word in words)})".replace("/", r"\/")


@functools.lru_cache(maxsize=8)
def _matcher(grammar: str) -> LLMatcher:
    """At the beginning of a text. Compiling takes some 20 ms, a copy next to nothing."""
    from llguidance import LLMatcher  # a fiftieth of a second, which only plans of this model wait for

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
