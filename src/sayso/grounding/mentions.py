"""The mentions in a wish of names from a table: how many of each are meant, and whether it is wanted at all.

It is no understanding. "Without the nails", "all of it except the hammer", "leave the saw alone" name what is not
wanted, and "the drill, or rather the saw" what was taken back: a list that asks for it, or one that lacks the rest,
parts from what was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from sayso.goal import ALL
from sayso.grounding import numbers
from sayso.grounding.lexicon import packed
from sayso.grounding.tokens import Token, clean, tokens
from sayso.grounding.utterance import stem, table

NEAR = 4
"""So many words before a name may say how many, or that it is not wanted."""


@dataclass(frozen=True, slots=True)
class Name:
    """Words that stand for something: `what` is what it is (place, kind, category)."""

    words: tuple[str, ...]
    what: str
    name: str

    @classmethod
    def of(cls, text: str, what: str, name: str) -> Name:
        """`text` is how people say it."""
        return cls(tuple(stem(t.text) for t in tokens(clean(text.lower()))), what, name)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a wish. `count` is how many were said, `ALL` for every one, None where nobody said.

    `colour` is the one before it, `by` the preposition. `denied` is not wanted, or not there, which `absent` tells
    apart: "no fruit left on the shelf". `withdrawn` was said and corrected later.
    """

    name: str
    what: str
    count: int | None = None
    colour: str = ""
    by: str = ""
    denied: bool = False
    withdrawn: bool = False
    absent: bool = False

    @property
    def to(self) -> bool:
        """Whether something is to get there."""
        return self.by in _words("to")


@dataclass(frozen=True, slots=True)
class _At:
    start: int
    end: int
    name: Name


def mentions(wish: str, names: Iterable[Name]) -> list[Mention]:
    """The names that a wish speaks of, in order; the longer ones first where two overlap."""
    said = tokens(clean(wish.lower()))
    found: list[_At] = []
    for name in sorted((n for n in names if n.words), key=lambda n: -len(n.words)):
        for start in range(len(said) - len(name.words) + 1):
            end = start + len(name.words)
            here = all(t.kind == "word" and stem(t.text) == w for t, w in zip(said[start:end], name.words, strict=True))
            if here and all(end <= f.start or start >= f.end for f in found):
                found.append(_At(start, end, name))
    found.sort(key=lambda f: f.start)
    found = [f for n, f in enumerate(found) if not _is_colour(said, f, found[n + 1 : n + 2])]
    back = _corrected(said)
    ends = [0, *(f.end for f in found)]
    return [_mention(said, f, ends[n], back) for n, f in enumerate(found)]


def _words(section: str) -> Sequence[str]:
    return table()["mentions"][section]


def _clause(some: Iterable[Token]) -> list[str]:
    """The words as far as no mark comes between."""
    return [t.text for t in takewhile(lambda t: t.kind != "mark", some)]


def _is_colour(said: Sequence[Token], at: _At, following: Sequence[_At]) -> bool:
    """Whether a name that is a colour too says what another thing looks like: "an orange shirt", "something orange"."""
    if at.name.name not in table()["traits"]["colours"]:
        return False
    adjacent = bool(following) and following[0].start == at.end and following[0].name.what != "place"
    return adjacent or bool(at.start and said[at.start - 1].text in _words("looks"))


def _mention(said: Sequence[Token], at: _At, since: int, back: int) -> Mention:
    before = _clause(reversed(said[max(at.start - NEAR, since) : at.start]))  # the nearest first
    after = _clause(said[at.end : at.end + 2])
    looks = {*table()["traits"]["colours"], *(w for words in table()["ranks"].values() for w in words)}
    close = [w for w in before if w not in looks]
    articles, prepositions = _words("article"), (*_words("to"), *_words("place"))
    lead = next((n for n, w in enumerate(close) if w not in (*articles, *prepositions)), len(close))
    gap, word = close[:lead], close[lead] if lead < len(close) else ""
    left = word in _words("leave") and bool(after) and after[0] in _words("leave_so")
    forbidden = any(w in _words("never_do") for w in close[lead + 1 : lead + 2]) and word not in _words("never_mind")
    whole = any(t.text in _words("all") for t in said[: at.start])
    excepted = word in _words("except") or (whole and word in _words("but"))
    excepting = table()["negation"]["excepting"]
    excepted = excepted or any(f"{first} {second}" in excepting for second, first in pairwise(close[: lead + 2]))
    stays = bool(after) and after[0] in _words("stay")
    denied = bool(word in (*_words("not"), *_words("is_not")) or left or forbidden or excepted or stays)
    return Mention(
        at.name.name,
        at.name.what,
        None if at.name.what == "place" else _count(said, at.start, since, before),
        next((w for w in before[:2] if w in table()["traits"]["colours"]), ""),
        next((w for w in gap if w in prepositions), ""),
        denied,
        at.start < back,
        word in _words("none")
        and bool({*after[:1]} & {*_words("none_where")} or {*close[lead + 1 :]} & {*_words("none_if")}),
    )


def _count(said: Sequence[Token], start: int, since: int, before: Sequence[str]) -> int | None:
    """How many of a name that starts there were said."""
    if any(w in _words("all") for w in before):
        return ALL
    for at in range(max(start - NEAR, since), start):
        number = numbers.read(said, at)
        if number is None or number.article or number.end > start or number.value % 1:
            continue
        between = [t.text for t in said[number.end : start]]
        if all(t.kind == "word" for t in said[number.end : start]) and not {*between} & {*_words("joins")}:
            return int(number.value)
    one = len(packed(["pair", "of", said[start].text])) == 1  # scissors
    return 2 if not one and any(w in _words("both") for w in before[:3]) else None


def _corrected(said: Sequence[Token]) -> int:
    """Where the last correction stands ("no wait", "sorry, I mean"); what was said before it may not hold any more."""
    words = [t.text for t in said]
    last = 0
    for phrase in _words("correction"):
        parts = phrase.split()
        for at in range(len(words) - len(parts) + 1):
            if words[at : at + len(parts)] == parts:
                last = max(last, at)
    return last
