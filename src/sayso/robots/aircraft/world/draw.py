"""A rescue mission from above, drawn with numpy and Pillow alone: ground, hills, looks, sightings, the way flown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from sayso.robots.aircraft.search.detection import Detection
from sayso.robots.aircraft.search.sweep import Look, seen
from sayso.robots.aircraft.search.terrain import KINDS, Terrain
from sayso.scene import Pose, Thing

Rgb: TypeAlias = tuple[int, int, int]

GROUND: Mapping[str, Mapping[str, Rgb]] = {
    "summer": {"field": (171, 191, 116), "forest": (72, 112, 66), "settlement": (186, 160, 140)},
    "winter": {"field": (226, 230, 232), "forest": (106, 124, 112), "settlement": (190, 178, 172)},
    "autumn": {"field": (188, 178, 116), "forest": (140, 110, 60), "settlement": (186, 160, 140)},
    "spring": {"field": (160, 200, 120), "forest": (92, 136, 76), "settlement": (186, 160, 140)},
}
WATER: Rgb = (96, 148, 190)
ROAD: Rgb = (120, 116, 112)
TRAIL: Rgb = (226, 88, 34)
HOME: Rgb = (28, 34, 44)
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
    def truth(self) -> Mapping[str, Any]: ...
    def observer(self) -> Pose: ...


def ground(terrain: Terrain) -> Any:
    """The ground as (rows, columns, 3) floats 0 to 255, north up, shaded by its slopes."""
    colours = {**GROUND[terrain.season], "water": WATER, "road": ROAD}
    picture = np.array([colours[kind] for kind in KINDS], dtype=np.float64)[terrain.kinds]
    down, right = np.gradient(terrain.elevation_m, terrain.cell_m)
    shade = np.clip(1 + 0.9 * (-down + right) * -1.0, 0.6, 1.3)
    return np.clip(picture * shade[:, :, None], 0, 255)[::-1]


class _Chart:
    def __init__(self, terrain: Terrain, width_px: int, height_px: int) -> None:
        wide_m, high_m = terrain.size_m
        self.scale = min(width_px / wide_m, (height_px - 18) / high_m)
        self.size = round(wide_m * self.scale), round(high_m * self.scale)
        self.left, self.top = (width_px - self.size[0]) // 2, 18 + (height_px - 18 - self.size[1]) // 2
        self.middle = self.left + self.size[0] / 2, self.top + self.size[1] / 2

    def at(self, x_m: float, y_m: float) -> tuple[float, float]:
        return self.middle[0] + x_m * self.scale, self.middle[1] - y_m * self.scale


def overview(world: Drawn, width_px: int, height_px: int) -> Any:
    """(height, width, 3) uint8."""
    terrain = world.terrain
    chart = _Chart(terrain, width_px, height_px)
    image = Image.new("RGB", (width_px, height_px), (247, 246, 243))
    layer = ground(terrain) * LIGHT[terrain.light]
    layer = layer * (1 - 0.35 * _looked_at(world.camera.looks, terrain, world.model)[::-1, :, None])
    cells = Image.fromarray(layer.astype(np.uint8))
    image.paste(cells.resize(chart.size, Image.Resampling.NEAREST), (chart.left, chart.top))
    pen = ImageDraw.Draw(image, "RGBA")
    _areas(pen, chart, terrain)
    truth = world.truth()
    _trail(pen, chart, world.trail)
    _people(pen, chart, truth["present"])
    _sightings(pen, chart, world.camera.sightings)
    _aircraft(pen, chart, truth, terrain)
    caption = (
        f"{terrain.name}, {terrain.season}, {terrain.light}   battery {truth['charge']:.0%}   {truth['time_s']:.0f} s"
    )
    pen.text((6, 3), caption, fill=(45, 48, 54), font=_font(11))
    return np.asarray(image)


def _looked_at(looks: Sequence[Look], terrain: Terrain, model: Detection) -> Any:
    """How well each cell has been looked at, 0 to 1."""
    missed = np.ones(terrain.shape)
    for look in looks:
        what = seen(look, terrain, model)
        missed[what.window] *= 1 - 0.6 * what.share
    return 1 - missed


def _areas(pen: ImageDraw.ImageDraw, chart: _Chart, terrain: Terrain) -> None:
    for name in terrain.named:
        area = terrain.areas[name]
        rows, columns = area.mask.nonzero()
        cell = area.window[0].start + float(rows.mean()), area.window[1].start + float(columns.mean())
        x, y = chart.at(*terrain.middle(cell))
        pen.text((x, y), name, fill=(255, 255, 255, 230), font=_font(11), anchor="mm",
                 stroke_width=2, stroke_fill=(40, 44, 50, 150))  # fmt: skip


def _trail(pen: ImageDraw.ImageDraw, chart: _Chart, trail: Sequence[Pose]) -> None:
    if len(trail) > 1:
        pen.line([chart.at(p.x_m, p.y_m) for p in trail], fill=TRAIL, width=2, joint="curve")


def _people(pen: ImageDraw.ImageDraw, chart: _Chart, present: Mapping[str, Mapping[str, Any]]) -> None:
    for one in present.values():
        x, y = chart.at(one["pose"].x_m, one["pose"].y_m)
        fill = PERSON if one["open_to_sky"] else None
        pen.ellipse((x - 4, y - 4, x + 4, y + 4), fill=fill, outline=PERSON, width=2)


def _sightings(pen: ImageDraw.ImageDraw, chart: _Chart, sightings: Sequence[Thing]) -> None:
    for thing in sightings:
        assert thing.pose is not None
        x, y = chart.at(thing.pose.x_m, thing.pose.y_m)
        colour = STATUS[thing.attributes["status"]]
        pen.rectangle((x - 7, y - 7, x + 7, y + 7), outline=colour, width=2)


def _aircraft(pen: ImageDraw.ImageDraw, chart: _Chart, truth: Mapping[str, Any], terrain: Terrain) -> None:
    x, y = chart.at(*terrain.home)
    pen.text((x, y), "H", fill=HOME, font=_font(14), anchor="mm", stroke_width=2, stroke_fill=(255, 255, 255))
    pose: Pose = truth["pose"]
    x, y = chart.at(pose.x_m, pose.y_m)
    c, s = math.cos(pose.yaw_rad), -math.sin(pose.yaw_rad)
    nose, wings = (x + 10 * c, y + 10 * s), [(x - 6 * c - k * 6 * s, y - 6 * s + k * 6 * c) for k in (1, -1)]
    pen.polygon([nose, *wings], fill=HOME, outline=(255, 255, 255))


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
    for one in world.truth()["present"].values():
        if one["open_to_sky"]:
            px = width_px / 2 + (one["pose"].x_m - pose.x_m) * scale
            py = height_px / 2 - (one["pose"].y_m - pose.y_m) * scale
            r = max(1.0, 0.5 * scale)
            pen.ellipse((px - r, py - r, px + r, py + r), fill=(200, 60, 50))
    return np.asarray(image)


def _font(size: int) -> Any:
    return ImageFont.load_default(size)
