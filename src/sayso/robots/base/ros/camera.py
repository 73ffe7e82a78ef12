"""The camera of a ROS 2 base: its pictures, and where it stood when it took them.

Pictures are those that somebody passes on to `sayso/image`; how the camera stands its driver and the robot's
description tell. Lenses are taken for straight ones that look through the middle of their pictures.
"""

import io
import math
from contextlib import suppress
from typing import Any

import numpy as np
from PIL import Image

from sayso.robots.base.ros import messages as msg
from sayso.scene import Pose, View

FRESH_S = 2.0
"""A picture that is older shows nothing of now."""

ASKEW_RAD = math.radians(10)
"""How far a camera may lean to its side."""

PIXELS_MAX, FRAMES_MAX = 20_000_000, 500

ORIGIN, RIGHT, DOWN, AHEAD = (msg.Vector3(), msg.Vector3(x=1.0), msg.Vector3(y=1.0), msg.Vector3(z=1.0))
"""Of a picture, in the camera's optical frame."""


class Camera:
    """The camera of a base, as it was told of last."""

    def __init__(self) -> None:
        self._picture = msg.CompressedImage()
        self._base, self._came_s = Pose(), -math.inf
        self._info = msg.CameraInfo()
        self._mounts: dict[str, tuple[str, msg.Spot]] = {}

    def hear(self, picture: msg.CompressedImage, base: Pose, now_s: float) -> None:
        """The next picture, and where the base is with it."""
        self._picture, self._base, self._came_s = picture, base, now_s

    def hear_info(self, info: msg.CameraInfo) -> None:
        if min(info.k[0], info.k[4], info.width, info.height) > 0 and all(map(math.isfinite, info.k)):
            self._info = info

    def hear_mounts(self, told: msg.TFMessage) -> None:
        """What is mounted where, for good."""
        for one in told.transforms[: FRAMES_MAX - len(self._mounts)]:
            q, t = one.transform.orientation, one.transform.position
            if math.isfinite(t.x + t.y + t.z) and abs(math.hypot(q.x, q.y, q.z, q.w) - 1) < 0.01:
                self._mounts[one.child_frame_id] = one.header.frame_id, one.transform

    def picture(self, width_px: int, height_px: int, now_s: float) -> Any:
        """The latest one as (height, width, 3) uint8, None where there is none that shows now."""
        with suppress(OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            if now_s - self._came_s < FRESH_S:
                image = Image.open(io.BytesIO(self._picture.data), formats=("JPEG", "PNG"))
                if math.prod(image.size) <= PIXELS_MAX:
                    image.draft("RGB", (width_px, height_px))
                    return np.asarray(image.convert("RGB").resize((width_px, height_px)))
        return None

    def view(self, base: str) -> View | None:
        """How it stood when it took that picture; None where that was not told, or it leans to its side."""
        info, seen = self._info, self._seen_from(base)
        if not info.width or seen is None:
            return None
        eye, right, down, ahead = seen
        if abs(right.z) > math.sin(ASKEW_RAD) or down.z > 0:
            return None
        return View(
            self._base.moved(eye.x, eye.y, eye.z, math.atan2(ahead.y, ahead.x)),
            math.atan(info.width / (2 * info.k[0])),
            math.atan(info.height / (2 * info.k[4])),
            math.asin(max(-1.0, min(1.0, ahead.z))),
        )

    def _seen_from(self, base: str) -> tuple[msg.Vector3, ...] | None:
        """Where it is in a frame, and which way its picture's right, down and axis point there."""
        frame, points = self._info.header.frame_id, [ORIGIN, RIGHT, DOWN, AHEAD]
        for _ in range(FRAMES_MAX):
            if frame == base:
                eye = points[0]
                return (eye, *(msg.Vector3(p.x - eye.x, p.y - eye.y, p.z - eye.z) for p in points[1:]))
            if frame not in self._mounts:
                break
            frame, spot = self._mounts[frame]
            points = [_placed(spot, point) for point in points]
        return None


def _placed(spot: msg.Spot, point: msg.Vector3) -> msg.Vector3:
    """A point of a mounted frame in the frame that it is mounted on."""
    q, t = spot.orientation, spot.position
    u, p = np.array([q.x, q.y, q.z]), np.array([point.x, point.y, point.z])
    x, y, z = (float(v) for v in p + 2 * np.cross(u, np.cross(u, p) + q.w * p))
    return msg.Vector3(t.x + x, t.y + y, t.z + z)
