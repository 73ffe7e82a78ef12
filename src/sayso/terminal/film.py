"""The film of a mission: the place from above, and the robot's camera where something can render."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from sayso.events import Event, MissionEnded, Moved
from sayso.world import World

FRAME_S = 0.5
MOST_FRAMES = 240
WIDTH_PX, HEIGHT_PX = 960, 360
FRAMES_PER_S = 6.0


class Film:
    """Takes a frame every half second of the mission and writes `film.gif` and `overview.png`.

    A long mission keeps as many frames as a short one, further apart, so that it fits the memory.
    """

    def __init__(self, world: World, folder: Path) -> None:
        self.world, self.folder = world, folder
        self._frames: list[Any] = []
        self._every_s = FRAME_S
        self._next_s = 0.0

    def see(self, event: Event) -> None:
        """Take a frame when one is due."""
        if not (isinstance(event, MissionEnded) or (isinstance(event, Moved) and event.at_s >= self._next_s)):
            return
        if len(self._frames) >= MOST_FRAMES:
            self._frames = self._frames[::2]
            self._every_s *= 2
        self._next_s = event.at_s + self._every_s
        self._frames.append(self._frame())

    def write(self) -> list[Path]:
        """Write what was filmed; returns the files. Where nothing can be drawn, there are none."""
        frames = [f for f in self._frames if f is not None]
        still = self.world.overview(960, 720)
        files = []
        if still is not None:
            files.append(self.folder / "overview.png")
            Image.fromarray(still).save(files[-1])
        if frames:
            files.append(self.folder / "film.gif")
            write_film(frames, files[-1], FRAMES_PER_S)
        return files

    def _frame(self) -> Any:
        """From above on the left, through the robot's eyes on the right."""
        above = self.world.overview(WIDTH_PX // 2, HEIGHT_PX)
        if above is None:
            return None
        camera = self.world.robot.picture(WIDTH_PX // 2, HEIGHT_PX)
        return above if camera is None else np.hstack([above, camera])


def write_film(frames: Iterable[Any], file: Path | str, frames_per_s: float = 10.0) -> int:
    """Write (height, width, 3) uint8 frames as an animated GIF; how many there were. No frames, no file."""
    pictures = [Image.fromarray(frame).quantize(128, method=Image.Quantize.MEDIANCUT) for frame in frames]
    if not pictures:
        return 0
    first, *rest = pictures
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    first.save(file, save_all=True, append_images=rest, duration=round(1000 / frames_per_s), loop=0, disposal=1)
    return len(pictures)
