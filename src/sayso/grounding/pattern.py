"""Patterns of English as data: words, choices and slots, found in a sentence's tokens.

    (keep | stay) [at least] <length> away [from <thing>]

Words stand for themselves; `[…]` may be left out, `(… | …)` is one or the other, `<slot>` is something to be read: an
amount (`length` in m, `time` in s, `angle` in deg, `share` in %, `speed` in m/s), a bare `number`, the name of a
`thing`, one `word`, any `words` up to a mark, or `names` with commas between them. `<length:far>` gives a slot another
name. The longest reading from a place wins.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, TypeAlias

from sayso.grounding import amounts, numbers, units
from sayso.grounding.tokens import Token
from sayso.tables import toml

Slots: TypeAlias = Mapping[str, object]
_PIECE = re.compile(r"[\[\](|)]|<[\w:]+>|[^\s\[\](|)<>]+")
_BASES = {"length": 0.01, "angle": 1.0, "time": 1.0, "share": 1.0, "speed": 0.01}
_KINDS = {"speed": "length_per_time"}
"""Kinds of amounts, and what one of the base of `grounding.units` is in the unit of the slot."""
NAME_WORDS_MAX = 8


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern at the tokens `start` up to `end`, and what was read there, by slot."""

    start: int
    end: int
    slots: Slots


@dataclass(frozen=True, slots=True)
class _Word:
    text: str


@dataclass(frozen=True, slots=True)
class _Slot:
    """Something to be read, such as `length`; `name` is what it is called in what was read."""

    text: str
    name: str

    def read(self, words: Sequence[Token], at: int) -> Iterator[tuple[int, Slots]]:
        for end, value in _SLOTS.get(self.text, functools.partial(_amount, self.text))(words, at):
            yield end, {self.name: value}


@dataclass(frozen=True, slots=True)
class Choice:
    """Ways to say something; one that is `open` may be left out. `firsts` are the words that each of them may begin
    with, None for any."""

    ways: tuple[tuple[Part, ...], ...]
    firsts: tuple[frozenset[str] | None, ...]
    open: bool = False

    def read(self, words: Sequence[Token], at: int) -> Iterator[tuple[int, Slots]]:
        here = words[at].text if at < len(words) else ""
        for way, first in zip(self.ways, self.firsts, strict=True):
            if first is None or here in first:
                yield from _row(way, words, at)
        if self.open:
            yield at, {}


Part: TypeAlias = _Word | _Slot | Choice


def _row(parts: Sequence[Part], words: Sequence[Token], at: int, n: int = 0) -> Iterator[tuple[int, Slots]]:
    """The parts from the `n`th on, one behind the other."""
    for here in range(n, len(parts)):
        part = parts[here]
        if not isinstance(part, _Word):
            for end, slots in part.read(words, at):
                for last, more in _row(parts, words, end, here + 1):
                    yield last, {**slots, **more} if slots and more else slots or more
            return
        if at == len(words) or words[at].text != part.text:
            return
        at += 1
    yield at, {}


class Pattern:
    """One pattern, compiled."""

    def __init__(self, text: str) -> None:
        self._whole = parsed(text)
        self.first, _ = _begins([self._whole])
        self.must = _must(self._whole)

    def begins(self, words: Sequence[Token], start: int) -> bool:
        """Whether it can begin there, as far as its first word tells."""
        return self.first is None or (start < len(words) and words[start].text in self.first)

    def ways(self, words: Sequence[Token], start: int) -> Iterator[Found]:
        """Every reading from a place on."""
        return (Found(start, end, slots) for end, slots in self._whole.read(words, start) if end > start)

    def at(self, words: Sequence[Token], start: int) -> Found | None:
        """The longest reading from a place on."""
        if not self.begins(words, start):
            return None
        return max(self.ways(words, start), key=lambda found: found.end, default=None)

    def whole(self, words: Sequence[Token], start: int = 0) -> Found | None:
        """A reading of all tokens from a place on, but for the marks at their end."""
        return next(self.readings(words, start), None)

    def readings(self, words: Sequence[Token], start: int = 0) -> Iterator[Found]:
        """Every such reading."""
        last = len(words) if self.begins(words, start) else 0
        while last and words[last - 1].kind == "mark":
            last -= 1
        ways = (Found(start, end, slots) for end, slots in self._whole.read(words[:last], start))
        return (found for found in ways if found.end == last > start)

    def search(self, words: Sequence[Token]) -> Found | None:
        """The first place where it is said."""
        return next((found for start in range(len(words)) if (found := self.at(words, start))), None)


