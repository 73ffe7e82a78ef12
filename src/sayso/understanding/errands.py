"""Plain errands, read by code to the last word: what is to be brought, put, thrown away, left alone.

The names are those of the robot's table, so that "the apple and the orange to the kitchen counter" needs no model; a
slip of the finger is mended where one name only is near. A sentence of which a word is left over is not read here.
"""

import difflib
import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sayso.errors import NotUnderstood, Unclear
from sayso.goal import ALL, ANYTHING, IT, ME, All, Amount, Clause, Each, If, Never, Not, Pred, Then, Which
from sayso.goals.clauses import mapped, preds, several, whiches
from sayso.grounding import numbers
from sayso.grounding.inflection import plural, singular
from sayso.grounding.lexicon import aliases, known, means, packed, traits
from sayso.grounding.mentions import Name
from sayso.grounding.pattern import Found, Slots, pattern, sayings
from sayso.grounding.people import kind_of
from sayso.grounding.phrases import fitting, trimmed
from sayso.grounding.tokens import Token, clean, tokens
from sayso.grounding.utterance import stem
from sayso.tables import toml
from sayso.understanding.acts import is_deed
from sayso.understanding.picks import in_parts, joined
from sayso.understanding.questions import WHO, asked
from sayso.understanding.things import which

HOME = "home"
"""The place of a goal that means where each thing belongs."""
HOW_MANY = "How many {}?"
HOW_LONG = "How long shall I wait there before I go on?"
BROUGHT = ("given", "placed", "holding")
SOME = -1
"""A count that nobody told: "a few drinks"."""
SHARED = ("placed", "given", "heard")
"""Deeds whose verb may be said once for several."""
PAUSES = ("waited", "stayed")
"""Deeds whose place in the row of deeds tells where they are done."""
SLIP = 0.8
"""How alike a word is to the name that it was meant to be."""
SLIP_LETTERS = 4


