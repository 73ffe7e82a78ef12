"""The vocabulary of the plain commands: what the words of a sentence can mean."""

import functools
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from typing import Any, Self

from sayso.grounding import numbers
from sayso.grounding.tokens import Phrases, Token
from sayso.plugins.kits import called
from sayso.tables import toml
from sayso.tables.units import WORDS

ADDRESSED = ("{}", "the {}", "hey {}", "dear {}", "i want the {} to")
"""How a robot is spoken to before a command."""


class Vocabulary:
    """The data file, made ready for look-up. A phrase is a tuple of words; `names` is what people call a robot."""

    def __init__(self, data: Mapping[str, Any], names: Sequence[str]) -> None:
        self.data, amounts = data, toml("sayso.grounding", "amounts.toml")
        self.defaults: Mapping[str, float] = {**amounts["usual"], **data["defaults"]}
        self.aliases: Mapping[str, str] = data["things"]["also"]
        told = {key: amounts["words"][key] for key in ("little", "bound", "bound_behind")}
        phrases: dict[str, list[str]] = {**told, **data["words"]}
        phrases["polite_before"] = [*phrases["polite_before"], *(form.format(n) for n in names for form in ADDRESSED)]
        phrases["polite_after"] = [*phrases["polite_after"], *names]
        self._by_symbol = {symbol: Phrases(said) for symbol, said in phrases.items()}
        self.things = [tuple(name.split()) for name in (*data["things"]["names"], *names)]
        self.known = frozenset(
            {word for said in phrases.values() for phrase in said for word in phrase.split()} | WORDS | numbers.WORDS
        )
        self.nouns = tuple(" ".join(name) for name in self.things if not self.known & {*name})
        """Names of which no word means anything else."""
        self._right = self.known | {word for name in self.things for word in name}

    def usually(self, usual: Mapping[str, float]) -> Self:
        """The same words with other defaults."""
        other = copy(self)
        other.defaults = {**self.defaults, **usual}
        return other

    def match(self, symbol: str, words: Sequence[Token], at: int) -> int:
        """How many tokens from `at` on say `symbol`; 0 when they do not. The longest phrase wins."""
        return self._by_symbol[symbol].at(words, at) if at < len(words) and words[at].kind == "word" else 0

    def says(self, symbol: str, word: str) -> bool:
        """Whether the word alone says `symbol`."""
        return word in self._by_symbol[symbol].words

    def refused(self, word: str) -> str:
        """Which kind of wish outside the grammar a word gives away: a key of the hints, or empty."""
        return next((kind for kind, words in self.data["refused"].items() if word in words), "")

    def mended(self, word: str, own: Collection[str] = ()) -> str | None:
        """The command word, or the one for a skill of the robot's `own`, of which `word` is an unmistakable slip."""
        wrong = word not in self._right and word not in own
        meant = [m for m in {*self.data["typos"]["words"], *own} if _slip(word, m)] if wrong else []
        return meant[0] if len(meant) == 1 else None


def _slip(said: str, meant: str) -> bool:
    """Whether one finger slipped: swapped neighbours, a letter lost or doubled, and in a longer word one wrong letter.

    The first letter stays, and four letters or more are left, since short words are too close to each other.
    """
    differ = (n for n, (a, b) in enumerate(zip(said, meant, strict=False)) if a != b)
    same = next(differ, min(len(said), len(meant)))
    rest, right = said[same:], meant[same:]
    swapped = rest[:2] == right[1::-1] and rest[2:] == right[2:]
    doubled = rest[1:] == right and rest[:1] == said[same - 1]
    wrong = len(meant) >= 6 and len(rest) == len(right) and rest[1:] == right[1:]
    return same > 0 and len(said) >= 4 and (swapped or rest == right[1:] or doubled or wrong)


def name_words(name: str) -> list[str]:
    """`turn_left` and `TurnLeft`, in words."""
    parts = "".join(f"_{c}" if c.isupper() else c for c in name).lower().replace(" ", "_").split("_")
    return [part for part in parts if part]


@functools.cache
def vocabulary() -> Vocabulary:
    """The vocabulary that ships with the planner."""
    return Vocabulary(toml(__package__, "vocabulary.toml"), called())
