"""Word forms of English for generated sentences: plurals, articles, none of something, amounts, lists.

The forms of nouns are those of `pluralizer`; which words take others, and what takes no article, stands in `told.toml`.
"""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pluralizer import Pluralizer

from sayso.grounding.phrases import unnamed
from sayso.tables import toml

UNITS = {"deg": "°", "%": " %", "": ""}
"""Before every other unit stands a space."""

KILO, MINUTE_S, MINUTES_FROM_S = 1000.0, 60.0, 120.0


def row(parts: Sequence[str], word: str = "and") -> str:
    """`the coke, the sprite and the fanta`."""
    if len(parts) < 2:
        return parts[0] if parts else "nothing"
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def listed(names: Iterable[str]) -> str:
    """Names as a sentence has them, each once."""
    return row(list(dict.fromkeys(names)))


def plural(noun: str) -> str:
    """Several of it: children of "child", side tables of "side table", cans of cola of "can of cola"."""
    head, rest = _head(noun)
    before, space, last = head.rpartition(" ")
    return f"{before}{space}{_forms().plural(last)}{rest}"


def singular(noun: str) -> str:
    """One of it: dish of "dishes", red apple of "red apples"."""
    head, rest = _head(noun)
    before, space, last = head.rpartition(" ")
    return f"{before}{space}{_forms().singular(last)}{rest}"


def counted(number: int, noun: str) -> str:
    """`one plate`, `3 people`, `no chair`, `nobody`."""
    if not number:
        return none_of(noun)
    return f"{number} {plural(noun)}" if number > 1 else f"one {singular(noun)}"


def there(number: int, noun: str) -> str:
    """A sentence about how many there are."""
    return f"There {'are' if number > 1 else 'is'} {counted(number, noun)}."


def none_of(noun: str) -> str:
    """What is seen where none is seen: `no chair`, `nobody`, `nothing to drink`."""
    first, space, rest = noun.partition(" ")
    nothing: Mapping[str, str] = words()["none"]
    return f"{nothing[first]}{space}{rest}" if first in nothing and (first != "person" or not rest) else f"no {noun}"


def verb_of(doing: str) -> str:
    """The verb of a form in -ing: "putting" is put, "giving" is give; empty for what is none."""
    stem = doing.removesuffix("ing")
    if stem == doing or not re.search("[aeiouy]", stem):
        return ""
    if re.search(r"([^aeiouls])\1$", stem):
        return stem[:-1]
    return f"{stem}e" if re.search(_SILENT_E, stem) else stem


_SILENT_E = r"[vcz]$|[^aeioul]l$|^guid$|(?<![aeiou])(?!e[rnl]$|on$|it$)[aeiou][^aeiouwxyh]$"
"""Behind these ends of a stem a verb has an e that -ing took."""


def is_are(noun: str) -> str:
    """The verb behind a noun, which may speak of several: "crackers"."""
    return "are" if plural(singular(noun)) == noun else "is"


def definite(noun: str) -> str:
    """`the chair`; something to drink and Mary take no article."""
    return noun if bare(noun) else f"the {noun}"


def indefinite(noun: str) -> str:
    """`a chair`, `an apple`; something to drink and Mary take no article."""
    return noun if bare(noun) else f"{article(noun)} {noun}"


def article(noun: str) -> str:
    """a or an, by how the word begins to sound."""
    first, sounds = noun.lower(), words()["articles"]
    if _head(first)[0].split(" ")[-1] in words()["nouns"]["same"]:
        return "some"
    vowel = first[:1] in "aeiou" and not first.startswith(tuple(sounds["a"]))
    return "an" if vowel or first.startswith(tuple(sounds["an"])) else "a"


def bare(noun: str) -> bool:
    """Whether it takes no article."""
    return noun[:1].isupper() or unnamed(noun)


def times(number: int) -> str:
    """How often."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `11th`."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def amount(value: float, unit: str = "") -> str:
    """`40 cm`, `1.5 m`, `2 km`, `90°`, `10 s`, `5 min`, `95 %`."""
    if unit == "m" and 0 < abs(value) < 1:
        value, unit = value * 100, "cm"
    elif unit == "m" and abs(value) >= KILO:
        value, unit = value / KILO, "km"
    elif unit == "s" and value >= MINUTES_FROM_S and value % MINUTE_S == 0:
        value, unit = value / MINUTE_S, "min"
    shown = round(value, 2) if abs(value) < KILO else round(value)
    return f"{shown:.6g}{UNITS.get(unit, f' {unit}')}"


def about(value: float, unit: str) -> str:
    """A measured amount, as closely as one tells it."""
    digits = 2 if unit == "m" and abs(value) < 1 else 1 if unit in ("m", "s") else 0
    return amount(round(value, digits), unit)


def sentence(text: str) -> str:
    """With a capital at the beginning and one full stop at the end."""
    told = " ".join(text.split()).rstrip(".")
    return f"{told[:1].upper()}{told[1:]}{'' if told.endswith(('?', '!')) else '.'}" if told else ""


def words() -> Mapping[str, Mapping[str, Any]]:
    """The table of phrases."""
    return toml(__package__, "told.toml")


def _head(noun: str) -> tuple[str, str]:
    """The noun itself, and what is said of it behind it."""
    said = noun.split(" ")
    at = next((n for n, word in enumerate(said) if n and word in words()["nouns"]["ends_before"]), len(said))
    return " ".join(said[:at]), "".join(f" {word}" for word in said[at:])


@functools.cache
def _forms() -> Pluralizer:
    forms, nouns = Pluralizer(), words()["nouns"]
    for noun in nouns["same"]:
        forms.add_uncountable_rule(noun)
    for one, several in nouns["irregular"].items():
        forms.add_irregular_rule(one, several)
    return forms
