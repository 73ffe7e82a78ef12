"""The robot's table of names as a planner of steps reads it: which things a description means, and what a wish names.

Only words are compared, and only words that the robot was told: a wish that speaks of what the table does not know
names nothing here, and a planner without a table takes a model at its word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

EVERY, MISPLACED, HOME = "every", "misplaced", "home"
ANYTHING = ("thing", "things", "object", "objects", "item", "items", "everything")
ADJACENT = re.compile(r"[\s-]+$")

_LABEL = re.compile(r"(.+?) \((.+?)\)$")
_ALL = re.compile(r"\b(?:all|every|each)\b(?!\s+right)[^.,;:]{0,24}$")
_LOOKS = re.compile(r"\b(?:something|anything|bright|light|dark|pale|deep)\s+$")
"""Before a word that may be a fruit or a colour."""

_NUMBERS = {"two": 2, "2": 2, "a couple of": 2, "three": 3, "3": 3, "four": 4, "4": 4}
_NUMBER = re.compile(rf"\b({'|'.join(_NUMBERS)})\s+(?:of\s+)?(?:the\s+|our\s+|my\s+)?(?:\w+\s+)?$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a wish: what it stands for, and how many are asked for (0: all of them)."""

    name: str
    what: str
    count: int = 1
    colour: str = ""

    @property
    def thing(self) -> str:
        return f"{self.colour} {self.name}".strip()


@dataclass(frozen=True)
class Table:
    """Kinds of things with their category, where each category belongs, places, colours, and other names."""

    kinds: Mapping[str, str]
    homes: Mapping[str, str]
    spots: tuple[str, ...]
    tables: frozenset[str]
    colours: frozenset[str]
    names: tuple[tuple[str, str, str], ...]

    @classmethod
    def read(cls, known: Mapping[str, Any]) -> Table:
        entries = {"place": known.get("places", ()), "kind": known.get("objects", ()),
                   "category": known.get("categories", ())}  # fmt: skip
        names = [(w.lower(), what, e["name"]) for what, some in entries.items() for e in some
                 for w in (e["name"], *e.get("aliases", ()))]  # fmt: skip
        return cls(
            kinds={k["name"]: k.get("category", "") for k in entries["kind"]},
            homes={c["name"]: c.get("place", "") for c in entries["category"]},
            spots=tuple(p["name"] for p in entries["place"] if p.get("placement")),
            tables=frozenset(p["name"] for p in entries["place"] if p.get("kind") == "home"),
            colours=frozenset(w for k in entries["kind"] for w in str(k.get("paint", "")).split()),
            names=tuple(sorted(names, key=lambda n: -len(n[0]))),
        )

    @cached_property
    def places(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for _, what, name in self.names if what == "place"))

    def kind_in(self, thing: str) -> str:
        """The kind or category at the end of a description; empty for a thing of any kind."""
        fitting = [n for n in (*self.kinds, *self.homes) if thing == n or thing.endswith(f" {n}")]
        return max(fitting, key=len, default="")

    def home(self, name: str) -> str:
        """Where a kind or a category belongs."""
        return self.homes.get(self.kinds.get(name, name), "")

    def fits(self, thing: str, label: str, place: str = "") -> bool:
        """Whether a thing seen at a place, such as `apple (red)`, can be what a goal calls so."""
        name, colour = parted(label)
        wanted = thing.removeprefix(f"{EVERY} ")
        kind, words = self.kind_in(wanted), wanted.split()
        if MISPLACED in words and (place not in self.tables or self.home(name) in ("", place)):
            return False
        if kind not in ("", name, self.kinds.get(name, "")):
            return False
        if not kind and words[-1:] and words[-1] not in (*ANYTHING, *self.colours):
            return thing == name
        asked = [w for w in wanted.removesuffix(kind).split() if w in self.colours]
        return not colour or all(w in colour.split() for w in asked)

    def mentions(self, wish: str) -> list[Mention]:
        """The places, kinds and categories that a wish names, in order, longer names first."""
        text = re.sub(r"[\u2019'_-]", " ", wish.lower())
        found: list[tuple[int, int, Mention]] = []
        for word, what, name in self.names:
            for hit in re.finditer(rf"\b{_numbered(word)}\b", text) if word[:3] in text else ():
                looks = name in self.colours and _LOOKS.search(text[: hit.start()])
                if not looks and all(hit.end() <= a or hit.start() >= b for a, b, _ in found):
                    found.append((*hit.span(), self._mention(name, what, text[: hit.start()])))
        found.sort(key=lambda f: f[0])
        return [
            m for n, (_, end, m) in enumerate(found)
            if not (m.name in self.colours and n + 1 < len(found) and ADJACENT.fullmatch(text[end : found[n + 1][0]]))
        ]  # fmt: skip

    def _mention(self, name: str, what: str, before: str) -> Mention:
        if what == "place":
            return Mention(name, what)
        number = _NUMBER.search(before)
        count = _NUMBERS[number[1]] if number else 0 if _ALL.search(before) else 1
        last = before.split()[-1:] if before.endswith(" ") else []
        return Mention(name, what, count, last[0] if last and last[0] in self.colours else "")


def parted(label: str) -> tuple[str, str]:
    """`apple (red)` as name and colour."""
    found = _LABEL.match(label)
    return (found[1], found[2]) if found else (label, "")


def _numbered(word: str) -> str:
    """A pattern for one or several."""
    word = re.sub(r"['_-]", " ", word)
    return f"{re.escape(word[:-1])}(?:y|ys|ies)" if word.endswith("y") else f"{re.escape(word)}(?:e?s)?"
