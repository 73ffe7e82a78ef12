"""The baseline `rules`: an instruction read with a table of names and a few patterns, no language model at all.

Levels 1 and 2 name their things and places, so this is enough for them; without it beside, a rate of success would say
little. It reads colours, kinds and "all", where a thing comes from, and "to its table"; it knows nothing of use.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sayso.goal import ALL
from sayso.grounding.mentions import Mention, mentions
from sayso.robots.warehouse.names import Table
from sayso.robots.warehouse.suite.courier import Errand

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
