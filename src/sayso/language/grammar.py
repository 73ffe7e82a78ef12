"""The grammar of one robot's plans, for constrained decoding.

Specialised to a set of skills: only its names and abbreviations, each with its number of arguments and the kinds of
literals that they take. The rules are written once and rendered for Lark (for its Earley parser) and as GBNF. They
describe plans as `show` writes them, with white space where a model may put it; ranges stay the checker's work.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Literal

from sayso.errors import UsageError
from sayso.language.values import BUILT_IN
from sayso.skill import Param, Skill, SkillSet

Format = Literal["lark", "gbnf"]

RULES = {
    "program": "gap spare items gap",
    "items": '( closed gap spare | open ( gap ";" gap spare | newline ) )* open?',
    "spare": '( ";" gap )*',
    "closed": "called | replanned | loop | conditional",
    "open": "bare | replan | assign | return",
    "replan": '"replan" | "rp"',
    "replanned": 'replan gap "(" gap ")"',
    "assign": 'variable gap "=" gap expr',
    "return": '"->" gap expr',
    "loop": "times gap block",
    "block": '"{" gap spare items gap "}"',
    "conditional": '"?" gap expr gap block ( gap ":" gap ( block | conditional ) )?',
    "expr": 'both ( gap ( "||" | "|" ) gap both )*',
    "both": 'negated ( gap ( "&&" | "&" ) gap negated )*',
    "negated": '"!" gap negated | compared',
    "compared": "sum ( gap comparison gap sum )?",
    "comparison": '"==" | "!=" | "<=" | "<" | ">=" | ">"',
    "sum": 'product ( gap ( "+" | "-" ) gap product )*',
    "product": 'unary ( gap ( "*" | "/" ) gap unary )*',
    "unary": '"-" gap unary | number | string | truth | "None" | chosen | "(" gap expr gap ")"',
    "chosen": "variable | called | bare",
    "truth": '"True" | "False" | "true" | "false"',
    "quantity": 'multiple ( gap ( "+" | "-" ) gap multiple )*',
    "multiple": 'factor ( gap ( "*" | "/" ) gap factor )*',
    "factor": '"-" gap factor | number | chosen | "(" gap quantity gap ")"',
    "text": '( string | chosen ) ( gap "+" gap ( string | number | chosen ) )*',
    "flag": 'truth | chosen | "!" gap negated | sum gap comparison gap sum',
}
"""What stands in a row follows in a row; the rest reads as in a regular expression."""

FLAT = {"program": "gap spare items gap want?", "closed": "called | loop", "open": "bare | assign | return"}
"""Plans without conditions and replans, and on a line behind them what is wanted."""

_TERMINALS: dict[str, dict[Format, str]] = {
    "times": {"gbnf": '[1-9] [0-9]? [0-9]? | "1000"', "lark": '/[1-9]/ /[0-9]/? /[0-9]/? | "1000"'},
    "gap": {"gbnf": r"[ \t\r\n]*", "lark": r"/[ \t\r\n]+/?"},
    "newline": {"gbnf": r'[ \t\r]* "\n" gap', "lark": r"/[ \t\r]*\n/ gap"},
    "number": {
        "gbnf": r'[0-9]+ ( "." [0-9]+ )? ( [eE] [-+]? [0-9]+ )?',
        "lark": r"/[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/",
    },
    "variable": {"gbnf": '"_" [a-zA-Z0-9_]+', "lark": "/_[a-zA-Z0-9_]+/"},
    "want": {"gbnf": r'"want " [^\n]+', "lark": r"/want [^\n]+/"},
    "string": {
        "gbnf": r"""["] ( [^"\\\n] | escape )* ["] | ['] ( [^'\\\n] | escape )* [']""",
        "lark": r"""/"([^"\\\n]|\\(["'\\ntr0]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}))*"/"""
        r""" | /'([^'\\\n]|\\(["'\\ntr0]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}))*'/""",
    },
}
_GBNF_ONLY = {
    "escape": r"""[\\] ( ["'\\ntr0] | "x" byte | "u" byte byte | "U" byte byte byte byte )""",
    "byte": "[0-9a-fA-F] [0-9a-fA-F]",
}

_KINDS = {
    "number": "quantity", "integer": "quantity", "text": "text", "thing": "text", "place": "text", "flag": "flag",
    "any": "expr",
}  # fmt: skip
"""The rule that each kind of parameter takes."""


def grammar(skills: SkillSet, form: Format = "lark", *, flat: bool = False) -> str:
    """The grammar of plans for `skills`; with `flat` a plan is one list from first to last."""
    if form not in ("lark", "gbnf"):
        raise UsageError(f"grammars are written as lark or gbnf, not {form!r}")
    first, sign = ("start", ":") if form == "lark" else ("root", " ::=")
    rules = {first: "program", **RULES, **(FLAT if flat else {}), **_skill_rules(skills)}
    rules |= {name: forms[form] for name, forms in _TERMINALS.items()}
    if form == "gbnf":
        rules |= _GBNF_ONLY
    if not rules["bare"]:  # every skill takes something
        rules |= {name: " | ".join(a for a in rules[name].split(" | ") if a != "bare") for name in ("open", "chosen")}
    return "".join(f"{name}{sign} {rules[name]}\n" for name in _used(rules, first))


def _used(rules: dict[str, str], first: str) -> list[str]:
    """The rules that `first` leads to, in their order; some kinds of parameter may not occur."""
    reached: set[str] = set()
    todo = {first}
    while todo:
        reached |= todo
        named = {word.rstrip("?*+") for name in todo for word in rules[name].split()}
        todo = (named & set(rules)) - reached
    return [name for name in rules if name in reached]


def _skill_rules(skills: SkillSet) -> dict[str, str]:
    built_in = f"( {any_of(BUILT_IN)} ) {_arguments(['expr'])}"
    called = [
        f"{names(s)} {_arguments([_argument(p) for p in s.params[:n]])}"
        for s in skills.skills
        for n in range(len(s.params), -1, -1)
        if s.takes(n)
    ]
    return {
        "called": " | ".join([*called, built_in]),
        "bare": " | ".join(names(s) for s in skills.skills if s.takes(0)),
    }


def names(skill: Skill) -> str:
    names = dict.fromkeys([skill.short, skill.name])
    return f"( {any_of(names)} )"


def _arguments(rules: list[str]) -> str:
    inside = ' gap "," gap '.join(rules)
    return f'gap "(" gap {inside} gap ")"' if inside else 'gap "(" gap ")"'


def _argument(param: Param) -> str:
    if param.options:
        return f"( {any_of(f'{mark}{o}{mark}' for o in param.options for mark in _marks(o))} | chosen )"
    return _KINDS.get(param.kind, "expr")


def _marks(option: str) -> Iterator[str]:
    """The quotes that can stand around an option as it is."""
    if "\\" not in option:
        yield from (mark for mark in ("'", '"') if mark not in option)


def any_of(texts: Iterable[str]) -> str:
    return " | ".join(json.dumps(text, ensure_ascii=False) for text in texts)
