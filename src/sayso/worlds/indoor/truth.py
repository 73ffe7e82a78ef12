"""What is really so in the home, as plain data for judges, and the picture from above.

`truth(home)` holds:

    time_s, scene, pose, start, speed_mps, charge, collisions [(name, at_s)], in_frame (ids)
    robot    {"pose", "room", "place", "holding": id or ""}
    objects  id -> {"name", "category", "pose", "size_m", "on", "place", "room", "holder"}
             on: a place, an object's id or "floor"; holder: "robot", a person's name or ""; place: the place it is at
    people   name -> {"pose", "room", "place", "posture", "gesture", "gender", "shirt", "clothing", "walking",
             "following", "holds": [ids], "operator", "heard": [texts of the robot], "said": [texts], "start"}
    said     [{"at_s", "by", "text", "heard_by": [names], "room", "pose"}] in order
    doors    name -> "open" or "closed"
    things   id -> {"label", "pose"} of objects and people, for maps
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sayso.scene import Pose
from sayso.worlds.indoor.build import FOVY_DEG, footprint
from sayso.worlds.indoor.draw import DOOR as DOOR_COLOUR
from sayso.worlds.indoor.draw import FLOOR, STREET, Block, Figure, FlatPlan, draw_flat
from sayso.worlds.indoor.draw import WALL as WALL_COLOUR
from sayso.worlds.indoor.scene import leaf
from sayso.worlds.indoor.setup import STAND_OFF_M
from sayso.worlds.indoor.things import ROBOT

if TYPE_CHECKING:
    from sayso.worlds.indoor.place import Furnished

AT_M = 1.6
"""Somebody is at a place when within this of where the robot stands for it, in the same room."""


def truth(home: Furnished) -> dict[str, Any]:
    pose = home.base.pose
    said = [
        {"at_s": s.at_s, "by": s.by, "text": s.text, "heard_by": list(s.heard_by), "room": s.room, "pose": s.pose}
        for s in home.voices.said
    ]
    people, objects = _people(home, said), _objects(home)
    held = home.things.held_by(ROBOT)
    return {
        "time_s": home.time_s,
        "scene": home.flat.name,
        "pose": pose,
        "start": home.layout.robot,
        "speed_mps": abs(home.base.velocity[0]),
        "charge": 1.0,
        "robot": {
            "pose": pose,
            "room": home.flat.room_of(pose.x_m, pose.y_m),
            "place": place_at(home, pose),
            "holding": held[0].id if held else "",
        },
        "objects": objects,
        "people": people,
        "said": said,
        "doors": {d.name: "closed" if d.name in home.closed else "open" for d in home.flat.doors},
        "collisions": list(home.touches),
        "in_frame": home.in_frame(),
        "things": {
            **{id_: {"label": o["name"], "pose": o["pose"]} for id_, o in objects.items()},
            **{name: {"label": name, "pose": p["pose"]} for name, p in people.items()},
        },
    }


def place_at(home: Furnished, pose: Pose) -> str:
    """The named place that somebody who stands there is at: the nearest in the room, empty where none is near."""
    room = home.flat.room_of(pose.x_m, pose.y_m)
    near = []
    for name in places(home):
        stand = stand_of(home, name)
        far = math.dist((stand.x_m, stand.y_m), (pose.x_m, pose.y_m))
        if far <= AT_M and home.flat.room_of(stand.x_m, stand.y_m) == room:
            near.append((far, name))
    return min(near)[1] if near else ""


def places(home: Furnished) -> list[str]:
    """The names of places that one can be at."""
    known = home.service.knowledge
    return [p["name"] for p in (*known["places"], *known["outside"])]


def stand_of(home: Furnished, place: str) -> Pose:
    """Where a robot stands for a place."""
    if place in home.flat.spots:
        return home.flat.spots[place]
    piece = home.flat.piece(place)
    assert piece is not None
    return piece.front(STAND_OFF_M)


def _objects(home: Furnished) -> dict[str, Any]:
    found = {}
    for id_, thing in home.things.all.items():
        pose, item = thing.middle, thing.item
        found[id_] = {
            "name": item.name,
            "category": item.kind["category"],
            "pose": pose,
            "size_m": item.size_m,
            "on": home.things.on(thing),
            "place": home.things.place_of(thing),
            "room": home.flat.room_of(pose.x_m, pose.y_m),
            "holder": thing.holder,
        }
    return found


def _people(home: Furnished, said: Sequence[dict[str, Any]]) -> dict[str, Any]:
    found = {}
    for name, person in home.people.all.items():
        pose, persona = person.pose, person.persona
        found[name] = {
            "pose": pose,
            "start": persona.at,
            "room": home.flat.room_of(pose.x_m, pose.y_m),
            "place": place_at(home, pose),
            "posture": person.posture,
            "gesture": person.gesture,
            "gender": persona.gender,
            "shirt": persona.shirt,
            "clothing": f"{persona.shirt} {persona.garment}",
            "walking": person.walking,
            "following": person.following,
            "holds": [thing.id for thing in home.things.held_by(name)],
            "operator": persona.operator,
            "heard": [s["text"] for s in said if s["by"] == "robot" and name in s["heard_by"]],
            "said": [s["text"] for s in said if s["by"] == name],
        }
    return found


def overview(home: Furnished, trail: Sequence[Pose], width_px: int, height_px: int) -> Any:
    flat, pose = home.flat, home.base.pose
    paints = {name: (int(255 * r), int(255 * g), int(255 * b)) for name, (r, g, b) in flat.paints.items()}
    floors = [
        Block((r.low, (r.high[0], r.low[1]), r.high, (r.low[0], r.high[1])), STREET if r.name == "street" else FLOOR)
        for r in flat.rooms
    ]
    walls = [Block(outline, WALL_COLOUR) for outline in flat.walls]
    walls += [Block(leaf(d, 0.1), DOOR_COLOUR) for d in flat.doors if d.name in home.closed]
    furniture = [Block(f.outline(), paints.get(f.parts[0]["paint"], (180, 170, 150)), f.name) for f in flat.furniture]
    things = [
        Block(footprint(t.pose, t.item.size_m[0] / 2, t.item.size_m[1] / 2), paints[t.item.kind["paint"]], t.id)
        for t in home.things.all.values()
    ]
    half_rad = math.atan(math.tan(math.radians(FOVY_DEG) / 2) * 4 / 3)
    people = [
        Figure(p.pose, paints[p.persona.shirt], p.name, f"({p.posture[:3]}{', ' + p.gesture if p.gesture else ''})")
        for p in home.people.all.values()
    ]
    return draw_flat(
        FlatPlan(
            size_m=flat.size_m,
            floors=tuple(floors),
            walls=tuple(walls),
            furniture=tuple(furniture),
            things=tuple(things),
            people=tuple(people),
            trail=(*trail, pose),
            robot=pose,
            radius_m=home.base.shape.radius_m,
            head_rad=home.head_rad,
            half_view_rad=half_rad,
            title=flat.title,
            caption=f"{home.robot.state().summary}   {home.time_s:.1f} s",
        ),
        width_px,
        height_px,
    )
