"""Sentences about remembered things, for people and for planners. Names come from the world: they are made plain."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass

from sayso.memory.thing_record import ThingRecord
from sayso.scene import Belief, Pose, plain

SIDES = ("ahead", "ahead on the left", "to the left", "behind on the left", "behind", "behind on the right",
         "to the right", "ahead on the right")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Remembered(Belief):
    """A thing that was seen before and is not in view: what it is like, where it was, whether it is `gone` from there.

    `line` is all of that in words.
    """

    name: str
    likes: tuple[str, ...]
    place: str
    gone: bool
    line: str

    def __str__(self) -> str:
        return f"remembered: {self.line}"


def remembered(unit: ThingRecord, now_s: float, here: Pose) -> Remembered:
    """A remembered thing as a belief for planners."""
    likes = tuple(plain(v) for k, v in sorted(unit.attributes.items()) if k != "held")
    return Remembered(
        plain(unit.called),
        likes,
        "" if unit.held else plain(unit.place),
        bool(unit.stale),
        described(unit, now_s, here),
    )


def described(unit: ThingRecord, now_s: float, here: Pose | None = None) -> str:
    """A remembered thing in one line: what it is, whether it is still there, where, when, and what was beside it."""
    likes = ", ".join(plain(v) for k, v in sorted(unit.attributes.items()) if k != "held")
    name = plain(unit.called) + (f" ({likes})" if likes else "")
    if unit.held:
        return f"{name}, in the robot's hand"
    parts = [f"last seen {ago(unit.seen_s, now_s)}"]
    if unit.place:
        parts.append(f"at {plain(unit.place)}")
    if unit.pose:
        parts.append(where_from(here, unit.pose) if here else _at(unit.pose))
    if unit.picture:
        parts.append(f"with {', '.join(plain(p) for p in unit.picture.split(', '))}")
    gone = f"; no longer there {ago(unit.missed_s, now_s)}" if unit.stale and unit.missed_s else ""
    return f"{name}, {', '.join(parts)}{gone or ('; no longer there' if unit.stale else '')}"


def where_from(here: Pose, there: Pose) -> str:
    """A place as someone sees it who stands `here`: `2.1 m to the left, 0.4 m up`."""
    level_m = there.level_m(here)
    side = SIDES[round(here.bearing_rad(there) / (math.pi / 4)) % 8]
    rise_m = there.z_m - here.z_m
    height = f", {abs(rise_m):.1f} m {'up' if rise_m > 0 else 'down'}" if abs(rise_m) >= 0.3 else ""
    return f"{level_m:.1f} m {side}{height}"


def ago(then_s: float, now_s: float) -> str:
    """A past moment: `just now`, `20 minutes ago`, `today at 14:03`, `yesterday at 14:03`, `on 3 May at 14:03`."""
    gone_s = now_s - then_s
    if gone_s < 60:
        return "just now"
    if gone_s < 3600:
        minutes = int(gone_s / 60)
        return f"{minutes} minute{'s' * (minutes > 1)} ago"
    then, now = dt.datetime.fromtimestamp(then_s), dt.datetime.fromtimestamp(now_s)
    days = (now.date() - then.date()).days
    year = f" {then.year}" if then.year != now.year else ""
    day = ("today", "yesterday")[days] if days in (0, 1) else f"on {then.day} {then:%b}{year}"
    return f"{day} at {then:%H:%M}"


def _at(pose: Pose) -> str:
    return f"x {pose.x_m:.1f} m, y {pose.y_m:.1f} m, z {pose.z_m:.1f} m"
