"""Questions about the world that code reads by itself: what is asked, of which things, as a goal (U7)."""

from __future__ import annotations

from sayso.goal import Clause


def asked(sentence: str) -> Clause | None:
    """`answered(…)` for a plain question; None where code does not read it to the last word."""
    return None
