"""Who is really there: people and things that stay, or drift from cell to cell toward what attracts them.

They move by the same law that a searcher believes in, so a belief can be checked against them: the chance to be
somewhere is the same, and what happens is drawn from it by seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sayso.robots.aircraft.search import lost
from sayso.robots.aircraft.search.detection import Detection
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.terrain import Cell, Terrain
from sayso.robots.aircraft.search.whereabouts import Motion, motion
from sayso.robots.aircraft.world.scene import Placed
from sayso.search.drift import NEIGHBOURS
from sayso.search.model import Floats


@dataclass(slots=True)
class Present:
    """One of those who are there. `offset_m` is where in its cell it stands, from its middle; `place`
    is (x, y) in metres; `open_to_sky` says whether it can be seen from the air at all."""

    id: str
    subject: Subject
    sought: bool
    cell: Cell
    offset_m: tuple[float, float]
    open_to_sky: bool
    moves: Motion
    next_s: float
    place: tuple[float, float] = (0.0, 0.0)


class People:
    """All who are there, and their motion. `next_s` is when somebody takes the next step."""

    def __init__(self, placed: Sequence[Placed], terrain: Terrain, model: Detection, seed: int) -> None:
        self.terrain = terrain
        self._chance = np.random.default_rng([seed, 1])
        seen = model.open_to_sky(terrain)
        self.present = tuple(self._place(one, seen) for one in placed)
        self.next_s = min((p.next_s for p in self.present), default=math.inf)

    def _place(self, one: Placed, seen: Floats) -> Present:
        chance, terrain, subject = self._chance, self.terrain, one.subject
        weights = np.cumsum(lost.prior(subject, terrain))
        drawn = int(np.searchsorted(weights, chance.random() * weights[-1], side="right"))
        cell = (drawn // terrain.shape[1], drawn % terrain.shape[1])
        dx, dy = (chance.random(2) - 0.5) * terrain.cell_m
        open_to_sky, moves = bool(chance.random() < seen[cell]), motion(subject, terrain)
        if one.at is not None:
            cell = terrain.cell(*one.at)
            x, y = terrain.middle(cell)
            dx, dy, open_to_sky = one.at[0] - x, one.at[1] - y, True
        offset_m = float(dx), float(dy)
        present = Present(subject.name, subject, one.sought, cell, offset_m, open_to_sky, moves, moves.step_s)
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
