"""The plain motions of a search aircraft: heights, directions, turns, a place of the map to fly to.

These stand beside the steps of a search, of which a planner weighs which is worth it. Who stands on the ground takes
off first and says so. Each course is asked of the limits before it begins, with the way home behind it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Protocol, TypeAlias

from sayso.errors import SkillFailed
from sayso.grounding.inflection import definite, indefinite, none_of, row, sentence
from sayso.grounding.people import is_person
from sayso.grounding.phrases import called
from sayso.robots.aircraft.search.craft import At, Charts, Course, Leg
from sayso.roles import Perception
from sayso.scene import Pose
from sayso.skill import Choice, PlaceName, Range, skill
from sayso.skills.motions import Motion, moving, turning, waiting
from sayso.understanding.things import which

DISTANCE = Range(1, 3000)
Distance: TypeAlias = Annotated[float, DISTANCE]
Height: TypeAlias = Annotated[float, Range(5, 500)]

COMPASS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")

LOWEST_M = 5.0
"""Lower than this above the ground it only takes off and lands."""

ALONG = ("all along it", "eastward", "northward", "westward", "southward")
"""Which way a road or a brook is followed; the first is from its nearer end."""

CIRCLE_M, CIRCLE_SIDES = 50.0, 12

SETTLED_S = 0.6
"""How long it takes to come to rest."""


def _heading(eighth: int, short: str) -> Motion:
    """The skill of flying towards one of the eight sides of the compass."""
    side, yaw_rad = COMPASS[eighth], eighth * math.pi / 4

    def path(pose: Pose, distance_m: float) -> list[Pose]:
        return [pose, replace(pose, yaw_rad=yaw_rad).moved(distance_m)]

    async def head(self: Flying, distance_m: Distance) -> None:
        await self.go_to(path(self.pose, distance_m)[1], ahead=True)

    head.__doc__ = f"Fly {side} by a distance."
    means = f"moved({side}, {{distance_m}} m)"
    return skill(uses="base", name=f"move_{side}", short=short, path=path, means=means)(head)


def _side(here: Pose, there: Pose) -> str:
    """On which side of the compass a spot lies."""
    way_rad = math.atan2(there.y_m - here.y_m, there.x_m - here.x_m)
    return COMPASS[round(way_rad / (math.pi / 4)) % len(COMPASS)]


class Aircraft(Protocol):
    """What flying by courses asks of an aircraft."""

    charts: Charts

    @property
    def at(self) -> At:
        """x and y in metres, and metres above the ground there."""

    @property
    def yaw_rad(self) -> float: ...

    async def fly(self, course: Course) -> None:
        """Raises `LimitReached` for a course that must not be begun, `SkillFailed` for one that did not end."""


class Flying:
    """The plain motions of one aircraft in one mission."""

    def __init__(self, aircraft: Aircraft, tell: Callable[[str], None], eyes: Perception) -> None:
        self._aircraft, self._tell, self._eyes = aircraft, tell, eyes

    @skill(uses="base", short="fa", again=True, means="height({height_m} m)")
    async def fly_at(self, height_m: Height) -> None:
        """Climb or sink to a height above the ground below."""
        await self._fly(self._aircraft.charts.level(self._aircraft.at, height_m))

    move_up = moving("up", "Climb by a distance.", DISTANCE, unit="m")
    move_down = moving("down", "Sink by a distance.", DISTANCE, unit="m")
    move_forward = moving(
        "forward", "Fly straight ahead by a distance, at this height above the ground.", DISTANCE, unit="m"
    )
    move_backward = moving("back", "Fly backward by a distance, without turning.", DISTANCE, unit="m")
    move_left = moving("left", "Fly to the left by a distance, without turning.", DISTANCE, unit="m")
    move_right = moving("right", "Fly to the right by a distance, without turning.", DISTANCE, unit="m")

    move_north, move_east, move_south, move_west = (
        _heading(n, short) for n, short in ((2, "nn"), (0, "me"), (6, "ms"), (4, "mw"))
    )

    turn_cw, turn_ccw = turning("right"), turning("left")
    delay = waiting("Stay where you are for a while.", 300)

    @skill(uses="base", short="ft", again=True, means="over({place})")
    async def fly_to(self, place: PlaceName) -> None:
        """Fly to the middle of a place of the map, at this height above the ground."""
        _, to = self._place(place)
        await self.go_to(to, ahead=True)

    @skill(uses="base", short="cr", again=True, means="over({place}, 'once round its middle')")
    async def circle(self, place: PlaceName) -> None:
        """Fly once round the middle of a place of the map, 50 m from it, at this height above the ground."""
        _, middle = self._place(place)
        await self._aloft()
        ring = (replace(middle, yaw_rad=n * math.tau / CIRCLE_SIDES).moved(CIRCLE_M) for n in range(CIRCLE_SIDES + 1))
        await self._through([(to.x_m, to.y_m) for to in (*ring, middle)])

    @skill(uses="base", short="fg", again=True, means="over({place}, {way})")
    async def fly_along(self, place: PlaceName, way: Annotated[str, Choice(*ALONG)] = ALONG[0]) -> None:
        """Fly along a place of the map, a road or a brook, from its nearer end to the other, or to one side of it."""
        line = self._aircraft.charts.terrain.line(self._place(place)[0])
        await self._aloft()
        side_rad, here = (ALONG.index(way) - 1) * math.pi / 2, self.pose

        def ahead_m(end: tuple[float, float]) -> float:
            return here.level_m(Pose(*end)) if way == ALONG[0] else Pose(*end).seen_from(Pose(0, 0, 0, side_rad)).x_m

        await self._through(line if ahead_m(line[0]) <= ahead_m(line[-1]) else line[::-1])

    async def _through(self, spots: Sequence[tuple[float, float]]) -> None:
        """One course through them, at this height above the ground."""
        at, legs = self._aircraft.at, list[Leg]()
        for x_m, y_m in spots:
            legs += self._aircraft.charts.way(legs[-1].to if legs else at, (x_m, y_m, at[2]), ahead=True).legs
        await self._fly(Course(tuple(legs)))

    @skill(short="sg")
    async def sighted(self) -> str:
        """What has been sighted so far, each kind once."""
        things = [t for t in await self._eyes.look() if "status" in t.attributes]
        kinds = list(dict.fromkeys(indefinite(thing.label) for thing in things))
        return f"I have sighted {row(kinds)}." if kinds else "I have sighted nothing and nobody so far."

    @skill(short="wi")
    async def where_is(self, place: PlaceName) -> str:
        """Where a place of the map is, seen from the aircraft: how far, and on which side; all that are called so."""
        return " ".join(map(self._whereabouts, self._called(place) or [self._place(place)[0]]))

    @skill(short="mp")
    async def on_map(self, place: str) -> str:
        """Which places of a kind there are on the map, and where the nearest is."""
        found = self._called(place)
        if not found and is_person(place):
            return "I have sighted nobody so far. Tell me where to search."
        if not found:
            return f"I know {none_of(place)} on my map and sighted none. Tell me where to search."
        there = f"there {'is one' if len(found) == 1 else f'are {len(found)}'}: {row(list(map(definite, found)))}"
        return f"On my map {there}. {self._whereabouts(found[0])}"

    @skill(short="sz")
    async def size_of(self, place: PlaceName) -> str:
        """How large a place of the map is."""
        name, terrain = self._place(place)[0], self._aircraft.charts.terrain
        rows, columns = terrain.area(name).window
        wide_m, long_m = (terrain.cell_m * (side.stop - side.start) for side in (columns, rows))
        return sentence(f"{definite(name)} is {wide_m:.0f} m from west to east and {long_m:.0f} m from north to south")

    def _whereabouts(self, name: str) -> str:
        terrain, here = self._aircraft.charts.terrain, self.pose
        if name in terrain.ground.below(here):
            return sentence(f"{definite(name)} is right here, below me")
        middle = Pose(*terrain.inside(name))
        edge = Pose(*min(terrain.spots(name), key=lambda at: math.dist(at, (here.x_m, here.y_m))))
        near, far = (f"{to.level_m(here):.0f} m to the {_side(here, to)}" for to in (edge, middle))
        return sentence(f"{definite(name)} is {near} where it is nearest, and its middle is {far}")

    def _called(self, phrase: str) -> list[str]:
        """The places that a phrase may mean, the nearest first, and that alone where it is asked for."""
        terrain, told = self._aircraft.charts.terrain, which(f"the {phrase}")
        one = told if told and told.rank == "nearest" else None
        found = called(one.kind if one else phrase, terrain.places)
        return sorted(found, key=lambda name: Pose(*terrain.inside(name)).level_m(self.pose))[: 1 if one else None]

    def _place(self, phrase: str) -> tuple[str, Pose]:
        """The place that is meant. Raises `SkillFailed` with a question where that is none or several."""
        terrain, found = self._aircraft.charts.terrain, self._called(phrase)
        if len(found) != 1:
            some = row(found or terrain.named, "or")
            known = f"Which {phrase} do you mean" if found else f"I know no place called {phrase}. Where do you mean"
            raise SkillFailed(f"{known}: {some}?")
        return found[0], Pose(*terrain.inside(found[0]))

    @property
    def pose(self) -> Pose:
        x_m, y_m, _ = self._aircraft.at
        return Pose(x_m, y_m, 0.0, self._aircraft.yaw_rad)

    async def _fly(self, course: Course) -> None:
        """A course, with a moment at rest before it and behind it, so that each way begins and ends at a spot."""
        await asyncio.sleep(SETTLED_S)
        await self._aircraft.fly(course)
        await asyncio.sleep(SETTLED_S)

    async def _aloft(self) -> None:
        """Take off where it stands on the ground, and say so."""
        if self._aircraft.at[2] < LOWEST_M:
            self._tell("I am on the ground, so I take off first.")
            await self._fly(self._aircraft.charts.level(self._aircraft.at))

    async def go(self, forward_m: float, left_m: float, up_m: float) -> None:
        if up_m:
            await self._rise(up_m)
        else:
            await self.go_to(self.pose.moved(forward_m, left_m))

    async def _rise(self, up_m: float) -> None:
        """Up or down; from the ground it is the height above it."""
        high_m = self._aircraft.at[2]
        if high_m + up_m < LOWEST_M:
            above = f"{high_m:.0f} m above the ground"
            raise SkillFailed(f"I am {above} and stay at least {LOWEST_M:g} m up; say land to come down")
        await self._aloft()
        await self._fly(self._aircraft.charts.level(self._aircraft.at, high_m + up_m))

    async def go_to(self, to: Pose, ahead: bool = False) -> None:
        """At the height above the ground that it has; not `ahead` sideways and backwards too."""
        await self._aloft()
        charts, at = self._aircraft.charts, self._aircraft.at
        await self._fly(charts.way(at, (to.x_m, to.y_m, at[2]), ahead=ahead))

    async def turn(self, angle_rad: float) -> None:
        await self._aloft()
        await self._fly(self._aircraft.charts.turn(self._aircraft.at, angle_rad))
