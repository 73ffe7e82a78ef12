"""Goals as text, read and written: short enough for a small model, and to be read aloud.

    want at(mug.red); picture(mug.red, 2 m) then home; never over(river)
    if sees(person.sitting on sofa) { stayed } else { at(sofa) }
    each(all person) { picture(it) }
    placed(all lemon from 'receiving shelf' but lemon.green, basket)

`;` joins what may come in any order, `then` what comes one after the other, `or` what may take another's place; braces
group. `parse(show(goal)) == goal` for every goal, and a text that is none is refused with the place and what would be
right there.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from sayso import goal
from sayso.errors import Place, PlanSyntaxError
from sayso.goals.clauses import several
from sayso.language import plainly
from sayso.tables.units import keyed, signed

T = TypeVar("T")

DEPTH_MAX, CHARS_MAX, TIMES_MAX = 12, 4000, 20
"""Nobody wants more at once; a text that does is refused before it costs anything."""

_TOKEN = re.compile(r"(?P<number>\d+(?:\.\d+)?)|(?P<word>[A-Za-z][\w-]*)|'(?P<quoted>(?:[^'\\]|\\.)*)'|(?P<sign>\S)")
_BARE = re.compile(r"[A-Za-z][\w-]*")
_WORDS = frozenset(("want", "then", "or", "not", "never", "only", "if", "else", "until", "most", "each", "within",
                    "all", "nth", "from", "but", *goal.RANKS, *goal.RELATIONS))  # fmt: skip
"""Words of the language's own; a thing that is called so stands in quotes."""


@lru_cache(maxsize=256)
def parse(text: str) -> goal.Clause:
    """The clause that a text stands for. Raises `PlanSyntaxError` with the place and what would be right there."""
    return _Reader(plainly(text)).whole()


