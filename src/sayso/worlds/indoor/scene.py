"""The scene file of furnished rooms: walls and doors, furniture, people, and things.

Everything is plain data in a folder of the world's own: `scenes/NAME.toml`, `catalogue.toml` with what furniture is
made of, and `names.toml`, the table of names that everybody knows. A set-up, plain data as well, changes who and what
is where for one mission; `setup` lays it out.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from sayso.errors import UsageError
from sayso.scene import Pose
from sayso.tables import toml_file
from sayso.worlds.scenery import Rgb, scene_names

Point = tuple[float, float]
Outline = tuple[Point, ...]

STAND_OFF_M = 0.42
"""From a place's edge to where the robot stands before it."""


@dataclass(frozen=True, slots=True)
class Room:
    """An upright rectangle with a name."""

    name: str
    low: Point
    high: Point

    @property
    def middle(self) -> Point:
        return (self.low[0] + self.high[0]) / 2, (self.low[1] + self.high[1]) / 2

    @property
    def corners(self) -> Outline:
        """Counter-clockwise."""
        return self.low, (self.high[0], self.low[1]), self.high, (self.low[0], self.high[1])

    def holds(self, x_m: float, y_m: float) -> bool:
        return self.low[0] <= x_m <= self.high[0] and self.low[1] <= y_m <= self.high[1]


@dataclass(frozen=True, slots=True)
class Door:
    """An opening in a wall that a leaf can close; its pose looks along the wall."""

    name: str
    pose: Pose
    wide_m: float
    joins: tuple[str, str]

    @property
    def at(self) -> Point:
        return self.pose.xy


@dataclass(frozen=True, slots=True)
class Furniture:
    """One piece. `size_m` is depth (along its front's direction), width, and the height of its top."""

    name: str
    pose: Pose
    size_m: tuple[float, float, float]
    parts: Sequence[Mapping[str, Any]]

    def outline(self) -> Outline:
        """Its footprint's corners, counter-clockwise."""
        return footprint(self.pose, self.size_m[0], self.size_m[1])

    def below(self, pose: Pose) -> bool:
        """Whether it stands under a point, however high that is."""
        at = pose.seen_from(self.pose)
        return abs(at.x_m) <= self.size_m[0] / 2 and abs(at.y_m) <= self.size_m[1] / 2

    def front(self, away_m: float) -> Pose:
        """The pose that faces the middle of its front from `away_m` before its edge."""
        return self.pose.moved(self.size_m[0] / 2 + away_m, 0.0, 0.0, math.pi)


@dataclass(frozen=True, slots=True)
class Flat:
    """A scene with everything that does not move. Metres; `walls` are outlines with the doors' openings left out."""

    name: str
    title: str
    size_m: Point
    start: Pose
    rooms: tuple[Room, ...]
    walls: tuple[Outline, ...]
    wall_m: float
    doors: tuple[Door, ...]
    furniture: tuple[Furniture, ...]
    spots: Mapping[str, Pose]
    paints: Mapping[str, Rgb]
    operator: Mapping[str, Any]
    guests: tuple[int, int]
    today: Mapping[str, str]
    folder: Path = Path()
    stock: Mapping[str, str] = field(default_factory=dict)
    """Single things by id, and where each begins; empty where one of every kind is where it belongs."""

    def room_of(self, x_m: float, y_m: float) -> str:
        """The room at a point, empty outside."""
        return next((room.name for room in self.rooms if room.holds(x_m, y_m)), "")

    def room(self, name: str) -> Room | None:
        return next((room for room in self.rooms if room.name == name), None)

    def piece(self, name: str) -> Furniture | None:
        return next((f for f in self.furniture if f.name == name), None)

    def stand(self, place: str) -> Pose | None:
        """Where a robot stands for a place; None where there is no such place."""
        piece = self.piece(place)
        return self.spots.get(place) or (piece.front(STAND_OFF_M) if piece else None)


@cache
def knowledge(folder: Path) -> dict[str, Any]:
    """A world's table of names: rooms, places, categories, objects, people, answers. Not to be changed."""
    return toml_file(folder / "names.toml")


def object_kinds(folder: Path) -> dict[str, dict[str, Any]]:
    """What is known of each object, by its name."""
    return {entry["name"]: entry for entry in knowledge(folder)["objects"]}


def stock_kinds(folder: Path) -> dict[str, dict[str, Any]]:
    """What is known of each single thing, by its id: that of its kind, and what is its own."""
    kinds = object_kinds(folder)
    return {entry["id"]: {**kinds[entry["name"]], **entry} for entry in knowledge(folder).get("stock", ())}


