"""The robot's table of names as a planner of steps reads it: what there is, where it belongs, which things are meant.

Only words are compared, and only words that the robot was told: a planner without a table takes a model at its word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sayso.grounding.mentions import Name
from sayso.grounding.said import table

EVERY, MISPLACED, HOME, THING = "every", "misplaced", "home", "thing"
ANYTHING = (*table()["vague"]["things"], "everything")

RANKS = {"smallest": "smallest", "biggest": "largest", "largest": "largest", "tallest": "tallest"}
"""A superlative before a thing, as a list that a model writes has it, and as goals do."""

_LABEL = re.compile(r"(.+?) \((.+?)\)$")


@dataclass(frozen=True)
class Table:
    """Kinds of things with their category, where each category belongs, places and what for, colours, other names.

    What a place is for is told where it is no home of a kind of things. Colours are those of the table and of any rack.

    `spots` can be put on, `tables` are where a category belongs and nothing else does. `sizes` are how large a thing of
    each kind is, in metres, and `paint` its usual colour, where that is known.
    """

    places: tuple[str, ...]
    spots: tuple[str, ...]
    purpose: Mapping[str, str]
    homes: Mapping[str, str]
    tables: frozenset[str]
    kinds: Mapping[str, str]
    aliases: tuple[tuple[str, str], ...]
    colours: frozenset[str]
    names: tuple[Name, ...]
    sizes: Mapping[str, float]
    paint: Mapping[str, str]

    @classmethod
    def read(cls, known: Mapping[str, Any]) -> Table:
        places, kinds, categories = (known.get(k, ()) for k in ("places", "objects", "categories"))
        all_of_them = [*(("place", p) for p in places), *(("kind", k) for k in kinds)]
        all_of_them += [("category", c) for c in categories]
        said = [(a.lower(), e["name"]) for _, e in all_of_them for a in e.get("aliases", ())]
        return cls(
            places=tuple(p["name"] for p in places),
            spots=tuple(p["name"] for p in places if p.get("placement")),
            purpose={p["name"]: p.get("kind", "") if p.get("kind") in table()["purposes"] else "" for p in places},
            homes={c["name"]: c.get("place", "") for c in categories},
            tables=frozenset(p["name"] for p in places if p.get("kind") == "home"),
            kinds={k["name"]: k.get("category", "") for k in kinds},
            aliases=tuple(sorted(said, key=lambda a: -len(a[0]))),
            colours=frozenset(
                [*table()["traits"]["stocked"], *(w for k in kinds for w in str(k.get("paint", "")).split())]
            ),
            names=tuple(
                Name.of(w, what, e["name"]) for what, e in all_of_them for w in (e["name"], *e.get("aliases", ()))
            ),
            sizes={k["name"]: max(k["size_m"]) for k in kinds if k.get("size_m")},
            paint={k["name"]: k["paint"] for k in kinds if k.get("paint")},
        )

    def kind_in(self, thing: str) -> str:
        """The kind or category at the end of a description; empty for a thing of any kind."""
        fitting = [n for n in (*self.kinds, *self.homes) if thing == n or thing.endswith(f" {n}")]
        return max(fitting, key=len, default="")

    def home(self, name: str) -> str:
        """Where a kind or a category belongs."""
        return self.homes.get(self.kinds.get(name, name), "")

    def misplaced(self, name: str, place: str) -> bool:
        """Whether a kind of thing is on the table of another one there."""
        return place in self.tables and self.home(name) not in ("", place)

    def fits(self, thing: str, label: str, place: str = "") -> bool:
        """Whether a thing seen at a place, such as `apple (red)`, can be what a goal calls so."""
        name, colour = parted(label)
        wanted = thing.removeprefix(f"{EVERY} ")
        kind, words = self.kind_in(wanted), wanted.split()
        if MISPLACED in words and not self.misplaced(name, place):
            return False
        if kind not in ("", name, self.kinds.get(name, "")):
            return False
        if not kind and words[-1:] and words[-1] not in (*ANYTHING, *self.colours):
            return thing == name
        asked = [w for w in wanted.removesuffix(kind).split() if w in self.colours]
        return not colour or all(w in colour.split() for w in asked)


def parted(label: str) -> tuple[str, str]:
    """`apple (red)` as name and colour."""
    found = _LABEL.match(label)
    return (found[1], found[2]) if found else (label, "")
