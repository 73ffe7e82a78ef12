"""Which of the things in view is meant, what it is called, and what to ask where a look at them does not tell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sayso.goal import ANYTHING, Which
from sayso.goals.evidence import looked_size, order, whole
from sayso.goals.seen import Seen
from sayso.goals.spoken import told
from sayso.grounding.inflection import counted, indefinite, row
from sayso.grounding.lexicon import kind, words
from sayso.grounding.phrases import coloured, described, label_of
from sayso.grounding.said import table
from sayso.scene import Scene, Thing


class View:
    """The things in view, and what a wish calls them."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def alike(self, phrase: str) -> list[Thing]:
        """What is in view of a kind; a colour in front of it tells it from others."""
        if phrase == ANYTHING:
            return list(self._scene)
        if label := self._label(phrase):
            return self._scene.alike(label)
        colour, rest = coloured(phrase)
        label = self._label(rest) if colour else ""
        return [t for t in self._scene.alike(label) if _is(t, (colour,))] if label else []

    def here(self, which: Which) -> Thing | None:
        """The thing that is meant, of those in view; None where none is, or where its looks do not tell."""
        if which.relation or which.among:
            there = Seen(self._scene).things(which) if not _may_be_elsewhere(which) else []
            return next(iter(there), None)
        if (one := self._told_apart(which)) is not None:
            return one
        alike = [t for t in self.alike(which.kind) if _is(t, which.traits)]
        alike = [t for t in alike if not any(_is(t, out.traits) for out in which.but)]
        if not all(_knows(t, out.traits) for t in alike for out in which.but):
            return None
        alike.sort(key=lambda t: self._order(which, t))
        return next(iter(alike[which.nth - 1 :]), None)

    def _order(self, which: Which, thing: Thing) -> float:
        """What those that may be meant are sorted by; who says no more means the nearest."""
        if not which.rank:
            return thing.distance_m or math.inf
        return order(which.rank, thing, self._scene.observer, looked_size(thing) if which.kind == ANYTHING else None)

    def name(self, which: Which) -> str:
        """How a statement names it; empty where it is not in view, or has no label: no plan can name that."""
        thing = self.here(which)
        if thing is None or not thing.label:
            return ""
        return self._scene.pick(thing) if _more_said(which, thing) else thing.label

    def tells(self, which: Which) -> bool:
        """Whether looks tell of each of a kind in view what was said of it; of what is not in view they may."""
        return Seen(self._scene).tells(which)

    def shows(self, which: Which, entire: bool = False) -> bool:
        """Whether it is in view, or all of it."""
        return any(whole(t) or not entire for t in Seen(self._scene).things(which)[:1])

    def has(self, which: Which) -> bool | None:
        """Whether one of a kind is like that; None where looks do not tell."""
        alike = self.alike(which.kind)
        if not alike or not all(_knows(t, which.traits) for t in alike):
            return None
        return any(_is(t, which.traits) for t in alike)

    def called(self, which: Which) -> str:
        """As it was said."""
        kind_ = self._kind(which)
        if which.among:
            return " or ".join(map(self.called, which.among))
        return " ".join(filter(None, (which.rank, told(replace(which, kind=kind_)))))

    def question(self, which: Which) -> str:
        """What to ask for where a name does not say which thing is meant; empty where it does."""
        called = self.called(which)
        if which.relation:
            to = self.called(which.relation.to)
            return f"What is on the {to}?" if which.relation.word == "on" else f"Which thing is closest to the {to}?"
        if which.but:
            out = " or ".join(trait for one in which.but for trait in one.traits)
            return f"Which {self.called(Which(which.kind))} is not {out}?"
        if which.rank:
            nth = {2: "second ", 3: "third ", 4: "fourth "}.get(which.nth, "")
            return f"Which is the {nth}{which.rank} {self._kind(which)}?"
        colour, rest = coloured(called)
        if colour:
            return f"Which {rest} is {colour}?"
        return f"Which is {called}?" if which.traits or described(which.kind) else ""

    def in_words(self) -> str:
        """What is in view, in a sentence."""
        counts = Counter(thing.label for thing in self._scene)
        if not counts:
            return "I see nothing that I know."
        return f"I see {row([indefinite(label) if n == 1 else counted(n, label) for label, n in counts.items()])}."

    def _told_apart(self, which: Which) -> Thing | None:
        """The only one of those of a kind of which perception tells what the phrase tells."""
        if not described(which.kind):
            return None
        head, said = words(which.kind)[0], f" {' '.join(words(which.kind))} "
        label = self._label(head)
        looks = [(t, [" ".join(words(v)) for v in t.attributes.values() if v]) for t in self._scene.alike(label)]
        fitting = [t for t, told in looks if any(f" {look} " in said for look in told)]
        return fitting[0] if label and len(fitting) == 1 else None

    def _label(self, phrase: str) -> str:
        return label_of(phrase, (t.label for t in self._scene))

    def _kind(self, which: Which) -> str:
        return self._label(which.kind) or which.kind


def _may_be_elsewhere(which: Which) -> bool:
    """Whether one that is not in view may be meant rather: what is beside something is the closest to it of all."""
    return bool(which.among) or (which.relation is not None and which.relation.word == "beside")


def _more_said(which: Which, thing: Thing) -> bool:
    """Whether more was said of a thing than its kind."""
    more = which.rank or which.traits or which.but or which.relation
    return bool(more) or kind(which.kind) != kind(thing.label)


def _is(thing: Thing, traits: Sequence[str]) -> bool:
    """Whether a thing looks so, as far as perception tells."""
    values = [v.lower() for v in thing.attributes.values()]
    return all(
        any(trait == v or f" {trait} " in f" {v} " for v in values) or trait in words(thing.label) for trait in traits
    )


def _knows(thing: Thing, traits: Sequence[str]) -> bool:
    """Whether perception tells of a thing what could be these traits."""
    colours = table()["traits"]["colours"]
    seen = any(key in thing.attributes for key in ("color", "shirt"))
    return all(seen if trait in colours else _is(thing, (trait,)) for trait in traits)
