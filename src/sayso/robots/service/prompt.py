"""What a model is asked for when a whole plan is wanted: one command to one flat list of a service robot's calls.

A constrained prompt: the actions as typed signatures, what is known (objects, places), the requirements, and the
examples that are most like the command. The grammar for guided decoding is that of flat lists, with the places that
exist written into it, so that most of what a check would refuse cannot be written at all.
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.parts import Attempt, Brief, Prompt
from sayso.prompts.quote import quote, quote_each, wished
from sayso.prompts.render import clauses
from sayso.prompts.templates import fill, text
from sayso.skill import Param, Skill, SkillSet

PLAN_TOKENS = 512
EXAMPLES_SHOWN = 6
ATTEMPTS_SHOWN = 6
NOTE_CHARS = 1500
"""A table of names with its end cut off would tell a model that the rest does not exist."""

_COMMON = frozenset(
    [
        "a",
        "an",
        "the",
        "to",
        "me",
        "and",
        "of",
        "is",
        "it",
        "in",
        "on",
        "at",
        "from",
        "for",
        "please",
        "you",
        "could",
        "with",
    ]
)


@dataclass(frozen=True, slots=True)
class Command:
    """One example: a command and its list of calls. `uses` maps each abbreviation to its skill."""

    task: str
    plan: str
    uses: Mapping[str, str]

    def fits(self, skills: SkillSet) -> bool:
        return all((s := skills.find(short)) is not None and s.name == name for short, name in self.uses.items())

    def __str__(self) -> str:
        return f"Command:\n{quote(self.task)}\nPlan:\n{self.plan}"


def sequence_prompt(brief: Brief, *, guided: bool = True) -> Prompt:
    """A whole plan for `brief`; where something was tried or refused, another one (purpose `replan`)."""
    purpose = "replan" if brief.history or brief.failure else "plan"
    messages = (("system", _robot_part(brief)), ("user", _command_part(brief)))
    grammar = sequence_grammar(brief.skills, places(brief.knowledge)) if guided and len(brief.skills) else ""
    return Prompt(purpose, messages, brief=brief, grammar=grammar, max_tokens=PLAN_TOKENS)


def places(knowledge: Mapping[str, Any]) -> tuple[str, ...]:
    """Every name that a place may have in a plan, where a table of names says so."""
    named = [e["name"] for key in ("rooms", "places", "outside") for e in knowledge.get(key, ())]
    return (*named, "initial location") if named else ()


def chosen(command: str, skills: SkillSet, most: int = EXAMPLES_SHOWN) -> list[Command]:
    """The examples that are most like a command, the best last: nearest to where the answer begins."""
    words = _words(command)

    def like(example: Command) -> float:
        others = _words(example.task)
        return len(words & others) / max(1, len(words | others))

    fit = [e for e in _data().examples if e.fits(skills)]
    return sorted(sorted(fit, key=like, reverse=True)[:most], key=like)


def _words(command: str) -> set[str]:
    """The words of a command without endings and without those that every command has."""
    return {w.removesuffix("s") for w in re.findall(r"[a-z]+", command.lower())} - _COMMON


def _robot_part(brief: Brief) -> str:
    """All that is the same for every command to one robot."""
    names = set(brief.skills)
    advice = "\n".join(f"- {says}" for needs, says in _data().advice if needs <= names)
    return fill(
        text("prompt.txt", "sayso.robots.service"),
        skills=brief.skills.describe(),
        clauses=clauses(brief.skills),
        guidance=advice,
    )


def _command_part(brief: Brief) -> str:
    """What differs, the command last."""
    known = "\n".join(quote(note, NOTE_CHARS) for note in brief.notes)
    parts = [f"Known:\n{known}"] if known else []
    parts += map(str, chosen(brief.instruction, brief.skills))
    parts.append(f"In view:\n{quote(brief.scene.describe())}")
    parts += [_attempt(a) for a in brief.history[-ATTEMPTS_SHOWN:]]
    if brief.failure:
        parts.append(f"To mend:\n{quote(brief.failure)}")
    parts.append(wished("Command", brief))
    return "\n".join([*parts, "Plan:"])


def _attempt(attempt: Attempt) -> str:
    ran = f"\nOf it ran:\n{quote_each(tuple(map(str, attempt.ran)))}" if attempt.ran else "\nNothing of it ran."
    ended = f"\nWhat was wrong:\n{quote(attempt.ended, 1000)}" if attempt.ended else ""
    return f"Earlier answer:\n{quote(attempt.plan, 1500)}{ran}{ended}"


# The grammar


def sequence_grammar(skills: SkillSet, known_places: Sequence[str] = ()) -> str:
    """GBNF of flat lists: calls by abbreviation or name, kept values, repetition; places only those that exist."""
    rules = {
        "root": 'statement ( ";" statement )* ";"? ( want )?',
        "want": r'"\n" "want " [^\n]+',
        "statement": "call | assign | repeat | return",
        "assign": 'variable "=" call',
        "repeat": '[2-9] "{" call ( ";" call )* "}"',
        "return": '"->" ( "True" | "False" | variable )',
        "call": " | ".join(_call(s) for s in skills.skills),
        "joined": '( string | variable ) ( "+" ( string | variable ) )*',
        "number": '"-"? [0-9]+ ( "." [0-9]+ )?',
        "place": f"( {_any_of(_quoted(known_places))} ) | variable" if known_places else "joined",
        "variable": '"_" [1-9]',
        "string": r"['] ( [^'\\\n] | [\\] ['\\] )* [']",
    }
    return "".join(f"{name} ::= {rules[name]}\n" for name in _reached(rules))


def _reached(rules: Mapping[str, str]) -> list[str]:
    """The rules that `root` leads to, in their order: a robot may have no skill that takes a place."""
    reached: set[str] = set()
    todo = {"root"}
    while todo:
        reached |= todo
        todo = {word for name in todo for word in rules[name].split() if word in rules} - reached
    return [name for name in rules if name in reached]


def _call(skill: Skill) -> str:
    names = _any_of(dict.fromkeys([skill.short, skill.name]))
    if not skill.params:
        return f"( {names} )"
    inside = ' "," '.join(map(_argument, skill.params))
    return f'( {names} ) "(" {inside} ")"'


def _argument(param: Param) -> str:
    if param.options:
        return f"( {_any_of(_quoted(param.options))} )"
    rule = {"place": "place", "number": "number", "integer": "number", "flag": '( "True" | "False" )'}
    return rule.get(param.kind, "joined")


def _quoted(words: Iterable[str]) -> list[str]:
    return [f"'{w}'" for w in words]


def _any_of(texts: Iterable[str]) -> str:
    return " | ".join(json.dumps(t, ensure_ascii=False) for t in texts)


@dataclass(frozen=True, slots=True)
class _Data:
    advice: tuple[tuple[frozenset[str], str], ...]
    examples: tuple[Command, ...]


@functools.cache
def _data() -> _Data:
    table = tomllib.loads(text("prompt.toml", "sayso.robots.service"))
    return _Data(
        tuple((frozenset(a["needs"]), a["says"]) for a in table["advice"]),
        tuple(Command(e["task"], e["plan"], e["uses"]) for e in table["example"]),
    )
