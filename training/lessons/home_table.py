"""Tables of names for household lessons: the shipped home's own, its names in other places, and homes with other names.

So that the model reads what belongs where, and does not know it by heart: in many lessons the table is not
that of the home it will work in. Poses and sizes are there because a check wants some; no lesson speaks of them.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from knowledge import items
from sayso.robots.service.world import FLAT
from sayso.worlds.indoor.scene import knowledge

Entry: TypeAlias = Mapping[str, Any]

SHIPPED, MOVED = 0.4, 0.12
"""How often the table is the shipped one, and how often it has the shipped names in other places; else other names."""
ONES = {
    "cleaning stuff": "cleaning item", "containers": "container", "cutlery": "cutlery item", "dishes": "dish",
    "drinks": "drink", "food": "food item", "fruits": "fruit", "snacks": "snack",
}  # fmt: skip
"""What one of a shipped category is called."""
KINDS = {
    "fruit": ("fruits", "fruit"), "vegetable": ("vegetables", "vegetable"), "meal": ("food", "food item"),
    "sweets": ("sweets", "sweet"), "drink": ("drinks", "drink"), "tableware": ("dishes", "dish"),
    "stationery": ("stationery", "stationery item"), "electronics": ("electronics", "electronic device"),
    "tool": ("tools", "tool"), "cleaning": ("cleaning stuff", "cleaning item"), "toy": ("toys", "toy"),
    "bathroom": ("bathroom things", "bathroom item"), "clothing": ("clothes", "piece of clothing"),
    "bag": ("bags", "bag"),
}  # fmt: skip
"""Kinds of the table of household objects, as categories and as one of them."""


@dataclass(frozen=True)
class Table:
    """`data` is what a robot's knowledge would be; `ones` names one of each category."""

    data: Mapping[str, Any]
    ones: Mapping[str, str]

    @functools.cached_property
    def rooms(self) -> list[str]:
        return [r["name"] for r in self.data["rooms"]]

    @functools.cached_property
    def room_of(self) -> Mapping[str, str]:
        return {p["name"]: p["room"] for p in self.data["places"]}

    @functools.cached_property
    def placements(self) -> list[str]:
        return [p["name"] for p in self.data["places"] if p.get("placement")]

    @functools.cached_property
    def usual(self) -> Mapping[str, str]:
        """The usual place of each category."""
        return {c["name"]: c["place"] for c in self.data["categories"]}

    @functools.cached_property
    def things(self) -> Mapping[str, str]:
        """The category of each thing."""
        things = (t for t in self.data["objects"] if t["category"] in self.usual)
        return {t["name"]: t["category"] for t in things}

    @functools.cached_property
    def aliases(self) -> Mapping[str, Sequence[str]]:
        every = ("rooms", "places", "categories", "objects")
        return {e["name"]: e["aliases"] for key in every for e in self.data[key] if e["aliases"]}

    @functools.cached_property
    def people(self) -> list[tuple[str, str]]:
        return [(name, gender) for gender, names in self.data["people"].items() for name in names]

    def members(self, category: str) -> list[str]:
        return [name for name, of in self.things.items() if of == category]

    def has_place(self, name: str) -> bool:
        return name in self.room_of or name in self.rooms or name in ("taxi", "initial location")


@functools.cache
def listed() -> Mapping[str, Mapping[str, list[str]]]:
    """The word lists of `home_words.toml`."""
    return tomllib.loads((Path(__file__).parent / "home_words.toml").read_text("utf-8"))


def house(names: str) -> list[str]:
    """One list of names that a home may have."""
    return listed()["house"][names]


def draw_table(rng: Random) -> Table:
    """Some home's table."""
    roll = rng.random()
    if roll < SHIPPED:
        return shipped()
    return moved(rng) if roll < SHIPPED + MOVED else other(rng)


@functools.cache
def shipped() -> Table:
    """The table of the home that the suite is played in."""
    table = knowledge(FLAT)
    places = [_posed(p) for p in table["places"]]
    outside = [_posed(p) for p in table["outside"]]
    rooms = [{**r, "low": (0.0, 0.0), "high": (1.0, 1.0)} for r in table["rooms"]]
    doors = [{"name": f"{r['name']} door", "at": (0.0, 0.0)} for r in table["rooms"]]
    return Table({**table, "places": places, "outside": outside, "rooms": rooms, "doors": doors}, ONES)


