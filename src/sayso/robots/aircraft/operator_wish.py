"""The search that a reading of an operator's words asks for, or a question, or a refusal.

    find(person); colour(red); in('north field'); under(60 m); tell(warden)

A reading says what was said, in clauses whose names and amounts are the operator's own words; where a search is
running, what is new about it. Places are grounded here and never guessed. What is told of somebody stands behind the
one that is told of, or behind `of(…)`; behind `all` it is told of everyone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from sayso.errors import NotUnderstood, Unclear
from sayso.grounding.clock import between_min, clocked
from sayso.grounding.inflection import row
from sayso.grounding.lexicon import kind, means
from sayso.grounding.people import is_child, is_person, kind_of
from sayso.grounding.phrases import called, several
from sayso.grounding.terms import HEIGHTS, finds, seeks
from sayso.grounding.utterance import figured, table
from sayso.robots.aircraft.search.craft import LEVELS, LEVELS_M
from sayso.robots.aircraft.search.lost import COMPASS
from sayso.robots.aircraft.search.wish import MOBILITIES, STEPS, SearchWish, Sought, lies_still
from sayso.tables import toml
from sayso.understanding.operators import operators

Clause = tuple[str, ...]
"""A verb and what it is said of."""

REFUSALS, ASKS = (toml(__package__, "steps.toml")[table] for table in ("refusals", "questions"))
CHILD_BELOW = 13
OFFERED = 4
"""So many places are named in a question."""

FACTS = ("colour", "aged", "size", "is", "moves", "toward", "seen", "ago", "since")
WHO = ("find", "also", "instead", "gone", "of", "all")
PLACED = ("seen", "toward")
LEFT, ENDED = ("drop", "skip", "off"), ("within", "by", "battery")
WHERE = ("in", "more", "free", *LEFT)
HOW = ("everywhere", "ordered", *ENDED, "then", "no", "tell", "over")
UNDONE = ("besides", "hands", "unsafe", "elsewhere", "nothing", "ask")
DENIED = (*LEFT, *UNDONE, "no", "gone", "over", "instead")
"""Those that tell what is not wanted."""

VERBS = {*FACTS, *HEIGHTS, *WHO, *WHERE, *HOW, *UNDONE}

_CLAUSE = re.compile(r"(?P<verb>[a-z]+)(?:\((?P<args>(?:[^'()]|'(?:\\.|[^'\\])*')*)\))?")
_ARGUMENT = re.compile(r"'((?:\\.|[^'\\])*)'|([^,']+)")
AMOUNT = re.compile(r"(?<![\w.:])(\d+(?:\.\d+)?) (m|cm|s|%)(?!\w)")
_DIGIT = re.compile(r"\d")
_COUNTED = re.compile(r"(\d+) (.+)")
_IN_M = {"cm": 0.01}
_PACES = {"fast": "walking", "drifting": "unknown"}
"""What is said of a pace beside `MOBILITIES`, and what the search makes of it."""


def clauses_of(reading: str) -> tuple[Clause, ...] | None:
    """The clauses of a reading; None where the text is none."""
    found, at, text = [], 0, reading.strip()
    while match := _CLAUSE.match(text, at):
        said = [(a.replace("\\'", "'") or b.strip()) for a, b in _ARGUMENT.findall(match["args"] or "")]
        if match["verb"] not in VERBS:
            return None
        found.append((match["verb"], *filter(None, said)))
        at = match.end()
        if at == len(text):
            return tuple(found)
        if not text.startswith("; ", at):
            return None
        at += 2
    return None


@dataclass(frozen=True, slots=True)
class Grounds:
    """The names that a search can use: places, kinds of ground, and the categories of lost people. `sought` is what is
    looked for where places are to be searched and nobody says for whom."""

    places: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    sought: str = ""

    def called(self, phrase: str) -> tuple[str, ...]:
        """The places that a phrase names. Raises `Unclear` where there is none, or it is open which is meant."""
        found = called(phrase, self.places)
        if not found:
            raise Unclear(f"I know no place here that is called “{phrase}”. Where do you mean: {self.some()}?")
        if len(found) > 1 and not several(phrase):
            raise Unclear(f"Which {phrase}: {row(found, 'or')}?")
        return found

    def meant(self, verb: str, phrase: str) -> tuple[str, ...]:
        """The same; to be kept off, all that a phrase may mean."""
        return (called(phrase, self.places) if verb in ("off", "skip") else ()) or self.called(phrase)

    def place(self, phrase: str) -> str:
        """The one place that is meant, or that is near. Raises `Unclear`."""
        near = called(phrase, self.places, near=True)
        return near[0] if len(near) == 1 or (near and several(phrase)) else self.called(phrase)[0]

    def heading(self, phrase: str) -> str:
        """A side of the map, a place of it, or a kind of ground. Raises `Unclear`."""
        if kind(phrase) in (*COMPASS, *self.kinds) and kind(phrase) not in map(kind, self.places):
            return kind(phrase)
        if near := called(phrase, self.places, near=True):
            return near[0] if len(near) == 1 else self.place(phrase)
        word = kind(phrase).split()[-1]
        return next((k for k in self.kinds if k == word or means(k, word)), "") or self.called(phrase)[0]

    def some(self) -> str:
        """A few places, as they are offered."""
        return row([p for p in self.places if len(p) > 3][:OFFERED] or self.places[:OFFERED], "or")

    def lost(self, clauses: Sequence[Clause]) -> str:
        """What is asked about the first name in them that is none here; empty where all are."""
        try:
            for verb, *said in clauses:
                for phrase in said if verb in (*WHERE, *PLACED) else ():
                    {"seen": self.place, "toward": self.heading}.get(verb, partial(self.meant, verb))(phrase)
        except Unclear as error:
            return str(error)
        return ""


def heard(
    clauses: Sequence[Clause], text: str, grounds: Grounds, running: SearchWish | None = None, *, whole: bool = False
) -> SearchWish:
    """The search that these clauses, read from `text`, ask for; where one is running, what it has become.

    A `whole` reading tells all of it as it is now, but for what holds throughout, and leaves out what it likes. Raises
    `Unclear` with a question, and `NotUnderstood` for what cannot be flown.
    """
    return _Hearing(text, grounds, running, whole).wish_of(clauses)


def refuse(clauses: Sequence[Clause]) -> None:
    """Raises for what cannot be flown whatever else was said, and for what has to be asked."""
    for verb, *said in clauses:
        if verb == "nothing":
            raise NotUnderstood(REFUSALS["nothing"])
        if verb == "ask":
            raise Unclear(*said)
        if verb in ("hands", "unsafe", "elsewhere"):
            raise NotUnderstood(f"“{' '.join(said)}”: {REFUSALS[verb].format(levels=LEVELS)}")


class _Hearing:
    """One text; `about` are those of the `sought` of whom it speaks at the moment."""

    def __init__(self, text: str, grounds: Grounds, running: SearchWish | None, whole: bool) -> None:
        self.said = figured(clocked(text)).lower()
        self.grounds = grounds
        self.whole, self.before, self.running = whole, running, None if whole else running
        self.wish = replace(running or SearchWish((), on_find=()), left_out=(), over=False)
        if whole:
            self.wish = SearchWish((), on_find=(), bounds=self.wish.bounds, report=self.wish.report)
        self.sought = list(self.wish.sought)
        self.about = [0] if len(self.sought) == 1 else []
        self.areas, self.avoid, self.steps = list(self.wish.areas), list(self.wish.avoid), list(self.wish.on_find)
        self.unwanted, self.used, self.many, self.anew = list[str](), list[str](), list[str](), set[str]()
        self.everywhere, self.new_list = False, self.running is None

    def wish_of(self, clauses: Sequence[Clause]) -> SearchWish:
        refuse(clauses)
        for clause in clauses:
            self._take(clause)
        areas, avoid = tuple(dict.fromkeys(self.areas)), tuple(dict.fromkeys((*self.avoid, *self.wish.bounds.off)))
        self._whom(areas, avoid)
        if len(self.sought) == 1 and (many := self._count(self.sought[0])):
            self.sought = [replace(self.sought[0], count=many)]
        if self.whole:
            areas = tuple(a for a in areas if a not in avoid)
        goes_on = self.before is not None and self.before.ordered and areas == self.before.areas
        rest = bool(areas) and self.everywhere
        only = not rest and not {*areas} <= {one.seen_at for one in self.sought}  # where somebody was seen is no bound
        wish = replace(
            self.wish,
            sought=tuple(self.sought),
            areas=areas,
            avoid=avoid,
            on_find=self._on_find(),
            ordered=((self.wish.ordered or goes_on) and len(areas) > 1) or rest,
            report=tuple(dict.fromkeys(self.wish.report)),
            left_out=tuple(dict.fromkeys((*self.wish.left_out, *self._unread()))),
            only=only,
            rest=rest,
            must_find=not only or finds(self.said) or bool(self.running and self.running.must_find),
        )
        if not wish.over:
            self._check(wish)
        return wish

    def _whom(self, areas: Sequence[str], avoid: Sequence[str]) -> None:
        """Whom a search is for that names nobody. Raises where that is open, and where it is no search."""
        said = {one.kind for one in operators(self.said)} & {"negation", "exception", "quantifier"}
        search = bool(areas) or (seeks(self.said) and not (avoid and said == {"negation"}))
        somebody = kind_of(self.said) == "person"  # "if you find nobody"
        if not self.sought and (one := "person" if somebody else self.grounds.sought if search else ""):
            self._take(("find", one))
        if not (self.sought or avoid or search):
            raise NotUnderstood(REFUSALS["nothing"])
        if not self.sought:
            raise Unclear(ASKS["kept_off"].format(row(avoid)) if avoid else ASKS["missing"])

    def _count(self, one: Sought) -> int:
        """How many of them the words tell; 0 where they tell nothing of it. Who searches twice looks for no two."""
        names = {one.label, one.category} - {""}
        for number, of in pairwise(self.said.split()):
            if number.isdecimal() and int(number) > 1 and (is_person(of) or kind(of) in names):
                return int(number)
        other = any(float(found[1]) == one.count for found in AMOUNT.finditer(self.said))
        return int(other or {said.kind for said in operators(self.said)} == {"repetition"})

    # What cannot be flown, and what has to be asked

    def _check(self, wish: SearchWish) -> None:
        if not wish.bounds.levels(LEVELS_M):
            why = f"I search from {LEVELS} m above the ground and do not fly lower; say one of these"
            raise NotUnderstood(f"{wish.bounds}: {why}")
        if self.whole:
            return
        both = [a for a in wish.areas if a in wish.avoid]
        loose = [] if both else self._loose(wish)
        if both or loose:
            raise Unclear(f"What is it with {row(both or loose, 'or')}: shall I search there, or leave it out?")
        if not (wish.areas or wish.avoid or any(s.seen_at or s.toward for s in wish.sought) or self.everywhere):
            self._unplaced(wish)

    def _unplaced(self, wish: SearchWish) -> None:
        """Raises where a word names ground of the map, and the reading none: "in the forest"."""
        others = {*COMPASS, *(s.label for s in wish.sought)}
        for word in (one for one in self.said.split() if one.isalpha() and one not in others):
            if some := called(word, self.grounds.places):
                raise Unclear(f"Where shall I search: {row(some, 'or')}, or everywhere?")

    def _loose(self, wish: SearchWish) -> list[str]:
        """Places that were named and stand in no clause."""
        rest = f" {kind(self.said)} "
        for phrase in sorted(self.used, key=len, reverse=True):
            rest = rest.replace(f" {kind(phrase)} ", " | ")
        known = {*wish.areas, *wish.avoid, *(p for s in wish.sought for p in (s.seen_at, s.toward))}
        return [p for p in self.grounds.places if p not in known and f" {kind(figured(p))} " in rest]

    def _unread(self) -> list[str]:
        """Amounts of which nothing was made."""
        rest = self.said
        for phrase in sorted(filter(_DIGIT.search, self.used), key=len, reverse=True):
            rest = rest.replace(phrase, "", 1)
        return [found[0] for found in AMOUNT.finditer(rest)]

    # One clause

    def _take(self, clause: Clause) -> None:
        verb, *said = clause
        if verb in WHO and AMOUNT.fullmatch(" ".join(said)):
            return  # nobody looks for ten minutes
        self.used += said
        if verb in FACTS:
            self._tell(verb, said)
        elif verb in WHO:
            self._speak_of(verb, said)
        elif verb in WHERE:
            places = {phrase: self.grounds.meant(verb, phrase) for phrase in said}
            self.many += [p for phrase, some in places.items() if len(some) > 1 for p in some]
            self._place(verb, [p for some in places.values() for p in some])
        elif verb in HEIGHTS:
            none = {} if "height" in self.anew else dict.fromkeys((f"{one}_m" for one in HEIGHTS), None)
            self.anew.add("height")
            self._bound(**none | {f"{verb}_m": _metres(said[0])})
        else:
            self._other(verb, said)

    def _set(self, **changes: Any) -> None:
        self.wish = replace(self.wish, **changes)

    def _bound(self, **changes: Any) -> None:
        self._set(bounds=replace(self.wish.bounds, **changes))

    def _other(self, verb: str, said: Sequence[str]) -> None:
        match verb:
            case "everywhere":
                self.everywhere, self.areas = True, self.areas if "areas" in self.anew or self.new_list else []
            case "ordered" | "over":
                self._set(**{verb: True})
            case "within":
                self._bound(within_s=_number(said[0]))
            case "by":
                minutes = between_min(said[1], said[0]) if len(said) > 1 else None
                self._leave(said[:1]) if minutes is None else self._bound(within_s=60.0 * minutes)
            case "battery":
                self._bound(reserve=_number(said[0]) / 100)
            case "then" | "no":
                (self.steps if verb == "then" else self.unwanted).append(said[0])
                if said[0] == "confirm":
                    self._set(unconfirmed=verb == "no")
            case "tell":
                known = toml("sayso.grounding", "terms.toml")["operator"]["words"]
                whom = [who for who in said if who not in known and not called(who, self.grounds.places)]
                self._set(report=(*self.wish.report, *whom))
            case _:
                self._leave(said)

    def _leave(self, said: Sequence[str]) -> None:
        """Nothing is made of this, which is told."""
        self._set(left_out=(*self.wish.left_out, *said))

    def _on_find(self) -> tuple[str, ...]:
        """To stay over a find and to come home exclude each other, where only one is new."""
        new = self.steps[len(self.running.on_find) :] if self.running else self.steps
        wanted = {*self.steps} or {"confirm"}
        wanted -= {"hover"} if "circle" in wanted else set()
        if "hover" in new and "home" not in new:
            wanted.discard("home")
        elif "home" in new and "hover" not in new:
            wanted.discard("hover")
        elif not {"hover", "on"} & wanted:
            wanted.add("home")
        return tuple(s for s in STEPS if s in wanted and s not in self.unwanted)

    # Who

    def _speak_of(self, verb: str, said: Sequence[str]) -> None:
        if verb == "all":
            self.about = [*range(len(self.sought))]
            return
        one = _sought(said[0], self.grounds.categories, is_child(self.said) or bool(_DIGIT.search(self.said)))
        alike = [n for n, s in enumerate(self.sought) if s.label == one.label or _same(s.label, one.label)]
        if verb in ("of", "gone") and len(self.sought) == 1:
            alike = [0]
        if verb in ("of", "gone") and not self.sought:
            raise Unclear(ASKS["missing"])
        if verb in ("of", "gone") and not alike:
            raise Unclear(f"Of whom do you speak: {row([s.label for s in self.sought], 'or')}?")
        if verb == "of":
            self.about = alike
        elif verb == "gone":
            self.sought = [s for n, s in enumerate(self.sought) if n not in alike]
            self.about = []
            self._set(over=not self.sought)
            self.sought = self.sought or list(self.running.sought if self.running else ())
        elif verb == "find" and alike and (not self.new_list or self._once(one)):
            self.about = alike
        elif verb == "find" and not self.new_list:
            others = " and ".join(s.label for s in self.sought)
            raise Unclear(f"Shall I look for the {one.label} instead of the {others}, or as well?")
        else:
            if verb == "instead":
                self.sought, self.new_list = [], True
            self.sought.append(one)
            self.about = [len(self.sought) - 1]

    def _once(self, one: Sought) -> bool:
        """Whether the words speak of one such alone, in the singular, and tell no two apart."""
        words = self.said.split()
        named = [w for w in words if kind(w) == one.label or (is_person(w) and is_person(one.label))]
        return len(named) == 1 and kind(named[0]) == named[0] and not {*words} & {"one", "another", "both"}

    def _tell(self, verb: str, said: Sequence[str]) -> None:
        if not (self.about or self.sought) and self.grounds.sought:
            self._take(("find", self.grounds.sought))
        if not self.about:
            asks = row([s.label for s in self.sought], "or")
            raise Unclear(f"Of whom do you speak: {asks}?" if self.sought else ASKS["missing"])
        for n in self.about:
            self.sought[n] = self._told(self.sought[n], verb, said)

    def _told(self, one: Sought, verb: str, said: Sequence[str]) -> Sought:
        match verb:
            case "colour" if is_person(one.label) and any(
                f"{said[0]} {part}" in self.said for part in table()["traits"]["aside"]
            ):
                self._leave(said)  # who has a grey beard is not grey
                return one
            case "colour":
                return replace(one, colour=_colour(said[0])) if not one.colour or self.running else one
            case "aged":
                young = _number(said[0]) < CHILD_BELOW
                label = one.label if one.label not in ("person", "child") else "child" if young else "person"
                category = "child" if young else "" if one.category == "child" else one.category
                return replace(one, label=label, category=category)
            case "size":
                return replace(one, size_m=_metres(said[0]))
            case "is":
                return replace(one, category=said[0] if said[0] in self.grounds.categories else one.category)
            case "moves":
                pace = _PACES.get(said[0], said[0])
                return replace(one, mobility=pace if pace in MOBILITIES else "unknown")
            case "toward":
                return replace(one, toward=self.grounds.heading(said[0]))
            case "seen":
                return replace(one, seen_at=self.grounds.place(said[0]), seen_ago_s=None)
            case "ago":
                return replace(one, seen_ago_s=0.0 if said[0] == "now" else _number(said[0]))
        minutes = between_min(said[0], said[1]) if len(said) > 1 else None
        if minutes is None:
            self._leave(said[:1])
            return one
        return replace(one, seen_ago_s=60.0 * minutes)

    # Where

    def _place(self, verb: str, names: Sequence[str]) -> None:
        if verb in ("in", "more"):
            if verb == "in" and "areas" not in self.anew and self.running:
                self.areas = []
            self.anew.add("areas")
            self.areas += names
            self.avoid = [a for a in self.avoid if a not in names] if self.running else self.avoid
        elif verb == "free":
            self.avoid = [a for a in self.avoid if a not in names]
            self._bound(off=tuple(a for a in self.wish.bounds.off if a not in names))
        else:
            taken = self.running or verb == "drop" or {*names} < {*self.many}  # of the fields, all but one
            self.areas = [a for a in self.areas if a not in names] if taken else self.areas
            self.avoid += names if verb == "skip" else []
            if verb == "off":
                self._bound(off=tuple(dict.fromkeys((*self.wish.bounds.off, *names))))


def _sought(said: str, categories: Sequence[str], young: bool) -> Sought:
    """ "2 person" are two; another word than person and child names a thing."""
    counted = _COUNTED.fullmatch(said)
    label = kind(counted[2] if counted else said)
    if is_child(label) and not young:
        label = "person"  # who is a sister may be of any age
    category = label if label in categories else ""
    mobility = "still" if lies_still(label) else "unknown"
    return Sought(label, mobility=mobility, category=category, count=int(counted[1]) if counted else 1)


def _same(one: str, other: str) -> bool:
    return one.split()[-1] == other.split()[-1] or means(one, other) or means(other, one)


def _colour(said: str) -> str:
    """The colours by name in these words, or the words: "navy blue" is blue, "dark" is dark."""
    words = said.replace("-", " ").split()
    named = [w for w in words if w in table()["traits"]["colours"]]
    return " and ".join(named or [" ".join(words)]).replace("gray", "grey")


def _number(amount: str) -> float:
    return float(amount.split()[0])


def _metres(amount: str) -> float:
    return _number(amount) * _IN_M.get(amount.rpartition(" ")[2], 1.0)
