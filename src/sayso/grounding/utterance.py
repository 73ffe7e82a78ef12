"""A wish as code reads it without a model: quantities, sides, colours, superlatives, names, a few deeds.

It is no understanding. It is what can be held against a plan: an amount that nobody named, a side that was not meant, a
colour that the plan forgot (`sayso.understanding.gaps`).
"""

import difflib
import functools
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise

from sayso.grounding import amounts
from sayso.grounding.lexicon import means
from sayso.grounding.tokens import Token, clean, tokens
from sayso.tables import toml

"""Before such a word's number stands a bound or a time of day, and no amount to go by."""

HOUR_DEG = 30.0
"""Between two hours on the face of a clock."""

PERSON = "person"
"""What perception calls people."""

NAME_MIN = 3
"""Letters of a word that may name a thing."""

_BASES = {"length": ("m", 0.01), "angle": ("deg", 1.0), "time": ("s", 1.0), "share": ("%", 1.0)}
"""Kinds of units that goals speak of: the unit there, and what the base of the kind is in it."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that was said; `unit` is m, deg, s, %, or empty for a bare number. It stands at the
    tokens `start` up to `end`.
    """

    value: float
    unit: str
    text: str
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    number: float = field(default=0.0, compare=False)
    """As it was said, whatever its unit."""


@dataclass(frozen=True)
class Utterance:
    """One wish as code reads it."""

    text: str
    words: tuple[str, ...]
    quantities: tuple[Quantity, ...]
    sides: frozenset[str]
    ranks: Mapping[str, str]
    colours: tuple[str, ...]
    maybe: frozenset[str]
    vague: bool
    any_thing: bool

    def names(self, label: str) -> bool:
        """Whether a thing of this label was spoken of, by its words or by another word for it."""
        words = {stem(w) for w in self.words}
        if all(stem(w) in words or _slip_of(stem(w), words) for w in split(label)):
            return True
        return any(self.says(other) for other in also(label)) or any(means(p, label) for p in self.phrases())

    def phrases(self) -> list[str]:
        """Words and pairs of words that may be a name, each once."""
        words = [w for w in self.words if len(w) >= NAME_MIN]
        return list(dict.fromkeys([*words, *map(" ".join, pairwise(words))]))

    def the_one(self, label: str) -> bool:
        """Whether it was spoken of as the only one of its label, with nothing that would tell it from others."""
        _, found, behind = self.text.partition(f" the {label.lower()} ")
        return bool(found) and behind.split(" ", 1)[0] not in table()["the"]["told_apart_by"]

    def says(self, phrase: str) -> bool:
        return f" {phrase} " in self.text


def _slip_of(word: str, said: Set[str]) -> bool:
    """Whether a longer word was said with a slip of the finger."""
    return len(word) >= 4 and bool(difflib.get_close_matches(word, said, n=1, cutoff=0.8))


def table() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return toml(__package__, "said.toml")


def speaks_of_view(wish: str) -> bool:
    """Whether a wish speaks of what is in view, and of nothing else that may be there (U7)."""
    says, view = read(wish).says, table()["view"]
    return any(map(says, view["said"])) and not any(map(says, view["wide"]))


def also(label: str) -> Sequence[str]:
    """Other words for what is called so."""
    nouns = toml(__package__, "people.toml")["nouns"]
    people = [*nouns["man"], *nouns["woman"], *nouns["person"]] if label.lower() == PERSON else ()
    return [*table()["also"].get(label.lower(), ()), *people]


