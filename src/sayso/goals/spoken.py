"""Goals in sentences: what a mission is about to do, did or missed, said to a person from the goal alone.

The phrases stand in `grounding/told.toml`; here they become sentences that agree in number and name a thing once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from string import Formatter

from sayso import goal as g
from sayso.events import Judged
from sayso.goal import ALL, ANYTHING, IT, ME, All, Amount, Any, Argument, Clause, Each, Never, Not, Pred, Then, Which
from sayso.goals.clauses import changed
from sayso.goals.text import parse
from sayso.grounding import inflection
from sayso.grounding.inflection import (
    amount,
    counted,
    definite,
    indefinite,
    plural,
    row,
    sentence,
    singular,
    times,
    words,
)
from sayso.grounding.lexicon import means
from sayso.grounding.people import is_person
from sayso.grounding.phrases import asked_of, unnamed
from sayso.grounding.utterance import table

HOME = Which("home")
PERSON = "person"
DOUBTS = ("I cannot tell", "I did not observe")
"""A reason that begins so tells what is not known by itself."""

ONLY = "only "
"""Begins what is so of some of those of which it was to be."""
ONE = "one of them"
"""The thing that an enclosing `Each` is at, where it is told why that came to nothing."""


def rounds(parts: Sequence[Clause]) -> tuple[int, Sequence[Clause]]:
    """How often the same clauses come over and over, and those of one round; nobody listens to a loop unrolled."""
    for size in range(1, len(parts) // 2 + 1):
        times_, rest = divmod(len(parts), size)
        if not rest and tuple(parts) == tuple(parts[:size]) * times_:
            return times_, parts[:size]
    return 1, parts


def spoken(clause: Clause) -> str:
    """A goal as one sentence with its full stop."""
    return sentence(_Teller().told(clause, "I "))


def doing(clause: Clause) -> str:
    """A goal as something to do: "go to the red mug"."""
    return _Teller().told(clause)


def fact(clause: Clause) -> str:
    """A goal as something that is so or not: "the coke is at the sink"."""
    return _Teller().fact(clause)


def thing(which: Which) -> str:
    """What is meant, as it is named where nothing was said of it before."""
    return _Teller(ONE).which(which)


def noun(which: Which) -> str:
    """One of what is meant, without its article; what a person wears or holds stands behind."""
    if not (which.traits and is_person(which.kind)):
        return " ".join((*which.traits, words()["nouns"]["pairs"].get(which.kind, which.kind)))
    colours = table()["traits"]["colours"]
    looks = [f"in {t}" if t in colours else f"with {indefinite(t)}" for t in which.traits]
    return " ".join((which.kind, *looks))


def told(which: Which) -> str:
    """One of what is meant, with all that tells it from others, without its article."""
    return _Teller(ONE).noun(which)


def missed(what: str) -> str:
    """Why it is not so where there is no more to say than that."""
    return f"I did not {what}"


def unseen(which: Which) -> str:
    """That there was none of it."""
    none = inflection.none_of(noun(which))
    return f"I did not see {noun(which)}" if which.kind[:1].isupper() else f"I saw {none}"


def untold(which: Which) -> str:
    """That nothing tells where it is."""
    return f"I did not observe where {_Teller(ONE).filled('{which} {which:is}', {'which': which})}"


def partly(clause: Clause, which: Which, met: int, need: int, why: str) -> str:
    """That a deed was done to some of those that are meant, and why not to the others."""
    others = "another" if need - met > 1 else "the last one" if need > 2 else "the other"
    some, done = _some(which, met, need), _about_it(clause, which)
    told = f"I {_Teller(some).did(done)}" if _comes_first(done) and _deeds(done) else f"I managed that for {some}"
    return f"{told}; {why.replace(ONE, others) if met else why}" if why else told


def short(clause: Clause, which: Which, met: int, need: int) -> str:
    """Of how many it is so that were to be, or that it is not so."""
    if not 0 < met < need:
        return _Teller().fact(clause, False)
    teller = _Teller(f"{ONLY}{_some(which, met, need)}", many=met > 1)
    return teller.fact(_about_it(clause, which))


def happened(clause: Clause) -> str:
    """A sentence that what should not have been was so once."""
    return f"I {_Teller().did(clause)}" if _deeds(clause) else f"it was so that {fact(clause)}"


def done(clause: Clause) -> str:
    """What was done, a sentence; empty where that is told otherwise than deed by deed."""
    return sentence(f"I {_Teller().did(clause)}") if _deeds(clause) else ""


def unmet(parts: Sequence[g.Part]) -> str:
    """The clauses that were not reached, a sentence each."""
    return " ".join(sentence(p.why or missed(doing(parse(p.clause)))) for p in parts)


def doubtful(part: g.Part) -> str:
    """What is not known, and why; a reason that says so itself is told alone."""
    if part.why.startswith(DOUBTS):
        return part.why
    return f"I cannot tell whether {fact(parse(part.clause))}{part.why and f': {part.why}'}"


def claim(judged: Judged) -> str:
    """Who says what, and how sure that is; empty where somebody was asked for a thing and knew of none."""
    question, said = judged.question, {"True": "yes", "False": "no"}.get(judged.answer, judged.answer.partition("#")[0])
    what, sure = asked_of(question), f", {judged.confidence:.0%} sure" if judged.confidence < 1 else ""
    if question.lower().startswith(what):
        return f"{judged.by}{sure}: “{question}” {said}"
    named = (indefinite if unnamed(what) else definite)(said)
    return "" if said == "no" else f"{judged.by}{sure}: {named} is {what}"


def _some(which: Which, met: int, need: int) -> str:
    number = {0: "none", 1: "one"}.get(met, str(met))
    return f"{number} of the {counted(need, singular(noun(which)))}"


def _about_it(clause: Clause, which: Which) -> Clause:
    """The same with `it` for those that are meant."""
    if not isinstance(clause, Pred):
        return clause
    return replace(clause, args=tuple(Which(IT) if arg == which else arg for arg in clause.args))


class _Teller:
    """Tells one goal; what was spoken of last is `it` when it comes again at once. `it` is what the thing that an
    enclosing `Each` is at is called the first time, `many` whether that is several."""

    def __init__(self, it: str = "", *, many: bool = False, person: bool = False) -> None:
        self._last: Which | None = None
        self._it, self._many, self._person = it, many, person

    # As something to do

    def told(self, clause: Clause, who: str = "") -> str:
        """The clause as something to do; `who` stands before the verb."""
        match clause:
            case Pred():
                return who + self._pred("do", clause)
            case Not(Not(part)):
                return self.told(part, who)
            case Not(Pred(name, _) as part) if not g.PREDICATES[name].state:
                return f"{who}do not {self.told(part)}"
            case Not(part):
                return f"{who}see to it that {self.fact(part, False)}"
            case Never(Not(part)):
                return f"{who}see to it that at all times {self.fact(part)}"
            case Never(part) if _deeds(part):
                return f"{who}never {self.told(part)}"
            case Never(part):
                return f"{who}see to it that it is never so that {self.fact(part)}"
            case g.Only(part):
                return f"{self.told(part, who)} and nothing else"
            case All(parts):
                return self._joined(parts, "and", who)
            case Then(parts):
                often, round_ = rounds(parts)
                return self._joined(round_, "and then", who) + self._again(round_, often)
            case Any(parts) if one := _one_of(parts):
                return _Teller(one[1]).told(one[0], who)
            case Any(parts):
                return self._joined(parts, "or", who)
            case g.If(test, yes, no):
                if_so = f"if {self.fact(_there(test))}, {self.told(yes, 'I ')}"
                return if_so + (f", and if not, {self.told(no, 'I ')}" if no is not None else "")
            case g.Until(test, body, most):
                often_ = f", {times(most)} at most" if most else ""
                return f"{self.told(body, who)} until {self.fact(test)}{often_}"
            case Each(which, body):
                return self._each(which, body, lambda teller: teller.told(body, who), lambda t: t.told(body, "I "))
            case g.Within(limit, body):
                return f"{self.told(body, who)} within {amount(limit.value, limit.unit)}"

    def did(self, clause: Clause) -> str:
        """The clause as something that was done, behind "I"."""
        match clause:
            case Pred():
                return self._pred("did", clause)
            case All(parts) | Then(parts):
                often, round_ = rounds(parts)
                return row([self.did(p) for p in round_]) + self._again(round_, often)
            case Any(parts):
                return row([self.did(p) for p in parts], "or")
            case Each(which, body):
                return self._each(which, body, lambda teller: teller.did(body), lambda teller: teller.did(body))
        raise TypeError(f"{clause} is no deed")

    def _joined(self, parts: Sequence[Clause], word: str, who: str) -> str:
        return row([self.told(p, who if n == 0 else "") for n, p in enumerate(parts)], word)

    @staticmethod
    def _again(round_: Sequence[Clause], often: int) -> str:
        if often == 1:
            return ""
        return f" {times(often)}" if len(round_) == 1 and isinstance(round_[0], Pred) else f", {times(often)}"

    def _each(self, which: Which, body: Clause, one: Callable[[_Teller], str], other: Callable[[_Teller], str]) -> str:
        """Where the thing comes first in what is done to it, every one of them stands there."""
        told = self.which(which) if which.count < 2 else f"each of the {self._counted(which)}"
        person = is_person(which.kind)
        self._last = None
        if _comes_first(body):
            return one(_Teller(told, person=person))
        it = _Teller(person=person)
        it._last = Which(IT)
        return f"for {told}, {other(it)}"

    # As something that is so

    def fact(self, clause: Clause, so: bool = True) -> str:
        """The clause as something that is so, or that is not."""
        match clause:
            case Pred():
                return self._pred("so" if so else "isnt", clause)
            case Not(part):
                return self.fact(part, not so)
            case All(parts) | Then(parts):
                return row([self.fact(p, so) for p in parts], "and" if so else "or")
            case Any(parts):
                return row([self.fact(p, so) for p in parts], "or" if so else "and")
            case g.If(test, yes, no) if so:
                else_ = f", and {self.fact(no)} if not" if no is not None else ""
                return f"{self.fact(yes)} if {self.fact(_there(test))}{else_}"
            case Each(which, body) if so:
                return self._each(which, body, lambda teller: teller.fact(body), lambda t: t.fact(body))
            case g.Only(part) if so:
                return f"{self.fact(part)} and nothing else"
            case g.Within(limit, body) if so:
                return f"{self.fact(body)} within {amount(limit.value, limit.unit)}"
            case Never(part):
                return f"it has {'never ' if so else ''}been so that {self.fact(part)}"
            case g.Until(test, body, _) if so:
                return f"{self.fact(body)} until {self.fact(test)}"
        return f"it is not so that {self.fact(clause)}"

    # What the table of phrases leaves open

    def _pred(self, form: str, pred: Pred) -> str:
        given = dict(zip((p.name for p in g.PREDICATES[pred.name].parameters), pred.args, strict=False))
        question, _, rank = str(given.get("question", "")).rpartition(" ")
        given |= {"question": question, "rank": words()["more"].get(rank, rank)} if rank in g.RANKS else {}
        told: Mapping[str, Mapping[str, str]] = words()["predicates"]
        name = pred.name
        if "question" in given and not _known(given["question"], given) and f"{name}_freely" in told:
            name = f"{name}_freely"
        phrase = told[name].get(form) or _denied(told[name]["so"])
        return self.filled(phrase, given, denied=form == "isnt")

    def filled(self, phrase: str, given: Mapping[str, Argument], *, denied: bool = False) -> str:
        """The phrase with its slots filled, from left to right."""
        told, parts = dict[str, str](), list[str]()
        for literal, slot, form, _ in Formatter().parse(phrase):
            before, _, name = (slot or "").rpartition(" ")
            parts.append(literal)
            if (argument := given.get(name)) is None:
                continue
            if form and isinstance(argument, Which) and form not in ("to", "at"):
                parts.append(self._formed(form, argument, told.get(name, "")))
                continue
            text = self._argument(name, argument, given)
            told[name] = text if any(map(str.strip, parts)) else _subject(text, denied)
            parts.append(f"{before} {_placed(form, argument, told[name])}")
        return " ".join("".join(parts).split()).replace(" ,", ",")

    def _formed(self, form: str, which: Which, told: str) -> str:
        """A verb that suits those that are meant, or them in another form."""
        if form == "a":
            return counted(which.count, noun(which)) if which.count > 1 else indefinite(singular(self.noun(which)))
        if form in ("many", "sort"):
            return plural(singular(self.noun(which) if form == "many" else noun(which)))
        if form == "near":
            return self._told(which, "").strip()
        if form == "none":
            return inflection.none_of(plural(self.noun(which)) if which.count > 1 else singular(self.noun(which)))
        if form == "like" and which.among:
            return row([self._formed(form, one, told) for one in which.among], "or")
        if form == "like" and which.kind == ANYTHING and which.relation:
            return self._told(which, " ".join(which.traits)).strip()
        if form == "like":
            return " ".join(which.traits) if which.kind == ANYTHING and which.traits else indefinite(self.noun(which))
        if form == "around":
            return self._told(which, "") if which.relation else "all round"
        verb, _, negated = form.partition(" ")
        verbs, every = words()["verbs"], told.startswith("not every")
        many = told in ("they", "you") or (which.count > 1 and told != "it") or (which.kind == IT and self._many)
        return f"{verbs[verb] if many else verb}{f' {negated}' if negated and not every else ''}"

    def _argument(self, name: str, argument: Argument, given: Mapping[str, Argument]) -> str:
        match argument:
            case Amount(value, unit):
                return amount(value, unit)
            case Which():
                return self.which(argument)
        if name == "question" and _known(argument, given):
            table, which = words()["questions"], given.get("which")
            of_kind = f"{argument} of a kind" if isinstance(which, Which) and which.kind != ANYTHING else ""
            return self.filled(table.get(of_kind) or table[str(argument)], given)
        quoted = name in ("text", "question", "among", "deed") or ("bound" not in given and name == "name")
        return f"“{argument}”" if quoted else argument

    # Things

    def which(self, which: Which) -> str:
        """Those that are meant."""
        if which.kind == IT and self._it:
            told, self._it = self._it, ""
            return told
        if which.kind == IT or (which == self._last and not which.kind[:1].isupper()):
            them = which.count > 1 or self._person or is_person(which.kind)
            return "them" if them and which.kind != ANYTHING else "it"
        if which.kind in (ME, g.YOU):
            return "you" if which.kind == ME else "me"
        self._last = which
        if which == Which():
            return "what was found"
        if which == HOME:
            return "where it belongs"
        if which.among:
            some = "each" if which.count == ALL else f"the {which.rank}" if which.rank else str(which.count)
            return f"{some} of {row([self._aside(one) for one in which.among])}"
        if which.count == ALL:
            every = {ANYTHING: "everything", PERSON: "everybody"}.get(which.kind, "")
            return self._told(which, every if every and not which.traits else f"every {singular(noun(which))}")
        another = "" if not self._more(which) else "another" if which.count == 1 else f"{which.count} more"
        if which.count != 1 or another:
            number = another or str(which.count)
            counted_ = noun(which) if which.count == 1 else plural(singular(noun(which)))
            return self._told(which, f"{_ranked(which, number)} {counted_}".strip())
        one = f"{_ranked(which, '')} {noun(which)}".strip()
        return self._told(which, one if inflection.bare(noun(which)) and not which.rank else definite(one))

    def _counted(self, which: Which) -> str:
        """So many of them, behind "each of the"."""
        return self._told(
            which, f"{_ranked(which, str(which.count)).removeprefix('the ')} {plural(singular(noun(which)))}"
        )

    def noun(self, which: Which) -> str:
        return self._told(which, noun(which))

    def _told(self, which: Which, one: str) -> str:
        """With what else tells it from others."""
        if which.relation == g.Relation("under", Which()):
            one += " with something on it"
        elif which.relation:
            word = f"{which.rank} {which.relation.word}" if which.measured else which.relation.word
            of, to = which.relation.to.kind, self._aside(which.relation.to)
            bears = word == "under" and means("furniture", which.kind) and not means("furniture", of)
            one += f" with {to} on it" if bears else f" {words()['relations'].get(word, word)} {to}"
        if which.source:
            one += f" from {definite(which.source)}"
        more = self._more(which)
        but = [self._aside(other) for other in which.but if other not in more]
        return f"{one} {'but' if which.count == ALL else 'other than'} {row(but)}" if but else one

    @staticmethod
    def _more(which: Which) -> list[Which]:
        """Those that are there already, and are not meant."""
        return [w for w in which.but if w == Which(which.kind, source=w.source)]

    def _aside(self, which: Which) -> str:
        """A thing that is only spoken of to tell which one another is."""
        last = self._last
        told = self.which(which)
        self._last = last
        return told


def _one_of(parts: Sequence[Clause]) -> tuple[Pred, str] | None:
    """The same deed to one thing or another, as one to "it", and those that it may be."""
    some = [part for part in parts if isinstance(part, Pred) and part.args]
    first = [part.args[0] for part in some]
    if len(some) < len(parts) or len({(part.name, part.args[1:]) for part in some}) > 1:
        return None
    names = [_Teller().which(one) for one in first if isinstance(one, Which)]
    return (
        (replace(some[0], args=(Which(IT), *some[0].args[1:])), row(names, "or")) if len(names) == len(parts) else None
    )


def _there(test: Clause) -> Clause:
    """The test whether something was found as whether it is there, which is how a condition is said."""
    match test:
        case Pred("found", args):
            return Pred("there", args)
    return changed(test, _there)


def _deeds(body: Clause) -> bool:
    """Whether nothing in it is to be decided, or told otherwise than one deed after another."""
    if isinstance(body, Each):
        return _comes_first(body.body) and _deeds(body.body)
    return all(map(_deeds, body.parts)) if isinstance(body, All | Any | Then) else isinstance(body, Pred)


def _denied(so: str) -> str:
    """A phrase for what is so as one for what is not."""
    for begin, denied in (("I am ", "I am not "), ("I have ", "I have not "), ("I ", "I do not ")):
        if so.startswith(begin):
            return denied + so.removeprefix(begin)
    verb = next(verb for verb in (":is", ":has", " is") if verb in so)
    return so.replace(verb, f"{verb} not", 1)


def _subject(told: str, denied: bool) -> str:
    """As it stands before its verb: of every lemon that are not all there, not every one is."""
    return f"not {told}" if denied and told.startswith("every") else {"them": "they"}.get(told, told)


def _ranked(which: Which, number: str) -> str:
    """What stands before the noun: "2nd largest", "the 3 nearest", "2"."""
    nth = inflection.ordinal(which.nth) if which.nth != 1 else ""
    rank = "" if which.measured else which.rank
    the = "the" if number.isdigit() and rank else ""
    return " ".join(word for word in (the, number, nth, rank) if word)


FORMS = {"of": "of", "short": "short"}
"""What stands behind an amount in a form."""


def _placed(form: str | None, argument: Argument, told: str) -> str:
    """An argument in a form: a place with its preposition, how often, how much of it."""
    if form in ("to", "at") and argument == Which():
        return "somewhere"
    if form in ("to", "at") and argument != HOME:
        return f"{'with' if form == 'at' and argument == Which(ME) else form} {told}"
    if form == "often" and isinstance(argument, Amount):
        return times(int(argument.value))
    if form in ("turn", "past"):
        return str(words()["turns" if form == "turn" else form].get(told, told))
    return f"{told} {FORMS[form]}" if form in FORMS else told


def _comes_first(body: Clause) -> bool:
    """Whether the first thing that is spoken of is the one that an enclosing `Each` is at."""
    match body:
        case Pred(_, args):
            return Which(IT) in args
        case All(parts) | Then(parts):
            return _comes_first(parts[0])
    return False


def _known(question: Argument, given: Mapping[str, Argument]) -> bool:
    """Whether the table tells a question, and it has what it is about."""
    told = words()["questions"].get(str(question))
    return told is not None and all(not slot or slot in given for _, slot, *_ in Formatter().parse(told))
