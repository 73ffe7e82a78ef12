"""A double of a detector: geometry tells it what is in the picture, so that it needs no GL and errs by no pixel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sayso.perception.detecting import DetectingCamera
from sayso.perception.detector import Detection
from sayso.robots.drone.world.office import Office
from sayso.scene import Thing


class ByGeometry:
    """Every thing that a camera shows, `confidence` sure; `blind` are labels that it does not know."""

    name = "by geometry"

    def __init__(
        self, world: Office, blind: Sequence[str] = (), confidence: Callable[[Thing], float] = lambda t: 0.9
    ) -> None:
        self.labels = tuple(sorted({t.label for t in world.stage.things} - set(blind)))
        self._camera, self._confidence = world.perception, confidence

    async def detect(self, picture: Any) -> Sequence[Detection]:
        assert picture.shape == (480, 640, 3)
        scene = await self._camera.look()
        return [Detection(t.label, self._confidence(t), t.box) for t in scene if t.label in self.labels and t.box]


class Blank(Office):
    """An office whose camera gives pictures on a machine without GL too: black ones."""

    def photograph(self, camera: str, width_px: int, height_px: int) -> Any:
        return np.zeros((height_px, width_px, 3), np.uint8)


def office(scene: str = "tour", blind: Sequence[str] = (), **more: Any) -> tuple[Blank, DetectingCamera]:
    world = Blank(scene)
    return world, DetectingCamera(world.robot, ByGeometry(world, blind, **more))
