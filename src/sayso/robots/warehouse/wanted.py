"""The goal of a warehouse mission, in the language of goals: what it is judged by, and what is said back."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sayso.goal import ALL, ANYTHING, IT, All, Any, Clause, Each, Pred, Then, Which
from sayso.goals.clauses import several
from sayso.grounding.lexicon import means
from sayso.robots.warehouse.ledger import HAND, Goal
from sayso.robots.warehouse.names import HOME, MISPLACED, RANKS, Table, parted
from sayso.robots.warehouse.notes import Sights


def wanted(goals: Sequence[Goal], sights: Sights) -> Clause | None:
    """The goals as one clause: things in any order, where the robot ends behind them; None where there are none.

    What goes on from where another goal has brought it is the same thing, and has been at both places.
    """
    parts, left, table = list[Clause](), [g for g in goals if g.thing], sights.table
    while left:
        chain = [left.pop(0)]
        while after := next((g for g in left if _goes_on(chain[-1], g, sights)), None):
            left.remove(after)
            chain.append(after)
        if len(chain) > 1:
            ways = tuple(Pred("placed", (Which(IT), Which(goal.place))) for goal in chain)
            parts.append(Each(which(chain[0], table), Then(ways)))
        elif chain[0].every:
            some = [part for goal in _kinds(chain[0]) for part in _every(goal, sights)]
            seen = [part for part in some if part.args[1:] != (Which(HOME),)]
            parts += seen or some
        elif chain[0].place == HAND:
            parts.append(several(Any, [Pred("holding", (which(goal, table),)) for goal in _kinds(chain[0])]))
        else:
            alike = [g for g in left if g == chain[0]]
            left = [g for g in left if g != chain[0]]
            kinds = _kinds(chain[0])
            if len(kinds) > 1 and alike:
                those = tuple(which(goal, table) for goal in kinds)
                parts.append(Pred("placed", (Which(count=1 + len(alike), among=those), Which(chain[0].place))))
            else:
                parts.append(several(Any, [_some(goal, 1 + len(alike), sights) for goal in kinds]))
    if stands := [Pred("visited", (Which(g.place),)) for g in goals if not g.thing]:
        brought = [several(All, parts)] if parts else []
        return several(Then, [*brought, stands[-1]] if not goals[-1].thing else [stands[-1], *brought])
    return several(All, parts) if parts else None


def _no_less(category: str, names: Iterable[str], table: Table) -> list[Which]:
    """Other categories here of which the dictionary says that their things are of this one too: fruit is food."""
    others = {table.kinds.get(n, "") for n in names if means(category, n)} - {category, ""}
    return [Which(other) for other in sorted(others)]


def _kinds(goal: Goal) -> Sequence[Goal]:
    """A goal about one of several kinds as one about each that is not excepted."""
    head, kinds = goal.thing.removesuffix(ANYTHING), [kind for kind in goal.kinds if kind not in goal.but]
    return [replace(goal, thing=f"{head}{kind}", kinds=(), but=()) for kind in kinds] or [goal]


def which(goal: Goal, table: Table) -> Which:
    """The things of a goal; of one that is looked for at a place first, that place is no part."""
    words = goal.thing.split()
    every, kind = goal.every, table.kind_in(goal.thing)
    about = [w for w in goal.thing.removesuffix(kind).split() if w != "every"]
    rank = next((r for w in words if (r := RANKS.get(w, ""))), "")
    traits = tuple(w for w in about if w in table.colours or w == MISPLACED)
    known = kind or not set(words) - {*RANKS, *traits, "every", "thing"}
    return Which(
        (kind or ANYTHING) if known else " ".join(about),
        traits,
        ALL if every else 1,
        rank,
        goal.nth,
        source=goal.source if goal.only else "",
        but=(*map(Which, goal.but), *(Which(kind or ANYTHING, source=p) for p in goal.away)),
    )


def _goes_on(goal: Goal, after: Goal, sights: Sights) -> bool:
    """Whether a goal is about what another one has brought there, as where only one of the kind was ever seen."""
    if sights.table.kind_in(goal.thing) != sights.table.kind_in(after.thing) or after.place == goal.place:
        return False
    if after.source == goal.place:
        return after.only or not after.every
    return goal.thing == after.thing and not goal.every and _only_one(after, sights)


def _only_one(goal: Goal, sights: Sights) -> bool:
    """Whether one thing that may be meant was seen, and no other than what the hand has put down again."""
    table = sights.table
    seen = sum(n for some in sights.ever.values() for name, n in some.items() if table.fits(goal.thing, name))
    again = sum(table.fits(goal.thing, thing) and thing in sights.ever.get(at, ()) for thing, at in sights.put)
    return seen > 0 and seen - again <= 1


def _some(goal: Goal, count: int, sights: Sights) -> Clause:
    """So many are brought; one that is there already is not one of them."""
    table = sights.table
    meant = replace(which(goal, table), count=count)
    there = sum(table.fits(goal.thing, label, goal.place) for label in sights.seen.get(goal.place, ()))
    put = sum(table.fits(goal.thing, thing) for thing, at in sights.put if at == goal.place)
    if there > put and not goal.belongs:
        meant = replace(meant, but=(Which(meant.kind, source=goal.place),))
    return Pred("placed", (meant, Which(goal.place)))


def _every(goal: Goal, sights: Sights) -> Iterator[Pred]:
    """Every one of a sort. Of things that go home, or stand where they do not belong, it is told as soon as the place
    was seen what they are and where that is."""
    table, meant = sights.table, which(goal, sights.table)
    if goal.place != HOME and MISPLACED not in meant.traits:
        yield Pred("placed", (meant, Which(goal.place)))
        return
    plain, known = replace(meant, traits=tuple(t for t in meant.traits if t != MISPLACED)), False
    for place in [goal.source] if goal.only else table.spots:
        seen = (*sights.ever.get(place, ()), *(parted(label)[0] for label in sights.seen.get(place, ())))
        names = dict.fromkeys(seen)
        for category in dict.fromkeys(table.kinds.get(n, "") for n in names if table.fits(goal.thing, n, place)):
            to = table.home(category) if goal.place == HOME else goal.place
            if category and to not in ("", place):
                known = True
                kind = category if plain.kind == ANYTHING else plain.kind
                but = (*plain.but, *_no_less(category, names, table)) if plain.kind == ANYTHING else plain.but
                yield Pred("placed", (replace(plain, kind=kind, source=place, but=but), Which(to)))
    if not known:
        yield Pred("placed", (meant, Which(goal.place)))
