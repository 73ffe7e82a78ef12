"""The real skills of a drone: what plans are checked against."""

from __future__ import annotations

import functools

from sayso.skill import SkillSet
from sayso.skills import skills_for
from sayso.worlds import make


@functools.cache
def drone_set() -> SkillSet:
    """The shared skills of every drone that lessons are about, native and composed; nothing is flown."""
    world = make("office", scene="empty")
    return skills_for(world.robot, world.perception)
