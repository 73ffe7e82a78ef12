"""A robot's camera with a detector behind it: pictures in, a scene of individuals out.

What has no label for it is not seen, what is seen has a colour where its pixels are plainly of one, and how far away it
is, is worked out and may be wrong; the scene says all that. Nothing here knows a world: a robot that takes pictures and
knows how its camera stands can be seen through.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sayso.errors import RobotError, UsageError
from sayso.perception.colours import COLOURS, colour
from sayso.perception.detector import Detector, described
from sayso.perception.ranging import Extent
from sayso.perception.tracks import Tracks
from sayso.plugins.loading import is_file, made
from sayso.roles import Robot
from sayso.scene import Scene, Sense

WIDTH_PX = 640
"""Of the pictures that are looked at."""


class DetectingCamera:
    """A `Perception`. `sizes_m` are sizes of things that somebody knows, as in `sizes.toml`."""

    def __init__(self, robot: Robot, detector: Detector, sizes_m: Mapping[str, Any] | None = None) -> None:
        if type(robot).view is Robot.view:
            raise UsageError(f"the robot {robot.name} does not tell how its camera stands, so nothing has a place")
        self._robot, self._detector = robot, detector
        self._tracks = Tracks({label: Extent.read(said) for label, said in (sizes_m or {}).items()})
        self.sense = Sense(detector.name, tuple(detector.labels), COLOURS)

    async def look(self) -> Scene:
        """What the detector finds in one picture, nearest first. Raises `RobotError`."""
        view, observer = self._robot.view(), self._robot.state().pose
        if view is None:
            raise RobotError("how the camera stands is not known")
        aspect = math.tan(view.half_width_rad) / math.tan(view.half_height_rad)
        picture = self._robot.picture(WIDTH_PX, round(WIDTH_PX / aspect))
        if picture is None:
            raise RobotError("the camera gives no picture; in simulation it needs a GL library, see sayso doctor")
        detected = await self._detector.detect(picture)
        found = [replace(one, colour=one.colour or colour(picture, one.box)) for one in detected]
        now_s = asyncio.get_running_loop().time()
        things, doubtful = self._tracks.see(found, view, now_s)
        things.sort(key=lambda thing: (math.inf if thing.distance_m is None else thing.distance_m, thing.id))
        return Scene(tuple(things), observer, now_s, view, self.sense, tuple(doubtful))


def seen_through(robot: Robot, where: str) -> DetectingCamera:
    """The robot's camera with the detector that `where` names. Raises `UsageError`."""
    return DetectingCamera(robot, make(where), described(where).sizes_m)


def make(where: str) -> Detector:
    """The detector that `where` names. Raises `UsageError`."""
    if is_file(where):
        return made(where, Detector)
    from sayso.perception.network import Network  # with libraries that nobody else waits for
    from sayso.perception.service import Service
    from sayso.perception.yolo import Yolo

    said = described(where)
    return Yolo(Service(said.service) if said.service else Network(Path(said.model)), said)
