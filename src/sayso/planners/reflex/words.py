"""From a sentence to tokens, and the vocabulary that says what they can mean.

Nothing is thrown away here: a sign, a symbol or a word that the vocabulary does not hold stays a token, so that the
grammar can stumble on it instead of acting on the rest.
"""

from __future__ import annotations

import functools
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

_TOKEN = re.compile(
    r"""
    (?P<quote>"[^"]*"|(?<!\w)'[^']*'(?!\w))
  | (?P<odd>\d+,\d{3}(?!\d)|(?<!\w)-\s*\d+)
  | (?P<number>\d+/[1-9]\d*|\d+(?:[.,]\d+)?|\.\d+)
  | (?P<word>[^\W\d_]+(?:'[^\W\d_]+)*|°)
  | (?P<mark>[,;:.!?]+|\s-+\s)
  | (?P<skip>\s+|(?<=\w)-(?=\w))
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_LOOKALIKES = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "½": " 1/2", "¼": " 1/4", "¾": " 3/4", "º": "°"}
)


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is what the grammar compares, lower case; `start` and `end` cut it out of the sentence as it was read.

    `kind` is word, number, mark, quote or odd.
    """

    kind: str
    text: str
    start: int
    end: int


def clean(sentence: str) -> str:
    """The sentence in the one spelling that the planner reads: compatible forms unified, quotes and dashes straight.

    Raised and circled digits become a sign that nothing reads: unified, they would join the number before them.
    """
    plain = "".join("\ufffd" if unicodedata.category(c) == "No" else c for c in sentence.translate(_LOOKALIKES))
    return unicodedata.normalize("NFKC", plain)


def tokens(sentence: str) -> list[Token]:
    """All tokens of a `clean` sentence."""
    found = []
    for match in _TOKEN.finditer(sentence):
        kind = match.lastgroup or "other"
        if kind == "skip":
            continue
        text = match.group().strip().lower()
        if kind == "other":
            kind = "odd"
        found.append(Token(kind, "degrees" if text == "°" else text, match.start(), match.end()))
    return found


class Vocabulary:
    """The data file, made ready for look-up. A phrase is a tuple of words."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.defaults: Mapping[str, float] = data["defaults"]
        self.examples: Mapping[str, list[str]] = data["examples"]
        self.aliases: Mapping[str, str] = data["things"]["also"]
        self._by_symbol = {symbol: _index(phrases) for symbol, phrases in data["words"].items()}
        self._units = {kind: _scales(units.values(), _SCALES[kind]) for kind, units in data["units"].items()}
        self.things = [tuple(name.split()) for name in data["things"]["names"]]
        self.known = frozenset(
            {word for phrases in data["words"].values() for phrase in phrases for word in phrase.split()}
            | {word for kind in data["units"].values() for unit in kind.values() for word in unit["words"]}
            | {*data["numbers"]["ones"], *data["numbers"]["tens"], *data["numbers"]["also"]}
        )
        self._slips = _slips(data["typos"]["words"], self.known | {w for name in self.things for w in name})

    def match(self, symbol: str, words: Sequence[Token], at: int) -> int:
        """How many tokens from `at` on say `symbol`; 0 when they do not. The longest phrase wins."""
        if at >= len(words) or words[at].kind != "word":
            return 0
        for phrase in self._by_symbol[symbol].get(words[at].text, ()):
            if len(phrase) <= len(words) - at and all(
                part == word.text for part, word in zip(phrase, words[at : at + len(phrase)], strict=True)
            ):
                return len(phrase)
        return 0

    def unit(self, kind: str, word: str) -> float | None:
        """What one such unit is in the planner's own (cm, deg, s), or None for a word that is no unit of `kind`."""
        return self._units[kind].get(word)

    def refused(self, word: str) -> str:
        """Which kind of wish outside the grammar a word gives away: a key of the hints, or empty."""
        return next((kind for kind, words in self.data["refused"].items() if word in words), "")

    def hint(self, word: str) -> str:
        """A sentence on why this word's wish is outside, or empty."""
        return str(self.data["hints"].get(self.refused(word), ""))

    def mended(self, word: str) -> str | None:
        """The command word of which `word` is an unmistakable slip, or None."""
        return self._slips.get(word)


_SCALES = {"length": "cm", "angle": "deg", "time": "s"}


def _scales(units: Iterable[Mapping[str, Any]], scale: str) -> dict[str, float]:
    """Every word for a unit, to its size."""
    return {word: float(unit[scale]) for unit in units for word in unit["words"]}


def _index(phrases: Iterable[str]) -> dict[str, list[tuple[str, ...]]]:
    """Phrases by their first word, longest first."""
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for phrase in sorted((tuple(p.split()) for p in phrases), key=len, reverse=True):
        by_first.setdefault(phrase[0], []).append(phrase)
    return by_first


def _slips(words: Iterable[str], known: frozenset[str]) -> dict[str, str]:
    """Every way in which one finger slips in one of `words`, to that word; what could be two words is left out.

    Swapped neighbours, a letter lost or doubled, and in a longer word one wrong letter. The first letter stays, and
    what is left has four letters or more, since short words are too close to each other.
    """
    found: dict[str, set[str]] = {}
    for word in words:
        for slip in {s for s in _one_slip(word) if len(s) >= 4 and s[0] == word[0] and s not in known}:
            found.setdefault(slip, set()).add(word)
    return {slip: meant.pop() for slip, meant in found.items() if len(meant) == 1}


def _one_slip(word: str) -> Iterable[str]:
    for i in range(len(word)):
        yield word[:i] + word[i + 1 :]
        yield word[: i + 1] + word[i:]
        yield word[:i] + word[i + 1 : i + 2] + word[i] + word[i + 2 :]
        if len(word) >= 6:
            yield from (word[:i] + letter + word[i + 1 :] for letter in "abcdefghijklmnopqrstuvwxyz")


@functools.cache
def vocabulary() -> Vocabulary:
    """The vocabulary that ships with the planner."""
    file = resources.files(__package__).joinpath("vocabulary.toml")
    return Vocabulary(tomllib.loads(file.read_text("utf-8")))
