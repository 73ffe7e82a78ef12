"""The navigation of a base: a path over the map, what the lidar adds to it, and a follower that slows and stops.

The map is what does not move, with every door open. What the lidar sees and the map does not explain is an obstacle:
people, closed doors, things left about. It is remembered until the lidar looks through it again. A blocked way is
waited for a little, then gone round, and where there is no way round, looked at anew and failed with where it is
blocked.
"""

import asyncio
import math
from collections.abc import Callable, Sequence

from sayso.errors import SkillFailed
from sayso.scene import Pose, wrap
from sayso.search.ways import spaced
from sayso.task import STOPPED, WAY_BLOCKED
from sayso.worlds.indoor.grid_path import GridMap, Point, find_path, length_m
from sayso.worlds.indoor.mobile_base import MobileBase

POLL_S = 0.05
SCAN_S = 0.25
CLEAR_M = 0.02  # beyond the base's own radius
EXPLAINED_M = 0.22  # a lidar hit this near to the map's own obstacles is one of them
MARK_M = 0.14
LOOKAHEAD_M = 0.35
SLOW_M, STOP_M = 0.75, 0.36  # to something ahead, from the axis
ARRIVED_M, ARRIVED_RAD = 0.03, math.radians(2)
WAIT_S, TRIES = 2.5, 3
STUCK_S = 12.0

NameOf = Callable[[Point], str]
"""Words for a point on the floor: `the kitchen door`, `the corridor`."""


