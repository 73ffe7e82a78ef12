"""Numbers in sentences: 2, 1.5, 1/2, "twenty five", "one and a half", "two hundred and ten", "three quarters".

`read` looks at tokens from one place on and says the number and where it ends. A number is never read charitably: a
misspelt one would move the robot by a wrong amount.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sayso.grounding import ENGLISH
from sayso.grounding.tokens import Token

_PARTS: Mapping[str, int] = ENGLISH["numbers"]["parts"]
_PLAIN_PARTS = ("half", "quarter")
"""Parts that are no ordinals: "half a metre" needs no more to be one."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number that was said. `article` is set for "a" or "an", which counts as one only before a unit; `part` for a
    bare fraction."""

    value: float
    end: int
    article: bool = False
    part: bool = False


_ONES: Mapping[str, int] = {word: i for i, word in enumerate(ENGLISH["numbers"]["ones"])}
_TENS: Mapping[str, int] = {word: 10 * i for i, word in enumerate(ENGLISH["numbers"]["tens"], 2)}
_ALSO: Mapping[str, str] = ENGLISH["numbers"]["also"]

_NONE: Mapping[str, str] = dict.fromkeys(ENGLISH["numbers"]["none"], "0")
_FIGURES: Mapping[str, str] = {**{word: str(n) for word, n in _ONES.items()}, **_NONE}
_SCALES = ("hundred", "thousand", "point")

WORDS = frozenset({*_ONES, *_TENS, *_ALSO})
"""Every word that says a number by itself."""

_BEGINS = WORDS.union(_PLAIN_PARTS, ("a", "an", "point"))


def figure(word: str) -> str:
    """A small number as its figure; any other word as it is."""
    return _FIGURES.get(word, word)


def read(words: Sequence[Token], at: int) -> Number | None:
    """The longest number that starts at `at`, or None."""
    if digits := _digits(words, at):
        return digits
    if _word(words, at) not in _BEGINS:
        return None
    if part := _bare_part(words, at):
        return part
    if spelled := _spelled(words, at):
        return spelled
    if whole := _cardinal(words, at):
        return _point(words, whole) or _and_part(words, whole)
    return Number(1, at + 1, article=True) if _word(words, at) in ("a", "an") else None


def _word(words: Sequence[Token], at: int) -> str:
    return words[at].text if at < len(words) and words[at].kind == "word" else ""


def _digits(words: Sequence[Token], at: int) -> Number | None:
    if at >= len(words) or words[at].kind != "number":
        return None
    value, end = _decimal(words[at].text), at + 1
    if "/" not in words[at].text and end < len(words) and words[end].kind == "number" and "/" in words[end].text:
        return Number(value + _decimal(words[end].text), end + 1)
    for word, scale in (("hundred", 100), ("thousand", 1000)):
        if _word(words, end) == word:
            return Number(value * scale, end + 1)
    part = Number(value, end, part="/" in words[at].text)
    return part if part.part else _and_part(words, part)


def _spelled(words: Sequence[Token], at: int) -> Number | None:
    """Digit by digit, as on the radio: "one five", "four zero"."""
    end = at
    while _ONES.get(_word(words, end), 10) <= 9:
        end += 1
    digits = "".join(str(_ONES[words[n].text]) for n in range(at, end))
    return Number(int(digits), end) if len(digits) > 1 and _word(words, end) not in _SCALES else None


def _cardinal(words: Sequence[Token], at: int) -> Number | None:
    """A whole number below a million in words."""
    start = _below_thousand(words, at)
    if start is None:
        return None
    if _word(words, start.end) != "thousand":
        return start
    rest = _below_thousand(words, _skip_and(words, start.end + 1))
    value = start.value * 1000
    return Number(value + rest.value, rest.end) if rest else Number(value, start.end + 1)


def _below_thousand(words: Sequence[Token], at: int) -> Number | None:
    count = _below_hundred(words, at)
    if count is None and _word(words, at) == "a" and _word(words, at + 1) in ("hundred", "thousand"):
        count = Number(1, at + 1)
    if count is None or _word(words, count.end) != "hundred":
        return count
    rest = _below_hundred(words, _skip_and(words, count.end + 1))
    value = count.value * 100
    return Number(value + rest.value, rest.end) if rest else Number(value, count.end + 1)


def _below_hundred(words: Sequence[Token], at: int) -> Number | None:
    word = _word(words, at)
    also = _ALSO.get(word, word).split()
    if len(also) == 2:
        return Number(_TENS[also[0]] + _ONES[also[1]], at + 1)
    word = also[0] if also else ""
    if word in _ONES:
        return Number(_ONES[word], at + 1)
    if word not in _TENS:
        return None
    one = _ONES.get(_word(words, at + 1), 0)
    return Number(_TENS[word] + one, at + 2) if 1 <= one <= 9 else Number(_TENS[word], at + 1)


def _skip_and(words: Sequence[Token], at: int) -> int:
    return at + 1 if _word(words, at) == "and" else at


def _point(words: Sequence[Token], whole: Number) -> Number | None:
    """ "two point five", digit by digit."""
    if _word(words, whole.end) != "point":
        return None
    digits, at = "", whole.end + 1
    while 0 <= _ONES.get(_word(words, at), 10) <= 9:
        digits += str(_ONES[_word(words, at)])
        at += 1
    return Number(float(f"{whole.value:.0f}.{digits}"), at) if digits else None


def _and_part(words: Sequence[Token], whole: Number) -> Number:
    """ "… and a half", "… and three quarters"; the number itself where nothing of the kind follows."""
    if _word(words, whole.end) != "and":
        return whole
    part = _bare_part(words, whole.end + 1, ordinal=True)
    return Number(whole.value + part.value, part.end) if part else whole


def _bare_part(words: Sequence[Token], at: int, ordinal: bool = False) -> Number | None:
    """ "half", "a half", "two thirds", "a third of", "point five", "a couple (of)"; with `ordinal` also "a third"."""
    word = _word(words, at)
    if word == "point":
        return _point(words, Number(0, at))
    count, start = _ONES.get(word, 1), at + 1 if word in ("a", "an") or 1 <= _ONES.get(word, 0) <= 9 else at
    part = _word(words, start)
    one = part.removesuffix("s")
    several = start > at and (part != one or (count > 1 and one == "quarter"))
    said = several or ordinal or _word(words, start + 1) == "of" or (one in _PLAIN_PARTS and count == 1)
    if one in _PARTS and said and (start > at or part in _PLAIN_PARTS):
        return Number(count / _PARTS[one], start + 1, part=True)
    if start > at and count == 1 and part == "couple":
        return Number(2, start + 1 + (_word(words, start + 1) == "of"))
    return None


def _decimal(text: str) -> float:
    """3, 1.5, 1,5 or 1/2."""
    over, _, under = text.partition("/")
    return float(over.replace(",", ".")) / float(under or 1)
