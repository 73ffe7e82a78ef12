"""Pictures for the pages: through the robot's camera, and the place from above where it has no solids to show.

All are taken in a thread of their own, so that no picture ever delays a stop. A renderer belongs to one thread and a
simulation to another: a world with physics is built a second time, as a twin that is never stepped, takes over
the joint positions and is photographed. A world without physics is drawn from its own state, as far as it holds still.
"""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import mujoco
import numpy as np
from PIL import Image

from sayso.console.solids import physics_of
from sayso.parts import World

WIDTH_PX, HEIGHT_PX = 320, 240
ABOVE_PX = 800, 600
QUALITY = 72
SHARE = 0.2
"""Of one core's time that a view may take; a slow renderer gives fewer pictures, not a slower robot."""

OFTEN_S = 0.4


class View:
    """One view. `latest` is a JPEG, b"" where nothing can be drawn; `number` counts the pictures."""

    def __init__(self, thread: ThreadPoolExecutor, take: Callable[[Any], Any]) -> None:
        self._thread, self._take = thread, take
        self._due_s, self._busy = 0.0, False
        self._of: Any = None
        self.latest, self.number = b"", 0

    async def shoot(self, moment: Any) -> bytes:
        """The latest picture; a fresh one when it is due and the `moment` (an array) is another one."""
        if self._busy or time.monotonic() < self._due_s or np.array_equal(moment, self._of):
            return self.latest
        self._busy, began_s = True, time.monotonic()
        try:
            self.latest = await asyncio.get_running_loop().run_in_executor(self._thread, self._jpeg, moment)
        finally:
            took_s = time.monotonic() - began_s
            self._busy, self._of, self._due_s = False, moment, began_s + took_s + max(OFTEN_S, took_s / SHARE)
        self.number += bool(self.latest)
        return self.latest

    def _jpeg(self, moment: Any) -> bytes:
        try:
            pixels = self._take(moment)
        except RuntimeError:  # a collection that changed while it was drawn; the next picture is near
            return self.latest
        if pixels is None:
            return b""
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "JPEG", quality=QUALITY)
        return file.getvalue()


class Camera:
    """`front` is what the robot's camera sees, `above` the place from above. `make` builds the twin."""

    def __init__(self, world: World, make: Callable[[], World]) -> None:
        self._world, self._make = world, make
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="camera")
        self._twin: World | None = None
        self._physics = physics_of(world)
        self.front = View(self._thread, self._front)
        self.above = View(self._thread, lambda _: self._world.overview(*ABOVE_PX))

    async def shoot(self) -> None:
        """Bring the views up to date, as far as they are due."""
        moment = self._moment()
        await self.front.shoot(moment)
        if self._physics is None:
            await self.above.shoot(moment)

    def close(self) -> None:
        """Give the renderer back, in the thread that holds it."""
        self._thread.submit(self._let_go)
        self._thread.shutdown(wait=True)

    def _moment(self) -> Any:
        if self._physics:
            return self._physics[1].qpos.copy()
        pose = self._world.robot.state().pose
        return np.array([pose.x_m, pose.y_m, pose.z_m, pose.yaw_rad])

    def _front(self, joints: Any) -> Any:
        if self._physics is None:
            return self._world.robot.picture(WIDTH_PX, HEIGHT_PX)
        self._twin = self._twin or self._make()
        physics = physics_of(self._twin)
        assert physics is not None, "a twin is made like the original"
        model, data = physics
        data.qpos[:] = joints
        mujoco.mj_forward(model, data)
        return self._twin.robot.picture(WIDTH_PX, HEIGHT_PX)

    def _let_go(self) -> None:
        close = getattr(self._twin, "close", None)
        if close:
            close()
        self._twin = None
