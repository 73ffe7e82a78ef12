"""Who and what is where when a mission begins: a set-up laid out in a flat, repeatable by seed.

    World(setup={
        "people": [{"name": "Mary", "place": "sink", "pose": "sitting", "gesture": "waving", "shirt": "red",
                    "asks": ["what is the capital of France"], "answers": [{"when": ["drink"], "say": "a coke"}],
                    "leads_to": "bedroom"}],
        "objects": {"coke": "dining table", "apple": None, "cup": {"on": "tray"}, "sponge": {"held_by": "Mary"}},
        "doors": {"kitchen door": "closed"},
        "robot": {"at": [0.0, 0.0], "yaw_deg": 90},
        "operator": {"answers": [{"when": ["where"], "say": "to the kitchen"}]},
    })

What a set-up leaves out is as usual: every object where it belongs, a few guests drawn by seed, all doors open.
`objects` may also be a list of `{"name", "id", "place"}` where one kind is there several times.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sayso.errors import UsageError
from sayso.scene import Pose
from sayso.worlds.indoor.grid_path import GridMap
from sayso.worlds.indoor.scene import (
    STAND_OFF_M,
    Flat,
    Furniture,
    default_place,
    knowledge,
    object_kinds,
    pose_of,
    stock_kinds,
)

POSES = ("standing", "sitting", "lying")
GESTURES = ("", "waving", "pointing left", "pointing right", "raising left arm", "raising right arm")
SHIRTS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple", "grey", "pink")
GARMENTS = ("t-shirt", "shirt", "sweater", "jacket", "blouse", "coat")

GAP_M = 0.05  # between things on one surface
EDGE_M = 0.03
ROWS_M = (0.15, 0.36)  # from a surface's front edge
PERSON_ROOM_M = 0.38  # free floor around a person
APART_M = 0.85  # between people
ROBOT_SPOT_M = 0.55  # kept free before a place, where the robot will stand
REACH_M = (0.6, 1.5)  # from there to people who are at the place


@dataclass(frozen=True, slots=True)
class Persona:
    """A person as a mission finds them, and what they will say. Words in `when` must all be in a question."""

    name: str
    gender: str
    at: Pose
    pose: str = "standing"
    gesture: str = ""
    shirt: str = "grey"
    garment: str = "t-shirt"
    answers: tuple[tuple[tuple[str, ...], str], ...] = ()
    asks: tuple[str, ...] = ()
    leads_to: str = ""
    operator: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """An object at the start: the middle of its underside, what it is on, and who holds it."""

    id: str
    kind: Mapping[str, Any]
    at: Pose
    on: str = ""
    held_by: str = ""

    @property
    def name(self) -> str:
        return str(self.kind["name"])

    @property
    def size_m(self) -> tuple[float, float, float]:
        x, y, z = self.kind["size_m"]
        return float(x), float(y), float(z)


@dataclass(frozen=True, slots=True)
class Layout:
    """The beginning of one mission."""

    robot: Pose
    people: tuple[Persona, ...]
    items: tuple[Item, ...]
    closed: frozenset[str]


@dataclass
class _Surface:
    """A placement while it is being laid out: which stretch of each row is taken."""

    piece: Furniture
    taken: list[tuple[float, float, float, float]] = field(default_factory=list)  # local x, y, half x, half y


def lay_out(flat: Flat, free: GridMap, setup: Mapping[str, Any], seed: int) -> Layout:
    """Raises `UsageError` for a set-up that names what is not there or asks for more than fits."""
    unknown = set(setup) - {"people", "objects", "doors", "robot", "operator"}
    if unknown:
        raise UsageError(f"a set-up has people, objects, doors, robot and operator, not {', '.join(sorted(unknown))}")
    chance = random.Random(seed)
    robot = _robot(flat, setup.get("robot", {}), chance, seed)
    people = _people(flat, free, setup, chance, robot)
    items = _items(flat, setup.get("objects", {}), chance, people)
    return Layout(robot, people, items, _closed(flat, setup.get("doors", {})))


def _robot(flat: Flat, asked: Mapping[str, Any], chance: random.Random, seed: int) -> Pose:
    if "at" in asked:
        return pose_of(asked)
    if not seed:
        return flat.start
    return flat.start.moved(chance.uniform(-0.1, 0.1), chance.uniform(-0.1, 0.1), 0.0, chance.uniform(-0.1, 0.1))


def _closed(flat: Flat, doors: Mapping[str, str]) -> frozenset[str]:
    known = {door.name for door in flat.doors}
    if wrong := set(doors) - known:
        raise UsageError(f"there is no {', '.join(sorted(wrong))}; the doors are {', '.join(sorted(known))}")
    return frozenset(name for name, state in doors.items() if state == "closed")


# People


def _people(
    flat: Flat, free: GridMap, setup: Mapping[str, Any], chance: random.Random, robot: Pose
) -> tuple[Persona, ...]:
    operator = {**flat.operator, **setup.get("operator", {}), "operator": True}
    guests = setup["people"] if "people" in setup else _guests(flat, chance)
    wanted = [*([operator] if flat.operator else []), *guests]
    if len(wanted) > 8:
        raise UsageError(f"the home has room for 8 people with the operator, not {len(wanted)}")
    people: list[Persona] = []
    for entry in wanted:
        name = entry.get("name", f"guest {len(people)}")
        if any(p.name == name for p in people):
            raise UsageError(f"two people are called {name}")
        at = _where(flat, free, entry, chance, [robot, *(p.at for p in people)])
        people.append(_persona(flat, entry, name, at, chance))
    return tuple(people)


def _guests(flat: Flat, chance: random.Random) -> list[dict[str, Any]]:
    known = knowledge(flat.folder)["people"]
    names = [*known["male"], *known["female"]]
    rooms = [room.name for room in flat.rooms if room.name != "street"]
    return [
        {
            "name": name,
            "place": chance.choice(rooms),
            "pose": chance.choice(POSES[:2]),
            "gesture": chance.choice(GESTURES),
        }
        for name in chance.sample(names, chance.randint(*flat.guests))
    ]


def _persona(flat: Flat, entry: Mapping[str, Any], name: str, at: Pose, chance: random.Random) -> Persona:
    pose, gesture = entry.get("pose", "standing"), entry.get("gesture", "")
    if pose not in POSES or gesture not in GESTURES:
        raise UsageError(f"{name}: a pose is one of {POSES} and a gesture one of {GESTURES}, not {pose!r}, {gesture!r}")
    gender = entry.get("gender") or gender_of(name, flat.folder) or chance.choice(("male", "female"))
    return Persona(
        name=name,
        gender=gender,
        at=at,
        pose=pose,
        gesture=gesture,
        shirt=entry.get("shirt") or chance.choice(SHIRTS),
        garment=entry.get("garment") or chance.choice(GARMENTS),
        answers=tuple((tuple(a["when"]), str(a["say"])) for a in entry.get("answers", ())),
        asks=tuple(entry.get("asks", ())),
        leads_to=entry.get("leads_to", ""),
        operator=bool(entry.get("operator")),
    )


def gender_of(name: str, folder: Path) -> str:
    """The gender that goes with a known name, or nothing."""
    return next((gender for gender in ("male", "female") if name in knowledge(folder)["people"][gender]), "")


def _where(flat: Flat, free: GridMap, entry: Mapping[str, Any], chance: random.Random, others: Sequence[Pose]) -> Pose:
    if "at" in entry:
        return pose_of(entry)
    place = entry.get("place", "living room")
    if entry.get("pose") == "lying" and (piece := flat.piece(place if place in ("bed", "couch") else _lie_on(place))):
        if all(math.dist((piece.pose.x_m, piece.pose.y_m), (o.x_m, o.y_m)) > APART_M for o in others):
            turn = math.pi if piece.name == "bed" else math.pi / 2
            return piece.pose.moved(0.12 if piece.name == "couch" else 0.0, 0.0, piece.size_m[2], turn)
    return spot(flat, free, place, chance, others)


def _lie_on(room: str) -> str:
    return {"bedroom": "bed", "living room": "couch"}.get(room, "")


def spot(flat: Flat, free: GridMap, place: str, chance: random.Random, others: Sequence[Pose]) -> Pose:
    """Somewhere to stand at a place or in a room, out of everybody's way, facing into the room or away from the place.

    Raises `UsageError` for an unknown place and where no spot is left.
    """
    room = flat.room(place)
    centre = None if room else flat.stand(place)
    if room is None and centre is None:
        raise UsageError(f"there is no place {place!r} for a person to be at")
    for keep_m in (PERSON_ROOM_M, PERSON_ROOM_M, 0.30):
        for _ in range(250):
            if centre is None:
                assert room is not None
                x, y = (chance.uniform(room.low[i] + 0.4, room.high[i] - 0.4) for i in (0, 1))
            else:
                turn, far = chance.uniform(-math.pi, math.pi), chance.uniform(*REACH_M)
                x, y = centre.x_m + far * math.cos(turn), centre.y_m + far * math.sin(turn)
            here = centre is None or flat.room_of(x, y) == flat.room_of(centre.x_m, centre.y_m)
            if here and _suits(flat, free, (x, y), others, keep_m):
                return Pose(x, y, 0.0, _facing(flat, (x, y), centre))
    raise UsageError(f"no room is left for another person at the {place}")


def _suits(flat: Flat, free: GridMap, at: tuple[float, float], others: Sequence[Pose], keep_m: float) -> bool:
    if free.free_m(at) < keep_m or not flat.room_of(*at):
        return False
    if any(math.dist(at, (o.x_m, o.y_m)) < APART_M for o in others):
        return False
    if any(math.dist(at, door.at) < 0.9 for door in flat.doors):
        return False
    stands = [piece.front(STAND_OFF_M) for piece in flat.furniture]
    if any(math.dist(at, (p.x_m, p.y_m)) < ROBOT_SPOT_M for p in (*stands, *flat.spots.values())):
        return False
    corridor = flat.room_of(*at) == "corridor"
    return not corridor or abs(at[1]) > 0.3  # leave a lane


def _facing(flat: Flat, at: tuple[float, float], centre: Pose | None) -> float:
    """Towards where a robot would come from: the place's front, or the middle of the room."""
    if centre is not None:
        return math.atan2(centre.y_m - at[1], centre.x_m - at[0])
    room = next(r for r in flat.rooms if r.holds(*at))
    return math.atan2(room.middle[1] - at[1], room.middle[0] - at[0])


