"""A way round what a wish or what stands there keeps away from, to where a thing can be reached from.

Cells at the present height that every limit allows, the shortest way over them, pulled straight. What the range sensors
met on the way is left out of it; what they have not seen yet is found when it is flown.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence

from sayso.limits import Limits
from sayso.scene import Pose

CELL_M, ROOM_M = 0.2, 3.0
"""How finely a way is looked for, and how far about the two ends of it."""

MET_M = 0.5
"""So far from where something was met no way is looked for, unless it is there already."""

SIDES = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)


def detour(
    limits: Limits, here: Pose, about: Pose, there: Callable[[Pose], bool], met: Sequence[Pose] = ()
) -> list[Pose]:
    """The corners of the shortest allowed way to a pose that is `there`, which lies about a place; empty for none."""

    kept = [(m, min(MET_M, 0.9 * here.level_m(m))) for m in met]

    def free(one: Pose, other: Pose) -> bool:
        steps = max(1, math.ceil(one.level_m(other) / CELL_M))
        way = [one.towards(other, n / steps) for n in range(steps + 1)]
        return limits.path_refusal((one, other)) is None and all(p.level_m(m) > far_m for p in way for m, far_m in kept)

    came: dict[tuple[int, int], tuple[int, int] | None] = {(0, 0): None}
    best, queue = {(0, 0): 0.0}, [(0.0, (0, 0))]
    while queue:
        far_m, cell = heapq.heappop(queue)
        at = _pose(here, cell)
        if far_m > best[cell]:
            continue
        if cell != (0, 0) and there(at):
            return _pulled([_pose(here, c) for c in _back(came, cell)], free)
        for dx, dy in SIDES:
            following = cell[0] + dx, cell[1] + dy
            to, total_m = _pose(here, following), far_m + CELL_M * math.hypot(dx, dy)
            near = min(to.level_m(about), to.level_m(here)) <= ROOM_M
            if near and total_m < best.get(following, math.inf) - 1e-9 and free(at, to):
                best[following], came[following] = total_m, cell
                heapq.heappush(queue, (total_m, following))
    return []


def _pose(here: Pose, cell: tuple[int, int]) -> Pose:
    return Pose(here.x_m + CELL_M * cell[0], here.y_m + CELL_M * cell[1], here.z_m, here.yaw_rad)


def _back(came: dict[tuple[int, int], tuple[int, int] | None], cell: tuple[int, int]) -> list[tuple[int, int]]:
    way, at = list[tuple[int, int]](), came[cell]
    way.append(cell)
    while at is not None:
        way.append(at)
        at = came[at]
    return way[::-1]


def _pulled(way: Sequence[Pose], free: Callable[[Pose, Pose], bool]) -> list[Pose]:
    """With as few corners as there can be, the place where it begins left out."""
    pulled, n = list[Pose](), 0
    while n < len(way) - 1:
        n = next((k for k in range(len(way) - 1, n + 1, -1) if free(way[n], way[k])), n + 1)
        pulled.append(way[n])
    return pulled
