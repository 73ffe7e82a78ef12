"""Pieces of what was said, in the language of goals: names and amounts by the very words of the sentence."""

from __future__ import annotations

from sayso.goals.text import is_bare
from sayso.grounding.utterance import figured


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def named(phrase: str) -> str:
    """A thing as it was called."""
    said = figured(phrase.lower())
    for article in ("the ", "a ", "an "):
        said = said.removeprefix(article)
    return said if is_bare(said) else quoted(said)


def amount(text: str) -> str:
    """An amount as the sentence has it once its amounts are figures; empty for "a bit" and for none."""
    said = figured(text)
    return said if any(c.isdigit() for c in said) else ""


def moved(side: str, text: str = "") -> str:
    """A move to that side, by what was said of how far."""
    return f"moved({side}, {much})" if (much := amount(text)) else f"moved({side})"


def turned(side: str, text: str = "") -> str:
    """A turn to that side, by what was said of how much."""
    return f"turned({side}, {much})" if (much := amount(text)) else f"turned({side})"


def asked(question: str, phrase: str = "") -> str:
    return f"answered('{question}', {named(phrase)})" if phrase else f"answered('{question}')"
