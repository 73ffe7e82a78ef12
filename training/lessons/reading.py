"""Lessons in reading a wish: the sentence with its amounts in figures, and what it says in the language of goals.

Things are called by the very words of the sentence, so that a name is copied and never guessed; what a robot does about
it is no matter of reading. What cannot be copied is drawn again: a slip of the finger in a name, an amount that code
does not read as it was meant. `lost` counts why.
"""

from __future__ import annotations

import re
from collections import Counter

from knowledge import qualities
from lessons.record import Lesson
from lessons.simple import Clause
from lessons.telling import Teller, Unsaid
from sayso.errors import PlanSyntaxError
from sayso.goals.text import parse
from sayso.grounding.said import figured
from sayso.models.pocket.reading import reading_input, with_units
from sayso.models.pocket.text import clean, output

lost: Counter[str] = Counter()

_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")
_NUMBER = re.compile(r"(?<![\w.'])\d+(?:\.\d+)?")
ALWAYS = frozenset(("360", "person", "thing", *(q.nouns[0] for q in qualities().values())))
"""What may be written although nobody said it."""


def reading(held: str, id_: str, clause: Clause, sentence: str, t: Teller) -> Lesson:
    """The lesson of a wish that was made and said. Raises `Unsaid` where it cannot be read to the letter."""
    said = clean(figured(sentence))
    if not clause.goal:
        raise Unsaid("not taught to be read")
    target = clause.goal
    if not target.startswith(("refuse ", "ask ")):
        _copied(target, said)
        try:
            parse(with_units(target))
        except PlanSyntaxError as error:
            raise AssertionError(f"{error} in {target!r} for {sentence!r}") from error
    prompt = reading_input(sentence)
    return Lesson(id_, held, "reading", clause.intent, sentence, prompt, output(target), tuple(t.frames))


def _copied(target: str, said: str) -> None:
    words = f" {' '.join(re.findall(r'[a-z0-9.]+', said))} "
    for name in _names(target):
        plain = " ".join(re.findall(r"[a-z0-9.]+", name.lower()))
        if name not in ALWAYS and f" {plain} " not in words and f" {plain}s " not in words:
            lost["a name is not copied"] += 1
            raise Unsaid(f"{name!r} is not in {said!r}")
    numbers = {float(n) for n in re.findall(r"\d+(?:\.\d+)?", said)}
    for number in _NUMBER.findall(_QUOTED.sub("", target)):
        value = float(number)
        small = value < 20 and value == int(value)
        if number not in ALWAYS and value not in numbers and not small:
            lost["an amount is not copied"] += 1
            raise Unsaid(f"{number} is not in {said!r}")


def _names(target: str) -> list[str]:
    """Things and texts; questions are words of the language."""
    bare = re.findall(r"(?:at|facing|found|picture|sees|named|on|beside|nearest|furthest|largest|smallest|tallest"
                      r"|shortest|leftmost|rightmost|highest|lowest|\(\d+|, )[( ]?([a-z][\w-]*)\)", target)  # fmt: skip
    return [*(q for q in _QUOTED.findall(target) if f"answered('{q}'" not in target), *bare]
