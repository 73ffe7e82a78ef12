"""The skills of a warehouse robot: go_to, pick_up, place, and two questions about what it sees.

One object in the hand; go_to before every pick_up and place, since these two move along the side of the furniture at
which the robot stands and no further. A failure says what was tried and what is known instead: that is the feedback
that a planner steps by.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from sayso.errors import SkillFailed
from sayso.grounding.inflection import listed
from sayso.grounding.matching import must_want, wanted_thing
from sayso.grounding.names import START_NAMES, Place, bare, read_names
from sayso.grounding.people import is_person
from sayso.robots.warehouse import failures
from sayso.roles import Perception
from sayso.scene import Pose, Thing, wrap
from sayso.skill import PlaceName, ThingName, skill
from sayso.skills.hands import free_spots, grip
from sayso.skills.looking import HAND_RINGS_M, ROUND, TABLE, TILT_TABLE_RAD, Search, ServiceRobot, circle
from sayso.task import FELL, STOPPED, UNSENSED

SIDES = ("front", "left", "back", "right")
"""Of a piece of furniture, as its own x and y point, a quarter turn each; elsewhere they are numbers in this order."""

TURNS = {"close": 0, "near": 0, "this": 0, "right": 1, "far": 2, "other": 2, "opposite": 2, "back": 2, "left": -1}
"""How a person who stands before it calls the sides: quarter turns from the one where they stand."""

CALLED = ("close", "right", "far", "left")
"""The sides as that person calls them."""

STAND_M = 0.42
REACH_IN_M = 0.38
"""How far in from the edge the arm gets."""

ROOM_M = 0.34
"""Nearer to an edge than this a base that watches its lidar hardly goes by itself."""

POINTS_MAX, STANDS_MAX = 12, 3
"""So many points are looked at, and so many driven to, before a thing counts as out of reach."""

AT_M = 0.85
CARRIED_M = 0.76
"""From the camera to what the folded arm carries; a table is further away."""

PUT_M = 0.1
"""What is seen so near to where something was put down is that."""

LOW_M = 0.25
"""What is lower than this lies on the floor."""

TILT_FLOOR_RAD = math.radians(45)
FLOOR_RINGS_M = (0.54, 0.50, 0.58)
"""From how far the arm gets to the floor."""

FLOOR_M = 2.5
"""So far around itself the robot looks for what lies on the floor."""

STEP_M, STEPS_AWAY_RAD = 0.9, (math.pi, math.pi / 2, -math.pi / 2, 0.0)
"""A step back to see what lies at the base's own feet, or to whichever side there is room."""

LOOKS_AGAIN_RAD = (TILT_TABLE_RAD, TILT_TABLE_RAD + 0.2)
"""How the head is tilted to look, and to look again for what was not recognised."""

_SIDED = re.compile(r"(?:the )?(\w+) (?:side|end) of (.+)")
_POINT = re.compile(r"\(?\s*(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)\s*\)?")


class PickingRobot(ServiceRobot, Protocol):
    """A service robot that can look at what it holds."""

    def in_hand(self) -> str:
        """What is in the hand, as the wrist's camera sees it; empty where it cannot tell."""