def read(wish: str) -> Utterance:
    """The wish as code reads it."""
    wish = onward(wish)
    words_of, found = table(), tokens(clean(wish))
    words = tuple(t.text for t in found if t.kind == "word")
    text = " " + " ".join(re.findall(r"[a-z0-9']+", clean(wish).lower())) + " "

    def some(section: str, key: str) -> list[str]:
        return [p for p in words_of[section].get(key, ()) if f" {p} " in text]

    sides = {side for side in words_of["sides"] if some("sides", side)}
    ranks = {rank: said[0] for rank in words_of["ranks"] if (said := some("ranks", rank))}
    stems = {stem(w) for w in words}
    maybe = {deed for deed in words_of["deeds_maybe"] if some("deeds", deed) or some("deeds_maybe", deed)}
    maybe |= {d for d, ways in words_of["deeds"].items() if any(len(p) > 5 and _slip_of(p, stems) for p in ways)}
    return Utterance(
        text, words, tuple(_quantities(found)), frozenset(sides), ranks, tuple(some("traits", "colours")),
        frozenset(maybe), bool(amounts.vague(wish)), bool(some("vague", "things")),
    )  # fmt: skip


def onward(wish: str) -> str:
    """Without a "back" that leads to a thing: "go back to the lamp" goes to the lamp, and not home."""
    return _back().sub(r"\1", wish)


@functools.cache
def _back() -> re.Pattern[str]:
    word = {key: "|".join(words) for key, words in table()["back"].items()}
    behind, to, began = word["behind"], word["to"], word["where_it_began"]
    moved = rf"(?:{word['going']}|(?:{word['bringing']})(?: [\w']+){{1,4}}?)"
    here = rf"(?:^|[,.;:!?-]\s*|\b(?:{behind})\s+){moved}"
    return re.compile(rf"({here}) back(?=(?: over)? to (?:{to}) (?!(?:{began})\b))", re.IGNORECASE)


def _quantities(found: Sequence[Token]) -> Iterator[Quantity]:
    """Every number with its unit, from left to right."""
    at = 0
    while at < len(found):
        read = amounts.read(found, at)
        unit, factor = _BASES.get(read.kind, ("", 1.0)) if read else ("", 1.0)
        if read is None or (read.number.article and not unit):
            at += 1
            continue
        value, after = (read.value * factor, read.end) if unit else (read.number.value, read.number.end)
        if not unit and after < len(found) and found[after].text in ("o'clock", "oclock"):
            unit, value, after = "deg", value * HOUR_DEG, after + 1
        text = " ".join(t.text for t in found[at:after])
        yield Quantity(round(value, 4), unit, text, at, after, read.number.value)
        at = max(after, at + 1)


WHOLE_M = 10.0
"""From here on lengths are written in metres, below in centimetres."""

COUNT_MIN = 2
"""A bare "one" is mostly no number."""


def figured(wish: str, units: bool = True) -> str:
    """The wish with its amounts in figures and one unit a kind: "forty centimetres" as 40 cm, "1,5 meter" as 150 cm.
    Without `units` only bare numbers: who is to pass on that the bus goes in ten minutes passes on just that."""
    plain = clean(wish)
    found, parts, at = tokens(plain), [], 0
    for q in _quantities(found):
        start, end = found[q.start].start, found[q.end - 1].end
        if written := _figure(q) if units or (not q.unit and q.value == int(q.value)) else "":
            parts += [plain[at:start], written]
            at = end
    return "".join([*parts, plain[at:]])


def _figure(q: Quantity) -> str:
    last = q.text.rpartition(" ")[2]
    if last in ("step", "steps"):
        return f"{q.number:.4g} {last}"  # "five steps at most": of what it is a step, the wish tells
    if last in ("o'clock", "oclock"):
        return f"{q.value:.4g} deg to the right" if q.value < 180 else f"{360 - q.value:.4g} deg to the left"
    if q.unit == "m":
        return f"{q.value * 100:.0f} cm" if q.value < WHOLE_M else f"{q.value:.4g} m"
    if q.unit:
        return f"{q.value:.{4 if q.value < 1000 else 9}g} {q.unit}"
    counts = q.value == int(q.value) and q.value >= COUNT_MIN
    return f"{q.value:.4g}" if counts and not q.text.isdigit() else ""


def split(label: str) -> list[str]:
    """A label's words."""
    return re.findall(r"[a-z0-9]+", label.lower())


def stem(word: str) -> str:
    """A noun without its plural ending."""
    for ending, stem in (("ies", "y"), ("ves", "f"), ("ses", "s"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + stem
    return word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word
