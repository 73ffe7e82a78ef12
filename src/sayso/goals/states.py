"""The truth of every predicate that is a state, at one moment."""

import math
from collections.abc import Callable, Mapping

from sayso.goal import ANYTHING, BOUNDS, IT, Amount, Not, Pred, Truth, Which
from sayso.goals.evidence import HOME_M, REACH_M, Moment, is_spot, stands, wanted
from sayso.goals.query import Args, Finding, Query, opposite, value_of, which_of
from sayso.goals.spoken import fact, thing, unseen
from sayso.grounding.inflection import about, amount
from sayso.scene import Thing
from sayso.tables.units import signed

FACING_DEG = 15.0
STAYED_M, HEIGHT_M = 0.3, 0.2
LIFTED_M = 0.02
"""What does not fly does not hover about its height."""
AWAY_M = 0.25
"""Who is to come within so many metres of a thing may see itself so much further off; a judge, who knows, may not."""
GONE_M = 1.0
"""What has gone is this far from where it was."""
GOES_S = 10.0
"""Who was told to go is still there for so long."""


def _at(asked: Query, moment: Moment, args: Args) -> Finding:
    slack_m = 0.0 if asked.seen.closed or len(args) < 2 else AWAY_M
    which, within_m = which_of(args), value_of(args, 1, REACH_M) + slack_m
    things = asked.things(which, moment)[: wanted(which) if which.rank else None]
    gaps = [g for t in things if (g := asked.seen.gap_m(moment.pose, t)) is not None]
    short = f"I stopped {about(min(gaps) - within_m, 'm')} short of {thing(which)}" if gaps else ""
    pred = Pred("at", args)

    def near(thing: Thing) -> Truth:
        gap = asked.seen.gap_m(moment.pose, thing)
        return None if gap is None else gap <= within_m

    if not is_spot(which) or which.relation is None:
        return asked.count(which, moment, near, pred, short)
    word, to, observer = which.relation.word, which.relation.to, asked.seen.moments[asked.since].pose

    def at_side(thing: Thing) -> Truth:
        if (there := near(thing)) and thing.pose:
            return stands(moment.pose, word, thing.pose, observer)
        return there

    return asked.count(to, moment, at_side, pred, fact(Not(pred)))


def _facing(asked: Query, moment: Moment, args: Args) -> Finding:
    near_rad = math.radians(value_of(args, 1, FACING_DEG))

    def faced(thing: Thing) -> Truth:
        return None if thing.pose is None else abs(moment.pose.bearing_rad(thing.pose)) <= near_rad

    return asked.count(which_of(args), moment, faced, Pred("facing", args[:1]))


def _sees(asked: Query, moment: Moment, args: Args) -> Finding:
    which = which_of(args)
    if which.kind in moment.unseen and not asked.things(which, moment) and not asked.seen.untold(which):
        return Finding(False, asked.seen.last, unseen(which))
    return asked.count(which, moment, lambda t: t.id in moment.in_view, Pred("sees", args))


def _holding(asked: Query, moment: Moment, args: Args) -> Finding:
    which = which_of(args)
    if moment.holding is None or (which.kind == IT and not asked.it):
        return Finding(None, asked.seen.last, "I did not observe what I hold")
    held = moment.things.get(moment.holding)
    other = held and which.kind not in (ANYTHING, IT, held.id) and not asked.seen.of_label(held.label, which.kind)
    if not moment.holding or other:
        return Finding(False, asked.seen.last, fact(Not(Pred("holding", args))))
    if held is None:  # no look told which one it is
        called_so = which.kind == ANYTHING or asked.seen.of_label(moment.holding, which.kind)
        named = which == Which(which.kind) and called_so
        return Finding(True if named else None, asked.seen.last, "I did not observe which one I hold")
    return asked.count(which, moment, lambda t: t.id == moment.holding, Pred("holding", args))


def _placed(asked: Query, moment: Moment, args: Args) -> Finding:
    which, place = which_of(args), which_of(args, 1)

    rooms = [name for name in asked.seen.ground - asked.seen.spots if asked.seen.of_label(name, place.kind)]

    def there(thing: Thing) -> Truth:
        if thing.id == moment.holding:
            return False
        on = moment.whereabouts.get(thing.id) or {thing.attributes.get("on", "")} - {""}
        around = moment.rooms.get(thing.id, frozenset())
        if (on and place.kind == ANYTHING) or any(asked.seen.of_label(a, place.kind) for a in on | around):
            return True
        return False if on or (around and rooms) or asked.seen.closed else None

    return asked.count(which, moment, there, Pred("placed", args))


def _gone(asked: Query, moment: Moment, args: Args) -> Finding:
    """Who was told to go and was not looked for since, or only before there was time to go, may have gone."""
    told_s = max((deed.at_s for _, deed in asked.deeds("said")), default=-1.0)

    def away(thing: Thing) -> Truth:
        known = [(m.at_s, m.things[thing.id]) for m in asked.seen.moments if thing.id in m.things]
        first, seen_s = known[0][1], next(at_s for at_s, one in known if one is thing)
        if first.pose and thing.pose and first.pose.level_m(thing.pose) >= GONE_M:
            return True
        fresh = asked.seen.closed or seen_s >= told_s + GOES_S
        return False if first.pose and thing.pose and fresh else None

    return asked.count(which_of(args), moment, away, Pred("gone", args))


