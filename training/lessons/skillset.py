"""The real skills of a drone, without a world: what plans are checked against."""

from __future__ import annotations

import functools
from typing import Any, cast

from sayso.robots.drone.kit import drone_skills
from sayso.skill import SkillSet


class _Unflown:
    """Stands where a robot and its perception would: but for its least way, nothing is touched until a skill runs."""

    least_move_m = 0.0


@functools.cache
def drone_set() -> SkillSet:
    """The shared skills of every drone that lessons are about, native and composed."""
    nobody = cast(Any, _Unflown())
    return drone_skills(nobody, nobody, None, lambda text: None, lambda picture, labels: None)
