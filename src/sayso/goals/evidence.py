"""The evidence that a goal is judged by: how things were, moment by moment, and what was done.

The robot's own evidence holds what it observed, so that what is not in it is unknown; a judge's holds the world's truth
and is `closed`: what is not in it was not so.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sayso.goal import ALL, ANYTHING, IT, ME, PLACE, YOU, Amount, Argument, Which
from sayso.grounding.inflection import indefinite
from sayso.grounding.lexicon import aliases, known, means
from sayso.grounding.lexicon import kind as kind_of
from sayso.grounding.phrases import described
from sayso.scene import Pose, Sense, Spot, Thing, View, wrap
from sayso.tables.units import named

HALF_VIEW = 0.7
"""Half of what a camera shows across, a metre away, in metres."""

GROUND_M = 0.2
"""Lower than this, what flies stands on the ground."""

HOME_M = 0.4
"""Within this distance of a place on the ground the robot is back there."""

REACH_M = 1.0
"""Within this distance of a thing's side the robot is at it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """How things were `at_s` seconds into the mission.

    `things` are all that are known of, by id, `in_view` the ids that the camera shows. `holding` is the id of what the
    gripper holds, empty for nothing; None, like every None here, where it was not observed. `unseen` are the kinds that
    were asked for and were not in view.
    """

    at_s: float
    pose: Pose
    things: Mapping[str, Thing] = field(default_factory=dict)
    in_view: frozenset[str] = frozenset()
    holding: str | None = None
    landed: bool | None = None
    upright: bool | None = None
    over: frozenset[str] | None = None
    unseen: frozenset[str] = frozenset()
    whereabouts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Of things and people, by id, every place that they can be said to be at; what is not in here tells by itself what
    it is on."""
    rooms: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Of things, by id, the rooms and the like that they are in beside what they are on."""
    ground_m: float = 0.0
    """How high the ground lies below the robot."""
    readings: Mapping[str, Amount] = field(default_factory=dict)
    """What was measured, by name; not what was measured before the robot did something that may have changed it."""


def reading(name: str, value: float) -> tuple[str, Amount]:
    """What `soil_moisture_percent` tells: the soil moisture, in its unit."""
    what, unit = named(name)
    return what, Amount(value, unit.sign if unit else "")


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that was done: the predicate that it makes true, and its arguments as they came.

    `things` are the ids of what it was done to, where that is known: what was in frame, who took it.
    """

    at_s: float
    name: str
    args: tuple[Argument, ...] = ()
    things: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Evidence:
    """Moments in order, at least one, and deeds in order."""

    moments: Sequence[Moment]
    deeds: Sequence[Deed] = ()
    closed: bool = False
    surveyed_s: float | None = None
    """When everything that the mission is about had been looked at; None where it was not."""
    spots: frozenset[str] = frozenset()
    """The places at which things can be, and of them those that were looked at as they are by now."""
    looked: frozenset[str] = frozenset()
    ground: frozenset[str] = frozenset()
    """The places of which `Moment.over` tells."""
    alike: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """A general word -> the labels that are of that kind; a label is of its own kind in any case."""
    sizes_m: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Height and width of things, by id, where they are known better than from a picture."""
    spots_of: Mapping[str, Spot] = field(default_factory=dict)
    """What things take up of the floor, by id, where a look told."""
    afar: Mapping[str, Thing] = field(default_factory=dict)
    """By id, things as they looked from furthest away: near by, what is near looks larger than it is."""
    choices: Mapping[str, Collection[str]] = field(default_factory=dict)
    """By name, the words of which an answer to a question of that kind may be one."""
    homes: tuple[Pose, ...] = ()
    """The places to which coming back is coming home; none for where the first moment was."""
    wished_s: float = 0.0
    """Since when the wish is what it is: what may never be is asked of the time from then on."""
    given_up: bool = False
    """Whether the mission says of itself that it could not: then it has named and answered nothing."""
    sense: Sense | None = None
    """Who looked, where it cannot tell everything."""
    doubtful: Mapping[str, float] = field(default_factory=dict)
    """Labels of what may have been seen and may not, and how sure of it a look was at most."""
    judged: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By description, the ids of what somebody who saw a picture says fits it; of anything else nobody was asked."""
    own_words: bool = False
    """Whether what was said was made by code of what the robot observed, and no model wrote it."""

    def untold(self, which: Which) -> str:
        """Why it is not known whether there is such a thing though it was not seen; empty where that can be told."""
        if self.closed:
            return ""
        sense = self.sense
        if sense and which.kind not in (ANYTHING, IT) and not self._meant(which.kind, sense.labels):
            return f"{sense.name} cannot tell what is {indefinite(which.kind)}"
        if sense and (strange := [trait for trait in which.traits if trait not in sense.traits]):
            return f"{sense.name} does not tell what is {' '.join(strange)}"
        if sense and which.traits and (plain := self._plain(which.kind)):
            return f"{sense.name} could not tell what {plain} looks like"
        if sense and (which.source or (which.relation and which.relation.word in ("on", "in"))):
            return f"{sense.name} does not tell what is on what"
        if maybe := self._meant(which.kind, self.doubtful):
            return f"I may have seen {indefinite(maybe[0])}, {self.doubtful[maybe[0]]:.0%} sure"
        parts = (*which.but, *((which.relation.to,) if which.relation else ()))
        return next((why for part in parts if (why := self.untold(part))), "")

    def _plain(self, kind: str) -> str:
        """The first thing of a kind of which nobody knows what it looks like; empty for none."""
        things = self.moments[-1].things.values()
        return next((t.id for t in things if not t.attributes and self.of_kind(t, kind)), "")

    def _meant(self, kind: str, labels: Iterable[str]) -> list[str]:
        """The labels that are of a kind, by any of its names."""
        return [label for label in labels if self.of_label(label, kind)]

    def as_judged(self) -> Evidence:
        """The same where what was `judged` to fit a description is what is meant by it, and nothing else is."""
        fits = {kind: frozenset(map(str.lower, ids)) for kind, ids in self.judged.items()}
        known = {kind: self.alike.get(kind, frozenset()) | ids for kind, ids in fits.items()}
        return replace(self, alike={**self.alike, **known}, judged={})

    def complete(self, which: Which) -> bool:
        """Whether what is not in here is not there: all was looked at, or every place where such a thing can be."""
        if self.closed or self.surveyed_s is not None:
            return True
        on = which.relation.to.kind if which.relation and which.relation.word in ("on", "in") else which.source
        places = {spot for spot in self.spots if not on or self.of_label(spot, on)}
        return bool(places) and places <= self.looked

    @property
    def last(self) -> int:
        return len(self.moments) - 1

    @property
    def start(self) -> Moment:
        return self.moments[0]

    def at(self, time_s: float) -> int:
        """The first moment at that time or later; the last one where there is none."""
        return min(bisect_left(self.moments, time_s, key=lambda m: m.at_s), self.last)

    def known(self, which: Which, at: int, spoken: int = 0, bound: str = "") -> list[Thing]:
        """The known things that are meant, as they are at a moment, in the order of its rank; counts are not looked at.

        Nearest, left and behind are as seen from where the robot was at the moment `spoken`.
        """
        things, observer = self.moments[at].things, self.moments[spoken].pose
        if which.rank or which.count == ALL:  # what was only seen later was there before
            things = {**self._first, **things}
        if which.kind == IT:
            return [things[bound]] if bound in things else []
        found = [t for t in things.values() if self.fits(t, which, at, observer)]
        if which.measured or (not found and which.relation and which.relation.word == "beside"):
            apart = self._apart(things.values(), which, at, observer)
            if which.measured:
                return [t for _, _, t in (apart if which.rank == "nearest" else apart[::-1])][which.nth - 1 :]
            found = [t for far_m, _, t in apart[:1] if far_m <= NEAR_BY_M]  # where none is right beside it
        return self._ranked(found, which, spoken, observer)

    def _ranked(self, found: list[Thing], which: Which, spoken: int, observer: Pose) -> list[Thing]:
        if not which.rank:
            return found
        ranks = {t.id: (order(which.rank, t, observer, self._size(t, which, spoken)), t.id) for t in found}
        return sorted(found, key=lambda t: ranks[t.id])[which.nth - 1 :]

    def _apart(self, things: Iterable[Thing], which: Which, at: int, observer: Pose) -> list[tuple[float, str, Thing]]:
        """Those of a kind by how far they are from what they are said to be beside, the closest first."""
        assert which.relation is not None
        to = [t.pose for t in self._others(which.relation.to, at, observer) if t.pose]
        some = [t for t in things if t.pose and self.fits(t, replace(which, relation=None), at, observer)]
        apart = [(t, [t.pose.level_m(other) for other in to if t.pose != other]) for t in some if t.pose]
        return sorted((min(far_m), t.id, t) for t, far_m in apart if far_m)

    def _others(self, to: Which, at: int, observer: Pose, but: str = "") -> list[Thing]:
        """Those that only tell which one another is: of a rank no more than were said."""
        found = [t for t in self.moments[at].things.values() if t.id != but and self.fits(t, to, at, observer)]
        return self._ranked(found, to, 0, observer)[: to.count or None] if to.rank else found

    def fits(self, thing: Thing, which: Which, at: int, observer: Pose) -> bool:
        """Whether this thing is one of those meant, but for rank and count."""
        if not self.of_kind(thing, which.kind) or any(self.fits(thing, w, at, observer) for w in which.but):
            return False
        if which.among and not any(self.fits(thing, one, at, observer) for one in which.among):
            return False
        said = {word.lower() for text in thing.attributes.values() for word in (text, *text.split())}
        if any(trait.lower() not in said for trait in which.traits):
            return False
        if which.source and not any(self.of_label(place, which.source) for place in self._sources[thing.id]):
            return False
        if which.relation is None:
            return True
        to = which.relation.to
        if to.kind == YOU:
            return thing.pose is not None and _around(which.relation.word, observer.bearing_rad(thing.pose))
        others = self._others(to, at, observer, but=thing.id)
        if which.relation.word in BY:
            others = [other for other in others if not self.rests(other, thing)]  # what it lies on is not beside it
        if which.relation.word in ("on", "in"):
            on = thing.attributes.get("on", "")
            return self.of_label(on, to.kind) or any(self.rests(thing, other) for other in others)
        return any(related(which.relation.word, thing, other, observer) for other in others)

    def rests(self, thing: Thing, other: Thing) -> bool:
        """Whether one thing is on another: as a look tells, or else by where both are and how large they look."""
        if "on" in thing.attributes:
            return related("on", thing, other, Pose())
        if thing.pose is None or other.pose is None or not (thing.box and other.box):
            return False
        (high, broad), (top, wide) = size_m(thing), size_m(other)
        over = thing.pose.level_m(other.pose) <= max(wide, ON_M) / 2 + ON_M and broad <= max(wide, LARGE_M)
        tops = (other.pose.z_m + top / 2, 2 * other.pose.z_m)  # as tall as it looks, or as what stands on the floor
        return over and any(abs(thing.pose.z_m - high / 2 - one) <= ON_M for one in tops)

    def of_kind(self, thing: Thing, kind: str) -> bool:
        label, named = kind_of(thing.label), kind_of(kind)
        if named in self._labels and not label.endswith(named) and named not in aliases().kinds_of(label):
            return thing.id == kind  # a banana is a plant, and is not meant where something is called so
        general = kind_of(thing.attributes.get("category", "")) == kind_of(kind) != ""
        judged = thing.id.lower() in self.alike.get(kind.lower(), ())
        return kind == ANYTHING or thing.id == kind or general or judged or self.of_label(thing.label, kind)

    def only_described(self, kind: str) -> bool:
        """Whether a kind tells what a thing is like, or is a name that no dictionary has, and nothing known here is
        called so: names do not tell of it, and so anything may be of it. The world's truth has every name, and only the
        first can be beyond it."""
        named = self.closed or kind in ("", IT, ME, YOU, ANYTHING) or known(kind)
        if named and not described(kind):
            return False
        return not any(kind == name or self._names(name, kind) for name in self._called)

    @cached_property
    def _labels(self) -> frozenset[str]:
        """What things here are called, as names are compared."""
        return frozenset(kind_of(t.label) for t in self._first.values())

    @cached_property
    def _first(self) -> Mapping[str, Thing]:
        """Everything by id, as it was when it was first known."""
        return {id_: thing for moment in reversed(self.moments) for id_, thing in moment.things.items()}

    @cached_property
    def _sources(self) -> Mapping[str, frozenset[str]]:
        """By id, on what and in which rooms everything was when it was first known."""
        known = ((m.rooms.get(id_, frozenset()), id_, t) for m in reversed(self.moments) for id_, t in m.things.items())
        return {id_: rooms | {thing.attributes.get("on", "")} for rooms, id_, thing in known}

    @cached_property
    def _called(self) -> frozenset[str]:
        """All that anything here is called, and every place that something is at."""
        things = {id(t): t for moment in self.moments for t in moment.things.values()}.values()
        at = {place for moment in self.moments for places in moment.whereabouts.values() for place in places}
        called = {n for t in things for n in (t.id, t.label, *map(t.attributes.get, ("category", "on"))) if n}
        return frozenset(called | at | self.spots | self.ground)

    def of_label(self, label: str, kind: str) -> bool:
        """Whether what is called so is of that kind, or may be."""
        return self._names(label, kind) or self.only_described(kind)

    def _names(self, label: str, kind: str) -> bool:
        return label.lower() in self.alike.get(kind.lower(), ()) or means(kind, label)

    def _size(self, thing: Thing, which: Which, spoken: int) -> tuple[float, float]:
        """Height and width: of things of a kind in metres; of whatever there is, how large it looked."""
        looks = looked_size(self.moments[spoken].things.get(thing.id)) if which.kind == ANYTHING else None
        return looks or self.sizes_m.get(thing.id) or _size_m(self.afar.get(thing.id, thing))

    def gap_m(self, pose: Pose, thing: Thing) -> float | None:
        """From the robot to the side of the thing, on the ground; None where its place is not known."""
        if thing.pose is None:
            return None
        size_m = self.sizes_m.get(thing.id)
        half_m = size_m[1] / 2 if size_m else HALF_VIEW * _size_m(thing)[1]
        spot = self.spots_of.get(thing.id)
        near_m = spot.at(thing.pose).gap_m(pose) if spot else math.inf
        return max(0.0, min(near_m, pose.level_m(thing.pose) - min(1.0, half_m)))

    def deeds_of(self, name: str, since_s: float) -> Iterator[Deed]:
        return (d for d in self.deeds if d.name == name and d.at_s >= since_s)


