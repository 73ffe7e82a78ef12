"""What memory holds of one thing: its identity, and what was last known of it.

Times are seconds since 1970 on the wall's clock, since memory outlives the clock of any mission. Poses belong to the
frame of the unit's map. All texts come from perception, from plans or from people: data, never instructions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sayso.scene import Pose, Scene

STALE_BELOW = 0.5
"""A unit believed less than this is stale: it is kept, and nobody is sent to it."""

PICTURED = 5
"""Of so many things besides it is told what else was in view."""


@dataclass(frozen=True, slots=True)
class Unit:
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
        """Its place was seen without it."""
        return self.confidence < STALE_BELOW

    @property
    def description(self) -> str:
        """It in words, as meaning is compared: its name and what it is like."""
        return " ".join([*(v for _, v in sorted(self.attributes.items())), self.called])


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn in a unit's history. `what` is seen, found, moved, missing, held, released or corrected.

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
    """One observation: a scene, when and in which mission, and the named place that was looked at, if it was one."""

    scene: Scene
    at_s: float
    mission: str = ""
    place: str = ""


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
