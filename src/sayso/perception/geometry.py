"""A simulated object detector: what a camera would report, computed from geometry instead of pixels.

It needs no GL and no weights, and it tells no more than an image could: what is in the frustum, large enough, and not
hidden behind something else. Boxes come from projecting the surfaces, hiding from casting rays at them.
"""

import asyncio
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import mujoco
import numpy as np
from numpy.typing import NDArray

from sayso.errors import RobotError
from sayso.scene import Box, Pose, Scene, Thing, View

WIDTH_PX, HEIGHT_PX = 960, 720
LONG_SIDE_MIN_PX = 10.0  # smaller than this, a detector does not find it
SHORT_SIDE_MIN_PX = 3.0
SHOWN_MIN = 0.15  # of its surface that must be in frame and unhidden
NEAR_M = 0.05
SAMPLES_MAX = 40
GRAZE_M = 0.02  # a ray that ends this close to its target has reached it

Array = NDArray[np.float64]


class Seeable(Protocol):
    """The interface of something that the simulated detector can see. Its body in the model is called by its `id`."""

    @property
    def id(self) -> str: ...

    @property
    def label(self) -> str: ...

    @property
    def attributes(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class _Surface:
    """Sample points on one thing, in the frames of its geoms."""

    thing: Seeable
    body: int
    points: Array  # (n, 3)
    geoms: NDArray[np.int32]  # (n,)
    radius_m: float  # of a ball around the body's origin that holds them all


@dataclass(frozen=True, slots=True)
class Camera:
    """The camera at one moment."""

    eye: Array  # (3,)
    axes: Array  # (3, 3), columns: right, up, backwards
    half_width: float  # tangents of the half angles
    half_height: float

    def as_view(self) -> View:
        """The same for whoever reads the scene."""
        ahead, left, up = (-self.axes[:, 2]).tolist()
        x, y, z = self.eye.tolist()
        pitch_rad = math.asin(max(-1.0, min(1.0, up)))
        eye = Pose(x, y, z, math.atan2(left, ahead))
        return View(eye, math.atan(self.half_width), math.atan(self.half_height), pitch_rad)

    def project(self, points: Array) -> tuple[Array, Array, Array]:
        """Image x and y (fractions of the frame) and depth (m) of world points; x and y mean nothing behind."""
        local = (points - self.eye) @ self.axes
        depth = -local[:, 2]
        ahead = np.maximum(depth, NEAR_M)
        return (
            0.5 + local[:, 0] / (2 * self.half_width * ahead),
            0.5 - local[:, 1] / (2 * self.half_height * ahead),
            depth,
        )

    def may_show(self, centres: Array, radii_m: Array) -> NDArray[np.bool_]:
        """Which of these balls reach into the pyramid of the frame, roughly: none that does is left out."""
        right, up, back = ((centres - self.eye) @ self.axes).T
        beside = np.abs(right) + self.half_width * back > radii_m * math.hypot(1.0, self.half_width)
        above = np.abs(up) + self.half_height * back > radii_m * math.hypot(1.0, self.half_height)
        shown: NDArray[np.bool_] = ~(beside | above | (back > radii_m))
        return shown


class GeometricCamera:
    """Perception of a world that it is given: `camera` is an id in `model`, `things` are what it can name. `own_body`
    is what carries the camera and never hides anything."""

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, camera: int, things: Sequence[Seeable], *, own_body: int = -1
    ) -> None:
        self._model, self._data, self._camera, self._own_body = model, data, camera, own_body
        self._surfaces = [_surface(model, thing) for thing in things]
        self._bodies = np.array([surface.body for surface in self._surfaces], dtype=np.int32)
        self._radii_m = np.array([surface.radius_m for surface in self._surfaces])
        self._stood, self._shown = b"", list[tuple[Seeable, Thing]]()

    async def look(self) -> Scene:
        """What is in view now, nearest first. Times are those of the running loop."""
        return self.see(asyncio.get_running_loop().time())

    def see(self, seen_s: float = 0.0) -> Scene:
        """The same, outside of any loop."""
        view = self._view()
        seen = [
            replace(shown, attributes=dict(thing.attributes), seen_s=seen_s) for thing, shown in self._in_view(view)
        ]
        seen.sort(key=lambda thing: (thing.distance_m or 0.0, thing.id))
        return Scene(tuple(seen), self._observer(), seen_s, view.as_view())

    def view(self) -> View:
        """How the camera stands. What it leans to a side is left out."""
        return self._view().as_view()

    def _in_view(self, view: Camera) -> Sequence[tuple[Seeable, Thing]]:
        """What shows. Rays are cast again only where something has moved since the last look."""
        stands = b"".join(map(bytes, (view.eye, view.axes, self._data.geom_xpos, self._data.geom_xmat)))
        if stands != self._stood:
            near = itertools.compress(self._surfaces, view.may_show(self._data.xpos[self._bodies], self._radii_m))
            self._shown = [(surface.thing, seen) for surface in near if (seen := self._shows(surface, view))]
            self._stood = stands
        return self._shown

    def _view(self) -> Camera:
        eye = self._data.cam_xpos[self._camera].copy()
        if not np.isfinite(eye).all():
            raise RobotError("the camera's position is not a number; the simulation has come apart")
        half_height = math.tan(math.radians(float(self._model.cam_fovy[self._camera])) / 2)
        axes = self._data.cam_xmat[self._camera].reshape(3, 3).copy()
        return Camera(eye, axes, half_height * (WIDTH_PX / HEIGHT_PX), half_height)

    def _observer(self) -> Pose:
        """Where the carrier of the camera stands; the camera itself where nothing carries it."""
        if self._own_body < 0:
            (x, y, z), forward = self._data.cam_xpos[self._camera].tolist(), -self._data.cam_xmat[self._camera][2::3]
        else:
            (x, y, z), forward = self._data.xpos[self._own_body].tolist(), self._data.xmat[self._own_body][0::3]
        return Pose(x, y, z, math.atan2(float(forward[1]), float(forward[0])))

    def _shows(self, surface: _Surface, view: Camera) -> Thing | None:
        """The thing as it appears, or None: out of frame, too small, or hidden."""
        turn = self._data.geom_xmat[surface.geoms].reshape(-1, 3, 3)
        points = np.einsum("nij,nj->ni", turn, surface.points) + self._data.geom_xpos[surface.geoms]
        x, y, depth = view.project(points)
        ahead = depth > NEAR_M
        if not ahead.any():
            return None
        box = _clipped(x[ahead], y[ahead])
        if box is None:
            return None
        inside = ahead & (x > 0) & (x < 1) & (y > 0) & (y < 1)
        distance_m = self._reached(surface.body, points, inside, view.eye)
        if distance_m is None:
            return None
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        return Thing(surface.thing.id, surface.thing.label, box, distance_m, Pose(*middle.tolist()))

    def _reached(self, body: int, points: Array, inside: NDArray[np.bool_], eye: Array) -> float | None:
        """Distance to the nearest shown part of a body, or None where too little of it is shown."""
        every = max(1, math.ceil(len(points) / SAMPLES_MAX))
        chosen = points[::every][inside[::every]]
        samples = len(points[::every])
        if len(chosen) < SHOWN_MIN * samples:
            return None
        rays = chosen - eye
        lengths = np.linalg.norm(rays, axis=1)
        rays /= lengths[:, None]
        hit_m = np.full(len(chosen), -1.0)
        hit_geom = np.full(len(chosen), -1, dtype=np.int32)
        mujoco.mj_multiRay(
            self._model, self._data, eye, rays.ravel(), None, 1, self._own_body, hit_geom, hit_m, None, len(rays), 100.0
        )  # fmt: skip
        own = (hit_geom >= 0) & (self._model.geom_bodyid[hit_geom] == body)
        shown = own | (hit_m < 0) | (hit_m > lengths - GRAZE_M)
        if shown.sum() < SHOWN_MIN * samples:
            return None
        return float(np.where(own, hit_m, lengths)[shown].min())


