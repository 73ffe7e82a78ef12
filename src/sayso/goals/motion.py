"""Ways and turns, measured on the poses from a moment on to where the robot rests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from sayso.goal import Pred
from sayso.goals.asked import Args, Asked, Held, value_of
from sayso.goals.evidence import GROUND_M, Moment
from sayso.goals.spoken import doing, missed
from sayso.grounding.inflection import about, amount
from sayso.scene import wrap

MOVED_M, MOVED_SHARE = 0.15, 0.1
"""A way is as long as wanted within this, or this share of it."""
TURNED_DEG, TURNED_SHARE = 12.0, 0.05
SWAY = 0.25
"""A controller sways by less than this share of what counts as the same."""
REST_MPS, REST_DEGPS = 0.08, 5.0
"""Who moves and turns no faster has come to rest."""


def moved(asked: Asked, name: str, args: Args) -> Held:
    side, metres = args[0], value_of(args, 1, 0.0)
    start = asked.seen.moments[asked.since].pose
    c, s = math.cos(start.yaw_rad), math.sin(start.yaw_rad)
    axis = {"forward": (c, s, 0), "back": (-c, -s, 0), "left": (-s, c, 0), "right": (s, -c, 0), "up": (0, 0, 1),
            "down": (0, 0, -1)}[str(side)]  # fmt: skip

    def gone(moment: Moment) -> float:
        p = moment.pose
        return axis[0] * (p.x_m - start.x_m) + axis[1] * (p.y_m - start.y_m) + axis[2] * (p.z_m - start.z_m)

    held = _measured(asked, gone, metres, max(MOVED_M, MOVED_SHARE * metres), "m", Pred(name, args))
    if not held.truth and side in ("up", "down") and (risen := _risen(asked)) != asked.since:
        return moved(replace(asked, since=risen), name, args)
    return held


def turned(asked: Asked, name: str, args: Args) -> Held:
    side, degrees = str(args[0]), value_of(args, 1, 0.0)
    total, sums = 0.0, {asked.since: 0.0}
    for at in range(asked.since + 1, asked.seen.last + 1):
        before, now = asked.seen.moments[at - 1].pose, asked.seen.moments[at].pose
        total += math.degrees(wrap(now.yaw_rad - before.yaw_rad)) * (1 if side == "left" else -1)
        sums[at] = total
    by_moment = {asked.seen.moments[at].at_s: by for at, by in sums.items()}
    near = max(TURNED_DEG, TURNED_SHARE * degrees)
    return _measured(asked, lambda m: by_moment[m.at_s], degrees, near, "deg", Pred(name, args))


def _measured(
    asked: Asked, measure: Callable[[Moment], float], wanted_: float, within: float, unit: str, pred: Pred
) -> Held:
    """The moment of rest at which a measure came closest to what is wanted, the first time that it was close enough:
    who went past went further."""
    moments, best, at = asked.seen.moments, math.inf, asked.since
    for n in range(asked.since, asked.seen.last + 1):
        if not _rests(moments, n, measure, REST_MPS if unit == "m" else REST_DEGPS):
            continue
        off = abs(measure(moments[n]) - wanted_)
        if best <= within and off > best:
            break
        nearer = off < best - SWAY * within or off <= within < best
        if nearer:  # what sways or settles a little while something else goes on has not come closer
            best, at = off, n
    if best <= within:
        return Held(True, at)
    went = measure(moments[at])
    far = f"I did not {doing(replace(pred, args=pred.args[:1]))} {amount(wanted_, unit)}, but {about(went, unit)}"
    return Held(False, asked.seen.last, far if went > SWAY * within else missed(doing(pred)))


def _rests(moments: Sequence[Moment], n: int, measure: Callable[[Moment], float], rate: float) -> bool:
    """Whether a measure changes no more, for the time being."""
    if n == len(moments) - 1:
        return True
    now, then = moments[n], moments[n + 1]
    return abs(measure(then) - measure(now)) <= rate * (then.at_s - now.at_s)


def _risen(asked: Asked) -> int:
    """What flies rises from the ground to where it hovers before it is asked to go up or down from there."""
    moments = asked.seen.moments
    if moments[asked.since].pose.z_m > GROUND_M:
        return asked.since
    aloft = (n for n in range(asked.since, asked.seen.last) if moments[n].pose.z_m > GROUND_M)
    return next((n for n in aloft if _rests(moments, n, lambda m: m.pose.z_m, REST_MPS)), asked.since)
