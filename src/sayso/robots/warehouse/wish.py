"""A small model's list held against what code reads of the wish: names, numbers, what is not wanted.

What can only be meant otherwise is mended: a thing that stands there twice though nobody said so, an exception that its
words have no room for. Where the two part in anything else, the person is asked before anything moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sayso.goal import ALL
from sayso.goals.gaps import Gap
from sayso.grounding import said
from sayso.grounding.mentions import Mention, mentions, unnamed
from sayso.robots.warehouse.ledger import Goal
from sayso.robots.warehouse.names import HOME, RANKS, Table


def mended(wish: str, goals: Sequence[Goal], table: Table) -> list[Goal]:
    """The goals as the wish can only mean them."""
    named = mentions(wish, table.names)
    refused = {m.name for m in named if m.denied and m.what == "kind"}
    kept: list[Goal] = []
    for goal in goals:
        if kept.count(goal) < max(1, _times(wish, goal, named, table)):
            spared = tuple(n for n in sorted(refused) if goal.every and table.kinds[n] == _kind(goal, table))
            kept.append(replace(goal, but=spared))
    return [g for g in kept if not _idle(g, table)] or kept


def _times(wish: str, goal: Goal, named: Sequence[Mention], table: Table) -> int:
    """How often the same may be wanted: as often as it is named, and as anything said about numbers allows."""
    read = said.read(wish)
    some = [m for m in named if _about(goal, m, table)]
    counted = any(m.count == ALL or (m.count or 0) > 1 for m in named)
    if counted or any(q.value > 1 for q in read.quantities) or {*read.words} & {*said.table()["mentions"]["again"]}:
        return len(wish)
    return sum(not m.withdrawn and (m.article != "the" or m is some[0]) for m in some)


def gaps(wish: str, goals: Sequence[Goal], table: Table) -> list[Gap]:
    """Where a list and its wish part, as far as code reads the wish."""
    named = mentions(wish, table.names)
    found = [*_refused(goals, named, table), *_left_out(goals, named, table), *_places(wish, goals, named, table)]
    found += [*_ranks(wish, goals, table), *_vague(wish, goals, named, table), *_numbers(goals, named, table)]
    found += [Gap("nothing", str(g)) for g in goals if _idle(g, table)]
    return list(dict.fromkeys(found))


def _kind(goal: Goal, table: Table) -> str:
    return table.kind_in(goal.thing)


def _idle(goal: Goal, table: Table) -> bool:
    """Whether things would only be taken from where they go."""
    home = table.home(_kind(goal, table)) if goal.place == HOME else goal.place
    return bool(goal.thing) and goal.source == home and (not goal.every or goal.only)


def _about(goal: Goal, mention: Mention, table: Table) -> bool:
    """Whether a goal may be what a name in the wish asks for."""
    kind = _kind(goal, table)
    return bool(goal.thing) and (
        not kind or mention.name in (kind, table.kinds.get(kind, "")) or table.kinds.get(mention.name) == kind
    )


def _refused(goals: Sequence[Goal], named: Sequence[Mention], table: Table) -> Iterator[Gap]:
    """What is named only as not wanted is in no goal; nor is anything taken from where it is said not to be."""
    wanted = {m.name for m in named if not m.denied}
    for mention in (m for m in named if m.denied and m.name not in wanted):
        for goal in goals:
            place = goal.source if mention.elsewhere else goal.place
            kind = _kind(goal, table)
            thing = mention.name in (kind, table.kinds.get(kind, "")) and mention.name not in goal.but
            if place == mention.name if mention.what == "place" else goal.thing and thing:
                yield Gap("refused", mention.name)


def _left_out(goals: Sequence[Goal], named: Sequence[Mention], table: Table) -> Iterator[Gap]:
    """Every thing that is named is in a goal, as often as was said, and every place that is spoken of."""
    live = [m for m in named if not m.denied and not m.withdrawn]
    kinds = {m.name for m in live if m.what == "kind"}
    spoken_for = [g for g in goals if _kind(g, table) in kinds]
    for mention in live:
        if mention.what == "place":
            if mention.spoken and not any(mention.name in _ends(g, table, to=mention.to) for g in goals):
                yield Gap("left_out", mention.name)
            continue
        home = table.home(mention.name) if mention.what == "category" else ""
        if home and any(home in _ends(g, table, only=True) for g in goals):
            continue  # "where the toys are"
        some = [g for g in goals if (mention.what == "kind" or g not in spoken_for) and _about(g, mention, table)]
        least = 2 if mention.count == ALL else mention.count or 1
        if mention.what == "category" and least > 1:
            some = [g for g in goals if _about(g, mention, table)]
        if not any(g.every for g in some) and len(some) < least:
            many = {ALL: "every", None: "", 1: ""}.get(mention.count, str(mention.count))
            yield Gap("left_out", " ".join(filter(None, (many, mention.colour, mention.name))))


def _ends(goal: Goal, table: Table, only: bool = False, to: bool = False) -> list[str]:
    """Where a goal goes, and, unless only `to` counts, where from; with `only` no place that is merely looked at."""
    home = table.home(_kind(goal, table))
    homes = [] if goal.place != HOME else [home] if home else list(table.homes.values())
    return [goal.place, *homes, *([goal.source] if not to and (goal.only or not only) else [])]


def _places(wish: str, goals: Sequence[Goal], named: Sequence[Mention], table: Table) -> Iterator[Gap]:
    """Nothing goes where nobody said: by name, by what is there, by what a place is for, or home."""
    read, purposes = said.read(wish), said.table()["purposes"]
    known = {m.name for m in named} | {table.home(m.name) for m in named if m.what == "category"}
    for goal in goals:
        uses = ["go"] if not goal.thing else [table.purpose.get(goal.place, "")]
        meant = any(read.says(phrase) for use in uses for phrase in purposes.get(use, ()))
        home = bool(goal.thing) and goal.place in (HOME, table.home(_kind(goal, table)))
        if not goal.thing and not meant:
            yield Gap("unsaid", f"go to the {goal.place}")
        if goal.thing and not (home or meant or goal.place in known):
            yield Gap("unsaid", goal.place)


def _ranks(wish: str, goals: Sequence[Goal], table: Table) -> Iterator[Gap]:
    """A superlative in a goal is one that was said, and one that was said in a goal that does not name the thing."""
    ranks = said.read(wish).ranks
    used = {rank for goal in goals for word in goal.thing.split() if (rank := RANKS.get(word, ""))}
    yield from (Gap("unsaid", rank) for rank in sorted(used - {*ranks}))
    general = any(_kind(goal, table) in table.homes for goal in goals)
    yield from (Gap("left_out", word) for word in ranks.values() if general and not used)


def _vague(wish: str, goals: Sequence[Goal], named: Sequence[Mention], table: Table) -> Iterator[Gap]:
    """A mere category is not enough where the wish describes which of it: "one that is light", "not a heavy one"."""
    described = unnamed(wish, table.names) or any(m.described for m in named)
    for goal in goals:
        if described and goal.thing in table.homes:
            yield Gap("which", goal.thing)


def _numbers(goals: Sequence[Goal], named: Sequence[Mention], table: Table) -> Iterator[Gap]:
    """Every one is not meant where one was asked for."""
    for goal in (g for g in goals if g.every):
        some = [m for m in named if m.name == _kind(goal, table) and not m.denied]
        if some and all(m.count == 1 or m.article in ("a", "an") for m in some):
            yield Gap("unsaid", goal.thing)
