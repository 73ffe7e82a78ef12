"""What no lesson for the humanoid may say: the soccer suite's own requests, nor what people wrote for the evaluation.

Stricter than word for word: a request of several words may not stand inside a longer sentence either.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

from lessons.guard import normal
from sayso.bench.soccer import GOALS

SENTENCES = Path(__file__).parent.parent / "sentences" / "humanoid.jsonl"
_SAID = re.compile(r'"(?:say|then)": *"((?:[^"\\]|\\.)*)"')


@functools.cache
def suite() -> frozenset[str]:
    """The benchmark's requests, in normal form."""
    return frozenset(normal(said) for goal in GOALS for said in (goal.sentence, goal.then) if said)


@functools.cache
def written() -> frozenset[str]:
    """What people wrote, in normal form; one or two words belong to everybody."""
    if not SENTENCES.exists():
        return frozenset()
    said = map(normal, _SAID.findall(SENTENCES.read_text("utf-8")))
    return frozenset(text for text in said if len(text.split()) > 2)


def forbidden(sentence: str) -> bool:
    """Whether a lesson may not say this."""
    said = normal(sentence)
    if said in suite() or said in written():
        return True
    return any(" " in own and f" {own} " in f" {said} " for own in suite())
