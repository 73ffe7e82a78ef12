"""The cameras of the pages: the robot's pictures, and the ground painted with what a search believes.

All are taken in a thread of their own, so that no picture ever delays a stop. A renderer belongs to one thread and a
simulation to another: a world with physics is built a second time, as a twin that is never stepped, takes over
the joint positions and is photographed. A world without physics is drawn from its own state, as far as it holds still.
"""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import mujoco
import numpy as np

from sayso.console.garbage import give_back
from sayso.drawing import Believed
from sayso.memory.pictures import as_jpeg
from sayso.world import World
from sayso.worlds.lens import Lens

WIDTH_PX, HEIGHT_PX = 320, 240
STILL_PX = 480, 360
QUALITY = 72
SHARE = 0.2
"""Of one core's time that a view may take; a slow renderer gives fewer pictures, not a slower robot."""

OFTEN_S = 0.4
GIVES_WAY = 10
"""Niceness, as the system counts it."""


class View:
    """One view. `latest` is a JPEG, b"" where nothing can be drawn; `number` counts the pictures, and at `true_s` of
    the monotonic clock the latest was how things looked."""

    def __init__(self, thread: ThreadPoolExecutor, take: Callable[[Any], Any]) -> None:
        self._thread, self._take = thread, take
        self._due_s, self._busy = 0.0, False
        self._of: Any = None
        self.latest, self.number, self.true_s = b"", 0, 0.0

    async def shoot(self, moment: Any) -> bytes:
        """The latest picture; a fresh one when it is due and the `moment` (an array) is another one."""
        began_s = time.monotonic()
        if not self._busy and np.array_equal(moment, self._of):
            self.true_s = began_s
        elif not self._busy and began_s >= self._due_s:
            await self._shoot(moment, began_s)
        return self.latest

    async def _shoot(self, moment: Any, began_s: float) -> None:
        self._busy = True
        try:
            self.latest = await asyncio.get_running_loop().run_in_executor(self._thread, self._jpeg, moment)
        finally:
            took_s = time.monotonic() - began_s
            self._busy, self._of, self._due_s = False, moment, began_s + took_s + max(OFTEN_S, took_s / SHARE)
            self.true_s = began_s
        self.number += bool(self.latest)

    def _jpeg(self, moment: Any) -> bytes:
        try:
            pixels = self._take(moment)
        except RuntimeError:  # a collection that changed while it was drawn; the next picture is near
            return self.latest
        return b"" if pixels is None else as_jpeg(pixels, quality=QUALITY)


def camera_thread() -> ThreadPoolExecutor:
    """A thread for cameras. Without a graphics card a picture takes every core that it can get, so the thread gives way
    to all others, and so do those that the renderer begins; only Linux knows a thread's own niceness."""
    return ThreadPoolExecutor(1, thread_name_prefix="camera", initializer=_give_way)


def _give_way() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), GIVES_WAY)


class Camera:
    """The camera of one view: `front` is the robot's picture, `heat` the ground with what is believed. `make` builds
    the twin. A renderer leaves memory behind in its thread, so cameras that follow each other share one `thread`."""

    def __init__(self, world: World, make: Callable[[], World], thread: ThreadPoolExecutor) -> None:
        self._world, self._make, self._thread = world, make, thread
        self._twin: World | None = None
        self._lens: Lens | None = None
        self._physics = world.physics()
        self.front = View(self._thread, lambda joints: self._seen_from(joints, WIDTH_PX, HEIGHT_PX))
        self._land = world.land()
        self.heat = View(self._thread, lambda chances: self._land.paint(chances) if self._land else None)

    async def shoot(self, believed: Believed | None = None) -> None:
        """Bring the views up to date, as far as they are due."""
        await self.front.shoot(self._moment())
        if self._land and believed:
            await self.heat.shoot(believed.chances)

    async def still(self) -> Any:
        """A picture for the robot's own use, which holds up nothing: (height, width, 3) uint8 or None."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._seen_from, self._moment(), *STILL_PX)

    def close(self) -> None:
        """Give the renderer back, in the thread that holds it."""
        self._thread.submit(self._let_go).result()

    def _moment(self) -> Any:
        if self._physics:
            return self._physics[1].qpos.copy()
        pose = self._world.robot.state().pose
        return np.array([pose.x_m, pose.y_m, pose.z_m, pose.yaw_rad])

    def _seen_from(self, joints: Any, width_px: int, height_px: int) -> Any:
        if self._physics is None:
            return self._world.robot.picture(width_px, height_px)
        self._twin = self._twin or self._make()
        physics = self._twin.physics()
        assert physics is not None, "a twin is made like the original"
        model, data = physics
        data.qpos[:] = joints
        mujoco.mj_forward(model, data)
        picture = self._twin.robot.picture(width_px, height_px)
        return self._by_lens(model, data, width_px, height_px) if picture is None else picture

    def _by_lens(self, model: Any, data: Any, width_px: int, height_px: int) -> Any:
        """Through the only camera that the place has, where its robot takes no pictures by itself."""
        if model.ncam != 1:
            return None
        self._lens = self._lens or Lens(model)
        return self._lens.shoot(data, 0, width_px, height_px)

    def _let_go(self) -> None:
        if self._twin:
            self._twin.close()
        if self._lens:
            self._lens.close()
        self._twin = self._lens = None
        give_back()