def is_spot(which: Which) -> bool:
    """Whether it is a spot beside a thing, where nothing but the robot need be ("the place behind the chair")."""
    return which.kind == PLACE and which.relation is not None and which.relation.word in (*SIDES_DEG, "beside")


def wanted(which: Which) -> int:
    """How many are wanted at least; every one of them counts as one here."""
    return 1 if which.count == ALL else which.count


def related(word: str, thing: Thing, other: Thing, observer: Pose) -> bool:
    """Whether one thing stands so to another, seen from the observer."""
    if word in ("on", "in"):
        return thing.attributes.get("on", "").lower() in (other.id.lower(), other.label.lower())
    if thing.pose is None or other.pose is None:
        return False
    apart_m = thing.pose.level_m(other.pose)
    if word == "beside":
        return apart_m <= BESIDE_M
    if word == "under":
        return apart_m <= BESIDE_M and thing.pose.z_m < other.pose.z_m
    side_rad = wrap(observer.bearing_rad(thing.pose) - observer.bearing_rad(other.pose))
    further_m = observer.distance_m(thing.pose) - observer.distance_m(other.pose)
    if word in ("behind", "before"):
        return abs(side_rad) <= math.radians(SIDE_DEG) and (further_m > 0) == (word == "behind")
    return side_rad > 0 if word == "left_of" else side_rad < 0


