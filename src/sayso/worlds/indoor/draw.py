"""Furnished rooms from above: walls, furniture, things, people and which way they look, the robot's way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sayso.scene import Pose
from sayso.worlds.draw import INK, Chart, Point, Rgb, Tag
from sayso.worlds.indoor.build import FOVY_DEG
from sayso.worlds.indoor.people import Person
from sayso.worlds.indoor.rooms import Rooms
from sayso.worlds.indoor.scene import footprint, leaf

FLOOR: Rgb = (233, 227, 217)
STREET: Rgb = (206, 206, 208)
WALL: Rgb = (84, 88, 96)
DOOR: Rgb = (150, 98, 52)
WOOD: Rgb = (180, 170, 150)
SKIN: Rgb = (222, 176, 142)
SIGHT_M = 2.5
HALF_VIEW_RAD = math.atan(math.tan(math.radians(FOVY_DEG) / 2) * 4 / 3)


def overview(home: Rooms, width_px: int, height_px: int) -> Any:
    """(height, width, 3) uint8."""
    flat, pose = home.flat, home.base.pose
    paints = {name: (int(255 * r), int(255 * g), int(255 * b)) for name, (r, g, b) in flat.paints.items()}
    chart = Chart(flat.size_m, width_px, height_px)
    for r in flat.rooms:
        chart.area(r.corners, STREET if r.name == "street" else FLOOR, edge=False)
    for piece in flat.furniture:
        chart.area(piece.outline(), paints.get(piece.parts[0]["paint"], WOOD))
    for wall in flat.walls:
        chart.area(wall, WALL)
    for door in flat.doors:
        if door.name in home.closed:
            chart.area(leaf(door, 0.1), DOOR)
    for thing in home.things.all.values():
        chart.area(footprint(thing.pose, *thing.item.size_m[:2]), paints[thing.item.kind["paint"]])
    chart.sight(replace(pose, yaw_rad=pose.yaw_rad + home.head_rad), HALF_VIEW_RAD, SIGHT_M)
    chart.trail((*home.trail, pose))
    for person in home.people.all.values():
        _person(chart, person.pose, paints[person.shirt])
    chart.robot(pose, home.base.shape.radius_m)
    chart.tags(_names(home), clear_of=pose)
    chart.titles(flat.title, f"{home.robot.state().summary}   {home.time_s:.1f} s")
    return chart.picture()


def _person(chart: Chart, pose: Pose, shirt: Rgb) -> None:
    """Shoulders, head and nose."""
    wide, deep = 0.22, 0.12
    shoulders = [(deep * math.cos(t), wide * math.sin(t)) for t in (math.radians(20 * i) for i in range(18))]
    chart.area([_at(pose.moved(x, y)) for x, y in shoulders], shirt)
    chart.disc(_at(pose), 0.10, SKIN, INK)
    chart.line([_at(pose), _at(pose.moved(0.2))], INK, 1)


def _names(home: Rooms) -> Iterator[Tag]:
    for person in home.people.all.values():
        yield Tag(f"{person.name} {_manner(person)}", _at(person.pose))
    for piece in home.flat.furniture:
        yield Tag(piece.name, _at(piece.pose), inside=True)
    for thing in home.things.all.values():
        yield Tag(thing.id, _at(thing.pose))


def _manner(person: Person) -> str:
    return f"({person.posture[:3]}{', ' + person.gesture if person.gesture else ''})"


def _at(pose: Pose) -> Point:
    return pose.x_m, pose.y_m
