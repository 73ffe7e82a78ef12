"""Furnished rooms with things and people in them, and a robot with wheels, an arm and a voice.

Physics: the base and what it meets, the arm's links and servos, things that stand, are carried, dropped and fall, the
camera's and the lidar's lines of sight. Things are held by the friction of two fingers. Not physics: people, who are
moved as their script says, and what they hold. `setup` tells what a set-up may say. How such rooms are told and drawn
stands in `place`.
"""

import copy
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import mujoco
import numpy as np

from sayso.limits import Limits, Zone
from sayso.roles import Perception
from sayso.scene import Pose
from sayso.world import ROBOT, Touch
from sayso.worlds.indoor.arm import Arm, ArmShape
from sayso.worlds.indoor.build import CAMERA, HEAD_JOINTS, HELD_STEP_S, HIDDEN_M, STEP_S, build
from sayso.worlds.indoor.grid_path import GridMap, Point
from sayso.worlds.indoor.mobile_base import MobileBase
from sayso.worlds.indoor.navigation import Navigator
from sayso.worlds.indoor.people import People, Person
from sayso.worlds.indoor.person import Body
from sayso.worlds.indoor.robot import SimService
from sayso.worlds.indoor.scene import Flat, knowledge, leaf, read_flat, sides
from sayso.worlds.indoor.setup import lay_out
from sayso.worlds.indoor.things import Things
from sayso.worlds.indoor.voice import Voices
from sayso.worlds.physics import Physical, Seer
from sayso.worlds.scenery import CUTAWAY, scene_names

TICK_S = 0.05
CELL_M = 0.1
TOUCH_APART_S = 1.0
OFFER_M = 0.9
"""How near the robot's hand must be to a person who takes something out of it."""

WALLS_ONLY = np.array([g == CUTAWAY for g in range(6)], dtype=np.uint8)


Eyes: TypeAlias = Callable[..., Seer]
"""Makes a perception for a camera of the model: (model, data, its id, things), and by name `people`, `places` and
`own_body`."""


