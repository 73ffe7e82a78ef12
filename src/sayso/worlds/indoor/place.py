"""A world of furnished rooms, for robots, judges and pictures.

A world of this kind names itself and the `folder` where its scenes, catalogue and names lie.
"""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sayso.scene import Pose
from sayso.world import ROBOT, Done, Real, Truth
from sayso.worlds.draw import INK, Chart, Rgb, Tag
from sayso.worlds.indoor.build import CAMERA
from sayso.worlds.indoor.people import Person
from sayso.worlds.indoor.rooms import Rooms
from sayso.worlds.indoor.scene import footprint, leaf
from sayso.worlds.indoor.things import Loose
from sayso.worlds.indoor.voice import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Somebody(Real):
    """A person. `led` is whether they have led the robot all the way, `heard` what the robot said in their hearing."""

    posture: str = "standing"
    led: bool = False
    heard: tuple[str, ...] = ()


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


AT_M, BY_M = 1.6, 2.0
"""Somebody is at a place when within this of where the robot stands for it, in the same room; whom it took there may
stand a little further off."""

FLOOR: Rgb = (233, 227, 217)
STREET: Rgb = (206, 206, 208)
WALL: Rgb = (84, 88, 96)
DOOR: Rgb = (150, 98, 52)
WOOD: Rgb = (180, 170, 150)
SKIN: Rgb = (222, 176, 142)
SIGHT_M = 2.5


class Furnished(Rooms):
    """A scene of furnished rooms. `setup` says who and what is where; a seed fills in what it leaves open."""

    _told: tuple[Hashable, Mapping[str, Real]] | None = None

    def truth(self) -> IndoorTruth:
        pose, speed_mps = self.really()
        return IndoorTruth(
            time_s=self.time_s,
            pose=pose,
            start=self.layout.robot,
            speed_mps=speed_mps,
            room=self.flat.room_of(*pose.xy),
            place=next(iter(self._near(pose, AT_M)), ""),
            things=self._things(),
            people={name: self._somebody(person) for name, person in self.people.all.items()},
            said=tuple(self.voices.said),
            closed=frozenset(self.closed),
            contacts=tuple(self.touches),
            in_frame=self.in_frame(),
        )

    def names(self) -> Sequence[tuple[str, Pose]]:
        rooms = [(r.name, Pose(*r.middle)) for r in self.flat.rooms]
        pieces = [(f.name, Pose(*f.pose.xy, f.size_m[2])) for f in self.flat.furniture]
        return (*(rooms if len(rooms) > 1 else ()), *pieces)

    def overview(self, width_px: int = 640, height_px: int = 480) -> Any:
        """The rooms from above, with names, the way driven and where the camera looks."""
        flat, pose = self.flat, self.base.pose
        paints = {name: (int(255 * r), int(255 * g), int(255 * b)) for name, (r, g, b) in flat.paints.items()}
        chart = Chart(flat.size_m, width_px, height_px)
        for r in flat.rooms:
            chart.area(r.corners, STREET if r.name == "street" else FLOOR, edge=False)
        for piece in flat.furniture:
            chart.area(piece.outline(), paints.get(piece.parts[0]["paint"], WOOD))
        for wall in flat.walls:
            chart.area(wall, WALL)
        for door in flat.doors:
            if door.name in self.closed:
                chart.area(leaf(door, 0.1), DOOR)
        for thing in self.things.all.values():
            chart.area(footprint(thing.pose, *thing.size_m[:2]), paints[thing.kind["paint"]])
        half_up_rad = math.radians(float(self.model.camera(CAMERA).fovy[0])) / 2
        half_wide_rad = math.atan(math.tan(half_up_rad) * 4 / 3)
        chart.sight(replace(pose, yaw_rad=pose.yaw_rad + self.head_rad), half_wide_rad, SIGHT_M)
        chart.trail((*self.trail, pose))
        for person in self.people.all.values():
            _person(chart, person.pose, paints[person.shirt])
        chart.robot(pose, self.base.radius_m)
        chart.tags(self._tags(), clear_of=pose)
        chart.titles(flat.title, f"{self.robot.state().summary}   {self.time_s:.1f} s")
        return chart.picture()

    def _tags(self) -> Iterator[Tag]:
        for person in self.people.all.values():
            gesture = f", {person.gesture}" if person.gesture else ""
            yield Tag(f"{person.name} ({person.posture[:3]}{gesture})", person.pose.xy)
        for piece in self.flat.furniture:
            yield Tag(piece.name, piece.pose.xy, inside=True)
        for thing in self.things.all.values():
            yield Tag(thing.id, thing.pose.xy)

    def _near(self, pose: Pose, within_m: float) -> list[str]:
        """The named places in the room so near, the nearest first."""
        room, near = self.flat.room_of(*pose.xy), []
        for place in (*self.table["places"], *self.table["outside"]):
            at = place["stand"][:2]
            if (far := math.dist(at, pose.xy)) <= within_m and self.flat.room_of(*at) == room:
                near.append((far, place["name"]))
        return [name for _, name in sorted(near)]

    def _things(self) -> Mapping[str, Real]:
        """Judges ask at every event, and between most of them nothing has moved."""
        now = self.things.moment()
        if self._told is None or self._told[0] != now:
            self._told = now, {id_: self._real(thing) for id_, thing in self.things.all.items()}
        return self._told[1]

    def _real(self, thing: Loose) -> Real:
        pose = thing.middle
        return Real(
            label=thing.label,
            category=thing.kind["category"],
            pose=pose,
            size_m=thing.size_m,
            attributes=thing.attributes,
            on=self.things.on(thing),
            place=self.things.place_of(thing),
            room=self.flat.room_of(*pose.xy),
            holder=thing.holder,
        )

    def _somebody(self, person: Person) -> Somebody:
        pose = person.pose
        return Somebody(
            label=person.name,
            pose=pose,
            room=self.flat.room_of(*pose.xy),
            place=next(iter(self._near(pose, AT_M)), ""),
            at=frozenset(self._near(pose, BY_M)),
            posture=person.posture,
            led=person.led,
            heard=tuple(s.text for s in self.voices.said if s.by == ROBOT and person.name in s.heard_by),
        )


def _person(chart: Chart, pose: Pose, shirt: Rgb) -> None:
    """Shoulders, head and nose."""
    wide, deep = 0.22, 0.12
    shoulders = [(deep * math.cos(t), wide * math.sin(t)) for t in (math.radians(20 * i) for i in range(18))]
    chart.area([pose.moved(x, y).xy for x, y in shoulders], shirt)
    chart.disc(pose.xy, 0.10, SKIN, INK)
    chart.line([pose.xy, pose.moved(0.2).xy], INK, 1)
