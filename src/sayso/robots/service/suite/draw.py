"""The random slots of a command: people, places, things, and what follows from them.

A slot is drawn once for a command and has parts: `{name.him}`, `{obj.place}`, `{best.answer}`. Places that one command
names lie in different rooms and things are not put where they already are, so that doing nothing is never right.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from sayso.grounding.utterance import table
from sayso.robots.service.world import FLAT
from sayso.tables import toml
from sayso.worlds.indoor.scene import Flat, default_place, knowledge, read_flat
from sayso.worlds.indoor.setup import GARMENTS, SHIRTS

Drawn: TypeAlias = Mapping[str, Any]
"""A slot's parts; the part without a name is what `{slot}` stands for."""

FRAMES = toml(__package__, "frames.toml")
TABLE: Mapping[str, Any] = FRAMES["draw"]
ROWS = {"talk": FRAMES["talk"], "question": FRAMES["question"], **TABLE["rows"]}
"""Slots that are rows of a table."""

HEAVY, TOPS, STANDING, ONE, SUPERLATIVES = (TABLE[k] for k in ("heavy", "tops", "standing", "one", "superlatives"))
ANY_OF: Mapping[str, Sequence[str]] = {"garment": GARMENTS, "top": TOPS, **TABLE["any"]}
CLEAR = 1.08
"""By so much the best must surpass the next, for a question to have one answer."""

PAIR_APART_M = 0.13

_PEOPLE: Mapping[str, Sequence[str]] = knowledge(FLAT)["people"]
NAMES = (*_PEOPLE["male"], *_PEOPLE["female"])


@cache
def flat() -> Flat:
    return read_flat("flat", FLAT)


def rooms() -> list[str]:
    return [r["name"] for r in knowledge(FLAT)["rooms"]]


@cache
def place_rooms() -> Mapping[str, str]:
    """The room of each of the fourteen places."""
    return {p["name"]: p["room"] for p in knowledge(FLAT)["places"]}


@cache
def kinds() -> Mapping[str, Mapping[str, Any]]:
    """The twenty-seven objects."""
    return {k["name"]: k for k in knowledge(FLAT)["objects"] if not k.get("guest")}


def members(category: str) -> list[str]:
    return [name for name, kind in kinds().items() if kind["category"] == category]


CHOICES: Mapping[str, Sequence[str]] = {
    "number": [str(n) for n in range(11)],
    "gender": ["male", "man", "female", "woman"],
    "pose": ["sitting", "standing", "lying"],
    "shirt": sorted(SHIRTS),
    "name": NAMES,
    "top": TOPS,
    **{category: members(category) for category in ONE},
}
"""What an answer may be one of."""


class Slots:
    """The slots of one command, drawn when they are first asked for; `needs` narrows some of them."""

    def __init__(self, rng: random.Random, needs: Mapping[str, str]) -> None:
        self._rng, self._needs = rng, needs
        self.drawn: dict[str, Drawn] = {}

    def __getitem__(self, slot: str) -> Drawn:
        if slot not in self.drawn:
            kind = slot.rstrip("0123456789")
            if kind in ROWS:
                row = self.choose(ROWS[kind])
                self.drawn[slot] = {"": row["says" if "says" in row else "q"], **row}
            elif kind in ANY_OF:
                self.drawn[slot] = {"": self.choose(ANY_OF[kind])}
            else:
                self.drawn[slot] = _DRAWERS[kind](self, slot)
        return self.drawn[slot]

    def part(self, name: str) -> Any:
        """What `{name}` stands for."""
        slot, _, part = name.partition(".")
        return self[slot][part]

    def choose(self, options: Sequence[Any]) -> Any:
        return self._rng.choice(options)

    def needed(self, slot: str) -> str:
        return self._needs.get(slot, "")

    def taken(self, *kinds_: str, part: str = "") -> set[str]:
        """What has been drawn for slots of these kinds."""
        return {str(d[part]) for slot, d in self.drawn.items() if slot.rstrip("0123456789") in kinds_ and part in d}

    @property
    def rooms(self) -> set[str]:
        """The rooms that the command has to do with already."""
        return self.taken("room") | self.taken("spot", "crowd", part="room")


