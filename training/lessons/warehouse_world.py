"""Warehouses for lessons, the shipped one or one made up: what its things and places are called."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from sayso.robots.warehouse.names import Table
from sayso.robots.warehouse.world import STORE

SHIPPED = 0.5
LIKES = {"edible": "eat", "drinkable": "drink", "gift": "play"}


@dataclass(frozen=True)
class Hall:
    """A warehouse's table of names, what each kind of thing is good for, and other names of all."""

    names: Table
    likes: Mapping[str, frozenset[str]]
    aliases: Mapping[str, Sequence[str]]

    def place(self, purpose: str) -> str:
        """The place of a purpose (out, in, store, box, start); empty where there is none."""
        return next((p for p, use in self.names.purpose.items() if use == purpose), "")


@functools.cache
def data() -> Mapping[str, Any]:
    return tomllib.loads((Path(__file__).parent / "warehouse.toml").read_text("utf-8"))


@functools.cache
def shipped() -> Hall:
    """The shipped table of names."""
    table = tomllib.loads((STORE / "names.toml").read_text("utf-8"))
    likes = {s["name"]: frozenset(LIKES.get(x, x) for x in s["likes"]) for s in table["stock"]}
    return Hall(Table(table), likes, _aliases(table))


def _aliases(table: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    return {e["name"]: e["aliases"] for key in ("places", "objects", "categories") for e in table[key]}


def hall(rng: Random) -> Hall:
    """A warehouse, of the shipped kind half of the time."""
    return shipped() if rng.random() < SHIPPED else made_up(rng)


def made_up(rng: Random) -> Hall:
    """Other categories, places and aliases."""
    known = data()
    chosen = rng.sample(list(known["category"]), rng.choice((2, 3, 3, 4, 4)))
    places, categories, objects = list[dict[str, Any]](), [], []
    likes: dict[str, frozenset[str]] = {}
    for category in chosen:
        row = known["category"][category]
        home = rng.choice(list(row["homes"]))
        aliases = [f"{category} place", f"table of {category}", *(h for h in row["homes"] if h != home)]
        places.append({"name": home, "kind": "home", "placement": True, "aliases": rng.sample(aliases, 2)})
        categories.append({"name": category, "aliases": row["words"], "place": home})
        for name in rng.sample(list(row["goods"]), min(len(row["goods"]), rng.randrange(3, 9))):
            paint = row["goods"][name].split()[0]
            objects.append({"name": name, "category": category, "aliases": _other_names(name), "paint": paint})
            likes[name] = frozenset(row["likes"])
    for use in ("out", "in", "store", "box", "start"):
        if use in ("out", "start") or rng.random() < 0.8:
            places.append(_other(rng, use, use != "start"))
    for _ in range(rng.choice((0, 1, 1, 2))):
        extra = _other(rng, "extra", True)
        if all(p["name"] != extra["name"] for p in places):
            places.append(extra)
    rng.shuffle(places)
    table = {"places": places, "categories": categories, "objects": objects}
    return Hall(Table(table), likes, _aliases(table))


def _other(rng: Random, use: str, placement: bool) -> dict[str, Any]:
    known = data()
    aliases = rng.sample(known["aliases"][use], 2)
    name = rng.choice([n for n in known["others"][use] if n not in aliases])
    return {"name": name, "kind": use, "placement": placement, "aliases": aliases}


def _other_names(name: str) -> list[str]:
    first, _, rest = name.partition(" ")
    short = {"can": first, "bottle": first, "box": first, "toy": first, "jar": first, "carton": first, "bar": first}
    found = [short[rest]] if rest in short and first != "toy" else []
    if name.startswith("toy "):
        found = [rest, f"{rest} toy"]
    if rest in ("can", "bottle", "box", "jar", "carton"):
        found.append(f"{rest} of {first}")
    if rest == "toy":
        found.append(f"toy {first}")
    return found


def plural(name: str) -> str:
    """Several of a kind."""
    if name.endswith("stuff"):
        return name
    head, of, tail = name.partition(" of ")
    if of:
        return f"{plural(head)} of {tail}"
    if name.endswith(("s", "x", "ch", "sh")):
        return name if name.endswith("s") and not name.endswith(("ss", "bus")) else f"{name}es"
    if name.endswith("y") and name[-2] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}es" if name in ("mango", "tomato", "potato") else f"{name}s"


def a(noun: str) -> str:
    """With its article."""
    if noun == plural(noun) or noun.split()[-1] in ("popcorn", "broccoli", "lettuce", "corn", "glue", "detergent"):
        return f"some {noun}"
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
