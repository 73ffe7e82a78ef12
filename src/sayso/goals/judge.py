"""The judge of goals: true, false or unknown, from evidence alone.

True and False are what was observed; None is what nothing observed decides. Not, all, any and the rest are Kleene's
strong logic: `all` is False as soon as one part is, and unknown only where no part is False and one is unknown.

States at the top have to hold when all is over. In `then` each part is looked for from where the one before was met, at
its earliest; only the last one's states have to last.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sayso import goal
from sayso.goals.clauses import mapped, preds, whiches
from sayso.goals.deeds import DEEDS, done, recorded, without
from sayso.goals.evidence import Evidence, is_spot
from sayso.goals.motion import stopped
from sayso.goals.query import Args, Finding, Query, every, opposite, some, which_of
from sayso.goals.spoken import fact, happened, partly, thing
from sayso.goals.states import STATES, sometime
from sayso.goals.text import written

WAYS = ("moved", "turned")
MEASURED = ("measured", "sensed")
PASSING = frozenset({"at", "facing", "toward", "sees", "over"})
"""States that the robot can be in with one thing at a time: with each of several they have been so, one by one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The truth of a goal, and of each of its clauses."""

    truth: goal.Truth
    parts: tuple[goal.Part, ...]

    @property
    def missing(self) -> tuple[goal.Part, ...]:
        return tuple(p for p in self.parts if p.truth is False)

    @property
    def unknown(self) -> tuple[goal.Part, ...]:
        return tuple(p for p in self.parts if p.truth is None)


def judge(want: goal.Clause, evidence: Evidence) -> Verdict:
    """The verdict on a goal when all is over."""
    clauses = want.parts if isinstance(want, goal.All) else (want,)
    held = [_untouched(c, _Judge(evidence).holds(c, 0, True), evidence) for c in clauses]
    parts = [goal.Part(written(c), h.truth, h.why) for c, h in zip(clauses, held, strict=True)]
    return Verdict(every(h.truth for h in held), tuple(parts))


def _untouched(clause: goal.Clause, held: Finding, evidence: Evidence) -> Finding:
    """What is to be brought to a place is not there as far as nothing was put there and nobody looked."""
    if held.truth is not None:
        return held
    now = evidence.moments[-1]
    put = [which_of(d.args, 1).kind for d in evidence.deeds if d.name == "placed"]
    on = [at for thing in now.things.values() if (at := thing.attributes.get("on"))]
    on += [at for known in (now.whereabouts, now.rooms) for places in known.values() for at in places]
    for place in (which_of(p.args, 1) for p in _brought(clause)):
        somewhere = {place.kind, *put} & {goal.ANYTHING, goal.IT, "home"}
        if not somewhere and not any(evidence.of_label(at, place.kind) for at in (*put, *on)):
            return Finding(False, held.at, f"I put nothing at {thing(place)}, and did not look what is there")
    return held


def _brought(clause: goal.Clause) -> Iterator[goal.Pred]:
    """What is to be put somewhere in any case."""
    match clause:
        case goal.Pred("placed", _):
            yield clause
        case goal.All(parts) | goal.Then(parts):
            for part in parts:
                yield from _brought(part)
        case goal.Each(_, body) | goal.Within(_, body):
            yield from _brought(body)


def _of_it(clause: goal.Clause, which: goal.Which) -> goal.Clause:
    """The same of the one thing that an enclosing clause is at."""
    return mapped(clause, lambda one: goal.Which(goal.IT) if one == which else one)


class _Judge:
    """Evaluates clauses over one evidence.

    `it` is the id of the thing that an enclosing `Each` or `If` is at; of `many` each may be passed.
    """

    def __init__(self, evidence: Evidence, it: str = "", *, many: bool = False) -> None:
        self._seen, self._it, self._many = evidence, it, many

    def holds(self, clause: goal.Clause, since: int, lasting: bool) -> Finding:
        """How the clause stands from moment `since` on; with `lasting` its states have to hold at the end."""
        match clause:
            case goal.Pred(name, args):
                held = self._told(self._pred(name, args, since, lasting), args)
                return held if held.truth is not None else self._judged(clause, args, since, lasting) or held
            case goal.Not(part):
                return self._not(part, since, lasting)
            case goal.All(parts):
                return self._all([self.holds(p, since, lasting) for p in parts])
            case goal.Any(parts):
                return self._any([self.holds(p, since, lasting) for p in parts])
            case goal.Then(parts):
                return self._then(parts, since, lasting)
            case goal.If(test, yes, no):
                return self._if(test, yes, no, since, lasting)
            case goal.Until(test, body, most):
                return self._until(test, body, most, since, lasting)
            case goal.Each(which, body):
                return self._told(self._each(which, body, since, lasting), (which,))
            case goal.Never(part):
                return self._never(part)
            case goal.Only(part):
                return self._only(part, since)
            case goal.Within(limit, body):
                return self._within(limit, body, since, lasting)

    def _told(self, held: Finding, args: Args) -> Finding:
        """What it came to; not known where it hangs on what is only described, of which anything may be so far. That
        not even anything will do is known where all was seen, unless all of them are asked for, one in a row, or all
        others."""
        for which in (a for a in args if isinstance(a, goal.Which)):
            what, loosely = self._untold(which)
            if what and not (loosely and held.truth is False and self._seen.complete(which)):
                return Finding(None, held.at, f"nothing that I know tells what is {what}")
        return held

    def _judged(self, part: goal.Clause, args: Args, since: int, lasting: bool) -> Finding | None:
        """Whether it is so by the word of who was shown a picture. Of all the rest nobody was asked, so that word makes
        nothing false, nor all of them or the most of them known."""
        loosely = all(more for arg in args if isinstance(arg, goal.Which) for what, more in [self._untold(arg)] if what)
        if not (self._seen.judged and loosely):
            return None
        held = _Judge(self._seen.as_judged(), self._it, many=self._many).holds(part, since, lasting)
        return held if held.truth else None

    def _untold(self, which: goal.Which) -> tuple[str, bool]:
        """What of it is only described, empty for nothing, and whether more that fit can only make more of it so."""
        loosely = which.count != goal.ALL and not which.rank
        if which.rank in goal.UNSEEN_RANKS:
            return f"the {which.rank}", False
        for kind in () if is_spot(which) else (which.kind, which.source):
            if self._seen.only_described(kind):
                return kind, loosely
        inner = [(w, False) for w in which.but] + ([(which.relation.to, loosely)] if which.relation else [])
        for other, more in inner:
            what, also = self._untold(other)
            if what:
                return what, more and also
        return "", True

    def _not(self, part: goal.Clause, since: int, lasting: bool) -> Finding:
        held = self.holds(part, since, lasting)
        why = fact(part) if held.truth else held.why
        return Finding(opposite(held.truth), held.at, why)

    @staticmethod
    def _all(held: Sequence[Finding]) -> Finding:
        truth = every(h.truth for h in held)
        why = "; ".join(dict.fromkeys(h.why for h in held if h.truth is truth and h.why)) if truth is not True else ""
        return Finding(truth, max(h.at for h in held), why)

    @staticmethod
    def _any(held: Sequence[Finding]) -> Finding:
        truth = some(h.truth for h in held)
        if truth:
            return Finding(True, min(h.at for h in held if h.truth))
        return Finding(truth, max(h.at for h in held), " and ".join(dict.fromkeys(h.why for h in held if h.why)))

    def _then(self, parts: Sequence[goal.Clause], since: int, lasting: bool) -> Finding:
        held, at, began, again = list[Finding](), since, since, 0
        for n, part in enumerate(parts):
            again = again + 1 if n and part == parts[n - 1] else 0
            began = began if again else at
            seen = without(self._asked(began), part, again) if isinstance(part, goal.Pred) and again else self._seen
            one = _Judge(seen, self._it, many=self._many).holds(part, at, lasting and n == len(parts) - 1)
            held.append(one)
            if one.truth is False:
                break
            if one.truth or one.at < self._seen.last:  # of what is not known nobody knows when it was
                way = any(isinstance(p, goal.Pred) and p.name in WAYS for p in parts[n + 1 : n + 2])
                at = self._stopped(part, at, one.at) if one.truth and way and isinstance(part, goal.Pred) else one.at
        return self._all(held)

    def _stopped(self, part: goal.Pred, since: int, met: int) -> int:
        """Where a way begins behind a part that was met at a moment: where the robot was when what it did for that was
        over, or where it stopped."""
        if not (goal.PREDICATES[part.name].state or part.name == "visited"):
            return met
        names = {part.name, *({"at", "visited"} if part.name in ("at", "visited") else ())}
        ended = [held.at for name in names for held in recorded(self._asked(since), name, part.args) if held.truth]
        return max(met, min(ended)) if ended else stopped(self._seen.moments, met)

    def _if(self, test: goal.Clause, yes: goal.Clause, no: goal.Clause | None, since: int, lasting: bool) -> Finding:
        """The test counts as it stood when it was first decided."""
        tested = self._when_decided(test, since)
        branches = [self._found_so(test, yes, since, tested.at, lasting)]
        branches.append(self.holds(no, tested.at, lasting) if no is not None else Finding(True, tested.at))
        if tested.truth is not None:
            return branches[0 if tested.truth else 1]
        if branches[0].truth is branches[1].truth and branches[0].truth is not None:
            return branches[0]
        return Finding(None, tested.at, f"I cannot tell whether {fact(test)}")

    def _found_so(self, test: goal.Clause, yes: goal.Clause, since: int, at: int, lasting: bool) -> Finding:
        """How a branch stands; what was behind the robot as the test began is meant in it, wherever that is by then."""
        for which in whiches(test):
            if which.relation and which.relation.to.kind == goal.YOU and which in whiches(yes):
                meant = self._seen.known(which, self._seen.last, since)
                held = [_Judge(self._seen, thing.id).holds(_of_it(yes, which), at, lasting) for thing in meant]
                return next((one for one in held if one.truth), held[0]) if held else self.holds(yes, at, lasting)
        return self.holds(yes, at, lasting)

    def _when_decided(self, test: goal.Clause, since: int) -> Finding:
        """When a test was decided: when what it asks for came into view, else at the last look or measure."""
        if all(one.name in MEASURED for one in preds(test)):
            truths = ((at, self._instant(test, at)) for at in range(since, self._seen.last + 1))
            return next(
                (Finding(truth, at) for at, truth in truths if truth is not None), self.holds(test, since, True)
            )
        held = self.holds(test, since, False)
        return held if held.truth is not None else self.holds(test, self._seen.last, True)

    def _until(self, test: goal.Clause, body: goal.Clause, most: int, since: int, lasting: bool) -> Finding:
        times, at = 0, since
        while not most or times < most:
            round_ = self.holds(body, at, False)
            if round_.truth is not True or round_.at <= at:
                break
            times, at = times + 1, round_.at
        ended = self.holds(test, since, lasting)
        if ended.truth or (most and times >= most):
            return Finding(True, max(at, ended.at))
        return Finding(ended.truth, ended.at, ended.why or fact(goal.Never(test)))

    def _each(self, which: goal.Which, body: goal.Clause, since: int, lasting: bool) -> Finding:
        asked = self._asked(since)
        things = asked.ever(which)
        need = len(things) if which.count == goal.ALL else which.count
        held = [_Judge(self._seen, t.id, many=True).holds(body, since, lasting) for t in things]
        met = sum(h.truth is True for h in held)
        open_ = sum(h.truth is None for h in held)
        at = max((h.at for h in held), default=since)
        if not things:
            return asked.none(which)
        if met >= need:
            return asked.enough(which, at)
        if met + open_ >= need:
            return Finding(None, at, "; ".join(h.why for h in held if h.truth is None and h.why))
        missed = dict.fromkeys(h.why for h in held if h.truth is False and h.why)
        return Finding(False, at, partly(body, which, met, need, "; ".join(missed)))

    def _never(self, part: goal.Clause) -> Finding:
        last = self._seen.last
        states = _states_only(part)
        first = self._seen.at(self._seen.wished_s)
        looked = range(first, last + 1) if states else (first,)
        truths = [self._instant(part, at) if states else self.holds(part, at, False).truth for at in looked]
        truth = some(truths)
        at_s = self._seen.moments[next((n for n, t in zip(looked, truths, strict=True) if t), last)].at_s
        return Finding(opposite(truth), last, f"{at_s:.0f} s into the mission {happened(part)}" if truth else "")

    def _only(self, part: goal.Pred, since: int) -> Finding:
        """Each that was done is held against it as if it were all that was done."""
        for _, deed in self._asked(since).deeds(part.name):
            held = _Judge(replace(self._seen, deeds=(deed,)), self._it, many=self._many).holds(part, since, False)
            if not held.truth:
                return Finding(held.truth, held.at, held.why)
        return Finding(True, self._seen.last)

    def _instant(self, part: goal.Clause, at: int) -> goal.Truth:
        """Whether a state holds at one moment."""
        match part:
            case goal.Pred(name, args):
                return self._told(STATES[name](self._asked(0), self._seen.moments[at], args), args).truth
            case goal.Not(inner):
                return opposite(self._instant(inner, at))
            case goal.Any(parts):
                return some(self._instant(p, at) for p in parts)
            case goal.All(parts):
                return every(self._instant(p, at) for p in parts)
        raise TypeError(f"{part} is no state")

    def _within(self, limit: goal.Amount, body: goal.Clause, since: int, lasting: bool) -> Finding:
        held = self.holds(body, since, lasting)
        took_s = self._seen.moments[held.at].at_s - self._seen.moments[since].at_s
        if held.truth and took_s > limit.value:
            took = f"{took_s:.{int(round(took_s) == limit.value)}f}"
            return Finding(False, held.at, f"it took {took} s instead of {limit.value:g} s")
        return held

    def _pred(self, name: str, args: Args, since: int, lasting: bool) -> Finding:
        asked = self._asked(since)
        if not goal.PREDICATES[name].state:
            return DEEDS.get(name, done)(asked, name, args)
        if name == "stayed" and not lasting:  # until what comes then
            return Finding(True, since)
        if lasting and not (self._many and name in PASSING):
            return replace(STATES[name](asked, self._seen.moments[-1], args), at=self._seen.last)
        return sometime(asked, name, args)

    def _asked(self, since: int) -> Query:
        return Query(self._seen, self._it, since)


def _states_only(part: goal.Clause) -> bool:
    match part:
        case goal.Pred(name, _):
            return goal.PREDICATES[name].state
        case goal.Not(inner):
            return _states_only(inner)
        case goal.All(parts) | goal.Any(parts):
            return all(map(_states_only, parts))
    return False
