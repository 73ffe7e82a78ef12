"""What the slots of a household command stand for: drawn once a command from a table of names, said and meant.

Each part of a slot is a pair, what is said and what is meant: `{spot}` may be said "sofa" and meant "couch". The
slots are those of the suite's sentence structures, and a few more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeAlias

from lessons.home_table import Table, house, listed
from lessons.lists import lists
from lessons.phrasing import Frame, fill, frames
from lessons.telling import Unsaid

Part: TypeAlias = "tuple[str, str]"
"""What is said, and what is meant."""

ALIAS, ALSO, PRAISED, ELSEWHERE = 0.14, 0.04, 0.05, 0.4
"""How often a name is said otherwise, in words that no table has, with an adjective; and a thing is not where usual."""

SUPERLATIVES = ("biggest", "smallest", "heaviest", "lightest", "thinnest")
GESTURES = ("waving", "pointing left", "pointing right", "raising left arm", "raising right arm")
CROWDS = ("people", "men", "women", "people sitting", "people standing")
EXCHANGED = 0.15
"""How often a room stands for a place, or the other way round, where it does not matter."""

_SLOT = re.compile(r"\{([a-z]+[0-9]?)(?:\.([A-Za-z0-9]+))?\}")
_HE, _SHE = re.compile(r"\((\w+)\|(?:she|her)\)"), re.compile(r"\((?:he|him|his)\|(\w+)\)")


class Slots:
    """The slots of one command. Raises `Unsaid` where the table has nothing for one."""

    def __init__(self, rng: Random, table: Table) -> None:
        self.rng, self.table = rng, table
        self.free = True
        self._drawn: dict[str, Mapping[str, Part]] = {}
        self.gender, self.text, self.slot = "male", "", ""

    def said(self, text: str) -> str:
        """A frame as somebody says it; what it does not tell is as usual."""
        self.text = text
        said = _SLOT.sub(lambda m: self.part(m[1], m[2] or "")[0], text)
        for slot, drawn in self._drawn.items():
            name, meant = drawn[""]
            if slot.startswith(("spot", "room")) and slot.startswith("spot") == (meant in self.table.rooms):
                said = _exchanged(said, name, slot.startswith("spot"))
        return said

    def part(self, slot: str, part: str) -> Part:
        if slot not in self._drawn:
            self.slot = slot
            self._drawn[slot] = _DRAWERS[slot.rstrip("0123456789")](self)
        try:
            return self._drawn[slot][part]
        except KeyError:
            raise Unsaid(f"{slot} has no {part}") from None

    def name(self, name: str) -> Part:
        """A name of the table, now and then by an alias."""
        others = self.table.aliases.get(name, ())
        if others and self.rng.random() < ALIAS:
            return self.rng.choice(others), name
        if name in listed()["also"] and self.rng.random() < ALSO:
            return self.rng.choice(listed()["also"][name]), name
        return name, name

    def tells(self, part: str) -> bool:
        """Whether the sentence names that part of the slot that is being drawn."""
        return f"{{{self.slot}.{part}}}" in self.text

    def choose(self, options: Sequence[str]) -> str:
        if not options:
            raise Unsaid("nothing to choose from")
        return self.rng.choice(options)

    def other(self, value: str) -> Part:
        """A value, in one of the ways to say it."""
        return self.rng.choice(listed()["said"].get(value, [value])), value

    def taken(self, *slots: str, part: str = "") -> set[str]:
        """What is meant by slots that were drawn."""
        found = (d for slot, d in self._drawn.items() if slot.rstrip("0123456789") in slots)
        return {d[part][1] for d in found if part in d}


def _exchanged(said: str, name: str, room: bool) -> str:
    """The preposition that goes with a room, or with a place, where one stands for the other."""
    if room:
        return re.sub(rf"\b(?:at|by|near|next to|on|standing by) the {re.escape(name)}\b", f"in the {name}", said)
    said = re.sub(rf"\binto the {re.escape(name)}\b", f"to the {name}", said)
    return re.sub(rf"\bin the {re.escape(name)}\b", f"at the {name}", said)


def same(**parts: str) -> dict[str, Part]:
    """Parts that are said as they are meant."""
    return {name: (value, value) for name, value in parts.items()}


def article(said: str) -> str:
    """A thing with the word that goes before one of it."""
    if said in listed()["values"]["some"] or (said.endswith("s") and not said.endswith("ss")):
        return f"some {said}"
    return f"an {said}" if said[0] in "aeiou" else f"a {said}"


# People


def _name(s: Slots) -> dict[str, Part]:
    left = [p for p in s.table.people if p[0] not in s.taken("name")]
    name, s.gender = s.rng.choice(left)
    if s.gender == "male":
        words = same(he="he", He="He", him="him", his="his", man="man", himself="himself")
    else:
        words = same(he="she", He="She", him="her", his="her", man="woman", himself="herself")
    return {"": (name, name), **words}


def _gesture(s: Slots) -> dict[str, Part]:
    return {"": s.other(s.rng.choice(GESTURES))}


def _pose(s: Slots) -> dict[str, Part]:
    return {"": s.other(s.rng.choice(("sitting", "standing", "lying")))}


def _human(s: Slots) -> dict[str, Part]:
    """Somebody of no name: what such a person is called, and the pronouns that go with it."""
    kind = s.rng.choice(("he", "she", "they"))
    noun = s.rng.choice(house(kind))
    pronouns = {
        "he": same(he="he", him="him", his="his", hes="he's", wants="he wants", needs="he needs"),
        "she": same(he="she", him="her", his="her", hes="she's", wants="she wants", needs="she needs"),
        "they": same(he="they", him="them", his="their", hes="they're", wants="they want", needs="they need"),
    }
    return {**same(**{"": noun, "a": article(noun)}), **pronouns[kind]}


def _value(kind: str) -> Callable[[Slots], dict[str, Part]]:
    return lambda s: {"": (value := s.rng.choice(listed()["values"][kind]), value)}


def _crowd(s: Slots) -> dict[str, Part]:
    room = s.name(s.choose([r for r in s.table.rooms if r not in s.taken("room")]))
    return {"": room, "room": room, "kind": s.other(s.rng.choice(CROWDS))}


# Places


def _room(s: Slots) -> dict[str, Part]:
    if s.free and s.rng.random() < EXCHANGED:
        return _any_spot(s)
    return _any_room(s)


def _spot(s: Slots) -> dict[str, Part]:
    if s.free and "{" + s.slot + ".room}" not in s.text and s.rng.random() < EXCHANGED:
        return _any_room(s)
    return _any_spot(s)


def _any_room(s: Slots) -> dict[str, Part]:
    used = s.taken("room") | s.taken("spot", "crowd", part="room")
    return {"": s.name(s.choose([r for r in s.table.rooms if r not in used]))}


def _any_spot(s: Slots) -> dict[str, Part]:
    used = s.taken("room") | s.taken("spot", part="room")
    spots = s.table.room_of
    free = [p for p, room in spots.items() if room not in used and p not in used]
    spot = s.choose(free or [p for p in spots if p not in s.taken("spot")])
    return {"": s.name(spot), "room": s.name(spots[spot])}


def _put(s: Slots) -> dict[str, Part]:
    barred = s.taken("put", "from") | s.taken("obj", "cat", "best", "paint", part="place")
    return {"": s.name(s.choose([p for p in s.table.placements if p not in barred]))}


def _head(s: Slots) -> dict[str, Part]:
    """A word that several things of one category end with."""
    heads: dict[str, set[str]] = {}
    for name, category in s.table.things.items():
        if " " in name and name.split()[-1] not in s.table.things:
            heads.setdefault(name.split()[-1], set()).add(f"{name}|{category}")
    several = [h for h, names in heads.items() if len(names) > 1 and len({n.partition("|")[2] for n in names}) == 1]
    head = s.choose([h for h in several if not s.table.usual.get(h)])
    category = next(iter(heads[head])).partition("|")[2]
    return {**same(**{"": head}), **_at(s, s.table.usual[category])}


def _door(s: Slots) -> dict[str, Part]:
    return same(**{"": f"{s.rng.choice(s.table.rooms)} door"})


# Things


def _obj(s: Slots) -> dict[str, Part]:
    barred, full = s.taken("obj", "base"), s.taken("put")
    free = (n for n, category in s.table.things.items() if s.table.usual[category] not in full)
    return _thing(s, s.choose([n for n in free if n not in barred]))


def _thing(s: Slots, name: str) -> dict[str, Part]:
    category = s.table.things[name]
    said = s.name(name)
    if s.rng.random() < PRAISED:
        said = (f"{s.rng.choice(listed()['values']['praise'])} {said[0]}", name)
    return {"": said, "a": (article(said[0]), name), "cat": (category, category), **_at(s, s.table.usual[category])}


def _at(s: Slots, place: str) -> dict[str, Part]:
    """The usual place, or any where the sentence tells."""
    if s.tells("place") and s.rng.random() < ELSEWHERE:
        place = s.choose([p for p in s.table.placements if p not in s.taken("put", "from")])
    if s.tells("room") and s.rng.random() < ELSEWHERE:
        return {"place": s.name(place), "room": s.name(s.choose(s.table.rooms))}
    return {"place": s.name(place), "room": s.name(s.table.room_of[place])}


def _cat(s: Slots, wanted: Sequence[str] = ()) -> dict[str, Part]:
    full = s.taken("put")
    free = [c for c, place in s.table.usual.items() if place not in full and s.table.members(c)]
    category = s.choose([c for c in free if not wanted or c in wanted])
    one = s.table.ones[category]
    return {**same(**{"": category}, cat=category, one=one, a=article(one)), **_at(s, s.table.usual[category])}


def _best(s: Slots) -> dict[str, Part]:
    best = s.rng.choice(SUPERLATIVES)
    return {**_cat(s), "": s.other(best), "is": (s.rng.choice(listed()["is"][best]), best)}


def _paint(s: Slots) -> dict[str, Part]:
    colour = s.rng.choice(listed()["values"]["colours"])
    return {**_cat(s), "": (colour, colour)}


def _base(s: Slots) -> dict[str, Part]:
    return _thing(s, s.choose([n for n in s.table.things if n not in s.taken("obj")]))


def _pair(s: Slots) -> dict[str, Part]:
    place, anchor = s.name(s.choose(s.table.placements)), s.name(s.choose(list(s.table.things)))
    return {"": place, "place": place, "anchor": anchor}


def _edge(s: Slots) -> dict[str, Part]:
    return {"": s.other(s.rng.choice(("leftmost", "rightmost")))}


def _times(s: Slots) -> dict[str, Part]:
    says, n = s.rng.choice((("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"), ("3", "3"), ("2", "2")))
    return {"": (says, n), "n": (n, n)}


# Words


def _line(s: Slots, table: str) -> str:
    """A line of words, told of the person drawn last; its own slots are filled."""
    line: Frame = s.rng.choice(frames(f"home.words.{table}", "lines"))
    gendered = (_HE if s.gender == "male" else _SHE).sub(r"\1", line.text)
    text = re.sub(r"\(([^()]*\|[^()]*)\)", lambda m: s.rng.choice(m[1].split("|")), gendered)
    far = {slot: s.rng.choice(lists("far")[slot]) for slot in ("place", "dish", "who")}
    return re.sub(r"  +", " ", fill(text, far | {"num": str(s.rng.randint(2, 99))})).strip()


def _message(s: Slots) -> dict[str, Part]:
    line = _line(s, "message")
    return same(**{"": line})


def _trivia(s: Slots) -> dict[str, Part]:
    line = _line(s, "trivia")
    return same(**{"": line})


def _ask(s: Slots) -> dict[str, Part]:
    says, _, asked = _line(s, "ask").partition(" => ")
    return {"": (says, asked)}


def _talk(s: Slots) -> dict[str, Part]:
    says, _, asked = _line(s, "talk").partition(" => ")
    return {"": (says, asked), "q": (says, asked)}


def _anyone(s: Slots) -> dict[str, Part]:
    """Somebody who has nothing to do with it; so with places and things."""
    name = s.choose([name for name, _ in s.table.people if name not in s.taken("name")])
    return same(**{"": name})


def _any_place(s: Slots) -> dict[str, Part]:
    return {"": s.name(s.choose(list(s.table.room_of)))}


def _anything(s: Slots) -> dict[str, Part]:
    name = s.choose([name for name in s.table.things if name not in s.taken("obj")])
    return {"": (name, name), "a": (article(name), name)}


def _far(slot: str) -> Callable[[Slots], dict[str, Part]]:
    return lambda s: {"": (value := s.rng.choice(lists("far")[slot]), value)}


_DRAWERS: Mapping[str, Callable[[Slots], dict[str, Part]]] = {
    "name": _name, "human": _human, "gesture": _gesture, "pose": _pose, "shirt": _value("shirts"),
    "garment": _value("garments"),
    "crowd": _crowd, "room": _room, "spot": _spot, "put": _put, "from": _put, "door": _door, "obj": _obj, "cat": _cat,
    "stock": _cat, "drink": lambda s: _cat(s, ("drinks",)), "food": lambda s: _cat(s, ("food",)),
    "fruit": lambda s: _cat(s, ("fruits",)), "nibble": lambda s: _cat(s, ("snacks",)), "head": _head,
    "cleaner": lambda s: _cat(s, ("cleaning stuff",)), "eater": lambda s: _cat(s, ("cutlery",)),
    "best": _best, "paint": _paint, "base": _base, "pair": _pair,
    "side": lambda s: {"": (side := s.rng.choice(("left", "right")), side)}, "edge": _edge, "times": _times,
    "message": _message, "trivia": _trivia, "ask": _ask, "talk": _talk,
    "anyone": _anyone, "anyplace": _any_place, "anyroom": lambda s: {"": s.name(s.choose(s.table.rooms))},
    "anything": _anything, "place": _far("place"), "dish": _far("dish"), "who": _far("who"),
}  # fmt: skip
