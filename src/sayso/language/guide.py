"""Plans for one set of skills as the grammar of a guided decoder: what a model may write next, letter by letter.

The plans that `show` writes with single or double quotes, without white space: skills with as many arguments as they
take, each of its kind, numbers and loop counts within their bounds, options by name. Two things are narrower than the
checker: numbers are written without an exponent, and where a number is wanted a calculation has to hold something that
only running tells, since constants alone would come to one number that could be out of bounds. Written as llguidance
reads it: Lark's notation, with ranges of numbers as JSON schemas.
"""

from __future__ import annotations

import json

from sayso.language.bounds import LONGEST_WORD, PlanBounds
from sayso.language.grammar import RULES, any_of, names
from sayso.language.values import BUILT_IN
from sayso.skill import Param, Skill, SkillSet

_NARROWER = {
    "start": "items",
    "items": '( braced | flat ";" )* flat?',
    "braced": "loop | conditional",
    "loop": 'times "{" items "}"',
    "conditional": '"?" expr "{" items "}" ( ":" ( "{" items "}" | conditional ) )?',
    "flat": 'called | bare | variable "=" expr | "->" expr | "replan" | "rp"',
    "expr": 'both ( "|" both )*',
    "both": 'negated ( "&" negated )*',
    "unary": '"-" unary | number | string | truth | "None" | chosen | "(" expr ")"',
    "truth": '"True" | "False"',
    "chosen": 'variable | called | bare "()" | bare',
    "operator": '"+" | "-" | "*" | "/"',
    "constant": '"-" constant | number',
    "quantity": "( constant operator )* live ( operator factor )*",
    "live": '"-" live | chosen | "(" quantity ")"',
    "factor": '"-" factor | number | chosen | "(" quantity ")"',
    "thing": '( named | chosen ) ( "+" ( string | number | chosen ) )*',
}
"""Where fewer ways of writing are offered than understood; the other rules are the exported grammar's."""

_H = "[0-9a-fA-F]"
_ESCAPE = rf"""\\(["'\\ntr0]|x{_H}{{2}}|u([0-9a-ce-fA-CE-F]{_H}|[dD][0-7]){_H}{{2}}|U00(0{_H}|10){_H}{{4}})"""
_SPACE = "(09|0[a-dA-D]|1[c-fC-F]|20|85|[aA]0)"
_BLANK = rf"[ \t\r\f\v\u{{85}}\u{{a0}}]|\\([ntr]|x{_SPACE}|u00{_SPACE})"


def _quoted(mark: str, nonblank: bool) -> str:
    letter = rf"([^{mark}\\\n]|{_ESCAPE})"
    whole = f"/{mark}{letter}*{mark}/"
    return f"{whole} & ~/{mark}({_BLANK})*{mark}/" if nonblank else whole


_TERMINALS = {
    "number": "NUMBER",
    "NUMBER": rf"/(0|[1-9][0-9]*)(\.[0-9]+)?/ & /[0-9.]{{1,{LONGEST_WORD}}}/",
    "variable": rf"/_[a-zA-Z0-9_]{{1,{LONGEST_WORD - 1}}}/",
    "string": "SINGLE | DOUBLE",
    "named": "SAYING_SINGLE | SAYING_DOUBLE",
    "SINGLE": _quoted("'", False),
    "DOUBLE": _quoted('"', False),
    "SAYING_SINGLE": _quoted("'", True),
    "SAYING_DOUBLE": _quoted('"', True),
}
_KINDS = {"text": "text", "thing": "thing", "place": "thing", "flag": "flag", "any": "expr"}


def guided(skills: SkillSet) -> str:
    """The grammar of plans for `skills`."""
    called = [_call(skill) for skill in skills.skills if skill.params]
    bare = " | ".join(names(skill) for skill in skills.skills if not skill.params)
    rules = {name: " ".join(word for word in body.split(" ") if word != "gap") for name, body in RULES.items()}
    rules = {name: rules[name] for name in ("negated", "compared", "comparison", "sum", "product", "text", "flag")}
    rules = {**_NARROWER, **rules, **_TERMINALS}
    rules["called"] = " | ".join([*called, f'( {any_of(BUILT_IN)} ) "(" expr ")"'])
    rules["times"] = _range(1, PlanBounds().loop_count, True)
    if bare:
        rules["bare"] = bare
    else:
        rules["chosen"], rules["flat"] = "variable | called", rules["flat"].replace("| bare ", "")
    return "".join(f"{name}: {body}\n" for name, body in rules.items())


def _call(skill: Skill) -> str:
    inside = ' "," '.join(_argument(p) for p in skill.params)
    return f'{names(skill)} "(" {inside} ")"'


def _argument(param: Param) -> str:
    if param.options:
        return f"( {any_of(f'{chr(39)}{o}{chr(39)}' for o in param.options)} | chosen )"
    if param.kind not in ("number", "integer"):
        return _KINDS.get(param.kind, "expr")
    low, high = (param.range.low, param.range.high) if param.range else (-float("inf"), float("inf"))
    whole = param.kind == "integer"
    options = ["quantity"]
    if high >= 0:
        options.append(_range(max(low, 0.0), high, whole))
    if low < 0:
        options.append(f'"-" {_range(max(-high, 0.0), -low, whole)}')
    return f"( {' | '.join(options)} )"


def _range(low: float, high: float, whole: bool) -> str:
    """Decimal numbers from `low`, at least 0, to `high`, without sign or exponent."""
    schema = {"type": "integer" if whole else "number", "minimum": low}
    if high < float("inf"):
        schema["maximum"] = high
    return f"%json {json.dumps({**schema, 'x-guidance': {'whitespace_flexible': False}})}"
