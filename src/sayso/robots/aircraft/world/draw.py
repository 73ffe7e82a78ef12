"""A rescue mission from above, drawn with numpy and Pillow alone: ground, hills, looks, sightings, the way flown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from PIL import Image, ImageDraw

from sayso.robots.aircraft.search.detection import Detection
from sayso.robots.aircraft.search.sweep import Look, seen
from sayso.robots.aircraft.search.terrain import KINDS, Terrain
from sayso.robots.aircraft.world.truth import SearchTruth
from sayso.scene import Pose
from sayso.worlds.draw import Chart, Point, Rgb

GROUND: Mapping[str, Mapping[str, Rgb]] = {
    "summer": {"field": (171, 191, 116), "forest": (72, 112, 66), "settlement": (186, 160, 140)},
    "winter": {"field": (226, 230, 232), "forest": (106, 124, 112), "settlement": (190, 178, 172)},
    "autumn": {"field": (188, 178, 116), "forest": (140, 110, 60), "settlement": (186, 160, 140)},
    "spring": {"field": (160, 200, 120), "forest": (92, 136, 76), "settlement": (186, 160, 140)},
}
WATER: Rgb = (96, 148, 190)
ROAD: Rgb = (120, 116, 112)
PERSON: Rgb = (180, 20, 140)
STATUS: Mapping[str, Rgb] = {
    "confirmed": (20, 140, 40),
    "not confirmed": (120, 120, 120),
    "unconfirmed": (240, 200, 30),
}
LIGHT = {"day": 1.0, "dusk": 0.72, "night": 0.45}


class Drawn(Protocol):
    """What of a rescue world is drawn."""

    terrain: Terrain
    model: Detection
    trail: list[Pose]

    @property
    def camera(self) -> Any: ...
    def truth(self) -> SearchTruth: ...
    def observer(self) -> Pose: ...


def ground(terrain: Terrain) -> Any:
    """The ground as (rows, columns, 3) floats 0 to 255, north up, shaded by its slopes."""
    colours = {**GROUND[terrain.season], "water": WATER, "road": ROAD}
    picture = np.array([colours[kind] for kind in KINDS], dtype=np.float64)[terrain.kinds]
    down, right = np.gradient(terrain.elevation_m, terrain.cell_m)
    shade = np.clip(1 + 0.9 * (-down + right) * -1.0, 0.6, 1.3)
    return np.clip(picture * shade[:, :, None], 0, 255)[::-1]


def overview(world: Drawn, width_px: int, height_px: int) -> Any:
    """(height, width, 3) uint8."""
    terrain, truth = world.terrain, world.truth()
    chart = Chart(terrain.size_m, width_px, height_px)
    looked = _looked_at(world.camera.looks, terrain, world.model)[::-1, :, None]
    chart.ground(ground(terrain) * LIGHT[terrain.light] * (1 - 0.35 * looked))
    for name, area in truth.things.items():
        chart.words(_at(area.pose), name)
    chart.trail((*world.trail, truth.pose), start=False)
    for one in truth.present.values():
        chart.disc(_at(one.pose), 0.0, PERSON if one.open_to_sky else None, PERSON, least_px=4)
    for thing in world.camera.sightings:
        assert thing.pose is not None
        chart.square(_at(thing.pose), 7, STATUS[thing.attributes["status"]])
    chart.words(terrain.home, "H", 14)
    chart.robot(truth.pose, 0.0, least_px=6)
    where = f"{terrain.name}, {terrain.season}, {terrain.light}"
    chart.titles(where, f"battery {truth.charge:.0%}   {truth.time_s:.0f} s")
    return chart.picture()


def _at(pose: Pose) -> Point:
    return pose.x_m, pose.y_m


def _looked_at(looks: Sequence[Look], terrain: Terrain, model: Detection) -> Any:
    """How well each cell has been looked at, 0 to 1."""
    missed = np.ones(terrain.shape)
    for look in looks:
        what = seen(look, terrain, model)
        missed[what.window] *= 1 - 0.6 * what.share
    return 1 - missed


def photograph(world: Drawn, width_px: int, height_px: int) -> Any:
    """What the camera sees straight down, as (height, width, 3) uint8, from the map and who is in the open."""
    terrain, pose = world.terrain, world.observer()
    high_m = max(pose.z_m, 2.0)
    across_m = world.model.footprint("eo", high_m).across_m
    x = pose.x_m + (np.arange(width_px) + 0.5 - width_px / 2) * across_m / width_px
    y = pose.y_m - (np.arange(height_px) + 0.5 - height_px / 2) * across_m / width_px
    rows = np.clip((y / terrain.cell_m + terrain.shape[0] / 2).astype(int), 0, terrain.shape[0] - 1)
    columns = np.clip((x / terrain.cell_m + terrain.shape[1] / 2).astype(int), 0, terrain.shape[1] - 1)
    grain = np.sin(x[None, :] * 2.1 + np.sin(y[:, None] * 1.3)) * np.cos(y[:, None] * 1.7) * 9
    picture = ground(terrain)[::-1][rows[:, None], columns[None, :]] * LIGHT[terrain.light] + grain[:, :, None]
    image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
    pen, scale = ImageDraw.Draw(image), width_px / across_m
    for one in world.truth().present.values():
        if one.open_to_sky:
            px = width_px / 2 + (one.pose.x_m - pose.x_m) * scale
            py = height_px / 2 - (one.pose.y_m - pose.y_m) * scale
            r = max(1.0, 0.5 * scale)
            pen.ellipse((px - r, py - r, px + r, py + r), fill=(200, 60, 50))
    return np.asarray(image)
