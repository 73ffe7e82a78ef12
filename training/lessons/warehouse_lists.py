"""Several things in one wording, as people say it: what goes where is told by the list's name in `warehouse.lists`.

The other makers join clauses, each of which could stand alone. People do not talk so: "the plum and the pear both on
the rack, the shark to shipping" has one verb or none. A shape maps slots of things to slots of places; the goals stand
in the order in which a wording names the things.
"""

from __future__ import annotations

import re

from lessons.errands import SHAPES
from lessons.phrasing import fill
from lessons.telling import Unsaid
from lessons.warehouse_talk import Clause, Talker
from lessons.warehouse_world import Good, plural
from sayso.robots.warehouse.names import HOME

ORDERED = 0.15
ORDERS = ("please ", "hey robot, ", "ok, ", "listen: ", "right, ", "next: ", "your job: ", "hello! ", "hi robot. ")

_ARTICLE = re.compile(r"^(?:the same|the|an?|some) ")
_THING = re.compile(r"\{k?([abc])\}")


def listed(t: Talker) -> Clause:
    """A wish for two or three things in one wording."""
    shape = t.rng.choices(tuple(SHAPES), tuple(weight for _, weight in SHAPES.values()))[0]
    moves = [move.split(">") for move in SHAPES[shape][0].split()]
    text = t.say("warehouse.lists", shape, **_open())
    things = _things(t, [slot for slot, _ in moves if slot])
    places = _places(t, {to for _, to in moves}, "{f}" in text, [good for _, _, good in things.values()])
    slots = _said(t, things, places)
    goals: list[str] = []
    at: dict[str, str] = {}
    for slot, to in _ordered(moves, text):
        if not slot:
            goals.append(f"go {places[to]}")
            continue
        thing, good = things[slot][1:]
        goals.append(_goal(t, thing, good, at.get(slot, ""), places, to))
        at[slot] = places.get(to, "") if slot != "x" else ""
    words = fill(text, slots)
    if not re.match(r"\W|\w\W", text) and t.rng.random() < ORDERED:
        words = f"{t.rng.choice(ORDERS)}{words}"
    return Clause(words, tuple(goals), True)


def _goal(t: Talker, thing: str, good: Good, at: str, places: dict[str, str], to: str) -> str:
    if to == "h":
        return f"{thing} from {places['f']} to {HOME}"
    t.pair(good.name, places[to])
    return f"{thing} from {at} to {places[to]}" if at else f"{thing} to {places[to]}"


def _open() -> dict[str, str]:
    """Every slot as itself: it is filled when the shape's things and places are known."""
    slots = [
        "x",
        "xs",
        "f",
        *"abcpqrg",
        *(f"k{s}" for s in "abc"),
        *(f"n{s}" for s in "pqrg"),
        *(f"on{s}" for s in "pqr"),
    ]
    return {slot: f"{{{slot}}}" for slot in slots}


def _things(t: Talker, slots: list[str]) -> dict[str, tuple[str, str, Good]]:
    """A different thing for each slot; those that come twice are of a kind."""
    found: dict[str, tuple[str, str, Good]] = {}
    for slot in dict.fromkeys(slots):
        for _ in range(6):
            said, thing, good = t.thing()
            if all(good.name != other.name for _, _, other in found.values()):
                found[slot] = (said, good.name if slot == "x" else thing, good)
                break
        else:
            raise Unsaid("too few things")
    return found


def _places(t: Talker, wanted: set[str], sourced: bool, goods: list[Good]) -> dict[str, str]:
    """A place for each slot, none where one of the things is looked for first."""
    taken = {t.where(good.name, good.name) for good in goods}
    places: dict[str, str] = {}
    for slot in sorted(wanted & set("pqr")):
        places[slot] = t.spot(*places.values(), *taken)
    if "g" in wanted:
        places["g"] = t.hall.place("start") if t.rng.random() < 0.7 else t.rng.choice(t.hall.names.places)
    if sourced:
        inside = t.hall.place("in")
        places["f"] = inside if inside and t.rng.random() < 0.7 else t.spot(*taken)
        if any(t.hall.home(good.name) == places["f"] for good in goods):
            raise Unsaid("it is home")
        for good in goods:
            good.place = places["f"] if t.rng.random() < 0.9 else good.place
    return places


def _said(t: Talker, things: dict[str, tuple[str, str, Good]], places: dict[str, str]) -> dict[str, str]:
    slots: dict[str, str] = {}
    for slot, (said, _, good) in things.items():
        bare = _ARTICLE.sub("", said)
        if slot == "x":
            one = t.thing_named(good.name)
            slots |= {"x": one, "xs": plural(one)}
        elif slot in "abc":
            slots |= {slot: said, f"k{slot}": bare}
    for slot, place in places.items():
        named = t.placed(place)
        slots |= {slot: named["p"], f"on{slot}": named["on"], f"n{slot}": _ARTICLE.sub("", named["p"])}
    return slots


def _ordered(moves: list[list[str]], text: str) -> list[list[str]]:
    """As the wording names the things; a thing that moves twice, and one of two of a kind, keep their order."""
    slots = [slot for slot, _ in moves]
    if len(set(slots)) < len(slots) or "" in slots:
        return moves
    first = {slot: n for n, slot in enumerate(dict.fromkeys(_THING.findall(text)))}
    return sorted(moves, key=lambda move: first.get(move[0], 0))
