"""Phrases for things, read by code to the last word: which things each means.

"the second chair from the left", "the tallest person in green", "all chairs but the red one", "the plant or the sofa":
each is a `Which`. The words are in `grounding/things.toml`; what is not read whole is read by somebody else.
"""

import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from sayso.errors import Unclear
from sayso.goal import ALL, ANYTHING, YOU, Relation, Which
from sayso.grounding import amounts, numbers, pattern
from sayso.grounding.lexicon import aliases, kind, known, packed, traits, words
from sayso.grounding.people import is_person
from sayso.grounding.phrases import fitting
from sayso.grounding.tokens import Token, tokens
from sayso.grounding.utterance import PERSON, table
from sayso.tables import toml

NAME_WORDS_MAX = 3
UNORDERED = "Which one is the {}: counted from the left, or from the nearest?"


Called: TypeAlias = Callable[[Sequence[str]], str]
"""What words are the name of, in a table that has all the names that there are; empty for none."""


def which(phrase: str, names: Collection[str] = (), bare: str = "", called: Called | None = None) -> Which | None:
    """The things that a phrase means; None where a word of it is not read.

    `names` are what things may be called besides what a dictionary has, `bare` is the kind that is meant where none is
    said ("the tallest"). With `called` nothing else is a name. Raises `Unclear` for an ordinal of which nobody knows
    what it counts from.
    """
    said = tokens(phrase)
    if called:
        return _Phrase(said, frozenset(), bare, called).whole()
    return _one_of_two(said, names) or _Phrase(said, frozenset(map(kind, names)), bare).whole()


def _one_of_two(said: Sequence[Token], names: Collection[str]) -> Which | None:
    """ "the lamp or the bench, whichever is closer"."""
    for found in (one for say in _table()["pick"]["say"] for one in pattern.pattern(say).readings(said)):
        rank = compared(str(found.slots["more"]))
        some = [which(str(found.slots[slot]), names) for slot in ("a", "b")] if rank else []
        if some and some[0] and some[1]:
            return Which(rank=rank, among=(some[0], some[1]))
    return None


def apart(one: Which, other: Which) -> bool:
    """Whether their colours tell that no thing is both: the red chair is never the black one."""
    first, second = (({*w.traits} & _colours()) or ({*w.kind.split()[:-1]} & _colours()) for w in (one, other))
    alike = one.kind.split()[-1:] == other.kind.split()[-1:]
    return alike and bool(first and second) and not first & second


def compared(more: str) -> str:
    """The superlative that a comparison asks for; empty where it is none."""
    ways = {word: rank for rank, said in _table()["more"].items() for word in said}
    tails = ("", *(f" {tail}" for tail in _table()["away"]["words"]))
    return next((ways[one] for tail in tails if (one := more.removesuffix(tail)) in ways), "")


def rank_of(most: str) -> str:
    """The rank that a superlative asks for; empty for one that no look and no table decides."""
    ways = [row for section in ("ranks", "weighs", "more") for row in _table()[section].items()]
    return next((rank for rank, said in ways if most in said), "")


