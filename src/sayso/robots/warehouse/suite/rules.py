"""The baseline `rules`: an instruction read with tables of names and a dozen patterns, no language model at all.

Levels 1 and 2 name their things and places, so this is enough for them; without it beside, a rate of success would say
little. It reads colours, kinds and "all", where a thing comes from, and "to its table"; it knows nothing of use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sayso.robots.warehouse.suite.courier import Errand

SHIP, RECEIVE, BOX = "shipping shelf", "receiving shelf", "basket"

_HOME = re.compile(r"(its|their|reasonable|corresponding|right|proper) (own )?(tables?|places?|home)|receiving of")
_FROM = re.compile(r"\bfrom (?:the |its |their )?$|\b(?:receiving of|on|in) (?:the )?$")
_COLOURS = ("red", "green", "yellow", "orange", "blue", "brown", "white", "grey", "pink")
_CLAUSES = re.compile(
    r"[.;:]\s+|\bthen\b|\bfinally\b|\blastly\b|\bnext\b,"
    r"|, (?:and )?(?=(?:find|pick|grasp|grab|move|set|put|place|fetch|retrieve) )"
)
_ALL = re.compile(r"\b(all|every|each)\b")


class Table:
    """The names that it can read: what they stand for, longest first."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.words: list[tuple[str, str, str]] = []
        for what in ("places", "objects", "categories"):
            for entry in names[what]:
                self.words += [(w.lower(), what, entry["name"]) for w in (entry["name"], *entry["aliases"])]
        self.words.sort(key=lambda w: -len(w[0]))
        self.places = [p["name"] for p in names["places"] if p.get("placement")]
        self.kinds: dict[str, str] = {o["name"]: o["category"] for o in names["objects"]}
        self.homes: dict[str, str] = {c["name"]: c["place"] for c in names["categories"]}

    def mentions(self, text: str) -> list[tuple[int, int, str, str]]:
        """(from, to, what, name) of every name in a text, in order, longer names first."""
        found: list[tuple[int, int, str, str]] = []
        for word, what, name in self.words:
            for hit in re.finditer(rf"\b{re.escape(word)}(?:e?s)?\b", text):
                if all(hit.end() <= a or hit.start() >= b for a, b, _, _ in found):
                    found.append((hit.start(), hit.end(), what, name))
        return sorted(found)


def read(instruction: str, table: Table) -> list[Errand]:
    """The errands that an instruction amounts to, as far as tables tell."""
    text = re.sub(r"[\u2019']", "", instruction.lower())
    errands: list[Errand] = []
    for clause in _CLAUSES.split(text):
        errands += _clause(clause, table)
    if re.search(r"\b(return|go back|come back)\b.*\bentrance\b", text) or not errands:
        where = [name for _, _, what, name in table.mentions(text) if what == "places"]
        errands += [Errand("", (), where[-1])] if where else []
    return errands


def _clause(text: str, table: Table) -> list[Errand]:
    wanted: list[tuple[str, str]] = []
    to, origin = "", ""
    mentions = table.mentions(text)
    for begin, _, what, name in mentions:
        before = text[:begin]
        if what != "places":
            if name not in [n for n, _ in wanted]:
                wanted.append((name, _described(before, name, what)))
        elif _FROM.search(before) and "from" in before[-12:]:
            origin = name
        elif name != "entrance":
            to = name
    home = bool(_HOME.search(text))
    if re.search(r"receiving of", text):
        origin = RECEIVE
    if not to and not home:
        to = SHIP if re.search(r"\bship|shipment", text) else BOX if "give me" in text else ""
    if origin and re.search(r"from its table", text):
        origin = ""
    count = 4 if _ALL.search(text) else 1
    return [e for name, said in wanted for e in _errands(name, said, to, origin, home and not to, count, table)]


def _described(before: str, name: str, what: str) -> str:
    """The name with the colour before it."""
    last = re.findall(r"[a-z]+", before)[-2:]
    colour = next((c for c in last if c in _COLOURS), "")
    return f"{colour} {name}".strip() if what == "categories" or colour else name


def _errands(name: str, said: str, to: str, origin: str, home: bool, count: int, table: Table) -> Sequence[Errand]:
    category = table.kinds.get(name, name)
    usual = table.homes.get(category, "")
    to = usual if home else to
    if not to:
        return []
    look = [origin] if origin else [usual, *(p for p in table.places if p not in (usual, to))]
    first = Errand(said, tuple(look), to)
    more = [replace(first, more=True, look=tuple(look[:1]))] * (count - 1 if category == name or home else 0)
    return [first, *more]
