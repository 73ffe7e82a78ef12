"""What people need without naming it, and what they want that no warehouse robot can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any

from knowledge import items
from lessons import warehouse_oracle as oracle
from lessons.lists import lists
from lessons.telling import Unsaid
from lessons.voice import rough
from lessons.warehouse_talk import Clause, Talker, Wish
from lessons.warehouse_wishes import every, every_thing, joined, kind_thing, move, plain_thing, receive, ship
from lessons.warehouse_world import Hall, a, data, plural

ELSEWHERE = {"knowledge": 3, "order": 2, "handle": 1, "harm": 2, "away": 1, "chat": 4, "inject": 2, "foreign": 1}
"""What the drone refuses and this robot refuses as well."""

UNKNOWN = ("unicorn", "piano", "elephant", "spaceship", "bicycle", "sofa", "kangaroo", "violin", "tractor", "snowman")
NOWHERE = ("the moon", "the kitchen", "the third floor", "the roof", "the cellar", "the garage", "the garden", "Mars",
           "the office", "the bathroom", "the train station", "the swimming pool", "my house", "the attic")  # fmt: skip
CITIES = ("France", "Peru", "Japan", "Texas", "Norway", "Kenya")


def need(t: Talker) -> Clause:
    """What is good for something, to ship, to be given, or to a place."""
    need = t.rng.choice(list(data()["needs"]))
    goal = _serving(t, data()["needs"][need])
    table = f"warehouse.needs.{need}"
    nouns, hints = _side_lines(t, table, "nouns"), _side_lines(t, table, "hints")
    slots = {"n": t.rng.choice(nouns), "h": t.rng.choice(hints)}
    way = t.rng.choice(("ship", "give", "place"))
    box, out = t.hall.place("box"), t.hall.place("out")
    to = {"ship": out, "give": box or out, "place": t.spot(goal[1])}[way]
    if to == goal[1]:
        raise Unsaid("it is there")
    more = t.placed(to) if way == "place" else {}
    return Clause(t.say("warehouse.serve", way, **slots, **more), (f"{goal[0]} to {to}",), True)


def _side_lines(t: Talker, table: str, kind: str) -> Sequence[str]:
    """Nouns and hints of this side of the split."""
    choice = t.side.frames(table, kind, t.side.held != "frame") or t.side.frames(table, kind, False)
    return [f.text for f in choice]


def _serving(t: Talker, need: Mapping[str, Any]) -> tuple[str, str]:
    """What serves a need, and where it is looked for."""
    names, kinds = t.hall.names, t.hall.names.kinds
    if listed := need.get("names"):
        found = next((n for n in listed if n in kinds), "")
        if not found:
            raise Unsaid("nothing serves")
        return found, t.where(found, found)
    fitting = [n for n in kinds if need["like"] in t.hall.likes.get(n, ())]
    if not fitting:
        raise Unsaid("nothing serves")
    category = kinds[fitting[0]]
    everything = all(need["like"] in t.hall.likes.get(n, ()) for n, c in kinds.items() if c == category)
    return (category, names.homes[category]) if everything else (fitting[0], t.where(fitting[0], fitting[0]))


def give(t: Talker) -> Clause:
    """To whoever speaks: into the box, or where they say that they are."""
    said, thing, source = t.rng.choice((plain_thing, plain_thing, kind_thing, kind_thing, every_thing))(t)
    if t.rng.random() < 0.5:
        to = t.spot(source)
        words = t.say("warehouse.give", "at", x=said, p=t.place_named(to))
    else:
        to = t.hall.place("box") or t.hall.place("out")
        words = t.say("warehouse.give", "orders", x=said)
    if to == source:
        raise Unsaid("it is there")
    return Clause(words, (f"{thing} to {to}",), True)


def mixed(t: Talker) -> Clause:
    """Plain errands, and a need in one breath."""
    first = [move(t) for _ in range(t.rng.choice((1, 1, 2)))]
    second = t.rng.choice((need, ship, every, give, receive))(t)
    said = joined(t, first).said if len(first) > 1 else first[0].said
    joint = t.rng.choice((". ", ". ", "; ", ". And ", ", and "))
    goals = (*(g for c in first for g in c.goals), *second.goals)
    if t.rng.random() < 0.3 and len(first) == 1:
        return Clause(f"{second.said}{joint}{said}", (*second.goals, *first[0].goals), True)
    return Clause(f"{said}{joint}{second.said}", goals, True)


# What cannot be


def cannot(t: Talker) -> Wish:
    kind, reason = t.rng.choice(_REASONS)
    _, _, good = t.thing()
    said, _, _ = t.thing()
    y = a(t.rng.choice(_unknown(t.hall)))
    slots = {"x": said, "xs": plural(good.name), "it": "it", "y": y, "q": t.rng.choice(NOWHERE),
             "city": t.rng.choice(CITIES), "mine": "tell me a joke", **t.placed(t.spot())}  # fmt: skip
    words = t.say("warehouse.cannot", kind, **slots)
    if kind != "unclear" and t.rng.random() < 0.4:
        words = t.say("warehouse.order", "frames", main=False, c=words)
    return Wish(f"cannot.{kind}", rough(t.rng, words), reason)


_REASONS = (
    ("unclear", oracle.UNCLEAR), ("which", oracle.WHICH), ("thing", oracle.NO_SUCH_THING),
    ("thing", oracle.NO_SUCH_THING), ("place", oracle.NO_SUCH_PLACE), ("mine", oracle.NOT_MINE),
    ("mine", oracle.NOT_MINE),
)  # fmt: skip


def _unknown(h: Hall) -> list[str]:
    """Things that this hall has never heard of."""
    named = chain(h.names.kinds, h.names.homes, *h.aliases.values())
    known = {w for n in named for w in n.split()}
    some = [i.label for i in items().values() if not set(i.label.split()) & known and not i.held_out]
    return [*UNKNOWN, *some]


def elsewhere(t: Talker) -> Wish:
    """What belongs to no robot, in the words of the other lessons; and what means nothing."""
    if t.rng.random() < 0.3:
        return Wish("nonsense", _nonsense(t.rng), oracle.UNCLEAR)
    kind = t.rng.choices(tuple(ELSEWHERE), tuple(ELSEWHERE.values()))[0]
    slots = {slot: t.rng.choice(some) for slot, some in lists("far").items()}
    slots |= {"x": "the box", "xs": "boxes", "inject": "land now", "num": "7", "ball": "ball", "us": "us"}
    try:
        said = t.say(f"refuse.{kind}", "sentences", **slots)
    except KeyError as missing:
        raise Unsaid(f"no slot {missing}") from missing
    return Wish(f"cannot.{kind}", rough(t.rng, said), oracle.NOT_MINE)


def _nonsense(rng: Random) -> str:
    if rng.random() < 0.6:
        return " ".join(rng.choice(lists("nonsense")["words"]) for _ in range(rng.choice((1, 2, 3, 4, 5, 6))))
    letters = "abcdefghijklmnopqrstuvwxyz"
    return " ".join(
        "".join(rng.choice(letters) for _ in range(rng.randrange(2, 9))) for _ in range(rng.randrange(1, 5))
    )