@dataclass(frozen=True, slots=True)
class Errand:
    """A wish as it was read. One that is `vague` has a meaning that was not said word for word: it is asked about."""

    goal: Clause
    vague: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """What the robot's table calls things, places and people. `bin` is where things are thrown away."""

    names: Sequence[Name]
    people: Collection[str] = ()
    bin: str = ""

    def errand(self, *sentences: str) -> Errand | None:
        """What the first of these sentences asks for that is read to its last word; None for none. Raises
        `NotUnderstood` where it does not tell how many."""
        found = next((one for sentence in sentences if (one := self._errand(sentence))), None)
        for pred in preds(found.goal) if found else ():
            some = next((w for w in pred.args if isinstance(w, Which) and w.count == SOME), None)
            if some and pred.name in BROUGHT:
                raise NotUnderstood(HOW_MANY.format(plural(singular(some.kind))))
        return replace(found, goal=mapped(found.goal, _one_of)) if found else None

    def _if(self, said: Sequence[Token]) -> Errand | None:
        """An errand that hangs on whether something is there."""
        table = toml("sayso.grounding", "errands.toml")["condition"]
        for found in (one for say in reversed(table["say"]) for one in pattern(say).readings(said)):
            name, none = _begun(str(found.slots["which"]).split(), table["none"])
            known = self._with(name)
            things = known.things(" ".join(name))
            ways = [_with_it(str(found.slots.get(way, "")), things) for way in ("yes", "no")]
            yes, no = (known._errand(way) if way else None for way in ways)
            if len(things) == 1 and yes and bool(no) == ("no" in found.slots):
                there = Pred("found", (replace(things[0], count=max(1, things[0].count)),))
                return Errand(If(Not(there) if none else there, yes.goal, no.goal if no else None), yes.vague)
        return None

    def _with(self, said: list[str]) -> "Vocabulary":
        """With a word of the dictionary that names a thing, where the table has none that is called so."""
        if not self.things(" ".join(said)):
            with suppress(Unclear):
                thing = which(" ".join(self._apart(said)[0]))
                if thing and thing == Which(thing.kind) and known(thing.kind):
                    return replace(self, names=(*self.names, Name.of(thing.kind, "kind", thing.kind)))
        return self

    def _errand(self, sentence: str) -> Errand | None:
        said = trimmed(tokens(clean(sentence)), (), ())
        if (hangs := self._if(said)) is not None:
            return hangs
        starts = {0, *(found.end for found in _ways("before", said, 0))}
        ends = [len(said), *(n for n in range(len(said)) if any(f.end == len(said) for f in _ways("after", said, n)))]
        for start in sorted(starts, reverse=True):
            for end in sorted(ends, reverse=True):
                part = trimmed(said[start:end], (), ())
                goals = self._parts(part) or self._order(part)
                if goals and not all(isinstance(one, Never) for one in goals):
                    spares = any(isinstance(one, Never) for one in goals)
                    if not spares and any(word.text in _things("others", "around") for word in said[start:end]):
                        return None  # other than what?
                    ordered = any(word.text in _things("order", "around") for word in said[:end])
                    ordered |= any(isinstance(one, Pred) and one.name in PAUSES for one in goals)
                    joined = Then if ordered and not spares else All
                    return Errand(several(joined, list(self._sparing(goals))), any(map(_is_vague, goals)))
        return None

    def part(self, text: str, plain: Callable[[str], Clause | None]) -> Clause | None:
        """What a part of a sentence asks or wants done by itself; `plain` reads a plain command. None where a word is
        not read."""
        with suppress(NotUnderstood):
            return self._question(text) or self._plainly(text) or plain(text)
        return None

    def in_order(self, sentence: str, plain: Callable[[str], Clause | None]) -> Clause | None:
        """The goal of a sentence of several parts, in their order; None where a word is not read. What is asked behind
        a way to some place is asked of that place."""
        goals = list[Clause]()
        parts: list[Clause] = in_parts(sentence, self._question, (self._plainly, plain), lambda goal: goal)
        for goal in parts:
            goals.append(_asked_there(goal, goals[-1]) if goals else goal)
        return several(Then, goals) if goals else None

    def _question(self, text: str) -> Clause | None:
        asks = asked(text, self.words)
        return None if asks is None else self.grounded(asks)

    def _plainly(self, text: str) -> Clause | None:
        """An errand of which each word says what is meant."""
        errand = self.errand(text)
        return errand.goal if errand and not errand.vague else None

    def _parts(self, said: Sequence[Token]) -> list[Clause]:
        """One errand behind the other; nothing where a word is left over."""
        whole = list[Clause]()
        for goal, slots, end in _readings(said):
            if not (goals := self._goals(goal, slots)):
                continue
            if end == len(said) and not (goal == "placed" and len({bool(w.source) for w in map(_first, goals)}) > 1):
                return whole or goals
            whole = whole or goals if end == len(said) else whole
            for joint in _ways("joins", said, end):
                behind = _with_place(said[joint.end :], goals[-1])
                again = goal in SHARED and (goal == "placed" or self.who(behind[0].text) if behind else False)
                verb = said[:1] if again else []  # put the one here and the other one there, give him this and her that
                if goal != "stayed_on" and (rest := self._parts(behind) or (verb and self._parts([*verb, *behind]))):
                    if goal == "stayed":
                        raise NotUnderstood(HOW_LONG)
                    same = goals == [Pred("found", tuple(whiches(rest[0]))[:1])]  # who is told something is looked for
                    return rest if same else [*goals, *rest]
        return whole

    def _order(self, said: Sequence[Token]) -> list[Clause]:
        """What is brought to who says no more than how many of what: "two lemons and a coke, please"."""
        number = numbers.read(said, 0) if said else None
        counted = number is not None or (bool(said) and said[0].text in _things("indefinite"))
        things = self.things(" ".join(t.text for t in said)) if counted else []
        return _each(Which(ME), things) if things else []

    def _goals(self, goal: str, slots: Slots) -> list[Clause]:
        """What an errand wants; nothing where a name in it is none."""
        text = {name: str(value) for name, value in slots.items()}
        where, out = self._excepted(text.get("place", "").split())
        text |= {"place": " ".join(where)} if out else {}
        things = self.things(text["which"]) if "which" in text else [Which()]
        things = [self._but(one, out) for one in things] if all(map(self._is_open, things)) or not out else []
        who = self.who(text["who"]) if "who" in text else Which(ME)
        place = self.place(text["place"]) if "place" in text else ""
        if not things or who is None:
            return []
        match goal:
            case "given":
                return _each(who, things)
            case "placed" if not place and (to := self.who(text["place"])):
                return _each(to, things)
            case "placed" if place and all(one.source != place for one in things):
                return [Pred("placed", (one, Which(place))) for one in things]
            case "thrown" if self.bin:
                return [Pred("placed", (one, Which(self.bin))) for one in things]
            case "home":
                return [Pred("placed", (one, Which(HOME))) for one in things]
            case "tidy" if place or "place" not in text:
                return [Pred("placed", (Which(count=ALL, source=place), Which(HOME)))]
            case "visited" if place:
                return [Pred("visited", (Which(place),))]
            case "stayed" | "stayed_on" | "waited" if place or "place" not in text:
                on = Pred(goal, (Amount(float(text["time"]), "s"),)) if goal == "waited" else Pred("stayed")
                return [*([Pred("visited", (Which(place),))] if place else []), on]
            case "visited" if (to := self.who(text["place"])) and to.count == 1:
                return [Pred("home" if to == Which(ME) else "found", () if to == Which(ME) else (to,))]
            case "holding" | "found":
                return [Pred(goal, (one,)) for one in things]
            case "guided" if place and who.count == 1:
                return [Pred("guided", (who, Which(place)))]
            case "faced" if who.count == 1:
                return [Pred("found", (who,))]
            case "home_again":
                return [Pred("home")]
            case "asked" if _asks_only(text["asks"]):
                return [_to_each(who, lambda one: Pred("asked", (one, text["asks"])))]
            case "heard":
                message = text.get("text", _things("greeting", "around")[0])
                return [_to_each(who, lambda one: Pred("heard", (one, message)))]
            case "spared":
                return [Never(Pred("holding", (replace(one, count=1),))) for one in things]
        return []

    def _sparing(self, goals: Sequence[Clause]) -> Iterator[Clause]:
        """What is to be left alone is none of all that are meant, nor of those that a category leaves open."""
        spared = [w for one in goals if isinstance(one, Never) for w in whiches(one)]
        for goal in goals:
            yield goal if isinstance(goal, Never) else mapped(goal, lambda which: self._but(which, spared))

    def _but(self, which: Which, out: Iterable[Which]) -> Which:
        return replace(which, but=(*which.but, *out)) if self._is_open(which) else which

    def _is_open(self, which: Which) -> bool:
        """Whether it may be any of several things."""
        sorts = {ANYTHING, *(name.name for name in self.names if name.what == "category")}
        return (which.count == ALL and which.kind != "person") or which.kind in sorts

    # Names

    @property
    def words(self) -> list[str]:
        """All that things, places and people here are called."""
        return [*(" ".join(name.words) for name in self.names), *self.people]

    def grounded(self, goal: Pred) -> Pred:
        """The same question with the names that the table has, and whether something is at a place as whether it is
        there."""
        sorts = ("kind", "category", *(() if goal.args[0] == "how many all round" else ("place",)))  # tables, not one
        match Pred(goal.name, tuple(self._grounded(a, sorts) if isinstance(a, Which) else a for a in goal.args)):
            case Pred(name, ("is it so", Which() as which, Which(kind, (), relation=near))) if (
                kind == ANYTHING and near
            ):
                return Pred(name, ("is it here", replace(which, relation=near)))
            case Pred(name, ("what is all round", Which() as which)) if kind_of(which.kind):
                return Pred(name, (WHO, which))
            case asked:
                return asked

    def _grounded(self, which: Which, sorts: Collection[str] = ("kind", "category", "place")) -> Which:
        person = next((p for p in self.people if p.lower() == which.kind.lower()), "")
        people = person or kind_of(which.kind)
        named = person if people else self.named(which.kind.split(), sorts)
        near = replace(which.relation, to=self._grounded(which.relation.to)) if which.relation else None
        but = tuple(one for b in which.but for one in self._excluded(self._grounded(b)))
        return replace(which, kind=named or which.kind, relation=near, but=but)

    def _excluded(self, which: Which) -> Sequence[Which]:
        """An exception by names of the table, where the dictionary alone has its own: beer is alcohol."""
        kinds = {n.name for n in self.names if n.what == "kind" and means(which.kind, " ".join(n.words))}
        if kinds and all(which.kind != n.name for n in self.names):
            return [replace(which, kind=kind) for kind in sorted(kinds)]
        return [] if which.kind in traits() else [which]

    def place(self, said: str) -> str:
        """The place of that name, or the one that is meant by it."""
        return self.named(_without(said.split(), "articles"), ("place",))

    def who(self, said: str) -> Which | None:
        """The people who are meant."""
        words, source = self._apart(said.split())
        words = words[: len(words) - fitting(words, _things("findable"), end=True)]
        text, known = " ".join(words), toml("sayso.grounding", "errands.toml")["people"]
        if text in known["first"]:
            return Which("person", rank="nearest", source=source)
        if text in known["me"]:
            return Which(ME)
        if text in known["everybody"]:
            return Which("person", count=ALL, source=source)
        bare = _without(words, "articles")
        if name := next((p for p in self.people if [p.lower()] == bare), ""):
            return Which(name, source=source)
        return Which(bare[0], source=source) if len(bare) == 1 and kind_of(bare[0]) and bare != words else None

    def things(self, said: str) -> list[Which]:
        """The things that a list names; nothing where one of them is none."""
        words, both = _begun(said.split(), _things("both"))
        words, source = self._apart(words)
        words, but = self._excepted(words)
        parts = list(_split(words))
        found = [self._which(part) for part in parts]
        if both and len(found) not in (1, 2):
            return []
        some = (replace(one, source=one.source or source, but=(*one.but, *but)) for one in found if one is not None)
        whole = [*map(self._of_a_sort, some)]
        if both and len(whole) == 1:
            whole = [replace(whole[0], count=2)]
        return whole if len(whole) == len(parts) else []

    def _which(self, words: list[str]) -> Which | None:
        words, source = self._apart(words)
        if " ".join(words) in _things("everything"):
            return Which(count=ALL, source=source)
        other = fitting(words, _things("other"))  # "the other toys" are all but those that are left alone
        words = words[:1] + words[other:] if other else words
        said, definite = words, fitting(words, _things("definite")) > 0  # "the red ones" are all of them
        some = fitting(words, _things("some"))
        words = words if definite else words[some:] if some else _without(words, "articles")
        words = words[: len(words) - fitting(words, _things("findable"), end=True)]
        with suppress(Unclear):
            found = which(" ".join(words), called=lambda said: self.named(said, ("kind", "category")))
            if found and found.relation is None:
                sorts = {name.name for name in self.names if name.what == "category"}
                all_ = definite and found == Which(found.kind) and found.kind in sorts and stem(words[-1]) != words[-1]
                bare = bool(some) or (words == said and found == Which(found.kind))
                several_ = bare and self._several(found.kind, words[-1])
                return replace(found, source=source, count=ALL if all_ or other else SOME if several_ else found.count)
        return None

    def _several(self, kind: str, noun: str) -> bool:
        """Whether a noun speaks of several things of a kind, which may be called so though it is one: "crackers"."""
        sort = any(name.name == kind and name.what == "category" for name in self.names)
        return stem(noun) != noun and (sort or singular(kind) == kind)

    def _of_a_sort(self, which: Which) -> Which:
        """By the names of what is excepted; something without alcohol is a thing of the sort that has some."""
        but = tuple(out for one in which.but for out in self._excluded(one))
        by_nature = which.kind == ANYTHING and but and any(one.kind in traits() for one in which.but)
        sorts = {n.name for n in self.names if n.what == "category" and all(means(n.name, out.kind) for out in but)}
        return replace(which, kind=sorts.pop() if by_nature and len(sorts) == 1 else which.kind, but=but)

    def _apart(self, words: list[str]) -> tuple[list[str], str]:
        """A phrase without the place that it ends with, and that place."""
        for at in range(1, len(words) - 1):
            last = at + fitting(words[at:], _things("from"))
            if last > at and (place := self.place(" ".join(words[last:]))):
                return words[:at], place
        return words, ""

    def _excepted(self, words: list[str]) -> tuple[list[str], tuple[Which, ...]]:
        """A phrase without the exception that it ends with, and what is excepted."""
        ways = (*_things("except"), *toml("sayso.grounding", "things.toml")["but"]["words"])
        for at in range(1, len(words) - 1):
            last = at + fitting(words[at:], ways)
            parts = [*_split(words[last:])] if last > at else []
            some = [self._like(part) or self._which(part) for part in parts]
            if some and None not in some:
                return words[:at], tuple(_one_of(one) for one in some if one)
        return words, ()

    def _like(self, words: list[str]) -> Which | None:
        """What is like that, of things of any kind: "a soft one"."""
        bare, one = _without(words, "articles"), toml("sayso.grounding", "things.toml")["nouns"]["one"]
        like = " ".join(bare[: len(bare) - fitting(bare, one, end=True)])
        return Which(like) if like in traits() else None

    def named(self, words: Sequence[str], what: Collection[str]) -> str:
        """What is called just so; else the one thing that has these words in its name, and not only in another one that
        it is given (chocolate milk is no milk), or that a slip of the finger may have meant."""
        said = [stem(w) for w in words]
        names = [n for n in self.names if n.what in what]
        same = next((n.name for n in names if list(n.words) == said), "")
        if same or not said or any(word in _any_thing() for word in said):
            return same
        if (turned := packed(words)) != [*words]:
            return self.named(turned, what)
        parts = {n.name for n in names if {*said} < {*n.words} and {*said} <= {stem(w) for w in n.name.split()}}
        if len(parts) == 1:
            return parts.pop()
        slips = {n.name for n in names if _slipped(said, n.words)}
        if not slips and " ".join(words) in traits():  # a present is a toy
            slips = {n.name for n in names if n.what == "category" and means(" ".join(words), " ".join(n.words))}
        return slips.pop() if len(slips) == 1 else ""


