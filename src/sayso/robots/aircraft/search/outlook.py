"""The summary of a belief map for the look-ahead: probability, detection and time by place.

What does not change during a search, the detection in each cell of an area from each height and the time to sweep it,
is worked out once (`Surveys`); what a decision costs is then a sum over cells.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from sayso.robots.aircraft.search.craft import LEVELS_M, At, Charts, Course, Craft
from sayso.robots.aircraft.search.problem import Outlook
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.search.grid import Window
from sayso.search.model import Floats, Indices

SPREADS = 3.0
"""How many standard errors around a reported place may hold what was seen there."""

HOME_S = 60.0
"""From anywhere to the ground at home: the same for all, since it has to be flown in any case."""


SLACK_S = 10.0
"""What a course may take longer than estimated."""


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """One sweep of an area from one height: detection in each cell, time without the way there, false sightings."""

    window: Window
    pod: Floats
    seconds: float
    alarm: float


class Surveys:
    """Every sweep of some areas for one subject. What has been worked out is kept; share it between decisions."""

    def __init__(self, where: Whereabouts, charts: Charts, areas: Sequence[str]) -> None:
        self.areas = tuple(areas)
        self.number = {name: n for n, name in enumerate(self.areas)}
        self.charts = charts
        subject, payload = where.subject, charts.craft.payload
        self._glimpses = [
            where.model.glimpses(charts.terrain, payload, height, subject.size_m, subject.colour) for height in LEVELS_M
        ]
        self._alarms = where.model.false_alarms(charts.terrain, payload)
        self.middles = np.array([charts.terrain.centre(name) for name in self.areas])
        windows = [charts.terrain.area(name).mask.shape for name in self.areas]
        self.sides = np.array([max(shape) * charts.terrain.cell_m for shape in windows])
        self.survey, self.seconds = cache(self._survey), cache(self._seconds)

    def travel_s(self, at: At) -> Floats:
        """To the middle of each area at cruise speed, shape (areas,)."""
        apart = np.hypot(self.middles[:, 0] - at[0], self.middles[:, 1] - at[1])
        return np.asarray(apart / self.charts.craft.cruise_mps)

    def spared(self, at: At, charge: float, level: int) -> Floats:
        """The charge that would be left at home after a sweep of each area, shape (areas,).

        Estimated on the safe side; the aircraft's own limit asks about the exact course.
        """
        charts, craft = self.charts, self.charts.craft
        home = np.hypot(self.middles[:, 0] - charts.terrain.home[0], self.middles[:, 1] - charts.terrain.home[1])
        there = np.hypot(self.middles[:, 0] - at[0], self.middles[:, 1] - at[1])
        way_s = (there + home + self.sides) / (craft.cruise_mps - math.hypot(*charts.wind_mps))
        needed_s = self.seconds(level) + way_s + LEVELS_M[level] / craft.sink_mps + SLACK_S
        return np.asarray(charge - needed_s * (1 + craft.gust) / craft.endurance_s)

    def _seconds(self, level: int) -> Floats:
        """Of one sweep of each area, shape (areas,)."""
        return np.array([self.survey(name, level).seconds for name in self.areas])

    def _survey(self, name: str, level: int) -> Survey:
        """One sweep, from the height `LEVELS_M[level]`."""
        terrain = self.charts.terrain
        area = terrain.area(name)
        at = (*terrain.centre(name), LEVELS_M[level])
        course = self.charts.search(at, name)
        flown = self.charts.cost(Course(course.legs[1:]), course.legs[0].to)  # without the way there
        coverage = course.look.coverage if course.look else 1.0
        glimpse = self._glimpses[level][terrain.kinds[area.window]]
        pod = np.where(area.mask, -np.expm1(-coverage * glimpse), 0.0)
        alarms = float(self._alarms[area.window][area.mask].sum())
        return Survey(area.window, pod, max(1.0, flown.seconds), -math.expm1(-alarms))


def chances(where: Whereabouts, surveys: Surveys, level: int) -> Floats:
    """The probability that one sweep of each area from that height finds the subject, shape (areas,)."""
    seen = where.belief.in_view
    sweeps = (surveys.survey(name, level) for name in surveys.areas)
    return np.array([float((seen[s.window] * s.pod).sum()) for s in sweeps])


def truth_of(where: Whereabouts, place: tuple[float, float], altitude_m: float) -> float:
    """The probability that the subject is where something was reported from that height, and can be seen."""
    reach_m = SPREADS * where.model.place_sd_m(altitude_m) + where.terrain.cell_m / 2
    low = where.terrain.cell(place[0] - reach_m, place[1] - reach_m)
    high = where.terrain.cell(place[0] + reach_m, place[1] + reach_m)
    return where.belief.sighting((slice(low[0], high[0] + 1), slice(low[1], high[1] + 1)), 1.0)


def level_of(altitude_m: float) -> int:
    """The nearest of the levels."""
    return int(np.argmin([abs(altitude_m - level) for level in LEVELS_M]))


class Lump:
    """The places of a few sweeps: cells that the same ones cover are one place, and the last place is elsewhere."""

    def __init__(self, surveys: Surveys, focus: Sequence[int]) -> None:
        self.focus = tuple(focus)
        self.sweeps = [[surveys.survey(surveys.areas[n], h) for n in focus] for h in range(len(LEVELS_M))]
        covers = np.zeros((len(focus), *surveys.charts.terrain.shape), dtype=np.bool_)
        for cover, survey in zip(covers, self.sweeps[0], strict=True):
            cover[survey.window] = survey.pod > 0
        _, first, label = np.unique(_bits(covers), return_index=True, return_inverse=True)
        elsewhere = ~covers.reshape(len(focus), -1)[:, first].any(axis=0) if len(focus) else np.array([True])
        order = np.argsort(elsewhere, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        self.label: Indices = rank[label.reshape(covers.shape[1:])]
        self.n_places = len(order) + (0 if elsewhere.any() else 1)

    def shares(self, weights: Floats) -> Floats:
        """The sum of a map's weights in each place, shape (P,)."""
        total = np.bincount(self.label.ravel(), weights=weights.ravel(), minlength=self.n_places)
        return np.asarray(total, dtype=np.float64)

    def pod(self, seen: Floats) -> Floats:
        """Detection by each sweep in each place, cells counting by how likely the subject is visible in them."""
        mass = self.shares(seen)
        table = np.zeros((len(self.sweeps), len(self.focus), self.n_places))
        for h, row in enumerate(self.sweeps):
            for k, survey in enumerate(row):
                label = self.label[survey.window].ravel()
                found = (seen[survey.window] * survey.pod).ravel()
                table[h, k] = np.bincount(label, weights=found, minlength=self.n_places)
        return np.asarray(np.minimum(table / np.maximum(mass, 1e-15), 1.0))


