"""A room from above in characters: things by a letter, the way flown, the robot as an arrow.

x runs to the right and y up, as on any map. A character is about twice as high as wide, which the map allows for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rich.text import Text

from sayso.limits import Zone
from sayso.memory.wording import clean
from sayso.scene import Pose

ARROWS = "→↗↑↖←↙↓↘"
TALL = 2.0
"""Height of a character in widths."""


class Place(NamedTuple):
    """A thing on the map; `seen` while the robot has it in view."""

    label: str
    pose: Pose
    seen: bool = False


def letters(labels: Iterable[str]) -> dict[str, str]:
    """A character of its own for every label: its first free letter, else a capital, else a digit."""
    given: dict[str, str] = {}
    for label in sorted(set(labels)):
        wanted = [c for c in label.lower() if c.isascii() and c.isalpha()]
        spare = [*wanted, *map(str.upper, wanted), *"0123456789abcdefghijklmnopqrstuvwxyz"]
        given[label] = next((c for c in spare if c not in given.values()), "?")
    return given


def size(zone: Zone, columns: int, rows: int) -> tuple[int, int]:
    """The largest map of this zone, (columns, rows), that fits; (0, 0) where the zone has no end or no room is left."""
    wide_m, deep_m = zone.x_max_m - zone.x_min_m, zone.y_max_m - zone.y_min_m
    if columns < 8 or rows < 4 or not (0 < wide_m < math.inf and 0 < deep_m < math.inf):
        return 0, 0
    per_column_m = max(wide_m / columns, deep_m / (rows * TALL))
    return max(2, round(wide_m / per_column_m)), max(2, round(deep_m / (per_column_m * TALL)))


def draw(zone: Zone, columns: int, rows: int, places: Iterable[Place], trail: Iterable[Pose], robot: Pose) -> Text:
    """The map. Later things are drawn over earlier ones, the robot over all."""
    grid: dict[tuple[int, int], tuple[str, str]] = {}

    def put(pose: Pose, mark: str, style: str) -> None:
        x = (pose.x_m - zone.x_min_m) / (zone.x_max_m - zone.x_min_m)
        y = (zone.y_max_m - pose.y_m) / (zone.y_max_m - zone.y_min_m)
        if math.isfinite(x + y):
            column, row = round(min(1.0, max(0.0, x)) * (columns - 1)), round(min(1.0, max(0.0, y)) * (rows - 1))
            grid[row, column] = mark, style

    places = list(places)
    mark_of = letters(p.label for p in places)
    for pose in trail:
        put(pose, "·", "yellow")
    for place in sorted(places, key=lambda p: p.seen):
        put(place.pose, mark_of[place.label], "bold green" if place.seen else "cyan")
    put(robot, ARROWS[round(robot.yaw_rad / (math.pi / 4)) % 8], "bold yellow")
    lines = (Text.assemble(*(grid.get((r, c), " ") for c in range(columns))) for r in range(rows))
    return Text("\n").join(lines)


def legend(places: Iterable[Place], columns: int, rows: int) -> Text:
    """What the letters stand for, in at most `rows` lines. What is in view comes first and stands out."""
    seen: Mapping[str, bool] = {p.label: p.seen for p in sorted(places, key=lambda p: p.seen)}
    mark_of = letters(seen)
    lines = [Text()]
    for label in sorted(seen, key=lambda label: (not seen[label], label)):
        styles = ("bold green", "") if seen[label] else ("cyan", "dim")
        entry = Text.assemble((mark_of[label], styles[0]), (f" {clean(label)}  ", styles[1]))
        if lines[-1] and len(lines[-1]) + len(entry) - 2 > columns:
            lines.append(Text())
        lines[-1].append_text(entry)
    for line in lines:
        line.truncate(columns)
    return Text("\n").join(lines[:rows])
