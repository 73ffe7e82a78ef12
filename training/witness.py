"""What the sentences' judges know: the world's truth at every moment, and what the robot said and showed.

A `Witness` stands by while a mission runs and writes down facts with the truth of that instant beside them; a judge is
a function of the witness that says whether the wish was met.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sayso.events import Event, MissionEnded, PictureTaken, Said
from sayso.scene import Pose, wrap
from sayso.world import Real, Truth


@dataclass(frozen=True, slots=True)
class Fact:
    """Something said or photographed, with the truth at that instant: where the robot was and what was in its frame."""

    text: str
    pose: Pose
    in_frame: frozenset[str]


class Witness:
    """Sees every event as it happens and asks `truth` at once."""

    def __init__(self, truth: Callable[[], Truth]) -> None:
        self._truth = truth
        self.start = truth().pose
        self.trail: list[Pose] = [self.start]
        self.pictures: list[Fact] = []
        self.said: list[Fact] = []
        self.ended: MissionEnded | None = None

    def see(self, event: Event) -> None:
        truth = self._truth()
        self.trail.append(truth.pose)
        match event:
            case PictureTaken():
                self.pictures.append(self._fact("", truth))
            case Said(text=text):
                self.said.append(self._fact(text, truth))
            case MissionEnded():
                self.ended = event

    @staticmethod
    def _fact(text: str, truth: Truth) -> Fact:
        return Fact(text.lower(), truth.pose, truth.in_frame)

    @property
    def pose(self) -> Pose:
        """Where the robot is at the end."""
        return self._truth().pose

    @property
    def collisions(self) -> int:
        return len(self._truth().contacts)

    @property
    def labels(self) -> frozenset[str]:
        """What there is, by name."""
        return frozenset(thing.label for thing in self._truth().things.values())

    def things(self, label: str) -> Mapping[str, Real]:
        """Every real thing of that label, by id."""
        return {i: t for i, t in self._truth().things.items() if t.label == label}

    def pose_of(self, thing: str) -> Pose:
        return self._truth().things[thing].pose


Judge: TypeAlias = Callable[[Witness], bool]

LANDED_M = 0.2
NEAR_M = 1.2
"""Within this horizontal distance of a thing's centre the robot is at it."""


def ground_m(a: Pose, b: Pose) -> float:
    return math.hypot(a.x_m - b.x_m, a.y_m - b.y_m)


def at(label: str, near_m: float = NEAR_M) -> Judge:
    """The robot ends at a thing of that label."""
    return lambda w: any(ground_m(w.pose, t.pose) <= near_m for t in w.things(label).values())


def was_at(label: str, near_m: float = NEAR_M) -> Judge:
    """The robot was at a thing of that label at some time."""
    return lambda w: any(ground_m(p, t.pose) <= near_m for t in w.things(label).values() for p in w.trail)


def back(within_m: float = 0.3, from_m: float = 0.0) -> Judge:
    """The robot ends where it began (hovering above it, where it began landed), having been `from_m` away."""

    def judge(w: Witness) -> bool:
        away_m = max(p.distance_m(w.start) for p in w.trail)
        gap_m = ground_m(w.pose, w.start) if w.start.z_m < LANDED_M else w.pose.distance_m(w.start)
        return gap_m <= within_m and away_m >= from_m

    return judge


def pictured(label: str, near_m: float = math.inf) -> Judge:
    """A picture was taken with such a thing really in frame, from within `near_m`."""

    def judge(w: Witness) -> bool:
        wanted = w.things(label)
        return any(
            i in shot.in_frame and ground_m(shot.pose, t.pose) <= near_m
            for shot in w.pictures
            for i, t in wanted.items()
        )

    return judge


def named(label: str) -> Judge:
    """The robot said the name while such a thing was really in frame."""

    def judge(w: Witness) -> bool:
        wanted = set(w.things(label))
        return any(label in fact.text and wanted & fact.in_frame for fact in w.said)

    return judge


def facing(thing: Callable[[Witness], str], within_deg: float = 15.0) -> Judge:
    """The robot ends looking at that thing."""
    return lambda w: abs(w.pose.bearing_rad(w.pose_of(thing(w)))) <= math.radians(within_deg)


def turned_rad(trail: Sequence[Pose]) -> float:
    """The sum of all turning along a trail, left positive, in radians."""
    return sum(wrap(b.yaw_rad - a.yaw_rad) for a, b in itertools.pairwise(trail))


def every(*judges: Judge) -> Judge:
    return lambda w: all(j(w) for j in judges)


def either(*judges: Judge) -> Judge:
    return lambda w: any(j(w) for j in judges)


def no(judge: Judge) -> Judge:
    return lambda w: not judge(w)


def unharmed(w: Witness) -> bool:
    """Nothing was touched."""
    return w.collisions == 0