class _Reader:
    """Reads one text, a function a node; `_at` is the token that comes next."""

    def __init__(self, text: str) -> None:
        if len(text) > CHARS_MAX:
            raise PlanSyntaxError(f"a goal of {len(text)} characters", expected=f"at most {CHARS_MAX}")
        self._text, self._at, self._depth = text, 0, 0
        self._tokens: list[tuple[str, str, int]] = []
        self._split()

    def whole(self) -> goal.Clause:
        self._take("want")
        clause = self._all()
        if self._kind != "end":
            raise self._wrong("the end, `;`, `then` or `or`")
        return clause

    # Clauses

    def _all(self) -> goal.Clause:
        parts = [self._then()]
        while self._take(";"):
            if self._kind == "end" or self._next == "}":
                break
            parts.append(self._then())
        return several(goal.All, parts)

    def _then(self) -> goal.Clause:
        return several(goal.Then, self._joined("then", self._or))

    def _or(self) -> goal.Clause:
        return several(goal.Any, self._joined("or", self._clause))

    def _joined(self, word: str, part: Callable[[], T]) -> list[T]:
        """Parts with that word between them."""
        parts = [part()]
        while self._take(word):
            parts.append(part())
        return parts

    def _clause(self) -> goal.Clause:
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise self._wrong(f"at most {DEPTH_MAX} clauses inside each other")
        try:
            if self._next == "{":
                return self._block()
            if self._take("not"):
                return goal.Not(self._clause())
            if self._take("never"):
                return goal.Never(self._clause())
            if self._take("only"):
                return goal.Only(self._pred())
            if self._take("if"):
                test, yes = self._clause(), self._block()
                return goal.If(test, yes, self._block() if self._take("else") else None)
            if self._kind == "number":
                times = int(self._number("a number of times"))
                return self._times(times, self._block())
            if self._take("until"):
                test, body = self._clause(), self._block()
                return goal.Until(test, body, int(self._number("a number of times")) if self._take("most") else 0)
            if self._take("each"):
                self._need("(")
                which = self._which()
                self._need(")")
                return goal.Each(which, self._block())
            if self._take("within"):
                self._need("(")
                limit = self._amount(("s", "min"))
                self._need(")")
                return goal.Within(limit, self._block())
            return self._pred()
        finally:
            self._depth -= 1

    def _times(self, times: int, body: goal.Clause) -> goal.Clause:
        """`3 { … }` is short for the same three times, one after the other."""
        if not 1 <= times <= TIMES_MAX:
            raise self._wrong(f"1 to {TIMES_MAX} times")
        return body if times == 1 else goal.Then((body,) * times)

    def _block(self) -> goal.Clause:
        self._need("{")
        inside = self._all()
        self._need("}")
        return inside

    def _pred(self) -> goal.Pred:
        name = self._next
        if self._kind != "word" or name not in goal.PREDICATES:
            raise self._wrong(f"one of {', '.join(goal.PREDICATES)}")
        self._at += 1
        parameters = goal.PREDICATES[name].parameters
        args: list[goal.Argument] = []
        if self._take("("):
            while self._next != ")":
                if len(args) == len(parameters):
                    raise self._wrong(f"`)`: {name} takes {_listed(parameters)}")
                if args:
                    self._need(",")
                args.append(self._argument(parameters[len(args)]))
            self._need(")")
        if lacks := [p for p in parameters[len(args) :] if not p.optional]:
            raise self._wrong(f"({_listed(parameters)}) behind {name}: {lacks[0].name} is missing")
        return goal.Pred(name, tuple(args))

    # Arguments

    def _argument(self, parameter: goal.Parameter) -> goal.Argument:
        if parameter.kind == "which":
            return self._which()
        if parameter.kind == "side":
            if self._next not in (*goal.SIDES, *goal.COMPASS):
                raise self._wrong(f"one of {', '.join(goal.SIDES)}")
            return self._word("a side")
        if parameter.kind == "text":
            if self._kind != "quoted":
                raise self._wrong("a text in single quotes")
            return self._word("a text")
        if parameter.kind == "name":
            bare = self._kind == "word"
            return self._word("a name").replace("_", " ") if bare else self._word("a name")
        if parameter.kind == "bound":
            return self._bound()
        return self._measure() if parameter.kind == "measure" else self._amount((parameter.kind,))

    def _bound(self) -> str:
        self._need("at")
        bound = next((bound for bound in goal.BOUNDS if self._take(bound.split()[1])), "")
        if not bound:
            raise self._wrong(" or ".join(goal.BOUNDS))
        return bound

    def _measure(self) -> goal.Amount:
        """In any unit by its plain name, `40 percent`, `3 l_per_min`; or without one."""
        number = self._number("a number")
        unit = signed(self._next) if self._next not in (",", ")") else None
        self._at += unit is not None
        return goal.Amount(round(number, 6), unit.sign if unit else "")

    def _amount(self, kept: tuple[str, ...]) -> goal.Amount:
        number = self._number(f"a number of {kept[0]}")
        written = self._next if self._next in goal.UNITS and self._next else ""
        unit, factor = goal.UNITS[written]
        if unit not in {goal.UNITS[k][0] for k in kept}:
            raise self._wrong(f"a unit: {' or '.join(u for u, (k, _) in goal.UNITS.items() if k in kept)}")
        if written:
            self._at += 1
        return goal.Amount(round(number * factor, 6), unit)

    def _number(self, what: str) -> float:
        sign = -1.0 if self._take("-") else 1.0
        if self._kind != "number":
            raise self._wrong(what)
        self._at += 1
        return sign * float(self._tokens[self._at - 1][1])

    def _which(self, excepting: bool = True) -> goal.Which:
        """`[all|N] [nth N] [RANK] KIND{.TRAIT} [RELATION WHICH] [from PLACE] {but WHICH}`; instead of the kind those
        of which some are picked."""
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise self._wrong(f"at most {DEPTH_MAX} things inside each other")
        count = goal.ALL if self._take("all") else int(self._number("a count")) if self._kind == "number" else 1
        nth = int(self._number("which one in the order")) if self._take("nth") else 1
        rank = self._word("a superlative") if self._kind == "word" and self._next in goal.RANKS else ""
        if nth != 1 and not rank:
            raise self._wrong(f"one of {', '.join(goal.RANKS)}")
        among = self._among()
        kind = goal.ANYTHING if among else self._name()
        traits = []
        while self._take("."):
            traits.append(self._name())
        relation = None
        if self._kind == "word" and self._next in goal.RELATIONS:
            relation = goal.Relation(self._word("a relation"), self._which(excepting=False))
        source = self._name() if self._take("from") else ""
        but = []
        while excepting and self._take("but"):
            but.append(self._which(excepting=False))
        self._depth -= 1
        return goal.Which(kind, tuple(traits), count, rank, nth, relation, source, tuple(but), among)

    def _among(self) -> tuple[goal.Which, ...]:
        """`{WHICH or WHICH …}`: those of which some are picked."""
        if not self._take("{"):
            return ()
        some = self._joined("or", self._which)
        self._need("}")
        return tuple(some)

    def _name(self) -> str:
        if self._kind == "word" and self._next in _WORDS:
            raise self._wrong(f"a name; '{self._next}' in quotes where something is called so")
        return self._word("a name")

    # Tokens

    def _split(self) -> None:
        for match in _TOKEN.finditer(self._text):
            kind = match.lastgroup or "sign"
            text = re.sub(r"\\(.)", r"\1", match[kind]) if kind == "quoted" else match[kind]
            self._tokens.append((kind, text, match.start()))
        self._tokens.append(("end", "", len(self._text)))

    @property
    def _kind(self) -> str:
        return self._tokens[self._at][0]

    @property
    def _next(self) -> str:
        """The token that comes; of quoted ones nothing, since no word of the language is written so."""
        kind, text, _ = self._tokens[self._at]
        return "" if kind == "quoted" else text

    def _take(self, token: str) -> bool:
        if self._next != token or self._kind == "end":
            return False
        self._at += 1
        return True

    def _need(self, token: str) -> None:
        if not self._take(token):
            raise self._wrong(f"`{token}`")

    def _word(self, what: str) -> str:
        kind, text, _ = self._tokens[self._at]
        if kind not in ("word", "quoted") or not text.strip():
            raise self._wrong(what)
        self._at += 1
        return text

    def _wrong(self, expected: str) -> PlanSyntaxError:
        kind, text, offset = self._tokens[self._at]
        line = self._text.count("\n", 0, offset) + 1
        start = self._text.rfind("\n", 0, offset) + 1
        place = Place(offset, line, offset - start + 1)
        found = "the goal ends here" if kind == "end" else f"not {text!r} here"
        return PlanSyntaxError(found, place, expected=expected, snippet=self._text[start:].partition("\n")[0])


