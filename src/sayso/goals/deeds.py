"""The truth of every predicate that is a deed: what has happened from a moment on."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from sayso.goal import ALL, ANYTHING, Amount, Argument, Pred, Truth, Which
from sayso.goals.evidence import Evidence, wanted
from sayso.goals.motion import MOVED_M, MOVED_SHARE, TURNED_DEG, moved, turned
from sayso.goals.query import Args, Finding, Query, value_of, which_of
from sayso.goals.spoken import doing, missed, partly, thing, unseen
from sayso.goals.states import sometime
from sayso.grounding.inflection import times as often
from sayso.grounding.numbers import figure
from sayso.grounding.people import is_pronoun
from sayso.scene import Thing, wrap

STILL_M = 0.1
"""Who stays within this stands still."""
COVERED_SHARE = 95.0
WITH_M = 2.6
"""Two who are together are within this."""

SOUGHT = "sought"
"""The record of a search in vain; no predicate tells it."""
UNSENSED = ("touched", "fell")
"""Deeds that a robot does not tell of."""


def done(asked: Query, name: str, args: Args) -> Finding:
    """A deed that is on record with such arguments."""
    if known := recorded(asked, name, args):
        return known[0]
    if name in UNSENSED and not asked.seen.closed:
        return Finding(None, asked.seen.last, "I did not observe it")
    return Finding(False, asked.seen.last, missed(doing(Pred(name, args))))


def recorded(asked: Query, name: str, args: Args) -> list[Finding]:
    """Those that are, and behind them those of which it is not known."""
    found = [(at, _matches(asked, deed.args, args, deed.things, at)) for at, deed in asked.deeds(name)]
    sure = [Finding(True, at) for at, fits in found if fits]
    return sure + [Finding(None, at, "I did not observe which one it was") for at, fits in found if fits is None]


def _given(asked: Query, name: str, args: Args) -> Finding:
    """So many of them, one after the other, or all."""
    which, known = which_of(args), recorded(asked, name, args)
    need = max(1, len(asked.ever(which))) if which.count == ALL else which.count
    if len(known) < need:
        pred = Pred(name, args)
        why = partly(pred, which, len(known), need, "") if known else missed(doing(pred))
        return Finding(False, asked.seen.last, why)
    last = known[need - 1]
    return asked.enough(which, last.at) if last.truth else last


def _matches(
    asked: Query, done: Sequence[Argument], want: Sequence[Argument], things: frozenset[str], at: int
) -> Truth:
    """Not known where the name fits and more was said of it than a name."""
    by_name = False
    for n, one in enumerate(want):
        given = done[n] if n < len(done) else None
        match one:
            case Which():
                meant = {t.id for t in asked.things(one, asked.seen.moments[at])}
                pointed = isinstance(given, Which) and is_pronoun(given.kind)
                named = pointed or (isinstance(given, Which) and asked.seen.of_label(given.kind, one.kind))
                any_one = isinstance(given, Which) and one == Which()
                known = _so_named(asked.seen.moments[at].things, things, given)
                if not (any_one or meant & things or (named and not (meant and known))):
                    return False
                plain = one == Which(one.kind, count=one.count) and not pointed
                by_name = by_name or not (any_one or meant & things or plain)
            case Amount(value, _) if isinstance(given, Amount):
                if abs(given.value - value) > max(MOVED_SHARE * abs(value), 0.5 if one.unit == "s" else MOVED_M):
                    return False
            case str() if isinstance(given, str):
                if not says(given, one):
                    return False
    return None if by_name else True


def without(asked: Query, pred: Pred, times: int) -> Evidence:
    """The evidence without the first deeds that may have met it: what is wanted again is done again."""
    fits = (d for at, d in asked.deeds(pred.name) if _matches(asked, d.args, pred.args, d.things, at) is not False)
    spent = {id(deed) for deed in islice(fits, times)}
    return replace(asked.seen, deeds=tuple(d for d in asked.seen.deeds if id(d) not in spent))


def _so_named(known: Mapping[str, Thing], things: frozenset[str], given: Argument | None) -> set[str]:
    """Those of the things that it was done to that are called as this argument came; none where that names a kind."""
    called_so = given.kind if isinstance(given, Which) else ANYTHING
    found = (known[id_] for id_ in things & known.keys())
    return {t.id for t in found if called_so in (ANYTHING, t.id, t.label)}


def _visited(asked: Query, name: str, args: Args) -> Finding:
    held = _measured_by_skill(asked, name, args) or sometime(asked, "at", args)
    return held if held.truth else replace(held, at=asked.seen.last)


def _found(asked: Query, name: str, args: Args) -> Finding:
    if on_record := _measured_by_skill(asked, name, args):
        return on_record
    held = sometime(asked, "sees", args)
    if held.truth:
        return held
    kind, surveyed_s = which_of(args).kind, 0.0 if asked.seen.closed else asked.seen.surveyed_s
    looked = asked.seen.last if surveyed_s is None else max(asked.since, asked.seen.at(surveyed_s))
    looked = next((at for at, deed in asked.deeds(SOUGHT) if which_of(deed.args).kind == kind), looked)
    return Finding(held.truth, looked, (held.truth is None and held.why) or unseen(which_of(args)))


def _measured_by_skill(asked: Query, name: str, args: Args) -> Finding | None:
    """A deed on record that says so of one thing of a kind; None where looks and poses have to tell."""
    which = which_of(args)
    plain = which.count == 1 and not which.rank and len(args) == 1
    on_record = done(asked, name, args) if plain else None
    return on_record if on_record and on_record.truth else None


def _waited(asked: Query, name: str, args: Args) -> Finding:
    """Standing still for so long, turning no more; a wait that is on record is one, too."""
    if (on_record := done(asked, name, args)).truth:
        return on_record
    moments, want_s = asked.seen.moments, value_of(args, 0, 0.0)
    first, longest = asked.since, 0.0
    for at in range(asked.since, asked.seen.last + 1):
        before, now = moments[first].pose, moments[at].pose
        if before.distance_m(now) > STILL_M or abs(wrap(now.yaw_rad - before.yaw_rad)) > math.radians(TURNED_DEG):
            first = at
        stood_s = moments[at].at_s - moments[first].at_s
        longest = max(longest, stood_s)
        if stood_s >= want_s - 0.3:
            return Finding(True, at)
    return Finding(False, asked.seen.last, f"I stood still for {longest:.1f} s instead of {want_s:g} s")


def _waved(asked: Query, name: str, args: Args) -> Finding:
    """So often at least."""
    times, waves = max(1, int(value_of(args, 0, 1))), list(asked.deeds("waved"))
    if len(waves) >= times:
        return Finding(True, waves[times - 1][0])
    why = f"I waved {often(len(waves))} instead of {often(times)}" if waves else missed("wave")
    return Finding(False if asked.seen.closed else None, asked.seen.last, why)


def _picture(asked: Query, name: str, args: Args) -> Finding:
    """A picture with so many of them in frame, from close enough."""
    seen = asked.seen
    taken = list(asked.deeds("picture"))
    if not taken:
        return Finding(False, seen.last, missed("take a picture"))
    if not args:
        return Finding(True, taken[0][0])
    which, within_m = which_of(args), value_of(args, 1, math.inf)
    for at, deed in taken:
        moment = seen.moments[at]
        meant = asked.things(which, moment)
        shown = [t for t in meant if t.id in deed.things and (seen.gap_m(moment.pose, t) or 0.0) <= within_m]
        if shown and len(shown) >= (len(meant) if which.count == ALL else wanted(which)):
            return asked.enough(which, at)
    if (why := seen.untold(which)) and not asked.ever(which):
        return Finding(None, seen.last, why)
    return Finding(False, seen.last, f"no picture of mine shows {thing(which)}")


def _named(asked: Query, name: str, args: Args) -> Finding:
    """It had been seen, and was named in a breath that names nothing else that is known: who names all has not told."""
    seen, which = asked.seen, which_of(args)
    if seen.given_up:
        return Finding(False, seen.last, "I gave up")
    for at, deed in asked.deeds("said"):
        shown = frozenset[str]().union(*(m.in_view for m in seen.moments[: at + 1]))
        meant = {t.label.lower() for t in asked.things(which, seen.moments[at]) if t.id in shown}
        told = names_in(str(deed.args[0]), {t.label for t in seen.moments[at].things.values()})
        if told and told <= meant and (which.count != ALL or told == meant):
            return asked.enough(which, at)
    return Finding(False, seen.last, f"I did not name {thing(which)}, or not alone")


def _heard(asked: Query, name: str, args: Args) -> Finding:
    """So often as is wanted, and at least once where no number is."""
    if not asked.seen.closed:
        return _spoken(asked, args)
    times, heard = value_of(args, 2, 0), _hearing(asked, args)
    told = [at for at, text in heard if tells(text, str(args[1]))]
    why = f"{thing(which_of(args))} heard “{args[1]}” {often(len(told)) if told else 'at no time'}"
    return Finding(len(told) == times if times else bool(told), told[-1] if told else asked.seen.last, why)


def _told_them(asked: Query, name: str, args: Args) -> Finding:
    """The last that they heard of what may be an answer is this one, and no other beside it."""
    if not asked.seen.closed:
        return _spoken(asked, args)
    heard = _hearing(asked, args)
    choices = asked.seen.choices[str(args[2])] if len(args) > 2 else ()
    right = answers([text for _, text in heard], str(args[1]), choices)
    return Finding(
        right, heard[-1][0] if heard else asked.seen.last, f"I did not tell {thing(which_of(args))} “{args[1]}”"
    )


def _spoken(asked: Query, args: Args) -> Finding:
    """Who speaks does not observe who hears it."""
    text = str(args[1])
    for at, deed in asked.deeds("said"):
        if tells(str(deed.args[0]), text):
            return Finding(None, at, f"I did not observe who heard “{text}”")
    return Finding(False, asked.seen.last, f"I did not say “{text}”")


def _hearing(asked: Query, args: Args) -> list[tuple[int, str]]:
    """The moments at which somebody heard something, and what."""
    deeds = list(asked.deeds("heard"))
    whose = {at: {t.id for t in asked.things(which_of(args), asked.seen.moments[at])} for at, _ in deeds}
    return [(at, str(deed.args[0])) for at, deed in deeds if whose[at] & deed.things]


def _guided(asked: Query, name: str, args: Args) -> Finding:
    """They are there when all is over: at the place, or in one room with whom they were taken to, and near."""
    if not asked.seen.closed:
        on_record = done(asked, name, args)
        return on_record if on_record.truth else Finding(None, on_record.at, "I did not observe where they are")
    who, place, now = which_of(args), which_of(args, 1), asked.seen.moments[-1]

    def there(one: Thing) -> Truth:
        at = now.whereabouts.get(one.id, frozenset())
        others = [t for t in asked.things(place, now) if t.id != one.id and at & now.whereabouts.get(t.id, at)]
        near = [t for t in others if t.pose and one.pose and one.pose.level_m(t.pose) <= WITH_M]
        return any(asked.seen.of_label(a, place.kind) for a in at) or bool(near)

    return asked.count(who, now, there, Pred(name, args))


def _answered(asked: Query, name: str, args: Args) -> Finding:
    """This was answered from what the robot saw itself, which is right as far as it sees; or it was answered by
    somebody else, or something was said that is no question: whether that is right nothing observed tells."""
    seen = [at for at, deed in asked.deeds("answered") if len(deed.args) > 1 and deed.args[0] == args[0]]
    if seen and not asked.seen.closed:
        return Finding(True, min(seen))
    found = [at for at, deed in asked.deeds("answered") if _matches(asked, deed.args, args[:1], deed.things, at)]
    found += [at for at, deed in asked.deeds("said") if answers([str(deed.args[0])])]
    if found:
        known = asked.seen.closed or asked.seen.own_words
        return Finding(known or None, min(found), "I cannot tell whether my answer is right")
    return Finding(False, asked.seen.last, missed(doing(Pred("answered", args))))


def _informed(asked: Query, name: str, args: Args) -> Finding:
    """Who speaks does not observe who hears it."""
    said = _answered(asked, name, args[1:] or ("",))
    return said if said.truth is False else replace(said, truth=None, why="I did not observe who heard it")


def _introduced(asked: Query, name: str, args: Args) -> Finding:
    """Each heard of the other, by name."""
    one, other, last = which_of(args), which_of(args, 1), asked.seen.last
    if not asked.seen.closed:
        return _informed(asked, name, ())
    heard = [any(tells(text, b.kind) for _, text in _hearing(asked, (a,))) for a, b in ((one, other), (other, one))]
    return Finding(all(heard), last, f"{thing(one)} and {thing(other)} did not hear each other's names")


def _agreed(asked: Query, name: str, args: Args) -> Finding:
    """Who was asked and did not say yes has not agreed."""
    if on_record := next(asked.deeds(name), None):
        return Finding(True, on_record[0])
    was_asked = asked.seen.closed or next(asked.deeds("asked"), None) is not None
    return Finding(False if was_asked else None, asked.seen.last, f"{thing(which_of(args))} did not say yes")


def _covered(asked: Query, name: str, args: Args) -> Finding:
    want, share, at = value_of(args, 1, COVERED_SHARE), 0.0, asked.seen.last
    for then, deed in asked.deeds("covered"):
        if _matches(asked, deed.args[:1], args[:1], deed.things, then):
            share, at = max(share, value_of(deed.args, 1, 100.0)), then
    return Finding(share >= want, at, f"I looked at {share:.0f} % of {thing(which_of(args))} instead of {want:g} %")


DEEDS: Mapping[str, Callable[[Query, str, Args], Finding]] = {
    "visited": _visited, "found": _found, "moved": moved, "turned": turned, "waited": _waited, "waved": _waved,
    "picture": _picture, "heard": _heard, "told": _told_them, "guided": _guided, "named": _named,
    "answered": _answered, "informed": _informed, "introduced": _introduced, "agreed": _agreed, "covered": _covered,
    "given": _given,
    "did": lambda asked, *_: Finding(None, asked.seen.last, "nothing but the skill itself tells that it is done"),
}  # fmt: skip


# What counts as said: whole words in their order, numbers as figures, and an answer that names nothing else. A text
# that is wanted may give several ways to say it, with `/` between them.


def words(text: str) -> list[str]:
    """The words of a sentence, small, without their signs; numbers as figures."""
    bare = "".join(c if c.isalnum() else " " for c in text.lower().replace("'", ""))
    return [figure(word) for word in bare.split()]


def tells(sentence: str, wanted: str) -> bool:
    """Whether a sentence holds the words of one of the ways, in their order."""
    return any(_at(words(sentence), words(way)) >= 0 for way in wanted.split("/"))


def says(sentence: str, wanted: str) -> bool:
    """Whether a sentence holds every word of it, in any order."""
    return {*words(wanted)} <= {*words(sentence)}


def names_in(text: str, names: Iterable[str]) -> set[str]:
    """Which names a text holds, the longer ones first: orange juice is no orange."""
    left, found = words(text), set()
    for name in sorted({" ".join(words(n)) for n in names}, key=len, reverse=True):
        part = name.split()
        while (at := _at(left, part)) >= 0:
            left[at : at + len(part)] = [""]
            found.add(name)
    return found


def answers(sentences: Sequence[str], wanted: str = "", choices: Collection[str] = ()) -> bool:
    """Whether the last answer is the wanted one, or any where none is; questions tell nothing.

    With `choices` an answer is what holds any of them, and the wanted one holds no other: who names all has not told.
    """
    told = [part for sentence in sentences for part in _statements(sentence)]
    if not choices:
        return any(tells(part, wanted) if wanted else words(part) for part in told)
    meant = {" ".join(words(way)) for way in wanted.split("/")}
    named = [found for part in told if (found := names_in(part, {*choices, *meant}))]
    return bool(named) and named[-1] <= meant


def _statements(text: str) -> Iterator[str]:
    part = ""
    for sign in text:
        part += sign
        if sign in ".!?":
            if sign != "?":
                yield part
            part = ""
    if part.strip():
        yield part


def _at(said: Sequence[str], part: Sequence[str]) -> int:
    """Where a part begins among the words; -1 where it is not there."""
    return next((n for n in range(len(said)) if part and list(said[n : n + len(part)]) == list(part)), -1)
