"""One lesson in the making: the dice, the room, which side of the split it is for, and the frames that it used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from knowledge import OFFICE, Item, fraction, items
from lessons import words
from lessons.described import placed, somebody
from lessons.phrasing import Frame, fill, frames, pool
from lessons.rooms import Room, apart, colour, sample
from sayso.scene import Thing

HELD_OUT_PAIRS = 0.12


class Unsaid(Exception):
    """These dice make no lesson: nothing fits, or it would fall on the wrong side of the split."""


@dataclass(frozen=True, slots=True)
class Side:
    """Which held-out things a lesson may use, and must use one of: frame, object, combo, or "" for training."""

    held: str = ""

    def frames(self, intent: str, kind: str, main: bool) -> tuple[Frame, ...]:
        """Training draws from its own frames only. A held-out lesson has a held-out main frame, and any around it."""
        if self.held == "frame":
            return pool(intent, kind, True) if main else frames(intent, kind)
        return pool(intent, kind, False)

    def items(self) -> Sequence[Item]:
        return _KNOWN if self.held != "object" else _EVERY


_EVERY = tuple(items().values())
_KNOWN = tuple(item for item in _EVERY if not item.held_out)
_HELD = tuple(item for item in _EVERY if item.held_out)


def pair_held_out(*names: str) -> bool:
    """Whether training never joins these two, in this order."""
    return fraction("pair", *names) < HELD_OUT_PAIRS


@dataclass(slots=True)
class Teller:
    """Makes parts of one lesson. What it used is written down: frames, things, held-out pairs."""

    rng: Random
    side: Side
    room: Room
    frames: list[str] = field(default_factory=list)
    things: set[str] = field(default_factory=set)
    pairs: int = 0
    held_frames: int = 0

    def say(self, intent: str, kind: str, **slots: str) -> str:
        """A wording of this intent. Raises `Unsaid` where this side of the split has none."""
        return fill(self.open(intent, kind), slots)

    def around(self, intent: str, kind: str, **slots: str) -> str:
        """The same for words around the wish proper, which need not be held out."""
        return fill(self.open(intent, kind, main=False), slots)

    def open(self, intent: str, kind: str, main: bool = True) -> str:
        """The same, its slots still open."""
        choice = self.side.frames(intent, kind, main)
        if not choice:
            raise Unsaid(f"no frames for {intent}/{kind}")
        chosen = self.rng.choice(choice)
        self.held_frames += chosen.held_out
        self.frames.append(chosen.id)
        return chosen.say(self.rng)

    def item(self, label: str = "") -> Item:
        """Some kind of thing, often one in view; in lessons about held-out objects, one of those."""
        scene = self.room.scene
        if not label and scene.things and self.rng.random() < 0.65:
            label = self.rng.choice(scene.things).label
        if not label and self.side.held != "object" and self.rng.random() < 0.25:
            label = self.rng.choice(sorted(OFFICE))
        item = items()[label] if label in items() else self.rng.choice(self.side.items())
        if self.side.held == "object" and self.rng.random() < 0.7:
            held = [t.label for t in scene if items()[t.label].held_out]
            item = items()[self.rng.choice(held)] if held and self.rng.random() < 0.7 else self.rng.choice(_HELD)
        self.things.add(item.label)
        return item

    def mislead(self, item: Item) -> None:
        """Where it is not in view, let something much like it be: who is asked for a door must not take the window."""
        things = list(self.room.scene.things)
        if not things or self.things - {item.label} or self.room.alike(item.label):
            return
        like = [i.label for i in self.side.items() if i.kind == item.kind and i.label not in (item.label, "person")]
        like = [label for label in like if label in OFFICE and self.rng.random() < 0.5] or like
        if like and self.side.held != "object":
            at = self.rng.randrange(len(things))
            things[at] = replace(things[at], label=self.rng.choice(like), attributes={})
            self.room = replace(self.room, scene=replace(self.room.scene, things=apart(tuple(things))))

    def pair(self, *names: str) -> None:
        """Join two things. Raises `Unsaid` where training must not."""
        held = pair_held_out(*names)
        if held and self.side.held != "combo":
            raise Unsaid("a held-out pair")
        self.pairs += held

    def complete(self) -> None:
        """Raises `Unsaid` unless the lesson belongs to its side."""
        held_things = any(items()[label].held_out for label in self.things)
        present = {"": True, "frame": self.held_frames > 0, "object": held_things, "combo": self.pairs > 0}
        if not present[self.side.held]:
            raise Unsaid("nothing held out in it")


def teller(rng: Random, side: Side, must: Sequence[str] = (), most: int = 7, airborne: bool | None = None) -> Teller:
    """A fresh lesson in a sampled room."""
    choice = _HELD if side.held == "object" and rng.random() < 0.5 else side.items()
    return Teller(rng, side, sample(rng, choice, must, most, airborne))


@dataclass(frozen=True, slots=True)
class Target:
    """A thing that a wish is about: how it is called, with its article and without, and what kind of thing it is."""

    phrase: str
    bare: str
    label: str


def target(t: Teller, definite: float = 0.6, plain: bool = False) -> Target:
    """A thing to talk about: by its name, now and then by its colour, or in words that no table knows."""
    item = t.item()
    if not plain and t.rng.random() < 0.14:
        if t.rng.random() < 0.4:
            bare = somebody(t.rng)
        else:
            bare = placed(t.rng, words.synonym(t.rng, item.label, 0.2), t.rng.choice(t.side.items()).label)
        return Target(f"{t.rng.choice(('the', 'the', 'that', 'a'))} {bare}", bare, item.label)
    if t.rng.random() < 0.5:
        t.mislead(item)
    if not plain and t.rng.random() < 0.16:
        coloured = _coloured(t, item)
        if coloured:
            return coloured
    named = words.naming(t.rng, item, definite)
    return Target(named.text, named.bare, item.label)


def _coloured(t: Teller, item: Item) -> Target | None:
    """By a colour that no other of its kind in view has."""
    alike = t.room.alike(item.label)
    key = "shirt" if item.label == "person" else "color"
    thing = t.rng.choice(alike) if alike else None
    if thing is None or t.rng.random() < 0.3:
        thing = Thing("", item.label, None, attributes={key: colour(t.rng, item)})
    phrase = words.with_colour(t.rng, thing)
    if phrase is None or sum(x.attributes.get(key) == thing.attributes[key] for x in alike) > 1:
        return None
    return Target(phrase, phrase.removeprefix("the "), item.label)