def how_many(goal: Clause, names: Sequence[Name]) -> str:
    """What is asked where several of a kind are to be brought and nobody said how many; empty elsewhere."""
    pairs = aliases().compounds["pairs"]
    for pred in (one for one in preds(goal) if one.name in BROUGHT):
        match pred.args[0]:
            case Which(kind, count=1, rank="") if singular(kind) != kind and kind.split()[-1] not in pairs:
                said = [stem(word) for word in kind.split()]
                called = (name.name for name in names if name.what == "kind" and [*name.words] == said)
                if all(singular(name) == name for name in called):
                    return HOW_MANY.format(kind)
    return ""


@functools.cache
def _any_thing() -> frozenset[str]:
    """What stands for any thing, and is no part of a name."""
    return frozenset(stem(word) for section in ("everything", "any") for word in _things(section))


def _asked_there(goal: Clause, before: Clause) -> Clause:
    """A question of what there is, as one of what there is at the place where the robot went before."""
    match before, goal:
        case Pred("visited", (Which(place),)), Pred("answered", (str(question), Which() as about)):
            of_here = question in toml("sayso.grounding", "questions.toml")["behind"]["asks"]
            if of_here and not (about.relation or about.source):
                question = "what is all round" if question == "what is here" else question
                return Pred("answered", (question, replace(about, source=place)))
    return goal


