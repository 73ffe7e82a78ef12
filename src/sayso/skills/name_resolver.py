"""The resolver of the names in a reading, by the robot's table: a person, a thing, a place.

A name is looked up in the table (itself, an alias, a slip of the finger), then in the dictionary. A description stays
one, in words that looking for people and things knows. What nothing is called is refused, and said.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sayso.errors import NotUnderstood
from sayso.goal import ALL, ANYTHING, IT, ME, All, Clause, Each, Pred, Relation, Which
from sayso.goals.clauses import changed, mapped, several
from sayso.grounding.inflection import is_are, none_of, ordinal, row
from sayso.grounding.lexicon import called, means, words
from sayso.grounding.matching import ANY_THING, BUT, RELATIONS
from sayso.grounding.names import OPERATOR_NAMES, START_NAMES, Names, bare
from sayso.grounding.people import described, is_person, is_pronoun
from sayso.grounding.phrases import coloured

ANYONE, SOMEWHERE, USUAL = "person", "place", "usual place"
"""Somebody, somewhere, and where it belongs: names that may be read though nobody said them."""

OR = " or "
"""Between the names of kinds of which any is meant."""
CHOICES_MAX = 4
"""Of more than so many things nobody asks which one is meant."""

START = "initial location"
DOORS = "Of a door I only notice on my way whether it is closed."
ROOM = "room"
MAPPED = ("how many", "how many all round", "what is all round", "is it here", "where", "how far")
"""Questions about places that a map answers."""
SIDES = {"beside": "next to", "left_of": "left of", "right_of": "right of", "before": "in front of", "on": "on top of",
         "in": "on top of"}  # fmt: skip
"""Relations as looking for things has them."""


class Nameless(NotUnderstood):
    """What nothing in the table is called, and the robot would not recognise either."""

    def __init__(self, what: str) -> None:
        super().__init__(f"I know of {none_of(what)} here.")
        self.what, self.unseen = what, f"I would not recognise any {what}"


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody who is meant. `text` is a known name, `me`, `it` in a loop, or a description; empty for a pronoun. With
    `anyone` nothing was said but where they are."""

    text: str
    place: str = ""
    named: bool = False
    anyone: bool = False

    @property
    def told(self) -> str:
        """As one says it."""
        return self.text if self.named or self.text == ME else f"the {self.text}"


@dataclass(frozen=True, slots=True)
class What:
    """A thing that is meant. `text` is a name, a category or a description; `place` where it was said to be, `usual`
    where its kind belongs. Of several `choices` one is meant; with `anything` nothing was said but where it is."""

    text: str
    place: str = ""
    usual: str = ""
    choices: tuple[str, ...] = ()
    anything: bool = False
    plain: bool = False
    """Whether a name or a category says it all."""

    @property
    def told(self) -> str:
        return f"the {self.text}"

    @property
    def where(self) -> str:
        """Where to look for it."""
        return self.place or self.usual


def _for_it(one: Which, which: Which) -> Which:
    return one if which.kind == IT else which


