"""Random set-ups of a flat: who and what is where when a mission begins, repeatable by seed.

    World(setup={
        "people": [{"name": "Mary", "place": "sink", "pose": "sitting", "gesture": "waving", "shirt": "red",
                    "asks": ["what is the capital of France"], "answers": [{"when": ["drink"], "say": "a coke"}],
                    "leads_to": "bedroom"}],
        "objects": {"coke": "dining table", "apple": None, "cup": {"on": "tray"}, "sponge": {"at": [0, 1, 0]}},
        "doors": {"kitchen door": "closed"},
        "robot": {"at": [0.0, 0.0], "yaw_deg": 90},
        "operator": {"answers": [{"when": ["where"], "say": "to the kitchen"}]},
    })

What a set-up leaves out is as usual: every object where it belongs, a few guests drawn by seed, all doors open.
"""

import math
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sayso.errors import UsageError
from sayso.scene import Pose
from sayso.worlds.indoor.grid_path import GridMap
from sayso.worlds.indoor.people import Person
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
from sayso.worlds.indoor.things import Loose

POSES, GENDERS = ("standing", "sitting", "lying"), ("male", "female")
LIE_ON = {"bedroom": "bed", "living room": "couch"}
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
class Layout:
    """The beginning of one mission."""

    robot: Pose
    people: tuple[Person, ...]
    things: tuple[Loose, ...]
    closed: frozenset[str]


_Taken: TypeAlias = list[tuple[float, float, float, float]]
"""What of a surface is taken: x and y in its frame, half depth, half width."""


def lay_out(flat: Flat, free: GridMap, setup: Mapping[str, Any], seed: int) -> Layout:
    """Raises `UsageError` for a set-up that names what is not there or asks for more than fits."""
    unknown = set(setup) - {"people", "objects", "doors", "robot", "operator"}
    if unknown:
        raise UsageError(f"a set-up has people, objects, doors, robot and operator, not {', '.join(sorted(unknown))}")
    chance = random.Random(seed)
    robot = _robot(flat, setup.get("robot", {}), chance, seed)
    people = _people(flat, free, setup, chance, robot)
    things = _things(flat, setup.get("objects", {}), chance)
    return Layout(robot, people, things, _closed(flat, setup.get("doors", {})))


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


def _people(
    flat: Flat, free: GridMap, setup: Mapping[str, Any], chance: random.Random, robot: Pose
) -> tuple[Person, ...]:
    operator = {**flat.operator, **setup.get("operator", {})}
    guests = setup["people"] if "people" in setup else _guests(flat, chance)
    wanted = [*([operator] if flat.operator else []), *guests]
    if len(wanted) > 8:
        raise UsageError(f"the home has room for 8 people with the operator, not {len(wanted)}")
    people: list[Person] = []
    for entry in wanted:
        name = entry.get("name", f"guest {len(people)}")
        if any(p.name == name for p in people):
            raise UsageError(f"two people are called {name}")
        at = _where(flat, free, entry, chance, [robot, *(p.pose for p in people)])
        people.append(_person(flat, entry, name, at, chance))
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


def _person(flat: Flat, entry: Mapping[str, Any], name: str, at: Pose, chance: random.Random) -> Person:
    pose, gesture = entry.get("pose", "standing"), entry.get("gesture", "")
    if pose not in POSES or gesture not in GESTURES:
        raise UsageError(f"{name}: a pose is one of {POSES} and a gesture one of {GESTURES}, not {pose!r}, {gesture!r}")
    known = knowledge(flat.folder)["people"]
    told = entry.get("gender") or next((gender for gender in GENDERS if name in known[gender]), "")
    return Person(
        name=name,
        gender=told or chance.choice(GENDERS),
        pose=at,
        posture=pose,
        gesture=gesture,
        shirt=entry.get("shirt") or chance.choice(SHIRTS),
        garment=entry.get("garment") or chance.choice(GARMENTS),
        answers=tuple((tuple(a["when"]), str(a["say"])) for a in entry.get("answers", ())),
        asks=tuple(entry.get("asks", ())),
        leads_to=entry.get("leads_to", ""),
    )


