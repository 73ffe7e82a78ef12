"""What a stepwise mission has seen on its way: place by place, in words that perception and robot gave it.

The notes of a moment tell what is seen from where the robot stands. A person who went there remembers what was seen
before; a model with a long conversation reads it back there, a small one is told again, in lines of `notes`:

    open: apple from fruit table to basket
    here at the basket: plum (dark purple)
    seen before on the toy rack: shark toy (grey), squirrel toy (brown)
    looked at: fruit table, toy rack
    fell: apple at 3.2, 4.1
    put down before: plum on the basket
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sayso.robots.warehouse.ledger import GO, PICK, PUT, Goal, bare
from sayso.robots.warehouse.names import parted
from sayso.steps import Step

SEEN_NOW, SEEN_BEFORE, HERE = "seen from here", "seen before", "here at"
LOOKED, OPEN, PUT_DOWN, FELL = "looked at", "open", "put down before", "fell"

_GROUP = re.compile(r"on the ([^:;]+): ([^;]+)")
_FELL = re.compile(r"fallen near x (-?[\d.]+), y (-?[\d.]+)")
_POINT = re.compile(r"-?[\d.]+ *, *-?[\d.]+")


@dataclass(slots=True)
class Sights:
    """One mission's sights. `at` is the place that the robot went to last; things are as perception tells them, such
    as `apple (red)`."""

    at: str = ""
    seen: dict[str, list[str]] = field(default_factory=dict)
    looked: list[str] = field(default_factory=list)
    put: list[tuple[str, str]] = field(default_factory=list)
    fell: list[tuple[str, str]] = field(default_factory=list)
    looks: Counter[str] = field(default_factory=Counter)
    ever: dict[str, Counter[str]] = field(default_factory=dict)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    _took: tuple[str, str] = ("", "")
    _doubtful: set[str] = field(default_factory=set)

    @property
    def held(self) -> tuple[str, str] | None:
        """What was taken last and not put down since, and where from."""
        return self._took if self._took[0] else None

    def hear(self, step: Step | None, worked: bool, why: str, notes: Sequence[str]) -> None:
        """A step is over, and this is what is told at its end."""
        before = list(self.seen.get(self.at, ()))
        self._drop(step, worked, why)
        if step and worked and step.skill == GO:
            self.at = "" if _POINT.fullmatch(step.args[0].strip()) else bare(step.args[0])
            self._look(self.at)
            self.looks[self.at] += 1
        elif step and step.skill == GO:
            self.at = ""
        self._see(notes, step is None or step.skill == GO)
        if step and worked and step.skill == PICK:
            self._took = (self._in_hand(notes) or bare(step.args[0]), self.at)
            self.taken[self._took] += 1
            self._without_taken(before, step.args[0])
        elif step and step.skill == PICK and "is seen here" in why:
            self._look(self.at)
            self.looks[self.at] *= self.at in self._doubtful  # worth another look, once
            self._doubtful.add(self.at)
            self.seen[self.at] = [s for s in self.seen.get(self.at, ()) if not named(step.args[0], s)]
        elif step and worked and step.skill == PUT and self.at and self._took[0]:
            self.put.append((bare(step.args[0]), self.at))
        if step and step.skill == PUT and worked:
            self._took = ("", "")

    def notes(self, goals: Iterable[Goal], remembers: bool = True) -> tuple[str, ...]:
        """Lines for a planner's brief; without memory only what is owed and where it has been."""
        lines = [f"{OPEN}: {goal.whole}" for goal in goals]
        if self.at:
            lines.append(f"{HERE} the {self.at}: {', '.join(self.seen.get(self.at, ())) or 'nothing'}")
        if remembers:
            lines += [
                f"{SEEN_BEFORE} on the {place}: {', '.join(things) or 'nothing'}"
                for place, things in self.seen.items()
                if place and (place != self.at)
            ]
        if self.looked:
            lines.append(f"{LOOKED}: {', '.join(self.looked)}")
        lines += [f"{FELL}: {thing} at {point}" for thing, point in self.fell]
        if self.put:
            lines.append(f"{PUT_DOWN}: " + ", ".join(f"{thing} on the {place}" for thing, place in self.put))
        return tuple(lines)

    def _drop(self, step: Step | None, worked: bool, why: str) -> None:
        """Something fell on the way; or it was taken up again there, or looked for there in vain."""
        if found := _FELL.search(why):
            if self._took[0]:
                self.fell.append((self._took[0], f"{found[1]}, {found[2]}"))
            self._took = ("", "")
        elif step and step.skill == PICK and not self.at and (worked or "is seen here" in why):
            self.fell = [f for f in self.fell if not named(step.args[0], f[0]) and not named(f[0], step.args[0])]

    def _look(self, place: str) -> None:
        if place and place not in self.looked:
            self.looked.append(place)
        if place:
            self.seen.setdefault(place, [])

    def _see(self, notes: Sequence[str], fresh: bool) -> None:
        """Who arrives knows better than before; later looks, and glimpses of other places, add to what is known."""
        for place, things in sights(notes).items():
            if place == self.at and fresh:
                self._moved_here(place, things)
                self.seen[place] = things
                self._count(place, things)
            elif place != "floor":
                known, now = Counter(self.seen.get(place, ())), Counter(things)
                self.seen[place] = list((known | now).elements())

    def _count(self, place: str, things: Sequence[str]) -> None:
        """How many of each were here at the most, those included that the hand has taken since."""
        names = Counter(parted(thing)[0] for thing in things)
        most = self.ever.setdefault(place, Counter())
        most |= Counter({name: count + self.taken[name, place] for name, count in names.items()})

    def gone(self, place: str) -> Counter[str]:
        """What was seen at a place and is there no longer, though the hand did not take it."""
        here = Counter(parted(thing)[0] for thing in self.seen.get(place, ()))
        taken = Counter({name: count for (name, at), count in self.taken.items() if at == place})
        return self.ever.get(place, Counter()) - here - taken

    def _moved_here(self, place: str, things: Sequence[str]) -> None:
        """What was not here at an earlier look has come from where it was seen before."""
        if self.looks[place] < 2:
            return
        for label in (Counter(things) - Counter(self.seen.get(place, ()))).elements():
            if was := next((p for p, some in self.seen.items() if p != place and label in some), ""):
                self.seen[was].remove(label)

    def _without_taken(self, before: Sequence[str], asked: str) -> None:
        """Perception may go on telling of a thing where the hand has just taken it away."""
        here, thing = self.seen.get(self.at, []), self._took[0]
        some = [s for s in here if named(thing, s)]
        if some and len(some) >= max(sum(named(thing, s) for s in before), 1):
            here.remove(next((s for s in some if named(asked, s)), some[0]))

    @staticmethod
    def _in_hand(notes: Sequence[str]) -> str:
        found = next((m for m in map(HOLDS.search, notes) if m), None)
        return found[1] if found else ""


HOLDS = re.compile(r"the hand holds the (.+)$")


def sights(notes: Sequence[str]) -> dict[str, list[str]]:
    """Things by the place that they are seen on now."""
    found: dict[str, list[str]] = {}
    for note in notes:
        if note.startswith(SEEN_NOW):
            for place, things in _GROUP.findall(note):
                found.setdefault(place, []).extend(t for t in things.split(", ") if t != "nothing")
    return found


def named(thing: str, seen: str) -> bool:
    """Whether a thing as it was asked for can be one that was seen, by its words."""
    return set(bare(thing).split()) <= set(re.findall(r"[a-z0-9-]+", seen.lower()))