class Rooms(Physical):
    """What is in a scene and moves."""

    robot: SimService
    tick_s: ClassVar[float] = TICK_S
    step_s: ClassVar[float] = TICK_S
    arm_shape: ClassVar[ArmShape] = ArmShape()
    folder: ClassVar[Path]
    wrist: ClassVar[bool] = False
    mission_max_s: ClassVar[float] = 900.0
    eyes: ClassVar[Eyes]
    """What the robot sees by."""

    def __init__(self, scene: str = "flat", seed: int = 0, *, setup: Mapping[str, Any] | None = None) -> None:
        self.flat = read_flat(scene, self.folder)
        self.map = _map(self.flat)
        self.layout = lay_out(self.flat, self.map, setup or {}, seed)
        super().__init__(build(self.flat, self.layout, self.arm_shape, wrist=self.wrist))
        self.base = MobileBase(self.model, self.data, self.layout.robot)
        self.arm = Arm(self.model, self.data, self.arm_shape)
        self._servos = [int(self.model.actuator(name).id) for name in HEAD_JOINTS]
        self._doors = {d.name: int(self.model.body_mocapid[self.model.body(d.name).id]) for d in self.flat.doors}
        self.closed: set[str] = set()
        self._people_map: GridMap | None = None
        for name in sorted(self.layout.closed):
            self.set_door(name, closed=True)
        for person in self.layout.people:
            person.body = Body(self.model, self.data, person.name)
        self.people = People(self.layout.people, self._walkable)
        self.things = Things(self.layout.things, self.flat, self.model, self.data)
        mujoco.mj_forward(self.model, self.data)
        self.note_way()
        self.touches: list[Touch] = []
        self.voices = Voices(
            self.people, knowledge(self.folder)["hearing"], now_s=lambda: self.time_s, robot=lambda: self.base.pose,
            walled=self._walled, does=self._does,
        )  # fmt: skip
        self.table = table(self.flat, self.layout.robot)
        self.perception: Perception
        self._look_out()
        self.robot = self._make_robot(
            base=self.base,
            navigator=Navigator(self.base, self.map, self._name_of),
            arm=self.arm,
            things=self.things,
            voices=self.voices,
            set_head=self._set_head,
            camera=partial(self.photograph, CAMERA),
            room_of=self.flat.room_of,
            knowledge=self.table,
            limits=_limits(self.flat, self.mission_max_s),
        )
        self._settle()

    def _make_robot(self, **parts: Any) -> SimService:
        return SimService(**parts)

    @classmethod
    def scenes(cls) -> tuple[str, ...]:
        return scene_names(cls.folder / "scenes")

    def step(self) -> None:
        self.base.tick(TICK_S)
        self.arm.tick(TICK_S)
        self.people.tick(TICK_S, self.time_s, self.base.pose)
        self.things.carry_along(self._hands())
        self.voices.tick()
        self.model.opt.timestep = HELD_STEP_S if self.arm.shut else STEP_S
        mujoco.mj_step(self.model, self.data, round(TICK_S / self.model.opt.timestep))
        self.things.feel(ROBOT, self.arm.pads)
        self._feel()

    def set_door(self, name: str, *, closed: bool) -> None:
        """Slide a door shut, or open."""
        (self.closed.add if closed else self.closed.discard)(name)
        self.data.mocap_pos[self._doors[name]] = (0.0, 0.0, 0.0 if closed else HIDDEN_M)
        self._people_map = None

    def really(self) -> tuple[Pose, float]:
        return self.base.pose, abs(self.base.velocity[0])

    def _does(self, person: Person, what: str, sentence: str) -> None:
        match what:
            case "follow":
                self.people.follow(person)
            case "stop following":
                self.people.arrive(person)
            case "lead" if person.leads_to:
                self._walk(person, person.leads_to, leading=True)
            case "leave":
                self._walk(person, "exit")
            case "open door" | "close door":
                self._work_door(person, what, sentence)
            case "take":
                self._take(person)

    def _walk(self, person: Person, place: str, leading: bool = False) -> None:
        """To a place, or into the middle of a room."""
        if stand := self.flat.stand(place):
            self.people.send(person, stand.xy, leading=leading)
        elif room := self.flat.room(place):
            self.people.send(person, room.middle, leading=leading)

    def _work_door(self, person: Person, what: str, sentence: str) -> None:
        """Walk to the door that is meant, or the nearest one, and work it."""
        words = sentence.lower()
        at = person.pose.xy
        doors = [d for d in self.flat.doors if (d.name in self.closed) == (what == "open door")]
        named = [d for d in doors if d.name.lower() in words]
        beside = [d for d in doors if any(j in words for j in d.joins if j != "corridor")]
        for door in sorted(named or beside or doors, key=lambda d: math.dist(d.at, at)):
            if any(
                self.people.send(person, side, near_m=0.5) for side in sorted(sides(door), key=partial(math.dist, at))
            ):
                person.arrived = partial(self._worked, person, door.name, what == "open door")
                return

    def _worked(self, person: Person, door: str, opened: bool) -> None:
        self.set_door(door, closed=not opened)
        self.people.send(person, person.start.xy)  # out of the way again
        self.voices.say(person, f"The {door} is {'open' if opened else 'closed'}.")

    def _take(self, person: Person) -> None:
        """Out of the robot's hand, where that is near enough."""
        held = self.things.held_by(ROBOT)
        fingers, hand = self.arm.fingers, person.pose
        if held and math.dist(fingers[:2], hand.xy) < OFFER_M:
            self.things.hand_over(held[0], person.name, person.hand())

    def _hands(self) -> dict[str, Pose]:
        return {person.name: person.hand() for person in self.people.all.values()}

    def _set_head(self, pan_rad: float, tilt_rad: float) -> None:
        for servo, angle in zip(self._servos, (pan_rad, tilt_rad), strict=True):
            self.data.ctrl[servo] = angle

    @property
    def head_rad(self) -> float:
        """Where the head looks, left of straight ahead."""
        return float(self.data.ctrl[self._servos[0]])

    def _look_out(self) -> None:
        self._judge, self.perception = self._eye(), self._eye()

    def _eye(self, **more: Any) -> Seer:
        """What sees by the robot's camera."""
        return type(self).eyes(
            self.model, self.data, int(self.model.camera(CAMERA).id), tuple(self.things.all.values()),
            people=tuple(self.people.all.values()), places=self.table, own_body=self.base.body_id, **more,
        )  # fmt: skip

    def _settle(self) -> None:
        """Let everything come to rest before the mission's time begins."""
        self.things.carry_along(self._hands())
        for _ in range(10):
            self.arm.tick(TICK_S)
            mujoco.mj_step(self.model, self.data, round(TICK_S / STEP_S))
        self._settled_s = float(self.data.time)

    def _feel(self) -> None:
        """Note what the robot has bumped into: once a second, however long it scrapes."""
        for geoms in self.data.contact.geom.tolist() if self.data.ncon else ():
            bodies = [int(self.model.body_rootid[self.model.geom_bodyid[g]]) for g in geoms]
            if self.base.body_id not in bodies or not set(self.arm.pads).isdisjoint(geoms):
                continue
            other = int(self.model.geom_bodyid[geoms[1] if bodies[0] == self.base.body_id else geoms[0]])
            name = self.model.body(other).name
            if name == "world":
                name = "wall" if 0 not in geoms else "floor"
            if not any(t.what == name and self.time_s - t.at_s < TOUCH_APART_S for t in self.touches[-6:]):
                self.touches.append(Touch(name, self.time_s))

    def _walled(self, start: tuple[float, float, float], end: tuple[float, float, float]) -> bool:
        """Whether a wall or a closed door stands between two points."""
        way = np.array(end) - np.array(start)
        far = float(np.linalg.norm(way))
        hit = np.zeros(1, dtype=np.int32)
        met = mujoco.mj_ray(self.model, self.data, np.array(start), way / max(far, 1e-9), WALLS_ONLY, 1, -1, hit)
        return 0.0 <= float(met) < far

    def _walkable(self) -> GridMap:
        """The floor as people know it: closed doors are walls."""
        if self._people_map is None:
            self._people_map = self.map.filled(leaf(d) for d in self.flat.doors if d.name in self.closed)
        return self._people_map

    def _name_of(self, point: Point) -> str:
        """What the map calls a point on the floor."""
        door = next((d for d in self.flat.doors if math.dist(d.at, point) < d.wide_m * 0.75), None)
        if door:
            return f"the {door.name}"
        room = self.flat.room_of(*point)
        return f"the {room}" if room else "a spot outside"


