"""The truth of moved and turned, measured on the poses from a moment on to where the robot rests."""

import math
import operator
from collections.abc import Callable, Sequence

from sayso.goal import Amount, Pred
from sayso.goals.evidence import Moment
from sayso.goals.query import Args, Finding, Query, value_of
from sayso.goals.spoken import doing, missed
from sayso.grounding.inflection import about, amount
from sayso.scene import wrap

MOVED_M, MOVED_SHARE = 0.15, 0.1
"""A way is as long as wanted within this, or this share of it."""
TURNED_DEG, TURNED_SHARE = 12.0, 0.05
HALF_TURN_DEG = 180.0
SWAY = 0.25
"""A controller sways by less than this share of what counts as the same."""
REST_MPS, REST_DEGPS = 0.08, 5.0
"""Who moves and turns no faster has come to rest."""


def moved(asked: Query, name: str, args: Args) -> Finding:
    side = args[0]
    start = asked.seen.moments[asked.since].pose
    c, s = math.cos(start.yaw_rad), math.sin(start.yaw_rad)
    axis = {"forward": (c, s, 0), "back": (-c, -s, 0), "left": (-s, c, 0), "right": (s, -c, 0), "up": (0, 0, 1),
            "down": (0, 0, -1), "north": (0, 1, 0), "east": (1, 0, 0), "south": (0, -1, 0),
            "west": (-1, 0, 0)}[str(side)]  # fmt: skip

    def gone(moment: Moment) -> float:
        p = moment.pose
        return axis[0] * (p.x_m - start.x_m) + axis[1] * (p.y_m - start.y_m) + axis[2] * (p.z_m - start.z_m)

    return _measured(asked, gone, args, "m", _near(MOVED_M, MOVED_SHARE, args), name)


def turned(asked: Query, name: str, args: Args) -> Finding:
    """An about-face is half a turn, either way."""
    side = str(args[0])
    if side == "back":
        args = (side, Amount(value_of(args, 1, HALF_TURN_DEG), "deg"))
    total, sums = 0.0, {asked.since: 0.0}
    for at in range(asked.since + 1, asked.seen.last + 1):
        before, now = asked.seen.moments[at - 1].pose, asked.seen.moments[at].pose
        total += math.degrees(wrap(now.yaw_rad - before.yaw_rad)) * (-1 if side == "right" else 1)
        sums[at] = abs(total) if side == "back" else total
    by_moment = {asked.seen.moments[at].at_s: by for at, by in sums.items()}
    near = _near(TURNED_DEG, TURNED_SHARE, args)
    return _measured(asked, lambda m: by_moment[m.at_s], args, "deg", near, name)


def _near(least: float, share: float, args: Args) -> float:
    """How far off counts as the same: less than half of it, so that who stood still did not get there."""
    wanted_ = value_of(args, 1, math.inf)
    return min(max(least, share * wanted_), 0.49 * wanted_) if wanted_ < math.inf else least


def _measured(
    asked: Query, measure: Callable[[Moment], float], args: Args, unit: str, within: float, name: str
) -> Finding:
    """The moment at which a measure came closest to what is wanted, the first time that it was close enough, of those
    of rest and those at which such a deed was over: who went past went further. Where no amount is wanted any way is
    one."""
    moments, best, at = asked.seen.moments, math.inf, asked.since
    over = {at for at, _ in asked.deeds(name)}
    rests = [
        n
        for n in range(asked.since, asked.seen.last + 1)
        if n in over or _rests(moments, n, measure, REST_MPS if unit == "m" else REST_DEGPS)
    ]
    if len(args) < 2:
        far = next((n for n in rests if measure(moments[n]) > within), None)
        return Finding(far is not None, asked.seen.last if far is None else far, missed(doing(Pred(name, args))))
    wanted_ = value_of(args, 1, 0.0)
    for n in rests:
        off = abs(measure(moments[n]) - wanted_)
        if best <= within and off > best:
            break
        nearer = off < best - SWAY * within or off <= within < best
        if nearer:  # what sways or settles a little while something else goes on has not come closer
            best, at = off, n
    if best <= within:
        return Finding(True, at)
    went = measure(moments[at])
    far_ = f"I did not {doing(Pred(name, args[:1]))} {amount(wanted_, unit)}, but {about(went, unit)}"
    return Finding(False, asked.seen.last, far_ if went > SWAY * within else missed(doing(Pred(name, args))))


def stopped(moments: Sequence[Moment], since: int) -> int:
    """When the robot came to rest, or turned about, if it was on its way then: who is at a thing as soon as it is near
    goes on to where it stops."""
    before = _mps(moments, since - 1) if since else (0.0, 0.0, 0.0)
    if math.hypot(*before) <= REST_MPS:
        return since
    ways = ((n, _mps(moments, n)) for n in range(since, len(moments)))
    ended = (n for n, way in ways if math.hypot(*way) <= REST_MPS or sum(map(operator.mul, way, before)) < 0)
    return next(ended, since)


def _mps(moments: Sequence[Moment], n: int) -> tuple[float, float, float]:
    """How fast it went from a moment to the next, along each axis."""
    now, then = moments[n], moments[min(n + 1, len(moments) - 1)]
    a, b, took_s = now.pose, then.pose, max(then.at_s - now.at_s, 1e-3)
    return (b.x_m - a.x_m) / took_s, (b.y_m - a.y_m) / took_s, (b.z_m - a.z_m) / took_s


def _rests(moments: Sequence[Moment], n: int, measure: Callable[[Moment], float], rate: float) -> bool:
    """Whether a measure changes no more, for the time being."""
    if n == len(moments) - 1:
        return True
    now, then = moments[n], moments[n + 1]
    return abs(measure(then) - measure(now)) <= rate * (then.at_s - now.at_s)
