"""A world of furnished rooms: what is in them and moves (`rooms`), told to judges (`truth`) and drawn (`draw`).

A world of this kind names itself and the `folder` where its scenes, catalogue and names lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sayso.scene import Pose
from sayso.worlds.indoor.draw import overview
from sayso.worlds.indoor.rooms import Rooms
from sayso.worlds.indoor.truth import IndoorTruth, truth


class Furnished(Rooms):
    """A scene of furnished rooms. `setup` says who and what is where; a seed fills in what it leaves open."""

    def truth(self) -> IndoorTruth:
        return truth(self)

    def names(self) -> Sequence[tuple[str, Pose]]:
        rooms = [(r.name, Pose(*r.middle)) for r in self.flat.rooms]
        pieces = [(f.name, Pose(f.pose.x_m, f.pose.y_m, f.size_m[2])) for f in self.flat.furniture]
        return (*(rooms if len(rooms) > 1 else ()), *pieces)

    def overview(self, width_px: int = 640, height_px: int = 480) -> Any:
        """The rooms from above, with names, the way driven and where the camera looks."""
        return overview(self, width_px, height_px)
