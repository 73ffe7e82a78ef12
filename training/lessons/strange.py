"""Names that nobody taught: so that the model copies a name that it is told, and does not guess one that it knows.

In a share of the lessons one thing gets another name, the same in the sentence, in the view and in the answer; only
where the sentence names the thing itself, so that nothing need be known about it. Half of the names are words of the
model's vocabulary, the other half made up.
"""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import sayso.models.pocket
from knowledge import COLOURS, items
from lessons.record import Lesson

SHARE = 0.4
KEEP = frozenset({"person", *COLOURS})
COMMON = 4000
"""The vocabulary begins with its most frequent words, which are more than names."""
ONSETS = (
    "b", "bl", "br", "c", "ch", "cl", "d", "dr", "f", "fl", "g", "gl", "gr", "h", "j", "k", "kl", "l", "m", "n", "p",
    "pl", "qu", "r", "s", "sh", "sk", "sl", "sn", "st", "t", "tr", "v", "w", "z",
)  # fmt: skip
VOWELS = ("a", "e", "i", "o", "u", "oo", "ee", "ai", "ou")
CODAS = ("b", "d", "g", "k", "l", "ll", "m", "n", "nd", "ng", "p", "r", "rk", "s", "ss", "st", "t", "x")
_QUOTED = re.compile(r"('(?:[^'\\]|\\.)*')")


def estranged(rng: Random, made: Lesson) -> Lesson:
    """The lesson with another name for one of the things that it names, or as it is."""
    if rng.random() >= SHARE:
        return made
    named = [label for label in _labels() if _copied(label, made)]
    return _renamed(made, rng.choice(named), name(rng, made.prompt)) if named else made


def _copied(label: str, made: Lesson) -> bool:
    """Whether all that there is to know about the thing is its name."""
    if not _has(label, made.sentence) or any(_has(label, other) for other in _longer(label) if other in made.prompt):
        return False
    answer = made.target.removesuffix("<end>")
    return _has(label, made.target) or (made.kind == "probe" and answer in COLOURS)


def _renamed(made: Lesson, label: str, name: str) -> Lesson:
    item = items()[label]

    def put(text: str) -> str:
        text = re.sub(rf"(?<![a-z]){re.escape(item.plural)}(?![a-z])", f"{name}s", text)
        return re.sub(rf"(?<![a-z]){re.escape(label)}(?![a-z])", name, text)

    def put_in_goal(text: str) -> str:
        """A name of two words stands in quotes."""
        parts = _QUOTED.split(text)
        quotes = " " in name and made.kind == "reading"
        bare = re.compile(rf"{re.escape(name)}s?(?!\w)")
        return "".join(
            put(part) if part.startswith("'") or not quotes else bare.sub(lambda m: f"'{m[0]}'", put(part))
            for part in parts
        )

    scene = made.scene and replace(made.scene, things=tuple(replace(t, label=put(t.label)) for t in made.scene))
    target = put_in_goal(made.target)
    return replace(made, sentence=put(made.sentence), prompt=put(made.prompt), target=target, scene=scene)


def name(rng: Random, prompt: str) -> str:
    while True:
        known = _vocabulary()
        name = rng.choice(known) if known and rng.random() < 0.5 else _invented(rng)
        if rng.random() < 0.15:
            name = f"{name} {_invented(rng) if rng.random() < 0.5 or not known else rng.choice(known)}"
        if name not in prompt:
            return name


def _invented(rng: Random) -> str:
    return "".join(rng.choice(ONSETS) + rng.choice(VOWELS) for _ in range(rng.randint(1, 2))) + rng.choice(CODAS)


def _has(label: str, text: str) -> bool:
    if label not in text:
        return False  # quickly: almost always so
    return re.search(rf"(?<![a-z]){re.escape(label)}(?![a-z])", text) is not None


@functools.cache
def _labels() -> tuple[str, ...]:
    return tuple(label for label, item in items().items() if not item.held_out and label not in KEEP)


@functools.cache
def _longer(label: str) -> tuple[str, ...]:
    return tuple(other for other in items() if other != label and _has(label, other))


@functools.cache
def _vocabulary() -> tuple[str, ...]:
    """The rarer whole words that the model can read, without those that are held out; none before the first export."""
    file = Path(sayso.models.pocket.__file__).parent / "weights" / "vocab.txt"
    if not file.exists():
        return ()
    kept_back = {word for item in items().values() if item.held_out for word in item.label.split()}
    words = file.read_text("utf-8").split("\n")[COMMON:]
    return tuple(w for w in words if w.isalpha() and w.islower() and 3 <= len(w) <= 12 and w not in kept_back)
