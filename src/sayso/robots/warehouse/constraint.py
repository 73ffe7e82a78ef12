"""What may be written for a step: goals over known things and places, one of the three skills, done, or giving up."""

from __future__ import annotations

from sayso.models.pocket.constraints import GrammarConstraint, one_of
from sayso.robots.warehouse.names import EVERY, HOME, MISPLACED, THING, Table

GIVE_UP = "give up"
SIZES = ("smallest", "biggest", "tallest", "heaviest", "lightest")
SIDES = ("far", "left", "right", "close", "front", "back")
REASON_CHARS = 80
GOALS_MAX = 12

_POINT = r"-?[0-9]{1,3}\.[0-9]{1,2}, ?-?[0-9]{1,3}\.[0-9]{1,2}"


class StepConstraint(GrammarConstraint):
    """Answers about the things and places of one robot's table."""

    def __init__(self, names: Table) -> None:
        place = one_of(p.lower() for p in names.places)
        before = one_of((EVERY, MISPLACED, *SIZES, *sorted(names.colours)))
        thing = f"({before} )*{one_of((*names.kinds, *names.homes, THING))}"
        goal = f"{thing}( from {place})? to ({place}|{HOME})"
        entry = f"({goal}|go ({one_of(SIDES)} side of )?{place}|go {_POINT})"
        goals = f"{entry}(;{entry}){{0,{GOALS_MAX - 1}}}"
        super().__init__(f"start: /{goals}|(pick|put) {thing}|done|{GIVE_UP} [a-zA-Z0-9 ',-]{{1,{REASON_CHARS}}}/")
