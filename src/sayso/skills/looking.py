"""The search of a driving robot for things and people: turning the head, going from place to place, coming near.

Everything here knows only what the camera shows and what the robot's table of names and map say. What was seen is
remembered with where it was, since a hand reaches for what the camera no longer shows.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from sayso.errors import SkillFailed
from sayso.grounding.inflection import listed
from sayso.grounding.matching import Wanted
from sayso.grounding.names import Names, Place, Point
from sayso.limits import Limits
from sayso.roles import Perception, RobotState
from sayso.scene import Pose, Thing, wrap
from sayso.task import NOT_FOUND, STOPPED

ROUND = tuple(math.radians(d) for d in (0, 60, -60, 105, -105))
"""Head angles that show all but what lies right behind."""

TABLE = tuple(math.radians(d) for d in (0, 45, -45))
TILT_ROUND_RAD, TILT_TABLE_RAD, TILT_TOP_RAD = math.radians(14), math.radians(30), math.radians(4)
AT_PLACE_M = 0.8
"""The robot is at a place when it is no further than this from where it stands for it."""

BESIDE_M, ROOM_NEAR_M = 1.3, 2.0
"""Where somebody stands at a place, or in the middle of a room, so near to it will do."""

HAND_RINGS_M = (0.60, 0.56, 0.64)
PERSON_RINGS_M = (0.80, 0.95, 1.10, 1.35, 1.6)
RING_STEPS, RING_TRIES = 24, 4
ELBOW_M = 0.1
"""A map of cells calls a point free that is so much nearer to the furniture than it says: who only talks keeps off."""


class ServiceRobot(Protocol):
    """The interface of a robot, as these skills use it. World frame, metres, radians."""

    limits: Limits
    knowledge: Mapping[str, Any]

    @property
    def holding(self) -> bool:
        """Whether the hand feels something between its fingers."""

    def state(self) -> RobotState: ...

    async def drive_to(
        self, x_m: float, y_m: float, yaw_rad: float | None = None, *, near_m: float = 0.0, what: str = "there"
    ) -> None:
        """Drive there. Raises `SkillFailed` with where the way is blocked."""

    async def turn_to(self, yaw_rad: float) -> None: ...

    def way_m(self, x_m: float, y_m: float, near_m: float = 0.0) -> float | None:
        """The length of the way there, None where none is known."""

    def free(self, x_m: float, y_m: float) -> bool:
        """Whether the base could stand there."""

    async def look(self, pan_rad: float, tilt_rad: float) -> None:
        """Turn the head; pan positive is left, tilt positive is down."""

    async def grasp_at(self, x_m: float, y_m: float, z_m: float) -> None:
        """Close the hand at a point and draw back. Raises `SkillFailed`."""

    async def release_at(self, x_m: float, y_m: float, z_m: float) -> None:
        """Set what is held down at a point. Raises `SkillFailed`."""

    async def hold_out(self, far_m: float) -> None:
        """Hold what is in the hand out to somebody in front, whose middle is so far away; they are not touched."""

    async def tuck(self) -> None: ...

    async def say(self, text: str) -> object:
        """Speak aloud."""

    async def listen(self, seconds: float) -> tuple[str, str] | None:
        """The next thing that somebody says, and who."""

    def forget_heard(self) -> None: ...


class Search:
    """Looking and remembering, in one mission."""

    def __init__(self, robot: ServiceRobot, perception: Perception, names: Names) -> None:
        self.robot, self._perception, self.names = robot, perception, names
        self.seen: dict[str, Thing] = {}

    async def glance(self, pan_rad: float, tilt_rad: float) -> tuple[Thing, ...]:
        """One look with the head turned so."""
        await self.robot.look(pan_rad, tilt_rad)
        scene = await self._perception.look()
        here = self.robot.state().pose
        things = tuple(_aligned(thing, here) for thing in scene)
        self.seen.update({thing.id: thing for thing in things})
        return things

    async def in_view(self) -> tuple[Thing, ...]:
        """What is before the robot as it stands, without a move."""
        return (await self._perception.look()).things

    async def around(
        self, pans: Sequence[float], tilt_rad: float, wanted: Wanted | None = None
    ) -> tuple[Thing | None, list[Thing]]:
        """Turn the head through some angles: the wanted one as soon as it shows, and all that was seen."""
        views: dict[str, Thing] = {}
        for pan in pans:
            view = await self.glance(pan, tilt_rad)
            views.update({t.id: t for t in view})
            if wanted and (found := wanted.pick(view)):
                return found[0], list(views.values())
        return None, list(views.values())

    async def everywhere(self, wanted: Wanted | None) -> tuple[Thing | None, list[Thing]]:
        """All the way round from here: the head first, then the base turned about."""
        found, seen = await self.around(ROUND, TILT_ROUND_RAD, wanted)
        if found is None:
            await self.robot.turn_to(wrap(self.robot.state().pose.yaw_rad + math.pi))
            found, more = await self.around((0.0,), TILT_ROUND_RAD, wanted)
            seen = list({t.id: t for t in (*seen, *more)}.values())
        await self.robot.look(0.0, TILT_ROUND_RAD)
        return found, seen

    async def again(self, thing: Thing, tilt_rad: float, pans: Iterable[float] = (0.0, 0.35, -0.35)) -> Thing | None:
        """The same thing, as it is seen from here by now; None where no look shows it."""
        for pan in pans:
            view = await self.glance(pan, tilt_rad)
            if found := next((t for t in view if t.id == thing.id), None):
                return found
        return None

    def at_place(self) -> Place | None:
        """The named place that the robot stands at, if any."""
        here = self.robot.state().pose
        near = [(here.distance_m(p.stand), p) for p in self.names.places.values() if not p.is_room]
        far, place = min(near, key=lambda e: e[0])
        return place if far <= AT_PLACE_M else None

    def room(self) -> Place | None:
        return self.names.room_of(self.robot.state().pose)

    async def go(self, place: Place) -> None:
        """Drive to where one stands for a place, or into a room; where somebody stands, near to it will do.

        Raises `SkillFailed` with where the way is blocked.
        """
        stand, what, blocked = place.stand, f"to the {place.name}", None
        for near_m in (1.2, ROOM_NEAR_M) if place.is_room else (0.5, BESIDE_M):
            if blocked and self.robot.way_m(stand.x_m, stand.y_m, near_m=near_m) is None:
                break
            yaw_rad = None if place.is_room or blocked else stand.yaw_rad
            try:
                await self.robot.drive_to(stand.x_m, stand.y_m, yaw_rad, near_m=near_m, what=what)
                return
            except SkillFailed as failed:
                if failed.code == STOPPED:
                    raise
                blocked = failed
            if place.is_room and place.holds(self.robot.state().pose, 0.0):
                return  # inside is where it should be, if not in the middle
        assert blocked is not None
        raise blocked

    async def view_of(self, place: Place, wanted: Wanted | None = None) -> list[Thing]:
        """Everything seen on a place, from before it; higher up as well where something on top of another is wanted."""
        here = self.robot.state().pose
        if here.distance_m(place.stand) > 0.3 or abs(wrap(here.yaw_rad - place.stand.yaw_rad)) > 0.3:
            await self.go(place)
        if place.at is not None:
            await self.robot.turn_to(self.robot.state().pose.yaw_rad + self.robot.state().pose.bearing_rad(place.at))
        _, seen = await self.around(TABLE, TILT_TABLE_RAD)
        if wanted and "on top of" in wanted.name:
            _, above = await self.around(TABLE, TILT_TOP_RAD)
            seen = list({t.id: t for t in (*seen, *above)}.values())
        return [t for t in seen if t.pose and t.label != "person" and place.holds(t.pose, 0.05)]

    async def find_thing(self, wanted: Wanted) -> Thing:
        """Look here, then at the placements of this room, then where it belongs. Raises `SkillFailed`."""
        looked, places = list[str](), list[str]()
        if wanted.place:
            await self.go(self.names.places[wanted.place])
        place, room = self.at_place(), self.room()
        if place and (place.placement or place.bin):
            if thing := next(iter(wanted.pick(await self.view_of(place, wanted))), None):
                return await self._beside(thing)
            looked.append(place.name)
            places.append(place.name)
        else:
            found, _ = await self.around(ROUND[:3], TILT_ROUND_RAD, wanted)
            if found:
                return await self._beside(found)
        for where in self._worth_a_look(wanted, room, looked):
            places.append(where.name)
            try:
                view = await self.view_of(where, wanted)
            except SkillFailed as blocked:
                looked.append(f"{where.name} (not reached: {blocked})")
                continue
            if thing := next(iter(wanted.pick(view)), None):
                return thing
            looked.append(where.name)
        usual = self.names.usual_place(wanted.usual)
        hint = f"; it usually is on the {usual.name}" if usual and usual.name not in looked else ""
        raise SkillFailed(f"found no {wanted.name}: looked at the {listed(looked)}{hint}", NOT_FOUND, *places)

    def _worth_a_look(self, wanted: Wanted, room: Place | None, looked: Sequence[str]) -> Iterable[Place]:
        """The placements of this room, the usual one first, then the usual one elsewhere."""
        usual = self.names.usual_place(wanted.usual) if not wanted.place else None
        if wanted.place and not self.names.places[wanted.place].is_room:
            return []
        here = self.names.within(room.name) if room else []
        here = sorted(here, key=lambda p: (p is not usual, self.robot.state().pose.distance_m(p.stand)))
        places = [*here, *([usual] if usual and usual not in here else [])]
        return [p for p in places if p.name not in looked]

    async def _beside(self, thing: Thing) -> Thing:
        """What was seen from a distance, looked at again from before the place that it is on."""
        place = self.names.places.get(thing.attributes.get("on", ""))
        if place is None or not (place.placement or place.bin) or self.at_place() is place:
            return thing
        await self.view_of(place)
        return self.seen.get(thing.id, thing)

    async def near_thing(self, thing: Thing) -> None:
        """Stand within arm's reach of a thing, facing it. Raises `SkillFailed`."""
        assert thing.pose is not None
        here, pose = self.robot.state().pose, thing.pose
        far = pose.level_m(here)
        if 0.48 <= far <= 0.61:
            await self.robot.turn_to(wrap(here.yaw_rad + here.bearing_rad(pose)))
            return
        await self._ring(pose, HAND_RINGS_M, f"to the {thing.label}")

    async def find_person(self, wanted: Wanted, room: Place | None) -> Thing:
        """Look round here, then from other spots of the room; who is elsewhere is for when nobody is here.

        Raises `SkillFailed` with who was seen instead.
        """
        seen: list[Thing] = []
        for spot in (None, *(along(room, 0.25, 0.5, 0.75) if room else ())):
            if spot and not await self._to_spot(spot, room):
                continue
            _, view = await self.everywhere(_within(wanted, room))
            seen = list({t.id: t for t in (*seen, *view)}.values())
            if found := self._nearest(_within(wanted, room).pick(seen)):
                return found
        if found := self._nearest(wanted.pick(seen)):
            return found
        there = f" in the {room.name}" if room else " here"
        raise SkillFailed(f"found no {wanted.name}{there}; {_who(seen)}", NOT_FOUND)

    async def _to_spot(self, spot: tuple[float, float], room: Place | None) -> bool:
        """Drive to another point to look from; False where that would show nothing else, or cannot be."""
        here = self.robot.state().pose
        if math.dist(spot, (here.x_m, here.y_m)) < 0.9 or self.robot.way_m(*spot, near_m=0.6) is None:
            return False
        try:
            await self.robot.drive_to(*spot, None, near_m=0.6, what=f"through the {room.name}" if room else "on")
        except SkillFailed as blocked:
            if blocked.code == STOPPED:
                raise
            return False
        return True

    def _nearest(self, people: Sequence[Thing]) -> Thing | None:
        here = self.robot.state().pose
        return min(people, key=lambda p: here.distance_m(p.pose) if p.pose else math.inf, default=None)

    async def near_person(self, person: Thing) -> Thing:
        """Stand before a person, facing; the person as seen from there. Raises `SkillFailed`."""
        assert person.pose is not None
        here = self.robot.state().pose
        if person.pose.level_m(here) > 1.0:
            name = person.attributes.get("name", "person")
            called = name if name != "person" else "the person"
            await self._ring(person.pose, PERSON_RINGS_M, f"to {called}", ELBOW_M)
        else:
            await self.robot.turn_to(wrap(here.yaw_rad + here.bearing_rad(person.pose)))
        return await self.again(person, TILT_ROUND_RAD, (0.0,)) or person

    async def _ring(self, goal: Pose, rings_m: Sequence[float], what: str, room_m: float = 0.0) -> None:
        """Drive to the best free point at one of some distances from a goal, and face it."""
        none = SkillFailed(f"there is no free spot from which to get {what}")
        await self.stand_at(self._around_goal(goal, rings_m, room_m)[:RING_TRIES], goal, what, none)

    async def stand_at(self, points: Iterable[Point], goal: Pose, what: str, none: SkillFailed) -> None:
        """Drive to the first of some points that can be reached, and face a goal. Raises what was in the way, or
        `none` where there are no points."""
        for point in points:
            yaw = math.atan2(goal.y_m - point[1], goal.x_m - point[0])
            try:
                await self.robot.drive_to(*point, yaw, what=what)
                return
            except SkillFailed as failed:
                if failed.code == STOPPED:
                    raise
                none = failed
        raise none

    def _around_goal(self, goal: Pose, rings_m: Sequence[float], room_m: float) -> list[tuple[float, float]]:
        """Free points round a goal that can be driven to: a few of each ring, roomy and near ones first."""
        here, found = self.robot.state().pose, list[tuple[float, float]]()
        for ring in rings_m:
            points = sorted(
                (p for p in circle(goal, ring) if self.robot.free(*p)),
                key=lambda p: (self._tight(p, room_m), math.dist(p, (here.x_m, here.y_m))),
            )
            found += [p for p in points[:3] if self.robot.way_m(*p) is not None][:2]
            if len(found) >= RING_TRIES:
                break
        return found

    def _tight(self, point: tuple[float, float], room_m: float) -> bool:
        """Whether something is nearer to a free point than so much."""
        x, y = point
        sides = ((x + room_m, y), (x - room_m, y), (x, y + room_m), (x, y - room_m)) if room_m else ()
        return not all(self.robot.free(*p) for p in sides)


