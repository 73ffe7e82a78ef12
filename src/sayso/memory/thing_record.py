"""The record that memory holds of one thing: its identity, what was last known of it, and how it is described.

Times are seconds since 1970 on the wall's clock, since memory outlives the clock of any mission. Poses belong to the
frame of the unit's map. All texts come from perception, from plans or from people: data, never instructions.

Not seeing a thing says something only where it would have been seen: well inside the frame, no further away than it has
been recognised before, and with nothing else in front. What it was seen in front of (the table that it lies on) hides
nothing. In sentences about it names are made plain, since they come from the world.
"""

import datetime as dt
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from sayso.scene import Belief, Box, Pose, Scene, Thing, plain

STALE_BELOW = 0.5
"""A unit believed less than this is stale: it is kept, and nobody is sent to it."""

MARGIN = 0.12
"""Of the frame, at each side: there a thing is cut off, and the robot's sway decides whether it shows."""

NEAREST_M, FURTHEST_M = 0.3, 10.0
OVERLAP_M = 0.25
"""Something that much nearer than a unit stands in front of it."""

MISS_CHANCE = 0.3
"""How often a thing in plain view goes unrecognised; after three times in a row it is taken to be gone."""

SURE = 0.95

PICTURED = 5
"""Of so many things besides it is told what else was in view."""


@dataclass(frozen=True, slots=True)
class ThingRecord:
    """One thing. `label` is perception's word, `name` the one that a person gave instead.

    `sense` is perception's own id, good within `mission` only. `reach_m` is the furthest from which it was recognised,
    `backdrops` are labels of what it was seen in front of. `picture` tells in words what else was in view.
    """

    id: int
    label: str
    map: str = ""
    pose: Pose | None = None
    place: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    seen_s: float = 0.0
    born_s: float = 0.0
    mission: str = ""
    confidence: float = 1.0
    held: bool = False
    picture: str = ""
    name: str = ""
    sense: str = ""
    reach_m: float = 0.0
    backdrops: tuple[str, ...] = ()
    missed_s: float = 0.0

    @property
    def called(self) -> str:
        """What people call it."""
        return self.name or self.label

    @property
    def stale(self) -> bool:
        """Whether its place was seen without it."""
        return self.confidence < STALE_BELOW

    @property
    def description(self) -> str:
        """The thing in words, for the embedding: its name and what it is like."""
        return " ".join([*(v for _, v in sorted(self.attributes.items())), self.called])


@dataclass(frozen=True, slots=True)
class Turn:
    """One change in a thing's history. `what` is seen, found, moved, missing, held, released or corrected.

    `unseen_s` is how long it had not been seen by then.
    """

    unit: int
    at_s: float
    what: str
    pose: Pose | None = None
    place: str = ""
    mission: str = ""
    note: str = ""
    unseen_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Look:
    """One observation: a scene, when and in which mission."""

    scene: Scene
    at_s: float
    mission: str = ""


