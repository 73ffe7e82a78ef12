"""What a search is after, and what is believed about it: shared by every aircraft that takes part.

What is believed comes from the scene alone: every look and every sighting that was reported, put together with the map,
the subject's motion and the detection table in `sayso.search`. A changed wish is followed; beliefs are never begun
again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sayso.robots.aircraft.search import lost
from sayso.robots.aircraft.search.craft import LEVELS_M, Charts
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.outlook import Surveys, chances, truth_of
from sayso.robots.aircraft.search.problem import CONFIRMED, NOTHING, SIGHTING
from sayso.robots.aircraft.search.sweep import Look, looks_in, sightings_of
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.robots.aircraft.search.wish import SearchWish, subject_of
from sayso.scene import Scene, Thing

UNLIKELY = 1e-9
"""A description rules nothing out for good: what it says may be wrong."""

OPEN = "unconfirmed"
"""The status of a sighting that nobody has decided on."""

LIKELY = 0.05
"""A sighting less likely true than this is no longer offered."""


LITTLE = 0.1
"""An area may hold this share of ground that is to be left out: squares do not end where a wood ends."""

AGAIN, LOOKS_MAX = 0.5, 3
"""A denied sighting that is still likelier true than this is shown again, so often in all: operators overlook, too."""


@dataclass(slots=True, eq=False)
class Hunted:
    """One object of the wish: the belief about it, its sweeps, open sightings, and whether it has been found.

    `denied` counts how often the operator did not recognise a sighting that is still open.
    """

    where: Whereabouts
    surveys: Surveys
    found: bool = False
    sightings: dict[str, Thing] = field(default_factory=dict)
    denied: dict[str, int] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return self.where.subject.label

    def truth(self, sighting: Thing) -> float:
        """The probability that a sighting is true."""
        assert sighting.pose is not None
        return truth_of(self.where, (sighting.pose.x_m, sighting.pose.y_m), LEVELS_M[-1])


@dataclass(frozen=True, slots=True)
class Heard:
    """What new looks told of one object: the observation, and in words."""

    seen: int = NOTHING
    told: tuple[str, ...] = ()


class Hunt:
    """One search. `areas` are those that may be swept."""

    def __init__(self, charts: Charts, areas: Sequence[str]) -> None:
        self.charts, self.areas = charts, tuple(areas)
        self.wish: SearchWish | None = None
        self.hunted: list[Hunted] = []
        self.instruction = ""
        self.left_out: frozenset[str] = frozenset()
        self._known: set[str] = set()

    @property
    def missing(self) -> list[Hunted]:
        return [h for h in self.hunted if not h.found]

    @property
    def all_found(self) -> bool:
        return bool(self.hunted) and not self.missing

    def follow(self, instruction: str, wish: SearchWish) -> tuple[str, ...]:
        """What is new to be found gets a belief; what was sought before keeps its own, cut to what is now said.

        Returns what the operator should hear of it.
        """
        news = self.wish.differs(wish) if self.wish else (f"understood: {wish.in_words()}",)
        before, after = list(self.hunted), list[Hunted]()
        for sought in wish.sought:
            old = next((h for h in before if h.label == sought.label), None)
            if old is not None:
                before.remove(old)
            after.append(self._retold(old, subject_of(sought, wish, self.charts.terrain)))
        self.wish, self.hunted, self.instruction = wish, after, instruction
        self.left_out = self._left_out(wish)
        return news

    def goes_on(self, instruction: str) -> tuple[str, ...]:
        """Words that ask for no search change nothing of one that is running."""
        self.instruction = instruction
        return (f"that is no search to me, so I go on as before: {self.wish.in_words()}",) if self.wish else ()

    def _left_out(self, wish: SearchWish) -> frozenset[str]:
        """Areas that hold more than a little of the ground to be left out, unless they were asked for by name."""
        avoided = self._ground(wish.avoid)
        others = [name for name in self.areas if name not in wish.areas] if avoided.any() else []
        terrain = self.charts.terrain
        shares = {n: (avoided[(a := terrain.area(n)).window] & a.mask).sum() / max(1, a.mask.sum()) for n in others}
        return frozenset(name for name, share in shares.items() if share > LITTLE)

    def _ground(self, names: Sequence[str]) -> np.typing.NDArray[np.bool_]:
        """The cells of some areas."""
        cells = np.zeros(self.charts.terrain.shape, dtype=np.bool_)
        for name in names:
            area = self.charts.terrain.area(name)
            cells[area.window] |= area.mask
        return cells

    def learn(self, scene: Scene, now_s: float) -> list[Heard]:
        """Every look that is new in the scene, and the time that has passed; what was heard of each object."""
        fresh = [look for look in looks_in(scene) if look.id not in self._known]
        self._known |= {look.id for look in fresh}
        heard = [self._looked(hunted, fresh, scene) for hunted in self.hunted]
        for hunted in self.hunted:
            hunted.where.advance(now_s)
        return heard

    def finds(self, level: int) -> dict[str, float]:
        """The probability that one sweep of each area from that height finds one of those who are missing."""
        none = [1.0] * len(self.areas)
        for hunted in self.missing:
            none = [n * (1 - c) for n, c in zip(none, chances(hunted.where, hunted.surveys, level), strict=True)]
        return {area: 1 - n for area, n in zip(self.areas, none, strict=True)}

    def open_sightings(self) -> list[tuple[Hunted, Thing]]:
        """Sightings that are still to be confirmed, the likeliest first."""
        pairs = [(h.truth(s), h, s) for h in self.missing for s in h.sightings.values()]
        likely = [(truth, h, s) for truth, h, s in pairs if truth >= LIKELY]
        return [(h, s) for _, h, s in sorted(likely, key=lambda entry: -entry[0])]

    def _retold(self, old: Hunted | None, subject: Subject) -> Hunted:
        """The same object as it is described now: its map stays and takes what is newly said as evidence."""
        if old is not None and subject == old.where.subject:
            return old
        where = Whereabouts(subject, self.charts.terrain, self.charts.model)
        fresh = Hunted(where, Surveys(where, self.charts, self.areas))
        if old is None:
            return fresh
        where.advance(old.where.now_s)
        terrain = self.charts.terrain
        said = lost.prior(subject, terrain) / np.maximum(lost.prior(old.where.subject, terrain), UNLIKELY)
        where.belief = old.where.belief
        where.belief.multiply(said + UNLIKELY)
        fresh.found, fresh.sightings = old.found, old.sightings
        return fresh

    def _looked(self, hunted: Hunted, looks: Sequence[Look], scene: Scene) -> Heard:
        """New looks: belief and open sightings of one object."""
        seen, told = NOTHING, list[str]()
        for look in looks:
            reported = sightings_of(look, scene)
            hunted.where.learn(look, reported)
            alike = [s for s in reported if s.label == hunted.label and s.pose is not None]
            hunted.sightings |= {s.id: s for s in alike}
            seen = SIGHTING if alike else seen
            told += [f"sighted a {s.label} ({hunted.truth(s):.0%} likely)" for s in alike]
            if look.asked in hunted.sightings:
                yes = look.said == "yes"
                hunted.found, seen = hunted.found or yes, CONFIRMED if yes else NOTHING
                told.append(f"the operator {'confirms' if yes else 'denies'} the {hunted.label}")
                _denied(hunted, look.asked)
        decided = {t.id for t in scene if t.attributes.get("status", OPEN) != OPEN} - hunted.denied.keys()
        hunted.sightings = {id_: s for id_, s in hunted.sightings.items() if id_ not in decided}
        return Heard(seen, tuple(told))


def _denied(hunted: Hunted, asked: str) -> None:
    """A sighting that the operator did not recognise: closed, or open for another look."""
    sighting, times = hunted.sightings.pop(asked), hunted.denied.pop(asked, 0) + 1
    if not hunted.found and times < LOOKS_MAX and hunted.truth(sighting) >= AGAIN:
        hunted.sightings[asked], hunted.denied[asked] = sighting, times
