"""The state of a search: what is sought, and what is believed about it, shared by every aircraft that takes part.

What is believed comes from the scene alone: every look and every sighting that was reported, put together with the map,
the subject's motion and the detection table in `sayso.search`. A changed wish is followed; beliefs are never begun
again.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sayso.grounding.inflection import definite, listed, none_of, row
from sayso.grounding.people import is_person
from sayso.robots.aircraft.search import lost
from sayso.robots.aircraft.search.craft import LEVELS_M, Charts
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.outlook import Surveys, chances, truth_of
from sayso.robots.aircraft.search.problem import CONFIRMED, NOTHING, SIGHTING
from sayso.robots.aircraft.search.sweep import ALIKE_M, OPEN, Look, looks_in, seen, sightings_of
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.robots.aircraft.search.wish import SearchWish, subject_of
from sayso.scene import Pose, Scene, Thing

UNLIKELY = 1e-9
"""A description rules nothing out for good: what it says may be wrong."""

LIKELY = 0.05
"""A sighting less likely true than this is no longer offered."""

LOOKED_SHARE, HALF = 0.7, 0.5
"""An area counts as looked at from this share on; what lies more than half in it is a part of it."""

LEFT = 0.1
"""An area is searched again until it is less likely than this that somebody in plain view there was overlooked."""

LITTLE = 0.1
"""An area may hold this share of ground that is to be left out: squares do not end where a wood ends."""

SMALL = 0.05
"""A chance below this is told as that."""

AGAIN, LOOKS_MAX = 0.5, 3
"""A denied sighting that is still likelier true than this is shown again, so often in all: operators overlook, too."""


@dataclass(slots=True, eq=False)
class SearchTarget:
    """One object that is sought: the belief about it, its sweeps, open sightings, and whether it has been found.

    `denied` counts how often the operator did not recognise a sighting that is still open.
    """

    where: Whereabouts
    surveys: Surveys
    found: bool = False
    found_at: Pose | None = None
    sightings: dict[str, Thing] = field(default_factory=dict)
    denied: dict[str, int] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return self.where.subject.label

    def truth(self, sighting: Thing) -> float:
        """The probability that a sighting is true."""
        assert sighting.pose is not None
        return truth_of(self.where, (sighting.pose.x_m, sighting.pose.y_m), LEVELS_M[-1])

    def drop(self, decided: Set[str]) -> None:
        """These sightings are no longer open."""
        self.sightings = {id_: s for id_, s in self.sightings.items() if id_ not in decided}


@dataclass(frozen=True, slots=True)
class TargetNews:
    """The news of new looks about one object: the observation, and in words."""

    seen: int = NOTHING
    told: tuple[str, ...] = ()

    def then(self, later: TargetNews) -> TargetNews:
        """Both, one after the other."""
        return TargetNews(later.seen or self.seen, self.told + later.told)


class SearchState:
    """The state of one search. `areas` are those that may be swept."""

    def __init__(self, charts: Charts, areas: Sequence[str]) -> None:
        self.charts, self.areas = charts, tuple(areas)
        self.wish: SearchWish | None = None
        self.hunted: list[SearchTarget] = []
        self.instruction = ""
        self.left_out: frozenset[str] = frozenset()
        self._done = set[str]()
        self._looks: dict[str, tuple[Look, Sequence[Thing]]] = {}
        self._closes: dict[str, SearchTarget] = {}
        """By confirmed sighting, whom it closes."""
        self._explained: set[str] = set()
        """Sightings of those who have been found."""

    @property
    def missing(self) -> list[SearchTarget]:
        return [h for h in self.hunted if not h.found]

    @property
    def all_found(self) -> bool:
        return bool(self.hunted) and not self.missing

    def follow(self, instruction: str, wish: SearchWish) -> tuple[str, ...]:
        """What is new to be found gets a belief; what was sought before keeps its own, cut to what is now said.

        Returns what the operator should hear of it.
        """
        news = self.wish.differs(wish) if self.wish else (wish.in_words(),)
        before, after = list(self.hunted), list[SearchTarget]()
        for sought in wish.individuals:
            subject = subject_of(sought, wish, self.charts.terrain)
            alike = [h for h in before if h.label == sought.label]
            old = next((h for h in alike if h.where.subject == subject), alike[0] if alike else None)
            if old is not None:
                before.remove(old)
            after.append(self._retold(old, subject))
        self.wish, self.hunted, self.instruction = wish, after, instruction
        self.left_out, self._done = self._left_out(wish), set()
        return news

    def goes_on(self, instruction: str, why: str) -> tuple[str, ...]:
        """Words that cannot be read as a search change nothing of one that is running."""
        self.instruction = instruction
        return (f"{why} Until then I go on as before: {self.wish.in_words()}",) if self.wish else ()

    @property
    def over(self) -> bool:
        """Whether the search was called off."""
        return self.wish is not None and self.wish.over

    @property
    def due(self) -> frozenset[str]:
        """What may be searched now of a wish that keeps to its areas, or has an order of them: what lies in those that
        are still to be searched, or in the first of them. Empty where there is nothing of that."""
        if self.wish is None or not (self.wish.ordered or self.kept_to):
            return frozenset()
        cells = self.charts.terrain.cells(*self.undone[: 1 if self.wish.ordered else None])
        return frozenset(a for a in self.areas if self._share(a, cells) > HALF)

    @property
    def kept_to(self) -> tuple[str, ...]:
        """The areas of a wish for a search of these only; empty where it goes on elsewhere."""
        return self.wish.areas if self.wish and self.wish.only else ()

    @property
    def searched(self) -> bool:
        """Whether a search of its areas only is through with them."""
        return bool(self.kept_to) and not self.undone

    @property
    def covered(self) -> bool:
        """Whether a search of its areas only has looked at each of them as a whole, though perhaps not often enough."""
        swept, areas = {look.area for look, _ in self._looks.values()}, self.kept_to
        return bool(areas) and {*areas} <= swept and all(self.looked(area) >= LOOKED_SHARE for area in areas)

    @property
    def undone(self) -> list[str]:
        """The areas of the wish that are still to be searched; who walks on comes back into no area that is done."""
        return [name for name in (self.wish.areas if self.wish else ()) if name not in self._done]

    def _left(self, name: str) -> float:
        """The chance that one of those who are missing is there and was overlooked; of no matter where the search goes
        on elsewhere."""
        some, cells = self.missing if self.kept_to else [], self.charts.terrain.cells(name)
        return max((hunted.where.left(cells) for hunted in some), default=0.0)

    @property
    def overlooked(self) -> float:
        """The chance that one of those who are missing was where they were looked for, hidden or not, and was
        overlooked."""
        return max((hunted.where.overlooked for hunted in self.missing), default=0.0)

    def looked(self, name: str) -> float:
        """Over how much of an area the camera has passed."""
        return self._share(name, self._looked_at())

    def _looked_at(self) -> NDArray[np.bool_]:
        """The cells over which the camera has passed."""
        cells = np.zeros(self.charts.terrain.shape, dtype=np.bool_)
        for look, _ in self._looks.values():
            what = seen(look, self.charts.terrain, self.charts.model)
            cells[what.window] |= what.share > 0
        return cells

    def _share(self, name: str, cells: NDArray[np.bool_]) -> float:
        """How much of an area lies in these cells."""
        area = self.charts.terrain.area(name)
        return float((cells[area.window] & area.mask).sum() / max(1, area.mask.sum()))

    def unfound(self) -> list[str]:
        """What was searched for those who are missing, in sentences, and what was not."""
        wish = self.wish
        if wish is None or not self.missing:
            return []
        names = list(dict.fromkeys(h.label for h in self.missing))
        if self.covered and not wish.unconfirmed:
            nobody, there = listed(map(none_of, names)), row([definite(area) for area in wish.areas], "or")
            one = "somebody" if all(map(is_person, names)) else "one"
            chance = f"about {round(20 * self.overlooked) * 5} %" if self.overlooked > SMALL else f"below {SMALL:.0%}"
            return [f"I found {nobody} in {there}; the chance that I overlooked {one} there is {chance}."]
        looked = {a: self.looked(a) for a in self.kept_to or self.charts.terrain.named if a not in wish.avoid}
        told = (
            ("I did not find", names, "and"),
            ("I searched", [a for a, share in looked.items() if share >= LOOKED_SHARE], "and"),
            ("I searched a part of", [a for a, share in looked.items() if LITTLE < share < LOOKED_SHARE], "and"),
            ("I did not search", [a for a, share in looked.items() if share <= LITTLE], "or"),
        )
        return [f"{did} {row([definite(one) for one in some], word)}." for did, some, word in told if some]

    def _left_out(self, wish: SearchWish) -> frozenset[str]:
        """Areas that hold more than a little of the ground to be left out, unless they were asked for by name."""
        avoided = self.charts.terrain.cells(*wish.avoid)
        others = [name for name in self.areas if name not in wish.areas] if avoided.any() else []
        off = self.charts.terrain.cells(*wish.bounds.off)
        left = frozenset(n for n in others if self._share(n, avoided) > LITTLE or self._share(n, off) > 0)
        within = self.charts.terrain.cells(*self.kept_to)
        return left | {name for name in self.areas if self.kept_to and self._share(name, within) <= HALF}

    def learn(self, scene: Scene, now_s: float) -> list[TargetNews]:
        """Update the beliefs by new looks in the scene and the time passed; returns the news of each object."""
        heard = [TargetNews()] * len(self.hunted)
        for look in (one for one in looks_in(scene) if one.id not in self._looks):
            self._looks[look.id] = look, sightings_of(look, scene)
            self._close(look)
            heard = [before.then(self._looked(h, look)) for before, h in zip(heard, self.hunted, strict=True)]
        decided = {t.id for t in scene if t.attributes.get("status", OPEN) != OPEN}
        for hunted in self.hunted:
            hunted.where.advance(now_s)
            hunted.drop(decided - hunted.denied.keys())
        self._done |= {a for a in self.undone if self.looked(a) >= LOOKED_SHARE and self._left(a) <= LEFT}
        return heard

    def finds(self, level: int) -> dict[str, float]:
        """The probability that one sweep of each area from that height finds one of those who are missing."""
        none = [1.0] * len(self.areas)
        for hunted in self.missing:
            none = [n * (1 - c) for n, c in zip(none, chances(hunted.where, hunted.surveys, level), strict=True)]
        return {area: 1 - n for area, n in zip(self.areas, none, strict=True)}

    def open_sightings(self) -> list[tuple[SearchTarget, Thing]]:
        """Sightings that are still to be confirmed, the likeliest first."""
        pairs = [(h.truth(s), h, s) for h in self.missing for s in h.sightings.values()]
        likely = sorted([(truth, h, s) for truth, h, s in pairs if truth >= LIKELY], key=lambda entry: -entry[0])
        of: dict[str, tuple[SearchTarget, Thing]] = {}
        for _, hunted, sighting in likely:
            of.setdefault(sighting.id, (hunted, sighting))
        return list(of.values())

    def _retold(self, old: SearchTarget | None, subject: Subject) -> SearchTarget:
        """The same object as it is described now: its map stays and takes what is newly said as evidence."""
        if old is not None and subject == old.where.subject:
            return old
        where = Whereabouts(subject, self.charts.terrain, self.charts.model)
        fresh = SearchTarget(where, Surveys(where, self.charts, self.areas))
        if old is None or subject.within != old.where.subject.within:  # what had no chance gets none by what is said
            self._believe_anew(fresh)
        else:
            where.advance(old.where.now_s)
            terrain = self.charts.terrain
            said = lost.prior(subject, terrain) / np.maximum(lost.prior(old.where.subject, terrain), UNLIKELY)
            where.belief = old.where.belief
            where.belief.multiply(said + UNLIKELY)
        if old is not None:
            fresh.found, fresh.found_at, fresh.sightings = old.found, old.found_at, old.sightings
        return fresh

    def _looked(self, hunted: SearchTarget, look: Look) -> TargetNews:
        """A new look: belief and open sightings of one object."""
        if look.said == "yes" and self._closes.get(look.asked) is not hunted:
            return TargetNews()  # that is somebody else
        reported = self._looks[look.id][1]
        hunted.where.learn(look, reported)
        alike = [s for s in reported if s.label == hunted.label and s.pose is not None]
        hunted.sightings |= {s.id: s for s in alike}
        told = [f"sighted a {s.label} ({hunted.truth(s):.0%} likely)" for s in alike]
        if look.asked not in hunted.sightings:
            return TargetNews(SIGHTING if alike else NOTHING, tuple(told))
        yes = look.said == "yes"
        if yes:
            hunted.found, hunted.found_at = True, hunted.sightings[look.asked].pose
        _denied(hunted, look.asked)
        told.append(f"the operator {'confirms' if yes else 'denies'} the {hunted.label}")
        return TargetNews(CONFIRMED if yes else NOTHING, tuple(told))

    def _close(self, look: Look) -> None:
        """A confirmation is of one individual, whom the sighting fits best. What was sighted there says nothing of the
        others who look alike: they are believed as if it had not been."""
        fits = [h for h in self.missing if look.asked in h.sightings and look.said == "yes"]
        if not fits:
            return
        closed = self._closes[look.asked] = max(fits, key=lambda h: h.truth(h.sightings[look.asked]))
        at = closed.sightings[look.asked].pose
        assert at is not None
        alike = [t for _, reported in self._looks.values() for t in reported if t.label == closed.label]
        self._explained |= {t.id for t in alike if t.pose and t.pose.distance_m(at) <= ALIKE_M}
        for other in fits:
            if other is not closed:
                self._believe_anew(other)

    def _believe_anew(self, hunted: SearchTarget) -> None:
        """The belief about somebody from every look so far, without the sightings of those who have been found."""
        hunted.where = Whereabouts(hunted.where.subject, self.charts.terrain, self.charts.model)
        hunted.surveys = Surveys(hunted.where, self.charts, self.areas)
        hunted.drop(self._explained)
        for look, reported in self._looks.values():
            if look.asked not in self._closes:
                hunted.where.learn(look, [s for s in reported if s.id not in self._explained])


def _denied(hunted: SearchTarget, asked: str) -> None:
    """A sighting that the operator did not recognise: closed, or open for another look."""
    sighting, times = hunted.sightings.pop(asked), hunted.denied.pop(asked, 0) + 1
    if not hunted.found and times < LOOKS_MAX and hunted.truth(sighting) >= AGAIN:
        hunted.sightings[asked], hunted.denied[asked] = sighting, times
