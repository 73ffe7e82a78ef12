"""Whether a goal is met: three-valued, from evidence alone.

True and False are what was observed; None is what nothing observed decides. Not, all, any and the rest are Kleene's
strong logic: `all` is False as soon as one part is, and unknown only where no part is False and one is unknown.

States at the top have to hold when all is over. In `then` each part is looked for from where the one before was met, at
its earliest; only the last one's states have to last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sayso.goal import (
    ALL,
    ANYTHING,
    PREDICATES,
    All,
    Amount,
    Any,
    Argument,
    Clause,
    Each,
    If,
    Never,
    Not,
    Only,
    Part,
    Pred,
    Then,
    Truth,
    Until,
    Which,
    Within,
)
from sayso.goals.evidence import GROUND_M, HOME_M, REACH_M, Evidence, Moment, ground_m, wanted
from sayso.goals.hearing import answers, names_in, tells
from sayso.goals.text import show
from sayso.scene import Thing, wrap

MOVED_M, MOVED_SHARE = 0.15, 0.1
"""A way is as long as wanted within this, or this share of it."""
TURNED_DEG, TURNED_SHARE = 12.0, 0.05
FACING_DEG = 15.0
STAYED_M, HEIGHT_M = 0.3, 0.2
SWAY = 0.1
"""A controller sways by less than this share of what counts as the same."""
STILL_M = 0.1
"""Who stays within this stands still."""
REST_MPS, REST_DEGPS = 0.08, 5.0
"""Who moves and turns no faster has come to rest."""
COVERED_SHARE = 95.0
GONE_M = 1.0
"""What has gone is this far from where it was."""
WITH_M = 2.6
"""Two who are together are within this."""


@dataclass(frozen=True, slots=True)
class Held:
    """Whether it is so, at which moment it was decided, and what is missing or not known, in a person's words."""

    truth: Truth
    at: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the goal is met, and each of its clauses."""

    truth: Truth
    parts: tuple[Part, ...]

    @property
    def missing(self) -> tuple[Part, ...]:
        return tuple(p for p in self.parts if p.truth is False)

    @property
    def unknown(self) -> tuple[Part, ...]:
        return tuple(p for p in self.parts if p.truth is None)


def judge(want: Clause, evidence: Evidence) -> Verdict:
    """How a goal stands when all is over."""
    clauses = want.parts if isinstance(want, All) else (want,)
    held = [_Judge(evidence).holds(c, 0, True) for c in clauses]
    parts = [Part(show(c).removeprefix("want "), h.truth, h.why) for c, h in zip(clauses, held, strict=True)]
    return Verdict(every(h.truth for h in held), tuple(parts))


def every(truths: Iterable[Truth]) -> Truth:
    """Kleene's and."""
    known = tuple(truths)
    return False if False in known else None if None in known else True


def some(truths: Iterable[Truth]) -> Truth:
    """Kleene's or."""
    known = tuple(truths)
    return True if True in known else None if None in known else False


def opposite(truth: Truth) -> Truth:
    return None if truth is None else not truth


