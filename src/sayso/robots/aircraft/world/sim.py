"""The rescue drone as an ordinary robot: nine things that can be asked of it, each within what it can fly home from.

Every action is a skill that flies courses. Before a course begins the limits are asked: altitude, zone, and whether the
charge that is left after it and after the way home would still hold the reserve.
"""

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from itertools import dropwhile
from typing import Annotated, Any, ClassVar

import numpy as np

from sayso.errors import RobotError, SkillFailed, UsageError
from sayso.limits import Bound, LimitReached, Limits
from sayso.robots.aircraft.aerial import AerialCamera
from sayso.robots.aircraft.search.craft import LEVELS_M, At, Charts, Course
from sayso.robots.aircraft.search.keep_off import KeepOff
from sayso.robots.aircraft.search.sweep import CONFIRMED
from sayso.robots.aircraft.world.flight import Airframe
from sayso.roles import Robot, RobotState
from sayso.scene import Pose, plain
from sayso.search.ways import spaced
from sayso.skill import PlaceName, Range, ThingName, skill
from sayso.tables.paths import PathLaw
from sayso.task import Refused

POLL_S = 0.25
STUCK_S = 10.0

Level = Annotated[int, Range(LEVELS_M[0], LEVELS_M[-1])]


def _to_level(pose: Pose, altitude_m: int) -> list[Pose]:
    """Up or down on the spot; over hills the height above home differs, which the robot asks of its limits itself."""
    return [pose, Pose(pose.x_m, pose.y_m, max(pose.z_m, float(altitude_m)), pose.yaw_rad)]


LEVEL_PATH: PathLaw = _to_level


