"""The yard: three blocks, seen by a camera that misses nothing within its view."""

from __future__ import annotations

import random
from typing import Any

from sayso.scene import Box, Pose, Scene, Thing
from sayso.world import ROBOT, Real, Truth, World
from sayso_rover.rover import Rover

VIEW_RAD, SEES_M = 0.6, 4.0


class Yard(World):
    """Blocks lie where the seed puts them; the red one is ahead."""

    name = "yard"
    time_s = 0.0

    def __init__(self, *, seed: int = 0, perception: Any = None) -> None:
        place = random.Random(seed)
        self.blocks = {
            "red block": Pose(1.2, place.uniform(-0.02, 0.02)),
            "blue block": Pose(place.uniform(-0.2, 0.2), 1.5),
            "green block": Pose(-1.5, place.uniform(-0.3, 0.3)),
        }
        self.robot = Rover(self.blocks)
        self.perception = perception(self) if perception else self

    def step_to(self, until_s: float) -> None:
        self.robot.step(until_s - self.time_s)
        self.time_s = until_s

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

    def truth(self) -> Truth:
        return Truth(
            time_s=self.time_s,
            pose=self.robot.pose,
            speed_mps=abs(self.robot.forward_mps),
            things={
                label: Real(label=label, pose=at, holder=ROBOT if label == self.robot.held else "")
                for label, at in self.blocks.items()
            },
            in_frame=frozenset(thing.id for thing in self._seen()),
        )
