"""The sights of a stepwise mission, place by place, and what of all of a kind is left by them.

A moment tells what is seen from where the robot stands; what was seen before, and where, is kept here.

A goal over all of a kind (`every lemon to basket`) stays open until what the robot has seen says that none is left. It
is never carried out as it stands: the next single thing is told (`due`), one that is here, one that was seen elsewhere,
one that fell; where none is known, the next place to look at. Only when every place that could hold one has been looked
at, it is over: met where some were found, else empty-handed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sayso.plugins.steps import Step, StepResult
from sayso.robots.warehouse.failures import NOT_SEEN
from sayso.robots.warehouse.ledger import GO, PICK, PUT, Goal, bare
from sayso.robots.warehouse.names import HOME, MISPLACED, Table, parted
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.roles import Observation
from sayso.task import FELL, Ran

LOOKS_MAX = 2
"""So often a place that a wish names is looked at before it counts as empty: eyes miss things."""

_POINT = re.compile(r"-?[\d.]+ *, *-?[\d.]+")


@dataclass(slots=True)
class Sights:
    """The sights of one mission. `at` is the place that the robot went to last; things are as perception tells them,
    such as `apple (red)`."""

    table: Table
    at: str = ""
    hand: str = ""
    seen: dict[str, list[str]] = field(default_factory=dict)
    put: list[tuple[str, str]] = field(default_factory=list)
    fell: list[tuple[str, str]] = field(default_factory=list)
    looks: Counter[str] = field(default_factory=Counter)
    ever: dict[str, Counter[str]] = field(default_factory=dict)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: bool = False
    """Whether a look has shown what an earlier one at that place had not: eyes miss things here, or things move."""
    _took: tuple[str, str] = ("", "")
    """What was taken last and not put down since, and where from."""
    _doubtful: set[str] = field(default_factory=set)

    def fits(self, goal: Goal, label: str, place: str = "") -> bool:
        """Whether a thing is one of those that are wanted; a misplaced one only at its place, else wherever it is."""
        thing = goal.thing if place else " ".join(w for w in goal.thing.split() if w != MISPLACED)
        return goal.means(parted(label)[0]) and place not in goal.away and self.table.fits(thing, label, place)

    def hear(self, step: Step | None, heard: StepResult) -> None:
        """A step is over, and this is what came of it."""
        worked, before = heard.worked, list(self.seen.get(self.at, ()))
        self.hand = heard.seen.state.holding if heard.seen.state else ""
        self._drop(step, heard)
        if step and worked and step.skill == GO:
            self.at = "" if _POINT.fullmatch(step.args[0].strip()) else bare(step.args[0])
            self._look(self.at)
            self.looks[self.at] += 1
        elif step and step.skill == GO:
            self.at = ""
        self._see(heard.seen, step is None or step.skill == GO)
        if step and worked and step.skill == PICK:
            self._took = (self.hand or bare(step.args[0]), self.at)
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

    def _drop(self, step: Step | None, heard: StepResult) -> None:
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
        fresh = Counter(things) - Counter(self.seen.get(place, ())) - Counter(t for t, at in self.put if at == place)
        self.missed = self.missed or bool(fresh)
        for label in (Counter(things) - Counter(self.seen.get(place, ()))).elements():
            if was := next((p for p, some in self.seen.items() if p != place and label in some), ""):
                self.seen[was].remove(label)

    def _without_taken(self, before: Sequence[str], asked: str) -> None:
        """Perception may go on telling of a thing where the hand has just taken it away."""
        here, thing = self.seen.get(self.at, []), self._took[0]
        some = [s for s in here if named(thing, s)]
        if some and len(some) >= max(sum(named(thing, s) for s in before), 1):
            here.remove(next((s for s in some if named(asked, s)), some[0]))

    # All of a kind

    def due(self, goals: Sequence[Goal]) -> list[Goal]:
        """The open goals as they stand: before the first that is over all of a kind, its next single step."""
        first = next((n for n, g in enumerate(goals) if not g.every or self.next_of(g, goals)), 0)
        turned = [*goals[first:], *goals[:first]]  # what cannot go on waits behind what can
        if not turned or not turned[0].every:
            return turned
        single = self.next_of(turned[0], goals)
        return [single, *turned] if single else turned

    def settled(self, goals: Sequence[Goal]) -> list[Goal]:
        """Those that are over: nothing is left to bring, and something was brought or is there already."""
        return [g for g in goals if g.every and self.next_of(g, goals) is None and self._some(g)]

    def next_of(self, goal: Goal, goals: Sequence[Goal]) -> Goal | None:
        """The next single goal, or the next place to look at; None where nothing is left."""
        for name, place in [*([self._took] if self._took[0] else []), *self.fell]:
            if self.fits(goal, name):
                return self._one(goal, name, place)
        scope = self._scope(goal)
        for place in [p for p in (self.at, *scope) if p in scope and p in self.seen]:  # here first
            if label := next(self._remaining(goal, goals, place), ""):
                return self._one(goal, self._told_apart(goal, label, place), place)
        if goal.only and (strayed := self._strayed(goal)):
            return strayed
        unseen = [p for p in scope if self.looks[p] < 1 and p != goal.place]
        if not unseen and goal.only and not self._some(goal) and self.looks[goal.source] < LOOKS_MAX:
            unseen = [goal.source]
        return Goal("", unseen[0]) if unseen else None

    def _strayed(self, goal: Goal) -> Goal | None:
        """Something was there at first and somebody took it away: where it is seen now, or where to look for it."""
        skipped = {goal.source}
        gone = [name for name in self.gone(goal.source) if self.fits(goal, name)]
        for name in gone:
            to = self._goes_to(goal, name)
            skipped.add(to)
            for place in [p for p in self.table.spots if p not in (goal.source, to, self.table.home(name))]:
                if to and any(parted(label)[0] == name for label in self.seen.get(place, ())):
                    return Goal(name, to, place)
        left = [p for p in self.table.spots if not self.looks[p] and p not in skipped]
        return Goal("", left[0]) if gone and left else None

    def _scope(self, goal: Goal) -> list[str]:
        """The places that could hold one, the likeliest first."""
        if goal.only:
            return [goal.source]
        places = [p for p in self.table.spots if MISPLACED not in goal.thing.split() or p in self.table.tables]
        first = goal.source or self.table.home(self.table.kind_in(goal.thing))
        return list(dict.fromkeys([first, *places])) if first in places else places

    def _remaining(self, goal: Goal, goals: Sequence[Goal], place: str) -> Iterator[str]:
        """What a place still holds, besides what was put there on purpose and what another goal asks for."""
        spared = Counter(self._kind(thing) for thing, at in self.put if at == place and place != goal.source)
        spared += Counter(self._kind(g.thing) for g in goals if g.thing and not g.every and g.place != goal.place)
        for label in self.seen.get(place, ()):
            name = parted(label)[0]
            if not self.fits(goal, label, place) or self._goes_to(goal, name) in ("", place):
                continue
            if spared[name] > 0:
                spared[name] -= 1
                continue
            yield label

    def _kind(self, thing: str) -> str:
        return self.table.kind_in(thing) or thing

    def _goes_to(self, goal: Goal, name: str) -> str:
        return self.table.home(name) if goal.place == HOME else goal.place

    def _one(self, goal: Goal, name: str, source: str) -> Goal | None:
        to = self._goes_to(goal, parted(name)[0] if parted(name)[0] in self.table.kinds else self._kind(name))
        return Goal(name, to, source) if to else None

    def _told_apart(self, goal: Goal, label: str, place: str) -> str:
        """Its name, with the colour where another of the name is not meant."""
        name, colour = parted(label)
        alike = [s for s in self.seen.get(place, ()) if parted(s)[0] == name]
        return name if all(self.fits(goal, s, place) for s in alike) or not colour else f"{colour} {name}"

    def _some(self, goal: Goal) -> bool:
        """Whether any of the kind was brought, or is where it should be."""
        brought = any(self.fits(goal, thing) and goal.place in (HOME, at) for thing, at in self.put)
        return brought or any(self.fits(goal, label) for label in self.seen.get(goal.place, ()))


def point(fell: Ran) -> str:
    """Where something fell, as a way there is written."""
    return ", ".join(f"{metres:.1f}" for metres in fell.about if isinstance(metres, float | int))


def sights(seen: Observation) -> dict[str, list[str]]:
    """Things by the place that they are seen on now."""
    now = next((b for b in seen.believed if isinstance(b, SeenFromHere)), SeenFromHere(()))
    return {spot: list(things) for spot, things in now.spots}


def named(thing: str, seen: str) -> bool:
    """Whether a thing as it was asked for can be one that was seen, by its words."""
    return set(bare(thing).split()) <= set(re.findall(r"[a-z0-9-]+", seen.lower()))
