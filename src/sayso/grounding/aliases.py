"""What people call things: other names for the same, and kinds with their members."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sayso.data import toml


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
    """Those of this room's data file."""
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
