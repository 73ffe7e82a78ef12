"""The operators of a sentence, words that change what it asks for, and whether a goal has each of them (U3).

"Not", "the second", "or", "every", "until", "at most", "quietly": who drops one does something else than was said. A
reader, large or small, is held to all of them; what no clause has is asked about or told, and never silently left out.
It is no understanding: a clause of the right form is taken to be the one that was meant.
"""

import functools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from sayso import goal as g
from sayso.goal import ALL, ANYTHING, YOU, All, Amount, Any, Clause, Each, If, Pred, Then, Until, Which, Within
from sayso.goals.clauses import clauses, preds, whiches
from sayso.goals.spoken import rounds
from sayso.grounding import amounts, lexicon
from sayso.grounding.lexicon import known, means
from sayso.grounding.pattern import Pattern, pattern
from sayso.grounding.phrases import described
from sayso.grounding.tokens import Token, clean, tokens
from sayso.grounding.utterance import table
from sayso.tables import toml
from sayso.understanding import things

KINDS = ("signal", "state", "share", "extent", "amount", "bound", "exception", "negation", "comparison", "ordinal",
         "alternative", "quantifier", "condition", "waiting", "order", "repetition", "manner", "side", "place",
         "measure", "height", "shape", "colour", "deed")  # fmt: skip

INSTEAD = {"quantifier": "the", "ordinal": "the", "measure": "what about", "place": "to"}
"""What takes the place of an operator, by its kind, where the sentence would not be one without it."""

FACTORS = (1.0, 0.01, 0.001, 0.3048, 0.0254, 0.9144, 0.5, 1000.0, 1609.344, 60.0, 3600.0, 360.0, 30.0, 57.2958)
"""What one of a unit that people say is in the unit that goals keep."""

NEAR, HALF_TURN_DEG, ROUND = 0.02, 180.0, Amount(360.0, "deg")

FROM = ("on", "in", "beside", "from")
"""Relations to a place that are told by the place that a thing comes from."""

COMPARED, MORE = ("which is", "how far"), ("which are more",)
"""Beginnings of questions that compare things, and numbers of them."""


OWN_WORDS = 3
"""So many words of what is said are the operator's own; what it speaks of may hold others."""

PLAIN = ("ordinal", "negation", "condition", "waiting", "place", "measure", "exception", "height", "extent", "shape",
         "side", "signal", "state", "share", "colour", "deed")  # fmt: skip
"""Kinds that a goal either has or has not: no other reading of the sentence tells whether they were heard."""

CHOOSES = ("comparison", "alternative")
"""Those of which that holds of a question."""


@dataclass(frozen=True, slots=True)
class Operator:
    """Words of a sentence, and what they do: one of `KINDS`, or a `phrase` (`account`). They stand at the characters
    `start` up to `end`."""

    kind: str
    text: str
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


def operators(sentence: str) -> list[Operator]:
    """From left to right, each place once; what is quoted says nothing."""
    return [*_read(sentence)]


def idle(words: Sequence[Token]) -> set[int]:
    """Where words stand that change nothing: "if you like"."""
    return {n for pat in _not_here() for found in _all(pat, words) for n in range(found[0], found[1])}


@functools.lru_cache(256)  # each reading of a sentence is held to them
def _read(sentence: str) -> Sequence[Operator]:
    words = tokens(clean(sentence))
    taken, said = idle(words), list[Operator]()
    for kind in KINDS:
        for pat in _said(kind):
            for start, end in _all(pat, words):
                if not taken & {start}:
                    taken |= {*range(start, min(end, start + OWN_WORDS))}
                    text = " ".join(t.text for t in words[start:end])
                    said.append(Operator(kind, text, words[start].start, words[end - 1].end))
    mosts = [w for n, w in enumerate(words) if n not in taken and ends_as_most(w.text)]
    said += [Operator("comparison", w.text, w.start, w.end) for w in mosts]
    return sorted(said, key=lambda one: one.start)


def missing(sentence: str, goal: Clause | None) -> list[Operator]:
    """Those that stand in no clause of the goal."""
    return [
        one for one in operators(sentence) if goal is None or not (stands(one, goal) or honoured(sentence, one, goal))
    ]


