"""What is really so in furnished rooms: where everything and everybody is, who has what, and all that was said."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from sayso.scene import Pose
from sayso.truth import ROBOT, Done, Real, Truth
from sayso.worlds.indoor.rooms import Rooms
from sayso.worlds.indoor.voice import Said

AT_M, BY_M = 1.6, 2.0
"""Somebody is at a place when within this of where the robot stands for it, in the same room; whom it took there may
stand a little further off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Somebody(Real):
    """A person. `start` is where they were at first, `led` whether they have led the robot all

    the way, `heard` what the robot said in their hearing, `said` their own."""

    start: Pose
    posture: str = "standing"
    gesture: str = ""
    gender: str = ""
    clothing: str = ""
    walking: bool = False
    following: bool = False
    led: bool = False
    operator: bool = False
    holds: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndoorTruth(Truth):
    """Furnished rooms at one moment. `room` and `place` are the robot's, `said` is in order, `closed` names doors."""

    room: str = ""
    place: str = ""
    people: Mapping[str, Somebody] = field(default_factory=dict)
    said: tuple[Said, ...] = ()
    closed: frozenset[str] = frozenset()

    @property
    def done(self) -> tuple[Done, ...]:
        heard = [Done(s.at_s, "heard", frozenset(s.heard_by), s.text) for s in self.said if s.by == ROBOT]
        led = [Done(self.time_s, "followed", frozenset({name})) for name, one in self.people.items() if one.led]
        here = [Done(self.time_s, "visited", frozenset({self.place}))] if self.place else []
        return (*super(IndoorTruth, self).done, *heard, *led, *here)

    @property
    def there(self) -> Mapping[str, Real]:
        """Closed doors are things of their own."""
        doors = {name: Real(label=name, pose=Pose(), attributes={"state": "closed"}) for name in self.closed}
        return {**super(IndoorTruth, self).there, **doors}


def truth(home: Rooms) -> IndoorTruth:
    pose, speed_mps = home.really()
    return IndoorTruth(
        time_s=home.time_s,
        pose=pose,
        start=home.layout.robot,
        speed_mps=speed_mps,
        room=home.flat.room_of(pose.x_m, pose.y_m),
        place=place_at(home, pose),
        things=_things(home),
        people=_people(home),
        said=tuple(home.voices.said),
        closed=frozenset(home.closed),
        contacts=tuple(home.touches),
        in_frame=home.in_frame(),
    )


def place_at(home: Rooms, pose: Pose) -> str:
    """The named place that somebody who stands there is at: the nearest in the room, empty where none is near."""
    near = near_places(home, pose, AT_M)
    return near[0] if near else ""


def near_places(home: Rooms, pose: Pose, within_m: float) -> list[str]:
    """The named places in the room so near, the nearest first."""
    room = home.flat.room_of(pose.x_m, pose.y_m)
    near = []
    for name in places(home):
        stand = home.flat.stand(name)
        assert stand is not None, "every place of the table is in the flat"
        far = math.dist((stand.x_m, stand.y_m), (pose.x_m, pose.y_m))
        if far <= within_m and home.flat.room_of(stand.x_m, stand.y_m) == room:
            near.append((far, name))
    return [name for _, name in sorted(near)]


def places(home: Rooms) -> list[str]:
    """The names of places that one can be at."""
    known = home.service.knowledge
    return [p["name"] for p in (*known["places"], *known["outside"])]


def _things(home: Rooms) -> Mapping[str, Real]:
    """Judges ask at every event, and between most of them nothing has moved."""
    now = home.things.moment()
    if home.told is None or home.told[0] != now:
        home.told = now, _as_they_are(home)
    return home.told[1]


def _as_they_are(home: Rooms) -> dict[str, Real]:
    found = {}
    for id_, thing in home.things.all.items():
        pose, item = thing.middle, thing.item
        found[id_] = Real(
            label=item.name,
            category=item.kind["category"],
            pose=pose,
            size_m=item.size_m,
            attributes=thing.attributes,
            on=home.things.on(thing),
            place=home.things.place_of(thing),
            room=home.flat.room_of(pose.x_m, pose.y_m),
            holder=thing.holder,
        )
    return found


def _people(home: Rooms) -> dict[str, Somebody]:
    found = {}
    for name, person in home.people.all.items():
        pose, persona = person.pose, person.persona
        found[name] = Somebody(
            label=name,
            pose=pose,
            start=persona.at,
            room=home.flat.room_of(pose.x_m, pose.y_m),
            place=place_at(home, pose),
            at=frozenset(near_places(home, pose, BY_M)),
            posture=person.posture,
            gesture=person.gesture,
            gender=persona.gender,
            clothing=f"{persona.shirt} {persona.garment}",
            walking=person.walking,
            following=person.following,
            led=person.led,
            operator=persona.operator,
            holds=tuple(thing.id for thing in home.things.held_by(name)),
            heard=tuple(s.text for s in home.voices.said if s.by == ROBOT and name in s.heard_by),
            said=tuple(s.text for s in home.voices.said if s.by == name),
        )
    return found