def _name(slots: Slots, slot: str) -> Drawn:
    return person(slots.choose(sorted({*NAMES} - slots.taken("name"))))


def person(name: str) -> Drawn:
    """A known name and the words that go with it."""
    if name in _PEOPLE["male"]:
        return {"": name, "he": "he", "He": "He", "him": "him", "his": "his", "man": "man", "gender": "male"}
    return {"": name, "he": "she", "He": "She", "him": "her", "his": "her", "man": "woman", "gender": "female"}


def _pose(slots: Slots, slot: str) -> Drawn:
    lies = slots.taken("spot") & {"bed", "couch"} or slots.taken("room") & {"bedroom", "living room"}
    pose = slots.choose([*STANDING, *(["lying"] if lies else [])])
    return {"": pose, "other": "standing" if pose == "sitting" else "sitting"}


def _shirt(slots: Slots, slot: str) -> Drawn:
    return {"": slots.choose(sorted(set(SHIRTS) - slots.taken("shirt")))}


def _crowd(slots: Slots, slot: str) -> Drawn:
    """People in one room, and how many of a kind they are."""
    room = slots.choose([r for r in rooms() if r != "corridor"])
    kind = slots.choose(list(TABLE["counted"]))
    names = slots._rng.sample(NAMES, slots.choose((2, 3)))
    people = [{"name": n, "place": room, "pose": slots.choose(STANDING)} for n in names]
    fit = [p for p in people if TABLE["counted"][kind] in ("", p["pose"], person(p["name"])["gender"])]
    return {"": "", "room": room, "kind": kind, "people": people, "n": str(len(fit))}


def _room(slots: Slots, slot: str) -> Drawn:
    return {"": slots.choose(sorted({r for r in rooms() if r != "corridor"} - slots.rooms))}


def _spot(slots: Slots, slot: str) -> Drawn:
    barred = slots.rooms | ({"living room"} if slots.needed(slot) == "away" else set())
    spot = slots.choose([p for p, room in place_rooms().items() if room not in barred])
    return {"": spot, "room": place_rooms()[spot]}


def _put(slots: Slots, slot: str) -> Drawn:
    barred = slots.taken("put", "from") | slots.taken("obj", "cat", "best", "paint", part="place")
    placements = [p["name"] for p in knowledge(FLAT)["places"] if p.get("placement")]
    return {"": slots.choose([name for name in placements if name not in barred])}


def _obj(slots: Slots, slot: str) -> Drawn:
    barred, full = slots.taken("obj"), slots.taken("put")  # whichever of the two is drawn first
    free = [n for n in kinds() if n not in HEAVY and n not in barred and default_place(kinds()[n], FLAT) not in full]
    return _kept(slots.choose(free))


def _kept(name: str) -> Drawn:
    """A thing, and where it is kept."""
    place = default_place(kinds()[name], FLAT)
    return {"": name, "place": place, "room": place_rooms()[place], "cat": kinds()[name]["category"]}


def _category(category: str) -> dict[str, Any]:
    place = next(c["place"] for c in knowledge(FLAT)["categories"] if c["name"] == category)
    one, room = ONE[category], place_rooms()[place]
    return {"cat": category, "one": one, "a": f"a {one}", "place": place, "room": room}


def _cat(slots: Slots, slot: str) -> Drawn:
    barred = {"containers"} if slots.needed(slot) in ("small", "three") else set()
    three = slots.needed(slot) == "three"
    category = slots.choose([c for c in ONE if c not in barred and (not three or len(members(c)) == 3)])
    numbered = {str(n): name for n, name in enumerate(members(category), 1)}
    return {"": category, **_category(category), **numbered}