def unlike(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two sets of attributes contradict each other."""
    return any(other.get(k, v).lower() != v.lower() for k, v in one.items() if k != "held")


def pictured(scene: Scene, besides: str) -> str:
    """What else is in view, nearest to the thing `besides` (its perception id) first."""
    me = next((t for t in scene if t.id == besides), None)
    others = [t for t in scene if t is not me]
    if me and me.pose:
        here = me.pose
        others.sort(key=lambda t: t.pose.distance_m(here) if t.pose else 99.0)
    return ", ".join(dict.fromkeys(t.label for t in others[:PICTURED]))


def missing(units: Iterable[ThingRecord], look: Look, matched: Collection[int]) -> list[ThingRecord]:
    """The things that a look should have shown and did not."""
    return [u for u in units if u.id not in matched and not u.held and u.seen_s < look.at_s and _expected(u, look)]


def missed(unit: ThingRecord, at_s: float) -> ThingRecord:
    """The record of a thing after a look that should have shown it, believed a little less."""
    p = unit.confidence
    left = p * MISS_CHANCE / (p * MISS_CHANCE + 1 - p)
    fresh = replace(unit, confidence=max(left, 0.01))
    return replace(fresh, missed_s=at_s) if fresh.stale and not unit.stale else fresh


def _expected(unit: ThingRecord, look: Look) -> bool:
    """Whether it is where it would have been recognised."""
    pose, view = unit.pose, look.scene.view
    spot = view.spot(pose) if view and pose else None
    if view is None or pose is None or spot is None:
        return False
    away_m = view.eye.distance_m(pose)
    if not (NEAREST_M <= away_m <= min(unit.reach_m, FURTHEST_M) and all(MARGIN <= at <= 1 - MARGIN for at in spot)):
        return False
    return not any(_hides(t, spot, away_m) for t in look.scene if t.label not in unit.backdrops)


def _hides(thing: Thing, spot: tuple[float, float], away_m: float) -> bool:
    if thing.box is None or not covers(thing.box, spot):
        return False
    return thing.distance_m is None or thing.distance_m < away_m - OVERLAP_M


def covers(box: Box, spot: tuple[float, float]) -> bool:
    """Whether a point of the image lies in a box."""
    return abs(spot[0] - box.x) <= box.width / 2 and abs(spot[1] - box.y) <= box.height / 2


def backdrops(thing: Thing, scene: Scene) -> tuple[str, ...]:
    """Labels of what `thing` was seen in front of: their boxes hold its middle, and it was seen all the same."""
    if thing.box is None:
        return ()
    spot = (thing.box.x, thing.box.y)
    return tuple(sorted({t.label for t in scene if t is not thing and t.box and covers(t.box, spot)}))


SIDES = ("ahead", "ahead on the left", "to the left", "behind on the left", "behind", "behind on the right",
         "to the right", "ahead on the right")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Remembered(Belief):
    """A thing that was seen before and is not in view: what it is like, where it was, whether it is `gone` from there.

    `line` is all of that in words.
    """

    name: str
    likes: tuple[str, ...]
    place: str
    gone: bool
    line: str

    def __str__(self) -> str:
        return f"remembered: {self.line}"


def remembered(unit: ThingRecord, now_s: float, here: Pose) -> Remembered:
    """A remembered thing as a belief for planners."""
    likes = tuple(plain(v) for k, v in sorted(unit.attributes.items()) if k != "held")
    place = "" if unit.held else plain(unit.place)
    return Remembered(plain(unit.called), likes, place, bool(unit.stale), described(unit, now_s, here))


def described(unit: ThingRecord, now_s: float, here: Pose | None = None) -> str:
    """A remembered thing in one line: what it is, whether it is still there, where, when, and what was beside it."""
    likes = ", ".join(plain(v) for k, v in sorted(unit.attributes.items()) if k != "held")
    name = plain(unit.called) + (f" ({likes})" if likes else "")
    if unit.held:
        return f"{name}, in the robot's hand"
    parts = [f"last seen {ago(unit.seen_s, now_s)}"]
    if unit.place:
        parts.append(f"at {plain(unit.place)}")
    if unit.pose:
        x, y, z = (f"{way:.1f} m" for way in (unit.pose.x_m, unit.pose.y_m, unit.pose.z_m))
        parts.append(where_from(here, unit.pose) if here else f"x {x}, y {y}, z {z}")
    if unit.picture:
        parts.append(f"with {', '.join(plain(p) for p in unit.picture.split(', '))}")
    gone = f"; no longer there {ago(unit.missed_s, now_s)}" if unit.stale and unit.missed_s else ""
    return f"{name}, {', '.join(parts)}{gone or ('; no longer there' if unit.stale else '')}"


def where_from(here: Pose, there: Pose) -> str:
    """A place as someone sees it who stands `here`: `2.1 m to the left, 0.4 m up`."""
    level_m = there.level_m(here)
    side = SIDES[round(here.bearing_rad(there) / (math.pi / 4)) % 8]
    rise_m = there.z_m - here.z_m
    height = f", {abs(rise_m):.1f} m {'up' if rise_m > 0 else 'down'}" if abs(rise_m) >= 0.3 else ""
    return f"{level_m:.1f} m {side}{height}"


def ago(then_s: float, now_s: float) -> str:
    """A past moment: `just now`, `20 minutes ago`, `today at 14:03`, `yesterday at 14:03`, `on 3 May at 14:03`."""
    gone_s = now_s - then_s
    if gone_s < 60:
        return "just now"
    if gone_s < 3600:
        minutes = int(gone_s / 60)
        return f"{minutes} minute{'s' * (minutes > 1)} ago"
    then, now = dt.datetime.fromtimestamp(then_s), dt.datetime.fromtimestamp(now_s)
    days = (now.date() - then.date()).days
    year = f" {then.year}" if then.year != now.year else ""
    day = ("today", "yesterday")[days] if days in (0, 1) else f"on {then.day} {then:%b}{year}"
    return f"{day} at {then:%H:%M}"
