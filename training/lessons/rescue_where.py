"""The words for where to search and where not: places of a map, squares, all that have a word in their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lessons import words
from lessons.lists import lists
from lessons.rescue_caller import Caller
from lessons.rescue_goal import Goal, place
from lessons.rescue_places import Ground, listed, refer
from lessons.telling import Unsaid

_SQUARE = re.compile(r"[A-Z]\d+")


def called(c: Caller, where: Ground, name: str) -> str:
    """A place or a square in words."""
    if _SQUARE.fullmatch(name):
        return f"{c.rng.choice(('', 'square ', 'grid ', 'sector ', 'field '))}{name}"
    found = place(where, name)
    return refer(c.rng, where, found) if found else name


def going(c: Caller, where: Ground, name: str) -> str:
    """Where somebody is heading: a place of the map, or a kind of ground."""
    if place(where, name):
        return called(c, where, name)
    named = {word for p in where.places for word in p.name.split()}
    ways = [way for way in lists("rescue_grounds")[name] if not named & set(way.split())]
    if not ways:
        raise Unsaid("places of the map have every word for it")
    return c.rng.choice(ways)


def areas(c: Caller, goal: Goal) -> str:
    """Where to search."""
    return _every(c, goal.kind, len(goal.areas)) if goal.kind else some(c, goal.where, goal.areas, _and_or(c))


def out(c: Caller, goal: Goal) -> str:
    """Where not to search."""
    if goal.avoid_kind:
        plural = _plural(goal.avoid_kind)
        return c.rng.choice((f"the {plural}", f"all {plural}", f"all the {plural}", plural, f"any {goal.avoid_kind}"))
    return some(c, goal.where, goal.avoid, c.rng.choice(("and", "and", "or")))


def _and_or(c: Caller) -> str:
    return "or" if c.chance(0.15) else "and"


def _every(c: Caller, kind: str, count: int) -> str:
    """All that are called so, in one phrase."""
    plural = _plural(kind)
    ways = [f"the {plural}", f"the {plural}", f"all {plural}", f"all the {plural}", plural]
    ways += [
        f"one of the {plural}",
        f"any of the {plural}",
        f"each of the {plural}",
        f"every {kind}",
        f"all of the {plural}",
    ]
    ways += [f"the open {plural}"] if kind == "field" else []
    ways += (
        ["both " + plural, f"either of the {plural}"] if count == 2 else [f"all {words.number(c.rng, count)} {plural}"]
    )
    return c.rng.choice(ways)


def _plural(noun: str) -> str:
    if noun.endswith("s") and not noun.endswith("ss"):
        return noun
    return f"{noun}es" if noun.endswith(("ch", "sh")) else f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"


def some(c: Caller, where: Ground, names: Sequence[str], word: str = "and") -> str:
    if len(names) > 1 and all(map(_SQUARE.fullmatch, names)):
        called_so = c.rng.choice(("squares", "sectors", "the squares", "grid squares", "grids"))
        return f"{called_so} {listed(c.rng, list(names), word)}"
    if len(names) > 1 and (shared := _shared(c, where, names, word)):
        return shared
    return listed(c.rng, [called(c, where, name) for name in names], word)


def _shared(c: Caller, where: Ground, names: Sequence[str], word: str) -> str:
    """Places of one noun that is said once: "the north and the east field"."""
    found = [place(where, name) for name in names]
    ends = {p.noun if p and p.noun and p.name.endswith(f" {p.noun}") else "" for p in found}
    if len(ends) > 1 or "" in ends or c.chance(0.4):
        return ""
    noun = ends.pop()
    befores = [name.removesuffix(f" {noun}") for name in names]
    if c.chance(0.25):
        return f"the {c.rng.choice((_plural(noun), noun))} {listed(c.rng, befores, word)}"
    if c.chance(0.5):
        return f"the {listed(c.rng, befores, word)} {c.rng.choice((_plural(noun), noun))}"
    return f"{listed(c.rng, [f'the {before}' for before in befores], word)} {noun}"
