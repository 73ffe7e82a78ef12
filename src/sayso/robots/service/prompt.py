"""The prompt for a whole plan of a service robot: one command to one flat list of calls.

A constrained prompt: the actions as typed signatures, what is known (objects, places), the requirements, and the
examples that are most like the command. The grammar for guided decoding is that of flat lists, with the places that
exist written into it, so that most of what a check would refuse cannot be written at all.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sayso.grounding.utterance import table as words_of
from sayso.language import grammar
from sayso.prompts.quote import fill, quote, text, wished
from sayso.prompts.render import attempted, clauses
from sayso.robots.service.service import RETURN_TO
from sayso.roles import Brief, Prompt
from sayso.skill import Skill, SkillSet
from sayso.skills.name_resolver import START
from sayso.tables.guidance import Example, read_guidance

PLAN_TOKENS = 512
EXAMPLES_SHOWN = 6
ATTEMPTS_SHOWN = 6
NOTE_CHARS = 1500
"""A table of names with its end cut off would tell a model that the rest does not exist."""

GUIDANCE = read_guidance(__package__, "prompt.toml")["sequence"]


def sequence_prompt(brief: Brief, *, guided: bool = True) -> Prompt:
    """A whole plan for `brief`; where something was tried or refused, another one (purpose `replan`)."""
    purpose = "replan" if brief.history or brief.failure else "plan"
    messages = (("system", _robot_part(brief)), ("user", _command_part(brief)))
    flat = grammar(placed(brief.skills, brief.knowledge), "gbnf", flat=True) if guided and len(brief.skills) else ""
    return Prompt(purpose, messages, brief=brief, grammar=flat, max_tokens=PLAN_TOKENS)


def placed(skills: SkillSet, table: Mapping[str, Any]) -> SkillSet:
    """The same skills, with the places that exist as the only ones that a plan can name, where a table tells them."""
    named = tuple(e["name"] for key in ("rooms", "places", "outside") for e in table.get(key, ()))

    def narrowed(skill: Skill) -> Skill:
        where = (*named, START) if skill.name in RETURN_TO else named
        return replace(skill, params=tuple(replace(p, options=where) if p.kind == "place" else p for p in skill.params))

    return SkillSet(map(narrowed, skills.skills)) if named else skills


def chosen(command: str, skills: SkillSet, most: int = EXAMPLES_SHOWN) -> list[Example]:
    """The examples that are most like a command, the best last: nearest to where the answer begins."""
    words = _words(command)

    def like(example: Example) -> float:
        others = _words(example.task)
        return len(words & others) / max(1, len(words | others))

    fit = GUIDANCE.examples_for(skills)
    return sorted(sorted(fit, key=like, reverse=True)[:most], key=like)


def _words(command: str) -> set[str]:
    """The words of a command without endings and without those that every command has."""
    return {w.removesuffix("s") for w in re.findall(r"[a-z]+", command.lower())} - {*words_of()["commands"]["common"]}


def _robot_part(brief: Brief) -> str:
    """All that is the same for every command to one robot."""
    return fill(
        text("prompt.txt", "sayso.robots.service"),
        skills=brief.skills.describe(),
        clauses=clauses(brief.skills),
        guidance=GUIDANCE.advice_for(brief.skills),
    )


def _command_part(brief: Brief) -> str:
    """What differs, the command last."""
    known = "\n".join(quote(note, NOTE_CHARS) for note in brief.known)
    parts = [f"Known:\n{known}"] if known else []
    parts += [f"Command:\n{quote(e.task)}\nPlan:\n{e.answer}" for e in chosen(brief.instruction, brief.skills)]
    parts.append(f"In view:\n{quote(brief.scene.describe())}")
    parts += [attempted(a, "Earlier answer", "What was wrong", 1500) for a in brief.history[-ATTEMPTS_SHOWN:]]
    if brief.failure:
        parts.append(f"To mend:\n{quote(brief.failure)}")
    parts.append(wished("Command", brief))
    return "\n".join([*parts, "Plan:"])
