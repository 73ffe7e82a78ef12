"""A robot's camera with an object detector: pictures in, a scene of tracked things with their colours out.

What has no label for it is not seen, what is seen has a colour where its pixels are plainly of one, and how far away it
is, is worked out and may be wrong; the scene says all that. Nothing here knows a world: a robot that takes pictures and
knows how its camera stands can be seen through.
"""

import asyncio
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sayso.errors import RobotError, UsageError
from sayso.perception.detector import Detector, described
from sayso.perception.ranging import Extent
from sayso.perception.tracks import Tracks
from sayso.plugins.loading import is_file, made
from sayso.roles import Robot
from sayso.scene import Box, Scene, Sense

# of the eleven basic terms (Berlin and Kay 1969): white, grey, black and brown change with the light
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
UP_TO_DEG = (16, 43, 66, 175, 255, 320, 345, 360)
"""Where the hue of each ends, from red through the circle to red again."""

MOST = 0.6
"""The share of its middle that has to be of one colour; what is of many has none."""

LIVELY, LIT = 0.45, 0.25
"""The least saturation and value of a colour: with less it may be the light's."""

ORANGE = 0.75
"""The least saturation of orange: what has less is brown in good light."""


def colour(picture: NDArray[np.uint8], box: Box) -> str:
    """The colour of the middle of a box in a picture (height, width, 3), empty where no one is most of it."""
    height, width = picture.shape[:2]
    rows = slice(round((box.y - box.height / 4) * height), max(1, round((box.y + box.height / 4) * height)))
    columns = slice(round((box.x - box.width / 4) * width), max(1, round((box.x + box.width / 4) * width)))
    pixels = picture[rows, columns].reshape(-1, 3).astype(float) / 255
    value, chroma = pixels.max(axis=1), np.ptp(pixels, axis=1)
    numbers = np.searchsorted(UP_TO_DEG, _hue_deg(pixels), side="right") % len(COLOURS)
    least = np.where(numbers == COLOURS.index("orange"), ORANGE, LIVELY)
    counts = np.bincount(numbers[(chroma > least * value) & (value > LIT)], minlength=len(COLOURS))
    return COLOURS[int(counts.argmax())] if counts.max() > MOST * len(pixels) else ""


def _hue_deg(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    red, green, blue = pixels.T
    hue: NDArray[np.float64] = np.degrees(np.arctan2(3**0.5 * (green - blue), 2 * red - green - blue)) % 360
    return hue


WIDTH_PX = 640
"""Of the pictures that are looked at."""


class DetectingCamera:
    """The perception that sees through a detector. `sizes_m` are sizes of things that somebody knows, as in
    `sizes.toml`."""

    def __init__(self, robot: Robot, detector: Detector, sizes_m: Mapping[str, Any] | None = None) -> None:
        if type(robot).view is Robot.view:
            raise UsageError(f"the robot {robot.name} does not tell how its camera stands, so nothing has a place")
        self._robot, self._detector = robot, detector
        self._tracks = Tracks({label: Extent.read(said) for label, said in (sizes_m or {}).items()})
        self.sense = Sense(detector.name, tuple(detector.labels), COLOURS)

    async def look(self) -> Scene:
        """The scene of what the detector finds in one picture, nearest first. Raises `RobotError`."""
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
