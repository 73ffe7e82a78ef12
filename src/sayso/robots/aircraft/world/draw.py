"""Open country, drawn with numpy and Pillow alone: from above, as the camera sees it, and as a net of heights.

The net is painted with what grows there, north up, and with where someone may be: red is likely, the white line holds
half of the probability at least. Who is really there is in neither net nor paint.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from sayso.robots.aircraft.aerial import AerialCamera
from sayso.robots.aircraft.search.detection import Detection
from sayso.robots.aircraft.search.sweep import Look, seen
from sayso.robots.aircraft.search.terrain import KINDS, Terrain
from sayso.robots.aircraft.world.people import People, SearchTruth
from sayso.scene import Pose
from sayso.search.grid import region
from sayso.search.model import Floats
from sayso.tables import toml
from sayso.worlds.draw import Chart

COLOURS = toml(__package__, "draw.toml")

NET = 41
"""Points of the net along a side; enough for hills, little enough to send."""

PAINT_PX = 768
HOT, WARM = np.array([200.0, 20.0, 20.0]), np.array([250.0, 210.0, 60.0])
COVERS = 0.8
LAMPS = 0.8
"""The scene's lamps are bright."""

EDGE = (255, 255, 255)
ALIKE = 0.97


def ground(terrain: Terrain) -> Any:
    """The ground as (rows, columns, 3) floats 0 to 255, north up, shaded by its slopes, in the light that there is."""
    colours = COLOURS["ground"]
    shades = colours | colours[terrain.season]
    picture = np.array([shades[kind] for kind in KINDS], dtype=np.float64)[terrain.kinds]
    down, right = np.gradient(terrain.elevation_m, terrain.cell_m)
    shade = np.clip(1 + 0.9 * (-down + right) * -1.0, 0.6, 1.3)
    return np.clip(picture * shade[:, :, None], 0, 255)[::-1] * COLOURS["light"][terrain.light]


def overview(
    terrain: Terrain, camera: AerialCamera, trail: Sequence[Pose], truth: SearchTruth, width_px: int, height_px: int
) -> Any:
    """(height, width, 3) uint8."""
    chart = Chart(terrain.size_m, width_px, height_px)
    looked = _looked_at(camera.looks, terrain, camera.model)[::-1, :, None]
    chart.ground(ground(terrain) * (1 - 0.35 * looked))
    for name, area in truth.things.items():
        chart.words(area.pose.xy, name)
    chart.trail((*trail, truth.pose), start=False)
    person = tuple(COLOURS["person"])
    for one in truth.present.values():
        chart.disc(one.pose.xy, 0.0, person if one.open_to_sky else None, person, least_px=4)
    for thing in camera.sightings:
        assert thing.pose is not None
        chart.square(thing.pose.xy, 7, tuple(COLOURS["status"][thing.attributes["status"]]))
    chart.words(terrain.home, "H", 14)
    chart.robot(truth.pose, 0.0, least_px=6)
    where = f"{terrain.name}, {terrain.season}, {terrain.light}"
    chart.titles(where, f"battery {truth.charge:.0%}   {truth.time_s:.0f} s")
    return chart.picture()


def _looked_at(looks: Sequence[Look], terrain: Terrain, model: Detection) -> Any:
    """How well each cell has been looked at, 0 to 1."""
    missed = np.ones(terrain.shape)
    for look in looks:
        what = seen(look, terrain, model)
        missed[what.window] *= 1 - 0.6 * what.share
    return 1 - missed


