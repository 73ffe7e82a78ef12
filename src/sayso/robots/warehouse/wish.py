"""A model's list held against the words of the wish: what is named there and stands in none of its goals.

It is a question and not a verdict: people name things that they do not want moved, and change their mind in the middle
of a sentence. So the model is asked once, with the names, and its second answer counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sayso.robots.warehouse.every import is_every, next_of
from sayso.robots.warehouse.ledger import Goal, Goals
from sayso.robots.warehouse.names import EVERY, HOME, Mention, Table
from sayso.robots.warehouse.notes import Sights

LEFT_OUT_MAX = 4

_SEVERAL = re.compile(
    r"\d|\b(?:two|three|four|five|six|both|couple|pair|twice|another|other|second|third|more|again|each|several|few|some"
    r"|all|every|twin|brother|extra|further)\b"
)
"""What tells that the same may be wanted more than once."""


def left_out(wish: str, goals: Sequence[Goal], table: Table) -> list[str]:
    """Names of things and places that a wish has, and its goals have not; `every X` where not all X are asked for."""
    missing: dict[str, None] = {}
    mentions = table.mentions(wish)
    kinds = {mention.name for mention in mentions if mention.what == "kind"}
    spoken_for = [g for g in goals if table.kind_in(g.thing) in kinds]
    for mention in mentions:
        if mention.what == "place":
            if not any(mention.name in (g.place, g.source, *_homes(g, table)) for g in goals):
                missing[mention.name] = None
        elif not _covered(mention, [g for g in goals if mention.what == "kind" or g not in spoken_for], goals, table):
            missing[f"{EVERY} {mention.thing}" if not mention.count else mention.thing] = None
    return list(missing)[:LEFT_OUT_MAX]


def once(wish: str, goals: Sequence[Goal], table: Table) -> list[Goal]:
    """The goals without those that stand there again, word for word, in a wish that speaks of no number at all."""
    if _SEVERAL.search(wish.lower()):
        return list(goals)
    said = [m.name for m in table.mentions(wish)]
    kept: list[Goal] = []
    for goal in goals:
        if goal not in kept or said.count(table.kind_in(goal.thing)) > kept.count(goal):
            kept.append(goal)
    return kept


def _homes(goal: Goal, table: Table) -> list[str]:
    """Where things go that go home."""
    if goal.place != HOME:
        return []
    kind = table.kind_in(goal.thing)
    return [table.home(kind)] if kind else list(table.homes.values())


def unheeded(wish: str, table: Table) -> list[str]:
    """The names in a wish that has both a thing and a place, for who gives up before anything was tried."""
    kinds = {mention.what == "place" for mention in table.mentions(wish)}
    return left_out(wish, (), table) if len(kinds) == 2 else []


def _covered(mention: Mention, goals: Sequence[Goal], all_goals: Sequence[Goal], table: Table) -> bool:
    """Whether there is a goal for it; one for a thing that is named itself is none for "a drink" beside it."""
    home = table.homes.get(mention.name)
    if home and any(home in (g.place, *([g.source] if g.only else ()), *_homes(g, table)) for g in all_goals):
        return True  # "where the toys are"
    some = [g for g in goals if g.thing and _about(g, mention, table)]
    if any(map(is_every, some)):
        return True
    return len(some) >= (mention.count or 2)


def _about(goal: Goal, mention: Mention, table: Table) -> bool:
    """Whether a goal may be what a name in the wish asks for."""
    kind = table.kind_in(goal.thing)
    return not kind or mention.name in (kind, table.kinds.get(kind, "")) or table.kinds.get(mention.name) == kind


def given_up_too_soon(ledger: Goals, sights: Sights, table: Table) -> list[Goal]:
    """Goals that the model let go of, as somebody else had seen to them, while what was seen since says otherwise."""

    def seen(goal: Goal, place: str) -> bool:
        return any(table.fits(goal.thing, label, place) for label in sights.seen.get(place, ()))

    def elsewhere(goal: Goal) -> bool:
        return any(place != goal.place and seen(goal, place) for place in sights.seen)

    singles = [goal for goal in ledger.dropped if goal.thing and not is_every(goal) and goal not in ledger.met]
    return [goal for goal in dict.fromkeys(singles) if not seen(goal, goal.place) and elsewhere(goal)]


def left_behind(wish: str, ledger: Goals, sights: Sights, table: Table) -> list[Goal]:
    """What a wish over all of a kind still asks for, when a model that listed single things says that it is done.

    Where the wish names another place than the one that they go to, or they go home, only the places are meant that
    some were fetched from.
    """
    mentions = table.mentions(wish)
    found: list[Goal] = []
    for mention in (m for m in mentions if m.what != "place" and not m.count):
        met = [g for g in ledger.met if g.thing and _about(g, mention, table)]
        if any(map(is_every, met)) or len({g.place for g in met}) != 1:
            continue
        to, sources = met[0].place, dict.fromkeys(g.source for g in met if g.source)
        elsewhere = any(m.what == "place" and m.name != to for m in mentions)
        anywhere = to not in (HOME, table.home(mention.name)) and not elsewhere
        thing = f"{EVERY} {mention.thing}"
        for source in list(sources)[: 1 if anywhere else None]:
            goal = Goal(thing, to, source, only=not anywhere)
            if next_of(goal, (), sights, table):
                found.append(goal)
    return found
