"""The lexicon of names: whether a thing may be called so, by its name, by a synonym, or by its kind.

A dictionary's knowledge, so that nobody has to list it: a telly is a television, a dog is an animal. The nouns of
WordNet 3.0 for animals, plants, food, substances, things of nature and what people make; before them, the table
`aliases.toml`, which has what is called so only here. A line of `lexicon.txt.gz` is a meaning: `names>meanings that it
is a kind of`, by their line numbers; `torch1` is the second meaning of a torch. Names stand without spaces, for nobody
agrees where they go: post box and postbox. `training/lexicon.py` writes it.
"""

from __future__ import annotations

import functools
import gzip
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from sayso.tables import toml

FILE = Path(__file__).with_name("lexicon.txt.gz")
SENSES = 2
"""So many meanings of a word count; of what kinds a label is, only its first one tells."""


@dataclass(frozen=True, slots=True)
class Aliases:
    """What people call things: groups of names for the same, and kinds with their members."""

    same: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, tuple[str, ...]]
    grasps: frozenset[str] = frozenset()
    releases: frozenset[str] = frozenset()
    compounds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of names of several words: first words that deny the last one, and last words of what something is sold in."""

    def names(self, label: str) -> tuple[str, ...]:
        """Everything that a thing of this label may be called, normalised."""
        return self.same.get(kind(label), (kind(label),))

    def kinds_of(self, label: str) -> list[str]:
        """The kinds that it belongs to, by any of its names."""
        mine = set(self.names(label))
        return [k for k, members in self.kinds.items() if mine & set(members)]

    def more(self, groups: Iterable[Sequence[str]]) -> Aliases:
        """These and others: each group names the same thing, and joins what it shares a name with."""
        return replace(self, same=_groups([*set(self.same.values()), *groups]))


@functools.cache
def aliases() -> Aliases:
    """Those of `aliases.toml`."""
    data = toml(__package__, "aliases.toml")
    kinds, compounds = ({k: tuple(map(kind, some)) for k, some in data[of].items()} for of in ("kinds", "compounds"))
    skills = {name: frozenset(some) for name, some in data["skills"].items()}
    return Aliases(_groups(data["same"]), kinds, skills["grasp"], skills["release"], compounds)


def _groups(same: Iterable[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for names in same:
        joined = dict.fromkeys(kind(n) for n in names)
        for name in list(joined):
            joined.update(dict.fromkeys(groups.get(name, ())))
        groups.update(dict.fromkeys(joined, tuple(joined)))
    return groups


@functools.lru_cache(maxsize=65536)
def words(text: str) -> tuple[str, ...]:
    """The words of a text, small and in the singular: `Red Apples` and `the red apple` share theirs."""
    return tuple(_singular(w) for w in re.findall(r"[^\W_]+", text.lower()))


@functools.lru_cache(maxsize=65536)
def kind(text: str) -> str:
    """A label in the form in which labels are compared."""
    return " ".join(words(text))


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies") and word not in toml(__package__, "told.toml")["nouns"]["in_ies"]:
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


class _Lexicon(NamedTuple):
    above: list[tuple[int, ...]]
    of: dict[str, int]


def joined(name: str) -> str:
    """A name as the lexicon has it."""
    return kind(name).replace(" ", "")


@functools.lru_cache(maxsize=65536)
def means(name: str, label: str) -> bool:
    """Whether a thing of this label may be called by that name.

    The other way round is no answer: who asks for a toolbox is not shown a box.
    """
    said, is_ = kind(name), kind(label)
    if not said or not is_:
        return False
    if is_ in aliases().names(said) or said in aliases().kinds_of(is_) or joined(name) == joined(label):
        return True
    if " " not in is_ and is_.endswith(said):  # nobody calls a toolbox a box, and a mailbox least of all
        return False
    return said in _inside(label) or is_a(label, name) or any(means(one, label) for one in _like(said))


@functools.cache
def traits() -> tuple[str, ...]:
    """What everybody can say that things are like, or have in them."""
    return tuple(way for row in toml(__package__, "aliases.toml")["such"] for way in row["said"])


@functools.cache
def _like(said: str) -> tuple[str, ...]:
    """What everybody knows to be so: with caffeine there are coke and tea."""
    rows = toml(__package__, "aliases.toml")["such"]
    has = said.removeprefix("something with ")
    return tuple(one for row in rows if has in map(kind, row["said"]) for one in row["of"])


def called(name: str, labels: Iterable[str]) -> list[str]:
    """Those that may be called by that name: a rack is a toy rack or a storage rack."""
    return [one for one in labels if means(name, one) or words(one)[-1:] == words(name)]


UNKNOWN = "I do not know what “{}” is."
"""What is said of a name of which no table tells anything."""


def known(name: str) -> bool:
    """Whether it is the name of a kind of thing: a lawnmower is, salty nibbles are not."""
    return bool(_meanings(name)) or kind(name) in aliases().same


def is_a(label: str, name: str) -> bool:
    """By the lexicon alone: whether both are names for the same, or the label for a kind of what is named."""
    wanted, is_ = _meanings(name), _meanings(label)
    if not wanted or not is_:
        return False
    ends = words(label)[-1:] == words(name)  # a hot dog may be called dog, and is not meant by it
    return bool({*wanted} & (_kinds(is_[0]) - {*is_} if ends else {*is_} | _kinds(is_[0])))


def _meanings(name: str) -> list[int]:
    """The usual meanings of a name, the most usual one first."""
    keys = [f"{joined(name)}{n or ''}" for n in range(SENSES)]
    return [_lexicon().of[key] for key in keys if key in _lexicon().of]


def packed(said: Sequence[str]) -> list[str]:
    """What is told by what it is sold in, turned round: bottles of beer are beer bottles; of a pair, the one thing."""
    compounds = aliases().compounds
    if said[:2] == ["pair", "of"] and {*map(kind, said[2:])} & {*compounds["pairs"]}:
        return [*aliases().same.get(kind(" ".join(said)), said[2:])][:1]
    sold = len(said) == 3 and kind(said[0]) in compounds["packages"] and said[1] in compounds["holding"]
    return [said[2], said[0]] if sold else [*said]


def _inside(label: str) -> list[str]:
    """What a name of several words that is in no lexicon is made of: a potted plant is a plant, a carton of milk, or a
    milk carton, may be asked for as milk; a toy duck is no duck."""
    *first, last = words(label)
    compounds = aliases().compounds
    if not first or joined(label) in _lexicon().of or first[0] in compounds["imitations"]:
        return []
    filled = " ".join(first)
    holds = last in compounds["packages"] and any(is_a(filled, stuff) for stuff in ("food", "substance"))
    return [last, filled] if holds else [last]


def _kinds(meaning: int) -> set[int]:
    """It and all that it is a kind of."""
    found, left = set[int](), [meaning]
    while left:
        if (one := left.pop()) not in found:
            found.add(one)
            left += _lexicon().above[one]
    return found


@functools.cache
def _lexicon() -> _Lexicon:
    above: list[tuple[int, ...]] = []
    of: dict[str, int] = {}
    for number, line in enumerate(gzip.decompress(FILE.read_bytes()).decode().splitlines()):
        names, _, kinds = line.partition(">")
        above.append(tuple(map(int, kinds.split(","))) if kinds else ())
        of.update(dict.fromkeys(names.split(";"), number))
    return _Lexicon(above, of)
