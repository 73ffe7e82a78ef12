"""Units as people say them, by kind: a length, an angle, a time, a share, a speed, a mass, a force.

Every kind has a base in which amounts are given (cm, deg, s, percent, m/s, kg, N), and `size_in` says how a signature's
unit stands to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sayso.grounding import ENGLISH
from sayso.grounding.tokens import Token


class Unit(NamedTuple):
    """What one of it is in the base of its kind."""

    kind: str
    size: float


def _said() -> Iterator[tuple[tuple[str, ...], Unit]]:
    for kind, units in ENGLISH["units"].items():
        for unit in units.values():
            yield from ((tuple(word.split()), Unit(kind, float(unit["size"]))) for word in unit["words"])


_SAID: Mapping[tuple[str, ...], Unit] = dict(_said())
_LONGEST = max(map(len, _SAID))

WORDS = frozenset(map(" ".join, _SAID))
"""Every unit's names."""

OF_SIGNATURES: Mapping[str, Unit] = {
    "cm": Unit("length", 1.0), "m": Unit("length", 100.0), "mm": Unit("length", 0.1),
    "deg": Unit("angle", 1.0), "rad": Unit("angle", 57.29577951308232),
    "s": Unit("time", 1.0), "ms": Unit("time", 0.001), "percent": Unit("share", 1.0),
    "m/s": Unit("speed", 1.0), "kg": Unit("mass", 1.0), "N": Unit("force", 1.0),
}  # fmt: skip
"""The units of `sayso.skill`."""


def read(words: Sequence[Token], at: int) -> tuple[Unit, int] | None:
    """The unit that stands at `at` and where it ends; the longest name wins."""
    for length in range(min(_LONGEST, len(words) - at), 0, -1):
        if unit := _SAID.get(tuple(token.text for token in words[at : at + length])):
            return unit, at + length
    return None
