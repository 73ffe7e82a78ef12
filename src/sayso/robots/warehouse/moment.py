"""A moment of a mission as the embedded model is told it: the notes and the history of a brief in one record."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sayso.memory.telling import Remembered
from sayso.models.pocket.text import clean
from sayso.parts import Brief
from sayso.robots.warehouse import failures
from sayso.robots.warehouse.ledger import bare
from sayso.robots.warehouse.names import Table, parted
from sayso.robots.warehouse.notes import Here, Lies, LookedAt, Owed, PutDown, SeenBefore, point
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.scene import Belief
from sayso.steps import NotDone
from sayso.task import Ran

FAILURE_CHARS = 60
LATELY = 9
"""So many ways back, a place that was looked at is looked at last."""

_CALL = re.compile(r'(\w+)\("(.*?)"\)')
SHORT = {"go_to": "go", "pick_up": "pick", "place": "put"}


@dataclass
class Moment:
    """What the notes and the history of a brief tell."""

    names: Table
    at: str = ""
    hand: str = ""
    here: list[str] = field(default_factory=list)
    there: dict[str, list[str]] = field(default_factory=dict)
    goals: list[str] = field(default_factory=list)
    looked: list[str] = field(default_factory=list)
    put: list[tuple[str, str]] = field(default_factory=list)
    fell: list[tuple[str, str]] = field(default_factory=list)
    ran: list[tuple[str, str, bool]] = field(default_factory=list)
    failed: str = ""
    refused: str = ""

    @property
    def wrong(self) -> bool:
        return self.failed.startswith("wrong ")

    @property
    def lately(self) -> list[str]:
        """Where it has been of late: what is not there now has not come since, with some luck."""
        gone = [bare(arg) for skill, arg, worked in self.ran if skill == "go" and worked]
        return gone[-LATELY:]

    def since(self, thing: str) -> list[str]:
        """Where it has been since it first reached for a thing in vain."""
        first = next((n for n, (s, a, ok) in enumerate(self.ran) if s == "pick" and a == thing and not ok), None)
        if first is None:
            return self.lately
        at = [bare(arg) for skill, arg, worked in self.ran[:first] if skill == "go" and worked]
        return [*at[-1:], *(bare(arg) for skill, arg, worked in self.ran[first:] if skill == "go" and worked)]

    def tried(self, thing: str) -> list[str]:
        """Places where a thing was reached for in vain."""
        at, places = "", []
        for skill, arg, worked in self.ran:
            if skill == "go":
                at = bare(arg) if worked else ""
            elif skill == "pick" and arg == thing and not worked:
                places.append(at)
        return places

    def at_point(self, point: str) -> bool:
        """Whether the last way led to that point of the floor."""
        return bool(self.ran) and self.ran[-1] == ("go", point, True)

    def last(self, skill: str) -> bool:
        return bool(self.ran) and self.ran[-1][0] == skill


def moment(brief: Brief, names: Table | None = None) -> Moment:
    """The state of a mission, read from its brief."""
    now = Moment(names or Table.read(brief.knowledge))
    for attempt in brief.history:
        if found := _CALL.search(attempt.plan):
            worked = not attempt.ran or any(one.done for one in attempt.ran)
            now.ran.append((SHORT.get(found[1], found[1]), found[2], worked))
            if found[1] == "go_to":
                now.at = bare(found[2]) if worked and bare(found[2]) in now.names.places else ""
    if brief.seen.state:
        now.hand = brief.seen.state.holding
    for belief in (*brief.seen.believed, *brief.seen.recalled):
        _take_in(now, belief)
    if brief.history and not (now.ran and now.ran[-1][2]):
        failed = next((one for one in reversed(brief.history[-1].ran) if not one.done), None)
        now.failed = failure(failed, now.at) if failed else clean(brief.failure.partition("\n")[0])[:FAILURE_CHARS]
    now.failed = now.refused or now.failed
    return now


def _take_in(now: Moment, belief: Belief) -> None:
    """One thing of what is known."""
    match belief:
        case Owed(goal):
            now.goals.append(goal)
        case LookedAt(places):
            now.looked = list(places)
        case NotDone():
            now.refused = "not done"
        case Lies(thing, point):
            now.fell.append((thing, point))
        case PutDown(things):
            now.put = list(things)
        case Here(_, things):
            now.here += things
        case SeenBefore(place, things):
            now.there[place] = list(things)
        case SeenFromHere(spots):
            for spot, things in spots:
                if spot == "floor" and not now.at:
                    now.here += things
                elif spot != "floor" and spot != now.at:
                    now.there.setdefault(spot, list(things))
        case Remembered():
            _remembered(now, belief)


def _remembered(now: Moment, thing: Remembered) -> None:
    """A thing that memory knows, where this mission has not seen its place."""
    places = (*thing.likes, thing.place)
    place = next((x for x in places if x in now.names.places), "")
    if not (place and thing.likes) or thing.gone or place in now.looked:
        return
    colour = next((x for x in thing.likes if x != place and x not in now.names.homes), "plain")
    here = now.there.setdefault(place, [])
    if sum(parted(t)[0] == thing.name for t in here) < 1:
        here.append(f"{thing.name} ({colour})")


def failure(one: Ran, at: str) -> str:
    """A failure in a word or two, with what it is about."""
    match one.code:
        case failures.OUT_OF_REACH:
            side, place = one.about or ("far", at)
            return f"reach {side} side of {place}"
        case failures.WRONG_THING:
            return f"wrong {one.about[0]}"
        case failures.FELL:
            return f"fell {point(one)}"
        case failures.NOT_SEEN:
            return "not here"
        case code if code in failures.PLAIN:
            return code
    return clean(one.reason.partition("\n")[0])[:FAILURE_CHARS]
