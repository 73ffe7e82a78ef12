"""What may be written for a step: goals over known things and places, one of the three skills, done, or giving up."""

from __future__ import annotations

import re

from sayso.models.pocket.constraints import Spelled
from sayso.robots.warehouse.names import EVERY, HOME, MISPLACED, THING, Table

GIVE_UP = "give up"
FROM, TO = " from ", " to "
SIZES = ("smallest", "biggest", "tallest", "heaviest", "lightest")
SIDES = ("far", "left", "right", "close", "front", "back")
REASON_CHARS = 80
GOALS_MAX = 12

_POINT = re.compile(r"-?\d{1,3}(\.\d{0,2}(, ?(-?\d{0,3}(\.\d{0,2})?)?)?)?|-")
_WHOLE_POINT = re.compile(r"-?\d{1,3}\.\d{1,2}, ?-?\d{1,3}\.\d{1,2}")
_REASON = re.compile(r"[a-zA-Z0-9 ',-]*")


class StepConstraint(Spelled):
    """Answers about the things and places of one robot's table."""

    def __init__(self, names: Table) -> None:
        super().__init__()
        self._places = tuple(p.lower() for p in names.places)
        self._things = (*names.kinds, *names.homes, THING)
        self._before = (EVERY, MISPLACED, *SIZES, *sorted(names.colours))
        self._targets = (*self._places, *(f"{side} side of {p}" for side in SIDES for p in self._places))

    def viable(self, more: str) -> bool:
        *parts, last = (self.text + more).split(";")
        if len(parts) >= GOALS_MAX or not all(self._is_goal(p) or self._is_go(p) for p in parts):
            return False
        return self._leads_to_goal(last) or "go ".startswith(last) or self._leads_to_go(last) or (
            not parts and self._leads_to_step(last)
        )  # fmt: skip

    @property
    def may_end(self) -> bool:
        *parts, last = self.text.split(";")
        if self._is_goal(last) or self._is_go(last):
            return True
        return not parts and self._is_step(last)

    @property
    def whole(self) -> int:
        return len(self.text) if self.may_end else 0

    # Goals

    def _is_goal(self, text: str) -> bool:
        head, found, to = text.rpartition(TO)
        thing, told, source = head.partition(FROM)
        return bool(found) and self._is_to(to) and self._is_thing(thing) and (not told or source in self._places)

    def _is_to(self, text: str) -> bool:
        return text in self._places or text == HOME

    def _leads_to_goal(self, text: str) -> bool:
        head, also, to = text.rpartition(TO)
        if also:
            thing, told, source = head.partition(FROM)
            known = self._is_thing(thing) and (not told or source in self._places)
            return known and any(p.startswith(to) for p in (*self._places, HOME))
        thing, told, source = text.partition(FROM)
        if told:
            whole = any(source.endswith(TO[:n]) and source[:-n] in self._places for n in range(1, len(TO)))
            return self._is_thing(thing) and (whole or any(p.startswith(source) for p in self._places))
        return self._leads_to_thing(text) or any(
            text.endswith(link[:n]) and self._is_thing(text[:-n]) for link in (FROM, TO) for n in range(1, len(link))
        )

    # Things

    def _is_thing(self, text: str) -> bool:
        return text in self._things or any(
            text.startswith(f"{word} ") and self._is_thing(text[len(word) + 1 :]) for word in self._before
        )

    def _leads_to_thing(self, text: str) -> bool:
        if any(t.startswith(text) for t in self._things) or any(f"{w} ".startswith(text) for w in self._before):
            return True
        return any(text.startswith(f"{word} ") and self._leads_to_thing(text[len(word) + 1 :]) for word in self._before)

    # Steps

    def _is_go(self, text: str) -> bool:
        target = text.removeprefix("go ")
        return target != text and (target in self._targets or _WHOLE_POINT.fullmatch(target) is not None)

    def _leads_to_go(self, text: str) -> bool:
        target = text.removeprefix("go ")
        fits = any(t.startswith(target) for t in self._targets) or _POINT.fullmatch(target) is not None
        return target != text and fits

    def _is_step(self, text: str) -> bool:
        verb, _, thing = text.partition(" ")
        if verb in ("pick", "put"):
            return self._is_thing(thing)
        return text == "done" or (text.startswith(f"{GIVE_UP} ") and len(text) > len(GIVE_UP) + 1)

    def _leads_to_step(self, text: str) -> bool:
        for verb in ("pick ", "put "):
            if verb.startswith(text) or (text.startswith(verb) and self._leads_to_thing(text[len(verb) :])):
                return True
        if "done".startswith(text) or f"{GIVE_UP} ".startswith(text):
            return True
        reason = text.removeprefix(f"{GIVE_UP} ")
        return reason != text and len(reason) <= REASON_CHARS and _REASON.fullmatch(reason) is not None
