"""The robot's table of names for a planner of steps: things, where each belongs, and what words of a list mean.

Of a list only words are compared, and only words that the robot was told: a planner without a table takes a model at
its word. A phrase of a wish is read with the table, then with the dictionary. A place may be told by what is there
("among the toys"), by what it is for ("ship it"), or by a thing that stands there. What only a description can tell
("something sour") is left to the model's common sense, which is asked about the names of things; see `form`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sayso.errors import NotUnderstood
from sayso.goal import ANYTHING, ME, Clause, Which
from sayso.goals.clauses import mapped
from sayso.grounding.inflection import row
from sayso.grounding.lexicon import called, known, means, traits
from sayso.grounding.mentions import Name, mentions
from sayso.grounding.utterance import read, stem, table
from sayso.tables import toml
from sayso.understanding.errands import Vocabulary

EVERY, MISPLACED, HOME, OR = "every", "misplaced", "home", " or "
VAGUE = (*table()["vague"]["things"], "everything")

RANKS = {"smallest": "smallest", "biggest": "largest", "largest": "largest", "tallest": "tallest"}
"""A superlative before a thing, as a list that a model writes has it, and as goals do."""

SORTS_MAX = 2
"""Of things of more sorts than this nobody can tell which one is meant."""

_LABEL = re.compile(r"(.+?) \((.+?)\)$")


class Table:
    """Kinds of things with their category, where each category belongs, places and what for, colours, other names.

    What a place is for is told where it is no home of a kind of things. Colours are those of the table and of any rack.

    `spots` can be put on, `tables` are where a category belongs and nothing else does. `sizes` are how large a thing of
    each kind is, in metres, and `paint` its usual colour, where that is known.
    """

    def __init__(self, known: Mapping[str, Any]) -> None:
        places, kinds, categories = (known.get(k, ()) for k in ("places", "objects", "categories"))
        every = [("place", places), ("kind", kinds), ("category", categories)]
        said = [(w, what, e["name"]) for what, es in every for e in es for w in (e["name"], *e.get("aliases", ()))]
        stocked, painted = table()["traits"]["stocked"], (str(k.get("paint", "")).split() for k in kinds)
        self.places: Sequence[str] = [p["name"] for p in places]
        self.spots: Sequence[str] = [p["name"] for p in places if p.get("placement")]
        self.purpose = {p["name"]: p.get("kind") if p.get("kind") in table()["purposes"] else "" for p in places}
        self.homes: Mapping[str, str] = {c["name"]: c.get("place", "") for c in categories}
        self.above: Mapping[str, str] = {c["name"]: c["of"] for c in categories if "of" in c}
        self.tables = frozenset(p["name"] for p in places if p.get("kind") == "home")
        self.kinds: Mapping[str, str] = {k["name"]: k.get("category", "") for k in kinds}
        self.colours = frozenset[str]().union(stocked, *painted)
        self.names = [Name.of(*one) for one in said]
        self.sizes: Mapping[str, float] = {k["name"]: max(k["size_m"]) for k in kinds if k.get("size_m")}
        self.paint: Mapping[str, str] = {k["name"]: k["paint"] for k in kinds if k.get("paint")}
        things = (*self.kinds, *self.homes)
        also = [(word.lower(), name) for word, _, name in said if word != name and name in things]
        self._called = [*sorted(also, key=lambda one: -len(one[0])), *((name, name) for name in things)]

    def kind_in(self, thing: str) -> str:
        """The kind or category at the end of a description; empty for a thing of any kind."""
        fitting = [n for n in (*self.kinds, *self.homes) if thing == n or thing.endswith(f" {n}")]
        return max(fitting, key=len, default="")

    def home(self, name: str) -> str:
        """Where a kind or a category belongs."""
        return self.homes.get(self.kinds.get(name, name), "")

    def misplaced(self, name: str, place: str) -> bool:
        """Whether a kind of thing is on the table of another one there."""
        return place in self.tables and self.home(name) not in ("", place)

    def fits(self, thing: str, label: str, place: str = "") -> bool:
        """Whether a thing seen at a place, such as `apple (red)`, can be what a goal calls so."""
        name, colour = parted(label)
        wanted = thing.removeprefix(f"{EVERY} ")
        kind, words = self.kind_in(wanted), wanted.split()
        if MISPLACED in words and not self.misplaced(name, place):
            return False
        if kind not in ("", name, self.kinds.get(name, "")):
            return False
        if not kind and words[-1:] and words[-1] not in (*VAGUE, *self.colours):
            return thing == name
        asked = [w for w in wanted.removesuffix(kind).split() if w in self.colours]
        return not colour or all(w in colour.split() for w in asked)

    # What words of a wish mean

    def place_in(self, phrase: str) -> str:
        """The place that is meant. Raises `NotUnderstood` for none."""
        if phrase in self.places:
            return phrase
        if phrase == HOME:
            raise NotUnderstood("I do not know which place that is.")
        named = [m for m in mentions(phrase, self.names) if not m.withdrawn] or mentions(phrase, self.names)
        if places := [m.name for m in named if m.what == "place"]:
            return places[-1]
        if phrase == ME:
            return self._for("box") or self._for("out")
        if homes := [self.home(m.name) for m in named if self.home(m.name)]:
            return homes[-1]
        said = read(phrase)
        for use, phrases in table()["purposes"].items():
            if (place := self._for(use)) and any(said.says(p) for p in phrases):
                return place
        if len(some := called(phrase, self.places)) > 1:
            raise NotUnderstood(f"Which {phrase} do you mean: {row([f'the {p}' for p in some], 'or')}?")
        if found := next(iter(some), "") or Vocabulary(self.names).place(phrase):
            return found
        raise NotUnderstood(f"I know no place called {phrase}; there are {', '.join(self.places)}.")

    def received(self, phrase: str) -> str:
        """The place where things come in, where it is said that they do."""
        said = read(phrase)
        return self._for("in") if any(said.says(p) for p in table()["purposes"]["in"]) else ""

    def sparing(self, goal: Clause, wish: str) -> Clause:
        """The goal with what the wish says is not meant as an exception of all that it may be one of."""
        said = mentions(wish, self.names)
        spared = dict.fromkeys(m.name for m in said if m.denied and not m.absent and m.what == "kind")

        def but(which: Which) -> Which:
            out = [self.named_in(one.kind)[0] for one in which.but]
            of = [n for n in spared if which.kind in (ANYTHING, self.kinds[n]) and n not in out]
            return replace(which, but=(*which.but, *map(Which, of)))

        return mapped(goal, but)

    @property
    def start(self) -> str:
        """Where the robot began."""
        return self._for("start") or self.places[0]

    def _for(self, use: str) -> str:
        return next((p for p, what in self.purpose.items() if what == use), "")

    def thing_in(self, which: Which) -> tuple[str, tuple[str, ...]]:
        """The kind or category that is meant, and the names where it can be one of several. Raises `NotUnderstood`
        where nothing is called so, and where a description tells which one and nothing tells what that is."""
        kind, kinds = self.named_in(which.kind)
        if not kind or self.told_apart(which.kind):
            told = "I know of no {} here." if known(which.kind) else "I do not know what {} is."
            raise NotUnderstood(told.format(which.kind))
        sorts = dict.fromkeys(self.kinds[n] for n in kinds) or self.homes
        out = {one.kind for one in which.but}
        if len(sorts) > SORTS_MAX and (kinds or (out and which == Which(ANYTHING, but=which.but))):
            some = row([f"a {one}" for one in sorts if one not in out], "or")
            raise NotUnderstood(f"That may be many things. Which kind do you mean: {some}?")
        if which.rank and kinds:  # of a few that were named, which one it is can be told from here
            order = sorted(kinds, key=lambda k: self.sizes.get(k, 0.0), reverse=which.rank != "smallest")
            return order[min(which.nth, len(order)) - 1], ()
        return kind, kinds

    def colours_in(self, phrase: str) -> list[str]:
        """Colours in front of what is meant, or behind "something"; an orange among fruit is none."""
        said = phrase.split()
        looks = said if said[-2:-1] and said[-2] in table()["mentions"]["looks"] else said[:-1]
        return [] if OR in phrase else [w for w in looks if w in self.colours]

    def named_in(self, phrase: str) -> tuple[str, tuple[str, ...]]:
        """What a phrase names: a kind, a category, any thing, or one of several kinds; an empty kind for nothing."""
        uses = toml("sayso.grounding", "things.toml")["uses"]
        for sort, of in self.above.items():  # fruit is food too, and something to eat
            if phrase == of or phrase.endswith(tuple(uses.get(of, ()))):
                return ANYTHING, tuple(n for n, c in self.kinds.items() if c in (of, sort))
        if phrase in self.kinds or phrase in self.homes:
            return phrase, ()
        named = mentions(phrase, self.names)
        if kinds := list(dict.fromkeys(m.name for m in named if m.what == "kind")):
            return (kinds[0], ()) if len(kinds) == 1 else (ANYTHING, tuple(kinds))
        if categories := [m.name for m in named if m.what == "category"]:
            like = [way for way in traits() if f" {way} " in f" {phrase} "]  # a fizzy drink
            some = [n for n, c in self.kinds.items() if c == categories[-1] and all(means(way, n) for way in like)]
            return (ANYTHING, tuple(some)) if like and some else (categories[-1], ())
        if homes := [c for m in named for c, home in self.homes.items() if m.what == "place" and home == m.name]:
            return homes[0], ()  # "but the toy rack": what belongs there
        left = [w for w in phrase.split() if w not in (*_small(), *self.colours)]
        if not left:
            return ANYTHING, ()
        rest = " ".join(left)
        alike = list(dict.fromkeys(name for word, name in self._called if means(rest, word)))
        kinds, sorts = [n for n in alike if n in self.kinds], [n for n in alike if n in self.homes]
        if kinds and not (len(sorts) == 1 and all(self.kinds[n] == sorts[0] for n in kinds)):  # a present is a toy
            return (kinds[0], ()) if len(kinds) == 1 else (ANYTHING, tuple(kinds))
        return (sorts[0] if sorts else Vocabulary(self.names).named(left, ("kind", "category"))), ()

    def told_apart(self, phrase: str) -> bool:
        """Whether a phrase describes what is meant, and no name in it tells: "a fruit that is sour"."""
        kind, kinds = self.named_in(phrase)
        if not kind:
            return True
        if kinds or kind in self.kinds:
            return False
        known = {w for n in self.names for w in n.words} | {stem(w) for w in (*_small(), *self.colours)}
        return any(stem(w) not in known for w in phrase.split())

    def kinds_of(self, phrase: str) -> list[str]:
        """The names among which a description chooses: those of a category that it names, else all."""
        categories = {m.name for m in mentions(phrase, self.names) if m.what == "category"}
        return [k for k, c in self.kinds.items() if not categories or c in categories]


def parted(label: str) -> tuple[str, str]:
    """`apple (red)` as name and colour."""
    found = _LABEL.match(label)
    return (found[1], found[2]) if found else (label, "")


def _small() -> tuple[str, ...]:
    """Words that stand for any thing, and small words around a name."""
    said = table()
    return (ANYTHING, *VAGUE, *said["mentions"]["article"], *said["phrases"]["anything"], *said["phrases"]["again"],
            *said["mentions"]["all"], OR.strip(), "and")  # fmt: skip
