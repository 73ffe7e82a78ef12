"""One warehouse wish in the making: the dice, the hall, and how its things and places are called."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from lessons.phrasing import fill, tables
from lessons.telling import Side, Unsaid, pair_held_out
from lessons.warehouse_world import Hall, data, plural


@dataclass(slots=True)
class Talker:
    """One wish in the making: the dice, the side of the split, the hall, the frames used so far."""

    rng: Random
    side: Side
    hall: Hall
    frames: list[str] = field(default_factory=list)
    held_frames: int = 0
    pairs: int = 0
    about: set[str] = field(default_factory=set)

    def say(self, table: str, kind: str = "orders", *, main: bool = True, **slots: str) -> str:
        """A wording. Raises `Unsaid` where this side of the split has none."""
        choice = self.side.frames(table, kind, main)
        if not choice:
            raise Unsaid(f"no frames for {table}/{kind}")
        chosen = self.rng.choice(choice)
        self.held_frames += chosen.held_out
        self.frames.append(chosen.id)
        return fill(chosen.say(self.rng), slots)

    def complete(self) -> None:
        """Raises `Unsaid` unless the wish belongs to its side."""
        if not {"": True, "frame": self.held_frames > 0, "combo": self.pairs > 0}[self.side.held]:
            raise Unsaid("nothing held out in it")

    def pair(self, *names: str) -> None:
        """Join a thing and a place. Raises `Unsaid` where training must not."""
        held = pair_held_out("warehouse", *names)
        if held and self.side.held != "combo":
            raise Unsaid("a held-out pair")
        self.pairs += held

    # Places

    def spot(self, *without: str) -> str:
        """Some place to put things on."""
        free = [p for p in self.hall.names.spots if p not in without]
        if not free:
            raise Unsaid("no place left")
        return self.rng.choice(free)

    def placed(self, place: str) -> dict[str, str]:
        """The slots of a place that things go to."""
        name = self.place_named(place)
        if name.startswith("where "):
            return {"p": name, "on": name}
        inside = self.hall.names.purpose.get(place) == "box" or place in ("cooler", "wardrobe", "desk")
        preposition = self.rng.choice(("in", "into", "in") if inside else ("on", "on", "onto", "at", "on"))
        return {"p": name, "on": f"{preposition} {name}"}

    def place_named(self, place: str) -> str:
        """By its name, by another one, or by what it is for."""
        roll = self.rng.random()
        if roll < 0.08 and (phrased := self._phrase(place)):
            return phrased
        name = self.rng.choice(self.hall.aliases[place]) if roll < 0.45 else place
        return name if self.rng.random() < 0.12 else f"the {name}" if self.rng.random() < 0.97 else f"the same {name}"

    def _phrase(self, place: str) -> str:
        """What people say who do not think of the name; empty where nothing comes to mind."""
        names, phrases = self.hall.names, data()["phrases"]
        kinds = [c for c, home in names.homes.items() if home == place and place in names.tables]
        if len(kinds) == 1:
            return str(self.rng.choice(phrases["home"])).replace("{k}", plural(kinds[0]))
        some = phrases.get(names.purpose.get(place, ""), ())
        return self.rng.choice(some) if some else ""

    def thing_named(self, name: str) -> str:
        others = self.hall.aliases.get(name, ())
        return self.rng.choice(others) if others and self.rng.random() < 0.4 else name


@functools.cache
def lines_of(table: str, kind: str) -> Sequence[str]:
    """The lines of a table that are no frames."""
    return tuple(tables()[table][kind].strip().splitlines())