def _where(flat: Flat, free: GridMap, entry: Mapping[str, Any], chance: random.Random, others: Sequence[Pose]) -> Pose:
    if "at" in entry:
        return pose_of(entry)
    place = entry.get("place", "living room")
    piece = flat.piece(LIE_ON.get(place, place)) if entry.get("pose") == "lying" else None
    if piece and piece.name in LIE_ON.values():
        if all(piece.pose.level_m(other) > APART_M for other in others):
            turn = math.pi if piece.name == "bed" else math.pi / 2
            return piece.pose.moved(0.12 if piece.name == "couch" else 0.0, 0.0, piece.size_m[2], turn)
    return spot(flat, free, place, chance, others)


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
            here = centre is None or flat.room_of(x, y) == flat.room_of(*centre.xy)
            if here and _suits(flat, free, (x, y), others, keep_m):
                return Pose(x, y, 0.0, _facing(flat, (x, y), centre))
    raise UsageError(f"no room is left for another person at the {place}")


def _suits(flat: Flat, free: GridMap, at: tuple[float, float], others: Sequence[Pose], keep_m: float) -> bool:
    if free.free_m(at) < keep_m or not flat.room_of(*at):
        return False
    if any(math.dist(at, o.xy) < APART_M for o in others):
        return False
    if any(math.dist(at, door.at) < 0.9 for door in flat.doors):
        return False
    stands = [piece.front(STAND_OFF_M) for piece in flat.furniture]
    if any(math.dist(at, p.xy) < ROBOT_SPOT_M for p in (*stands, *flat.spots.values())):
        return False
    corridor = flat.room_of(*at) == "corridor"
    return not corridor or abs(at[1]) > 0.3  # leave a lane


def _facing(flat: Flat, at: tuple[float, float], centre: Pose | None) -> float:
    """Towards where a robot would come from: the place's front, or the middle of the room."""
    if centre is not None:
        return math.atan2(centre.y_m - at[1], centre.x_m - at[0])
    room = next(r for r in flat.rooms if r.holds(*at))
    return math.atan2(room.middle[1] - at[1], room.middle[0] - at[0])


def _things(flat: Flat, asked: Mapping[str, Any], chance: random.Random) -> tuple[Loose, ...]:
    """Large things first, so that they find room; what stands on another comes after it."""
    wanted = _wanted(flat, asked)
    chance.shuffle(wanted)
    wanted.sort(key=lambda w: (isinstance(w[2], Mapping) and "on" in w[2], -max(w[1]["size_m"][:2])))
    taken, placed = defaultdict[str, _Taken](list), dict[str, Loose]()
    for id_, kind, where in wanted:
        placed[id_] = _item(flat, id_, kind, where, taken, placed, chance)
    return tuple(placed.values())


def _wanted(flat: Flat, asked: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any], Any]]:
    """(id, kind, where) of everything that is there; where is a place, `{"on"}` or `{"at"}`."""
    kinds = stock_kinds(flat.folder) or object_kinds(flat.folder)
    if unknown := set(asked) - set(kinds):
        raise UsageError(f"no object is called {sorted(unknown)[0]!r}; there are {', '.join(kinds)}")
    usual = flat.stock or {n: default_place(k, flat.folder) for n, k in kinds.items() if not k.get("guest")}
    there = {**asked, **{id_: place for id_, place in usual.items() if id_ not in asked}}
    return [(id_, kinds[id_], where) for id_, where in there.items() if where is not None]


def _item(
    flat: Flat,
    id_: str,
    kind: Mapping[str, Any],
    where: Any,
    taken: Mapping[str, _Taken],
    placed: Mapping[str, Loose],
    chance: random.Random,
) -> Loose:
    if isinstance(where, Mapping) and "on" in where:
        if where["on"] not in placed:
            raise UsageError(f"{id_} is on {where['on']!r}, which is not there")
        below = placed[where["on"]]
        return Loose(id_, kind, below.at.moved(up_m=below.size_m[2]), on=below.id)
    if isinstance(where, Mapping):
        return Loose(id_, kind, Pose(*where["at"]), on="floor")
    if where == "operator":
        x, y = flat.operator["at"]
        return Loose(id_, kind, Pose(x - 0.1, y - 0.75, 0.0, 0.0), on="floor")
    piece = flat.piece(where)
    if piece is None:
        raise UsageError(f"{id_} cannot be put on {where!r}; there are {', '.join(f.name for f in flat.furniture)}")
    if (local := room_on(piece, kind["size_m"], taken[where], chance)) is None:
        raise UsageError(f"the {where} has no room left for the {id_}")
    taken[where].append((*local, kind["size_m"][0] / 2, kind["size_m"][1] / 2))
    return Loose(id_, kind, piece.pose.moved(*local, piece.size_m[2]), on=where)


def room_on(
    piece: Furniture, size_m: Sequence[float], taken: Sequence[tuple[float, float, float, float]], chance: random.Random
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
