"""Units as people say them, at a place in a sentence."""

from collections.abc import Sequence

from sayso.grounding.tokens import Token
from sayso.tables.units import BEGIN, Unit, said

LONGEST = 9
"""Words of the longest unit, with what it is per."""


def read(words: Sequence[Token], at: int) -> tuple[Unit, int] | None:
    """The unit that stands at `at` and where it ends; the longest name wins."""
    if at >= len(words) or words[at].text not in BEGIN:
        return None
    found = said([token.text for token in words[at : at + LONGEST]])
    return (found[0], at + found[1]) if found else None