def table(flat: Flat, start: Pose) -> dict[str, Any]:
    """The table of names, with the poses that a robot's own map gives it and today's words in the answers."""
    names: dict[str, Any] = copy.deepcopy(knowledge(flat.folder))
    for place in (*names["places"], *names["outside"]):
        piece, stand = flat.piece(place["name"]), flat.stand(place["name"])
        assert stand is not None, "every place of the table is in the flat"
        place["stand"] = [*stand.xy, stand.yaw_rad]
        if piece:
            place["at"] = [*piece.pose.xy, piece.pose.yaw_rad]
            place["size_m"] = list(piece.size_m)
    rooms = {room.name: room for room in flat.rooms}
    for room in names["rooms"]:
        room["low"], room["high"] = list(rooms[room["name"]].low), list(rooms[room["name"]].high)
    names["doors"] = [{"name": d.name, "at": list(d.at), "joins": list(d.joins)} for d in flat.doors]
    names["start"] = [*start.xy, start.yaw_rad]
    for answer in names["answers"]:
        answer["say"] = answer["say"].format(**flat.today)
    return names


def _map(flat: Flat) -> GridMap:
    """The rooms' floors, less walls and furniture; all doors open. Outside is no place to drive."""
    half = (flat.size_m[0] / 2, flat.size_m[1] / 2)
    bare = GridMap.empty((-half[0], -half[1]), half, CELL_M)
    outside = replace(bare, occupied=~bare.filled(room.corners for room in flat.rooms).occupied)
    return outside.filled([*flat.walls, *(piece.outline() for piece in flat.furniture)])


def _limits(flat: Flat, mission_max_s: float) -> Limits:
    half_x, half_y = flat.size_m[0] / 2, flat.size_m[1] / 2
    return Limits(
        zone=Zone(-half_x, half_x, -half_y, half_y).shrunk(0.3),
        altitude_min_m=-0.1,
        altitude_max_m=0.1,
        speed_max_mps=0.8,
        obstacle_min_m=0.02,
        battery_reserve=0.1,
        mission_max_s=mission_max_s,
    )
