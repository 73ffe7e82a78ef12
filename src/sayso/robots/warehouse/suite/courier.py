"""The test double of the warehouse suite's model: it moves named things step by step, and handles each failure.

It has no understanding. What it is to move it is given: by the oracle's list (a test double), or by tables of names
(the baseline `rules`). It speaks the protocol of the planner `stepwise`, so that it stands where a model would stand;
what it is told it takes from the brief and reads no prompt.

`rules` reads colours, kinds and "all", where a thing comes from, and "to its table"; it knows nothing of use. Levels 1
and 2 name their things and places, so this is enough for them; without it a rate of success would say little.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from sayso.goal import ALL
from sayso.grounding.mentions import Mention, mentions
from sayso.models.scripted import Scripted
from sayso.robots.warehouse.failures import NOT_SEEN, OUT_OF_REACH, WRONG_THING
from sayso.robots.warehouse.ledger import PICK
from sayso.robots.warehouse.names import Table, parted
from sayso.robots.warehouse.notes import point, sights
from sayso.roles import Brief, Prompt
from sayso.task import FELL, Ran
from sayso.understanding.forms import brief_of

TRIES_MAX = 3


@dataclass(frozen=True, slots=True)
class Errand:
    """A thing in words, the places to look for it, and where it goes. An errand without a thing is a way to go."""

    thing: str
    look: tuple[str, ...]
    to: str
    more: bool = False
    """One more of the same, if there is one."""


@dataclass(slots=True)
class Courier:
    """One mission. `remembers` is whether it uses what it has seen on the way."""

    errands: Sequence[Errand]
    remembers: bool = True
    _todo: list[str] = field(default_factory=list)
    _seen: dict[str, set[str]] = field(default_factory=dict)
    _tried: set[str] = field(default_factory=set)
    _number: int = -1
    _fails: int = 0
    _heard: int = 0

    def listed(self) -> list[str]:
        """The list as it is meant at first, as far as there surely is something to bring."""
        return [step for e in self.errands if not e.more for step in self._steps(e, self._best(e))] + ["done"]

    def next(self, brief: Brief) -> str:
        """The step to take now. Where nothing has happened since it was asked last, it is the same."""
        if self.remembers:
            for place, labels in sights(brief.seen).items():
                self._seen[place] = {" ".join(reversed(parted(label))).strip() for label in labels}
        if len(brief.history) > self._heard:
            self._hear(brief.history[-1].ran)
        self._heard = len(brief.history)
        while not self._todo:
            self._number += 1
            if self._number >= len(self.errands):
                return "done"
            errand = self.errands[self._number]
            self._tried = {self._best(errand)}
            self._todo = self._steps(errand, self._best(errand))
        return self._todo[0]

    def _hear(self, ran: Sequence[Ran]) -> None:
        """What came of the last step; nothing where nobody tells."""
        if failed := next((one for one in ran if not one.done), None):
            self._mend(failed)
        elif self._todo:
            self._todo.pop(0)
            self._fails = 0

    def _steps(self, errand: Errand, place: str) -> list[str]:
        if not errand.thing:
            return [f"go_to({errand.to})"]
        fetch = [f"go_to({place})", f"pick_up({errand.thing})"]
        return [*fetch, f"go_to({errand.to})", f"place({errand.thing})"]

    def _best(self, errand: Errand) -> str:
        """Where the thing was seen, else where it should be."""
        seen = [p for p in self._seen if self._knows(errand, p)]
        usable = [p for p in seen if p in errand.look and p != errand.to]
        first = [p for p in errand.look[:1] if p not in self._seen or p in seen]
        return (first or usable or list(errand.look[:1]) or [""])[0]

    def _knows(self, errand: Errand, place: str) -> bool:
        """Whether such a thing was seen at a place."""
        return any({*errand.thing.split()} <= {*known.split()} for known in self._seen.get(place, ()))

    def _mend(self, failed: Ran) -> None:
        """What to do about a failure, put before what is left to do."""
        errand, self._fails = self.errands[self._number], self._fails + 1
        if failed.code == FELL:
            self._todo = [f"go_to({point(failed)})", f"pick_up({errand.thing})", *self._steps(errand, "")[2:]]
        elif failed.code == WRONG_THING:
            self._todo = [f"place({failed.about[0]})", *self._todo]
        elif failed.code == OUT_OF_REACH and failed.about:
            side, place = failed.about
            self._todo = [f"go_to({side} side of {place})", *self._todo]
        elif failed.skill == PICK and (failed.code == NOT_SEEN or self._fails >= TRIES_MAX):
            self._look_elsewhere(errand)
        elif self._fails > 2 * TRIES_MAX:
            self._todo = [f"give_up({failed.reason[:80]})"]

    def _look_elsewhere(self, errand: Errand) -> None:
        left = [p for p in errand.look if p not in self._tried]
        if not left and errand.more:
            self._todo = []
            return
        if not left:
            self._todo = [f"give_up(there is no {errand.thing} at any of {len(self._tried)} places)"]
            return
        place = next((p for p in left if self._knows(errand, p)), left[0])
        self._tried.add(place)
        self._fails = 0
        self._todo = self._steps(errand, place)


def speaking(courier: Callable[[str], Courier], name: str) -> Scripted:
    """A courier in a model's place. `courier` makes one for the instruction of each mission."""
    now: list[Courier] = []

    def answer(prompt: Prompt) -> str:
        brief = brief_of(prompt)
        if brief.history:
            return json.dumps({"step_by_step_reasoning": "by rule", "next_action": now[-1].next(brief)})
        now[:] = [courier(brief.instruction)]
        plan = now[-1].listed()
        return json.dumps({"reasoning": "by rule", "action_list": plan, "first_action": now[-1].next(brief)})

    return Scripted(answer, name=name, chunk=200)