class Picking:
    """The skills of one robot in one mission; its `home` is where it first was."""

    def __init__(self, robot: PickingRobot, perception: Perception, home: Pose | None = None) -> None:
        self._robot = robot
        self.names = read_names(robot.knowledge)
        self.search = Search(robot, perception, self.names)
        self._start = home or robot.state().pose
        self._here: dict[str, Thing] = {}
        self._held, self._on_floor, self._sent = "", False, ""

    @skill(uses=("base", "head"), short="go", again=True, means="visited({place})")
    async def go_to(self, place: PlaceName) -> str:
        """Drive to a place, a side of it ('far side of fruit table') or a point 'x, y'; tells what is seen there."""
        text = str(place)
        if point := _POINT.fullmatch(text.strip()):
            await self._near(Pose(float(point[1]), float(point[2])), f"to {text}")
            return await self._arrived(None)
        if bare(text) in START_NAMES:
            await self._drive(self._start, "back to the start")
            return await self._arrived(None)
        sided = _SIDED.fullmatch(text.strip().lower())
        where = self.names.must_place(sided[2] if sided else text)
        stand = self._stand(where, self._side_called(where, sided[1])) if sided else where.stand
        await self._drive(stand, f"to the {where.name}", sent=where.name)
        return await self._arrived(where)

    @skill(uses=("base", "head", "arm", "gripper"), short="pu", means="holding({thing})")
    async def pick_up(self, thing: ThingName) -> str:
        """Take an object that is here into the hand; go_to its place first; one object at a time."""
        if self._robot.holding:
            raise SkillFailed(
                f"the hand already holds the {self._held or 'last thing'}; place it first", failures.HAND_FULL
            )
        found = await self._seen_here(str(thing))
        await self._beside(found)
        low = found.pose is not None and found.pose.z_m < LOW_M
        found = await self.search.again(found, TILT_FLOOR_RAD if low else TILT_TABLE_RAD) or found
        self._here.pop(found.id, None)  # a grasp that fails may have pushed it: then it is looked for anew
        await self._robot.grasp_at(*grip(found, self.names.kinds))
        self._held = self._robot.in_hand() or found.label
        if self._held != found.label:
            told = f"the hand took the {self._held} instead of the {found.label}; place it back first"
            raise SkillFailed(told, failures.WRONG_THING, self._held)
        return self._held

    @skill(uses=("base", "head", "arm", "gripper"), short="pl", means="placed({thing}, thing)")
    async def place(self, thing: ThingName) -> str:
        """Put what the hand holds down here; go_to the place first; where it stands now."""
        if not self._robot.holding:
            raise SkillFailed("the hand is empty; pick something up first", failures.HAND_EMPTY)
        wanted = wanted_thing(str(thing), self.names)
        if self._held and wanted and wanted.usual and self.names.thing(str(thing)) not in ("", self._held):
            raise SkillFailed(f"the hand holds the {self._held}, not the {thing}")
        where = self._at()
        if where is None or not where.placement:
            raise SkillFailed("nothing can be put down here; go_to a place with a surface first")
        goal = await self._spot(where)
        await self._beside(Thing("", where.name, pose=goal))
        await self._robot.release_at(goal.x_m, goal.y_m, goal.z_m)
        put, self._held = self._held, ""
        for tilt_rad in LOOKS_AGAIN_RAD:
            await self._look(where, tilt_rad)
            if not put or any(t.label == put and t.pose and t.pose.level_m(goal) < PUT_M for t in self._here.values()):
                return f"on the {where.name}"
        here = self._robot.state().pose
        told = f"the {put} is not where I put it down on the {where.name}; it may have fallen"
        raise SkillFailed(told, FELL, here.x_m, here.y_m)

    @skill(uses=("base", "head"), short="ws", again=True)
    async def which_side(self, thing: ThingName) -> str:
        """Which side of the furniture here an object is closest to, as the robot stands: close, far, left or right."""
        found = await self._seen_here(str(thing), reach=False)
        where = self._at()
        if where is None or found.pose is None or not where.holds(found.pose, 0.05):
            return "close"
        return self._called(where, found)

    @skill(uses=("base", "head"), short="ds", again=True)
    async def describe(self, thing: ThingName) -> str:
        """Look again, closely, and describe an object here in one sentence."""
        where = self._at()
        for tilt in (TILT_TABLE_RAD, TILT_TABLE_RAD + 0.2, TILT_TABLE_RAD - 0.15):
            await self._look(where, tilt)
        found = await self._seen_here(str(thing), reach=False)
        near = sorted(
            (t for t in self._here.values() if t.id != found.id and t.pose and found.pose),
            key=lambda t: t.pose.distance_m(found.pose) if t.pose and found.pose else 9.0,
        )
        beside = f", beside the {near[0].label}" if near else ""
        on = found.attributes.get("on", "")
        return f"a {found.attributes.get('color', '')} {found.label}{f' on the {on}' if on else ''}{beside}"

    async def there(self, kind: str, where: Place) -> Mapping[str, Thing]:
        """The objects of a kind that are seen at a place, or at every place of a room, by id."""
        if is_person(kind):
            raise SkillFailed("I look for things here, and not for people", UNSENSED)
        wanted, seen = must_want(kind, self.names), dict[str, Thing]()
        for spot in self.names.within(where.name) if where.is_room else [where]:
            await self.go_to(PlaceName(spot.name))
            seen.update(
                {t.id: t for t in wanted.pick(list(self._here.values())) if t.pose and spot.holds(t.pose, 0.05)}
            )
        return seen

    async def _drive(self, stand: Pose, what: str, turn: bool = True, sent: str = "") -> None:
        self._here, self._on_floor, self._sent = {}, not turn, sent
        yaw = stand.yaw_rad if turn else None
        await self._robot.drive_to(stand.x_m, stand.y_m, yaw, near_m=0.3, what=what)

    async def _near(self, point: Pose, what: str) -> None:
        """To a point of the floor; where something stands in the way, as near as one sees it from."""
        try:
            await self._drive(point, what, turn=False)
        except SkillFailed as failed:
            if failed.code == STOPPED or self._robot.state().pose.distance_m(point) > FLOOR_M:
                raise

    async def _arrived(self, meant: Place | None) -> str:
        """What there is, where the robot really stands."""
        where = self._at()
        if meant is not None and where is not meant:
            raise SkillFailed(f"stopped before the {meant.name} was reached; try again", failures.LOST)
        for tilt_rad in LOOKS_AGAIN_RAD if where and where.at else (TILT_FLOOR_RAD,):
            await self._look(where, tilt_rad)
        side = SIDES[self._side(where) if where and where.at else 0]
        at = f"at the {where.name}" if where else "there"
        stands = "" if side == "front" else f", at its {side}"
        return f"{at}{stands}: {listed([t.label for t in self._here.values()])} seen"

    def _at(self) -> Place | None:
        """The named place that the robot stands at, whatever the side: of several the one that it was sent to; none
        where that was a point."""
        if self._on_floor:
            return None
        here = self._robot.state().pose
        near = []
        for place in self.names.places.values():
            away = self._apart_m(place, here) if place.at else place.stand.distance_m(here)
            if away <= AT_M and not place.is_room:
                near.append((place.name != self._sent, away, place.name, place))
        return min(near)[3] if near else None

    @staticmethod
    def _out_m(place: Place, pose: Pose, side: int) -> float:
        """How far from the middle towards a side."""
        x, y = place.local(pose)
        return (x, y, -x, -y)[side]

    def _edge_m(self, place: Place, pose: Pose, side: int) -> float:
        """How far beyond the edge of a side; negative inside."""
        return self._out_m(place, pose, side) - place.size_m[side % 2] / 2

    def _apart_m(self, place: Place, pose: Pose) -> float:
        """From the nearest edge, 0 inside."""
        front, left, back, right = (self._edge_m(place, pose, side) for side in range(4))
        return math.hypot(max(0.0, front, back), max(0.0, left, right))

    def _stand(self, place: Place, side: int) -> Pose:
        """Where one stands before a side."""
        if place.at is None:
            return place.stand
        outward = place.at.moved(turn_rad=side * math.pi / 2)
        return outward.moved(place.size_m[side % 2] / 2 + STAND_M, turn_rad=math.pi)

    def _side(self, place: Place) -> int:
        """The side at which the robot stands."""
        here = self._robot.state().pose
        return max(range(4), key=lambda side: self._edge_m(place, here, side))

    def _side_called(self, place: Place, word: str) -> int:
        """The side that somebody who stands where the robot does calls so; `front` and `back` from its own front."""
        if word == "front" or place.at is None:
            return 0
        return ((self._side(place) if self._at() is place else 0) + TURNS.get(word, 0)) % 4

    def _called(self, place: Place, thing: Thing) -> str:
        """The side that a thing is closest to, as the robot stands."""
        assert thing.pose is not None
        mine, pose = self._side(place), thing.pose
        order = sorted(range(4), key=lambda side: side != (mine + 2) % 4)  # across first
        reached = [s for s in (mine, *order) if self._edge_m(place, pose, s) >= -REACH_IN_M]
        best = reached[0] if reached else max(range(4), key=lambda side: self._edge_m(place, pose, side))
        return CALLED[(best - mine) % 4]

    async def _look(self, where: Place | None, tilt_rad: float = TILT_TABLE_RAD) -> None:
        """Turn the head over what is here."""
        if where is not None and where.at is not None:
            here = self._robot.state().pose
            await self._robot.turn_to(wrap(here.yaw_rad + here.bearing_rad(where.at)))
        if where:
            _, seen = await self.search.around(TABLE if where.at else ROUND, tilt_rad)
        else:
            seen = await self._floor()
        here = self._robot.state().pose
        for thing in seen:
            near = self._robot.holding and thing.label == self._held and (thing.distance_m or 9.0) < CARRIED_M
            if thing.pose and self._is_here(thing.pose, where, here) and not near:  # the hand holds that up
                self._here[thing.id] = thing

    async def _floor(self) -> list[Thing]:
        """All that lies around: ahead, behind, and, since nobody sees what lies at their own feet, from a step away."""
        seen = await self._ground()
        here = self._robot.state().pose
        for turn_rad in STEPS_AWAY_RAD:
            if any(t.pose and t.pose.z_m < LOW_M for t in seen):
                break
            away = here.moved(STEP_M * math.cos(turn_rad), STEP_M * math.sin(turn_rad))
            if not self._robot.free(away.x_m, away.y_m) or self._robot.way_m(away.x_m, away.y_m) is None:
                continue
            back_rad = math.atan2(here.y_m - away.y_m, here.x_m - away.x_m)
            try:
                await self._robot.drive_to(away.x_m, away.y_m, back_rad, what="a step away")
            except SkillFailed as failed:
                if failed.code == STOPPED:
                    raise
                continue
            seen = await self._ground()
        return seen

    async def _ground(self) -> list[Thing]:
        """What lies ahead; where there is nothing, the base turned about for what is behind it."""
        _, seen = await self.search.around(ROUND, TILT_FLOOR_RAD)
        if not any(t.pose and t.pose.z_m < LOW_M for t in seen):
            await self._robot.turn_to(wrap(self._robot.state().pose.yaw_rad + math.pi))
            _, more = await self.search.around(ROUND, TILT_FLOOR_RAD)
            seen = [*seen, *more]
        return seen

    @staticmethod
    def _is_here(pose: Pose, where: Place | None, here: Pose) -> bool:
        low = pose.z_m < LOW_M and pose.level_m(here) < FLOOR_M
        return low or (where is not None and where.at is not None and where.holds(pose, 0.05))

    async def _seen_here(self, text: str, reach: bool = True) -> Thing:
        """The thing that is meant, of those here; one within reach where there is a choice."""
        wanted = must_want(text, self.names)
        where = self._at()
        for tilt_rad in LOOKS_AGAIN_RAD:
            if wanted.pick(list(self._here.values())):
                break
            await self._look(where, tilt_rad)
        found = [t for t in wanted.pick(list(self._here.values())) if t.pose]
        place = f" at the {where.name}" if where else ""
        if not found:
            seen = listed([t.label for t in self._here.values()])
            raise SkillFailed(f"no {wanted.name} is seen here{place}; seen: {seen}", failures.NOT_SEEN, wanted.name)
        if not reach or where is None or where.at is None:
            return found[0]
        side = self._side(where)
        near = [t for t in found if t.pose and (t.pose.z_m < LOW_M or self._edge_m(where, t.pose, side) >= -REACH_IN_M)]
        if not near:
            called = self._called(where, found[0])
            raise SkillFailed(
                f"the {found[0].label} is out of reach from this side of the {where.name}; "
                f"it is closer to the {called} side: go_to('{called} side of {where.name}')",
                failures.OUT_OF_REACH,
                called,
                where.name,
            )
        return near[0]

    async def _beside(self, thing: Thing) -> None:
        """Along this side, to where the hand gets to a thing. Raises `SkillFailed`."""
        assert thing.pose is not None
        goal, here, where = thing.pose, self._robot.state().pose, self._at()
        far = goal.level_m(here)
        low = goal.z_m < LOW_M
        rings = FLOOR_RINGS_M if low else HAND_RINGS_M
        if min(rings) <= far <= max(rings):
            await self._robot.turn_to(wrap(here.yaw_rad + here.bearing_rad(goal)))
            return
        none = SkillFailed(
            f"there is no free spot on this side from which to reach the {thing.label}", failures.OUT_OF_REACH
        )
        points = self._around(goal, here, where if where and where.at else None, rings, sided=not low)
        near = [point for point in points if self._robot.way_m(*point) is not None][:STANDS_MAX]
        await self.search.stand_at(near, goal, f"to the {thing.label}", none)

    def _around(
        self, goal: Pose, here: Pose, where: Place | None, rings: Sequence[float], sided: bool
    ) -> list[tuple[float, float]]:
        """Points to reach `goal` from, at this side: those with room before the furniture first, where a careful base
        does not stop before it gets so close, then the nearest."""
        points = [point for ring in rings for point in circle(goal, ring)]
        if where and sided:
            side = self._side(where)
            points = [p for p in points if self._out_m(where, Pose(*p), side) > 0]
        free = [p for p in points if self._robot.free(*p)]

        def order(point: tuple[float, float]) -> tuple[bool, float]:
            tight = where is not None and self._apart_m(where, Pose(*point)) < ROOM_M
            return tight, math.dist(point, (here.x_m, here.y_m))

        return sorted(free, key=order)[:POINTS_MAX]

    async def _spot(self, where: Place) -> Pose:
        """A free point here, within reach from this side, as near as can be."""
        assert where.at is not None
        await self._look(where)
        view: Sequence[Thing] = list(self._here.values())
        side, here = self._side(where), where.local(self._robot.state().pose)
        free = free_spots(where, view, self._held, self.names.kinds)
        if not free:
            raise SkillFailed(f"there is no free spot on the {where.name} for the {self._held}", failures.FULL)
        at = {spot: where.at.moved(*spot) for spot in free}
        near = [spot for spot in free if self._edge_m(where, at[spot], side) >= -REACH_IN_M]
        if not near:
            told = f"the free spots on the {where.name} are out of reach from this side; go to the far side"
            raise SkillFailed(told, failures.OUT_OF_REACH, "far", where.name)
        goal = at[min(near, key=lambda s: math.dist(s, here))]
        return Pose(goal.x_m, goal.y_m, where.size_m[2])
