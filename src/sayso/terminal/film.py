"""Pictures and a film of a mission: the place from above, and the robot's camera where something can render."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from sayso.events import Event, MissionEnded, Moved
from sayso.parts import World

FRAME_S = 0.5


class Film:
    """Takes a frame every half second of the mission and writes `film.gif` and `overview.png`."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world, self.folder = world, folder
        self._frames: list[Image.Image] = []
        self._next_s = 0.0

    def see(self, event: Event) -> None:
        due = isinstance(event, Moved) and event.at_s >= self._next_s
        if due or isinstance(event, MissionEnded):
            self._next_s = event.at_s + FRAME_S
            self._frames.append(self._frame())

    def write(self) -> list[Path]:
        """Write what was filmed; returns the files."""
        if not self._frames:
            return []
        self.folder.mkdir(parents=True, exist_ok=True)
        still, film = self.folder / "overview.png", self.folder / "film.gif"
        self._frames[-1].save(still)
        small = [f.resize((f.width * 2 // 3, f.height * 2 // 3)).quantize(64) for f in self._frames]
        small[0].save(film, save_all=True, append_images=small[1:], duration=200, loop=0)
        return [still, film]

    def _frame(self) -> Image.Image:
        above: Any = self.world.overview()
        camera: Any = self.world.robot.picture(above.shape[0] * 4 // 3, above.shape[0])
        return Image.fromarray(above if camera is None else np.hstack([above, camera]))
