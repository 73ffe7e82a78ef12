"""The search for remembered things that a phrase means: by name and attributes first, then by embedding.

A wish names things ("the red apple"), their kinds ("some fruit") or their use ("something to write with"). The first
two are looked up: every name, alias and kind is a phrase in an index, slips of the finger are mended, and an attribute
that is asked for rules out whatever is known to be otherwise. What is left of the ten places goes to what is nearest in
meaning, by an `Embed` that is injected; without one nothing is found by its use.

Units share descriptions ("red apple"), so words and meaning are compared once for each of those, in one matrix.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from string import ascii_lowercase
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sayso.grounding.lexicon import Aliases, aliases, kind, words
from sayso.memory.thing_record import ThingRecord

Floats: TypeAlias = NDArray[np.float32]


class Embed(Protocol):
    """Turns texts into vectors of length 1, one a row; its `name` tells spaces of meaning apart."""

    name: str

    def __call__(self, texts: Sequence[str], /) -> Floats: ...


TOP = 10
NAMED, SPELT, KIND, PART, LIKE, ATTRIBUTE = 9.0, 7.5, 6.0, 4.0, 2.0, 0.3
"""What counts how much: the name, a slip of it, the kind, the last word of the name, being like that; an attribute."""

STALE_COSTS = 0.5
FRESH_COUNTS = 0.1
"""How much the last sighting decides among rivals, from the oldest to the newest."""
RIVALS = 20
"""So many descriptions are rivals for each place."""

PHRASE_WORDS = 4
MENDED_FROM = 4
"""Letters of a word before a slip of the finger is looked for; shorter words are too like others."""

MEANT_LIKE, MEANT_WITHIN = 0.4, 0.1
"""From here on, and this close to the best, something counts as meant that is called otherwise."""


@dataclass(frozen=True, slots=True)
class Found:
    """A remembered thing that fits a query, how well, and why: one of `WHYS`."""

    unit: ThingRecord
    score: float
    why: str

    @property
    def called(self) -> bool:
        """Whether it is what was asked for, by name or kind, and not only like it."""
        return self.why not in WHYS[-2:]


WHYS = ("name", "spelling", "kind", "part", "attribute", "meaning")
"""Why something is found, from what was asked for to what is like it; a part is one of the name."""


def meant(found: Sequence[Found]) -> list[Found]:
    """The results that a person means: what is called so or of that kind; where nothing is, what is most alike."""
    if called := [f for f in found if f.called]:
        return called
    least = max((MEANT_LIKE, *(f.score - MEANT_WITHIN for f in found)))
    return [f for f in found if f.score >= least]


class Recall:
    """A search index of remembered things, updated as they change."""

    def __init__(
        self, units: Iterable[ThingRecord] = (), *, embed: Embed | None = None, called: Aliases | None = None
    ) -> None:
        self._descriptions = _Descriptions(called or aliases())
        self._units: defaultdict[int, dict[int, ThingRecord]] = defaultdict(dict)
        """By description, then by id."""
        self._of: dict[int, int] = {}
        self.meanings = Meanings(embed) if embed else None
        for unit in units:
            self.update(unit)

    def update(self, unit: ThingRecord) -> None:
        """Add a thing, or replace it where it has changed."""
        self.remove(unit.id)
        self._of[unit.id] = self._descriptions.of(unit)
        self._units[self._of[unit.id]][unit.id] = unit

    def remove(self, unit: int) -> None:
        """Remove a thing."""
        if (description := self._of.pop(unit, None)) is not None:
            del self._units[description][unit]

    def clear(self) -> None:
        self._units.clear()
        self._of.clear()

    def ask(self, wish: str, *, place: str = "", top: int = TOP, meaning: bool = True) -> list[Found]:
        """The things that fit a query best, the best first. Without words, the latest of that place."""
        named = self._descriptions.named(words(wish))
        scores = named.scores
        if not wish.strip():
            scores = np.ones(len(self._descriptions), dtype=np.float32)
        elif meaning and self.meanings and len(self._descriptions):
            likeness = self.meanings.likeness(wish, self._descriptions.texts)
            scores = np.where(scores > 0, scores + likeness / 10, np.maximum(likeness, 0.0) * named.allowed)
        found = self._fitting(scores, place, top)
        seen = [unit.seen_s for unit, _, _ in found]
        per_s = FRESH_COUNTS / max(max(seen, default=0.0) - min(seen, default=0.0), 1.0)
        best = nsmallest(top, found, lambda f: (STALE_COSTS * f[0].stale - f[1] - per_s * f[0].seen_s, f[0].id))
        return [Found(unit, score, named.why(description)) for unit, score, description in best]

    def _fitting(self, scores: Floats, place: str, top: int) -> list[tuple[ThingRecord, float, int]]:
        """Units with their description and its score: of the best descriptions, equals included, and of more where
        those do not fill the top."""
        fitting = np.flatnonzero(scores > 0)
        of, most = scores[fitting], RIVALS * top
        while True:
            some = fitting if most >= len(of) else fitting[of >= np.partition(of, -most)[-most]]
            found = [
                (unit, float(scores[description]), description)
                for description in some.tolist()
                for unit in self._units[description].values()
                if not place or unit.place == place
            ]
            if most >= len(of) or sum(not unit.stale for unit, _, _ in found) >= top:
                return found
            most *= RIVALS

    def best(self, name: str, *, stale: bool = False) -> ThingRecord | None:
        """The unit that a plan's name stands for, or None: one that is called so, not one that means the like."""
        sure = [f.unit for f in self.ask(name, meaning=False) if f.why in ("name", "spelling", "part")]
        return next((unit for unit in sure if stale or not unit.stale), None)