def _stock(slots: Slots, slot: str) -> Drawn:
    """A category of which some may be away, and how many are left."""
    category = slots.choose(list(ONE))
    gone = slots._rng.sample(members(category), slots.choose((0, 1, 1, 2)) if len(members(category)) > 2 else 1)
    left = len(members(category)) - len(gone)
    return {"": category, **_category(category), "objects": dict.fromkeys(gone), "n": str(left)}


def measured(name: str, key: str) -> float:
    """What a superlative compares."""
    length, width, height = kinds()[name]["size_m"]
    values = {"size": length * width * height, "mass": kinds()[name]["mass_kg"], "width": min(length, width, height)}
    return float(values[key.lstrip("-")])


def bests() -> list[tuple[str, str, str]]:
    """(superlative, category, answer) of all questions that have one clear answer."""
    found = []
    for word, key in SUPERLATIVES.items():
        for category in ONE:
            ranked = sorted(members(category), key=lambda n: measured(n, key), reverse=not key.startswith("-"))
            first, second = measured(ranked[0], key), measured(ranked[1], key)
            if max(first, second) >= CLEAR * min(first, second):
                found.append((word, category, ranked[0]))
    return found


def _best(slots: Slots, slot: str) -> Drawn:
    small = slots.needed(slot) == "small"
    word, category, answer = slots.choose([b for b in bests() if not small or b[2] not in HEAVY])
    return {"": word, **_category(category), "answer": answer}


def _paint(slots: Slots, slot: str) -> Drawn:
    """A colour that only one thing of its category has."""
    paints = {name: kind["paint"] for name, kind in kinds().items()}
    told = {*table()["traits"]["colours"]} - {"orange"}
    light = [(paint, name) for name, paint in paints.items() if paint in told and name not in HEAVY]
    alike = {name: [paints[other] for other in members(kinds()[name]["category"])] for _, name in light}
    paint, name = slots.choose([(paint, name) for paint, name in light if alike[name].count(paint) == 1])
    return {"": paint, **_category(kinds()[name]["category"]), "answer": name}


def _base(slots: Slots, slot: str) -> Drawn:
    return _kept(slots.choose(TABLE["bases"]))


def _pair(slots: Slots, slot: str) -> Drawn:
    """Two things side by side on a place of their own; the viewer's left is the furniture's right."""
    place = slots.choose(TABLE["pair_places"])
    things = [t for t in TABLE["pair_things"] if default_place(kinds()[t], FLAT) != place]
    left, right = slots._rng.sample(things, 2)
    side, edge = slots["side"][""], slots["edge"][""]
    usual = [n for n, kind in kinds().items() if default_place(kind, FLAT) == place]
    target, anchor = (left, right) if side == "left" else (right, left)
    objects = {**dict.fromkeys(usual), left: _at(place, -PAIR_APART_M), right: _at(place, PAIR_APART_M)}
    at_edge = left if edge == "leftmost" else right
    return {"": "", "place": place, "objects": objects, "target": target, "anchor": anchor, "edge": at_edge}


def _at(place: str, aside_m: float) -> dict[str, list[float]]:
    piece = flat().piece(place)
    assert piece is not None
    spot = piece.pose.moved(piece.size_m[0] / 2 - 0.15, aside_m)
    return {"at": [round(spot.x_m, 3), round(spot.y_m, 3), round(piece.size_m[2], 3)]}


_DRAWERS: Mapping[str, Callable[[Slots, str], Drawn]] = {
    "name": _name, "pose": _pose, "shirt": _shirt, "crowd": _crowd, "room": _room,
    "spot": _spot, "put": _put, "from": _put, "obj": _obj, "cat": _cat, "stock": _stock, "best": _best,
    "paint": _paint, "base": _base, "pair": _pair,
}  # fmt: skip
