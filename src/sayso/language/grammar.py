"""The grammar of one robot's plans, for constrained decoding.

Specialised to a set of skills: only its names and abbreviations, each with its number of arguments and the kinds of
literals that they take. The rules are written once (`grammar.toml`), for Lark (for its Earley parser) and as GBNF. They
describe plans as `show` writes them, with white space where a model may put it; ranges stay the checker's work.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Literal

from sayso.errors import UsageError
from sayso.language.values import BUILT_IN
from sayso.skill import Param, Skill, SkillSet
from sayso.tables import toml

Format = Literal["lark", "gbnf"]


def grammar(skills: SkillSet, form: Format = "lark", *, flat: bool = False) -> str:
    """The grammar of plans for `skills`; with `flat` a plan is one list from first to last."""
    if form not in ("lark", "gbnf"):
        raise UsageError(f"grammars are written as lark or gbnf, not {form!r}")
    first, sign = ("start", ":") if form == "lark" else ("root", " ::=")
    table = toml(__package__, "grammar.toml")
    rules = {
        first: "program",
        **table["rules"],
        **(table["flat"] if flat else {}),
        **_skill_rules(skills),
        **table[form],
    }
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
    return str(toml(__package__, "grammar.toml")["kinds"].get(param.kind, "expr"))


def _marks(option: str) -> Iterator[str]:
    """The quotes that can stand around an option as it is."""
    if "\\" not in option:
        yield from (mark for mark in ("'", '"') if mark not in option)


def any_of(texts: Iterable[str]) -> str:
    return " | ".join(json.dumps(text, ensure_ascii=False) for text in texts)
