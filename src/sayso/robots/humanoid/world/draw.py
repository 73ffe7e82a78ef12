"""The soccer field from above, drawn without GL: lines, goals, trails, the robot, its heading and where it looks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from PIL import Image, ImageDraw

Point: TypeAlias = tuple[float, float]

CARPET, LINE, GOAL = (46, 120, 58), (235, 240, 235), (250, 210, 60)
ROBOT_TRAIL, BALL_TRAIL = (255, 170, 120), (250, 250, 250)
ROBOT, FALLEN, GAZE = (222, 92, 30), (150, 20, 20), (255, 255, 150)
CARPET_M = (11.0, 8.0)
VIEW_RAD = math.radians(80)


class Chart:
    """Metres to pixels: x to the right, y up."""

    def __init__(self, width_px: int, height_px: int) -> None:
        self.image = Image.new("RGB", (width_px, height_px), CARPET)
        self.pen = ImageDraw.Draw(self.image)
        self._scale = min(width_px / CARPET_M[0], height_px / CARPET_M[1])
        self._middle = (width_px / 2, height_px / 2)

    def at(self, x_m: float, y_m: float) -> Point:
        return self._middle[0] + x_m * self._scale, self._middle[1] - y_m * self._scale

    def line(self, points: Sequence[Point], colour: tuple[int, int, int], width_px: int = 2) -> None:
        if len(points) > 1:
            self.pen.line([self.at(*p) for p in points], fill=colour, width=width_px)

    def disc(self, x_m: float, y_m: float, radius_m: float, fill: Any, outline: Any = None) -> None:
        (left, top), (right, bottom) = self.at(x_m - radius_m, y_m + radius_m), self.at(x_m + radius_m, y_m - radius_m)
        self.pen.ellipse((left, top, right, bottom), fill=fill, outline=outline, width=2)


def overview(truth: Mapping[str, Any], obstacles: Sequence[Point], width_px: int, height_px: int) -> Any:
    """`truth` of a soccer world as (height, width, 3) uint8."""
    chart = Chart(width_px, height_px)
    _field(chart)
    for x, y in obstacles:
        chart.disc(x, y, 0.15, (60, 60, 70))
    trail = truth["trail"]
    chart.line([(x, y) for _, x, y, _, _, _ in trail], ROBOT_TRAIL)
    chart.line([(x, y) for _, _, _, _, x, y in trail], BALL_TRAIL)
    _robot(chart, truth)
    chart.disc(truth["ball"]["x_m"], truth["ball"]["y_m"], 0.09, (255, 255, 255), (20, 20, 20))
    chart.pen.text((6, 4), _caption(truth), fill=LINE)
    return np.asarray(chart.image)


def _field(chart: Chart) -> None:
    corners = [(-4.5, -3.0), (4.5, -3.0), (4.5, 3.0), (-4.5, 3.0), (-4.5, -3.0)]
    chart.line(corners, LINE)
    chart.line([(0.0, -3.0), (0.0, 3.0)], LINE)
    chart.disc(0.0, 0.0, 0.75, None, LINE)
    for side in (-1, 1):
        chart.line([(4.5 * side, -1.3), (5.1 * side, -1.3), (5.1 * side, 1.3), (4.5 * side, 1.3)], GOAL, 4)


def _robot(chart: Chart, truth: Mapping[str, Any]) -> None:
    x, y, yaw = (truth["robot"][k] for k in ("x_m", "y_m", "yaw_rad"))
    look = yaw + truth["head"]["pan_rad"]
    for edge in (-VIEW_RAD / 2, VIEW_RAD / 2):
        chart.line([(x, y), (x + math.cos(look + edge), y + math.sin(look + edge))], GAZE, 1)
    chart.disc(x, y, 0.14, FALLEN if truth["fallen"] else ROBOT, (30, 30, 30))
    chart.line([(x, y), (x + 0.3 * math.cos(yaw), y + 0.3 * math.sin(yaw))], (30, 30, 30), 4)


def _caption(truth: Mapping[str, Any]) -> str:
    goals = f"{len(truth['goals'])} goals, " if truth["goals"] else ""
    return f"{truth['now_s']:.1f} s  {goals}{len(truth['kicks'])} kicks, {len(truth['falls'])} falls"
