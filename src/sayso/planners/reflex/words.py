"""The vocabulary that says what the words of a sentence can mean."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sayso.data import toml
from sayso.grounding import numbers, units
from sayso.grounding.tokens import Token
from sayso.kits import called

ADDRESSED = ("{}", "the {}", "hey {}", "dear {}", "i want the {} to")
"""How a robot is spoken to before a command."""


class Vocabulary:
    """The data file, made ready for look-up. A phrase is a tuple of words; `names` is what people call a robot."""

    def __init__(self, data: Mapping[str, Any], names: Sequence[str]) -> None:
        self.data = data
        self.defaults: Mapping[str, float] = data["defaults"]
        self.aliases: Mapping[str, str] = data["things"]["also"]
        phrases: dict[str, list[str]] = dict(data["words"])
        phrases["polite_before"] = [*phrases["polite_before"], *(form.format(n) for n in names for form in ADDRESSED)]
        phrases["polite_after"] = [*phrases["polite_after"], *names]
        self._by_symbol = {symbol: by_first_word(said) for symbol, said in phrases.items()}
        self.things = [tuple(name.split()) for name in (*data["things"]["names"], *names)]
        self.known = frozenset(
            {word for said in phrases.values() for phrase in said for word in phrase.split()}
            | units.WORDS
            | numbers.WORDS
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

    def says(self, symbol: str, word: str) -> bool:
        """Whether the word alone says `symbol`."""
        return (word,) in self._by_symbol[symbol].get(word, ())

    def refused(self, word: str) -> str:
        """Which kind of wish outside the grammar a word gives away: a key of the hints, or empty."""
        return next((kind for kind, words in self.data["refused"].items() if word in words), "")

    def mended(self, word: str) -> str | None:
        """The command word of which `word` is an unmistakable slip, or None."""
        return self._slips.get(word)


def by_first_word(phrases: Iterable[str]) -> dict[str, list[tuple[str, ...]]]:
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
    return Vocabulary(toml(__package__, "vocabulary.toml"), called())
