"""The way of a drone round what a wish or what stands there keeps it from, to where it can reach a thing.

Cells at the present height that every limit allows, the shortest way over them, pulled straight. What the range sensors
met is left out of it; what they have not seen yet is found when it is flown.
"""

import math
from collections.abc import Callable, Sequence

from sayso.limits import Limits
from sayso.scene import Pose
from sayso.search.ways import cheapest, pulled

CELL_M, AROUND_M = 0.2, 3.0
"""How finely a way is looked for, and how far about the two ends of it."""

MET_M = 0.5
"""So far from where something was met no way is looked for, unless it is there already."""


def detour(
    limits: Limits, here: Pose, about: Pose, there: Callable[[Pose], bool], met: Sequence[Pose] = ()
) -> list[Pose]:
    """The corners of the shortest allowed way to a pose that is `there`, which lies about a place; empty for none."""

    kept = [(m, min(MET_M, 0.9 * here.level_m(m))) for m in met]

    def free(one: Pose, other: Pose) -> bool:
        steps = max(1, math.ceil(one.level_m(other) / CELL_M))
        way = [one.towards(other, n / steps) for n in range(steps + 1)]
        return limits.path_refusal((one, other)) is None and all(p.level_m(m) > far_m for p in way for m, far_m in kept)

    def cost(cell: tuple[int, int]) -> float:
        to = _pose(here, cell)
        return CELL_M if min(to.level_m(about), to.level_m(here)) <= AROUND_M else math.inf

    cells = cheapest(
        (0, 0),
        over=lambda cell: cell != (0, 0) and there(_pose(here, cell)),
        cost=cost,
        free=lambda cell, following: free(_pose(here, cell), _pose(here, following)),
    )
    return pulled([_pose(here, cell) for cell in cells], free)


def _pose(here: Pose, cell: tuple[int, int]) -> Pose:
    return Pose(here.x_m + CELL_M * cell[0], here.y_m + CELL_M * cell[1], here.z_m, here.yaw_rad)
