"""The choice of the warehouse robot's next step towards what it owes, and what helps where one has failed.

| what happened | what is right then |
|---|---|
| the hand took something else | it is put back where it is |
| something fell on the way | to that point, and pick it up there |
| out of reach | the side that was named |
| slipped, lost the way, blocked, the spot taken | once more; from the far side where twice did not help |
| no room | from the far side, then it is said |
| it is not here | where else it was seen, where it belongs, then every place that was not looked at since |
| it is nowhere | the other goals first, then it is said |
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sayso.errors import NotUnderstood
from sayso.goal import All, Clause, Not, Pred, Which
from sayso.memory.thing_record import Remembered
from sayso.plugins.steps import Step, StepResult
from sayso.robots.warehouse import failures
from sayso.robots.warehouse.ledger import GO, HAND, PICK, PUT, Goal, bare, errand
from sayso.robots.warehouse.names import MISPLACED, RANKS, parted
from sayso.robots.warehouse.notes import Sights, point
from sayso.roles import Observation
from sayso.task import FELL, SLIPPED, UNKNOWN_NAME, WAY_BLOCKED, Ran

ROUNDS = 2
"""So often each place is looked at before a thing is lost, where a look has missed something before; else once."""
LATELY = 9
"""So many ways back, a place that was looked at is looked at last."""
BARRED = (WAY_BLOCKED, failures.ARM_BLOCKED)
"""What the other side of the furniture may help against."""
AGAIN = (SLIPPED, failures.SPOT_TAKEN, failures.ARM_BLOCKED, failures.LOST, WAY_BLOCKED)


@dataclass(slots=True)
class Way(Sights):
    """One mission's sights, what was tried on it, and the next step."""

    ran: list[tuple[str, str, bool]] = field(default_factory=list)
    failed: Ran | None = None
    before: dict[str, list[str]] = field(default_factory=dict)
    """What memory has of places that this mission has not seen."""

    def hear(self, step: Step | None, heard: StepResult) -> None:
        Sights.hear(self, step, heard)
        if step:
            self.ran.append((step.skill, step.args[0] if step.args else "", heard.worked))
        self.failed = None if heard.worked else next((r for r in reversed(heard.ran) if not r.done), None)
        self._remember(heard.seen)

    def mended(self) -> Step | None:
        """What a failure asks for by itself. Raises `NotUnderstood` where nothing helps."""
        failed = self.failed
        if failed is None or not self.ran:
            return None
        (skill, arg, _), at = self.ran[-1], self.at
        if failed.code == failures.WRONG_THING and self.hand:
            return Step(PUT, (str(failed.about[0]),))
        if failed.code == FELL and not self.hand:
            return Step(GO, (point(failed),))
        if failed.code == failures.OUT_OF_REACH:
            side, place = failed.about or ("far", at)
            return Step(GO, (f"{side} side of {place}",))
        if failed.code in AGAIN:
            twice = len(self.ran) > 1 and self.ran[-2] == self.ran[-1]
            barred = twice and skill != GO and failed.code in BARRED and at
            return Step(GO, (f"far side of {at}",)) if barred else Step(skill, (arg,))
        if failed.code == failures.FULL:
            if " side of " in next((a for s, a, _ in reversed(self.ran) if s == GO), ""):
                raise NotUnderstood(f"there is no room for the {self.hand} on the {at}")
            return Step(GO, (f"far side of {at}",))
        if failed.code == UNKNOWN_NAME:
            raise NotUnderstood(f"I know no {arg}")
        return None

    def towards(self, goal: Goal) -> Step | None:
        """The next step for one goal; None if another met it. Raises `NotUnderstood` where it is nowhere."""
        at, to, source = self.at, goal.place, goal.source or self._usual(goal)
        if not goal.thing:
            return Step(GO, (to,))
        if self.holds_for(goal) or (goal.belongs and not self.hand and self.fitting(goal, to)):
            return None
        if self.hand:
            return self._carried(goal, source)
        if goal.belongs and not self.looks[to] and not any(self.fitting(goal, p) for p in (*self.seen, *self.before)):
            return Step(GO, (to,))
        elsewhere = at != to
        if elsewhere and self._left_at(goal, at, source):
            return Step(PICK, (self._called(goal, at),))
        last = self.ran[-1] if self.ran else ("", "", False)
        for thing, where in reversed(self.fell):
            if self.fits(goal, thing):
                return Step(PICK, (thing,)) if last == (GO, where, True) else Step(GO, (where,))
        tried = self._tried(goal)
        hoped = at == source or any(self.fits(goal, label, at) for label in self.before.get(at, ()))
        if last[0] == GO and last[2] and hoped and elsewhere and (name := self._unseen(goal)):
            return Step(PICK, (name,))  # the hand's own look is another one
        for place in (source, *self.seen, *self.before):
            if place not in (to, at) and self._left_at(goal, place, source):
                return Step(GO, (place,))
        if source and source not in (*tried, to, at) and source in self.table.places:
            return Step(GO, (source,))
        again = [p for t, p in self.put if p not in (to, at) and self.fits(goal, t)]
        if again:
            return Step(GO, (again[-1],))  # the only one there is may have to be fetched from where it was put
        left = [p for p in self._left(goal, source, tried) if not goal.only]
        if not left and self.missed and tried.count(source) == 1:
            left = [source]
        if not left and self._left_at(goal, to, source):
            return Step(GO, (to,)) if at != to else None
        if not left:
            raise NotUnderstood(f"I found no {goal.called}")
        return Step(GO, (left[0],))

    def holds_for(self, goal: Goal) -> bool:
        """Whether the hand has what is only to be picked up."""
        return goal.place == HAND and bool(self.hand) and self.fits(goal, self.hand)

    def holds(self, test: Clause) -> bool | Step:
        """Whether a test holds by what was seen, or where to look first."""
        match test:
            case Not(part):
                now = self.holds(part)
                return now if isinstance(now, Step) else not now
            case All(parts):
                told = [self.holds(part) for part in parts]
                looks = [one for one in told if isinstance(one, Step)]
                return looks[0] if looks and False not in told else all(told)
            case Pred(("found" | "sees"), (Which() as which,)):
                goal = errand(replace(which, count=1), self.table)
                likeliest = list(dict.fromkeys([self._usual(goal), *self.table.spots]))
                places = [goal.source] if goal.only else likeliest
            case Pred("placed", (Which() as which, Which() as where)):
                goal = errand(replace(which, count=1), self.table)
                places = [self.table.place_in(where.kind)]
            case _:
                raise NotUnderstood("I understood what you want, but not how I could tell when.")
        if sum(len(self.fitting(goal, p)) for p in places) >= max(1, which.count):
            return True
        unseen = [p for p in places if not self.looks[p]]
        return Step(GO, (unseen[0],)) if unseen else False

    def rid(self, source: str = "") -> Step:
        """Put down what the hand should not hold; where there is no room, back where it came from."""
        full = self.failed is not None and self.failed.code == failures.FULL
        if self.at in self.table.spots and not full:
            return Step(PUT, (self.hand,))
        return Step(GO, ((self._took[1] if full else source) or self.table.spots[0],))

    # What is known

    def _carried(self, goal: Goal, source: str) -> Step:
        wrong = self.failed is not None and self.failed.code == failures.WRONG_THING
        if wrong or not self.fits(goal, self.hand, source):
            return self.rid(source)
        return Step(PUT, (self.hand,)) if self.at == goal.place else Step(GO, (goal.place,))

    def _seen(self, place: str) -> Sequence[str]:
        return self.seen.get(place, self.before.get(place, ()))

    def fitting(self, goal: Goal, place: str) -> list[str]:
        """What was seen at a place of what is meant."""
        return [label for label in self._seen(place) if self.fits(goal, label, place)]

    def _left_at(self, goal: Goal, place: str, source: str) -> bool:
        """Whether more of it was seen there than was put there on purpose."""
        put = sum(p == place != source and self.fits(goal, t) for t, p in self.put)
        return len(self.fitting(goal, place)) > put

    def _usual(self, goal: Goal) -> str:
        """Where to look for a thing first: where it belongs, unless it is known only elsewhere."""
        kind = (goal.kinds or (self.table.kind_in(goal.thing),))[0]
        home = self.table.home(kind)
        tables = [p for p in self.table.spots if p in self.table.tables] if MISPLACED in goal.thing.split() else []
        home = home or next(iter(tables or self.table.spots), "")
        if home in goal.away:
            home = next(p for p in self.table.spots if p not in goal.away)
        known = (*self.before, *self.seen)
        there = [p for p in known if p != goal.place and self.fitting(goal, p)]
        return home if home in there or not there else there[0]

    def _called(self, goal: Goal, place: str) -> str:
        """How a thing here is asked for: by its name where the words of the goal could mean another one."""
        rank = next((RANKS[w] for w in goal.thing.split() if w in RANKS), "")
        if not (goal.kinds or goal.but or rank):
            return goal.thing
        some = self.fitting(goal, place)
        if rank:
            sizes = self.table.sizes
            if rank == "tallest" or any(parted(label)[0] not in sizes for label in some):
                return goal.thing
            some.sort(key=lambda s: sizes[parted(s)[0]], reverse=rank != "smallest")
        name, colour = parted(some[min(goal.nth, len(some)) - 1])
        alike = [label for label in self._seen(place) if parted(label)[0] == name]
        return f"{colour} {name}" if colour and any(parted(a)[1] != colour for a in alike) else name

    def _unseen(self, goal: Goal) -> str:
        """How a thing is asked for that was not seen; empty where only the eyes could tell which one."""
        if goal.but or goal.nth > 1 or goal.thing.split()[0] in RANKS:
            return ""
        return goal.kinds[0] if goal.kinds else goal.thing

    def _tried(self, goal: Goal) -> list[str]:
        """Places where it was reached for in vain."""
        at, places = "", []
        for skill, arg, worked in self.ran:
            if skill == GO:
                at = bare(arg) if worked else ""
            elif skill == PICK and not worked and (arg in (goal.thing, *goal.kinds) or self.fits(goal, arg)):
                places.append(at)
        return places

    def _left(self, goal: Goal, source: str, tried: Sequence[str]) -> list[str]:
        """Where it was not looked for since it was first reached for in vain."""
        first = next((n for n, (s, a, ok) in enumerate(self.ran) if s == PICK and not ok and a == goal.thing), None)
        went = [(n, bare(a)) for n, (s, a, ok) in enumerate(self.ran) if s == GO and ok]
        lately = [place for _, place in went[-LATELY:]]
        looked = lately
        if first is not None:
            looked = [*[p for n, p in went if n < first][-1:], *(p for n, p in went if n > first)]
        rounds = ROUNDS if self.missed and tried.count(source) > 1 else 1
        places = [*(p for p in self.table.spots if p not in (goal.place, *goal.away)), goal.place]
        places = [p for p in places if p != HAND]
        been = (self.at, *([source] if source != goal.place else ()))
        left = [p for p in places if p not in been and looked.count(p) < rounds]
        return sorted(left, key=lambda p: (looked.count(p), p in lately))

    def _remember(self, seen: Observation) -> None:
        """Things that memory knows, where this mission has not seen their place."""
        for one in seen.recalled:
            if not isinstance(one, Remembered) or one.gone or not one.likes:
                continue
            place = next((x for x in (*one.likes, one.place) if x in self.table.places), "")
            if not place or place in self.seen:
                continue
            colour = next((x for x in one.likes if x != place and x not in self.table.homes), "plain")
            here = self.before.setdefault(place, [])
            if all(parted(label)[0] != one.name for label in here):
                here.append(f"{one.name} ({colour})")
