"""What a lesson about a search is after: someone or something with facts, areas, and what to do on a find.

The structured goal is the planner's own `SearchWish`. Beside each object stands the noun that is spoken of it, since
"my grandmother" and "a hiker" are both a person to a detector, and differ in what else they tell.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from knowledge import fraction
from lessons.lists import lists
from lessons.phrasing import tables
from lessons.rescue_places import Ground, Place
from sayso.robots.aircraft.search.wish import SearchWish, Sought

HELD_OUT_PAIRS = 0.12
NOUNS = {
    "man": 10, "woman": 10, "person": 12, "hiker": 12, "dementia": 16, "boy": 4, "girl": 4, "child": 7, "his": 2,
    "her": 2, "his_child": 1, "her_child": 1, "dog": 7, "car": 6, "vehicle": 1, "boat": 3, "tent": 2, "backpack": 2,
    "bicycle": 2, "kayak": 2, "things": 7, "beasts": 5,
}  # fmt: skip
"""How often each kind of noun is drawn."""

MALE, FEMALE = frozenset({"man", "boy", "his", "his_child"}), frozenset({"woman", "girl", "her", "her_child"})
CHILDREN = frozenset({"boy", "girl", "child", "his_child", "her_child"})
PEOPLE = frozenset({"man", "woman", "person", "hiker", "dementia", "his", "her"})
ON_FIND = {
    "confirm home": 60,
    "confirm image home": 16,
    "confirm hover": 10,
    "confirm hover home": 5,
    "confirm image hover": 3,
    "confirm image hover home": 5,
    "image home": 9,
    "hover": 4,
    "hover home": 1,
    "image hover": 1,
    "image hover home": 1,
}
"""Steps on a find, as they are said: who says no more than that a picture is wanted did not ask to confirm. A find is