class Patterns:
    """Several patterns, looked up by the word that they may begin with; they are asked in their order."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._all = [*enumerate(patterns)]
        self._any = [(n, pat) for n, pat in self._all if pat.first is None]
        starts = frozenset[str]().union(*(pat.first or () for pat in patterns))
        self._by = {w: [(n, p) for n, p in self._all if p.first is None or w in p.first] for w in starts}

    def missing(self, words: Sequence[Token]) -> set[int]:
        """The places of those that cannot be said in these words, since one that they need is not among them."""
        texts = {word.text for word in words}
        return {n for n, pat in self._all if not pat.must <= texts}

    def ways(self, words: Sequence[Token], start: int) -> Sequence[tuple[int, Pattern]]:
        """Those that may begin there, each with its place among all."""
        return self._by.get(words[start].text, self._any) if start < len(words) else self._any

    def at(self, words: Sequence[Token], start: int = 0) -> Found | None:
        """The first that reads from a place on."""
        return next((found for _, pat in self.ways(words, start) if (found := pat.at(words, start))), None)

    def whole(self, words: Sequence[Token]) -> bool:
        """Whether one reads all tokens, but for the marks at their end."""
        return any(pat.whole(words) for _, pat in self.ways(words, 0))

    def search(self, words: Sequence[Token]) -> Found | None:
        """The first place where the first of those is said that are."""
        best: tuple[int, Found] | None = None
        for start in range(len(words)):
            for n, pat in self.ways(words, start):
                if best is not None and n >= best[0]:
                    break
                if found := pat.at(words, start):
                    best = n, found
        return best[1] if best else None


def _begins(parts: Sequence[Part]) -> tuple[frozenset[str] | None, bool]:
    """The words that a row of parts may begin with, None for any, and whether all of it may be left out."""
    first: frozenset[str] = frozenset()
    for part in parts:
        if isinstance(part, _Slot):
            return None, False
        ways = [_begins(way) for way in part.ways] if isinstance(part, Choice) else [(frozenset((part.text,)), False)]
        for words, _ in ways:
            if words is None:
                return None, False
            first |= words
        if not (isinstance(part, Choice) and (part.open or any(empty for _, empty in ways))):
            return first, False
    return first, True


def _must(part: Part) -> frozenset[str]:
    """The words that every reading has."""
    if isinstance(part, _Word):
        return frozenset((part.text,))
    if isinstance(part, _Slot) or part.open:
        return frozenset()
    return frozenset.intersection(*(frozenset[str]().union(*map(_must, way)) for way in part.ways))


@functools.cache
def pattern(text: str) -> Pattern:
    return Pattern(text)


@functools.cache
def sayings(table: str, section: str) -> Sequence[tuple[Mapping[str, Any], Pattern]]:
    """Every way to say a row in a section of a table of this room, with the row."""
    return [(row, pattern(say)) for row in toml(__package__, table)[section] for say in row["say"]]


def parsed(text: str) -> Choice:
    """What a pattern is made of, for who reads its slots in another way."""
    return _choice(iter(_PIECE.findall(text)))


def _choice(parts: Iterator[str], open: bool = False) -> Choice:
    ways: list[list[Part]] = [[]]
    for part in parts:
        if part in "])":
            break
        if part == "|":
            ways.append([])
        elif part in "[(":
            ways[-1].append(_choice(parts, part == "["))
        elif part.startswith("<"):
            kind, _, name = part[1:-1].partition(":")
            ways[-1].append(_Slot(kind, name or kind))
        else:
            ways[-1].append(_Word(part))
    begins = [_begins(way) for way in ways]
    return Choice(tuple(map(tuple, ways)), tuple(None if empty else first for first, empty in begins), open)


def _amount(kind: str, words: Sequence[Token], at: int) -> Iterator[tuple[int, float]]:
    if (found := amounts.read(words, at)) and found.kind == _KINDS.get(kind, kind):
        yield found.end, round(found.value * _BASES[kind], 6)


def _number(words: Sequence[Token], at: int) -> Iterator[tuple[int, float]]:
    number = numbers.read(words, at)
    if number and not number.article and units.read(words, number.end) is None:
        yield number.end, number.value


def _thing(words: Sequence[Token], at: int) -> Iterator[tuple[int, str]]:
    """A name, the longest first: up to a mark, or a word behind which something else begins."""
    end, ends, articles = at, _listed("end_before"), _listed("articles")
    while end < min(len(words), at + NAME_WORDS_MAX) and words[end].kind == "word" and words[end].text not in ends:
        end += 1
    for stop in range(end, at, -1):
        name = " ".join(t.text for t in words[at:stop] if t.text not in articles)
        if name:
            yield stop, name


def _run(of: Callable[[Token], bool], words: Sequence[Token], at: int) -> Iterator[tuple[int, str]]:
    """Such tokens in a row, up to any but a comma."""
    for end, token in enumerate(takewhile(of, words[at:]), at + 1):
        if token.text != ",":
            yield end, " ".join(t.text for t in words[at:end])


_SLOTS: Mapping[str, Callable[[Sequence[Token], int], Iterable[tuple[int, object]]]] = {
    "number": _number,
    "thing": _thing,
    "word": lambda words, at: [(at + 1, word.text) for word in words[at : at + 1] if word.kind == "word"],
    "words": functools.partial(_run, lambda t: t.kind != "mark"),
    "names": functools.partial(_run, lambda t: t.kind in ("word", "number") or t.text == ","),
}


@functools.cache
def _listed(key: str) -> frozenset[str]:
    return frozenset(toml(__package__, "manners.toml")["names"][key])