def _clipped(x: Array, y: Array) -> Box | None:
    """The box around image points, cut to the frame; None where nothing is left that could be found."""
    left, right = max(0.0, float(x.min())), min(1.0, float(x.max()))
    top, bottom = max(0.0, float(y.min())), min(1.0, float(y.max()))
    sides = (right - left) * WIDTH_PX, (bottom - top) * HEIGHT_PX
    if min(sides) < SHORT_SIDE_MIN_PX or max(sides) < LONG_SIDE_MIN_PX:
        return None
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


# Sample points on the surfaces of geoms, in the geom's own frame


def _surface(model: mujoco.MjModel, thing: Seeable) -> _Surface:
    body = int(model.body(thing.id).id)
    first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
    parts = [_points(int(model.geom_type[g]), model.geom_size[g]) for g in range(first, first + count)]
    geoms = np.repeat(np.arange(first, first + count, dtype=np.int32), [len(part) for part in parts])
    points = np.concatenate(parts)
    reach = np.linalg.norm(model.geom_pos[geoms], axis=1) + np.linalg.norm(points, axis=1)
    return _Surface(thing, body, points, geoms, float(reach.max()))


def _points(kind: int, size: Array) -> Array:
    """Points on a box, sphere, ellipsoid, cylinder or capsule of MuJoCo's half sizes; a box for anything else."""
    geom = mujoco.mjtGeom
    if kind in (geom.mjGEOM_SPHERE, geom.mjGEOM_ELLIPSOID):
        scale: Array = size if kind == geom.mjGEOM_ELLIPSOID else np.full(3, size[0])
        return SPHERE * scale
    if kind == geom.mjGEOM_CYLINDER:
        return RIM * np.array([size[0], size[0], size[1]], dtype=np.float64)
    if kind == geom.mjGEOM_CAPSULE:
        ends: Array = SPHERE * size[0]
        return np.concatenate([ends[ends[:, 2] >= 0] + [0, 0, size[1]], ends[ends[:, 2] <= 0] - [0, 0, size[1]]])
    return BRICK * size


_TURNS = [math.radians(p) for p in range(0, 360, 45)]
_TILTS = [math.radians(t) for t in (-45, 0, 45)]
SPHERE = np.array(
    [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]
    + [(math.cos(t) * math.cos(p), math.cos(t) * math.sin(p), math.sin(t)) for t in _TILTS for p in _TURNS]
)
"""Poles, equator and two circles between: 26 points on the unit sphere."""

RIM = np.array([(math.cos(p), math.sin(p), z) for z in (-1.0, 0.0, 1.0) for p in _TURNS])
"""Both rims and the middle of a unit cylinder."""

BRICK = np.array([point for point in itertools.product((-1.0, 0.0, 1.0), repeat=3) if any(point)])
"""Corners, edge middles and face middles of a unit cube."""