def doubtful(sentence: str, goal: Clause | None) -> list[Operator]:
    """Those of which the goal's form does not tell that they were heard: they stand in no clause, or their contrary
    would stand there just the same."""
    said = operators(sentence)
    if goal is None:
        return said
    unheard = [one for one in said if (_contrary(one) and one.kind not in PLAIN) or not stands(one, goal)]
    return [one for one in unheard if not honoured(sentence, one, goal)]


def honoured(sentence: str, said: Operator, goal: Clause) -> bool:
    """Whether who does what the goal says and nothing else does as the operator says: "to the chair, not the table" of
    a goal that has no table, "before the tea gets cold" of one deed."""
    plain = clean(sentence)
    if any(said in pair for pair in _undone(plain, goal)):
        return True  # of a deed that is not to be done: "do not land, go up 30 cm"
    if said.kind == "place" and of_the_speaker(tokens(plain[: said.start]), None):
        return True
    behind = tokens(plain[said.end :])
    if said.text in _listed("negation", "deed") and _elsewhere(with_its_name(plain, said), goal):
        return True
    if said.text in (*_listed("negation", "only"), *_listed("order", "one_time")):
        return not behind or behind[0].kind == "mark" or behind[0].text in _listed("order", "joins")
    named_so = said.text in _listed("negation", "instead")[1:]  # a bare "not" may deny a deed
    if not behind or not (named_so or behind[0].text in (*table()["mentions"]["article"], *_listed("order", "others"))):
        return False  # "do not fly" is of no insect, "before you land" is of a deed
    named = [w.kind for w in whiches(goal) if not w.among]
    if said.text in _listed("order", "by_then"):
        rest = f" {lexicon.kind(with_its_name(sentence, said))} "
        return len(list(preds(goal))) == 1 and not any(f" {lexicon.kind(one)} " in rest for one in named)
    if said.text not in _listed("negation", "instead"):
        return False
    of = _known_behind(plain, said.end)
    return bool(of) and not any(_may_be(one, of) for one in named)


def _elsewhere(told: str, goal: Clause) -> bool:
    """Whether it is not to go to a thing of whose kind the goal has none: "do not go to the sofa, go to the lamp"."""
    for found in (one for say in _listed("negation", "goes") for one in pattern(say).readings(tokens(told))):
        of = things.which(str(found.slots["a"]))
        return bool(of and known(of.kind)) and not any(_may_be(one.kind, of.kind) for one in whiches(goal) if of)
    return False


def of_the_speaker(words: Sequence[Token], at: int | None) -> bool:
    """Whether the part between marks that a word stands in tells of whoever speaks: "I'm in the kitchen"."""
    before = words[:at]
    begin = len(before) - len([*takewhile(lambda t: t.kind != "mark", reversed(before))])
    part = "".join(f"{t.text} " for t in words[begin : begin + 2])
    return part.startswith((*toml("sayso.grounding", "account.toml")["speaker"],))


def undone(sentence: str, goal: Clause) -> list[str]:
    """The deeds that are not to be done, by their predicates, and that the goal does not do."""
    return list(dict.fromkeys(_deed_of(deed) for _, deed in _undone(clean(sentence), goal)))


def _undone(plain: str, goal: Clause) -> list[tuple[Operator, Operator]]:
    """Each word that denies with the deed behind it, where the goal does not do that."""
    every = operators(plain)
    pairs = ((a, b) for a in every if a.kind == "negation" for b in every if b.kind == "deed")
    behind = [(a, b) for a, b in pairs if not plain[a.end : b.start].strip()]
    return [(a, b) for a, b in behind if not _deed(b, list(clauses(goal)))]


def _known_behind(plain: str, at: int) -> str:
    """What the thing is that is named there, in as many words as the dictionary knows: "the fruit table this time"."""
    words = plain[at : _offered(plain, at)].split()
    if {*words} & {*table()["traits"]["colours"]}:
        return ""
    least = int(words[:1] != [] and words[0] in table()["mentions"]["article"])
    for end in range(len(words), least, -1):
        of = things.which(" ".join(words[:end]))
        if of and not of.traits and all(map(known, of.kind.split())):
            return of.kind
    return ""


def _may_be(one: str, other: str) -> bool:
    """Whether a thing of the one kind may be one of the other."""
    return one == ANYTHING or described(one) or means(one, other) or means(other, one)


