"""Plans for one set of skills as rules of a guided decoder: what a model may write next, letter by letter.

The plans that `show` writes with single or double quotes, without white space: skills with as many arguments as they
take, each of its kind, numbers and loop counts within their bounds, options by name. Two things are narrower than the
checker: numbers are written without an exponent, and where a number is wanted a calculation has to hold something that
only running tells, since constants alone would come to one number that could be out of bounds.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TypeAlias

from sayso.language.bounds import LONGEST_WORD, PlanBounds
from sayso.language.lexer import unescape
from sayso.language.prefix import Prefix, Rules, Terminal, any_of
from sayso.language.values import BUILT_IN
from sayso.skill import Param, SkillSet

_RULES = {
    "items": '( braced | flat ";" )* flat?',
    "braced": "loop | conditional",
    "loop": 'times "{" items "}"',
    "conditional": '"?" expr "{" items "}" ( ":" ( "{" items "}" | conditional ) )?',
    "flat": 'called | bare | variable "=" expr | "->" expr | "replan" | "rp"',
    "expr": 'both ( "|" both )*',
    "both": 'negated ( "&" negated )*',
    "negated": '"!" negated | compared',
    "compared": "sum ( comparison sum )?",
    "comparison": '"==" | "!=" | "<=" | "<" | ">=" | ">"',
    "sum": 'product ( ( "+" | "-" ) product )*',
    "product": 'unary ( ( "*" | "/" ) unary )*',
    "unary": '"-" unary | number | string | truth | "None" | chosen | "(" expr ")"',
    "truth": '"True" | "False"',
    "chosen": 'variable | called | bare "()" | bare',
    "operator": '"+" | "-" | "*" | "/"',
    "constant": '"-" constant | number',
    "quantity": "( constant operator )* live ( operator factor )*",
    "live": '"-" live | chosen | "(" quantity ")"',
    "factor": '"-" factor | number | chosen | "(" quantity ")"',
    "joined": '( "+" ( string | number | chosen ) )*',
    "text": "( string | chosen ) joined",
    "thing": "( named | chosen ) joined",
    "flag": 'truth | chosen | "!" negated | sum comparison sum',
}
_KINDS = {"text": "text", "thing": "thing", "place": "thing", "flag": "flag", "any": "expr"}


Form: TypeAlias = tuple[str, str, tuple[Param, ...]]
"""What of a skill can be seen in a plan: its names and parameters."""


def plan_prefix(skills: SkillSet, bounds: PlanBounds | None = None) -> Prefix:
    """The empty plan for `skills`. Made once for skills of the same form."""
    return _prefix(tuple((s.short, s.name, s.params) for s in skills.skills), (bounds or PlanBounds()).loop_count)


@functools.lru_cache(maxsize=8)
def _prefix(forms: tuple[Form, ...], loop_count: int) -> Prefix:
    terminals: dict[str, Terminal] = {
        "number": Number(),
        "string": Quoted(),
        "named": Quoted(nonblank=True),
        "variable": Variable(),
        "times": Number(1, loop_count, whole_only=True),
    }
    called = [_call(form, terminals) for form in forms if form[2]]
    rules = {
        **_RULES,
        "called": " | ".join([*called, f'( {any_of(BUILT_IN)} ) "(" expr ")"']),
        "bare": " | ".join(_names(form) for form in forms if not form[2]),
    }
    if not rules["bare"]:
        del rules["bare"]
        rules["chosen"], rules["flat"] = "variable | called", rules["flat"].replace("| bare ", "")
    return Prefix.of(Rules(rules, terminals), "items")


def _names(form: Form) -> str:
    return any_of(dict.fromkeys(form[:2]))


def _call(form: Form, terminals: dict[str, Terminal]) -> str:
    inside = ' "," '.join(_argument(p, terminals) for p in form[2])
    return f'( {_names(form)} ) "(" {inside} ")"'


def _argument(param: Param, terminals: dict[str, Terminal]) -> str:
    if param.options:
        return f"( {any_of(f'{chr(39)}{o}{chr(39)}' for o in param.options)} | chosen )"
    if param.kind not in ("number", "integer"):
        return _KINDS.get(param.kind, "expr")
    low, high = (param.range.low, param.range.high) if param.range else (-float("inf"), float("inf"))
    whole = param.kind == "integer"
    options = ["quantity"]
    if high >= 0:
        options.append(_number(Number(max(low, 0.0), high, whole), terminals))
    if low < 0:
        options.append(f'"-" {_number(Number(max(-high, 0.0), -low, whole), terminals)}')
    return f"( {' | '.join(options)} )"


def _number(number: Number, terminals: dict[str, Terminal]) -> str:
    name = next((n for n, t in terminals.items() if t == number), f"number_{len(terminals)}")
    terminals[name] = number
    return name


@dataclass(frozen=True, slots=True)
class Number:
    """A decimal number without sign or exponent, from `low` to `high`."""

    low: float = 0.0
    high: float = float("inf")
    whole_only: bool = False

    def viable(self, text: str) -> bool:
        if not _NUMBER.fullmatch(text) or len(text) > LONGEST_WORD or (self.whole_only and "." in text):
            return False
        least, digits = float(text), len(text)
        if "." in text:
            return least <= self.high and least + 10.0 ** -len(text.partition(".")[2]) > self.low
        most = least + (0 if self.whole_only else 0.999_999_999)
        while digits <= LONGEST_WORD:
            if least <= self.high and most >= self.low:
                return True
            if least > self.high or text == "0":
                return False
            least, most, digits = least * 10, most * 10 + 9, digits + 1
        return False

    def whole(self, text: str) -> bool:
        return text[-1] != "." and self.low <= float(text) <= self.high


_NUMBER = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]*)?")


@dataclass(frozen=True, slots=True)
class Variable:
    """`_1`, `_count`."""

    def viable(self, text: str) -> bool:
        return len(text) <= LONGEST_WORD and _VARIABLE.fullmatch(text) is not None

    def whole(self, text: str) -> bool:
        return len(text) > 1


_VARIABLE = re.compile(r"_[a-zA-Z0-9_]*")
_H = "[0-9a-fA-F]"
_ESCAPE = rf"""\\(?:["'\\ntr0]|x{_H}{{2}}|u(?:[0-9a-ce-fA-CE-F]{_H}|[dD][0-7]){_H}{{2}}|U00(?:0{_H}|10){_H}{{4}})"""
_BODY = {mark: re.compile(rf"{mark}(?:[^{mark}\\\n]|{_ESCAPE})*+") for mark in "'\""}
_OPEN_ESCAPE = re.compile(
    rf"\\(?:x{_H}?|u|u[dD]|u(?:[0-9a-ce-fA-CE-F]{_H}?|[dD][0-7]|(?:[0-9a-ce-fA-CE-F]{_H}|[dD][0-7]){_H})"
    rf"|U0{{0,2}}|U00[01]|U00(?:0{_H}|10){_H}{{0,3}})?"
)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A string in quotes; with `nonblank` one that has more than white space in it."""

    nonblank: bool = False

    def viable(self, text: str) -> bool:
        if text[0] not in "'\"":
            return False
        body = _BODY[text[0]].match(text)
        assert body is not None, "a quote alone matches"
        rest = text[body.end() :]
        return not rest or (rest == text[0] and self._says(text)) or _OPEN_ESCAPE.fullmatch(rest) is not None

    def whole(self, text: str) -> bool:
        if len(text) < 2 or text[-1] != text[0]:
            return False
        body = _BODY[text[0]].match(text)
        return body is not None and body.end() == len(text) - 1

    def _says(self, text: str) -> bool:
        return not self.nonblank or bool(unescape(text[1:-1]).strip())
