"""What people call things: other names for the same, and kinds with their members."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class Aliases:
    """What people call things: groups of names for the same, and kinds with their members."""

    same: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, tuple[str, ...]]
    grasps: frozenset[str] = frozenset()
    releases: frozenset[str] = frozenset()

    def names(self, label: str) -> tuple[str, ...]:
        """Everything that a thing of this label may be called, normalised."""
        return self.same.get(kind(label), (kind(label),))

    def kinds_of(self, label: str) -> list[str]:
        """The kinds that it belongs to, by any of its names."""
        mine = set(self.names(label))
        return [k for k, members in self.kinds.items() if mine & set(members)]

    def more(self, groups: Iterable[Sequence[str]]) -> Aliases:
        """These and others: each group names the same thing, and joins what it shares a name with."""
        return _aliases([*set(self.same.values()), *groups], self.kinds, self.grasps, self.releases)


@functools.cache
def aliases() -> Aliases:
    """Those of this room's data file."""
    data = tomllib.loads(resources.files(__package__).joinpath("aliases.toml").read_text("utf-8"))
    skills = data["skills"]
    return _aliases(data["same"], data["kinds"], frozenset(skills["grasp"]), frozenset(skills["release"]))


def _aliases(same: Iterable[Sequence[str]], kinds: Mapping[str, Any], *skills: frozenset[str]) -> Aliases:
    groups: dict[str, tuple[str, ...]] = {}
    for names in same:
        joined = dict.fromkeys(kind(n) for n in names)
        for name in list(joined):
            joined.update(dict.fromkeys(groups.get(name, ())))
        groups.update(dict.fromkeys(joined, tuple(joined)))
    return Aliases(groups, {k: tuple(kind(m) for m in members) for k, members in kinds.items()}, *skills)


def words(text: str) -> tuple[str, ...]:
    """The words of a text, small and in the singular: `Red Apples` and `the red apple` share theirs."""
    return tuple(_singular(w) for w in re.findall(r"[^\W_]+", text.lower()))


def kind(text: str) -> str:
    """A label in the form in which labels are compared."""
    return " ".join(words(text))


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
