"""Units of measure by kind: a length, a volume, a temperature, …, as people say them and as signatures write them.

Every kind has a base in which its amounts are kept, and "X per Y" of any two units is one. The table stands in
`grounding/units.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sayso.tables import toml

TABLE: Mapping[str, Mapping[str, Mapping[str, Any]]] = toml("sayso.grounding", "units.toml")
"""By kind and key: `size`, `zero`, `sign`, `words`, `vague`."""

PER = ("per", "/")


class Unit(NamedTuple):
    """A unit of measure: what one of it is in the base of its kind, where it begins there, and how it is written behind
    a number."""

    kind: str
    size: float
    sign: str = ""
    zero: float = 0.0

    def base(self, value: float) -> float:
        """So many of it, in the base of its kind."""
        return value * self.size + self.zero

    def of(self, base: float) -> float:
        """An amount in the base, in this unit."""
        return round((base - self.zero) / self.size, 6)

    def per(self, other: Unit) -> Unit:
        """So many of it for each of another."""
        return Unit(f"{self.kind}_per_{other.kind}", self.size / other.size, f"{self.sign}/{other.sign}")


def _made() -> Iterator[tuple[str, Unit, Mapping[str, Any]]]:
    for kind, units in TABLE.items():
        for key, told in units.items():
            yield key, Unit(kind, float(told["size"]), told.get("sign", key), float(told.get("zero", 0))), told


_UNITS = tuple(_made())
PACES = {key: (unit, told["words"]) for key, unit, told in _UNITS if "vague" in told and unit.kind == "length"}
"""Lengths that are as long as whoever hears of them takes them to be, such as a step, and their words."""
_SAID = {tuple(word.split()): unit for _, unit, told in _UNITS for word in told["words"]}
_WRITTEN = {
    **{tuple(word.split()): unit for _, unit, told in _UNITS if "vague" not in told for word in told["words"]},
    **{(key,): unit for key, unit, told in _UNITS if "vague" not in told},
}
_LONGEST = max(map(len, _SAID))
_KEYS = {unit.sign: key for key, unit, _ in _UNITS}

WORDS = frozenset(map(" ".join, _SAID))
"""Every unit's names."""

BEGIN = frozenset(words[0] for words in _SAID)
"""The first words of them."""


def said(words: Sequence[str]) -> tuple[Unit, int] | None:
    """The unit that these words begin with and how many of them say it; the longest name wins."""
    return _begun(words, _SAID)


def named(name: str) -> tuple[str, Unit | None]:
    """A parameter's or a skill's name in words and without its unit, and that: `flow_l_per_min` is a flow in l/min."""
    words = name.lower().split("_")
    for at in range(1, len(words)):
        if (found := _begun(words[at:], _WRITTEN)) and found[1] == len(words) - at:
            return " ".join(words[:at]), found[0]
    return " ".join(words), None


def signed(sign: str) -> Unit | None:
    """The unit that is written so: `cm`, `l/min`, or in plain letters."""
    return named(f"_{keyed(sign)}")[1]


def keyed(sign: str) -> str:
    """A sign in plain letters: `°C` is celsius, `l/min` is l_per_min."""
    return "_per_".join(_KEYS.get(part, part) for part in sign.split("/"))


def _begun(words: Sequence[str], table: Mapping[tuple[str, ...], Unit]) -> tuple[Unit, int] | None:
    lengths = range(min(_LONGEST, len(words)), 0, -1)
    length = next((n for n in lengths if tuple(words[:n]) in table), 0)
    if not length:
        return None
    unit, below = table[tuple(words[:length])], words[length + 1 :]
    if length < len(words) and words[length] in PER and (other := _begun(below, table)):
        return unit.per(other[0]), length + 1 + other[1]
    return unit, length
