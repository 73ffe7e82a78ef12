"""The short form in which the small model weighs choices and reads a search: for lessons, and for its run time. Pure.

    <score>find the man<tried>take off: done;search b2: nothing new<see>in the air at 60 m;battery 71%
        <ask>take off;search an area;...<say>B<end>
    <mission>find the man in red in the north field<tried><see>north field;forest;a1-f6
        <say>find person;colour red|in north field|then confirm home<end>
    <mission>he was seen in the forest<tried>find person;colour red|in north field|then confirm home<see>north field;...
        <say>find person;colour red;seen forest|in north field|then confirm home<end>

The nth choice is asked for by the nth letter. A mission's answer is a line of `SearchWish.in_short`, whole also where
a search is running; or `nothing` where the words ask for no search. It is read back by the reader that also reads a
large model's JSON. Texts come cleaned, so that no `<` or `>` of theirs can pass for a mark.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from sayso.parts import Brief, Prompt

SCORE, MISSION = "<score>", "<mission>"
"""The marks that these forms begin with."""

TEXT_CHARS = 400
GOAL_CHARS = 240
STEPS_SHOWN, NOTES_SHOWN = 6, 10

_SQUARE = re.compile(r"[a-z]\d{1,2}")


def score_input(prompt: Prompt) -> str:
    """What the small model reads for a prompt of purpose `score` or `rank`: the choices are the lines of `question`."""
    brief = _brief(prompt)
    tried = ";".join(clean(f"{_brief_step(a.plan)}: {a.ended}", 70) for a in brief.history[-STEPS_SHOWN:])
    state = ";".join(clean(n, 60) for n in brief.notes[:NOTES_SHOWN])
    choices = ";".join(clean(_brief_step(c), 40) for c in prompt.question.splitlines())
    return f"{SCORE}{clean(brief.instruction, GOAL_CHARS)}<tried>{tried}<see>{state}<ask>{choices}<say>"


def mission_input(prompt: Prompt) -> str:
    """What the small model reads for a prompt of purpose `mission`: the places are the lines of `question`, and the

    first note is the running search, where there is one.
    """
    brief = _brief(prompt)
    running = "|".join(map(_listed, brief.notes[0].split("|"))) if brief.notes else ""
    places = ";".join(squared([clean(p, 40) for p in prompt.question.splitlines()]))
    return f"{MISSION}{clean(brief.instruction)}<tried>{running}<see>{places}<say>"


def squared(places: Sequence[str]) -> list[str]:
    """The squares of a grid as their first and last one: there are too many to be read."""
    squares = [p for p in places if _SQUARE.fullmatch(p)]
    others = [p for p in places if p not in squares]
    return [*others, f"{squares[0]}-{squares[-1]}"] if len(squares) > 1 else list(places)


def _brief_step(says: str) -> str:
    """Without what explains it."""
    return re.split(r"[,;]| and ", says, maxsplit=1)[0]


def _listed(part: str) -> str:
    return ";".join(clean(item, 60) for item in part.split(";"))


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