shown to the operator in any case.
"""

MINUTES = (
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 17, 18, 20, 20, 22, 25, 28, 30, 30, 35, 40, 45, 50, 55, 60, 60,
    70, 75, 80, 90, 100, 110, 120, 150, 180, 240, 300, 360,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Named:
    """One object and the noun that is spoken of it. `group` is the word list that it comes from."""

    sought: Sought
    group: str
    noun: str

    @property
    def alive(self) -> bool:
        return self.person or self.group in ("dog", "beasts")

    @property
    def person(self) -> bool:
        return self.group in PEOPLE or self.group in CHILDREN

    @property
    def owned(self) -> bool:
        """Whether the noun comes with "my", which takes no article."""
        return self.group in ("his", "her", "his_child", "her_child")


@dataclass(frozen=True, slots=True)
class Goal:
    """A wish with its nouns. `kind` is set where the areas are all that have this word in their names."""

    objects: tuple[Named, ...]
    where: Ground
    areas: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    on_find: tuple[str, ...] = ("confirm", "home")
    kind: str = ""
    avoid_kind: str = ""
    """The same for what is to be left out."""

    @property
    def wish(self) -> SearchWish:
        return SearchWish(tuple(n.sought for n in self.objects), self.areas, self.avoid, self.on_find)

    @property
    def short(self) -> str:
        """As the model should write it."""
        wish = replace(self.wish, areas=(self.kind,)) if self.kind else self.wish
        return (replace(wish, avoid=(self.avoid_kind,)) if self.avoid_kind else wish).in_short()

    @property
    def joined(self) -> bool:
        """Whether it joins two things that training never joins: a label and its colour, or what is done on a find."""
        return any(_apart(n.sought, self.on_find) for n in self.objects)


@functools.cache
def _apart(sought: Sought, on_find: tuple[str, ...]) -> bool:
    pairs = [(sought.label, sought.colour), (sought.label, " ".join(on_find))]
    return any(b and b != "confirm home" and fraction("rescue", a, b) < HELD_OUT_PAIRS for a, b in pairs)


def goal(rng: Random, where: Ground) -> Goal:
    """Some search on this map."""
    count = rng.choices((1, 2, 3), (80, 16, 4))[0]
    objects = tuple(named(rng, where, alone=count == 1) for _ in range(count))
    if count == 2 and rng.random() < 0.2:
        objects = _pair(rng)
    areas, kind = _areas(rng, where) if rng.random() < 0.6 else ((), "")
    avoid, avoid_kind = _avoid(rng, where, areas) if rng.random() < 0.18 else ((), "")
    return Goal(objects, where, areas, avoid, on_find(rng), kind, avoid_kind)


def _pair(rng: Random) -> tuple[Named, ...]:
    """Two of a kind, told apart by their colours alone."""
    group, noun = rng.choice((("person", "person"), ("man", "man"), ("woman", "woman"), ("child", "child"),
                              ("hiker", "hiker"), ("boy", "boy"), ("girl", "girl"), ("dog", "dog"), ("car", "car"),
                              ("tent", "tent"), ("boat", "boat"), ("backpack", "backpack")))  # fmt: skip
    label = group if group in lists("rescue_labels") else "child" if group in CHILDREN else "person"
    shades = rng.sample(lists("rescue_who")["colours"], 2)
    return tuple(Named(Sought(label, colour=shade, category=_category(group)), group, noun) for shade in shades)


def _avoid(rng: Random, where: Ground, areas: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """What to leave out, and the word for it where that is all that are called so."""
    kinds = [kind for kind in where.several() if not set(where.called(kind)) & set(areas)]
    if kinds and rng.random() < 0.35:
        kind = rng.choice(kinds)
        return where.called(kind), kind
    return tuple(a for a in _some(rng, where, rng.choice((1, 1, 1, 2))) if a not in areas), ""


def on_find(rng: Random) -> tuple[str, ...]:
    return tuple(_one_of(rng, ON_FIND).split())


def named(rng: Random, where: Ground, *, alone: bool = True, group: str = "") -> Named:
    """Some object and what is told of it; less of one among several."""
    group = group or _one_of(rng, NOUNS)
    label, noun = _noun(rng, group)
    person, alive = group in PEOPLE or group in CHILDREN, group in ("dog", "beasts")
    told = 1.0 if alone else 0.4
    seen = rng.random() < (0.5 if person or alive else 0.3) * told
    sought = Sought(
        label,
        colour=colour(rng) if rng.random() < 0.6 else "",
        size_m=_size(rng, person) if not alive and rng.random() < 0.09 * told else None,
        mobility=rng.choice(("still", "still", "slow", "walking"))
        if (person or alive) and rng.random() < 0.25 * told
        else "unknown",
        toward=toward(rng, where) if (person or alive) and rng.random() < (0.42 if seen else 0.24) * told else "",
        seen_at=_some(rng, where, 1)[0] if seen else "",
        seen_ago_s=60.0 * rng.choice(MINUTES) if rng.random() < (0.75 if seen else 0.08) else None,
        category=_category(group),
    )
    return Named(sought, group, noun)


def colour(rng: Random) -> str:
    words = lists("rescue_who")
    return rng.choice(words["colours"] if rng.random() < 0.93 else words["rare"])


def toward(rng: Random, where: Ground) -> str:
    """A place of the map, or a kind of ground."""
    if rng.random() < 0.78:
        return rng.choice(where.places).name
    return rng.choice(("road", "water", "forest", "settlement", "field"))


def place(where: Ground, name: str) -> Place | None:
    return next((p for p in where.places if p.name == name), None)


def _noun(rng: Random, group: str) -> tuple[str, str]:
    """(label, noun)"""
    noun = rng.choice(nouns(group))
    if group in ("things", "beasts"):
        return noun, noun
    if group in lists("rescue_labels"):
        return group, noun
    return ("child" if group in CHILDREN else "person"), noun


@functools.cache
def nouns(group: str) -> tuple[str, ...]:
    """The words for a group, the wider ones too."""
    words = lists("rescue_labels").get(group) or lists("rescue_who")[group]
    wider = tables().get("rescue.nouns", {}).get(group, "")
    return (*words, *wider.strip().splitlines())


def _category(group: str) -> str:
    return "child" if group in CHILDREN else group if group in ("hiker", "dementia") else ""


def _size(rng: Random, person: bool) -> float:
    return (
        rng.choice((1.5, 1.6, 1.65, 1.7, 1.75, 1.8, 1.85, 1.9))
        if person
        else rng.choice((0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 12))
    )


def _areas(rng: Random, where: Ground) -> tuple[tuple[str, ...], str]:
    """Where to search, and the word for it where that is all that are called so."""
    kinds = where.several()
    if kinds and rng.random() < 0.45:
        kind = rng.choice(kinds)
        return where.called(kind), kind
    return _some(rng, where, rng.choice((1, 1, 1, 2, 2, 3))), ""


def _some(rng: Random, where: Ground, count: int) -> tuple[str, ...]:
    """Places or squares, each once."""
    if where.squares and rng.random() < 0.16:
        return tuple(
            rng.sample(where.squares, min(rng.choice((1, 1, 2, 3, 4)) if count > 1 else 1, len(where.squares)))
        )
    return tuple(p.name for p in rng.sample(where.places, min(count, len(where.places))))


def some(rng: Random, where: Ground, count: int) -> tuple[str, ...]:
    return _some(rng, where, count)


def _one_of(rng: Random, weights: Mapping[str, int]) -> str:
    return rng.choices(tuple(weights), tuple(weights.values()))[0]
