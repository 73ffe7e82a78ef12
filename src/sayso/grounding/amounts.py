"""Amounts in sentences: a number with its unit, and what may follow it.

"Two metres", "a metre and a half", "1 metre and 20 centimetres", "6 ft 2", "1m50", "a third of a full turn", a number
alone. Whoever reads an amount, the plain commands, the patterns, what is written in figures for a model, reads it here.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sayso.grounding import ENGLISH, numbers, units
from sayso.grounding.numbers import Number
from sayso.grounding.tokens import Phrases, Token, clean, tokens
from sayso.tables import toml
from sayso.tables.units import Unit

BARE = "bare"
"""The kind of a number without a unit."""

INCH_CM, INCHES = 2.54, 12


@dataclass(frozen=True, slots=True)
class Measure:
    """An amount that was said: `value` in the base of its `kind` (`grounding.units`), up to the token `end`; `number`
    is what was said first."""

    kind: str
    value: float
    end: int
    number: Number


def read(words: Sequence[Token], at: int) -> Measure | None:
    """The amount that begins at `at`, or a number alone."""
    number = numbers.read(words, at)
    if number is None and _text(words, at) in table()["another"] and units.read(words, at + 1):
        number = Number(1, at + 1)
    if number is None:
        return None
    end = _of(words, number)
    if (said := units.read(words, end)) is None:
        return Measure(BARE, number.value, number.end, number)
    unit, end = said
    part, end = _part_behind(words, end)
    more, end = _more_behind(words, end, unit, number, sided=ending(words, at, "ways") > 0)
    return Measure(unit.kind, unit.base(number.value + part) + more, end, number)


def _of(words: Sequence[Token], number: Number) -> int:
    """Where the unit of a number stands: of a part it may be "half OF A metre"."""
    end = number.end
    while number.part and _text(words, end) in ("of", "a", "an", "one"):
        end += 1
    return end + (_text(words, end) in table()["sized"] and units.read(words, end + 1) is not None)


def _part_behind(words: Sequence[Token], at: int) -> tuple[float, int]:
    """ "a metre AND A HALF"."""
    if (
        _text(words, at) == "and"
        and (part := numbers.read(words, at + 1))
        and part.part
        and not units.read(words, _of(words, part))
    ):
        return part.value, part.end
    return 0.0, at


def _more_behind(words: Sequence[Token], at: int, unit: Unit, first: Number, *, sided: bool) -> tuple[float, int]:
    """ "… AND 20 CENTIMETRES", only in a smaller unit, and "a metre FIFTY". A direction behind it is its own where one
    stood before the first amount (`sided`): "up 1 metre and 20 cm left" is two."""
    joined = at + (_text(words, at) in ("and", ","))
    number = numbers.read(words, joined)
    if number is None or number.article:
        return 0.0, at
    said = units.read(words, number.end)
    one = _text(words, at) != "," and not sided and units.read(words, said[1] if said else at) is None
    smaller = said is not None and said[0].kind == unit.kind and said[0].size < unit.size
    if said and smaller and (one or (way(words, said[1]) == 0 and units.read(words, said[1]) is None)):
        return number.value * said[0].size, said[1]
    if joined > at or number.part or number.value != int(number.value) or first.value != int(first.value):
        return 0.0, at
    behind, named = ENGLISH["behind"], _text(words, at - 1)
    if named in behind["foot"] and 0 < number.value < INCHES:
        end = number.end + (_text(words, number.end) in behind["inch"])
        return (number.value * INCH_CM, end) if closed(words, end) else (0.0, at)
    if named in behind["metre"] and 10 <= number.value < 100 and closed(words, number.end):
        return number.value, number.end
    return 0.0, at


def closed(words: Sequence[Token], at: int) -> bool:
    """Whether an amount may be over here: at the end, a mark, a direction or a word that belongs to no amount."""
    return at >= len(words) or words[at].kind == "mark" or way(words, at) > 0 or words[at].text in table()["after"]


def way(words: Sequence[Token], at: int) -> int:
    """How many tokens say a direction here."""
    return starting(words, at, "ways")


def starting(words: Sequence[Token], at: int, key: str) -> int:
    """How many tokens from `at` on are a phrase of a list."""
    return _phrases(key).at(words, at)


def ending(words: Sequence[Token], at: int, key: str) -> int:
    """How many tokens before `at` are one."""
    return _phrases(key, end=True).at(words, at)


def vague(sentence: str) -> str:
    """The words for no amount in a sentence, such as "a bit"; empty where there are none."""
    words = tokens(clean(sentence))
    for at in range(len(words)):
        if (little := starting(words, at, "little")) and closed(words, at + little):
            return " ".join(t.text for t in words[at : at + little])
    return ""


def usual(amount: str) -> float:
    """What no amount comes to, such as `move_cm`."""
    return float(toml(__package__, "amounts.toml")["usual"][amount])


@functools.cache
def verbs() -> set[str]:
    """Those of ways, turns and waits."""
    return {word for key in ("go", "move", "get", "turn", "wait", "stay") for word in table()[key]}


def table() -> Mapping[str, Sequence[str]]:
    words: Mapping[str, Sequence[str]] = toml(__package__, "amounts.toml")["words"]
    return words


@functools.cache
def _phrases(key: str, *, end: bool = False) -> Phrases:
    return Phrases(table()[key], end=end)


def _text(words: Sequence[Token], at: int) -> str:
    return words[at].text if 0 <= at < len(words) else ""
