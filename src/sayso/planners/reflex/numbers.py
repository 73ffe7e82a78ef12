"""Numbers as people say them: 2, 1.5, 1/2, "twenty five", "one and a half", "two hundred and ten", "three quarters".

`read` looks at tokens from one place on and says the number and where it ends. A number is never read charitably: a
misspelt one would move the robot by a wrong amount.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.planners.reflex.words import Token

_PARTS = {"half": 0.5, "quarter": 0.25}


@dataclass(frozen=True, slots=True)
class Number:
    """`article` is set for "a" or "an", which counts as one only before a unit; `part` for a bare fraction."""

    value: float
    end: int
    article: bool = False
    part: bool = False


class Numbers:
    """The reader, made from the number words of the vocabulary."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        ones: list[str] = data["ones"]
        self._ones = {word: i for i, word in enumerate(ones)}
        self._tens = {word: 10 * i for i, word in enumerate(data["tens"], 2)}
        self._also: Mapping[str, str] = data["also"]

    def read(self, words: Sequence[Token], at: int) -> Number | None:
        """The longest number that starts at `at`, or None."""
        if digits := self._digits(words, at):
            return digits
        if part := self._bare_part(words, at):
            return part
        if whole := self._cardinal(words, at):
            return self._point(words, whole) or self._and_part(words, whole)
        return self._article(words, at)

    def _word(self, words: Sequence[Token], at: int) -> str:
        return words[at].text if at < len(words) and words[at].kind == "word" else ""

    def _digits(self, words: Sequence[Token], at: int) -> Number | None:
        if at >= len(words) or words[at].kind != "number":
            return None
        value, end = _decimal(words[at].text), at + 1
        if "/" not in words[at].text and end < len(words) and words[end].kind == "number" and "/" in words[end].text:
            return Number(value + _decimal(words[end].text), end + 1)
        for word, scale in (("hundred", 100), ("thousand", 1000)):
            if self._word(words, end) == word:
                return Number(value * scale, end + 1)
        part = Number(value, end, part="/" in words[at].text)
        return part if part.part else self._and_part(words, part)

    def _cardinal(self, words: Sequence[Token], at: int) -> Number | None:
        """A whole number below a million in words."""
        start = self._below_thousand(words, at)
        if start is None:
            return None
        if self._word(words, start.end) != "thousand":
            return start
        rest = self._below_thousand(words, self._skip_and(words, start.end + 1))
        value = start.value * 1000
        return Number(value + rest.value, rest.end) if rest else Number(value, start.end + 1)

    def _below_thousand(self, words: Sequence[Token], at: int) -> Number | None:
        count = self._below_hundred(words, at)
        if count is None and self._word(words, at) == "a" and self._word(words, at + 1) in ("hundred", "thousand"):
            count = Number(1, at + 1)
        if count is None or self._word(words, count.end) != "hundred":
            return count
        rest = self._below_hundred(words, self._skip_and(words, count.end + 1))
        value = count.value * 100
        return Number(value + rest.value, rest.end) if rest else Number(value, count.end + 1)

    def _below_hundred(self, words: Sequence[Token], at: int) -> Number | None:
        word = self._word(words, at)
        also = self._also.get(word, word).split()
        if len(also) == 2:
            return Number(self._tens[also[0]] + self._ones[also[1]], at + 1)
        word = also[0] if also else ""
        if word in self._ones:
            return Number(self._ones[word], at + 1)
        if word not in self._tens:
            return None
        one = self._ones.get(self._word(words, at + 1), 0)
        return Number(self._tens[word] + one, at + 2) if 1 <= one <= 9 else Number(self._tens[word], at + 1)

    def _skip_and(self, words: Sequence[Token], at: int) -> int:
        return at + 1 if self._word(words, at) == "and" else at

    def _point(self, words: Sequence[Token], whole: Number) -> Number | None:
        """ "two point five", digit by digit."""
        if self._word(words, whole.end) != "point":
            return None
        digits, at = "", whole.end + 1
        while 0 <= self._ones.get(self._word(words, at), 10) <= 9:
            digits += str(self._ones[self._word(words, at)])
            at += 1
        return Number(float(f"{whole.value:.0f}.{digits}"), at) if digits else None

    def _and_part(self, words: Sequence[Token], whole: Number) -> Number:
        """ "… and a half", "… and three quarters"; the number itself where nothing of the kind follows."""
        if self._word(words, whole.end) != "and":
            return whole
        part = self._bare_part(words, whole.end + 1)
        return Number(whole.value + part.value, part.end) if part else whole

    def _bare_part(self, words: Sequence[Token], at: int) -> Number | None:
        """ "half", "a half", "a quarter", "three quarters", "point five", "a couple (of)"."""
        word = self._word(words, at)
        if word == "point":
            return self._point(words, Number(0, at))
        if word == "three" and self._word(words, at + 1) in ("quarter", "quarters"):
            return Number(0.75, at + 2, part=True)
        start = at + 1 if word in ("a", "an", "one") else at
        if self._word(words, start) in _PARTS:
            return Number(_PARTS[self._word(words, start)], start + 1, part=True)
        if start > at and self._word(words, start) == "couple":
            return Number(2, start + 1 + (self._word(words, start + 1) == "of"))
        return None

    def _article(self, words: Sequence[Token], at: int) -> Number | None:
        return Number(1, at + 1, article=True) if self._word(words, at) in ("a", "an") else None


def _decimal(text: str) -> float:
    """3, 1.5, 1,5 or 1/2."""
    over, _, under = text.partition("/")
    return float(over.replace(",", ".")) / float(under or 1)