def _listed(parameters: tuple[goal.Parameter, ...]) -> str:
    return ", ".join(f"{p.name}{' (or not)' if p.optional else ''}" for p in parameters) or "nothing"


# Writing


def signature(name: str) -> str:
    """A predicate as a reader of a prompt sees it: `at(thing, m?)`."""
    kinds = {"which": "thing", "side": "|".join(goal.SIDES), "text": "'text'"}
    given = [kinds.get(p.kind, p.kind) + ("?" if p.optional else "") for p in goal.PREDICATES[name].parameters]
    return f"{name}({', '.join(given)})" if given else name


def show(clause: goal.Clause) -> str:
    """The clause as text, in one line."""
    return f"want {written(clause)}"


def written(clause: goal.Clause) -> str:
    """The same without the word that says that it is wanted."""
    match clause:
        case goal.Pred(name, args):
            kinds = (p.kind for p in goal.PREDICATES[name].parameters)
            told = (
                quoted(a) if k == "text" and isinstance(a, str) else _argument(a)
                for k, a in zip(kinds, args, strict=False)
            )
            return f"{name}({', '.join(told)})" if args else name
        case goal.Not(part):
            return f"not {_grouped(part)}"
        case goal.Never(part):
            return f"never {_grouped(part)}"
        case goal.Only(part):
            return f"only {written(part)}"
        case goal.All(parts):
            return "; ".join(_grouped(p, goal.All) for p in parts)
        case goal.Then(parts):
            return " then ".join(_grouped(p, goal.All, goal.Then) for p in parts)
        case goal.Any(parts):
            return " or ".join(_grouped(p, goal.All, goal.Then, goal.Any) for p in parts)
        case goal.If(test, yes, no):
            otherwise = f" else {{ {written(no)} }}" if no is not None else ""
            return f"if {_grouped(test)} {{ {written(yes)} }}{otherwise}"
        case goal.Until(test, body, most):
            return f"until {_grouped(test)} {{ {written(body)} }}" + (f" most {most}" if most else "")
        case goal.Each(which, body):
            return f"each({_argument(which)}) {{ {written(body)} }}"
        case goal.Within(limit, body):
            return f"within({_argument(limit)}) {{ {written(body)} }}"


def _grouped(clause: goal.Clause, *kinds: type) -> str:
    """A part in braces where it would be read otherwise."""
    loose = kinds or (goal.All, goal.Then, goal.Any)
    return f"{{ {written(clause)} }}" if isinstance(clause, loose) else written(clause)


def _argument(argument: goal.Argument) -> str:
    match argument:
        case goal.Amount(value, unit):
            written = unit if unit in goal.UNITS else keyed(unit)
            return f"{value:.6f}".rstrip("0").rstrip(".") + (f" {written}" if unit else "")
        case goal.Which():
            return named(argument)
    return argument if argument in (*goal.SIDES, *goal.COMPASS, *goal.BOUNDS) else quoted(argument)


def named(which: goal.Which) -> str:
    """Things as a goal writes them."""
    words = []
    if which.count != 1:
        words.append("all" if which.count == goal.ALL else str(which.count))
    if which.nth != 1:
        words.append(f"nth {which.nth}")
    if which.rank:
        words.append(which.rank)
    kind = f"{{{' or '.join(map(named, which.among))}}}" if which.among else _named(which.kind or goal.ANYTHING)
    words.append(".".join((kind, *map(_named, which.traits))))
    if which.relation:
        words += [which.relation.word, named(which.relation.to)]
    if which.source:
        words += ["from", _named(which.source)]
    for one in which.but:
        words += ["but", named(one)]
    return " ".join(words)


def _named(name: str) -> str:
    return name if is_bare(name) else quoted(name)


def is_bare(name: str) -> bool:
    """Whether a thing of this name is written without quotes."""
    return _BARE.fullmatch(name) is not None and name not in _WORDS


def quoted(text: str) -> str:
    """Words, or a name of several, as a goal writes them."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
