"""Amounts that a wish takes back or leaves open (U4)."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.wish import Manner


def corrected(sentence: str) -> str:
    """The sentence without what it takes back: "go 2 m, no wait, 1 m" is "go 1 m"."""
    return sentence


def unclear(core: str, manners: Sequence[Manner]) -> str:
    """The question that an amount leaves open, such as a number without a unit; empty where none does."""
    return ""
