"""A rescue scene in three dimensions: the ground as a height field, trees and houses, the aircraft, who is there.

MuJoCo draws it where there is GL; nothing here is physics. People and aircraft are drawn much larger than they are, or
nobody would see them from a hill a kilometre away.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np

from sayso.robots.aircraft.search.terrain import KINDS, Terrain
from sayso.robots.aircraft.world.draw import LIGHT, ground
from sayso.scene import Pose
from sayso.worlds.lens import Lens
from sayso.worlds.scenery import about_z

SMOOTH = 4
"""Texels along a cell's side, so that a cell's colour has an edge."""

TREES_MAX, HOUSES_MAX = 500, 160
LARGER = 9.0
LEAVES = {
    "summer": (0.2, 0.42, 0.18),
    "spring": (0.3, 0.5, 0.22),
    "autumn": (0.6, 0.4, 0.15),
    "winter": (0.4, 0.42, 0.4),
}


class Relief:
    """Draws one terrain; what moves is told with every picture."""

    def __init__(self, terrain: Terrain) -> None:
        self._terrain = terrain
        self._low_m = float(terrain.elevation_m.min())
        self._model = self._compile()
        self._data = mujoco.MjData(self._model)
        self._lens = Lens(self._model)

    def shoot(self, aircraft: Pose, people: Mapping[str, Pose], width_px: int, height_px: int, camera: str) -> Any:
        """(height, width, 3) uint8 from a `hill` or a `chase` behind the aircraft; None without GL."""
        home_m = self._terrain.height_m(*self._terrain.home) - self._low_m
        self._put(0, aircraft, home_m)
        for mocap, pose in enumerate([*people.values()][: self._model.nmocap - 1], start=1):
            self._put(mocap, pose, home_m)
        mujoco.mj_forward(self._model, self._data)
        return self._lens.shoot(self._data, self._view(aircraft, home_m, camera), width_px, height_px)

    def close(self) -> None:
        """Give the GL context back."""
        self._lens.close()

    def _put(self, mocap: int, pose: Pose, home_m: float) -> None:
        self._data.mocap_pos[mocap] = (pose.x_m, pose.y_m, pose.z_m + home_m)
        self._data.mocap_quat[mocap] = about_z(pose.yaw_rad)

    def _view(self, aircraft: Pose, home_m: float, camera: str) -> mujoco.MjvCamera:
        view = mujoco.MjvCamera()
        if camera == "chase":
            view.lookat[:] = (aircraft.x_m, aircraft.y_m, aircraft.z_m + home_m - 20)
            view.distance, view.azimuth, view.elevation = 160.0, math.degrees(aircraft.yaw_rad), -28.0
        else:
            view.lookat[:] = (0.0, 0.0, 0.0)
            view.distance, view.azimuth, view.elevation = 1.05 * max(self._terrain.size_m), 60.0, -38.0
        return view

    def _compile(self) -> mujoco.MjModel:
        spec = mujoco.MjSpec()
        spec.visual.global_.offwidth, spec.visual.global_.offheight = 1280, 960
        spec.visual.map.znear, spec.visual.map.zfar = 0.001, 4.0
        spec.stat.extent = max(self._terrain.size_m)
        bright = LIGHT[self._terrain.light]
        spec.visual.headlight.ambient[:] = [0.5 * bright] * 3
        spec.visual.headlight.diffuse[:] = [0.5 * bright] * 3
        sky = [[0.55 * bright, 0.7 * bright, 0.9 * bright], [0.9 * bright] * 3]
        spec.add_texture(
            name="sky", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX, builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
            rgb1=sky[0], rgb2=sky[1], width=64, height=384,
        )  # fmt: skip
        self._add_ground(spec)
        for kind, most in (("forest", TREES_MAX), ("settlement", HOUSES_MAX)):
            self._add_cover(spec, kind, most)
        self._add_movers(spec)
        return spec.compile()

    def _add_ground(self, spec: Any) -> None:
        terrain = self._terrain
        wide_m, high_m = terrain.size_m
        height = terrain.elevation_m - self._low_m
        top_m = max(float(height.max()), 1.0)
        rows, columns = terrain.shape
        spec.add_hfield(
            name="ground", nrow=rows, ncol=columns, size=[wide_m / 2, high_m / 2, top_m, 5.0],
            userdata=(height / top_m).ravel().tolist(),
        )  # fmt: skip
        picture = ground(terrain).repeat(SMOOTH, axis=0).repeat(SMOOTH, axis=1).astype(np.uint8)
        texture = spec.add_texture(
            name="cover", type=mujoco.mjtTexture.mjTEXTURE_2D, width=columns * SMOOTH, height=rows * SMOOTH, nchannel=3
        )
        texture.data = picture.tobytes()
        material = spec.add_material(name="cover", specular=0.0, shininess=0.0)
        material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "cover"
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="ground", material="cover", contype=0, conaffinity=0
        )

    def _add_cover(self, spec: Any, kind: str, most: int) -> None:
        """Some trees or houses, on cells chosen evenly."""
        terrain = self._terrain
        cells = np.argwhere(terrain.kinds == KINDS.index(kind))
        chance = np.random.default_rng(7)
        chosen = cells[chance.permutation(len(cells))[:most]]
        for row, column in chosen.tolist():
            x, y = terrain.middle((row, column))
            dx, dy, size = chance.uniform(-0.4, 0.4, 3) * (terrain.cell_m, terrain.cell_m, 1.0)
            z = float(terrain.elevation_m[row, column]) - self._low_m
            tree = kind == "forest"
            half = [5.0 * (1 + size), 5.0 * (1 + size), 9.0 * (1 + size)] if tree else [5 + 2 * size, 7.0, 4.0]
            spec.worldbody.add_geom(
                type=mujoco.mjtGeom.mjGEOM_ELLIPSOID if tree else mujoco.mjtGeom.mjGEOM_BOX,
                size=half, pos=[x + dx, y + dy, z + (half[2] * 0.8 if tree else half[2])],
                rgba=[*(LEAVES[terrain.season] if tree else (0.72, 0.5, 0.42)), 1.0], contype=0, conaffinity=0,
            )  # fmt: skip

    def _add_movers(self, spec: Any, people: int = 8) -> None:
        """The aircraft and a few people, all far below the ground until they are put somewhere."""
        aircraft = spec.worldbody.add_body(name="aircraft", mocap=True, pos=[0, 0, -500])
        arm = 0.5 * LARGER
        for angle in (0.25, 0.75, 1.25, 1.75):
            x, y = arm * math.cos(angle * math.pi), arm * math.sin(angle * math.pi)
            aircraft.add_geom(
                type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[0.35 * LARGER, 0.04 * LARGER, 0], pos=[x, y, 0],
                rgba=[0.12, 0.13, 0.16, 1], contype=0, conaffinity=0,
            )  # fmt: skip
        aircraft.add_geom(
            type=mujoco.mjtGeom.mjGEOM_ELLIPSOID, size=[0.5 * LARGER, 0.25 * LARGER, 0.15 * LARGER],
            rgba=[0.88, 0.35, 0.13, 1], contype=0, conaffinity=0,
        )  # fmt: skip
        for number in range(people):
            body = spec.worldbody.add_body(name=f"person {number}", mocap=True, pos=[0, 0, -500])
            body.add_geom(
                type=mujoco.mjtGeom.mjGEOM_CAPSULE, size=[0.25 * LARGER, 0.6 * LARGER, 0], pos=[0, 0, 0.85 * LARGER],
                rgba=[0.75, 0.1, 0.55, 1], contype=0, conaffinity=0,
            )  # fmt: skip
