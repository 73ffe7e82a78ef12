"""The short form in which the small model weighs choices and reads a search: for lessons, and for its run time. Pure.

    <score>find the man<tried>take off: done;search b2: nothing new<see>in the air at 60 m;battery 71%
        <ask>take off;search an area;...<say>B<end>
    <mission>find the man in red in the north field<see>north field;forest
        <say>find person;colour red|in north field|then confirm home<end>

The nth choice is asked for by the nth letter. Texts come cleaned, so that no `<` or `>` of theirs can pass for a mark.
The second form is read back by the reader that also reads a large model's JSON.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from sayso.parts import Brief, Prompt

SCORE, MISSION = "<score>", "<mission>"
"""The marks that these forms begin with."""

TEXT_CHARS = 400
STEPS_SHOWN = 6

FIELDS = ("colour", "size", "moves", "toward", "seen", "ago", "category")
"""Names of an object's facts in the short form, in order."""


def score_input(prompt: Prompt) -> str:
    """What the small model reads for a prompt of purpose `score` or `rank`: the choices are the lines of `question`."""
    brief = _brief(prompt)
    tried = ";".join(clean(f"{a.plan}: {a.ended}", 60) for a in brief.history[-STEPS_SHOWN:])
    state = ";".join(clean(n, 80) for n in brief.notes)
    choices = ";".join(clean(c, 60) for c in prompt.question.splitlines())
    return f"{SCORE}{clean(brief.instruction)}<tried>{tried}<see>{state}<ask>{choices}<say>"


def mission_input(prompt: Prompt) -> str:
    """What the small model reads for a prompt of purpose `mission`: the places are the lines of `question`."""
    places = ";".join(clean(p, 40) for p in prompt.question.splitlines())
    return f"{MISSION}{clean(_brief(prompt).instruction)}<see>{places}<say>"


def mission_output(
    objects: Sequence[tuple[str, Sequence[tuple[str, str]]]],
    areas: Sequence[str] = (),
    avoid: Sequence[str] = (),
    on_find: Sequence[str] = (),
) -> str:
    """The answer in short: each object as its label and its facts, named as in `FIELDS`."""
    parts = ["find " + ";".join([label, *(f"{name} {value}" for name, value in facts)]) for label, facts in objects]
    parts += [f"in {';'.join(areas)}"] if areas else []
    parts += [f"not {';'.join(avoid)}"] if avoid else []
    parts += [f"then {' '.join(on_find)}"] if on_find else []
    return "|".join(parts)


def clean(text: str, limit: int = TEXT_CHARS) -> str:
    """A text without what makes no difference to its meaning, and without marks or the signs of these forms."""
    plain = unicodedata.normalize("NFKD", text)
    kept = "".join(c if c.isascii() and c.isprintable() and c not in "<>|;" else " " for c in plain if not _accent(c))
    return re.sub(r"\s+", " ", kept).strip().rstrip(" .!?,:").lower()[:limit]


def _brief(prompt: Prompt) -> Brief:
    assert prompt.brief is not None, "a prompt for the small model carries its brief"
    return prompt.brief


def _accent(character: str) -> bool:
    return bool(unicodedata.combining(character))
