"""The people and things really there: they stay, or drift from cell to cell toward what attracts them.

They stand and move by the law that a searcher believes in but for its share of doubt (`lost.law`), so a belief can be
checked against them; what happens is drawn by seed. Where another of the `LAWS` is named they do not, to
see what a belief is worth that is wrong.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from sayso.robots.aircraft.search import lost
from sayso.robots.aircraft.search.detection import Detection
from sayso.robots.aircraft.search.lost import Motion, Subject, motion
from sayso.robots.aircraft.search.terrain import Cell, Terrain, middles
from sayso.search.drift import NEIGHBOURS
from sayso.search.model import Floats
from sayso.world import Done, Real, Truth


@dataclass(slots=True)
class Present:
    """One of those who are there. `offset_m` is where in its cell it stands, from its middle; `place`
    is (x, y) in metres; `open_to_sky` says whether it can be seen from the air at all."""

    id: str
    subject: Subject
    cell: Cell
    offset_m: tuple[float, float]
    open_to_sky: bool
    moves: Motion
    next_s: float
    place: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost(Real):
    """Somebody who is out there; seconds of the world, None for never."""

    open_to_sky: bool
    found_s: float | None
    confirmed_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTruth(Truth):
    """A search at one moment. `things` are the named areas, which anybody may know, `present` is everybody there, and
    `pictures` are the times of its images, with who is in them."""

    at_home: bool
    present: Mapping[str, Lost]
    pictures: tuple[tuple[float, frozenset[str]], ...]

    @property
    def there(self) -> Mapping[str, Real]:
        """Areas, and those who are there."""
        return {**self.things, **self.present}

    @property
    def done(self) -> tuple[Done, ...]:
        times = ((id_, one.confirmed_s) for id_, one in self.present.items())
        confirmed = (Done(at_s, "confirmed", frozenset({id_})) for id_, at_s in times if at_s is not None)
        return (*confirmed, *(Done(at_s, "picture", shown) for at_s, shown in self.pictures))


BESIDE_M, FLAT_M = 250.0, 500.0

Law: TypeAlias = Callable[[Subject, Terrain, np.random.Generator], Cell]
"""Draws where somebody is."""


def _own(subject: Subject, terrain: Terrain, chance: np.random.Generator) -> Cell:
    return _drawn(lost.law(subject, terrain), chance)


def _beside(subject: Subject, terrain: Terrain, chance: np.random.Generator) -> Cell:
    """So far from where they would be, in any direction that stays on dry land of the map."""
    x_m, y_m = terrain.middle(_own(subject, terrain, chance))
    return _drawn(_dry(terrain) * (np.abs(_far_m(terrain, x_m, y_m) - BESIDE_M) <= terrain.cell_m), chance)


def _flat(subject: Subject, terrain: Terrain, chance: np.random.Generator) -> Cell:
    """Anywhere within reach of where they were seen last, whatever grows there."""
    assert subject.seen_at is not None, "somebody saw them"
    return _drawn(_dry(terrain) * (_far_m(terrain, *subject.seen_at) <= FLAT_M), chance)


LAWS: Mapping[str, Law] = {"": _own, "beside": _beside, "flat": _flat}


def _drawn(weights: Floats, chance: np.random.Generator) -> Cell:
    sums = np.cumsum(weights)
    drawn = int(np.searchsorted(sums, chance.random() * sums[-1], side="right"))
    return drawn // weights.shape[1], drawn % weights.shape[1]


def _dry(terrain: Terrain) -> Floats:
    return np.where(terrain.of_kind("water"), 0.0, 1.0)


def _far_m(terrain: Terrain, x_m: float, y_m: float) -> Floats:
    """How far each cell is from a place."""
    x, y = middles(terrain.shape, terrain.cell_m)
    return np.asarray(np.hypot(x - x_m, y - y_m))


class People:
    """All who are there, and their motion. `next_s` is when somebody takes the next step."""

    def __init__(
        self, subjects: Sequence[Subject], terrain: Terrain, model: Detection, seed: int, law: str = ""
    ) -> None:
        self.terrain = terrain
        self._chance, self._law = np.random.default_rng([seed, 1]), law
        seen, labels = model.open_to_sky(terrain), [one.label for one in subjects]
        ids = [f"{label} {labels[:n].count(label) + 1}" for n, label in enumerate(labels)]
        self.present = tuple(self._present(id_, one, seen) for id_, one in zip(ids, subjects, strict=True))
        self.next_s = min((p.next_s for p in self.present), default=math.inf)

    def _present(self, id_: str, subject: Subject, seen: Floats) -> Present:
        chance, terrain = self._chance, self.terrain
        cell = LAWS[self._law](subject, terrain, chance)
        dx, dy = (chance.random(2) - 0.5) * terrain.cell_m
        open_to_sky = bool(chance.random() < seen[cell])
        moves = motion(replace(subject, attractor="") if self._law == "flat" else subject, terrain)
        present = Present(id_, subject, cell, (float(dx), float(dy)), open_to_sky, moves, moves.step_s)
        self._stand(present)
        return present

    def _stand(self, one: Present) -> None:
        x, y = self.terrain.middle(one.cell)
        one.place = x + one.offset_m[0], y + one.offset_m[1]

    def step(self) -> None:
        """Those whose turn it is take their step."""
        due_s = self.next_s
        for one in self.present:
            if one.next_s <= due_s:
                one.cell = self._next(one)
                self._stand(one)
                one.next_s += one.moves.step_s
        self.next_s = min(p.next_s for p in self.present)

    def _next(self, one: Present) -> Cell:
        assert one.moves.drift is not None
        left = self._chance.random() - one.moves.drift.stay[one.cell]
        if left < 0:
            return one.cell
        for (down, right), share in zip(NEIGHBOURS, one.moves.drift.leave, strict=True):
            left -= share[one.cell]
            if left < 0:
                return one.cell[0] + down, one.cell[1] + right
        return one.cell