class Navigator:
    """Drives one base. `still_map` is what does not move; `name_of` says where something is."""

    def __init__(self, base: MobileBase, still_map: GridMap, name_of: NameOf) -> None:
        self._base, self._map, self._name_of = base, still_map, name_of
        self.radius_m = base.radius_m + CLEAR_M
        self._marks: dict[Point, float] = {}
        self._known: GridMap | None = None
        self._ahead_m = math.inf
        self.ended = ""

    def grid(self) -> GridMap:
        """The map with what the lidar has added."""
        if self._known is None:
            self._known = self._map.marked(self._marks, MARK_M) if self._marks else self._map
        return self._known

    def way_m(self, goal: Point, near_m: float = 0.0) -> float | None:
        """How far it is to drive there, or None where there is no way that is known."""
        path = self._plan(goal, near_m)
        return None if path is None else length_m(path)

    def free(self, point: Point) -> bool:
        """Whether the base could stand there, as far as is known."""
        return self.grid().free_m(point) >= self.radius_m

    def look(self) -> None:
        """Take one sweep of the lidar into the map."""
        here = self._base.pose
        eye = here.xy
        turns, ranges = self._base.scan()
        self._forget(eye, turns.tolist(), ranges.tolist())
        ahead = math.inf
        for turn, far in zip(turns.tolist(), ranges.tolist(), strict=True):
            if math.isinf(far):
                continue
            off = wrap(turn - here.yaw_rad)
            if abs(far * math.sin(off)) < self.radius_m and abs(off) < math.pi / 2:
                ahead = min(ahead, far * math.cos(off))
            hit = (eye[0] + far * math.cos(turn), eye[1] + far * math.sin(turn))
            if self._map.free_m(hit) > EXPLAINED_M:
                beyond = (far + 0.08) / far
                mark = (eye[0] + (hit[0] - eye[0]) * beyond, eye[1] + (hit[1] - eye[1]) * beyond)
                rounded = (round(mark[0], 1), round(mark[1], 1))
                if rounded not in self._marks:
                    self._known = None
                self._marks[rounded] = far
        self._ahead_m = ahead

    def _forget(self, eye: Point, turns: Sequence[float], ranges: Sequence[float]) -> None:
        """Drop what the lidar has just looked through."""
        first, step = turns[0], turns[1] - turns[0]
        for mark in list(self._marks):
            way = math.atan2(mark[1] - eye[1], mark[0] - eye[0])
            index = round(((way - first) % (2 * math.pi)) / step)
            far = math.dist(mark, eye)
            if index < len(ranges) and ranges[index] > far + 0.25 and far < self._base.lidar_reach_m - 0.3:
                del self._marks[mark]
                self._known = None

    def _forget_all(self) -> None:
        """Drop what is only remembered: a door that was shut may be open by now, and who goes there sees it."""
        self._marks, self._known = {}, None
        self.look()

    def stop(self, why: str = "halted") -> None:
        """Give up driving; whoever drives fails with `why`."""
        self.ended = why
        self._base.stop()

    async def go(self, goal: Point, yaw_rad: float | None = None, near_m: float = 0.0, what: str = "there") -> None:
        """Drive to a point and turn to a heading. With `near_m` the nearest reachable point will do.

        Raises `SkillFailed` with where the way is blocked.
        """
        self.ended = ""
        try:
            for attempt in range(TRIES):
                self.look()
                path = self._plan(goal, near_m)
                if path is None and not attempt:
                    self._forget_all()
                    path = self._plan(goal, near_m)
                if path is not None and await self._follow(path):
                    break
                if attempt == TRIES - 1:
                    raise self._blocked(goal, near_m, what)
                if path is None:
                    await self._wait(WAIT_S)
            if yaw_rad is not None:
                await self.turn_to(yaw_rad)
        finally:
            self._base.stop()

    async def turn_to(self, yaw_rad: float) -> None:
        """Turn on the spot to a heading in the world."""
        self.ended = ""
        try:
            for _ in range(int(8 / POLL_S)):
                off = wrap(yaw_rad - self._base.pose.yaw_rad)
                if abs(off) < ARRIVED_RAD and abs(self._base.velocity[1]) < 0.1:
                    return
                self._base.drive(0.0, math.copysign(min(1.5, 0.05 + 2.2 * abs(off)), off))
                await self._tick()
            raise SkillFailed("the base does not turn")
        finally:
            self._base.stop()

    async def _tick(self) -> None:
        await asyncio.sleep(POLL_S)
        if self.ended:
            raise SkillFailed(f"stopped: {self.ended}", STOPPED)

    async def _wait(self, seconds: float) -> None:
        self._base.stop()
        for _ in range(int(seconds / POLL_S)):
            await self._tick()

    def _plan(self, goal: Point, near_m: float) -> tuple[Point, ...] | None:
        return find_path(self.grid(), self._base.pose.xy, goal, self.radius_m, near_m=near_m)

    async def _follow(self, path: tuple[Point, ...]) -> bool:
        """Drive along; False where something came into the way, so that a new way is wanted."""
        corners, since_look_s, waited_s = list(path[1:]), SCAN_S, 0.0
        goal, still_s, best_m = path[-1], 0.0, math.inf
        while True:
            here = self._base.pose
            at = here.xy
            if math.dist(at, goal) < ARRIVED_M:
                return True
            while len(corners) > 1 and math.dist(at, corners[0]) < LOOKAHEAD_M * 0.6:
                corners.pop(0)
            if since_look_s >= SCAN_S:
                since_look_s, before = 0.0, self._known
                self.look()
                if self._known is not before and not self._open((at, *corners)):
                    self._base.stop()
                    return False
            forward, turn = self._steer(here, corners)
            waited_s = waited_s + POLL_S if forward == 0.0 and turn == 0.0 else 0.0
            left_m = length_m((at, *corners))
            still_s, best_m = (0.0, left_m) if left_m < best_m - 0.02 else (still_s + POLL_S, best_m)
            if waited_s > WAIT_S or still_s > STUCK_S:
                return False
            self._base.drive(forward, turn)
            await self._tick()
            since_look_s += POLL_S

    def _open(self, path: Sequence[Point]) -> bool:
        """Whether the way is still free, the first step aside: the base is where it is."""
        grid, here = self.grid(), path[0]
        return all(
            grid.free_m((x, y)) >= self.radius_m - grid.cell_m or math.dist((x, y), here) < self.radius_m
            for x, y in spaced(path, grid.cell_m)
        )

    def _steer(self, here: Pose, corners: Sequence[Point]) -> tuple[float, float]:
        """Forward speed and turn rate towards the next corner."""
        goal = corners[0]
        far = math.dist(here.xy, goal)
        off = here.bearing_rad(Pose(*goal))
        if len(corners) == 1 and far < 0.12:
            return _nudge(far, off)
        turn = max(-1.6, min(1.6, 2.4 * off))
        if abs(off) > math.radians(40):
            return 0.0, turn
        left_m = length_m((here.xy, *corners))
        forward = min(self._base.speed_mps * math.cos(off) ** 2, math.sqrt(1.0 * left_m), 0.1 + 1.5 * left_m)
        if len(corners) > 1:
            bend = abs(wrap(math.atan2(corners[1][1] - goal[1], corners[1][0] - goal[0]) - here.yaw_rad - off))
            forward = min(forward, 0.25 + 1.2 * far if bend > 0.7 else forward)
        if self._ahead_m < min(SLOW_M, far + self.radius_m):
            forward = min(forward, max(0.0, self._ahead_m - STOP_M))
        return (forward if forward > 0.02 else 0.0), turn if abs(off) > 0.01 else 0.0

    def _blocked(self, goal: Point, near_m: float, what: str) -> SkillFailed:
        """Why there is no way, and where."""
        at = self._base.pose.xy
        open_way = find_path(self._map, at, goal, self.radius_m, near_m=near_m)
        if open_way is None:
            return SkillFailed(f"there is no way {what}: it cannot be reached from {self._name_of(at)}", WAY_BLOCKED)
        grid = self.grid()
        tight = [(x, y) for x, y in spaced(open_way, grid.cell_m) if grid.free_m((x, y)) < self.radius_m]
        tight = [p for p in tight if math.dist(p, at) > self.radius_m] or tight
        spot = tight[0] if tight else goal
        name = self._name_of(spot)
        shut = "; it may be closed: ask somebody near to open it" if name.endswith("door") else ""
        told = f"the way {what} is blocked at {name} (x {spot[0]:.1f} m, y {spot[1]:.1f} m){shut}"
        return SkillFailed(told, WAY_BLOCKED, name.removeprefix("the "))


def _nudge(far: float, off: float) -> tuple[float, float]:
    """The last few centimetres: straight at the point, backwards where it lies behind."""
    behind = abs(off) > math.pi / 2
    turn = wrap(off + math.pi) if behind else off
    pace = min(0.15, 0.02 + 1.2 * far)
    if abs(turn) > 0.5:
        return 0.0, math.copysign(0.8, turn)
    return (-pace if behind else pace), 1.5 * turn