def without(sentence: str, said: Operator) -> str:
    """The sentence as if the operator had not been said, or its contrary: who has heard it understands another thing.

    An alternative goes with what it offers.
    """
    plain, end = clean(sentence), said.end
    if said.kind == "alternative" and (offered := _offered(plain, end)):
        return " ".join(f"{plain[: said.start]} {plain[offered:]}".split())
    if said.kind == "phrase":
        return " ".join(f"{plain[: said.start]} {plain[end:]}".split()).lstrip(",.;: ")
    instead = _contrary(said) or INSTEAD.get(said.kind, "")
    if said.kind == "place" and instead == "to":
        last = said.text.split()[-1]
        instead += f" {last}" if last in table()["mentions"]["article"] else ""
    return " ".join(f"{plain[: said.start]} {instead} {plain[end:]}".split())


def _contrary(said: Operator) -> str:
    """What says the contrary, for those that have one; empty for others."""
    contrary: dict[str, str] = toml("sayso.grounding", "operators.toml")["contrary"]["of"]
    return " ".join(contrary.get(word, word) for word in words) if {*(words := said.text.split())} & {*contrary} else ""


def with_its_name(sentence: str, said: Operator) -> str:
    """The operator with the words that go with it: "not the blue one"."""
    plain, joins = clean(sentence), toml("sayso.grounding", "corrections.toml")["joins"]
    behind = (t for t in tokens(plain) if t.start >= said.end)
    own = [*takewhile(lambda t: t.kind != "mark" and t.text not in joins, behind)]
    return plain[said.start : own[-1].end if own else said.end]


def _offered(plain: str, at: int) -> int:
    """Where the name ends that stands there; 0 where none does."""
    words = [t for t in tokens(plain) if t.start >= at]
    found = pattern("<thing>").at(words, 0)
    return words[found.end - 1].end if found else 0


def stands(said: Operator, goal: Clause) -> bool:
    """Whether some clause does what the operator says, or has its words in a name, a question or a message."""
    rule = _RULES.get(said.kind)  # of the others only a question that has the very word asks for that
    vain = is_most(said) and not things.rank_of(said.text)  # a name with it picks none: "the ripest pear"
    named = vain and any(said.text in which.kind.split() for which in whiches(goal))
    return (f" {said.text} " in texts(goal) and not named) or (rule is not None and rule(said, list(clauses(goal))))


