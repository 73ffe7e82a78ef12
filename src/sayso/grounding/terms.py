"""The terms that hold throughout a wish: heights, times, an order, places to keep off, an end of it all.

A bound that was said is kept even where a model forgot it. Places are those that somebody knows by name; nothing else
in here knows what the wish is about.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sayso.grounding.pattern import pattern
from sayso.grounding.people import is_person, is_pronoun
from sayso.grounding.phrases import fitting
from sayso.grounding.tokens import clean, tokens
from sayso.grounding.utterance import read, split, stem
from sayso.tables import toml

NEAR_WORDS = 6
"""A phrase and what it is about stand within so many words."""

DENIED_WORDS = 5
"""What is not to be is denied within so many words."""

HEIGHTS = ("under", "most", "least", "at")


Clause: TypeAlias = tuple[str, ...]
"""A word for it and what was said of it: ("under", "60 m"), ("off", "harbour"), ("ordered",)."""


def seeks(sentence: str) -> bool:
    """Whether a sentence has something or somebody looked for."""
    return any(token.text in toml(__package__, "terms.toml")["seek"]["words"] for token in tokens(clean(sentence)))


def finds(sentence: str) -> bool:
    """Whether somebody or something is to be found, and not only looked for."""
    words = tokens(clean(sentence))
    said = [at for at, token in enumerate(words) if token.text in _table()["find"]["words"]]
    return any(not any(token.text in _table()["find"]["if"] for token in words[max(0, at - 4) : at]) for at in said)


def on_find(phrase: str) -> bool:
    """Whether a phrase speaks of a find, or of looking for one; not of what is done before."""
    words = phrase.split()
    return (seeks(phrase) or bool({*words} & {*_table()["find"]["sees"]})) and words[0] not in _table()["find"][
        "before"
    ]


def kept_to(sentence: str) -> str:
    """A sentence without the words that keep a search to the places that it names, as it is kept in any case."""
    said = clean(sentence)
    words = tokens(said)
    found = next((at for say in _table()["kept"]["say"] if (at := pattern(say).search(words))), None)
    if found is None:
        return sentence
    before, behind = said[: words[found.start].start], said[words[found.end - 1].end :]
    return f"{before.rstrip(' ,.;')} {behind.lstrip(' ,.;')}".strip()


@dataclass(frozen=True, slots=True)
class _Named:
    """Words that name places, where they stand: `start` up to `end`."""

    places: tuple[str, ...]
    start: int
    end: int


def _table() -> Mapping[str, Mapping[str, Any]]:
    return toml(__package__, "terms.toml")


class _Reader:
    """One wish as words; marks and signs are words of their own that nothing compares with."""

    def __init__(self, wish: str, names: Sequence[str]) -> None:
        said = " ".join(word for word in clean(wish).split() if word not in _table()["small"]["right"])
        self.words = [t.text for t in tokens(said)]
        self.quantities = read(said).quantities
        self.named = list(self._places(names))

    def terms(self) -> Iterator[Clause]:
        after = self._marked("next", 1)
        heights, cannot = self._heights(), {"hands": self._first("carry"), "elsewhere": self._first("elsewhere")}
        yield from ((key, f"{heights[key]:g} m") for key in HEIGHTS if heights.get(key))
        yield from ((section, name) for section in ("off", "skip") for name in self._marked(section))
        if within_s := self._within():
            yield "within", f"{within_s:g} s"
        if reserve := self._reserve():
            yield "battery", f"{reserve:g} %"
        if after or self._ordered():
            yield ("ordered",)
        yield from (("in", name) for name in self._marked("near", 1) if not self._seen_at(name))
        yield from (("in", name) for name in after)
        if self._first("rest"):
            yield ("everywhere",)
        yield from (("then", how) for how in ("circle", "hover") if self._stays(how))
        yield from (("tell", who) for who in self._reports())
        yield from ((verb, said) for verb, said in cannot.items() if said)
        if self._first("end"):
            yield ("over",)

    def looked_over(self) -> tuple[str, ...]:
        """The places that are to be looked over from end to end; none where a word asks for more."""
        table = _table()
        said = " ".join((*table["look"]["before"], *table["look"]["besides"], *table["order"]["words"])).split()
        spans = [(part.start, part.end) for part in self.named]
        spans += [(q.start, q.end) for q in self.quantities if q.unit]
        placed = {n for start, end in spans for n in range(start, end)}
        heard = {*said, *table["small"]["words"], *table["small"]["joins"]}
        rest = [w for n, w in enumerate(self.words) if n not in placed and w not in heard and w.isalnum()]
        looks = not rest and (self._marked("look") or self._marked("near"))
        return tuple(name for named in self.named for name in named.places) if looks else ()

    # Phrases

    def _ends(self, phrase: str, at: int) -> bool:
        """Whether a phrase ends right before a word."""
        words = phrase.split()
        return at >= len(words) and self.words[at - len(words) : at] == words

    def _starts(self, phrase: str, at: int) -> bool:
        words = phrase.split()
        return self.words[at : at + len(words)] == words

    def _first(self, section: str) -> str:
        """The first phrase of a section that was said, unless what follows takes it back."""
        table, starts = _table()[section], range(len(self.words))
        taken_back = [f"{p} {end}" for p in table["words"] for end in table.get("unless", ())]
        at = {n for n in starts for p in taken_back if self._starts(p, n)}
        return next((p for p in table["words"] if any(self._starts(p, n) and n not in at for n in starts)), "")

    def _before(self, at: int, phrases: Sequence[str], within: int = 0) -> str:
        """The longest phrase that ends right before a word, or within some words before it."""
        said = [p for p in phrases for back in range(within + 1) if self._ends(p, at - back)]
        return max(said, key=len, default="")

    def _stays(self, how: str) -> bool:
        """Whether it waits so where somebody was found, whoever that is."""
        words = tokens(" ".join(self.words))
        found = (one.slots.get("whom", "") for say in _table()["stay"][how] if (one := pattern(say).search(words)))
        return any(not whom or is_person(str(whom)) or is_pronoun(str(whom)) for whom in found)

    # Amounts

    def _heights(self) -> dict[str, float]:
        table, found = _table()["height"], dict[str, float]()
        for q in self.quantities:
            bare = not q.unit and q.value >= 10 and self._before(q.start, table["flies"], 2)
            if q.unit != "m" and not bare:
                continue
            said = {key: self._before(q.start, table[key], 1 if key != "at" else 0) for key in HEIGHTS}
            key = max(said, key=lambda k: len(said[k]))
            follows = self.words[q.end] if q.end < len(self.words) else ""
            before = " ".join(self.words[: q.start]).rpartition(" . ")[2]  # from an amount on a find nothing is bounded
            then = {*before.split()} & {*_table()["find"]["once"]} and on_find(before)
            if then or (follows in table["never"] and key in ("at", "least")):
                continue
            close = {*before.rpartition(",")[2].split()[-DENIED_WORDS:]} - {*said[key].split()}
            if said[key]:
                denied = table["denied"] if close & {*table["denies"]} else {}
                found.setdefault(denied.get(key, key), q.value)
            elif any(self._starts(p, q.end) for p in table["after"]):
                found.setdefault("at", q.value)
        return found

    def _within(self) -> float | None:
        table, found = _table()["time"], None
        lasts = {*self.words} & {*_table()["seek"]["words"]} and not self._first("seen")
        for q in (one for one in self.quantities if one.unit == "s"):
            near = {*self.words[max(0, q.start - NEAR_WORDS) : q.end + NEAR_WORDS]} & {*table["back"]}
            ago = any(self._starts(p, q.end) for p in table["ago"])
            bound = self._before(q.start, table["within"]) and near
            other = {*self.words[max(0, q.start - NEAR_WORDS) : q.start]} & {*table["other"]}
            if not ago and (bound or (lasts and not other and self._before(q.start, table["lasting"]))):
                found = q.value
        return found

    def _reserve(self) -> float | None:
        words = {*_table()["charge"]["words"]}
        shares = (q for q in self.quantities if q.unit == "%")
        near = (q for q in shares if words & {*self.words[max(0, q.start - NEAR_WORDS) : q.end + 3]})
        halves = (n for n, word in enumerate(self.words) if word in _table()["charge"]["half"])
        half = any(words & {*self.words[max(0, n - 4) : n + 4]} for n in halves)
        return next((q.value for q in near), 50.0 if half else None)

    # Places

    def _places(self, names: Sequence[str]) -> Iterator[_Named]:
        """Every name that was said, the longest first where several fit; a word that names share stands for them, one
        that names nothing by itself ("the one in the east") for one of the kind of those named before."""
        stems, at, before = [stem(w) for w in self.words], 0, set[str]()
        whole = sorted((([stem(w) for w in split(n)], n) for n in names), key=lambda e: -len(e[0]))
        while at < len(stems):
            name = next(((w, n) for w, n in whole if w and stems[at : at + len(w)] == w), None)
            shared = tuple(n for w, n in whole if len(w) > 1 and stems[at] in w and len(stems[at]) > 2)
            if "one" in self.words[max(0, at - 3) : at + 2] and self.words[at] in _table()["small"]["words"]:
                shared = tuple(n for n in shared if split(n)[-1] in before)
            elif self.words[at] in _table()["small"]["words"]:
                shared = ()
            found = (name[1],) if name else tuple(n for n in names if n in shared)
            to = at + (len(name[0]) if name else 1)
            if found:
                yield _Named(found, at, to)
            before.update(split(n)[-1] for n in found)
            at = to

    def _marked(self, section: str, within: int = 4) -> tuple[str, ...]:
        """The places that a phrase of a section is about; several in a row share it."""
        table, found, last = _table()[section], dict[str, None](), -1
        for named in self.named:
            joined = last >= 0 and all(w in _table()["small"]["joins"] for w in self.words[last : named.start])
            said = self._before(named.start, table["before"], within)
            after = any(self._starts(p, named.end + n) for p in table.get("after", ()) for n in (0, 1))
            if said or after or joined:
                found.update(dict.fromkeys(named.places))
                last = named.end
            else:
                last = -1
        return tuple(found)

    def _seen_at(self, name: str) -> bool:
        """Whether the part of the sentence in which a place stands tells that somebody was seen there."""
        ends = [named.start for named in self.named if name in named.places]
        marks = [-1, *(n for n, word in enumerate(self.words) if not word[:1].isalnum())]
        parts = [self.words[max(n for n in marks if n < end) + 1 : end] for end in ends]
        return any(fitting(part[n:], _table()["seen"]["words"]) for part in parts for n in range(len(part)))

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


def terms(wish: str, names: Sequence[str] = ()) -> tuple[Clause, ...]:
    """What holds throughout a wish. `names` are the places that somebody knows.

    A height `under` must not be reached, `most` and `least` may be, `at` is to be flown at. Places `off` are not to be
    flown over, those to `skip` not to be searched. `hands` are words that ask for what hands would be needed for.
    """
    return tuple(_Reader(wish, names).terms())


def looked_over(wish: str, names: Sequence[str]) -> tuple[Clause, ...]:
    """The places of these `names` that somebody wants looked over from end to end, as places to search."""
    return tuple(("in", name) for name in _Reader(wish, names).looked_over())


def looked_for(wish: str) -> tuple[Clause, ...]:
    """Whom or what a sentence has looked for that says nothing else."""
    words = tokens(clean(wish).rstrip(".! "))
    found = (one for say in _table()["find"]["say"] for one in pattern(say).readings(words))
    names = (str(one.slots["a"]) for one in found if one.end == len(words))
    return next(((("find", name),) for name in names if name not in _table()["find"]["none"]), ())


def strange(wish: str, sought: Sequence[str]) -> list[str]:
    """Those of the names of what is sought that are said as places are: "search the quarry", and not for it."""
    names = [name for name in sought if not is_person(name)]
    return [name for _, name in looked_over(wish, names)]
