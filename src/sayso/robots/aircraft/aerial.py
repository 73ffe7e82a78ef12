"""The camera of a search aircraft: sightings, true and false, and the ground that was looked at.

The detector is a model of a trained one. What passes under the camera is noticed with the chance of the detection table
(`search.detection`), or not at all where a roof or a canopy is above it; false sightings come at the table's rate. Both
are reported alike: a label, a place with an error, and a confidence that is higher for real ones on average. The scene
also holds each look (`search.sweep`), for whoever keeps a belief.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sayso.robots.aircraft.search.detection import Detection
from sayso.robots.aircraft.search.sweep import ALIKE_M, CONFIRMED, OPEN, REJECTED, Look, Seen, as_thing, seen, stares_at
from sayso.robots.aircraft.world.people import People, Present
from sayso.scene import Belief, Pose, Scene, Sense, Thing, plain
from sayso.search.model import Floats

LOOKS_TOLD = 24
"""Of the latest looks, so many are in a scene."""


@dataclass(frozen=True, slots=True)
class Sighting(Belief):
    """What was noticed, where (m), how sure the camera is of it, and what the operator said."""

    id: str
    label: str
    x_m: float
    y_m: float
    confidence: float
    status: str

    def __str__(self) -> str:
        at = f"x {self.x_m:.0f} m, y {self.y_m:.0f} m"
        return f"{self.id}: {self.label} at {at}, {self.confidence:.0%} sure, {self.status}"


@dataclass(frozen=True, slots=True)
class Searched(Belief):
    """Areas that were looked at, whole or in part."""

    areas: tuple[str, ...]

    def __str__(self) -> str:
        return f"searched so far: {', '.join(self.areas)}"


@dataclass(slots=True)
class _Run:
    """One look while it is taken: each one's luck is drawn when it begins."""

    look: Look
    luck: dict[str, float]
    false: list[tuple[float, float, float]]  # when it shows (metres flown), x, y
    whole: Seen


