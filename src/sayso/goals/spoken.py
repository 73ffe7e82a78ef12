"""A goal as one says it to a person: what a mission is about to do, made from the goal and from nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.goal import (
    ALL,
    IT,
    ME,
    PREDICATES,
    All,
    Amount,
    Any,
    Argument,
    Clause,
    Each,
    If,
    Never,
    Not,
    Only,
    Part,
    Pred,
    Then,
    Until,
    Which,
    Within,
)
from sayso.goals.text import parse
from sayso.grounding.lexicon import kind
from sayso.grounding.names import row
from sayso.grounding.phrases import unnamed
from sayso.grounding.said import plural

WORDS = {"left_of": "left of", "right_of": "right of", "before": "in front of"}
UNITS = {"deg": "°", "%": " %", "": ""}


def rounds(parts: Sequence[Clause]) -> tuple[int, Sequence[Clause]]:
    """How often the same clauses come over and over, and those of one round; nobody listens to a loop unrolled."""
    for size in range(1, len(parts) // 2 + 1):
        times, rest = divmod(len(parts), size)
        if not rest and tuple(parts) == tuple(parts[:size]) * times:
            return times, parts[:size]
    return 1, parts


def spoken(clause: Clause) -> str:
    """One sentence with its full stop."""
    said = _Teller().told(clause, "I ")
    return f"{said[0].upper()}{said[1:]}."


def doing(clause: Clause) -> str:
    """As something to do: "go to the red mug"."""
    return _Teller().told(clause)


def fact(clause: Clause) -> str:
    """As something that is so or not: "the coke is at the sink"."""
    return _Teller().fact(clause)


def unmet(parts: Sequence[Part]) -> str:
    """What was not reached, a sentence each, and why."""
    told = [(doing(parse(p.clause)), p.why) for p in parts]
    return " ".join(f"I did not {what}{'' if why in ('', missed(what)) else f': {why}'}." for what, why in told)


def doubtful(part: Part) -> str:
    """What is not known, and why."""
    return f"whether {fact(parse(part.clause))}{part.why and f': {part.why}'}"


def missed(what: str) -> str:
    """Why it is not so where there is no more to say than that."""
    return f"it did not {what}"


class _Teller:
    """Tells one goal; what was spoken of last is `it` when it comes again at once."""

    def __init__(self) -> None:
        self._last: Which | None = None

    def told(self, clause: Clause, who: str = "") -> str:
        """The clause as something to do; `who` stands before the verb."""
        match clause:
            case Pred(name, args):
                return who + self._pred(PREDICATES[name].says, name, args)
            case Not(part):
                return f"{who}see to it that it is not so that {self.fact(part)}"
            case Never(part):
                return f"{who}see to it that at no time {self.fact(part)}"
            case Only(part):
                return f"{self.told(part, who)} and nothing else"
            case All(parts):
                return self._joined(parts, "and", who)
            case Then(parts):
                times, round_ = rounds(parts)
                often = f", {times} times" if times > 1 else ""
                return self._joined(round_, "and then", who) + often
            case Any(parts):
                return self._joined(parts, "or", who)
            case If(test, yes, no):
                if_so = f"if {self.fact(test)}, {self.told(yes, 'I ')}"
                return if_so + (f", and if not, {self.told(no, 'I ')}" if no is not None else "")
            case Until(test, body, most):
                often = f", {most} times at most" if most else ""
                return f"{self.told(body, who)} until {self.fact(test)}{often}"
            case Each(which, body) if which.count == 1:
                one = self._which(which)
                self._last = Which(IT)
                return f"{who}take {one} and {self.told(body)}"
            case Each(which, body):
                some = self._which(which)
                self._last = Which(IT)
                return f"for {'' if which.count == ALL else 'each of '}{some} {self.told(body, 'I ')}"
            case Within(limit, body):
                return f"{self.told(body, who)} within {_amount(limit)}"

    def _joined(self, parts: Sequence[Clause], word: str, who: str) -> str:
        return row([self.told(p, who if n == 0 else "") for n, p in enumerate(parts)], word)

    def fact(self, clause: Clause) -> str:
        """The clause as something that is so or not."""
        match clause:
            case Pred(name, args):
                return self._pred(PREDICATES[name].fact, name, args)
            case All(parts) | Then(parts):
                return row([self.fact(p) for p in parts])
            case Any(parts):
                return row([self.fact(p) for p in parts], "or")
            case Not(part):
                return f"it is not so that {self.fact(part)}"
        return self.told(clause)

    def _pred(self, says: str, name: str, args: Sequence[Argument]) -> str:
        parameters = PREDICATES[name].parameters
        words = {p.name: "" for p in parameters}
        for parameter, argument in zip(parameters, args, strict=False):
            words[parameter.name] = self._argument(parameter.name, argument)
        told = " ".join(says.format(**words).split())
        for optional in (" of", " to", " and", " about"):
            told = told.removesuffix(optional)  # what was left out at the end takes its preposition along
        told = told.replace(" of was ", " was ")
        return told + (f" from within {words['within']}" if words.get("within") else "")

    def _argument(self, name: str, argument: Argument) -> str:
        match argument:
            case Amount():
                return _amount(argument)
            case Which():
                return self._which(argument)
        return f"“{argument}”" if name in ("text", "question", "among") else argument

    def _which(self, which: Which) -> str:
        if which.kind == IT or which == self._last:
            return "it"
        if which.kind == ME:
            return "you"
        self._last = which
        if which == Which():
            return "what was found"
        if which == Which("home"):
            return "where it belongs"
        words = [*which.traits, _counted(which)]
        if which.rank:
            words.insert(0, which.rank)
        if which.nth != 1:
            words.insert(0, _ordinal(which.nth))
        head = {1: "the", ALL: "every"}.get(which.count, str(which.count))
        more = [w for w in which.but if w == Which(which.kind, source=w.source)]
        if more:  # those that are there already are not meant
            head = "another" if which.count == 1 else f"{head} more"
        if which.count == 1 and unnamed(words[0]):
            head = ""  # "something to drink" takes no article
        if which.count == 1 and words[0][:1].isupper():
            head = ""  # nor does Mary
        text = f"{head} {' '.join(words)}".strip()
        if which.relation:
            text += f" {WORDS.get(which.relation.word, which.relation.word)} {self._aside(which.relation.to)}"
        if which.source:
            text += f" from the {which.source}"
        for one in (w for w in which.but if w not in more):
            text += f" but {self._aside(one)}"
        return text

    def _aside(self, which: Which) -> str:
        """A thing that is only spoken of to tell which one another is."""
        last = self._last
        told = self._which(which)
        self._last = last
        return told


def _counted(which: Which) -> str:
    """Its kind, for one of them, for each, or for several."""
    if which.count == 1:
        return which.kind
    *first, last = which.kind.split(" ")
    one = " ".join((*first, kind(last) or last))
    return one if which.count == ALL else plural(one)


def _amount(amount: Amount) -> str:
    return f"{amount.value:g}{UNITS.get(amount.unit, f' {amount.unit}')}"


def _ordinal(n: int) -> str:
    ending = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"
