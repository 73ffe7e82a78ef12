"""The soccer field from above: lines, goals, the ways of robot and ball, the robot and where it looks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sayso.robots.humanoid.world.referee import GameTruth
from sayso.scene import Pose
from sayso.worlds.draw import Chart, Point, Rgb

CARPET: Rgb = (46, 120, 58)
LINE: Rgb = (235, 240, 235)
GOAL: Rgb = (250, 210, 60)
COLUMN: Rgb = (60, 60, 70)
ROBOT: Rgb = (222, 92, 30)
FALLEN: Rgb = (150, 20, 20)
ROBOT_TRAIL: Rgb = (255, 170, 120)
BALL, BALL_EDGE, BALL_TRAIL = (255, 255, 255), (20, 20, 20), (250, 250, 250)
CARPET_M = (11.0, 8.0)
VIEW_RAD, SIGHT_M = math.radians(80), 1.0
ROBOT_M, BALL_M = 0.14, 0.09
"""Their radii here."""


def overview(
    truth: GameTruth, trail: Sequence[Pose], ball: Sequence[Point], obstacles: Sequence[Point], width: int, height: int
) -> Any:
    """(height, width, 3) uint8; `trail` and `ball` are where robot and ball have been."""
    chart = Chart(CARPET_M, width, height, paper=CARPET)
    _field(chart)
    for column in obstacles:
        chart.disc(column, 0.15, COLUMN)
    chart.line([(pose.x_m, pose.y_m) for pose in (*trail, truth.pose)], ROBOT_TRAIL)
    chart.line(ball, BALL_TRAIL)
    chart.sight(replace(truth.pose, yaw_rad=truth.pose.yaw_rad + truth.head_pan_rad), VIEW_RAD / 2, SIGHT_M)
    chart.robot(truth.pose, ROBOT_M, FALLEN if truth.fallen else ROBOT)
    chart.disc((truth.ball.x_m, truth.ball.y_m), BALL_M, BALL, BALL_EDGE)
    chart.titles(_caption(truth), f"{truth.time_s:.1f} s", LINE)
    return chart.picture()


def _field(chart: Chart) -> None:
    chart.line([(-4.5, -3.0), (4.5, -3.0), (4.5, 3.0), (-4.5, 3.0), (-4.5, -3.0)], LINE)
    chart.line([(0.0, -3.0), (0.0, 3.0)], LINE)
    chart.disc((0.0, 0.0), 0.75, None, LINE)
    for side in (-1, 1):
        chart.line([(4.5 * side, -1.3), (5.1 * side, -1.3), (5.1 * side, 1.3), (4.5 * side, 1.3)], GOAL, 4)


def _caption(truth: GameTruth) -> str:
    books = truth.books
    goals = f"{len(books.goals)} goals, " if books.goals else ""
    return f"{goals}{len(books.kicks)} kicks, {len(books.falls)} falls"