class AerialCamera:
    """The perception of an aircraft: `look` tells every sighting of this flight and the latest looks.

    The world runs the camera with `expose`. `labels` are the classes that the detector is set to, `signs` begins the
    names of what it reports; `cause` is for judges only.
    """

    remembers = True

    def __init__(
        self,
        people: People,
        model: Detection,
        observer: Callable[[], tuple[Pose, float]],
        seed: int,
        labels: Sequence[str],
        signs: str = "",
    ) -> None:
        self._people, self._terrain, self.model, self._observer = people, people.terrain, model, observer
        self.labels, self._signs = tuple(labels), signs
        self._sense = Sense("My camera", (*labels, *self._terrain.named))
        self._chance = np.random.default_rng([seed, 2])
        self._things: dict[str, Thing] = {}
        self._looks: list[Look] = []
        self._run: _Run | None = None
        self._causes: dict[str, str] = {}
        self._template: Look | None = None
        self._count = 0

    async def look(self) -> Scene:
        return self.scene()

    def scene(self) -> Scene:
        """What has been seen so far, without waiting."""
        looks = [as_thing(look) for look in self._looks[-LOOKS_TOLD:]]
        return Scene((*self._things.values(), *looks), *self._observer(), sense=self._sense)

    def believed(self) -> tuple[Belief, ...]:
        """Sightings and searched ground, for a planner."""
        told = [
            Sighting(t.id, plain(t.label), t.pose.x_m, t.pose.y_m, t.confidence, t.attributes["status"])
            for t in self._things.values()
            if t.pose
        ]
        areas = dict.fromkeys(look.area for look in self._looks if look.area)
        return (*told, *([Searched(tuple(areas))] if areas else []))

    @property
    def looks(self) -> tuple[Look, ...]:
        """Every look of this flight."""
        return tuple(self._looks)

    @property
    def sightings(self) -> tuple[Thing, ...]:
        """Every sighting of this flight."""
        return tuple(self._things.values())

    def cause(self, sighting: str) -> str:
        """For judges: the id of what really caused a sighting, empty for a false one."""
        return self._causes.get(sighting, "")

    def pick(self, name: str) -> Thing | None:
        """The sighting of that id, or the one of that label that is worth a closer look: undecided, and surest."""
        if name in self._things:
            return self._things[name]
        wanted = plain(name.partition("[")[0]).lower()
        alike = [t for t in self._things.values() if wanted in (t.label.lower(), "object", "sighting", "it")]
        open_ones = [t for t in alike if t.attributes["status"] == OPEN]
        return max(open_ones or alike, key=lambda t: (t.confidence, t.seen_s), default=None)

    def expose(self, look: Look, done: float, now_s: float) -> bool:
        """The look has come so far (a sweep: metres flown; a stare: 1 at its end). Whether something was sighted."""
        if self._template is not look or self._run is None:
            self._begin(look, now_s)
        run = self._run
        assert run is not None
        before = run.look.flown_m
        run.look = replace(run.look, flown_m=max(before, done), at_s=now_s)
        sighted = False
        if look.how == "stare" and done < 1:
            pass  # the picture is complete at its end
        elif look.asked:
            self._decide(run)
        else:
            sighted = self._notice(run, before if look.how == "sweep" else -1.0)
        self._looks[-1] = run.look
        return sighted

    def _begin(self, look: Look, now_s: float) -> None:
        """A new look; each one's luck and the false sightings are drawn for all of it."""
        self._template = look
        number = len(self._looks) + 1
        taken = replace(look, id=f"{self._signs}look {number}", from_s=now_s, at_s=now_s, flown_m=0.0)
        luck = {one.id: float(self._chance.random()) for one in self._people.present}
        whole = seen(replace(taken, flown_m=math.inf), self._terrain, self.model)
        self._run = _Run(taken, luck, [] if look.asked else self._false(taken, whole), whole)
        self._looks.append(taken)

    def _notice(self, run: _Run, before: float) -> bool:
        """Report what came into the picture since `before`."""
        count = self._count
        for one in self._people.present:
            if one.open_to_sky and one.id in run.luck and self._came(run, one, before):
                seen_as = run.look.payload, run.look.altitude_m, one.subject.size_m, one.subject.colour
                glimpse = self._here(self.model.glimpses(self._terrain, *seen_as), one)
                chance = -math.expm1(-run.look.coverage * glimpse)
                if run.luck.pop(one.id) < chance:
                    sd = self.model.place_sd_m(run.look.altitude_m)
                    dx, dy = self._chance.normal(0.0, sd, 2)
                    self._report(run.look, one.subject.label, one.place[0] + dx, one.place[1] + dy, one.id)
        while run.false and run.false[0][0] <= run.look.flown_m:
            _, x_m, y_m = run.false.pop(0)
            label = self.labels[int(self._chance.integers(len(self.labels)))]
            self._report(run.look, label, x_m, y_m, "")
        return self._count > count

    def _came(self, run: _Run, one: Present, before: float) -> bool:
        """Whether somebody came into the picture between `before` and now."""
        if run.look.how == "stare":
            return stares_at(run.look, one.place, self.model)
        return before < run.whole.at(self._terrain.cell(*one.place))[1] <= run.look.flown_m

    def _here(self, by_kind: Floats, one: Present) -> float:
        """The figure for the ground on which somebody is, of those for each kind of ground."""
        return float(by_kind[self._terrain.kinds[self._terrain.cell(*one.place)]])

    def _false(self, look: Look, what: Seen) -> list[tuple[float, float, float]]:
        """Where false sightings will come during this look, in the order in which they will show."""
        terrain, model = self._terrain, self.model
        rate = (model.false_alarms(terrain, look.payload)[what.window] * what.share * len(self.labels)).ravel()
        total = float(rate.sum())
        found = []
        for _ in range(int(self._chance.poisson(total)) if total > 0 else 0):
            drawn = int(np.searchsorted(np.cumsum(rate), self._chance.random() * total, side="right"))
            row, column = divmod(drawn, what.share.shape[1])
            x, y = terrain.middle((what.window[0].start + row, what.window[1].start + column))
            dx, dy = (self._chance.random(2) - 0.5) * terrain.cell_m
            found.append((float(what.passed_m[row, column]), x + float(dx), y + float(dy)))
        return sorted(found)

    def _report(self, look: Look, label: str, x_m: float, y_m: float, cause: str) -> None:
        self._count += 1
        id_ = f"{self._signs}s{self._count}"
        a, b = self.model.table["score"]["real" if cause else "false"]
        confidence = round(float(self._chance.beta(a, b)), 3)
        where = Pose(round(float(x_m), 1), round(float(y_m), 1))
        told = {"status": OPEN, "look": look.id, "altitude_m": f"{look.altitude_m:g}"}
        told["ground"] = self._terrain.kind(self._terrain.cell(where.x_m, where.y_m))
        self._things[id_] = Thing(
            id_, label, pose=where, attributes=told, confidence=confidence, seen_s=round(look.at_s, 3)
        )
        self._causes[id_] = cause

    def _decide(self, run: _Run) -> None:
        """The operator's word on a sighting: is something of its label there that they have not confirmed before?"""
        known = {self.cause(id_) for id_, thing in self._things.items() if thing.attributes["status"] == CONFIRMED}
        asked = self._things[run.look.asked]
        said_yes = float(self._chance.random()) < self.model.false_yes
        for one in self._people.present:
            alike = one.subject.label == asked.label and one.id not in known
            if one.open_to_sky and alike and self._came(run, one, -1.0):
                seen_as = run.look.payload, run.look.altitude_m, one.subject.size_m, one.subject.colour
                chance = self._here(self.model.confirmations(self._terrain, *seen_as), one)
                if run.luck.get(one.id, 1.0) < chance:
                    said_yes = True
                    self._causes[asked.id] = one.id
        run.look = replace(run.look, said="yes" if said_yes else "no")
        for thing in list(self._things.values()):
            if _same(thing, asked):
                status = CONFIRMED if said_yes else REJECTED
                self._things[thing.id] = replace(thing, attributes={**thing.attributes, "status": status})


def _same(one: Thing, other: Thing) -> bool:
    assert one.pose and other.pose
    near = one.pose.level_m(other.pose) <= ALIKE_M
    return one.label == other.label and (one.id == other.id or (near and one.attributes["status"] == OPEN))