# Things


def _items(
    flat: Flat, asked: Mapping[str, Any] | Sequence[Mapping[str, Any]], chance: random.Random, people: Sequence[Persona]
) -> tuple[Item, ...]:
    surfaces = {piece.name: _Surface(piece) for piece in flat.furniture}
    placed: dict[str, Item] = {}
    holders = {person.name: person for person in people}
    for name, kind, where in _ordered(_stocked(flat, asked) if flat.stock else _wanted(flat.folder, asked), chance):
        placed[name] = _item(flat, name, kind, where, surfaces, placed, holders, chance)
    return tuple(placed.values())


Wanted = tuple[str, Mapping[str, Any], Any]


def _wanted(folder: Path, asked: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[Wanted]:
    """(id, kind, where) of everything that is there; where is a place, `{"on"}`, `{"held_by"}` or `{"at"}`."""
    kinds = object_kinds(folder)
    if isinstance(asked, Mapping):
        entries = [{"name": name, "id": name, "place": where} for name, where in asked.items()]
    else:
        entries = [{"id": entry["name"], **entry} for entry in asked]
    for entry in entries:
        if entry["name"] not in kinds:
            raise UsageError(f"no object is called {entry['name']!r}; there are {', '.join(kinds)}")
    named = {entry["name"] for entry in entries}
    usual = [(n, k, default_place(k, folder)) for n, k in kinds.items() if n not in named and not k.get("guest")]
    given = [(e["id"], kinds[e["name"]], e.get("place", e)) for e in entries if e.get("place", e) is not None]
    if len({n for n, _, _ in given}) < len(given):
        raise UsageError("two objects have the same id; give each an id of its own")
    return [*given, *usual]


def _stocked(flat: Flat, asked: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[Wanted]:
    """The scene's single things, by id, with what a set-up says of some of them."""
    kinds = stock_kinds(flat.folder)
    if not isinstance(asked, Mapping) or (unknown := set(asked) - set(kinds)):
        wrong = f", not {', '.join(sorted(unknown))}" if isinstance(asked, Mapping) else ""
        raise UsageError(f"objects go from an id to a place{wrong}; the ids are {', '.join(kinds)}")
    return [(i, kinds[i], where) for i, where in {**flat.stock, **asked}.items() if where is not None]


def _ordered(wanted: Sequence[Wanted], chance: random.Random) -> list[Wanted]:
    """Large things first, so that they find room; what stands on another comes after it."""
    mixed = list(wanted)
    chance.shuffle(mixed)
    mixed.sort(key=lambda w: (isinstance(w[2], Mapping) and "on" in w[2], -max(w[1]["size_m"][:2])))
    return mixed


def _item(
    flat: Flat,
    name: str,
    kind: Mapping[str, Any],
    where: Any,
    surfaces: Mapping[str, _Surface],
    placed: Mapping[str, Item],
    holders: Mapping[str, Persona],
    chance: random.Random,
) -> Item:
    if isinstance(where, Mapping) and "held_by" in where:
        if where["held_by"] not in holders:
            raise UsageError(f"{name} is held by {where['held_by']!r}, who is not there")
        return Item(name, kind, Pose(z_m=1.0), held_by=where["held_by"])
    if isinstance(where, Mapping) and "on" in where:
        if where["on"] not in placed:
            raise UsageError(f"{name} is on {where['on']!r}, which is not there")
        below = placed[where["on"]]
        return Item(name, kind, below.at.moved(up_m=below.size_m[2]), on=below.id)
    if isinstance(where, Mapping) and "at" in where:
        return Item(name, kind, Pose(*where["at"]), on="floor")
    return _on_surface(flat, name, kind, str(where), surfaces, chance)


def _on_surface(
    flat: Flat, name: str, kind: Mapping[str, Any], place: str, surfaces: Mapping[str, _Surface], chance: random.Random
) -> Item:
    if place == "operator":
        x, y = flat.operator["at"]
        return Item(name, kind, Pose(x - 0.1, y - 0.75, 0.0, 0.0), on="floor")
    surface = surfaces.get(place)
    if surface is None:
        raise UsageError(f"{name} cannot be put on {place!r}; there are {', '.join(surfaces)}")
    if (local := room_on(surface.piece, kind["size_m"], surface.taken, chance)) is None:
        raise UsageError(f"the {place} has no room left for the {name}")
    x, y = local
    surface.taken.append((x, y, kind["size_m"][0] / 2, kind["size_m"][1] / 2))
    return Item(name, kind, surface.piece.pose.moved(x, y, surface.piece.size_m[2]), on=place)


def room_on(
    piece: Furniture,
    size_m: Sequence[float],
    taken: Sequence[tuple[float, float, float, float]],
    chance: random.Random,
) -> tuple[float, float] | None:
    """A free spot for a thing on a surface, in its frame: near the front edge, else in a second row behind.

    Rows are filled from one end or the other, so that large things find room as well.
    """
    half_x, half_y = size_m[0] / 2, size_m[1] / 2
    width, depth = piece.size_m[1] / 2 - EDGE_M - half_y, piece.size_m[0] / 2
    for row_m in ROWS_M:
        x = depth - max(row_m, half_x + EDGE_M)
        if x - half_x < -depth or width < 0:
            continue
        steps = [i * 0.02 - width for i in range(int(2 * width / 0.02) + 1)] or [0.0]
        for y in steps if chance.random() < 0.5 else reversed(steps):
            if not any(abs(x - u) < half_x + a + GAP_M and abs(y - v) < half_y + b + GAP_M for u, v, a, b in taken):
                return x, y
    return None
