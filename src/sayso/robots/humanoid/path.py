"""The path to a ball: round it where need be, to a place from which one foot can kick it the right way.

A pure law from where robot and ball are to the next walk velocity; metres and radians, REP 103.
"""

import math
from typing import TypeAlias

from sayso.scene import Pose, wrap

KICK_AHEAD_M, KICK_ASIDE_M = 0.25, 0.07
"""Where the ball lies, seen from the hips, when a foot can hit it well."""
REACH_AHEAD_M = (0.19, 0.33)
REACH_ASIDE_M = (0.015, 0.115)
ROUND_M = 0.45  # how far from the ball to walk when going round it
BEHIND_RAD = 0.7  # within this of the line through ball and aim, it may walk up to the ball
THERE_M, THERE_RAD = 0.035, 0.12
LEFT_AGAIN = 1.8  # how much worse it may get before it walks again


Velocity: TypeAlias = tuple[float, float, float]
"""Of a walk: forward and left (m/s), and turn rate (rad/s)."""


def foot_for(here: Pose, ball: Pose) -> str | None:
    """The foot that can kick this ball from here, None when neither can."""
    distance_m, bearing = _polar(here, ball)
    ahead, aside = distance_m * math.cos(bearing), distance_m * math.sin(bearing)
    if not REACH_AHEAD_M[0] <= ahead <= REACH_AHEAD_M[1] or not REACH_ASIDE_M[0] <= abs(aside) <= REACH_ASIDE_M[1]:
        return None
    return "left" if aside > 0 else "right"


def approach(here: Pose, ball: Pose, aim: Pose | None, was_there: bool = False) -> Velocity | None:
    """How to walk on towards kicking `ball` at `aim`; without an aim, straight ahead from where the robot comes. None
    where no more walking is needed."""
    distance_m, bearing = _polar(here, ball)
    side = -1 if bearing <= 0.05 else 1
    if aim:
        line = math.atan2(aim.y_m - ball.y_m, aim.x_m - ball.x_m)
    else:
        line = here.yaw_rad + bearing - side * math.asin(min(1.0, KICK_ASIDE_M / max(distance_m, KICK_ASIDE_M)))
    off_line = wrap(math.atan2(here.y_m - ball.y_m, here.x_m - ball.x_m) - line - math.pi)
    if abs(off_line) > BEHIND_RAD:
        return _towards(here, _beside(ball, line, off_line), bearing, distance_m)
    stand = Pose(ball.x_m, ball.y_m, 0.0, line).moved(-KICK_AHEAD_M, -side * KICK_ASIDE_M)
    slack = LEFT_AGAIN if was_there else 1.0
    turn = wrap(line - here.yaw_rad)
    stands = here.distance_m(stand) < THERE_M * slack and abs(turn) < THERE_RAD * slack
    if stands and (was_there or foot_for(here, ball)):
        return None
    return _towards(here, stand, turn if here.distance_m(stand) < 0.5 else here.bearing_rad(stand), distance_m)


def _beside(ball: Pose, line: float, off_line: float) -> Pose:
    """A place on the circle round the ball, a part of the way back behind it."""
    left = off_line - math.copysign(min(abs(off_line), 0.8), off_line)
    around = line + math.pi + left
    return Pose(ball.x_m + ROUND_M * math.cos(around), ball.y_m + ROUND_M * math.sin(around))


def _towards(here: Pose, place: Pose, turn: float, ball_m: float) -> Velocity:
    """Walk there while turning by `turn`: forwards when it is far, any way when it is near."""
    away_m, bearing = _polar(here, place)
    if away_m > 0.6 and ball_m > 0.6:
        return 0.4 * max(0.0, math.cos(bearing)) ** 2, 0.0, 1.5 * bearing
    speed = min(0.3, 1.3 * away_m)
    return speed * math.cos(bearing), speed * math.sin(bearing), 1.5 * turn


def _polar(here: Pose, there: Pose) -> tuple[float, float]:
    """Distance on the ground and bearing."""
    return there.level_m(here), here.bearing_rad(there)
