"""The calibration of the detection model by runs: how often something was really found where it could have been.

Eq. 11 of Say-REAPEx by counting: p(comp|s) = p(s|comp)·p(comp)/p(s), with p(s) as the divisor, where s is what a look
depends on. Runs of which the truth is known, such as trials with a dummy at a known place, are `passes`; what they say
is put in place of the table's figure only as far as there are enough of them, and goes back into a `Detection` as a
layer of its own, so that planner and belief use it like any other figure.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sayso.robots.aircraft.search.detection import Detection
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.sweep import Look, looks_in, seen, sightings_of
from sayso.robots.aircraft.search.terrain import Terrain
from sayso.scene import Scene

TRUST = 20.0
"""The table's figure weighs as much as so many passes."""

NEAR_SDS = 3.0
CERTAIN = 0.999


@dataclass(frozen=True, slots=True)
class Pass:
    """One look over a place where something lay in the open: the POD by the table, and whether it was found.

    Camera, height and ground are the situation, s of Eq. 11.
    """

    payload: str
    altitude_m: float
    kind: str
    expected: float
    found: bool


@dataclass(slots=True)
class Experience:
    """What runs have shown, as passes to be counted."""

    passes: list[Pass] = field(default_factory=list)

    def add(self, passes: Iterable[Pass]) -> None:
        """Some more of them."""
        self.passes += passes

    def completes(self, payload: str, altitude_m: float, kind: str) -> float:
        """p(comp|s) by Eq. 11, in which the counts of all passes cancel; nan where nothing was counted."""
        s = payload, altitude_m, kind
        here = [one.found for one in self.passes if (one.payload, one.altitude_m, one.kind) == s]
        return sum(here) / len(here) if here else math.nan

    def factor(self, payload: str, kind: str) -> float:
        """How many times better than by the table a glimpse is on this ground; 1 without experience.

        In the exponent of POD = 1 − exp(−coverage·g), where a factor of g belongs.
        """
        some = [one for one in self.passes if (one.payload, one.kind) == (payload, kind)]
        told = sum(one.expected for one in some)
        if told <= 0:
            return 1.0
        table = min(told / len(some), CERTAIN)
        learnt = (sum(one.found for one in some) + TRUST * table) / (len(some) + TRUST)
        return math.log1p(-min(learnt, CERTAIN)) / math.log1p(-table)

    def learnt(self, model: Detection) -> Detection:
        """The model with what was learnt from these passes, on top of what it had learnt before."""
        grounds = {(one.payload, one.kind) for one in self.passes}
        layer = {payload: dict(kinds) for payload, kinds in model.table.get("learnt", {}).items()}
        for payload, kind in sorted(grounds):
            layer.setdefault(payload, {})
            layer[payload][kind] = layer[payload].get(kind, 1.0) * self.factor(payload, kind)
        return Detection({**model.table, "learnt": layer})


def passes(
    scene: Scene, subject: Subject, place: tuple[float, float], terrain: Terrain, model: Detection
) -> list[Pass]:
    """The looks of a run that went over the place where the subject lay in the open all the time."""
    cell, found = terrain.cell(*place), []
    for look in looks_in(scene):
        if look.asked or seen(look, terrain, model).at(cell)[0] < 1:
            continue
        seen_as = look.payload, look.altitude_m, subject.size_m, subject.colour
        glimpse = float(model.glimpses(terrain, *seen_as)[terrain.kinds[cell]])
        told, reported = -math.expm1(-look.coverage * glimpse), _reported(look, scene, subject, place, model)
        found.append(Pass(look.payload, look.altitude_m, terrain.kind(cell), told, reported))
    return found


def _reported(look: Look, scene: Scene, subject: Subject, place: Sequence[float], model: Detection) -> bool:
    near_m = NEAR_SDS * model.place_sd_m(look.altitude_m)
    alike = (s.pose for s in sightings_of(look, scene) if s.label == subject.label)
    return any(p is not None and math.dist(p.xy, place) <= near_m for p in alike)