class _Judge:
    """Evaluates clauses over one evidence. `it` is the id of the thing that an enclosing `Each` is at."""

    def __init__(self, evidence: Evidence, it: str = "") -> None:
        self._seen, self._it = evidence, it
        self._turn = 0

    def holds(self, clause: Clause, since: int, lasting: bool) -> Held:
        """How the clause stands from moment `since` on; with `lasting` its states have to hold at the end."""
        match clause:
            case Pred(name, args):
                return self._pred(name, args, since, lasting)
            case Not(part):
                return self._not(part, since, lasting)
            case All(parts):
                return self._all([self.holds(p, since, lasting) for p in parts])
            case Any(parts):
                return self._any([self.holds(p, since, lasting) for p in parts])
            case Then(parts):
                return self._then(parts, since, lasting)
            case If(test, yes, no):
                return self._if(test, yes, no, since, lasting)
            case Until(test, body, most):
                return self._until(test, body, most, since, lasting)
            case Each(which, body):
                return self._each(which, body, since, lasting)
            case Never(part):
                return self._never(part)
            case Only(part):
                return self._only(part, since)
            case Within(limit, body):
                return self._within(limit, body, since, lasting)

    # Composition

    def _not(self, part: Clause, since: int, lasting: bool) -> Held:
        held = self.holds(part, since, lasting)
        why = f"{show(part).removeprefix('want ')} is so" if held.truth else held.why
        return Held(opposite(held.truth), held.at, why)

    @staticmethod
    def _all(held: Sequence[Held]) -> Held:
        truth = every(h.truth for h in held)
        why = "; ".join(h.why for h in held if h.truth is truth and h.why) if truth is not True else ""
        return Held(truth, max(h.at for h in held), why)

    @staticmethod
    def _any(held: Sequence[Held]) -> Held:
        truth = some(h.truth for h in held)
        if truth:
            return Held(True, min(h.at for h in held if h.truth))
        return Held(truth, max(h.at for h in held), " and ".join(dict.fromkeys(h.why for h in held if h.why)))

    def _then(self, parts: Sequence[Clause], since: int, lasting: bool) -> Held:
        held, at = [], since
        for n, part in enumerate(parts):
            one = self.holds(part, at, lasting and n == len(parts) - 1)
            held.append(one)
            if one.truth is False:
                break
            at = one.at
        return self._all(held)

    def _if(self, test: Clause, yes: Clause, no: Clause | None, since: int, lasting: bool) -> Held:
        """The test counts as it stood when it was first decided."""
        tested = self._when_decided(test, since)
        branches = [self.holds(yes, tested.at, lasting)]
        branches.append(self.holds(no, tested.at, lasting) if no is not None else Held(True, tested.at))
        if tested.truth is not None:
            return branches[0 if tested.truth else 1]
        if branches[0].truth is branches[1].truth and branches[0].truth is not None:
            return branches[0]
        return Held(None, tested.at, f"it is not known whether {show(test).removeprefix('want ')}")

    def _when_decided(self, test: Clause, since: int) -> Held:
        """A test is decided when what it asks for comes into view, else as the last look has it."""
        held = self.holds(test, since, False)
        return held if held.truth is not None else self.holds(test, self._seen.last, True)

    def _until(self, test: Clause, body: Clause, most: int, since: int, lasting: bool) -> Held:
        times, at = 0, since
        while not most or times < most:
            done = self.holds(body, at, False)
            if done.truth is not True or done.at <= at:
                break
            times, at = times + 1, done.at
        ended = self.holds(test, since, lasting)
        if ended.truth or (most and times >= most):
            return Held(True, max(at, ended.at))
        return Held(ended.truth, ended.at, ended.why or f"{show(test).removeprefix('want ')} was never so")

    def _each(self, which: Which, body: Clause, since: int, lasting: bool) -> Held:
        things = self._ever(which)
        need = len(things) if which.count == ALL else which.count
        held = [_Judge(self._seen, t.id).holds(body, since, lasting) for t in things]
        met = sum(h.truth is True for h in held)
        open_ = sum(h.truth is None for h in held)
        at = max((h.at for h in held), default=since)
        if not things:
            return self.none(which)
        if met >= need:
            return self.enough(which, at)
        if met + open_ >= need:
            return Held(None, at, "; ".join(h.why for h in held if h.truth is None and h.why))
        missed = dict.fromkeys(h.why for h in held if h.truth is False and h.why)
        return Held(False, at, f"{met} of {need} {_called(which)}: {'; '.join(missed)}")

    def _never(self, part: Clause) -> Held:
        last = self._seen.last
        states = _states_only(part)
        looked = range(last + 1) if states else (0,)
        truths = [self._instant(part, at) if states else self.holds(part, at, False).truth for at in looked]
        truth = some(truths)
        why = f"{show(part).removeprefix('want ')} was so" if truth else ""
        at_s = self._seen.moments[next((n for n, t in enumerate(truths) if t), last)].at_s
        return Held(opposite(truth), last, f"{why} {at_s:.0f} s into the mission" if truth else why)

    def _only(self, part: Pred, since: int) -> Held:
        """Each that was done is held against it as if it were all that was done."""
        for deed in self._seen.deeds_of(part.name, self._seen.moments[since].at_s):
            held = _Judge(replace(self._seen, deeds=(deed,)), self._it).holds(part, since, False)
            if not held.truth:
                return Held(held.truth, held.at, held.why)
        return Held(True, self._seen.last)

    def _instant(self, part: Clause, at: int) -> Truth:
        """Whether a state holds at one moment."""
        match part:
            case Pred(name, args):
                return _STATES[name](self, self._seen.moments[at], args).truth
            case Not(inner):
                return opposite(self._instant(inner, at))
            case Any(parts):
                return some(self._instant(p, at) for p in parts)
            case All(parts):
                return every(self._instant(p, at) for p in parts)
        raise TypeError(f"{part} is no state")

    def _within(self, limit: Amount, body: Clause, since: int, lasting: bool) -> Held:
        held = self.holds(body, since, lasting)
        took_s = self._seen.moments[held.at].at_s - self._seen.moments[since].at_s
        if held.truth and took_s > limit.value:
            return Held(False, held.at, f"it took {took_s:.0f} s, not {limit.value:g} s")
        return held

    # Predicates

    def _pred(self, name: str, args: tuple[Argument, ...], since: int, lasting: bool) -> Held:
        self._turn = since
        if not PREDICATES[name].state:
            return _DEEDS.get(name, _done)(self, name, args, since)
        last = self._seen.last
        if lasting or name == "stayed":
            told = _STATES[name](self, self._seen.moments[last], args)
            return Held(told.truth, last, told.why)
        told, denied = Held(False, since), list[int]()
        for at in range(since, last + 1):
            told = _STATES[name](self, self._seen.moments[at], args)
            if told.truth:
                return Held(True, at)
            denied += [at] if told.truth is False else []
        return Held(told.truth, denied[0] if told.truth is False else last, told.why)

    # What predicates ask for

    def things(self, which: Which, moment: Moment) -> list[Thing]:
        return self._seen.known(which, self._seen.at(moment.at_s), self._turn, self._it)

    def _ever(self, which: Which) -> list[Thing]:
        """Everything that is meant, as it was when the mission began or when it was first known."""
        found: dict[str, Thing] = {}
        for at in range(self._seen.last, -1, -1):
            found.update((t.id, t) for t in self._seen.known(which, at, 0, self._it))
        return list(found.values())

    def none(self, which: Which) -> Held:
        """There is no such thing, as far as everything was looked at; else it may only not have been seen."""
        return Held(False if self._seen.complete else None, self._seen.last, f"no {_called(which)} was seen")

    def enough(self, which: Which, at: int) -> Held:
        """All that are known pass; of `all` there may be more where not everything was looked at, and the most of them
        may be one that was not seen."""
        if (which.count != ALL and not which.rank) or self._seen.complete or self._it:
            return Held(True, at)
        return Held(None, at, f"there may be another {_called(which)} that was not seen")

    def count(self, which: Which, moment: Moment, test: Callable[[Thing], Truth], why: str) -> Held:
        """Whether enough of the things that are meant pass a test."""
        things = self.things(which, moment)
        if not things:
            return self.none(which)
        need = len(things) if which.count == ALL else wanted(which)
        if which.rank:
            things = things[:need]
        passed = [test(t) for t in things]
        if sum(p is True for p in passed) >= need:
            return self.enough(which, self._seen.last)
        if sum(p is not False for p in passed) >= need:
            return Held(None, self._seen.last, f"where {_called(which)} is was not observed")
        return Held(False, self._seen.last, why)

    def start(self) -> Moment:
        return self._seen.start

    @property
    def seen(self) -> Evidence:
        return self._seen


