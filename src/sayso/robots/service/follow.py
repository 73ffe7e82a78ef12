"""The skill of following a person: round corners, through doors, and where the straight way does not lead.

The robot looks where the person was, drives towards them for a moment, and looks again. Who is out of sight is looked
for where they were seen last and a little further on their way; who stands waiting far off is gone round to.
"""

import asyncio
import math
from contextlib import suppress

from sayso.errors import SkillFailed
from sayso.grounding.matching import Wanted
from sayso.scene import Pose, Thing, wrap
from sayso.skills.looking import TILT_ROUND_RAD, Search

FOLLOW_AT_M, FOLLOW_STEP_S, STOOD_S, PATIENCE_S = 1.0, 1.0, 3.5, 10.0
CATCH_UP_M = ((0.0, 0.0), (0.9, 0.0), (0.6, 0.9), (0.6, -0.9), (1.8, 0.0), (0.0, 1.6), (0.0, -1.6))
"""Where to look for somebody who is out of sight: metres beyond where they were seen last, and to the left of that."""
CATCH_UP_S = 10.0
WAITS_M, ROUNDABOUT_MAX = 1.7, 3
"""Who leads and stands still further away than this waits for the robot, which looks for another way so many times."""


class Follow:
    """One person followed by one robot."""

    def __init__(self, search: Search) -> None:
        self._robot, self._search = search.robot, search

    async def behind(self, person: Thing) -> Thing:
        """Until they stand still for a while; the person as seen then. Raises `SkillFailed`."""
        loop, stood_s, moved, roundabout = asyncio.get_running_loop(), 0.0, False, 0
        last, lost, heading_rad = person, 0, person.pose.yaw_rad if person.pose else 0.0
        while True:
            seen = await self._track(last)
            if seen is None:
                if lost == len(CATCH_UP_M):
                    room = self._search.room()
                    raise SkillFailed(f"lost sight of {_called(last)} in the {room.name if room else 'flat'}")
                found = await self._catch_up(last, heading_rad, CATCH_UP_M[lost]) or last
                last, heading_rad, lost = found, _heading(last, found, heading_rad), lost + 1
                continue
            gone, heading_rad = _moved_m(last, seen), _heading(last, seen, heading_rad)
            moved, lost = moved or gone > 0.15, 0
            stood_s = 0.0 if gone > 0.08 else stood_s + FOLLOW_STEP_S
            last = seen
            if stood_s >= (STOOD_S if moved else PATIENCE_S):
                if self._apart_m(seen) <= WAITS_M or roundabout == ROUNDABOUT_MAX:
                    break
                stood_s, roundabout = 0.0, roundabout + 1
                with suppress(SkillFailed):  # they wait where the straight way does not lead
                    await self._search.near_person(seen)
            began_s = loop.time()
            await self._chase(seen)
            await asyncio.sleep(max(0.0, FOLLOW_STEP_S - (loop.time() - began_s)))
        if not moved and _moved_m(person, last) < WAITS_M:
            raise SkillFailed(f"{_called(last)} does not lead anywhere")
        return await self._search.near_person(last)

    async def _catch_up(self, person: Thing, heading_rad: float, beyond_m: tuple[float, float]) -> Thing | None:
        """Go where a person was seen last, or as far beyond and aside on their way, and look all round from there."""
        assert person.pose is not None
        there = Pose(person.pose.x_m, person.pose.y_m, 0.0, heading_rad).moved(*beyond_m)
        try:
            async with asyncio.timeout(CATCH_UP_S):
                await self._robot.drive_to(there.x_m, there.y_m, None, near_m=0.5, what="after the person")
        except (TimeoutError, SkillFailed):
            pass  # from wherever that was, a look round may still show them
        same = Wanted(person.attributes.get("name", "person"), lambda view: [t for t in view if t.id == person.id])
        return (await self._search.everywhere(same))[0]

    async def _track(self, person: Thing) -> Thing | None:
        """The same person again: where they were, then to both sides."""
        assert person.pose is not None
        ahead = self._robot.state().pose.bearing_rad(person.pose)
        return await self._search.again(person, TILT_ROUND_RAD / 2, [wrap(ahead + pan) for pan in (0.0, 0.9, -0.9)])

    def _apart_m(self, person: Thing) -> float:
        assert person.pose is not None
        return person.pose.level_m(self._robot.state().pose)

    async def _chase(self, person: Thing) -> None:
        """Drive towards a person for a second."""
        assert person.pose is not None
        here, far = self._robot.state().pose, self._apart_m(person)
        if far <= FOLLOW_AT_M + 0.1:
            return
        share = (far - FOLLOW_AT_M) / far
        goal = here.x_m + share * (person.pose.x_m - here.x_m), here.y_m + share * (person.pose.y_m - here.y_m)
        try:
            async with asyncio.timeout(2 * FOLLOW_STEP_S):
                await self._robot.drive_to(*goal, None, near_m=0.6, what="after the person")
        except (TimeoutError, SkillFailed):
            return  # a new look and a new goal follow at once


def _called(person: Thing) -> str:
    return person.attributes.get("name", "the person")


def _moved_m(before: Thing, after: Thing) -> float:
    assert before.pose is not None and after.pose is not None
    return after.pose.level_m(before.pose)


def _heading(before: Thing, after: Thing, else_rad: float) -> float:
    """Where somebody goes, as far as two looks tell."""
    if _moved_m(before, after) < 0.1:
        return else_rad
    assert before.pose is not None and after.pose is not None
    return math.atan2(after.pose.y_m - before.pose.y_m, after.pose.x_m - before.pose.x_m)
