"""What a stepwise mission has seen on its way: place by place, in words that perception and robot gave it.

The notes of a moment tell what is seen from where the robot stands. A person who went there remembers what was seen
before; a model with a long conversation reads it back there, a small one is told again, in lines of `notes`:

    open: apple from fruit table to basket
    here at the basket: plum (dark purple)
    seen before on the toy rack: shark toy (grey), squirrel toy (brown)
    looked at: fruit table, toy rack
    put down before: plum on the basket
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sayso.planners.stepwise_answer import Step
from sayso.planners.stepwise_ledger import GO, PICK, PUT, Goal, bare

SEEN_NOW, SEEN_BEFORE, HERE = "seen from here", "seen before", "here at"
LOOKED, OPEN, PUT_DOWN = "looked at", "open", "put down before"

_GROUP = re.compile(r"on the ([^:;]+): ([^;]+)")
_POINT = re.compile(r"-?[\d.]+ *, *-?[\d.]+")


@dataclass(slots=True)
class Sights:
    """One mission's sights. `at` is the place that the robot went to last; things are as perception tells them, such
    as `apple (red)`."""

    at: str = ""
    seen: dict[str, list[str]] = field(default_factory=dict)
    looked: list[str] = field(default_factory=list)
    put: list[tuple[str, str]] = field(default_factory=list)
    _took: tuple[str, str] = ("", "")

    def hear(self, step: Step | None, worked: bool, why: str, notes: Sequence[str]) -> None:
        """A step is over, and this is what is told at its end."""
        before = list(self.seen.get(self.at, ()))
        if step and worked and step.skill == GO:
            self.at = "" if _POINT.fullmatch(step.args[0].strip()) else bare(step.args[0])
            self._look(self.at)
        elif step and step.skill == GO:
            self.at = ""
        self._see(notes, step is None or step.skill == GO)
        if step and worked and step.skill == PICK:
            self._took = (self._in_hand(notes) or bare(step.args[0]), self.at)
            self._without_taken(before, step.args[0])
        elif step and step.skill == PICK and "is seen here" in why:
            self._look(self.at)
            self.seen[self.at] = [s for s in self.seen.get(self.at, ()) if not named(step.args[0], s)]
        elif step and worked and step.skill == PUT and self.at:
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
        if self.put:
            lines.append(f"{PUT_DOWN}: " + ", ".join(f"{thing} on the {place}" for thing, place in self.put))
        return tuple(lines)

    def _look(self, place: str) -> None:
        if place and place not in self.looked:
            self.looked.append(place)
        if place:
            self.seen.setdefault(place, [])

    def _see(self, notes: Sequence[str], fresh: bool) -> None:
        """Who arrives knows better than before; later looks, and glimpses of other places, add to what is known."""
        for place, things in sights(notes).items():
            if place == self.at and fresh:
                self.seen[place] = things
            elif place != "floor":
                known, now = Counter(self.seen.get(place, ())), Counter(things)
                self.seen[place] = list((known | now).elements())

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


def sights(notes: Sequence[str], kind: str = SEEN_NOW) -> dict[str, list[str]]:
    """Things by the place that they are seen on, of the lines of a kind."""
    found: dict[str, list[str]] = {}
    for note in notes:
        if note.startswith(kind):
            for place, things in _GROUP.findall(note):
                found.setdefault(place, []).extend(t for t in things.split(", ") if t != "nothing")
    return found


def named(thing: str, seen: str) -> bool:
    """Whether a thing as it was asked for can be one that was seen, by its words."""
    return set(bare(thing).split()) <= set(re.findall(r"[a-z0-9-]+", seen.lower()))
