"""What words of a wish mean in a warehouse: which of its things, and which of its places.

A phrase is read with the table of names, then with the dictionary. A place may be told by what is there ("among the
toys"), by what it is for ("ship it"), or by a thing that stands there. What only a description can tell ("something
sour") is left to the model's common sense, which is asked about the names of things; see `reading`.
"""

from __future__ import annotations

from sayso.errors import NotUnderstood
from sayso.goal import ANYTHING, Which
from sayso.grounding.lexicon import means
from sayso.grounding.mentions import mentions
from sayso.grounding.said import read, stem
from sayso.grounding.said import table as words_of
from sayso.robots.warehouse.names import ANYTHING as ANY_THING
from sayso.robots.warehouse.names import HOME, THING, Table

ME, OR = "me", " or "


def place_in(phrase: str, table: Table) -> str:
    """The place that is meant. Raises `NotUnderstood` for none."""
    if phrase in table.places:
        return phrase
    if phrase == HOME:
        raise NotUnderstood("I do not know which place that is.")
    named = [m for m in mentions(phrase, table.names) if not m.withdrawn] or mentions(phrase, table.names)
    if places := [m.name for m in named if m.what == "place"]:
        return places[-1]
    if phrase == ME:
        return _for("box", table) or _for("out", table)
    if homes := [table.home(m.name) for m in named if table.home(m.name)]:
        return homes[-1]
    read_, purposes = read(phrase), words_of()["purposes"]
    for use, phrases in purposes.items():
        if (place := _for(use, table)) and any(read_.says(p) for p in phrases):
            return place
    if found := next((p for p in table.places if means(phrase, p)), ""):
        return found
    raise NotUnderstood(f"I know no place called {phrase}; there are {', '.join(table.places)}.")


def start_of(table: Table) -> str:
    """Where the robot began."""
    return _for("start", table) or table.places[0]


def _for(use: str, table: Table) -> str:
    return next((p for p, what in table.purpose.items() if what == use), "")


def thing_in(which: Which, table: Table) -> tuple[str, tuple[str, ...]]:
    """The kind or category that is meant, and the names where it can be one of several. Raises `NotUnderstood` where
    nothing is called so, and where a description tells which one and nothing tells what that is."""
    kind, kinds = named_in(which.kind, table)
    if not kind or told_apart(which.kind, table):
        raise NotUnderstood(f"I do not know what {which.kind} is.")
    if which.rank and kinds:  # of a few that were named, which one it is can be told from here
        order = sorted(kinds, key=lambda k: table.sizes.get(k, 0.0), reverse=which.rank != "smallest")
        return order[min(which.nth, len(order)) - 1], ()
    return kind, kinds


def colours_in(phrase: str, table: Table) -> list[str]:
    """Colours in front of what is meant, or behind "something"; an orange is one itself, above all among other
    fruit."""
    said = phrase.split()
    looks = said if said[-2:-1] and said[-2] in words_of()["mentions"]["looks"] else said[:-1]
    return [] if OR in phrase else [w for w in looks if w in table.colours]


def named_in(phrase: str, table: Table) -> tuple[str, tuple[str, ...]]:
    """What a phrase names: a kind, a category, any thing, or one of several kinds; an empty kind for nothing."""
    if phrase in table.kinds or phrase in table.homes:
        return phrase, ()
    named = mentions(phrase, table.names)
    if kinds := list(dict.fromkeys(m.name for m in named if m.what == "kind")):
        return (kinds[0], ()) if len(kinds) == 1 else (THING, tuple(kinds))
    if categories := [m.name for m in named if m.what == "category"]:
        return categories[-1], ()
    if homes := [c for m in named for c, home in table.homes.items() if m.what == "place" and home == m.name]:
        return homes[0], ()  # "but the toy rack": what belongs there
    left = [w for w in phrase.split() if w not in (*_small(), *table.colours)]
    if not left:
        return THING, ()
    rest = " ".join(left)
    called = [(alias, n) for alias, n in table.aliases if n in table.kinds or n in table.homes]
    called += [(n, n) for n in (*table.kinds, *table.homes)]
    alike = list(dict.fromkeys(n for alias, n in called if means(rest, alias)))
    if kinds := [n for n in alike if n in table.kinds]:
        return (kinds[0], ()) if len(kinds) == 1 else (THING, tuple(kinds))
    return (alike[0] if alike else ""), ()


def told_apart(phrase: str, table: Table) -> bool:
    """Whether a phrase describes what is meant, and no name in it tells: "a fruit that is sour", "something soft"."""
    kind, kinds = named_in(phrase, table)
    if not kind:
        return True
    if kinds or kind in table.kinds:
        return False
    known = {w for n in table.names for w in n.words} | {stem(w) for w in (*_small(), *table.colours)}
    return any(stem(w) not in known for w in phrase.split())


def _small() -> tuple[str, ...]:
    """Words that stand for any thing, and small words around a name."""
    said = words_of()
    return (ANYTHING, *ANY_THING, *said["mentions"]["article"], *said["phrases"]["anything"], *said["phrases"]["again"],
            *said["mentions"]["all"], OR.strip(), "and")  # fmt: skip


def kinds_of(phrase: str, table: Table) -> list[str]:
    """The names among which a description chooses: those of a category that it names, else all."""
    categories = {m.name for m in mentions(phrase, table.names) if m.what == "category"}
    return [k for k, c in table.kinds.items() if not categories or c in categories]