class NameResolver:
    """Resolves names by one table. Raises `NotUnderstood` for what nothing is called."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def is_who(self, which: Which) -> bool:
        """Whether it speaks of somebody."""
        said = which.kind
        if said in OPERATOR_NAMES or self.names.person(said):
            return True
        return said not in (IT, *self.names.kinds) and is_person(" ".join((said, *which.traits)))

    def is_place(self, which: Which) -> bool:
        return which.kind in (SOMEWHERE, USUAL) or bool(self.find_place(which.kind))

    def who(self, which: Which) -> Who:
        said = " ".join((which.kind, *which.traits))
        place = self._source(which)
        if which.kind == IT:
            return Who(IT)
        if bare(said) in OPERATOR_NAMES:
            return Who(ME)
        if name := self.names.person(said):
            return Who(name, place, named=True)
        if is_pronoun(which.kind) and not which.traits:
            return Who("", place)
        looks = described(said)
        if not looks or which.but:
            raise NotUnderstood(f"I know nobody called {which.kind}.")
        return Who(looks, place, anyone=looks == ANYONE and not which.rank)

    def what(self, which: Which) -> What:
        which = _related(which)
        place, said = self._source(which), which.kind
        colour, rest = ("", said) if said in self.names.kinds else coloured(said)
        out = [text for w in map(self.what, which.but) for text in w.choices or (w.text,)]
        name, choices = self._thing(rest)
        if choices and len(left := tuple(one for one in choices if one not in out)) < len(choices):
            name, choices, out = (left[0], (), []) if len(left) == 1 else (name, left, [])
        near = f"{SIDES.get(which.relation.word, which.relation.word)} " if which.relation else ""
        on = which.relation.to if which.relation else None
        there = self.find_place(on.kind) if on and which.relation and which.relation.word in ("on", "in") else ""
        if there and place in ("", there):
            place, near, on = there, "", None
        if on:
            near += self.what(on).text
            place = place or self.what(on).usual
        if which.nth != 1:
            raise NotUnderstood(
                f"I only tell which is the {which.rank}, and not which is the {ordinal(which.nth)} one."
            )
        if which.rank and name == ANYTHING and not (place or on):
            raise NotUnderstood(f"I do not see everything at once. Where should I look for the {which.rank} thing?")
        anything = name == ANYTHING and not (which.rank or which.traits or colour or on)
        head = "object" if name == ANYTHING else name
        text = " ".join(w for w in (which.rank, *which.traits, colour, head, near) if w)
        if out:
            if text in out:
                raise NotUnderstood(f"I do not know which {text} {is_are(text)} meant.")
            text = f"{text}{BUT}{' or '.join(out)}"
        plain = text in (*self.names.kinds, *self.names.categories)
        return What(text, place, self.usual(name), choices, anything, plain)

    def one_by_one(self, goal: Clause) -> Clause:
        """The goal with each kind by its own name, where all kinds that a name stands for are meant: both juices."""
        match goal:
            case Each(some, body) if each := self._each(some):
                return several(All, [mapped(body, partial(_for_it, one)) for one in each])
            case Pred(name, (Which() as which, *rest)) if each := self._each(which):
                return several(All, [Pred(name, (one, *rest)) for one in each])
        return changed(goal, self.one_by_one)

    def _each(self, which: Which) -> list[Which]:
        """Each of the kinds that a name stands for, where all of them are meant."""
        if which.count == 1 or self.is_who(which) or self.is_place(which):
            return []
        kinds = self.what(replace(which, count=1)).choices
        every = ALL if which.count == ALL else 1
        return [replace(which, kind=kind, count=every) for kind in kinds] if which.count in (ALL, len(kinds)) else []

    def place(self, which: Which) -> str:
        """A place's name, the start, or `SOMEWHERE` and `USUAL`."""
        if which.kind in (SOMEWHERE, USUAL):
            return which.kind
        if bare(which.kind) in (*START_NAMES, *OPERATOR_NAMES, "here"):
            return START
        if found := self.find_place(which.kind):
            return found
        if some := called(which.kind, self.names.places):
            raise NotUnderstood(f"Which {which.kind} do you mean: {row([f'the {p}' for p in some], OR.strip())}?")
        raise NotUnderstood(f"I know no place called {which.kind}.")

    def find_place(self, said: str, of: str = "") -> str:
        """The place that is called so; of several the one where things `of` that name belong. Empty for none."""
        if found := self.names.place(said):
            return found.name
        meant, usual = called(said, self.names.places), self.usual(self.names.thing(of) or self.names.category(of))
        return usual if usual in meant else meant[0] if len(meant) == 1 else ""

    def places_asked_of(self, question: str, which: Which) -> Sequence[str]:
        """The places and doors of which the map tells what is asked: one by its name, or several by a word for them."""
        said, last = which.kind, words(which.kind)[-1:]
        if question not in MAPPED or which.relation or which.source or self.names.thing(said):
            return []
        if not last or self.names.category(said):
            return []
        if said in self.names.places:
            return [said]
        if last == (ROOM,) and words(said) == last:
            return self.rooms()
        known = [*self.names.places, *(name for name, _ in self.names.doors)]
        some = [one for one in known if words(said) == last == words(one)[-1:]]
        return some or [one for one in [self.find_place(said)] if one]

    def doors(self, which: Which) -> str:
        """The door that is meant."""
        room = self.find_place(which.kind.replace("door", "").strip() or SOMEWHERE)
        known = [name for name, _ in self.names.doors]
        return next((name for name in known if room and name.startswith(room)), which.kind)

    def rooms(self) -> list[str]:
        return [p.name for p in self.names.places.values() if p.is_room]

    def furnished(self) -> list[str]:
        """The rooms in which things stand on something."""
        return [room for room in self.rooms() if self.names.within(room)]

    def size_m(self, which: Which) -> Sequence[float] | None:
        """Length, width and height of a kind of thing, where they are known."""
        size: Sequence[float] | None = self.names.kinds.get(self.what(which).text, {}).get("size_m")
        return size

    def _source(self, which: Which) -> str:
        beside = which.relation.to if which.relation else None
        if source := which.source or (beside.source if beside else ""):
            return self.place(Which(source))
        return self.find_place(beside.kind) if beside and self.is_place(beside) else ""

    def _thing(self, said: str) -> tuple[str, tuple[str, ...]]:
        """What a name stands for, and the several of which one is meant."""
        if said in (ANYTHING, "this", "that", *ANY_THING):
            return ANYTHING, ()
        if OR in said and all(one in self.names.kinds for one in said.split(OR)):
            return said, tuple(said.split(OR))
        if found := self.names.thing(said) or self.names.category(said):
            return found, ()
        kinds = [k for k in self.names.kinds if words(k)[-1:] == words(said)[-1:] or means(said, k)]
        kinds = kinds if len(kinds) <= CHOICES_MAX else []
        kinds = kinds or [c for c in self.names.categories if means(said, c)]
        if len(kinds) == 1:
            return kinds[0], ()
        if kinds:
            return said, tuple(kinds)
        if any(words(door)[-1:] == words(said)[-1:] for door, _ in self.names.doors):
            raise NotUnderstood(DOORS)
        if called(said, self.names.places):
            raise NotUnderstood(f"The {self.place(Which(said))} is a place, and nothing that I could take or look for.")
        raise Nameless(said)

    def usual(self, name: str) -> str:
        """Where things of that name belong."""
        found = self.names.usual_place(name)
        return found.name if found else ""


def unseen(looked: Collection[str], table: Mapping[str, Any]) -> list[str]:
    """The rooms with something to put things on, none of which is among what was looked at."""
    on: dict[str, list[str]] = defaultdict(list)
    for place in table["places"]:
        if place.get("placement"):
            on[place["room"]].append(place["name"])
    return [room for room, names in on.items() if not any(n in looked for n in names)]


def _related(which: Which) -> Which:
    """A name that tells by what it stands as what it names, and by what that stands."""
    for word in RELATIONS if which.relation is None else ():
        head, found, other = which.kind.partition(f" {word} ")
        if found:
            return replace(which, kind=head, relation=Relation(word, Which(bare(other))))
    return which