def _home(asked: Query, moment: Moment, args: Args) -> Finding:
    gap = min(home.level_m(moment.pose) for home in asked.seen.homes or (asked.seen.start.pose,))
    where = "home" if asked.seen.homes else "where I began"
    return Finding(gap <= HOME_M, asked.seen.last, f"I am {about(gap, 'm')} away from {where}")


def _stands(so: Callable[[Moment], Truth], why: str) -> Callable[[Query, Moment, Args], Finding]:
    """How the robot itself is, as it says of itself, and what is told where it is not so."""

    def stands_(asked: Query, moment: Moment, args: Args) -> Finding:
        return Finding(so(moment), asked.seen.last, why if so(moment) is False else "")

    return stands_


def _height(asked: Query, moment: Moment, args: Args) -> Finding:
    off = moment.pose.z_m - moment.ground_m - value_of(args, 0, 0.0)
    why = f"I am {about(abs(off), 'm')} too {'high' if off > 0 else 'low'}"
    near_m = HEIGHT_M if moment.landed is not None else LIFTED_M
    return Finding(abs(off) <= near_m, asked.seen.last, why)


def _above(asked: Query, moment: Moment, args: Args) -> Finding:
    return Finding(
        moment.pose.z_m > value_of(args, 0, 0.0), asked.seen.last, f"I am only {about(moment.pose.z_m, 'm')} high"
    )


def _over(asked: Query, moment: Moment, args: Args) -> Finding:
    which, seen = which_of(args), asked.seen
    so_called = {place for place in seen.ground if place.lower() == which.kind.lower()}
    places = so_called or {place for place in seen.ground if seen.of_label(place, which.kind)}
    if moment.over is not None and places:
        return Finding(not places.isdisjoint(moment.over), seen.last, f"I am not over {thing(which)}")
    gaps_m = [seen.gap_m(moment.pose, thing) for thing in asked.things(which, moment)]
    if 0.0 in gaps_m:
        return Finding(True, seen.last)
    known = gaps_m and None not in gaps_m and seen.complete(which)
    return Finding(False if known else None, seen.last, f"I did not observe where all of {thing(which)} is")


def _stayed(asked: Query, moment: Moment, args: Args) -> Finding:
    """From the beginning on; behind something else it means to come to a stand."""
    since = max(asked.since, asked.seen.last - 1) if asked.since else 0
    start, *later = asked.seen.moments[since:]
    gone = max((start.pose.distance_m(m.pose) for m in later), default=0.0)
    return Finding(gone <= STAYED_M, asked.seen.last, f"I went {about(gone, 'm')} away")


def _measured(asked: Query, moment: Moment, args: Args) -> Finding:
    name, bound, limit = args
    found = moment.readings.get(str(name))
    assert isinstance(limit, Amount)
    unit, other = signed(limit.unit), signed(found.unit) if found else None
    if found is None or (unit and unit.kind) != (other and other.kind):
        return Finding(None, asked.seen.last, f"I did not measure the {name}")
    is_, asked_for = (one.base(a.value) if one else a.value for one, a in ((other, found), (unit, limit)))
    over = is_ - asked_for if bound == BOUNDS[0] else asked_for - is_
    return Finding(over >= -1e-9, asked.seen.last, f"the {name} is {amount(found.value, found.unit)}")


def _sensed(asked: Query, moment: Moment, args: Args) -> Finding:
    found = moment.readings.get(str(args[0]))
    so = found.value > 0 if found else None
    return Finding(so, asked.seen.last, "" if found else f"I did not ask whether “{args[0]}” is so")


def sometime(asked: Query, name: str, args: Args) -> Finding:
    """Whether it is so at some moment, and since when it is decided."""
    told, denied = Finding(False, asked.since), list[int]()
    for at in range(asked.since, asked.seen.last + 1):
        told = STATES[name](asked, asked.seen.moments[at], args)
        if told.truth or (told.truth is None and told.at < asked.seen.last):  # so, as far as is known
            return Finding(told.truth, at, told.why)
        denied += [at] if told.truth is False else []
    return Finding(told.truth, denied[0] if told.truth is False else asked.seen.last, told.why)


STATES: Mapping[str, Callable[[Query, Moment, Args], Finding]] = {
    "at": _at, "facing": _facing, "toward": _facing, "sees": _sees, "holding": _holding, "placed": _placed,
    "home": _home, "height": _height, "above": _above, "landed": _stands(lambda m: m.landed, "I am in the air"),
    "airborne": _stands(lambda m: opposite(m.landed), "I am on the ground"),
    "upright": _stands(lambda m: m.upright, "I am not on my feet"),
    "over": _over, "stayed": _stayed, "gone": _gone, "measured": _measured,
    "there": lambda asked, moment, args: asked.count(which_of(args), moment, lambda t: True, Pred("there", args)),
    "sensed": _sensed,
}  # fmt: skip
