"""Maps for lessons about searches: lists of place names that no world has, now and then one that a world has.

What matters is that the model copies a name from its prompt, so the names are many: kinds of ground with an adjective,
farms and hills called after somebody, villages whose names mean nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from lessons.lists import lists
from lessons.phrasing import tables

GRIDS = ((5, 5), (6, 6), (6, 6), (8, 8), (4, 7), (3, 3), (10, 10), (7, 5))
"""Columns and rows of the squares that a map is cut into."""


@dataclass(frozen=True, slots=True)
class Place:
    """A name on a map. `noun` is its last word where that says what it is; a `proper` name takes no article."""

    name: str
    noun: str = ""
    proper: bool = False

    def said(self, rng: Random) -> str:
        return self.name if self.proper or rng.random() < 0.06 else f"the {self.name}"


@dataclass(frozen=True, slots=True)
class Ground:
    """The places of one map."""

    places: tuple[Place, ...]
    squares: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """As a planner lists them."""
        return (*(p.name for p in self.places), *self.squares)

    def several(self) -> list[str]:
        """Words that several places end with and none consists of: "the fields" are all that are called field."""
        nouns = [p.noun for p in self.places if p.noun]
        every = {_singular(p.name) for p in self.places}
        return [n for n in dict.fromkeys(nouns) if nouns.count(n) > 1 and _singular(n) not in every and " " not in n]


def ground(rng: Random) -> Ground:
    """Some map."""
    words = lists("rescue_places")
    found: dict[str, Place] = {}
    common = rng.choice(words["field"]) if rng.random() < 0.5 else ""
    for _ in range(rng.choice((3, 4, 5, 5, 6, 6, 7, 8, 9, 10))):
        place = _place(rng, common if common and rng.random() < 0.4 else "")
        found.setdefault(_singular(place.name), place)
    return Ground(tuple(found.values()), _squares(*rng.choice(GRIDS)) if rng.random() < 0.8 else ())


@functools.cache
def _squares(columns: int, rows: int) -> tuple[str, ...]:
    return tuple(f"{chr(65 + column)}{row + 1}" for row in range(rows) for column in range(columns))


@functools.cache
def _nouns(kind: str) -> tuple[str, ...]:
    """Words for places of a kind; the commoner ones count double."""
    common = lists("rescue_places")[kind]
    return (*common, *common, *tables()["rescue.words"][kind].strip().splitlines())


def _place(rng: Random, noun: str) -> Place:
    words = lists("rescue_places")
    noun = noun or rng.choice(_nouns(rng.choice(("field", "forest", "water", "road", "settlement", "settlement"))))
    roll = rng.random()
    if roll < 0.42:
        return Place(f"{rng.choice(words['before'])} {noun}", noun)
    if roll < 0.62:
        return Place(noun, noun)
    if roll < 0.72:
        return Place(f"{_invented(rng)} {noun}", noun)
    if roll < 0.82:
        return Place(f"{rng.choice(words['people'])} {noun}", noun)
    if roll < 0.9:
        return Place(f"{noun} {rng.choice(words['after'])}")
    return Place(_invented(rng), proper=True)


def _invented(rng: Random) -> str:
    words = lists("rescue_places")
    middle = rng.choice(words["middle"]) if rng.random() < 0.3 else ""
    return f"{rng.choice(words['begin'])}{middle}{rng.choice(words['end'])}"


def _singular(name: str) -> str:
    """As the planner's reader compares names."""
    return " ".join(w.removesuffix("s") if len(w) > 3 and not w.endswith("ss") else w for w in name.split())


def listed(rng: Random, said: Sequence[str], word: str = "and") -> str:
    """Several places in one phrase."""
    if len(said) == 1:
        return said[0]
    if rng.random() < 0.2:
        return rng.choice((" + ", " & ", ", ", ", ", " plus ", "/")).join(said)
    return f"{', '.join(said[:-1])}{rng.choice((' ', ' ', ', '))}{word} {said[-1]}"