def _aligned(thing: Thing, here: Pose) -> Thing:
    """A thing with its side in the image as it were without a turn of the head: looks to all sides can be compared."""
    if thing.pose is None or thing.box is None:
        return thing
    side = min(1.0, max(0.0, 0.5 - here.bearing_rad(thing.pose) / math.pi))
    return replace(thing, box=replace(thing.box, x=side))


def circle(goal: Pose, radius_m: float) -> list[Point]:
    """Points all round a goal."""
    ways = [2 * math.pi * i / RING_STEPS for i in range(RING_STEPS)]
    return [(goal.x_m + radius_m * math.cos(a), goal.y_m + radius_m * math.sin(a)) for a in ways]


def along(room: Place, *shares: float) -> list[tuple[float, float]]:
    """Points of a room to look from, on its middle line, by how far along they are."""
    assert room.low and room.high
    (x0, y0), (x1, y1) = room.low, room.high
    return [(x0 + (x1 - x0) * share, (y0 + y1) / 2) for share in shares]


def _within(wanted: Wanted, room: Place | None) -> Wanted:
    if room is None:
        return wanted
    return replace(wanted, pick=lambda view: [t for t in wanted.pick(view) if t.pose and room.holds(t.pose)])


def _who(seen: Sequence[Thing]) -> str:
    people = [t for t in seen if t.label == "person" and t.attributes.get("name") != "operator"]
    told = [f"{t.attributes.get('name', 'somebody')} ({t.attributes.get('pose', '')})" for t in people]
    return f"saw {listed(told)}" if told else "saw nobody"
