"""The yard: three blocks, seen by a camera that misses nothing within its view."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from sayso.parts import World
from sayso.scene import Box, Pose, Scene, Thing
from sayso_rover.rover import Rover

STEP_S, VIEW_RAD, SEES_M = 0.02, 0.6, 4.0


class Yard(World):
    """Blocks lie where the seed puts them; the red one is ahead."""

    name = "yard"

    def __init__(self, *, seed: int = 0, perception: Any = None) -> None:
        place = random.Random(seed)
        self.blocks = {
            "red block": Pose(1.2, place.uniform(-0.02, 0.02)),
            "blue block": Pose(place.uniform(-0.2, 0.2), 1.5),
            "green block": Pose(-1.5, place.uniform(-0.3, 0.3)),
        }
        self.robot = Rover(self.blocks)
        self.perception = perception(self) if perception else self

    async def run(self) -> None:
        while True:
            await asyncio.sleep(STEP_S)
            self.robot.step(STEP_S)

    async def look(self) -> Scene:
        """What the rover's camera sees."""
        return Scene(tuple(self._seen()), observer=self.robot.pose)

    def _seen(self) -> list[Thing]:
        """A box in the image and a distance for each block in view."""
        here, seen = self.robot.pose, []
        for label, at in self.blocks.items():
            bearing, far_m = here.bearing_rad(at), here.distance_m(at)
            if abs(bearing) < VIEW_RAD and 0.1 < far_m < SEES_M:
                size = min(1.0, 0.15 / far_m)
                box = Box(x=0.5 - bearing / (2 * VIEW_RAD), y=0.6, width=size, height=size)
                seen.append(Thing(label, label, pose=at, box=box, distance_m=far_m))
        return seen

    def truth(self) -> dict[str, Any]:
        things = {label: {"label": label, "pose": at} for label, at in self.blocks.items()}
        at, speed_mps = self.robot.pose, abs(self.robot.forward_mps)
        return {
            "pose": at, "speed_mps": speed_mps, "held": self.robot.held, "things": things,
            "in_frame": [t.id for t in self._seen()], "collisions": [],
        }  # fmt: skip
