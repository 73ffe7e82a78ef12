"""Goals over all of a kind: `every lemon to basket` stays open until what the robot has seen says that none is left.

Such a goal is never carried out as it stands. From what the mission has seen, the next single thing is told (`due`):
one that is here, one that was seen elsewhere, one that fell; where none is known, the next place to look at. Only when
every place that could hold one has been looked at, it is over: met where some were found, else empty-handed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sayso.robots.warehouse.ledger import Goal
from sayso.robots.warehouse.names import HOME, MISPLACED, Table, parted
from sayso.robots.warehouse.notes import Sights

LOOKS_MAX = 2
"""So often a place that a wish names is looked at before it counts as empty: eyes miss things."""


def due(goals: Sequence[Goal], sights: Sights) -> list[Goal]:
    """The open goals as they stand: before the first that is over all of a kind, its next single step."""
    first = next((n for n, g in enumerate(goals) if not g.every or next_of(g, goals, sights)), 0)
    turned = [*goals[first:], *goals[:first]]  # what cannot go on waits behind what can
    if not turned or not turned[0].every:
        return turned
    single = next_of(turned[0], goals, sights)
    return [single, *turned] if single else turned


def settled(goals: Sequence[Goal], sights: Sights) -> list[Goal]:
    """Those that are over: nothing is left to bring, and something was brought or is there already."""
    return [g for g in goals if g.every and next_of(g, goals, sights) is None and _some(g, sights)]


def next_of(goal: Goal, goals: Sequence[Goal], sights: Sights) -> Goal | None:
    """The next single goal, or the next place to look at; None where nothing is left."""
    for name, place in [*([sights.held] if sights.held else []), *sights.fell]:
        if sights.fits(goal, name):
            return _single(goal, name, place, sights.table)
    scope = _scope(goal, sights.table)
    for place in [p for p in (sights.at, *scope) if p in scope and p in sights.seen]:  # here first
        if label := next(_left(goal, goals, place, sights), ""):
            return _single(goal, _called(goal, label, place, sights), place, sights.table)
    if goal.only and (strayed := _strayed(goal, sights)):
        return strayed
    unseen = [p for p in scope if sights.looks[p] < 1 and p != goal.place]
    if not unseen and goal.only and not _some(goal, sights) and sights.looks[goal.source] < LOOKS_MAX:
        unseen = [goal.source]
    return Goal("", unseen[0]) if unseen else None


def _strayed(goal: Goal, sights: Sights) -> Goal | None:
    """Something was there at first and somebody took it away: where it is seen now, or where to look for it."""
    table, skipped = sights.table, {goal.source}
    gone = [name for name in sights.gone(goal.source) if sights.fits(goal, name)]
    for name in gone:
        to = _to(goal, name, table)
        skipped.add(to)
        for place in [p for p in table.spots if p not in (goal.source, to, table.home(name))]:
            if to and any(parted(label)[0] == name for label in sights.seen.get(place, ())):
                return Goal(name, to, place)
    left = [p for p in table.spots if not sights.looks[p] and p not in skipped]
    return Goal("", left[0]) if gone and left else None


def _scope(goal: Goal, table: Table) -> list[str]:
    """The places that could hold one, the likeliest first."""
    if goal.only:
        return [goal.source]
    places = [p for p in table.spots if MISPLACED not in goal.thing.split() or p in table.tables]
    return list(dict.fromkeys([goal.source, *places])) if goal.source in places else places


def _left(goal: Goal, goals: Sequence[Goal], place: str, sights: Sights) -> Iterator[str]:
    """What a place still holds, besides what was put there on purpose and what another goal asks for."""
    table = sights.table
    spared = Counter(_name(thing, table) for thing, at in sights.put if at == place and place != goal.source)
    spared += Counter(_name(g.thing, table) for g in goals if g.thing and not g.every and g.place != goal.place)
    for label in sights.seen.get(place, ()):
        name = parted(label)[0]
        if not sights.fits(goal, label, place) or _to(goal, name, table) in ("", place):
            continue
        if spared[name] > 0:
            spared[name] -= 1
            continue
        yield label


def _name(thing: str, table: Table) -> str:
    return table.kind_in(thing) or thing


def _to(goal: Goal, name: str, table: Table) -> str:
    return table.home(name) if goal.place == HOME else goal.place


def _single(goal: Goal, name: str, source: str, table: Table) -> Goal | None:
    to = _to(goal, parted(name)[0] if parted(name)[0] in table.kinds else _name(name, table), table)
    return Goal(name, to, source) if to else None


def _called(goal: Goal, label: str, place: str, sights: Sights) -> str:
    """Its name, with the colour where another of the name is not meant."""
    name, colour = parted(label)
    alike = [s for s in sights.seen.get(place, ()) if parted(s)[0] == name]
    return name if all(sights.fits(goal, s, place) for s in alike) or not colour else f"{colour} {name}"


def _some(goal: Goal, sights: Sights) -> bool:
    """Whether any of the kind was brought, or is where it should be."""
    brought = any(sights.fits(goal, thing) and goal.place in (HOME, at) for thing, at in sights.put)
    return brought or any(sights.fits(goal, label) for label in sights.seen.get(goal.place, ()))
