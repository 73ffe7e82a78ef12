"""Negative evidence: which units should have been seen in a picture, and were not.

Not seeing a thing says something only where it would have been seen: well inside the frame, no further away than it has
been recognised before, and with nothing else in front. What it was seen in front of (the table that it lies on) hides
nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from sayso.memory.units import Look, Unit
from sayso.scene import Box, Pose, Scene, Thing, View

MARGIN = 0.12
"""Of the frame, at each side: there a thing is cut off, and the robot's sway decides whether it shows."""

NEAREST_M = 0.3
OVERLAP_M = 0.25
"""Something that much nearer than a unit stands in front of it."""

MISS_CHANCE = 0.3
"""How often a thing in plain view goes unrecognised; after three times in a row it is taken to be gone."""

SURE = 0.95


def missing(units: Iterable[Unit], look: Look, matched: Collection[int]) -> list[Unit]:
    """Those of `units` that the look should have shown and did not."""
    return [u for u in units if u.id not in matched and not u.held and u.seen_s < look.at_s and _expected(u, look)]


def missed(unit: Unit, at_s: float) -> Unit:
    """The unit, believed a little less."""
    p = unit.confidence
    left = p * MISS_CHANCE / (p * MISS_CHANCE + 1 - p)
    fresh = replace(unit, confidence=max(left, 0.01))
    return replace(fresh, missed_s=at_s) if fresh.stale and not unit.stale else fresh


def _expected(unit: Unit, look: Look) -> bool:
    if look.place and unit.place == look.place:
        return True
    return (
        unit.pose is not None and look.scene.view is not None and _shown(unit, unit.pose, look.scene.view, look.scene)
    )


def _shown(unit: Unit, pose: Pose, view: View, scene: Scene) -> bool:
    away_m = view.eye.distance_m(pose)
    spot = view.spot(pose)
    if spot is None or not NEAREST_M <= away_m <= unit.reach_m:
        return False
    if not all(MARGIN <= part <= 1 - MARGIN for part in spot):
        return False
    return not any(_hides(t, spot, away_m) for t in scene if t.label not in unit.backdrops)


def _hides(thing: Thing, spot: tuple[float, float], away_m: float) -> bool:
    if thing.box is None or not covers(thing.box, spot):
        return False
    return thing.distance_m is None or thing.distance_m < away_m - OVERLAP_M


def covers(box: Box, spot: tuple[float, float]) -> bool:
    """Whether a point of the image lies in a box."""
    return abs(spot[0] - box.x) <= box.width / 2 and abs(spot[1] - box.y) <= box.height / 2


def backdrops(thing: Thing, scene: Scene) -> tuple[str, ...]:
    """Labels of what `thing` was seen in front of: their boxes hold its middle, and it was seen all the same."""
    if thing.box is None:
        return ()
    spot = (thing.box.x, thing.box.y)
    return tuple(sorted({t.label for t in scene if t is not thing and t.box and covers(t.box, spot)}))