@dataclass(frozen=True, slots=True)
class _Named:
    """What a lookup of words found, description by description; `allowed` is 0 where an attribute rules it out."""

    scores: Floats
    allowed: Floats

    def why(self, description: int) -> str:
        score = self.scores[description]
        leasts = (NAMED, SPELT, KIND, PART, LIKE, 0.0)
        return next(why for least, why in zip(leasts, WHYS, strict=True) if score >= least)


class _Descriptions:
    """Every distinct description, and the phrases and attributes by which it is found."""

    def __init__(self, called: Aliases) -> None:
        self.texts: list[str] = []
        self._aliases = called
        self._ids: dict[tuple[str, str, tuple[tuple[str, str], ...]], int] = {}
        self._phrases: dict[str, dict[float, list[int]]] = {}
        self._values: dict[str, dict[str, list[int]]] = {}
        self._keys: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def of(self, unit: ThingRecord) -> int:
        """The number of a unit's description."""
        likes = tuple(sorted((k, v.lower()) for k, v in unit.attributes.items()))
        key = (kind(unit.label), kind(unit.name), likes)
        if key not in self._ids:
            self._ids[key] = len(self.texts)
            self._index(len(self.texts), unit, likes)
            self.texts.append(unit.description)
        return self._ids[key]

    def _index(self, number: int, unit: ThingRecord, likes: Iterable[tuple[str, str]]) -> None:
        names = {n for text in (unit.name, unit.label) if text for n in self._aliases.names(text)}
        for name in names:
            self._phrases.setdefault(name, {}).setdefault(NAMED, []).append(number)
        for part in {n.split()[-1] for n in (kind(unit.name), kind(unit.label)) if n} - names:
            self._phrases.setdefault(part, {}).setdefault(PART, []).append(number)
        for of_kind in self._aliases.kinds_of(unit.label):
            self._phrases.setdefault(of_kind, {}).setdefault(KIND, []).append(number)
        for key, value in likes:
            self._values.setdefault(key, {}).setdefault(kind(value), []).append(number)
            self._keys.setdefault(kind(value), set()).add(key)

    def named(self, asked: Sequence[str]) -> _Named:
        """Score every description by the phrases and attributes in the words that were asked."""
        scores = np.zeros(len(self), dtype=np.float32)
        allowed = np.ones(len(self), dtype=np.float32)
        phrases = {
            " ".join(asked[i:j]) for i in range(len(asked)) for j in range(i + 1, min(i + PHRASE_WORDS, len(asked)) + 1)
        }
        for phrase in phrases:
            longer = 0.1 * phrase.count(" ")
            for weight, numbers in self._phrases.get(phrase, {}).items():
                scores[numbers] = np.maximum(scores[numbers], weight + longer)
        if not scores.any():
            for mended in {m for word in asked for m in self._mended(word)}:
                scores[self._phrases[mended][NAMED]] = SPELT
        unnamed = not scores.any()
        names = {n for p in phrases for n in p.split() if p in self._phrases and NAMED in self._phrases[p]}
        for phrase in phrases - names:
            for key in self._keys.get(phrase, ()):
                self._filter(key, phrase, scores, allowed, LIKE if unnamed else 0.0)
        return _Named(scores * allowed, allowed)

    def _mended(self, word: str) -> list[str]:
        """Names that are one slip of the finger away: a letter too many, too few, another, or two swapped."""
        if len(word) < MENDED_FROM:
            return []
        cuts = [(word[:n], word[n:]) for n in range(len(word) + 1)]
        slips = {a + b[1:] for a, b in cuts if b} | {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
        slips |= {a + c + rest for a, b in cuts for c in ascii_lowercase for rest in (b, b[1:])}
        return [slip for slip in slips if NAMED in self._phrases.get(slip, ())]

    def _filter(self, key: str, value: str, scores: Floats, allowed: Floats, alone: float) -> None:
        """What is known to have another value of this attribute is ruled out; what has this one fits better, and is
        worth `alone` where nothing was named."""
        for other, numbers in self._values[key].items():
            if other == value:
                scores[numbers] += np.where(scores[numbers] > 0, np.float32(ATTRIBUTE), np.float32(alone))
            else:
                allowed[numbers] = 0.0


class Meanings:
    """Vectors of texts in one matrix, made when they are first compared.

    `known` are all of them by their texts, `new` those that nobody has kept yet.
    """

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self.space = embed.name
        self.known: dict[str, Floats] = {}
        self.new: dict[str, Floats] = {}
        self._matrix: Floats = np.zeros((0, 0), dtype=np.float32)

    def likeness(self, wish: str, texts: Sequence[str]) -> Floats:
        """The cosine of a wish's meaning with each text's. The same texts stand before new ones each time."""
        if unknown := [t for t in dict.fromkeys(texts[len(self._matrix) :]) if t not in self.known]:
            made = dict(zip(unknown, np.asarray(self._embed(unknown), dtype=np.float32), strict=True))
            self.known |= made
            self.new |= made
        if len(self._matrix) < len(texts):
            self._matrix = np.stack([self.known[text] for text in texts])
        likeness: Floats = self._matrix @ np.asarray(self._embed([wish]), dtype=np.float32)[0]
        return likeness
