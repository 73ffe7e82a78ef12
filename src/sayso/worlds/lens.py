"""A lens that renders pictures of what MuJoCo steps.

Which GL library renders is chosen when the first picture is wanted and not at import, so that a machine without GL can
do everything else. `MUJOCO_GL` (egl, osmesa, glfw) is respected; left unset, EGL is tried, which needs no display.
"""

import importlib
import os
import threading
import weakref
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

BACKENDS = ("egl", "osmesa", "glfw")

_LEFT: defaultdict[int, list[tuple[Any, Any]]] = defaultdict(list)
"""By thread, what lenses that are closed or gone rendered with. To MuJoCo a renderer's textures and buffers are numbers
in whichever context is current when it is freed, so that collecting it at any moment would blind another lens."""


class Lens:
    """Renders one model at up to `width_px` × `height_px`. Use it from one thread."""

    def __init__(self, model: mujoco.MjModel, width_px: int = 1280, height_px: int = 960) -> None:
        self._model = model
        self._size = (width_px, height_px)
        self._parts: tuple[Any, Any, Any] | None = None
        self._missing = False
        self._leave: Callable[[], object] = lambda: None

    def geoms(self, data: mujoco.MjData, camera: int, width_px: int, height_px: int) -> Any:
        """Which of the model's geoms each pixel of the same picture shows, (height, width) int32; -1 for none."""
        colours = self.shoot(data, camera, width_px, height_px, by_geom=True)
        if colours is None or self._parts is None:
            return None
        scene = self._parts[2]
        numbers = np.full(scene.ngeom + 1, -1, dtype=np.int32)
        for drawn in scene.geoms[: scene.ngeom]:
            if drawn.objtype == mujoco.mjtObj.mjOBJ_GEOM and drawn.segid >= 0:
                numbers[drawn.segid + 1] = drawn.objid
        return numbers[colours.astype(np.int32) @ (1, 1 << 8, 1 << 16)]

    def shoot(self, data: mujoco.MjData, camera: int, width_px: int, height_px: int, *, by_geom: bool = False) -> Any:
        """(height, width, 3) uint8 from a camera of the model, by its id, or the geoms' numbers as colours; None
        without GL."""
        width_px, height_px = min(width_px, self._size[0]), min(height_px, self._size[1])
        if self._parts is None and not self._missing:
            self._parts = self._open()
            self._missing = self._parts is None
        if self._parts is None:
            return None
        _free_what_is_left()
        gl, context, scene = self._parts
        gl.make_current()
        option, view = mujoco.MjvOption(), mujoco.MjvCamera()
        view.type, view.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, camera
        option.geomgroup[:] = 1
        everything = mujoco.mjtCatBit.mjCAT_ALL.value
        mujoco.mjv_updateScene(self._model, data, option, None, view, everything, scene)
        for flag in (mujoco.mjtRndFlag.mjRND_SEGMENT, mujoco.mjtRndFlag.mjRND_IDCOLOR):
            scene.flags[flag] = by_geom
        frame = mujoco.MjrRect(0, 0, width_px, height_px)
        mujoco.mjr_render(frame, scene, context)
        pixels = np.empty((height_px, width_px, 3), dtype=np.uint8)
        mujoco.mjr_readPixels(pixels, None, frame, context)
        return np.ascontiguousarray(np.flipud(pixels))

    def close(self) -> None:
        """Give the GL context back."""
        self._parts = None
        self._leave()
        _free_what_is_left()

    def _open(self) -> tuple[Any, Any, Any] | None:
        name = os.environ.get("MUJOCO_GL", "").lower() or "egl"
        if name not in BACKENDS:
            return None
        try:
            gl = importlib.import_module(f"mujoco.{name}").GLContext(*self._size)
            gl.make_current()
            context = mujoco.MjrContext(self._model, mujoco.mjtFontScale.mjFONTSCALE_100.value)
        except (ImportError, AttributeError, OSError, RuntimeError, mujoco.FatalError):
            return None  # no library, no device or no display: the documented meaning of None
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, context)
        scene = mujoco.MjvScene(self._model, maxgeom=2000)
        scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = 0
        self._leave = gone = weakref.finalize(self, _LEFT[threading.get_ident()].append, (gl, context))
        gone.atexit = False
        return gl, context, scene


def _free_what_is_left() -> None:
    """Each in its own context, and in the thread that had it."""
    left = _LEFT[threading.get_ident()]
    while left:
        gl, context = left.pop()
        gl.make_current()
        context.free()
        gl.free()