def default_place(kind: Mapping[str, Any], folder: Path) -> str:
    """Where an object belongs; empty where its category belongs nowhere."""
    return next((c["place"] for c in knowledge(folder)["categories"] if c["name"] == kind["category"]), "")


def read_flat(scene: str, folder: Path) -> Flat:
    """Raises `UsageError` for an unknown scene, and for one that contradicts itself.

    Scenes may share a floor: `plan` names the file beside the catalogue that holds it.
    """
    if scene not in (names := scene_names(folder / "scenes")):
        raise UsageError(f"there is no scene {scene!r} here; there are {', '.join(names)}")
    entries = toml_file(folder / "scenes" / f"{scene}.toml")
    if "plan" in entries:
        entries = {**toml_file(folder / f"{entries['plan']}.toml"), **entries}
    catalogue = toml_file(folder / "catalogue.toml")
    walls, doors = _walls(entries["walls"], entries["doors"])
    return Flat(
        name=scene,
        title=entries["title"],
        size_m=tuple(entries["size_m"]),
        start=pose_of(entries["start"]),
        rooms=tuple(Room(name, tuple(r["low"]), tuple(r["high"])) for name, r in entries["rooms"].items()),
        walls=tuple(walls),
        wall_m=entries["walls"]["height_m"],
        doors=doors,
        furniture=tuple(_piece(scene, entry, catalogue["furniture"]) for entry in entries["furniture"]),
        spots={s["name"]: pose_of({**s, "yaw_deg": s["look_deg"]}) for s in entries["spots"]},
        paints=catalogue["paints"],
        operator=entries.get("operator", {}),
        guests=(entries["guests"]["least"], entries["guests"]["most"]),
        today={key: entries[key] for key in ("day", "tomorrow", "date", "time")},
        folder=folder,
        stock=entries.get("objects", {}),
    )


def pose_of(entry: Mapping[str, Any]) -> Pose:
    """Where an entry stands on the floor, by its `at` and `yaw_deg`."""
    x, y = entry["at"]
    return Pose(x, y, 0.0, math.radians(entry.get("yaw_deg", 0.0)))


def _piece(scene: str, entry: Mapping[str, Any], catalogue: Mapping[str, Any]) -> Furniture:
    made = catalogue.get(entry.get("made", entry["name"]))
    if made is None:
        raise UsageError(f"scene {scene!r}: the catalogue has no furniture {entry.get('made', entry['name'])!r}")
    return Furniture(entry["name"], pose_of(entry), tuple(made["size_m"]), made["parts"])


def _walls(entries: Mapping[str, Any], doors: Mapping[str, Any]) -> tuple[list[Outline], tuple[Door, ...]]:
    """The outlines of walls between their openings, which close the corners, and the openings."""
    thick_m, outlines, found = entries["thick_m"], list[Outline](), dict[str, Door]()
    for (ax, ay), (bx, by) in entries["lines"]:
        start, length = Pose(ax, ay, 0.0, math.atan2(by - ay, bx - ax)), math.dist((ax, ay), (bx, by))
        cuts = [(-thick_m / 2, -thick_m / 2), (length + thick_m / 2, length + thick_m / 2)]
        for name, door in doors.items():
            at = Pose(*door["at"]).seen_from(start)
            if abs(at.y_m) < 0.01 and 0 < at.x_m < length:
                found[name] = Door(name, start.moved(at.x_m), door["wide_m"], tuple(door["joins"]))
                cuts.append((at.x_m - door["wide_m"] / 2, at.x_m + door["wide_m"] / 2))
        gaps = [(begin, end) for (_, begin), (end, _) in pairwise(sorted(cuts)) if end - begin > 0.01]
        outlines += [footprint(start.moved((begin + end) / 2), end - begin, thick_m) for begin, end in gaps]
    if lost := next((name for name in doors if name not in found), ""):
        raise UsageError(f"the {lost} at {tuple(doors[lost]['at'])} stands in no wall")
    return outlines, tuple(found[name] for name in doors)


def footprint(pose: Pose, length_m: float, width_m: float) -> Outline:
    """The corners of a rectangle around a pose, counter-clockwise."""
    half_x, half_y = length_m / 2, width_m / 2
    corners = ((-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y))
    return tuple(p.xy for p in (pose.moved(x, y) for x, y in corners))


def leaf(door: Door, thick_m: float = 0.06) -> Outline:
    """The outline of a door's closed leaf."""
    return footprint(door.pose, door.wide_m, thick_m)


def sides(door: Door, away_m: float = 0.65) -> list[Point]:
    """Where one stands before a door, on either side."""
    return [p.xy for p in (door.pose.moved(0.0, away_m), door.pose.moved(0.0, -away_m))]