def _called(which: Which) -> str:
    return " ".join((*which.traits, which.kind))


def _states_only(part: Clause) -> bool:
    match part:
        case Pred(name, _):
            return PREDICATES[name].state
        case Not(inner):
            return _states_only(inner)
        case All(parts) | Any(parts):
            return all(map(_states_only, parts))
    return False


# States: how it is at one moment


def _which(args: Sequence[Argument], n: int = 0) -> Which:
    found = args[n] if len(args) > n else None
    assert isinstance(found, Which)
    return found


def _value(args: Sequence[Argument], n: int, otherwise: float) -> float:
    found = args[n] if len(args) > n else None
    return found.value if isinstance(found, Amount) else otherwise


def _at(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    which, within_m = _which(args), _value(args, 1, REACH_M)
    gaps = [g for t in judge.things(which, moment) if (g := judge.seen.gap_m(moment.pose, t)) is not None]
    short = f"{min(gaps) - within_m:.1f} m short of {_called(which)}" if gaps else ""

    def near(thing: Thing) -> Truth:
        gap = judge.seen.gap_m(moment.pose, thing)
        return None if gap is None else gap <= within_m

    return judge.count(which, moment, near, short)


def _facing(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    near_rad = math.radians(_value(args, 1, FACING_DEG))

    def faced(thing: Thing) -> Truth:
        return None if thing.pose is None else abs(moment.pose.bearing_rad(thing.pose)) <= near_rad

    return judge.count(_which(args), moment, faced, f"turned away from {_called(_which(args))}")


def _sees(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    which = _which(args)
    if which.kind in moment.unseen and not judge.things(which, moment):
        return Held(False, judge.seen.last, f"no {_called(which)} was in view")
    return judge.count(which, moment, lambda t: t.id in moment.in_view, f"{_called(which)} is not in view")


def _holding(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    if moment.holding is None:
        return Held(None, judge.seen.last, "what the gripper holds was not observed")
    which = _which(args)
    return judge.count(which, moment, lambda t: t.id == moment.holding, f"{_called(which)} is not in the gripper")


def _placed(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    which, place = _which(args), _which(args, 1)

    def there(thing: Thing) -> Truth:
        if thing.id == moment.holding:
            return False
        at = moment.whereabouts.get(thing.id) or {thing.attributes.get("on", "")} - {""}
        if not at and not judge.seen.closed:
            return None
        return bool(at) and (place.kind == ANYTHING or any(judge.seen.of_label(a, place.kind) for a in at))

    return judge.count(which, moment, there, f"{_called(which)} is not at {_called(place)}")


def _there(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    return judge.count(_which(args), moment, lambda t: True, "")


def _gone(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    def away(thing: Thing) -> Truth:
        first = next(m.things[thing.id] for m in judge.seen.moments if thing.id in m.things)
        return ground_m(first.pose, thing.pose) >= GONE_M if first.pose and thing.pose else None

    return judge.count(_which(args), moment, away, f"{_called(_which(args))} is where it was")


def _home(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    gap = min(ground_m(home, moment.pose) for home in judge.seen.homes or (judge.start().pose,))
    return Held(gap <= HOME_M, judge.seen.last, f"{gap:.1f} m from {'home' if judge.seen.homes else 'where it began'}")


def _landed(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    return Held(moment.landed, judge.seen.last, "it is in the air" if moment.landed is False else "")


def _airborne(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    return Held(opposite(moment.landed), judge.seen.last, "it is on the ground" if moment.landed else "")


def _upright(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    return Held(moment.upright, judge.seen.last, "it lies" if moment.upright is False else "")


def _height(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    off = moment.pose.z_m - _value(args, 0, 0.0)
    return Held(abs(off) <= HEIGHT_M, judge.seen.last, f"{abs(off):.1f} m too {'high' if off > 0 else 'low'}")


def _above(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    return Held(moment.pose.z_m > _value(args, 0, 0.0), judge.seen.last, f"at {moment.pose.z_m:.1f} m")


def _over(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    if moment.over is None:
        return Held(None, judge.seen.last, "what is below was not observed")
    here = any(judge.seen.of_label(place, _which(args).kind) for place in moment.over)
    return Held(here, judge.seen.last, f"not over {_called(_which(args))}")


def _stayed(judge: _Judge, moment: Moment, args: tuple[Argument, ...]) -> Held:
    start = judge.start().pose
    gone = max(start.distance_m(m.pose) for m in judge.seen.moments)
    return Held(gone <= STAYED_M, judge.seen.last, f"it went {gone:.1f} m away")


_STATES: Mapping[str, Callable[[_Judge, Moment, tuple[Argument, ...]], Held]] = {
    "at": _at, "facing": _facing, "toward": _facing, "sees": _sees, "holding": _holding, "placed": _placed,
    "home": _home, "landed": _landed, "airborne": _airborne, "upright": _upright, "height": _height, "above": _above,
    "over": _over, "stayed": _stayed, "there": _there, "gone": _gone,
}  # fmt: skip


# What happened, from a moment on


UNSENSED = ("touched", "fell")
"""Deeds that a robot does not tell of."""


def _done(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    """A deed that is on record with such arguments."""
    seen = judge.seen
    for deed in seen.deeds_of(name, seen.moments[since].at_s):
        if _matches(judge, deed.args, args, deed.things, seen.at(deed.at_s)):
            return Held(True, seen.at(deed.at_s))
    if name in UNSENSED and not seen.closed:
        return Held(None, seen.last, f"whether it {name} was not observed")
    return Held(False, seen.last, f"it did not {_told(name, args)}")


def _matches(
    judge: _Judge, done: Sequence[Argument], asked: Sequence[Argument], things: frozenset[str], at: int
) -> bool:
    for n, one in enumerate(asked):
        given = done[n] if n < len(done) else None
        match one:
            case Which():
                meant = {t.id for t in judge.things(one, judge.seen.moments[at])}
                named = isinstance(given, Which) and judge.seen.of_label(given.kind, one.kind)
                any_one = isinstance(given, Which) and one == Which()
                if not (any_one or meant & things or (named and not (meant and things))):
                    return False
            case Amount(value, _) if isinstance(given, Amount):
                if abs(given.value - value) > max(MOVED_SHARE * abs(value), 0.5 if one.unit == "s" else MOVED_M):
                    return False
            case str() if isinstance(given, str):
                if not _says(given, one):
                    return False
    return True


def _says(heard: str, wanted_: str) -> bool:
    """Whether every word that was wanted was said; a figure counts as itself."""
    words = {w.strip(".,!?;:'\"").lower() for w in heard.split()}
    return all(w.strip(".,!?;:'\"").lower() in words for w in wanted_.split())


def _visited(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    return _measured_by_skill(judge, name, args, since) or _sometime(judge, _at, args, since)


def _found(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    if done := _measured_by_skill(judge, name, args, since):
        return done
    held = _sometime(judge, _sees, args, since)
    looked = max(since, judge.seen.at(judge.seen.surveyed_s)) if judge.seen.complete else held.at
    return held if held.truth else Held(held.truth, looked, f"no {_called(_which(args))} was seen")


def _measured_by_skill(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held | None:
    """A deed on record that says so of one thing of a kind; None where looks and poses have to tell."""
    which = _which(args)
    plain = which.count == 1 and not which.rank and len(args) == 1
    done = _done(judge, name, args, since) if plain else None
    return done if done and done.truth else None


def _sometime(
    judge: _Judge,
    state: Callable[[_Judge, Moment, tuple[Argument, ...]], Held],
    args: tuple[Argument, ...],
    since: int,
) -> Held:
    best = Held(False, judge.seen.last)
    for at in range(since, judge.seen.last + 1):
        best = state(judge, judge.seen.moments[at], args)
        if best.truth:
            return Held(True, at)
    return best


def _moved(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    side, metres = args[0], _value(args, 1, 0.0)
    start = judge.seen.moments[since].pose
    c, s = math.cos(start.yaw_rad), math.sin(start.yaw_rad)
    axis = {"forward": (c, s, 0), "back": (-c, -s, 0), "left": (-s, c, 0), "right": (s, -c, 0), "up": (0, 0, 1),
            "down": (0, 0, -1)}[str(side)]  # fmt: skip

    def gone(moment: Moment) -> float:
        p = moment.pose
        return axis[0] * (p.x_m - start.x_m) + axis[1] * (p.y_m - start.y_m) + axis[2] * (p.z_m - start.z_m)

    held = _measured(judge, since, gone, metres, max(MOVED_M, MOVED_SHARE * metres), f"m {side}")
    if not held.truth and side in ("up", "down") and (risen := _risen(judge, since)) != since:
        return _moved(judge, name, args, risen)
    return held


def _turned(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    side, degrees = str(args[0]), _value(args, 1, 0.0)
    turned, sums = 0.0, {since: 0.0}
    for at in range(since + 1, judge.seen.last + 1):
        before, now = judge.seen.moments[at - 1].pose, judge.seen.moments[at].pose
        turned += math.degrees(wrap(now.yaw_rad - before.yaw_rad)) * (1 if side == "left" else -1)
        sums[at] = turned
    by_moment = {judge.seen.moments[at].at_s: total for at, total in sums.items()}
    near = max(TURNED_DEG, TURNED_SHARE * degrees)
    return _measured(judge, since, lambda m: by_moment[m.at_s], degrees, near, f"° {side}")


def _measured(
    judge: _Judge, since: int, measure: Callable[[Moment], float], wanted_: float, within: float, unit: str
) -> Held:
    """The moment of rest at which a measure came closest to what is wanted, the first time that it was close enough:
    who went past went further."""
    moments, best, at = judge.seen.moments, math.inf, since
    for n in range(since, judge.seen.last + 1):
        if not _rests(moments, n, measure, REST_MPS if unit[0] == "m" else REST_DEGPS):
            continue
        off = abs(measure(moments[n]) - wanted_)
        if best <= within and off > best:
            break
        if off < best - SWAY * within:  # what sways a little while something else goes on has not come closer
            best, at = off, n
    if best <= within:
        return Held(True, at)
    went = measure(moments[at])
    return Held(False, judge.seen.last, f"{went:.2f}{unit if unit[0] == '°' else ' ' + unit}, not {wanted_:g}")


def _rests(moments: Sequence[Moment], n: int, measure: Callable[[Moment], float], rate: float) -> bool:
    """Whether a measure changes no more, for the time being."""
    if n == len(moments) - 1:
        return True
    now, then = moments[n], moments[n + 1]
    return abs(measure(then) - measure(now)) <= rate * (then.at_s - now.at_s)


def _risen(judge: _Judge, since: int) -> int:
    """What flies rises from the ground to where it hovers before it is asked to go up or down from there."""
    moments = judge.seen.moments
    if moments[since].pose.z_m > GROUND_M:
        return since
    aloft = (n for n in range(since, judge.seen.last) if moments[n].pose.z_m > GROUND_M)
    return next((n for n in aloft if _rests(moments, n, lambda m: m.pose.z_m, REST_MPS)), since)


def _waited(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    """Standing still for so long, turning no more; a wait that is on record is one, too."""
    if (done := _done(judge, name, args, since)).truth:
        return done
    moments, want_s = judge.seen.moments, _value(args, 0, 0.0)
    first, longest = since, 0.0
    for at in range(since, judge.seen.last + 1):
        before, now = moments[first].pose, moments[at].pose
        if before.distance_m(now) > STILL_M or abs(wrap(now.yaw_rad - before.yaw_rad)) > math.radians(TURNED_DEG):
            first = at
        stood_s = moments[at].at_s - moments[first].at_s
        longest = max(longest, stood_s)
        if stood_s >= want_s - 0.3:
            return Held(True, at)
    return Held(False, judge.seen.last, f"it stood for {longest:.1f} s, not {want_s:g}")


def _waved(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    """So often at least."""
    seen, times = judge.seen, max(1, int(_value(args, 0, 1)))
    waves = list(seen.deeds_of("waved", seen.moments[since].at_s))
    if len(waves) >= times:
        return Held(True, seen.at(waves[times - 1].at_s))
    return Held(False if seen.closed else None, seen.last, f"{len(waves)} waves were seen, not {times}")


def _picture(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    """A picture with so many of them in frame, from close enough."""
    seen = judge.seen
    taken = list(seen.deeds_of("picture", seen.moments[since].at_s))
    if not taken:
        return Held(False, seen.last, "no picture was taken")
    if not args:
        return Held(True, seen.at(taken[0].at_s))
    which, within_m = _which(args), _value(args, 1, math.inf)
    for deed in taken:
        moment = seen.moments[at := seen.at(deed.at_s)]
        meant = judge.things(which, moment)
        shown = [t for t in meant if t.id in deed.things and (seen.gap_m(moment.pose, t) or 0.0) <= within_m]
        if shown and len(shown) >= (len(meant) if which.count == ALL else wanted(which)):
            return judge.enough(which, at)
    return Held(False, seen.last, f"{_called(which)} is in no picture")


def _named(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    """It had been seen, and was named in a breath that names nothing else that is known: who names all has not told."""
    seen, which = judge.seen, _which(args)
    if seen.given_up:
        return Held(False, seen.last, "it gave up")
    for deed in seen.deeds_of("said", seen.moments[since].at_s):
        at = seen.at(deed.at_s)
        shown = frozenset[str]().union(*(m.in_view for m in seen.moments[: at + 1]))
        meant = {t.label.lower() for t in judge.things(which, seen.moments[at]) if t.id in shown}
        told = names_in(str(deed.args[0]), {t.label for t in seen.moments[at].things.values()})
        if told and told <= meant and (which.count != ALL or told == meant):
            return judge.enough(which, at)
    return Held(False, seen.last, f"{_called(which)} was not named, or not alone")


def _heard(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    """So often as is wanted, and at least once where no number is."""
    if not judge.seen.closed:
        return _spoken(judge, args, since)
    times, heard = _value(args, 2, 0), _hearing(judge, args, since)
    told = [at for at, text in heard if tells(text, str(args[1]))]
    why = f"{_called(_which(args))} heard {args[1]!r} {len(told)} times"
    return Held(len(told) == times if times else bool(told), told[-1] if told else judge.seen.last, why)


def _told_them(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    """The last that they heard of what may be an answer is this one, and no other beside it."""
    if not judge.seen.closed:
        return _spoken(judge, args, since)
    heard = _hearing(judge, args, since)
    choices = judge.seen.choices[str(args[2])] if len(args) > 2 else ()
    right = answers([text for _, text in heard], str(args[1]), choices)
    return Held(right, heard[-1][0] if heard else judge.seen.last, f"{_called(_which(args))} was not told {args[1]!r}")


def _spoken(judge: _Judge, args: tuple[Argument, ...], since: int) -> Held:
    """Who speaks does not observe who hears it."""
    seen, text = judge.seen, str(args[1])
    said = any(tells(str(d.args[0]), text) for d in seen.deeds_of("said", seen.moments[since].at_s))
    return Held(
        None if said else False, seen.last, f"who heard {text!r} was not observed" if said else "it was not said"
    )


def _hearing(judge: _Judge, args: tuple[Argument, ...], since: int) -> list[tuple[int, str]]:
    """The moments at which somebody heard something, and what."""
    seen = judge.seen
    deeds = [(seen.at(d.at_s), d) for d in seen.deeds_of("heard", seen.moments[since].at_s)]
    whose = {at: {t.id for t in judge.things(_which(args), seen.moments[at])} for at, _ in deeds}
    return [(at, str(deed.args[0])) for at, deed in deeds if whose[at] & deed.things]


def _guided(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    """They are there when all is over: at the place, or in one room with whom they were taken to, and near."""
    if not judge.seen.closed:
        done = _done(judge, name, args, since)
        return done if done.truth else Held(None, done.at, "where they are was not observed")
    who, place, now = _which(args), _which(args, 1), judge.seen.moments[-1]

    def there(one: Thing) -> Truth:
        at = now.whereabouts.get(one.id, frozenset())
        others = [t for t in judge.things(place, now) if t.id != one.id and at & now.whereabouts.get(t.id, at)]
        near = [t for t in others if t.pose and one.pose and ground_m(one.pose, t.pose) <= WITH_M]
        return any(judge.seen.of_label(a, place.kind) for a in at) or bool(near)

    return judge.count(who, now, there, f"{_called(who)} is not at {_called(place)}")


def _answered(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    """Something was said; whether it is the right answer nothing observed tells."""
    seen = judge.seen
    said = next((d for d in (*seen.deeds_of("answered", seen.moments[since].at_s),
                             *seen.deeds_of("said", seen.moments[since].at_s))), None)  # fmt: skip
    return Held(True, seen.at(said.at_s)) if said else Held(False, seen.last, f"nothing was said to {args[0]!r}")


def _covered(judge: _Judge, name: str, args: tuple[Argument, ...], since: int) -> Held:
    want, share, at = _value(args, 1, COVERED_SHARE), 0.0, judge.seen.last
    for deed in judge.seen.deeds_of("covered", judge.seen.moments[since].at_s):
        if _matches(judge, deed.args[:1], args[:1], deed.things, judge.seen.at(deed.at_s)):
            share, at = max(share, _value(deed.args, 1, 100.0)), judge.seen.at(deed.at_s)
    return Held(share >= want, at, f"{share:.0f} % of {_called(_which(args))} was looked at, not {want:g} %")


_DEEDS: Mapping[str, Callable[[_Judge, str, tuple[Argument, ...], int], Held]] = {
    "visited": _visited, "found": _found, "moved": _moved, "turned": _turned, "waited": _waited, "waved": _waved,
    "picture": _picture, "heard": _heard, "told": _told_them, "guided": _guided, "named": _named,
    "answered": _answered, "covered": _covered,
}  # fmt: skip


def _told(name: str, args: Sequence[Argument]) -> str:
    """A predicate as it would be written, for a reason."""
    return show(Pred(name, tuple(args))).removeprefix("want ")
