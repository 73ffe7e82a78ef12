"""Amounts that a wish leaves open (U4)."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.grounding.inflection import row
from sayso.grounding.unclear import ASIDE, LENGTH, TIME, open_amounts
from sayso.wish import Manner

UNITS = {LENGTH: "metres or centimetres", TIME: "seconds or minutes", ASIDE: "metres, centimetres or degrees"}
FAR = "How far is that in metres?"
HOW_MUCH = {LENGTH: FAR, TIME: "How long is that in seconds?", ASIDE: FAR}


def unclear(core: str, manners: Sequence[Manner]) -> str:
    """The question that an amount leaves open, such as a number without a unit; empty where none does."""
    missing = open_amounts(core)
    if odd := next((one for one in missing if one.unit), None):
        return f"I do not know the unit “{odd.unit}”. {HOW_MUCH[odd.kind]}"
    numbers = [one.number for one in missing if one.kind == missing[0].kind]
    return f"{row(numbers).capitalize()} what: {UNITS[missing[0].kind]}?" if missing else ""