class SimAircraft(Robot):
    """A small quadrotor with a camera on a gimbal, over the terrain of its charts."""

    name: ClassVar[str] = "sim-aircraft"
    kind: ClassVar[str] = "aircraft"

    def __init__(
        self,
        frame: Airframe,
        camera: AerialCamera,
        limits: Limits,
        photograph: Callable[[int, int], Any],
        taken: Callable[[], None],
    ) -> None:
        self.frame, self.camera, self.limits = frame, camera, limits
        self.endurance_s = frame.charts.craft.endurance_s
        self._photograph, self._taken = photograph, taken
        self._halts = 0
        self._bounds: tuple[Bound, ...] = ()

    def bounded(self, wish: Limits) -> None:
        """Ways lead around what is to be kept off, no course is begun that would break a bound on its way, and none is
        flown faster than the wish allows."""
        self._bounds, self.charts.most_mps = wish.bounds, wish.pace_mps(math.inf)
        off = np.zeros(self.charts.terrain.shape, dtype=np.bool_)
        for bound in wish.bounds:
            if isinstance(bound, KeepOff):
                off |= bound.cells
        self.charts.off = off

    @property
    def charts(self) -> Charts:
        """What every action would cost; planners may ask it as well."""
        return self.frame.charts

    @property
    def at(self) -> At:
        """x, y and height above the ground, metres."""
        return self.frame.at

    @property
    def yaw_rad(self) -> float:
        return self.frame.yaw_rad

    def state(self) -> RobotState:
        frame = self.frame
        return RobotState(
            pose=self.pose(frame.at),
            charge=frame.charge,
            speed_mps=frame.speed_mps,
            resting=not frame.flying,
            summary=self._summary(),
            trouble="fallen: the battery ran empty in the air" if frame.fell else "",
        )

    def pose(self, at: At) -> Pose:
        """In the world frame: z is metres above the ground at home."""
        terrain = self.charts.terrain
        z_m = terrain.height_m(at[0], at[1]) - terrain.height_m(*terrain.home) + at[2]
        return Pose(at[0], at[1], z_m, self.frame.yaw_rad)

    def _summary(self) -> str:
        if self.frame.fell:
            return "fell: the battery ran empty in the air"
        x_m, y_m, high_m = self.frame.at
        if not self.frame.flying:
            return f"landed at {'home' if self.at_home else f'x {x_m:.0f} m, y {y_m:.0f} m'}, {self.frame.charge:.0%}"
        payload = self.charts.craft.payload
        return f"flying {high_m:.0f} m above the ground, camera {payload}, {self.frame.charge:.0%} battery"

    @property
    def at_home(self) -> bool:
        """Whether it stands or hovers where it started."""
        home = self.charts.terrain.home
        return math.dist(self.frame.at[:2], home) < 5.0

    def picture(self, width_px: int = 480, height_px: int = 360) -> Any:
        return self._photograph(width_px, height_px)

    @skill(uses="base", short="to", again=True, means="airborne")
    async def take_off(self) -> None:
        """Take off and climb to 30 m; does nothing in the air."""
        if self.frame.fell:
            raise SkillFailed("the aircraft lies where it fell and cannot take off")
        if not self.frame.flying:
            await self.fly(self.charts.level(self.frame.at))

    @skill(uses="base", short="rh", again=True, means="home; landed")
    async def return_home(self) -> None:
        """Return home and land; ends the flight."""
        if self.frame.flying:
            await self.fly(self.charts.home(self.frame.at))
        elif not self.at_home:
            raise SkillFailed("the aircraft is on the ground away from home")

    @skill(uses=("base", "camera"), short="sr", means="covered({area})")
    async def search_area(self, area: PlaceName) -> int:
        """Search an area from this height, up to the first sighting; how many sightings are new."""
        self._must_fly("search")
        return await self._look(self.charts.search(self.frame.at, self._area(area)))

    @skill(uses=("base", "camera"), short="ho", means="waited({duration_s} s)")
    async def hover(self, duration_s: Annotated[float, Range(1, 300)]) -> int:
        """Hover and watch the ground below; how many sightings are new."""
        self._must_fly("hover")
        return await self._look(self.charts.hover(self.frame.at, duration_s))

    @skill(uses=("base", "camera"), short="co", means="confirmed({thing})")
    async def confirm(self, thing: ThingName) -> bool:
        """Fly to a sighting, go down and let the operator look; True where it is confirmed."""
        self._must_fly("confirm anything")
        sighting = self.camera.pick(thing)
        if sighting is None or sighting.pose is None:
            raise SkillFailed(f"there is no sighting of {plain(thing)} to confirm")
        place = sighting.pose.xy
        await self.fly(self.charts.confirm(self.frame.at, place, sighting.id))
        after = self.camera.pick(sighting.id)
        return after is not None and after.attributes.get("status") == CONFIRMED

    @skill(uses="base", short="as", path=LEVEL_PATH, means="height({altitude_m} m)")
    async def ascend(self, altitude_m: Level) -> None:
        """Climb to 30, 60 or 90 m above the ground: more ground in the picture, less detail."""
        await self._level(altitude_m, up=True)

    @skill(uses="base", short="dn", path=LEVEL_PATH, means="height({altitude_m} m)")
    async def descend(self, altitude_m: Level) -> None:
        """Sink to 30, 60 or 90 m above the ground: more detail, less ground in the picture."""
        await self._level(altitude_m, up=False)

    @skill(uses=("base", "camera"), short="pm", means="covered({area})")
    async def perform_mapping(self, area: PlaceName) -> int:
        """Map an area with overlapping pictures, slower and surer than searching; how many sightings are new."""
        self._must_fly("map")
        return await self._look(self.charts.mapping(self.frame.at, self._area(area)))

    @skill(uses=("base", "camera"), short="ti", means="picture")
    async def take_image(self) -> int:
        """Take one image of the ground below; how many sightings are new."""
        self._must_fly("take an image")
        found = await self._look(self.charts.image(self.frame.at))
        self._taken()
        return found

    async def _look(self, course: Course) -> int:
        """A course with the camera running; how many sightings are new."""
        before = len(self.camera.sightings)
        await self.fly(course)
        return len(self.camera.sightings) - before

    async def _level(self, altitude_m: float, up: bool) -> None:
        self._must_fly("climb" if up else "sink")
        if altitude_m not in LEVELS_M:
            raise SkillFailed(f"the levels are 30, 60 and 90 m, not {altitude_m:g}")
        here_m = self.frame.at[2]
        if (altitude_m > here_m + 0.5) != up:
            raise SkillFailed(f"{altitude_m:g} m is not {'above' if up else 'below'} the {here_m:.0f} m of now")
        await self.fly(self.charts.level(self.frame.at, altitude_m))

    def _must_fly(self, what: str) -> None:
        if self.frame.fell:
            raise SkillFailed(f"cannot {what}: the aircraft lies where it fell")
        if not self.frame.flying:
            raise SkillFailed(f"cannot {what}: the aircraft has not taken off")

    def _area(self, name: str) -> str:
        try:
            return self.charts.terrain.area(name).name
        except UsageError as unknown:
            raise SkillFailed(str(unknown)) from unknown

    def refusal(self, course: Course) -> Refused | None:
        """The limit that this course would break, or None."""
        frame = self.frame
        over = [self.pose(frame.at), *(self.pose(leg.to) for leg in course.legs)]
        if refused := replace(self.limits, bounds=()).path_refusal(over) or self._out_of_bounds(course):
            return refused
        if course.legs and course.legs[-1].to[2] <= 0:
            return None  # coming down is never refused
        left = self.charts.left_at_home(frame.charge, frame.at, course)
        if left >= self.limits.battery_reserve:
            return None
        return Refused(
            "battery reserve",
            f"{max(left, 0.0):.0%} left after the way home",
            f"at least {self.limits.battery_reserve:.0%}",
        )

    def _out_of_bounds(self, course: Course) -> Refused | None:
        """The bound of the wish that a course breaks anew; the way out of what it stands in already breaks none."""
        corners = (self.frame.at, *(leg.to for leg in course.legs))
        way = [self.pose((x, y, z)) for x, y, z in spaced(corners, self.charts.terrain.cell_m)]
        for bound in self._bounds:
            refusals = [bound.refusal(pose) for pose in way]
            entered = dropwhile(lambda refused: refused is not None, refusals)
            if refused := next(filter(None, entered), None):
                return refused
        return None

    async def fly(self, course: Course) -> None:
        """Raises `LimitReached` for a course that must not be begun, `SkillFailed` for one that did not end."""
        if refused := self.refusal(course):
            raise LimitReached(refused)
        self.frame.fly(course)
        try:
            await self._until_flown(course)
        except BaseException:
            if self.frame.course is course:
                self.frame.drop()
            raise
        if self.frame.fell:
            raise SkillFailed("the battery ran empty in the air and the aircraft fell")

    async def _until_flown(self, course: Course) -> None:
        seen_s, stuck_s, halts = self.frame.now_s, 0.0, self._halts
        while self.frame.course is course:
            await asyncio.sleep(POLL_S)
            stuck_s = 0.0 if self.frame.now_s > seen_s else stuck_s + POLL_S
            seen_s = self.frame.now_s
            if stuck_s > STUCK_S:
                raise SkillFailed("nothing moves: the world is not running")
        if self._halts > halts:
            raise SkillFailed("halted")

    async def halt(self) -> None:
        """Give the course up and hover here; whoever waits for it gets `SkillFailed`."""
        self._halts += 1
        self.frame.drop()

    async def rest(self) -> None:
        """Home and down; where the charge would not last for that, down here."""
        await self.halt()
        if not self.frame.flying:
            return
        frame = self.frame
        far = self.charts.left_at_home(frame.charge, frame.at) < 0.02
        course = self.charts.level(frame.at, 0.0) if far else self.charts.home(frame.at)
        frame.fly(course)
        try:
            await self._until_flown(course)
        except SkillFailed as failed:
            raise RobotError(f"the aircraft was told to land: {failed}") from failed