def photograph(people: People, model: Detection, pose: Pose, width_px: int, height_px: int) -> Any:
    """What the camera sees straight down, as (height, width, 3) uint8, from the map and who is in the open."""
    terrain, high_m = people.terrain, max(pose.z_m, 2.0)
    across_m = model.footprint("eo", high_m).across_m
    x = pose.x_m + (np.arange(width_px) + 0.5 - width_px / 2) * across_m / width_px
    y = pose.y_m - (np.arange(height_px) + 0.5 - height_px / 2) * across_m / width_px
    rows = np.clip((y / terrain.cell_m + terrain.shape[0] / 2).astype(int), 0, terrain.shape[0] - 1)
    columns = np.clip((x / terrain.cell_m + terrain.shape[1] / 2).astype(int), 0, terrain.shape[1] - 1)
    grain = np.sin(x[None, :] * 2.1 + np.sin(y[:, None] * 1.3)) * np.cos(y[:, None] * 1.7) * 9
    picture = ground(terrain)[::-1][rows[:, None], columns[None, :]] + grain[:, :, None]
    image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
    pen, scale = ImageDraw.Draw(image), width_px / across_m
    for one in people.present:
        if one.open_to_sky:
            px = width_px / 2 + (one.place[0] - pose.x_m) * scale
            py = height_px / 2 - (one.place[1] - pose.y_m) * scale
            r = max(1.0, 0.5 * scale)
            pen.ellipse((px - r, py - r, px + r, py + r), fill=(200, 60, 50))
    return np.asarray(image)


@dataclass(frozen=True, slots=True)
class Land:
    """The land under a search: metres, heights above where the aircraft stands at home."""

    terrain: Terrain

    @property
    def span_m(self) -> float:
        return max(self.terrain.size_m)

    def height_m(self, x_m: float, y_m: float) -> float:
        """How high the ground is there."""
        return self.terrain.height_m(x_m, y_m) - self.terrain.height_m(*self.terrain.home)

    def net(self) -> list[list[list[float] | None]]:
        """Points over the whole map, the northernmost row first, each row from west to east."""
        wide_m, high_m = self.terrain.size_m
        xs, ys = np.linspace(-wide_m / 2, wide_m / 2, NET), np.linspace(high_m / 2, -high_m / 2, NET)
        return [[[round(x, 1), round(y, 1), round(self.height_m(x, y), 1)] for x in xs.tolist()] for y in ys.tolist()]

    def paint(self, chances: Floats | None = None) -> Any:
        """(height, width, 3) uint8, north up; with the probability of each cell (row 0 in the south) over it."""
        cells = ground(self.terrain) * LAMPS
        return heated(cells, chances, max(1, PAINT_PX // cells.shape[1]))


def heated(cells: Any, chances: Floats | None, scale: int) -> Any:
    """A picture of the ground, each cell `scale` pixels, covered by warmth where the probability is."""
    likely = chances is not None and float(chances.max()) > 0
    if chances is not None and likely:
        heat = np.sqrt(chances[::-1] / chances.max())[:, :, None]
        cells = cells * (1 - COVERS * heat) + COVERS * heat * (WARM + (HOT - WARM) * heat)
    size = cells.shape[1] * scale, cells.shape[0] * scale
    picture = Image.fromarray(cells.astype(np.uint8)).resize(size, Image.Resampling.NEAREST)
    if chances is not None and likely:
        inside = chances >= ALIKE * chances[half_of(chances)].min()  # without a comb where many cells are alike
        _outline(picture, inside[::-1], scale)
    return np.asarray(picture)


def half_of(chances: Floats) -> NDArray[np.bool_]:
    """The fewest cells that hold half of the probability, also of a sum over several who are missing."""
    return region(chances / chances.sum(), 0.5)


def _outline(picture: Image.Image, inside: NDArray[np.bool_], scale: int) -> None:
    """A line around the cells of a region."""
    pen = ImageDraw.Draw(picture)
    for row, column in np.argwhere(inside[:, 1:] != inside[:, :-1]).tolist():
        x, y = (column + 1) * scale, row * scale
        pen.line((x, y, x, y + scale), fill=EDGE, width=2)
    for row, column in np.argwhere(inside[1:] != inside[:-1]).tolist():
        x, y = column * scale, (row + 1) * scale
        pen.line((x, y, x + scale, y), fill=EDGE, width=2)
