"""Whether a spoken command was done: goal predicates over how the home is afterwards, and over who heard what.

A goal is written `predicate|argument|...`, with `not ` before it for what must not be. None reads the plan: any way of
doing what was said is right, and no way of planning it is, unless the home shows it.

    heard|who|words          somebody heard all words of one of the alternatives between /, numbers as digits
    told|who|words|choices   the same as an answer: no question, and the last of the robot's sentences that holds any of
                             the choices (`CHOICES`, or things of a category) holds no other; who names all has not told
    heard-times|who|words|n  so many times       told-three|who|category   the names of all things of a category alone
    held|thing|who           somebody has it     held-kind|category|who     something of a category
    on|thing|place           it lies there       on-kind|category|place     something of a category that was elsewhere
    in|thing|room            at|thing  at-kind|category  near|who           the robot saw it, or them, and ends beside
    empty|place              nothing is left there
    person-at|who|place      they are in the room or at the place           person-near|who|other
    was-followed|who         they have led the robot to where they went     followed|who       and it is still with them
    moved|who                door|name|state
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence

from sayso.events import Event, Observed
from sayso.robots.service.suite.draw import TOPS, flat, kinds, members
from sayso.robots.service.world import FLAT
from sayso.scene import Pose
from sayso.worlds.indoor.scene import knowledge
from sayso.worlds.indoor.setup import SHIRTS, STAND_OFF_M
from sayso.worlds.indoor.truth import IndoorTruth

AT_M = 2.0
"""Somebody who was brought to a place stands within this of where one stands for it."""

BESIDE_M = 1.7
WITH_M = 2.6
WALKED_M = 1.0
_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_PEOPLE = knowledge(FLAT)["people"]
CHOICES: Mapping[str, Sequence[str]] = {
    "number": [str(n) for n in range(11)],
    "gender": ["male", "man", "female", "woman"],
    "pose": ["sitting", "standing", "lying"],
    "shirt": sorted(SHIRTS),
    "name": [*_PEOPLE["male"], *_PEOPLE["female"]],
    "top": TOPS,
}
"""What an answer may be one of."""

_DIGITS = {word: str(n) for n, word in enumerate(_NUMBERS)} | {"no": "0"}


class Watch:
    """The truth at the start, what was really in view when it looked, and what is asked for at the end."""

    def __init__(self, truth: Callable[[], IndoorTruth]) -> None:
        self._truth = truth
        self.start = truth()
        self.seen: set[str] = set()

    def see(self, event: Event) -> None:
        if isinstance(event, Observed):
            self.seen |= self._truth().in_frame

    def met(self, goal: str) -> bool:
        """Whether one goal holds now."""
        wanted = not goal.startswith("not ")
        predicate, *args = goal.removeprefix("not ").split("|")
        return _PREDICATES[predicate](self, self._truth(), *args) is wanted

    def missed(self, goals: Sequence[str]) -> list[str]:
        return [goal for goal in goals if not self.met(goal)]


def words(text: str) -> list[str]:
    """The words of a sentence; numbers as digits."""
    return [_DIGITS.get(w, w) for w in re.findall(r"[a-z0-9]+", text.lower().replace("'", ""))]


def told(sentence: str, wanted: str) -> bool:
    """Whether a sentence holds the words of one of the alternatives, in their order."""
    return any(_holds(words(sentence), words(part)) for part in wanted.split("/"))


def answered(sentences: Sequence[str], wanted: str, choices: Collection[str] = ()) -> bool:
    """Whether the last answer among the sentences is the wanted one. Questions tell nothing.

    With `choices` an answer is what holds any of them, and the wanted one holds no other.
    """
    told_ = [part for s in sentences for part in re.findall(r"[^.!?]+[.!?]?", s) if not part.endswith("?")]
    if not choices:
        return any(told(part, wanted) for part in told_)
    meant = {" ".join(words(part)) for part in wanted.split("/")}
    named = [found for part in told_ if (found := _named(words(part), {*choices, *meant}))]
    return bool(named) and named[-1] <= meant


def _named(said: Sequence[str], choices: Collection[str]) -> set[str]:
    """The choices that are said, the longer ones first: orange juice is no orange."""
    left, found = list(said), set()
    for choice in sorted({" ".join(words(c)) for c in choices}, key=len, reverse=True):
        part = choice.split()
        while at := next((i + 1 for i in range(len(left)) if left[i : i + len(part)] == part), 0):
            left[at - 1 : at - 1 + len(part)] = [""]
            found.add(choice)
    return found


def _holds(said: Sequence[str], part: Sequence[str]) -> bool:
    return any(part == said[i : i + len(part)] for i in range(len(said)))


def apart_m(a: Pose, b: Pose) -> float:
    return math.hypot(a.x_m - b.x_m, a.y_m - b.y_m)


def _heard(w: Watch, t: IndoorTruth, who: str, wanted: str) -> bool:
    return any(told(s, wanted) for s in t.people[who].heard)


def _heard_times(w: Watch, t: IndoorTruth, who: str, wanted: str, n: str) -> bool:
    return sum(told(s, wanted) for s in t.people[who].heard) == int(n)


def _told(w: Watch, t: IndoorTruth, who: str, wanted: str, choices: str = "") -> bool:
    return answered(t.people[who].heard, wanted, (CHOICES.get(choices) or members(choices)) if choices else ())


def _told_three(w: Watch, t: IndoorTruth, who: str, category: str) -> bool:
    said = words(" ".join(t.people[who].heard))
    wanted = {" ".join(words(name)) for name in members(category)}
    return bool(wanted) and _named(said, kinds()) == wanted


def _held(w: Watch, t: IndoorTruth, thing: str, who: str) -> bool:
    return t.things[thing].holder == who


def _of(t: IndoorTruth, category: str) -> list[str]:
    return [i for i, o in t.things.items() if o.category == category]


def _held_kind(w: Watch, t: IndoorTruth, category: str, who: str) -> bool:
    return any(_held(w, t, i, who) for i in _of(t, category))


def _on(w: Watch, t: IndoorTruth, thing: str, place: str) -> bool:
    return t.things[thing].on == place and not t.things[thing].holder


def _on_kind(w: Watch, t: IndoorTruth, category: str, place: str) -> bool:
    return any(_on(w, t, i, place) and w.start.things[i].on != place for i in _of(t, category))


def _in(w: Watch, t: IndoorTruth, thing: str, room: str) -> bool:
    return t.things[thing].room == room and not t.things[thing].holder


def _at(w: Watch, t: IndoorTruth, thing: str) -> bool:
    return thing in w.seen and apart_m(t.pose, t.things[thing].pose) <= BESIDE_M


def _at_kind(w: Watch, t: IndoorTruth, category: str) -> bool:
    return any(_at(w, t, i) for i in _of(t, category))


def _near(w: Watch, t: IndoorTruth, who: str) -> bool:
    person = t.people[who]
    return who in w.seen and apart_m(t.pose, person.pose) <= BESIDE_M and t.room == person.room


def _person_at(w: Watch, t: IndoorTruth, who: str, place: str) -> bool:
    person, home = t.people[who], flat()
    if any(room.name == place for room in home.rooms):
        return person.room == place
    piece = home.piece(place)
    stand = home.spots[place] if place in home.spots else piece.front(STAND_OFF_M) if piece else None
    assert stand is not None, f"a goal names no place: {place}"
    there = home.room_of(stand.x_m, stand.y_m) == person.room
    return there and apart_m(person.pose, stand) <= AT_M


def _person_near(w: Watch, t: IndoorTruth, who: str, other: str) -> bool:
    a, b = t.people[who], t.people[other]
    return apart_m(a.pose, b.pose) <= WITH_M and a.room == b.room


def _moved(w: Watch, t: IndoorTruth, who: str) -> bool:
    return apart_m(t.people[who].pose, t.people[who].start) >= WALKED_M


def _followed(w: Watch, t: IndoorTruth, who: str) -> bool:
    return t.people[who].led and apart_m(t.pose, t.people[who].pose) <= WITH_M


def _door(w: Watch, t: IndoorTruth, name: str, state: str) -> bool:
    return (name in t.closed) == (state == "closed")


_PREDICATES: Mapping[str, Callable[..., bool]] = {
    "heard": _heard, "told": _told, "heard-times": _heard_times, "told-three": _told_three,
    "held": _held, "held-kind": _held_kind, "on": _on, "on-kind": _on_kind, "in": _in,
    "at": _at, "at-kind": _at_kind, "near": _near,
    "person-at": _person_at, "person-near": _person_near, "moved": _moved,
    "followed": _followed, "was-followed": lambda w, t, who: t.people[who].led,
    "empty": lambda w, t, place: all(thing.place != place for thing in t.things.values()), "door": _door,
}  # fmt: skip
