"""Questions back: whether one is open, and the wish that its answer makes whole.

A robot that lacks a detail asks for it and ends its mission. The next one knows nothing of the question, so an answer
is put into the wish that it belongs to: "go", "Where should I go?", "the kitchen" becomes "go: the kitchen".
"""

from __future__ import annotations

import re

from sayso.console.shown import Shown

STANDS_FOR = re.compile(r"\b(it|that|this|them|something|someone|somebody|anything|somewhere|there|him|her)\b", re.I)
"""Words that stand for what was not said; the last one of a wish makes room for the answer."""

_VERBS = (
    "approach ask bring check clean close come count cover deliver describe do dance drop escort find fly follow "
    "get give go grab grasp greet guide hand hover introduce inspect kick land lead leave lift locate look meet "
    "move navigate open photograph pick place please pour put release return rise rotate run say scan search "
    "serve set show sit stand start sweep take tell turn walk wait watch wave "
)
BEGIN_WISHES = frozenset(_VERBS.split())
"""A sentence that begins with one of these wishes for something else, rather than answering."""


def open_question(shown: Shown) -> str:
    """The question that the latest mission gave up with; empty where there is none."""
    if shown.ended is None or shown.ended.outcome == "achieved":
        return ""
    spoken = next((item for item in reversed(shown.items) if item.kind in ("asks", "says", "stop", "refused")), None)
    return spoken.text if spoken and spoken.kind == "asks" else ""


def is_answer(text: str) -> bool:
    """Whether a sentence may answer a question, by how it begins."""
    words = re.findall(r"[a-z']+", text.lower())
    return bool(words) and words[0] not in BEGIN_WISHES


def answered(wish: str, answer: str) -> str:
    """The wish with its answer in it."""
    answer = answer.strip().rstrip(".!")
    found = list(STANDS_FOR.finditer(wish))
    if found:
        begin, end = found[-1].span()
        return f"{wish[:begin]}{answer}{wish[end:]}"
    return f"{wish.rstrip(' .!?')}: {answer}"