def _bits(covers: np.typing.NDArray[np.bool_]) -> Floats:
    """A number for each cell that tells which sweeps cover it. Random weights tell any number of sweeps apart."""
    weights = np.random.default_rng(0).random(len(covers))
    return np.asarray(weights @ covers.reshape(len(covers), math.prod(covers.shape[1:])))


def look_ahead(
    where: Whereabouts,
    surveys: Surveys,
    at: At,
    lump: Lump,
    *,
    pending: tuple[tuple[float, float], float] | None = None,
    idle_s: tuple[float, ...] = (),
) -> Outlook:
    """The outlook of one subject. `pending` is an open sighting's place and the probability that it is true."""
    in_view, craft = where.belief.in_view, surveys.charts.craft
    seen = lump.shares(in_view)
    hidden = np.maximum(lump.shares(where.belief.probability) - seen, 0.0)
    way_s = way_between_s(surveys, lump.focus)
    outlook = Outlook(
        seen=seen,
        hidden=hidden,
        pod=lump.pod(in_view),
        false_alarm=np.array([[s.alarm for s in row] for row in lump.sweeps]),
        sweep_s=np.array([[s.seconds + way_s for s in row] for row in lump.sweeps]),
        confirm=confirming(where, craft, in_view),
        confirm_s=craft.confirm_s + 25.0,
        climb_s=(LEVELS_M[1] - LEVELS_M[0]) / craft.climb_mps,
        home_s=HOME_S,
        idle_s=idle_s,
        areas=[surveys.areas[n] for n in lump.focus],
        altitude=level_of(at[2]),
    )
    if pending is None:
        return outlook
    place, chance = pending
    label = int(lump.label[where.terrain.cell(*place)])
    seen = seen.copy()
    seen[label] = max(0.0, seen[label] - chance)
    return replace(outlook, seen=seen, pending=min(chance, 1 - 1e-9), pending_place=label)


def way_between_s(surveys: Surveys, focus: Sequence[int]) -> float:
    """Seconds from one area of the focus to a near one, on the mean."""
    middles = surveys.middles[list(focus)]
    if len(middles) < 2:
        return 0.0
    apart = np.hypot(*(middles[:, None, :] - middles[None, :, :]).transpose(2, 0, 1))
    nearest = np.sort(apart, axis=1)[:, 1 : 1 + min(3, len(middles) - 1)]
    return float(nearest.mean() / surveys.charts.craft.cruise_mps)


def confirming(where: Whereabouts, craft: Craft, in_view: Floats) -> float:
    """The chance that an operator recognises the subject at a true sighting, on the ground where it may be seen."""
    subject = where.subject
    seen_as = craft.payload, craft.confirm_from_m, subject.size_m, subject.colour
    table = where.model.confirmations(where.terrain, *seen_as)
    mass = np.bincount(where.terrain.kinds.ravel(), weights=in_view.ravel(), minlength=len(table))
    return float(np.dot(table, mass) / max(float(mass.sum()), 1e-15))
