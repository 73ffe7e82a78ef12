"""Pieces of what was said, in the language of goals: names and amounts by the very words of the sentence."""

from __future__ import annotations

from sayso.goals.text import is_bare
from sayso.grounding.said import figured

MOTION = {"mf": "moved(forward", "mb": "moved(back", "ml": "moved(left", "mr": "moved(right", "mu": "moved(up",
          "md": "moved(down", "tc": "turned(right", "tu": "turned(left"}  # fmt: skip


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


def motion_goal(short: str, text: str = "") -> str:
    """A motion by the abbreviation of its skill; `tc(180)` brings into view what is behind."""
    verb, _, fixed = short.partition("(")
    if fixed == "180)":
        return "turned(back)"
    much = amount(text)
    return f"{MOTION[verb]}, {much})" if much else f"{MOTION[verb]})"


def asked(question: str, phrase: str = "") -> str:
    return f"answered('{question}', {named(phrase)})" if phrase else f"answered('{question}')"