SHIP, RECEIVE, BOX = "shipping shelf", "receiving shelf", "basket"

_HOME = re.compile(r"(its|their|reasonable|corresponding|right|proper) (own )?(tables?|places?|home)|receiving of")
_CLAUSES = re.compile(
    r"[.;:]\s+|\bthen\b|\bfinally\b|\blastly\b|\bnext\b,"
    r"|, (?:and )?(?=(?:find|pick|grasp|grab|move|set|put|place|fetch|retrieve) )"
)


def read(instruction: str, table: Table) -> list[Errand]:
    """The errands that an instruction amounts to, as far as tables tell."""
    text = re.sub(r"[\u2019']", "", instruction.lower())
    errands = [errand for clause in _CLAUSES.split(text) for errand in _clause(clause, table)]
    if re.search(r"\b(return|go back|come back)\b.*\bentrance\b", text) or not errands:
        where = [m.name for m in mentions(text, table.names) if m.what == "place"]
        errands += [Errand("", (), where[-1])] if where else []
    return errands


def _clause(text: str, table: Table) -> list[Errand]:
    named = mentions(text, table.names)
    places = [m for m in named if m.what == "place"]
    origin = RECEIVE if "receiving of" in text else next((m.name for m in places if m.by == "from"), "")
    to = next((m.name for m in reversed(places) if m.by != "from" and m.name != "entrance"), "")
    home = bool(_HOME.search(text))
    if not to and not home:
        to = SHIP if re.search(r"\bship|shipment", text) else BOX if "give me" in text else ""
    every = any(m.count == ALL for m in named)
    things = {m.name: m for m in reversed(named) if m.what != "place"}
    return [e for m in reversed(things.values()) for e in _errands(m, to, origin, home and not to, every, table)]


def _errands(mention: Mention, to: str, origin: str, home: bool, every: bool, table: Table) -> Sequence[Errand]:
    usual = table.home(mention.name)
    to = usual if home else to
    if not to:
        return []
    look = [origin] if origin else [usual, *(p for p in table.spots if p not in (usual, to))]
    first = Errand(f"{mention.colour} {mention.name}".strip(), tuple(look), to)
    more = [replace(first, more=True, look=tuple(look[:1]))] * 3 if every and mention.what == "category" else []
    return [first, *more]