def _around(side: str, bearing_rad: float) -> bool:
    """Whether that is on a side of the robot itself."""
    degrees = math.degrees(bearing_rad)
    return {
        "before": abs(degrees) <= FRONT_DEG, "behind": abs(degrees) >= BACK_DEG, "left_of": degrees > SIDE_FROM_DEG,
        "right_of": degrees < -SIDE_FROM_DEG, "beside": True,
    }.get(side, False)  # fmt: skip


BY = ("beside", "left_of", "right_of", "before", "behind")
FRONT_DEG, BACK_DEG, SIDE_FROM_DEG = 60.0, 90.0, 15.0
BESIDE_M, NEAR_BY_M, ON_M, LARGE_M = 1.5, 2.2, 0.2, 0.6


def stands(spot: Pose, word: str, thing: Pose, observer: Pose) -> bool:
    """Whether a spot is on that of a thing's four sides, seen from the observer, or on any where it is beside it."""
    if word == "beside":
        return True
    behind = replace(thing, yaw_rad=observer.yaw_rad + observer.bearing_rad(thing))
    return abs(wrap(behind.bearing_rad(spot) - math.radians(SIDES_DEG[word]))) <= math.radians(SIDE_DEG)


SIDES_DEG = {"behind": 0.0, "left_of": 90.0, "before": 180.0, "right_of": -90.0}
SIDE_DEG = 45.0
"""A spot so far round a thing is on its other side."""