def _one_of(which: Which) -> Which:
    """One of several of which nobody said how many, where it makes no difference."""
    return replace(which, count=1) if which.count == SOME else which


def _asks_only(said: str) -> bool:
    """Whether somebody is to be asked that, and nothing is to be done besides: "if he wants one and bring it"."""
    indirect = said.partition(" ")[0] in toml("sayso.grounding", "addressed.toml")["indirect"]
    return indirect and not any(is_deed(part) for part in joined(said)[1:])


def _first(goal: Clause) -> Which:
    return next(whiches(goal))


def _each(who: Which, things: Sequence[Which]) -> list[Clause]:
    things = [_one_of(one) for one in things] if who.count == ALL else things
    return [_to_each(who, lambda one: several(All, [Pred("given", (thing, one)) for thing in things]))]


def _to_each(who: Which, deed: Callable[[Which], Clause]) -> Clause:
    return Each(who, deed(Which(IT))) if who.count == ALL else deed(who)


def _with_it(said: str, which: Sequence[Which]) -> str:
    """With the one thing that was spoken of in the place of a word that points back to it."""
    it, name = _things("pointing"), which[0].kind if len(which) == 1 else ""
    return " ".join(f"the {name}" if name and word.text in it else word.text for word in tokens(clean(said)))


def _with_place(said: Sequence[Token], before: Clause) -> Sequence[Token]:
    """With the place or the person that was gone to before in the place of a word that points back to it."""
    if isinstance(before, Pred) and before.name in ("found", "heard", "asked", "given"):
        who = [one.kind for one in whiches(before)][-1 if before.name == "given" else 0]
        at = next((n for n, word in enumerate(said) if word.text in _things("them")), len(said))
        return [*said[:at], *(replace(word, text=who.lower()) for word in said[at : at + 1]), *said[at + 1 :]]
    if not isinstance(before, Pred) or before.name != "visited":
        return said
    back = toml("sayso.grounding", "errands.toml")["back"]
    there = {tuple(way.split()): tuple(means.split()) for way, means in back.items()}
    words, at = list[str](), 0
    while at < len(said):
        ahead = next((way for way in there if tuple(t.text for t in said[at : at + len(way)]) == way), ())
        words += there[ahead] if ahead else [said[at].text]
        at += len(ahead) or 1
    return tokens(" ".join(words).format(place=next(whiches(before)).kind))


