"""Where something lies, as a person would say it: how far away, and on which side."""

from __future__ import annotations

import math

from sayso.scene import Pose

SIDES = ("ahead", "ahead, to the {side}", "to the {side}", "behind me, to the {side}", "behind me")
"""By eighths of half a turn, from straight ahead: the odd ones are in between."""

A_LITTLE_RAD, AHEAD_RAD = math.radians(8), math.radians(25)
COMPASS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")


def lies(here: Pose, there: Pose) -> str:
    """ "2.4 m ahead, a little to the left"."""
    return f"{metres(there.level_m(here))} {side(here.bearing_rad(there))}"


def side(bearing_rad: float) -> str:
    """On which side that is; positive is left."""
    away, hand = abs(bearing_rad), "left" if bearing_rad > 0 else "right"
    if away < A_LITTLE_RAD:
        return "straight ahead"
    if away < AHEAD_RAD:
        return f"ahead, a little to the {hand}"
    return SIDES[round(away / (math.pi / 4))].format(side=hand)


def heading(yaw_rad: float) -> str:
    """Of the compass: x points east and y north."""
    return COMPASS[round(yaw_rad / (math.pi / 4)) % len(COMPASS)]


def metres(m: float) -> str:
    """As exactly as one would say it."""
    return f"{m:.0f} m" if m >= 10 else f"{m:.1f} m"