def order(rank: str, thing: Thing, observer: Pose, size_m: tuple[float, float] | None = None) -> float:
    """What a superlative sorts by, the most of it first; `size_m` is height and width where they are known."""
    sign = -1.0 if rank in ("furthest", "largest", "tallest", "leftmost", "highest") else 1.0
    return sign * _measure(rank, thing, observer, size_m or _size_m(thing))


def _measure(rank: str, thing: Thing, observer: Pose, size_m: tuple[float, float]) -> float:
    if rank in ("nearest", "furthest"):
        return round(observer.level_m(thing.pose) / ALIKE_M) * ALIKE_M if thing.pose else math.inf
    if rank in ("leftmost", "rightmost"):
        return observer.bearing_rad(thing.pose) if thing.pose else 0.0
    if rank in ("highest", "lowest"):
        return thing.pose.z_m if thing.pose else 0.0
    height, width = size_m
    return height if rank in ("tallest", "shortest") else height * width


ALIKE_M = 0.05
"""Two things are as near where no more than this is between them."""


def looked_size(thing: Thing | None) -> tuple[float, float] | None:
    """Height and width in the image."""
    return (thing.box.height, thing.box.width) if thing and thing.box else None


def whole(thing: Thing) -> bool:
    """Whether it is in the image from edge to edge: what is cut off looks smaller than it is."""
    box = thing.box
    return box is not None and abs(box.x - 0.5) + box.width / 2 < INSIDE and abs(box.y - 0.5) + box.height / 2 < INSIDE


INSIDE = 0.495


def size_m(thing: Thing, view: View | None = None) -> tuple[float, float]:
    """Height and width in metres, about, as a usual camera sees it where nobody tells its `view`."""
    high, wide = _size_m(thing)
    half_high, half_wide = (math.tan(view.half_height_rad), math.tan(view.half_width_rad)) if view else USUAL_VIEW
    return 2 * half_high * high, 2 * half_wide * wide


USUAL_VIEW = (0.53, HALF_VIEW)


def _size_m(thing: Thing) -> tuple[float, float]:
    """Height and width, about; in image fractions times distance where nothing better is known."""
    if thing.box is None:
        return 0.0, 0.0
    aside = 2 * HALF_VIEW * (thing.box.x - 0.5)
    deep_m = (thing.distance_m or 1.0) / math.hypot(1.0, aside)  # an image is larger at its edges
    return thing.box.height * deep_m, thing.box.width * deep_m