def _is_vague(goal: Clause) -> bool:
    """Whether it is over whatever there may be, each to where it belongs."""
    match goal:
        case Pred("placed", (Which(kind), Which(to))):
            return (kind, to) == (ANYTHING, HOME)
    return False


def _slipped(said: Sequence[str], name: Sequence[str]) -> bool:
    """Whether words are those of a name but for a letter or two in one of them."""
    if len(said) != len(name) or said == list(name) or any(known(one) for one in {*said} - {*name}):
        return False  # a garage is no slip of a garbage can
    (word, meant), *more = [(a, b) for a, b in zip(said, name, strict=True) if a != b]
    near = difflib.SequenceMatcher(None, word, meant).ratio() >= SLIP
    return not more and near and len(word) >= SLIP_LETTERS and abs(len(word) - len(meant)) <= 1


def _split(words: Sequence[str]) -> Iterator[list[str]]:
    """The parts of a list."""
    part: list[str] = []
    at = 0
    while at < len(words):
        if joined := fitting(words[at:], _things("lists"), whole=True):
            if part:
                yield part
            part, at = [], at + joined
        else:
            part.append(words[at])
            at += 1
    yield part


def _begun(words: list[str], some: Sequence[str]) -> tuple[list[str], bool]:
    """Words without what they begin with, and whether they did."""
    taken = fitting(words, some)
    return words[taken:], bool(taken)


def _without(words: list[str], section: str) -> list[str]:
    return _begun(words, _things(section))[0]


def _things(section: str, table: str = "things") -> Sequence[str]:
    found: Sequence[str] = toml("sayso.grounding", "errands.toml")[table][section]
    return found


def _readings(said: Sequence[Token]) -> Iterable[tuple[str, Slots, int]]:
    """Every errand that the words may begin with: the longest first, of a message the shortest."""
    found = [(row["goal"], way) for row, say in sayings("errands.toml", "errand") for way in say.ways(said, 0)]
    found.sort(key=lambda one: -one[1].end if "text" not in one[1].slots else one[1].end)
    return [(goal, way.slots, way.end) for goal, way in found]


def _ways(section: str, said: Sequence[Token], at: int) -> Iterator[Found]:
    for text in _things(section, "around"):
        yield from pattern(text).ways(said, at)