def _all(pat: Pattern, words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    for start in range(len(words)):
        if found := pat.at(words, start):
            yield found.start, found.end


def texts(goal: Clause) -> str:
    """All words in it that came from the sentence."""
    said = [a for p in preds(goal) for a in p.args if isinstance(a, str)]
    for which in whiches(goal):
        said += _words(which)
    return f" {' '.join(' '.join(t.text for t in tokens(clean(text))) for text in said)} "


def _words(which: Which) -> list[str]:
    inner = [*which.but, *([which.relation.to] if which.relation else [])]
    return [which.kind, which.rank, which.source, *which.traits, *(w for one in inner for w in _words(one))]


# What has the form of each kind


def _amount(said: Operator, parts: Sequence[Clause]) -> bool:
    """A number is an amount of some unit, a count, a place in a row or how often something is done."""
    words = tokens(said.text)
    much = amounts.read(words, 0) or amounts.read(words, 1)
    figures = {a.value for c in parts if isinstance(c, Pred) for a in c.args if isinstance(a, Amount)}
    ways = [(c.args[0], a.value) for c in parts if isinstance(c, Pred) for a in c.args[1:] if isinstance(a, Amount)]
    figures |= {sum(value for other, value in ways if other == way) for way, _ in ways}
    figures |= {HALF_TURN_DEG for c in parts if isinstance(c, Pred) and c.name == "turned" and "back" in c.args}
    counts = {float(n) for w in _whiches(parts) for n in (w.count, w.nth)}
    every = [[*map(_noun, c.parts)] for c in parts if isinstance(c, All)]
    counts |= {float(len(nouns)) for nouns in every if "" not in nouns and len({*nouns}) == 1}  # one of each
    counts |= {float(c.most) for c in parts if isinstance(c, Until)}
    counts |= {float(rounds(c.parts)[0]) for c in parts if isinstance(c, Then)}
    figures |= {c.limit.value for c in parts if isinstance(c, Within)}
    value, bare = (much.number.value, much.kind == amounts.BARE) if much else (math.nan, False)
    counted = bare and value in counts
    return counted or any(abs(value * factor - one) <= NEAR * one for one in figures for factor in FACTORS)


def _noun(part: Clause) -> str:
    return next((which.kind.rpartition(" ")[2] for which in whiches(part)), "")


def _negation(said: Operator, parts: Sequence[Clause]) -> bool:
    denies = any(isinstance(c, g.Not | g.Never | g.Only) or (isinstance(c, If) and c.no) for c in parts)
    return denies or any(w.but for w in _whiches(parts)) or _has(parts, "stayed")  # who stays has left all undone


def _comparison(said: Operator, parts: Sequence[Clause]) -> bool:
    moves = said.text in _listed("comparison", "motion") and _has(parts, "moved", "at", "visited", "height")
    moves = moves and not any(isinstance(c, Any) for c in parts)  # of two, one is meant
    near = {w.relation.word for w in _whiches(parts) if w.relation}
    beside = said.text in _listed("comparison", "beside") and "beside" in near
    more = MORE if len(said.text.split()) > 1 else ()  # "heavier" is of no number
    most = things.rank_of(said.text) if is_most(said) else ""
    if is_some(said) and any(w.rank in ("largest", "smallest") for w in _whiches(parts)):
        return False
    ranked = any(w.rank and (w.rank == most or not is_most(said)) for w in _whiches(parts))
    return beside or moves or ranked or _asks(parts, (*COMPARED, *more))


def unheard(part: str, meant: Clause, goal: Clause) -> Operator | None:
    """A part of a sentence that code reads by itself as a deed, where the goal does nothing of the kind, or nothing of
    the amount that is said in it."""
    if all(pred.name in ("stayed", "waited") for pred in preds(meant)) and not any(
        one.kind == "amount" for one in operators(part)
    ):
        return None  # who is told to stop behind something else has stopped
    deeds, does = [pred.name for pred in preds(meant)], list(clauses(goal))
    goes = {which.source for which in _whiches(does)} if deeds == ["visited"] else set()
    done = all(
        _has(does, deed, *(like for some in _listed("deeds", "alike") if deed in some for like in some))
        for deed in deeds
    )
    done = done or any(which.kind in goes for which in _whiches([*preds(meant)]))  # there it finds who is meant
    named = [which.kind for which in _whiches(does) if which.kind != ANYTHING]
    aims = _whiches([pred for pred in preds(meant) if pred.name in ("at", "facing", "picture")])
    done = done and all(any(_may_be(one, which.kind) for one in named) for which in aims)
    one_way = {*deeds} in ({"moved"}, {"turned"})
    ways = {_way(pred) for pred in preds(goal) if one_way and pred.name in deeds}
    if ways and not _has(does, "height", "at", "visited", "over", "facing"):
        done = done and all(_way(pred) in ways for pred in preds(meant))
    amounts = [one for one in operators(part) if one.kind == "amount"]
    turns = [one for one in does if not isinstance(one, Pred) or (one.name == "turned") == ("turned" in deeds)]
    told = does if {"turned", "moved"} <= {*deeds} else turns  # what it turns by is no way
    said = all(_amount(one, told) for one in amounts) or not all(_amount(one, [meant]) for one in amounts)
    return None if done and said else Operator("deed", part)


def _way(pred: Pred) -> object:
    """To which side it turns or moves; a half turn is one to the back."""
    half = pred.name == "turned" and Amount(HALF_TURN_DEG, "deg") in pred.args
    return "back" if half else pred.args[0]


def brings(goal: Clause) -> bool:
    """Whether something is brought to somewhere or somebody."""
    return _has(list(clauses(goal)), "given", "placed", "holding")


def is_some(said: Operator) -> bool:
    """Whether it tells of an amount, and not how much that is: "a few", "the most"."""
    return said.text in (*_listed("quantifier", "some"), *_listed("comparison", "amounts"))


def is_most(said: Operator) -> bool:
    """Whether it is a superlative, which picks one of many."""
    return said.kind == "comparison" and ends_as_most(said.text)


@functools.lru_cache(4096)
def ends_as_most(word: str) -> bool:
    """Whether a word is a superlative by its form: "tastiest", and no forest."""
    return word.endswith(toml("sayso.grounding", "operators.toml")["comparison"]["most"]) and not (
        word in _listed("comparison", "no_most") or known(word)
    )


def _ordinal(said: Operator, parts: Sequence[Clause]) -> bool:
    nth = next((n for n, word in enumerate(_listed("ordinal", "numbers"), 1) if word in said.text.split()), 0)
    which = list(_whiches(parts))
    other = {*said.text.split()} & {*_listed("ordinal", "others")}
    if other & {*_listed("ordinal", "again")}:
        again = max(Counter(w.kind for w in which).values(), default=0) > 1
        return again or any(other & {*w.kind.split()} or w.but for w in which)
    about = other and any(isinstance(c, Pred) and c.name == "turned" and "back" in c.args for c in parts)
    return bool(about) or any((w.nth == nth if nth > 1 else w.rank or w.nth > 1) or (other and w.but) for w in which)


def _alternative(said: Operator, parts: Sequence[Clause]) -> bool:
    either = any(isinstance(c, Any) or (isinstance(c, If) and c.no) for c in parts)
    return either or any(w.rank for w in _whiches(parts)) or _asks(parts, (*COMPARED, *MORE, "is either", "gender"))


def _quantifier(said: Operator, parts: Sequence[Clause]) -> bool:
    counts = {w.count for w in _whiches(parts)}
    if is_some(said) and ALL in counts and _has(parts, "placed", "given"):
        return False
    many = any(n == ALL or n > 1 for n in counts) or any(isinstance(c, Each) for c in parts)
    names = [c.name for c in parts if isinstance(c, Pred)]
    many = many or any(names.count(n) > 1 for n in names)
    return many or _has(parts, "covered") or _asks(parts, ("how many", "what is"))


def _condition(said: Operator, parts: Sequence[Clause]) -> bool:
    """What is done "if so" to the one thing that is named is done if it is there."""
    so = " " in said.text and len({w.kind for w in _whiches(parts)} - {g.ME}) == 1
    if so and _has(parts, "at", "visited", "facing", "picture", "placed", "given", "holding"):
        return True
    return any(isinstance(c, If | Until | Any) for c in parts) or _asks(parts, ("is it",))


def _waiting(said: Operator, parts: Sequence[Clause]) -> bool:
    stays = said.text.split()[0] in _listed("waiting", "stays") and not _has(parts, "home")
    return stays or any(isinstance(c, Until | If) for c in parts) or _has(parts, "followed")


def _order(said: Operator, parts: Sequence[Clause]) -> bool:
    """Who is told what to do when a thing is found looks for it first."""
    sought = said.text in _listed("order", "found") and _has(parts, "at", "found", "visited", "facing", "picture")
    begins = said.start == 0 and any(isinstance(c, g.All) for c in parts)  # what is said first is done first
    return sought or begins or any(isinstance(c, Then | If | Until) for c in parts)


def _bound(said: Operator, parts: Sequence[Clause]) -> bool:
    asked = said.text.startswith("more") and _asks(parts, ("how many", "is it"))
    return asked or said.text in exact() or any(isinstance(c, Until | Within) for c in parts)


def _repetition(said: Operator, parts: Sequence[Clause]) -> bool:
    rounds = any(isinstance(c, Then | Until) for c in parts) or any(w.count > 1 for w in _whiches(parts))
    return rounds or any(isinstance(a, Amount) and a != ROUND for c in parts if isinstance(c, Pred) for a in c.args)


def _manner(said: Operator, parts: Sequence[Clause]) -> bool:
    direct = ("at",) if said.text in _listed("manner", "direct") else ()
    return said.text in _listed("manner", "motion") and _has(parts, "moved", "turned", "home", *direct)


def _place(said: Operator, parts: Sequence[Clause]) -> bool:
    """Some thing stands in that relation to another, or a deed is done so anyhow."""
    way = _relation(said)
    told = any(way == (w.relation and w.relation.word) or (w.source and way in FROM) for w in _whiches(parts))
    does = any(way in takes and _has(parts, deed) for deed, takes in _mapped("place", "takes").items())
    return told or does or _asks(parts, ("",))


def _relation(said: Operator) -> str:
    """The name of the relation that is said; empty for one that no goal has."""
    return next((name for name, ways in _mapped("place", "relations").items() if said.text.startswith((*ways,))), "")


def _side(said: Operator, parts: Sequence[Clause]) -> bool:
    """Which side of the robot a thing is on, a relation or the most to that side tells; a motion may go there."""
    related = any(w.rank or (w.relation and w.relation.to.kind in (YOU, ANYTHING)) for w in _whiches(parts))
    return related or _has(parts, "moved", "turned")


def at_hand(said: Operator) -> bool:
    """Whether a place is one that whoever goes to a thing gets to, such as beside it."""
    return _relation(said) in _mapped("place", "takes")["at"]


def _extent(said: Operator, parts: Sequence[Clause]) -> bool:
    """A little closer is a way."""
    return said.text.split()[-1] in _listed("comparison", "motion") and _has(parts, "moved", "height")


def _signal(said: Operator, parts: Sequence[Clause]) -> bool:
    """What is done over and over with so much between."""
    return _amount(said, parts) and any(isinstance(c, Then) and rounds(c.parts)[0] > 1 for c in parts)


def _state(said: Operator, parts: Sequence[Clause]) -> bool:
    """A condition tells it; where it is asked about, the answer does."""
    told = {word for w in _whiches(parts) for text in _words(w) for word in text.split()}
    return (said.text.split()[-1] in told and _condition(said, parts)) or _asks(parts, ("",))


def _height(said: Operator, parts: Sequence[Clause]) -> bool:
    """A way up is none: that a metre is to be risen does not tell how high it ends."""
    return _has(parts, "height", "above")


def _colour(said: Operator, parts: Sequence[Clause]) -> bool:
    """By another word for the same one as well."""
    also = table()["traits_also"].get(said.text, ())
    return any({*also} & {*w.traits, *w.kind.split()} for w in _whiches(parts))


def _deed(said: Operator, parts: Sequence[Clause]) -> bool:
    """What is done by another way of doing it, too."""
    deed = _deed_of(said)
    return _has(parts, deed, *_mapped("deeds", "also").get(deed, ()))


def _deed_of(said: Operator) -> str:
    return next(deed for deed, ways in table()["deeds"].items() if said.text in ways)


_RULES = {
    "amount": _amount, "exception": _negation,
    "negation": _negation, "bound": _bound, "comparison": _comparison, "ordinal": _ordinal,
    "alternative": _alternative, "quantifier": _quantifier, "condition": _condition, "waiting": _waiting,
    "order": _order, "repetition": _repetition, "manner": _manner, "side": _side, "place": _place,
    "height": _height, "state": _state, "colour": _colour, "deed": _deed,
    "extent": _extent, "share": _amount, "signal": _signal,
}  # fmt: skip


def _whiches(parts: Sequence[Clause]) -> Iterator[Which]:
    """All that are spoken of, those that tell which others are meant among them."""
    for part in parts:
        if isinstance(part, Pred | Each):
            for which in [a for a in part.args if isinstance(a, Which)] if isinstance(part, Pred) else [part.which]:
                yield which
                yield from which.but


def _has(parts: Sequence[Clause], *names: str) -> bool:
    return any(isinstance(c, Pred) and c.name in names for c in parts)


def _asks(parts: Sequence[Clause], beginnings: tuple[str, ...]) -> bool:
    asked = [str(a) for c in parts if isinstance(c, Pred) and c.name in ("answered", "informed") for a in c.args]
    return any(text.startswith(beginnings) for text in asked)


# The table


@functools.cache
def _not_here() -> Sequence[Pattern]:
    pairs = [f"[(a | the | any | my)] pair of ({name} | {name}s)" for name in lexicon.aliases().compounds["pairs"]]
    return [pattern(text) for text in (*_listed("not_here", "say"), *pairs)]


@functools.cache
def _said(kind: str) -> Sequence[Pattern]:
    words = {
        "colour": table()["traits"]["colours"],
        "deed": [way for ways in table()["deeds"].values() for way in ways],
    }
    return [pattern(text) for text in words.get(kind) or _listed(kind, "say")]


def exact() -> list[str]:
    """What is said of an amount and bounds it on no side."""
    return _listed("bound", "exact")


def _listed(kind: str, key: str) -> list[str]:
    listed: list[str] = toml("sayso.grounding", "operators.toml")[kind][key]
    return listed


def _mapped(kind: str, key: str) -> dict[str, Sequence[str]]:
    mapped: dict[str, Sequence[str]] = toml("sayso.grounding", "operators.toml")[kind][key]
    return mapped
