"""What a stepwise mission has seen on its way, place by place.

A moment tells what is seen from where the robot stands; what was seen before, and where, is kept here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sayso.parts import Observation
from sayso.robots.warehouse.failures import FELL, NOT_SEEN
from sayso.robots.warehouse.ledger import GO, PICK, PUT, Goal, bare
from sayso.robots.warehouse.names import MISPLACED, Table, parted
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.steps import Heard, Step
from sayso.task import Ran

_POINT = re.compile(r"-?[\d.]+ *, *-?[\d.]+")


@dataclass(slots=True)
class Sights:
    """One mission's sights. `at` is the place that the robot went to last; things are as perception tells them, such
    as `apple (red)`."""

    table: Table
    at: str = ""
    seen: dict[str, list[str]] = field(default_factory=dict)
    put: list[tuple[str, str]] = field(default_factory=list)
    fell: list[tuple[str, str]] = field(default_factory=list)
    looks: Counter[str] = field(default_factory=Counter)
    ever: dict[str, Counter[str]] = field(default_factory=dict)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    _took: tuple[str, str] = ("", "")
    _doubtful: set[str] = field(default_factory=set)

    def fits(self, goal: Goal, label: str, place: str = "") -> bool:
        """Whether a thing is one of those that are wanted; a misplaced one only at its place, else wherever it is."""
        thing = goal.thing if place else " ".join(w for w in goal.thing.split() if w != MISPLACED)
        return goal.means(parted(label)[0]) and place not in goal.away and self.table.fits(thing, label, place)

    @property
    def held(self) -> tuple[str, str] | None:
        """What was taken last and not put down since, and where from."""
        return self._took if self._took[0] else None

    def hear(self, step: Step | None, heard: Heard) -> None:
        """A step is over, and this is what came of it."""
        worked, before = heard.worked, list(self.seen.get(self.at, ()))
        self._drop(step, heard)
        if step and worked and step.skill == GO:
            self.at = "" if _POINT.fullmatch(step.args[0].strip()) else bare(step.args[0])
            self._look(self.at)
            self.looks[self.at] += 1
        elif step and step.skill == GO:
            self.at = ""
        self._see(heard.seen, step is None or step.skill == GO)
        if step and worked and step.skill == PICK:
            self._took = (_in_hand(heard.seen) or bare(step.args[0]), self.at)
            self.taken[self._took] += 1
            self._without_taken(before, step.args[0])
        elif step and step.skill == PICK and heard.failed(NOT_SEEN):
            self._look(self.at)
            self.looks[self.at] *= self.at in self._doubtful  # worth another look, once
            self._doubtful.add(self.at)
            self.seen[self.at] = [s for s in self.seen.get(self.at, ()) if not named(step.args[0], s)]
        elif step and worked and step.skill == PUT and self.at and self._took[0]:
            self.put.append((bare(step.args[0]), self.at))
        if step and step.skill == PUT and worked:
            self._took = ("", "")

    def _drop(self, step: Step | None, heard: Heard) -> None:
        """Something fell on the way; or it was taken up again there, or looked for there in vain."""
        if fell := heard.failed(FELL):
            if self._took[0]:
                self.fell.append((self._took[0], point(fell)))
            self._took = ("", "")
        elif step and step.skill == PICK and not self.at and (heard.worked or heard.failed(NOT_SEEN)):
            self.fell = [f for f in self.fell if not named(step.args[0], f[0]) and not named(f[0], step.args[0])]

    def _look(self, place: str) -> None:
        if place:
            self.seen.setdefault(place, [])

    def _see(self, seen: Observation, fresh: bool) -> None:
        """Who arrives knows better than before; later looks, and glimpses of other places, add to what is known."""
        for place, things in sights(seen).items():
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


def point(fell: Ran) -> str:
    """Where something fell, as a way there is written."""
    return ", ".join(f"{metres:.1f}" for metres in fell.about if isinstance(metres, float | int))


def _in_hand(seen: Observation) -> str:
    return seen.state.holding if seen.state else ""


def sights(seen: Observation) -> dict[str, list[str]]:
    """Things by the place that they are seen on now."""
    now = next((b for b in seen.believed if isinstance(b, SeenFromHere)), SeenFromHere(()))
    return {spot: list(things) for spot, things in now.spots}


def named(thing: str, seen: str) -> bool:
    """Whether a thing as it was asked for can be one that was seen, by its words."""
    return set(bare(thing).split()) <= set(re.findall(r"[a-z0-9-]+", seen.lower()))
