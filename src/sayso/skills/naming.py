"""A perception that finds things by other names than its own.

A name that no thing in view has is taken for one that means the same (trash can, bin): by the dictionary, and by
meaning, where an encoder compares that. It has to be near, and nearer than any other: where two might be meant, or none
is near, the thing is not here; nor is it where its name only ends as another's. Nobody guesses.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sayso.grounding.lexicon import kind, means
from sayso.roles import Perception
from sayso.scene import Scene, Thing, plain

Embed: TypeAlias = Callable[[Sequence[str]], Any]
"""Texts to an array of vectors of length 1, one a row."""

NEAR, NEARER = 0.65, 0.1
"""How alike two names have to be in meaning (their vectors' product), and by how much more than the next one."""


class Meanings:
    """Finds the label that a name means. Without `embed` only by the dictionary."""

    def __init__(self, embed: Embed | None = None) -> None:
        self._embed = embed
        self._known: dict[tuple[str, frozenset[str]], str] = {}

    def label(self, name: str, labels: Iterable[str]) -> str:
        """The one of the labels that the name means; empty for none, and where several might be meant."""
        there = frozenset(labels)
        if (name, there) not in self._known:
            self._known[name, there] = self._found(name, sorted(there))
        return self._known[name, there]

    def _found(self, name: str, labels: Sequence[str]) -> str:
        called = [label for label in labels if means(name, label)]
        if called or not labels or self._embed is None or not kind(name):
            return called[0] if len(called) == 1 else ""
        vectors = self._embed([kind(name), *map(kind, labels)])
        likeness = sorted(zip((vectors[1:] @ vectors[0]).tolist(), labels, strict=True), reverse=True)
        (best, label), next_best = likeness[0], likeness[1][0] if len(likeness) > 1 else -1.0
        kind_of = kind(name).endswith(kind(label))  # a wheelchair is no chair, a post box no box
        return label if best >= NEAR and best >= next_best + NEARER and not kind_of else ""


@dataclass(frozen=True, slots=True)
class NamedScene(Scene):
    """A scene in which things are found by other names as well."""

    meanings: Meanings | None = None

    def alike(self, label: str) -> list[Thing]:
        """All things of this label; where there are none, of the one that it means. What whoever looks has a label for
        means no other thing."""
        found = Scene.alike(self, label)
        known = self.sense is not None and plain(label).lower() in map(str.lower, self.sense.labels)
        if found or known or self.meanings is None:
            return found
        meant = self.meanings.label(label, {t.label for t in self.things})
        return Scene.alike(self, meant) if meant else []

    def untold(self, name: str) -> str:
        """Why nobody can tell whether it is here; empty where one of the labels means it."""
        told = Scene.untold(self, name)
        if not told or self.sense is None or self.meanings is None:
            return told
        label = name.partition("#")[0].partition("[")[0]
        known = any(means(label, mine) for mine in self.sense.labels) or self.meanings.label(label, self.sense.labels)
        return "" if known else told


class Named:
    """A perception whose scenes know other names for things."""

    def __init__(self, perception: Perception, meanings: Meanings) -> None:
        self._perception, self._meanings = perception, meanings

    async def look(self) -> Scene:
        seen = await self._perception.look()
        return NamedScene(seen.things, seen.observer, seen.seen_s, seen.view, seen.sense, seen.doubtful, self._meanings)
