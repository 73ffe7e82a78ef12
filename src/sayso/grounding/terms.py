"""What holds throughout a wish, as code reads it: heights, times, an order, places to keep off, an end of it all.

A bound that was said is kept even where a model forgot it, and what a model made of a wish is held against it. Places
are those that somebody knows by name; nothing else in here knows what the wish is about.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from sayso.grounding.said import Quantity, also, read, split, stem
from sayso.grounding.tokens import clean, tokens

NEAR_WORDS = 6
"""A phrase and what it is about stand within so many words."""

COUNT_MAX = 30
HEIGHTS = ("under", "most", "least", "at")


@dataclass(frozen=True, slots=True)
class Terms:
    """Metres, seconds, and names of places as the caller knows them. None and empty: not said.

    `under_m` is a height that must not be reached, `most_m` and `least_m` may be; `at_m` is one to fly at. `places` are
    all that were named, in the order in which they were; `off` are not to be flown over, `skip` not to be searched.
    `vague` are words in the singular that fit several places. `wanted` and `unwanted` are steps by the names of their
    table. `carry` are words that ask for what hands would be needed for. `unread` are quantities whose meaning was not
    found.
    """

    under_m: float | None = None
    most_m: float | None = None
    least_m: float | None = None
    at_m: float | None = None
    ago_s: float | None = None
    within_s: float | None = None
    ordered: bool = False
    places: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    vague: tuple[tuple[str, tuple[str, ...]], ...] = ()
    everywhere: bool = False
    ends: bool = False
    report: tuple[str, ...] = ()
    reserve: float | None = None
    wanted: frozenset[str] = frozenset()
    unwanted: frozenset[str] = frozenset()
    carry: str = ""
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Named:
    """Words that name places, where they stand: `start` up to `end`."""

    places: tuple[str, ...]
    text: str
    start: int
    end: int
    singular: bool


@functools.cache
def _table() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads(resources.files(__package__).joinpath("terms.toml").read_text("utf-8"))


class _Reader:
    """One wish as words; marks and signs are words of their own that nothing compares with."""

    def __init__(self, wish: str, names: Sequence[str]) -> None:
        self.words = [t.text for t in tokens(clean(wish))]
        self.quantities = read(wish).quantities
        self.named = list(self._places(names))

    def terms(self) -> Terms:
        heights, times, charge = self._heights(), self._times(), self._charge()
        known = {q.start for q, _ in (*heights.values(), *times.values(), *charge)}
        unread = [q.text for q in self.quantities if q.unit in ("m", "s", "%") and q.start not in known]
        value = {key: v for key, (_, v) in (*heights.items(), *times.items())}
        return Terms(
            **{f"{key}_m": value.get(key) for key in HEIGHTS},
            ago_s=value.get("ago"),
            within_s=value.get("within"),
            ordered=self._ordered(),
            places=tuple(dict.fromkeys(p for n in self.named for p in n.places)),
            off=self._marked("off"),
            skip=self._marked("skip"),
            vague=tuple((n.text, n.places) for n in self.named if n.singular and len(n.places) > 1),
            everywhere=bool(self._first("everywhere")),
            ends=bool(self._first("end")),
            report=tuple(self._reports()),
            reserve=next((share / 100 for _, share in charge), None),
            wanted=self._steps(False),
            unwanted=self._steps(True),
            carry=self._first("carry"),
            unread=tuple(unread),
        )

    # Phrases

    def _ends(self, phrase: str, at: int) -> bool:
        """Whether a phrase ends right before a word."""
        words = phrase.split()
        return at >= len(words) and self.words[at - len(words) : at] == words

    def _starts(self, phrase: str, at: int) -> bool:
        words = phrase.split()
        return self.words[at : at + len(words)] == words

    def _first(self, section: str) -> str:
        """The first phrase of a section that was said."""
        return next(
            (p for p in _table()[section]["words"] if any(self._starts(p, n) for n in range(len(self.words)))), ""
        )

    def _before(self, at: int, phrases: Sequence[str], within: int = 0) -> str:
        """The longest phrase that ends right before a word, or within some words before it."""
        said = [p for p in phrases for back in range(within + 1) if self._ends(p, at - back)]
        return max(said, key=len, default="")

    # Amounts

    def _heights(self) -> dict[str, tuple[Quantity, float]]:
        table, found = _table()["height"], dict[str, tuple[Quantity, float]]()
        for q in self.quantities:
            bare = not q.unit and q.value >= 10 and self._before(q.start, table["flies"], 2)
            if q.unit != "m" and not bare:
                continue
            said = {
                key: self._before(q.start, table[key], 1 if key != "at" else 0)
                for key in ("under", "most", "least", "at")
            }
            key = max(said, key=lambda k: len(said[k]))
            follows = self.words[q.end] if q.end < len(self.words) else ""
            if follows in table["never"] and key in ("at", "least"):
                continue
            if said[key]:
                found.setdefault(key, (q, q.value))
            elif any(self._starts(p, q.end) for p in table["after"]):
                found.setdefault("at", (q, q.value))
        return found

    def _times(self) -> dict[str, tuple[Quantity, float]]:
        table, found = _table()["time"], dict[str, tuple[Quantity, float]]()
        for q in (one for one in self.quantities if one.unit == "s"):
            near = self.words[max(0, q.start - NEAR_WORDS) : q.end + NEAR_WORDS]
            if any(self._starts(p, q.end) for p in table["ago"]):
                found["ago"] = q, q.value
            elif self._before(q.start, table["within"]) and {*near} & {*table["back"]}:
                found["within"] = q, q.value
        return found

    def _charge(self) -> list[tuple[Quantity, float]]:
        words = {*_table()["charge"]["words"]}
        shares = [q for q in self.quantities if q.unit == "%"]
        return [(q, q.value) for q in shares if words & {*self.words[max(0, q.start - NEAR_WORDS) : q.end + 3]}]

    def _steps(self, refused: bool) -> frozenset[str]:
        """The steps that are asked for, or those that are not to be."""
        table, found = _table()["steps"], set[str]()
        for step in (name for name in table if name != "no"):
            at = [n for n in range(len(self.words)) if any(self._starts(p, n) for p in table[step])]
            no = [bool(self._before(n, table["no"], 1)) for n in at]
            if at and all(no) is refused:
                found.add(step)
        return frozenset(found)

    # Places

    def _places(self, names: Sequence[str]) -> Iterator[_Named]:
        """Every name that was said, the longest first where several fit; a word that names share stands for them."""
        stems, at = [stem(w) for w in self.words], 0
        whole = sorted(((words_of(n), n) for n in names), key=lambda e: -len(e[0]))
        while at < len(stems):
            name = next(((w, n) for w, n in whole if w and stems[at : at + len(w)] == w), None)
            shared = tuple(n for w, n in whole if len(w) > 1 and stems[at] in w and len(stems[at]) > 2)
            if name:
                yield _Named((name[1],), name[1], at, at + len(name[0]), False)
                at += len(name[0])
                continue
            if shared and self.words[at] not in _table()["small"]["words"]:
                yield _Named(
                    tuple(n for n in names if n in shared), self.words[at], at, at + 1, stems[at] == self.words[at]
                )
            at += 1

    def _marked(self, section: str) -> tuple[str, ...]:
        """The places that a phrase of a section is about; several in a row share it."""
        table, found, last = _table()[section], dict[str, None](), -1
        for named in self.named:
            joined = last >= 0 and all(w in _table()["small"]["joins"] for w in self.words[last : named.start])
            said = self._before(named.start, table["before"], 3)
            after = any(self._starts(p, named.end + n) for p in table["after"] for n in (0, 1))
            if said or after or joined:
                found.update(dict.fromkeys(named.places))
                last = named.end
            else:
                last = -1
        return tuple(found)

    def _ordered(self) -> bool:
        """Whether an order is told of the places that were named."""
        if len(self.named) < 2:
            return False
        between = range(self.named[0].end, self.named[-1].start + 1)
        some = [p for p in _table()["order"]["words"] if any(self._starts(p, n) for n in between)]
        return bool(some) or any(self._starts(p, n) for p in _table()["order"]["all"] for n in range(len(self.words)))

    def _reports(self) -> Iterator[str]:
        table = _table()["report"]
        for at in range(len(self.words)):
            whose = at + 1 < len(self.words) and self.words[at] in table["whose"]
            if whose and self._before(at, table["before"]) and self.words[at + 1] not in table["mine"]:
                yield self.words[at + 1]


def words_of(name: str) -> list[str]:
    """A name's words without plural endings."""
    return [stem(w) for w in split(name)]


def terms(wish: str, names: Sequence[str] = ()) -> Terms:
    """What holds throughout a wish. `names` are the places that somebody knows."""
    return _Reader(wish, names).terms()


def nouns_of(label: str, wish: str) -> int:
    """How often a label or another noun for it was said; pronouns do not count."""
    wanted = {*words_of(label), *(stem(w) for w in also(label) if w not in _table()["pronouns"]["words"])}
    return sum(stem(t.text) in wanted for t in tokens(clean(wish)))


def count_of(label: str, wish: str) -> int:
    """How many of a label were said; 1 where no number was."""
    said, words = read(wish), [t.text for t in tokens(clean(wish))]
    wanted = {*words_of(label), *(stem(w) for w in also(label))}
    for q in said.quantities:
        if not q.unit and q.value == int(q.value) and 2 <= q.value <= COUNT_MAX:
            follow = [stem(w) for w in words[q.end : q.end + 3]]
            if wanted & {*follow}:
                return int(q.value)
    return 2 if {*_table()["two"]["words"]} & {*words} else 1