def moved(rng: Random) -> Table:
    """The shipped names, each place in some room, each category on some place, some of them not there."""
    table = shipped().data
    rooms = _some(rng, table["rooms"], 4)
    places = [{**p, "room": rng.choice(rooms)["name"]} for p in _some(rng, table["places"], 9)]
    placements = [p["name"] for p in places if p.get("placement")]
    categories = [{**c, "place": rng.choice(placements)} for c in _some(rng, table["categories"], 5)]
    kept = {c["name"] for c in categories}
    things = [t for t in table["objects"] if t["category"] in kept and rng.random() < 0.9]
    return _table(rng, rooms, places, categories, things, table["people"], ONES)


def other(rng: Random) -> Table:
    """A home that is not ours: rooms, places, things and people drawn from long lists."""
    rooms = [_room(name) for name in rng.sample(house("rooms"), rng.randint(3, 7))]
    drawn = rng.sample(house("placements"), rng.randint(4, 9))
    places = [_place(name, rng.choice(rooms)["name"], placement=True) for name in drawn]
    places += [_place(name, rng.choice(rooms)["name"]) for name in rng.sample(house("spots"), rng.randint(2, 4))]
    places.append({**_place("trash bin", rng.choice(rooms)["name"]), "bin": True, "aliases": ["bin", "trash"]})
    rng.shuffle(places)
    kinds = rng.sample(sorted(KINDS), rng.randint(4, 8))
    categories = [{"name": KINDS[k][0], "aliases": [KINDS[k][1]], "place": rng.choice(drawn)} for k in kinds]
    taken = {*drawn, *(p["name"] for p in places)}
    things = [_thing(rng, label, KINDS[k][0]) for k in kinds for label in _labels(rng, k) if label not in taken]
    people = shipped().data["people"]
    if rng.random() < 0.7:
        people = {"male": rng.sample(house("men"), 5), "female": rng.sample(house("women"), 5)}
    return _table(rng, rooms, places, categories, things, people, dict(KINDS.values()))


def _table(
    rng: Random, rooms: Sequence[Entry], places: Sequence[Entry], categories: Sequence[Entry],
    things: Sequence[Entry], people: Mapping[str, Any], ones: Mapping[str, str],
) -> Table:  # fmt: skip
    doors = [{"name": f"{r['name']} door", "at": (0.0, 0.0)} for r in rooms]
    luggage = [t for t in shipped().data["objects"] if t.get("guest")]
    every = {"rooms": rooms, "places": places, "categories": categories, "objects": [*things, *luggage]}
    data = {**shipped().data, **every}
    return Table({**data, "people": people, "doors": doors}, ones)


def _some(rng: Random, entries: Sequence[Entry], least: int) -> list[Entry]:
    kept = rng.sample(list(entries), rng.randint(least, len(entries)))
    return kept if any(e.get("placement") for e in kept) or "room" not in kept[0] else list(entries)


def _room(name: str) -> Entry:
    return {"name": name, "aliases": [], "low": (0.0, 0.0), "high": (1.0, 1.0)}


def _place(name: str, room: str, placement: bool = False) -> dict[str, Any]:
    return {"name": name, "room": room, "aliases": [], "placement": placement, "stand": (0.0, 0.0, 0.0)}


def _posed(place: Entry) -> Entry:
    return {**place, "stand": (0.0, 0.0, 0.0)}


def _labels(rng: Random, kind: str) -> list[str]:
    labels = _by_kind()[kind]
    return rng.sample(labels, min(len(labels), rng.randint(3, 6)))


def _thing(rng: Random, label: str, category: str) -> Entry:
    name = label if rng.random() < 0.9 else rng.choice(house("made_up"))
    like = {"size_m": (0.1, 0.1, 0.1), "mass_kg": 0.1, "paint": "red"}
    return {"name": name, "category": category, "aliases": [], **like}


@functools.cache
def _by_kind() -> Mapping[str, list[str]]:
    return {k: [i.label for i in items().values() if i.kind == k and not i.held_out] for k in KINDS}