class _Phrase:
    """One phrase, from left to right; `_at` is the token that comes next."""

    def __init__(self, words: Sequence[Token], names: frozenset[str], bare: str, called: Called | None = None) -> None:
        self._tokens, self._names, self._bare, self._called, self._at = words, names, bare, called, 0
        self._words = [t.text for t in words]
        self._aside = False
        """Whether it only tells which one another is: what is excepted behind it is of that one."""
        self._one_of_them = False
        """Whether one of several is meant: "the taller of the two"."""

    def whole(self) -> Which | None:
        found = self._which()
        return found if found is not None and self._at == len(self._words) else None

    def _which(self) -> Which | None:
        found = self._picked(self._counted())
        noun = self._noun()
        if not noun or (noun == _ONE and not self._next and self._words[self._at - 1 : self._at] in _nothing()):
            return None
        beside = self._one_of_them and noun != _ONE and found.rank in ("leftmost", "rightmost")
        of_one = not (self._called or _several(self._words[self._at - 1]))
        if (found.count > 1 or beside) and "of" in self._words[: self._at] and of_one:
            return None  # "two of the plant" are pictures, "the left of the plant" is a place
        if found.count == 1 and not self._one_of_them and self._all_of_them(noun):
            found = replace(found, count=ALL)
        found = replace(found, kind=noun)
        while self._next and (more := self._told(found)) is not None:
            found = more
        if found.kind == _ONE:
            people = _WORN in found.traits
            found = replace(found, kind="person" if people else self._bare)
        if found.nth != 1 and not found.rank:
            nth = next((word for word, n in _table()["ordinals"].items() if str(n) == str(found.nth)), found.nth)
            raise Unclear(UNORDERED.format(f"{nth} {found.kind}"))
        return replace(found, traits=tuple(t for t in found.traits if t != _WORN)) if found.kind else None

    def _all_of_them(self, noun: str) -> bool:
        """Whether several are told by no number: "the chairs", of a table that has potato chips "any chips" too, and
        there "the chips" may be one bag."""
        said = {"the", "any"} if self._called else {"the", "these", "those"}
        if self._called and _several(noun.split()[-1]):
            said = {"any"}
        return bool(said & {*self._words[: self._at]}) and _several(self._words[self._at - 1])

    # Before the noun

    def _counted(self) -> Which:
        """How many are meant."""
        count, first = 1, _table()["first"]
        while said := self._next:
            if said in first["all"] and count > 1:
                raise Unclear(f"Do you mean {count} of each, or all of them?")
            if said in first["all"]:
                count = ALL
                if said in (*first["people"], *first["anything"]):
                    break
            elif said in first["both"]:
                count = 2
            elif (
                count == ALL and said in _table()["nouns"]["one"] and self._words[self._at + 1 : self._at + 2] == ["of"]
            ):
                pass  # "every one of the chairs"
            elif said not in first["articles"]:
                number = numbers.read(self._tokens, self._at)
                if number is None or number.article or number.value != int(number.value) or number.value < 1:
                    break
                if said in _table()["nouns"]["one"] and not self._named(self._at + 1, 1):
                    break
                count, self._at = int(number.value), number.end - 1
            self._at += 1
        return Which(count=count)

    def _picked(self, found: Which) -> Which:
        """Ordinals, superlatives and colours, in any order."""
        while word := self._next:
            if (nth := _table()["ordinals"].get(word)) is not None:
                found = replace(found, nth=int(str(nth)))
                self._at += 1
            elif rank := self._one_of("ranks") or (self._called and self._one_of("weighs")) or self._one_of("more"):
                found = replace(found, rank=rank)
                self._one_of_them = bool(self._phrase(_table()["of"]["words"]))
            elif middle := self._middle():
                found, self._one_of_them = replace(found, rank="leftmost", nth=middle), True
            elif (  # a noun may come: an orange alone is a fruit
                word in _colours()
                and {*self._words[self._at + 1 : self._at + 2]} - {*_table()["wears"]["words"]}
                and self._tabled()[1] < 2
            ):
                found = replace(found, traits=(*found.traits, word))
                self._at += 1
            else:
                break
        return found

    def _middle(self) -> int:
        """Which one from the left that is, of a number; 0 for none. Raises `Unclear` where no number is said."""
        if not self._phrase(_table()["middle"]["words"]):
            return 0
        several = self._phrase(_table()["of"]["words"])
        number = numbers.read(self._tokens, self._at) or numbers.read(self._tokens, self._at - 1) if several else None
        if number is None or number.value % 2 != 1:
            raise Unclear(UNORDERED.format(_table()["middle"]["words"][0]))
        self._at = max(self._at, number.end)
        return int(number.value + 1) // 2

    def _noun(self) -> str:
        nouns, word = _table()["nouns"], self._next
        if self._called:
            name, length = self._tabled()
            coloured = self._at > 0 and self._words[self._at - 1] in _colours()
            if not name and word in (*nouns["anything"], *(nouns["one"] if coloured else ())):
                name, length = ANYTHING, 1
            self._at += length
            return name
        kinds = {_ONE: nouns["one"], ANYTHING: nouns["anything"],
                 "person": (*nouns["person"], "everybody", "everyone")}  # fmt: skip
        for name, said in kinds.items():
            if word in said and (name == ANYTHING or not self._named(self._at, 2)):
                self._at += 1
                return name
        for length in range(NAME_WORDS_MAX, 0, -1):
            if self._named(self._at, length):
                name = " ".join(self._words[self._at : self._at + length])
                self._at += length
                return kind(" ".join(packed(name.split())) if kind(name) not in self._names else name)
        return _ONE if self._bare else ""

    def _tabled(self) -> tuple[str, int]:
        """The longest name of the table that comes next, and how many words it has."""
        ahead = self._words[self._at :] if self._called else []
        lengths = range(len(ahead), 0, -1)
        return next(((name, n) for n in lengths if self._called and (name := self._called(ahead[:n]))), ("", 0))

    def _named(self, at: int, length: int) -> bool:
        """Whether so many words are a name: of the robot's own, of a dictionary, or a single word that is none of those
        that never are."""
        some, never = self._tokens[at : at + length], _table()["nouns"]["never"]
        if some and some[0].text in numbers.WORDS and some[0].text not in _table()["nouns"]["one"]:
            return False
        if len(some) < length or any(t.kind != "word" for t in some) or some[0].text in never:
            return False
        name = kind(" ".join(t.text for t in some))
        if name in self._names or " ".join(packed([t.text for t in some])) != " ".join(t.text for t in some):
            return True
        can = length > 1 and some[-1].text in aliases().compounds["packages"]  # a trash can, but not "chairs can"
        can = can and not (_several(some[-2].text) or is_person(some[-2].text))
        if any(t.text in never for t in (some[:-1] if can else some)):
            return False
        if known(name) and name.split()[-1:] != ["one"]:
            return True
        last = some[-1].text
        if last in _colours():
            return False
        begins = length == 2 and (known(some[0].text) or some[0].text in _table()["nouns"]["begin"])
        return length == 1 or (begins and known(last) and not last.endswith("ing"))

    # Behind the noun

    def _told(self, found: Which) -> Which | None:
        """The same things with what the next words tell of them; None where these are not read."""
        began = self._at
        self._phrase((",",))
        if (told := self._first((self._having, self._bearing, self._away, self._without), found)) is not None:
            return told
        self._phrase(_table()["joins"]["words"])
        tells = (self._used, self._around, self._side, self._worn, self._held, self._related, self._ranked,
                 self._without, self._away)  # fmt: skip
        if (told := self._first(tells, found)) is not None:
            return told
        if (self._at > began or found.kind == ANYTHING) and (colour := self._next) in _colours():
            self._at += 1  # "the one that is red"
            return replace(found, traits=(*found.traits, colour))
        self._at = began
        return None

    def _first(self, tells: Iterable[Callable[[Which], Which | None]], found: Which) -> Which | None:
        """What the first of these ways to tell more makes of it; the others have taken no word then."""
        here = self._at
        for tell in tells:
            if (told := tell(found)) is not None:
                return told
            self._at = here
        return None

    def _bearing(self, found: Which) -> Which | None:
        """What is on it, or is not: "the shelf with a vase on it" is the one under the vase."""
        thing = found.kind not in (_ONE, *_people()) or (
            found.kind == _ONE and self._bare not in ("", ANYTHING, *_people())
        )
        where = thing and bool(self._phrase(_table()["bears"]["where"]))
        lacks = not where and bool(self._phrase(_table()["bears"]["not"]))
        bears = where or (not lacks and bool(self._phrase(_table()["bears"]["words"])))
        self._phrase(_table()["first"]["articles"])
        inner = _Phrase(self._tokens[self._at :], self._names, "", self._called)
        noun = inner._noun() if bears or lacks else ""
        self._at += inner._at
        plain = bears and thing and not (self._next or self._called)
        ends = _table()["bears"]["there" if where else "on"]
        if not (noun and (self._phrase(ends) or plain)):  # "the shelf with the vase"
            return None
        under = Relation("under", Which(noun))
        if lacks:
            return replace(found, but=(*found.but, Which(found.kind, relation=under)))
        return replace(found, relation=under) if found.relation is None else None

    def _having(self, found: Which) -> Which | None:
        """What is in it, of which a table tells: "something with caffeine"."""
        has = found.kind == ANYTHING and self._phrase(_table()["bears"]["words"]) and self._phrase(traits())
        self._phrase(_table()["bears"]["within"])
        return replace(found, kind=f"something with {has}") if has else None

    def _used(self, found: Which) -> Which | None:
        """What it is for: something to drink is a drink."""
        use = self._one_of("uses") if found.kind == ANYTHING else ""
        return replace(found, kind=use) if use else None

    def _around(self, found: Which) -> Which | None:
        """Where it is from the robot."""
        if found.relation is None and (word := self._one_of("sides")):
            return replace(found, relation=Relation(word, Which(YOU)))
        return None

    def _side(self, found: Which) -> Which | None:
        if found.rank:
            return None
        rank = self._one_of("from") if found.nth != 1 else ""
        if not rank and (rank := self._one_of("behind")) and self._next == "of":
            return None  # on the left of something
        return replace(found, rank=rank) if rank else None

    def _ranked(self, found: Which) -> Which | None:
        self._phrase(("the",))
        rank = (self._one_of("ranks") or self._one_of("more")) if not found.rank else ""
        if self._next == "to" and not self._is(_table()["away"]["words"]):
            return None  # nearest to something
        return replace(found, rank=rank) if rank else None

    def _worn(self, found: Which) -> Which | None:
        somebody = self._is_somebody(found.kind)  # in a shirt is nothing else
        if (somebody or found.kind not in self._names) and self._phrase(_table()["wears"]["words"]):
            self._phrase(("the", "a", "an", "something", "all"))
            colour = self._phrase(_colours())
            clothes = self._phrase(_table()["wears"]["clothes"])
            if colour and (clothes or (somebody and self._words[self._at - 2] != "with")):
                return _of_people(found, colour)
        return None

    def _is_somebody(self, kind_: str) -> bool:
        """Whether it may be of people: by a noun for them, or by one that is the name of no thing."""
        return kind_ in (_ONE, *_people()) or not (self._called or kind_ in self._names or known(kind_))

    def _held(self, found: Which) -> Which | None:
        """Something in somebody's hand, which is told of nothing but people."""
        if self._is_somebody(found.kind) and self._phrase(_table()["holds"]["words"]):
            self._phrase(("the", "a", "an"))
            if noun := self._noun():
                return _of_people(found, noun)
        return None

    def _related(self, found: Which) -> Which | None:
        rank = "" if found.rank or found.relation else self._one_of("measured")
        word = "beside" if rank else "" if found.relation else self._one_of("relations")
        to = self._other() if word else None
        return replace(found, rank=rank or found.rank, relation=Relation(word, to)) if to else None

    def _without(self, found: Which) -> Which | None:
        if not self._aside and self._phrase(_table()["bears"]["not"]):  # a drink without caffeine
            lacks = self._phrase(traits())
            return replace(found, but=(*found.but, Which(lacks))) if lacks else None
        if self._aside or not self._phrase(_table()["but"]["words"]):
            return None
        people = found.kind in (_ONE, *_people())
        out = (self._worn(Which(found.kind)) if people else None) or self._other(found.kind)  # "who isn't wearing red"
        if out is None and (colour := self._phrase(_colours())):  # "all chairs but red"
            out = Which(found.kind, (colour,))
        if out is None and (like := self._phrase(traits())):  # "that isn't soft"
            return replace(found, but=(*found.but, Which(like)))
        if out is None:
            return None
        kind_ = found.kind if out.kind in (_ONE, ANYTHING) else out.kind
        if apart(found, replace(out, kind=kind_)):
            return found
        return replace(found, but=(*found.but, replace(out, kind=kind_)))

    def _away(self, found: Which) -> Which | None:
        return found if self._phrase(_table()["away"]["words"]) else None

    def _other(self, bare: str = ANYTHING) -> Which | None:
        """A thing that is only spoken of to tell which one another is; `bare` is what "one" would be. An amount is
        none: "in ten seconds"."""
        amount = amounts.read(self._tokens, self._at)
        if amount and amount.kind != amounts.BARE:
            return None
        inner = _Phrase(self._tokens[self._at :], self._names, bare if bare != _ONE else ANYTHING, self._called)
        inner._aside = True
        found = inner._which()
        if found is None:
            return None
        self._at += inner._at
        return found

    # Phrases

    @property
    def _next(self) -> str:
        """The word that comes next; empty at the end."""
        return self._words[self._at] if self._at < len(self._words) else ""

    def _one_of(self, section: str) -> str:
        """The key of the longest phrase that comes next, which is taken."""
        said = {phrase: key for key, phrases in _table()[section].items() for phrase in phrases}
        return said.get(self._phrase(tuple(said)), "")

    def _phrase(self, phrases: Iterable[str]) -> str:
        """The longest one of these that comes next, which is taken; empty for none."""
        found = self._is(phrases)
        self._at += len(found.split())
        return found

    def _is(self, phrases: Iterable[str]) -> str:
        ahead = self._words[self._at :]
        return " ".join(ahead[: fitting(ahead, phrases, whole=True)])


_ONE, _WORN = "one", "worn"
"""While a phrase is read: a noun that stands for another, and that people alone are meant by it."""


def _of_people(found: Which, trait: str) -> Which:
    """With a trait that tells that people are meant, whatever they were called."""
    worn = () if found.kind != _ONE else (_WORN,)
    somebody = found.kind if found.kind in (_ONE, *_people()) else PERSON
    return replace(found, kind=somebody, traits=(*found.traits, trait, *worn))


def _several(noun: str) -> bool:
    """Whether a noun speaks of more than one."""
    pair = kind(noun) in toml("sayso.grounding", "told.toml")["nouns"]["pairs"]
    return (words(noun) != (noun,) and not pair) or noun in _table()["nouns"]["several"]


def _table() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return toml("sayso.grounding", "things.toml")


def _colours() -> frozenset[str]:
    return frozenset(table()["traits"]["colours"])


@functools.cache
def _nothing() -> Sequence[list[str]]:
    """What a phrase may end with that names nothing yet."""
    return [[], *([word] for word in _table()["first"]["articles"])]


@functools.cache
def _people() -> frozenset[str]:
    return frozenset(word for some in toml("sayso.grounding", "people.toml")["nouns"].values() for word in some)
