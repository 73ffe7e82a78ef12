"""Sentences that people said to a humanoid on a pitch, each with a judge: `sentences/humanoid.jsonl` ready to play.

A judge is written as data, as for the drone: `{"waved": 2}`, several keys must all hold, `{"in_order": [...]}` wants
one after the other, and `any`, `every` and `not` combine. What the soccer suite judges is judged here by the suite's
own functions; what it has no goal for (turning, looking round, staying where it is) is added.

Where a sentence is followed by another (`then`, said `then_s` after the start), the judge is asked only about what
happens from that moment on; `before`, where there is one, about what happened until then.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from sayso.errors import UsageError
from sayso.robots.humanoid.suite import goals as soccer
from sayso.robots.humanoid.suite.goals import Game, Goal
from sayso.scene import wrap

FILE = Path(__file__).parent / "sentences" / "humanoid.jsonl"

MET_S = {
    "found": 30, "approached": 45, "recovered": 75, "kicked": 60, "kicks": 60, "scored": 150, "looked": 14, "stands": 8,
    "stays": 8, "waved": 10, "turned": 12, "gave_up": 12, "refused": 12,
}  # fmt: skip
"""How long there is for each part of a wish (s); what is not named here takes no time of its own."""

NEVER_LATER = ("stays", "in_place", "refused", "gave_up")
"""Judges of a whole game."""

HONEST_ENDS = ("gave_up", "refused")
"""Judges that can be asked only when the agent has ended by itself."""

IN_PLACE_M = 0.3
HEAD_STILL_RAD = 0.1
HALTED_S = 3.0
STEP_S = 0.2


@dataclass(slots=True)
class Play(Game):
    """A game with two more things in the books: the head's pan at each sample, and when tasks were begun."""

    pans_rad: list[float] = field(default_factory=list)
    begun_s: list[float] = field(default_factory=list)


Judge: TypeAlias = Callable[[Play], bool]


@dataclass(frozen=True, slots=True)
class Sentence:
    """What somebody said, and when it counts as done. `by` is the kind of person."""

    id: str
    group: str
    by: str
    say: str
    spec: Mapping[str, Any]
    then: str = ""
    then_s: float = 0.0
    before: Mapping[str, Any] = field(default_factory=dict)
    apart_m: float = 0.0
    push: bool = False

    @property
    def feasible(self) -> bool:
        """Over as soon as the judge is content; otherwise when the agent ends."""
        return not any(key in self.spec for key in HONEST_ENDS)

    @property
    def goal(self) -> Goal:
        """The sentence as a goal of the soccer suite, with a limit that fits its judge."""
        judged = _changed(judge(self.spec), judge(self.before)) if self.then else judge(self.spec)
        limit_s = self.then_s + limit(self.spec) + 3 * self.apart_m
        return Goal(
            self.id, self.say, judged, limit_s, ("", ""),  # type: ignore[arg-type]
            self.feasible, self.push, self.then, self.then_s, self.apart_m,
        )  # fmt: skip


def sentences(file: Path = FILE) -> list[Sentence]:
    """All of them, in the order of the file."""
    rows = (json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip())
    return [Sentence(spec=row.pop("judge"), **row) for row in rows]


def judge(spec: Mapping[str, Any]) -> Judge:
    """The judge that `spec` describes. Raises `UsageError` for a key that is none."""
    judges = [_one(key, value) for key, value in spec.items()]
    return lambda play: all(one(play) for one in judges)


def _one(key: str, value: Any) -> Judge:
    if key not in JUDGES:
        raise UsageError(f"there is no judge {key!r}; there are {', '.join(sorted(JUDGES))}")
    return JUDGES[key](value)


def limit(spec: Mapping[str, Any]) -> float:
    """Seconds for all of it: one part after the other where order counts, side by side otherwise."""
    spent_s = [0.0]
    for key, value in spec.items():
        if key == "in_order":
            spent_s.append(sum(limit(part) for part in value))
        elif key in ("any", "every"):
            spent_s.append(max(limit(part) for part in value))
        elif key in MET_S:
            spent_s.append(MET_S[key] + _more_s(key, value))
    return max(spent_s)


def _more_s(key: str, value: Any) -> float:
    """What a large number adds."""
    each_s = {"waved": 2.0, "turned": 1 / math.degrees(0.4), "stands": 1.0, "stays": 1.0}
    return each_s.get(key, 0.0) * float(value)


def part(play: Play, since_s: float = -math.inf, until_s: float = math.inf) -> Play:
    """What happened between two moments, as a play of its own."""
    kept = [(s, pan) for s, pan in zip(play.samples, play.pans_rad, strict=True) if since_s <= s.at_s <= until_s]
    books = replace(
        play.books,
        kicks=[k for k in play.books.kicks if since_s <= k.at_s <= until_s],
        goals=[g for g in play.books.goals if since_s <= g.at_s <= until_s],
        falls=[f for f in play.books.falls if since_s <= f.at_s <= until_s],
    )
    begun_s = [at_s for at_s in play.begun_s if since_s <= at_s <= until_s]
    return Play([s for s, _ in kept], books, None, play.claimed, [pan for _, pan in kept], begun_s)


def _changed(after: Judge, before: Judge) -> Judge:
    """`after` holds for what followed the changed request, `before` for what came before it."""

    def judged(play: Play) -> bool:
        if play.changed_s is None:
            return False
        later = part(play, since_s=play.changed_s)
        return bool(later.samples) and after(later) and before(part(play, until_s=play.changed_s))

    return judged


# What the suite has no goal for


def waved(times: int) -> Judge:
    """So often at least; 0 is not at all."""

    def enough(play: Play) -> bool:
        waves = play.samples[-1].waves - play.samples[0].waves
        return waves >= times if times else waves == 0

    return enough


def kicks(count: int) -> Judge:
    """The foot met the ball so often at least; 0 is not at all, not even beside it."""

    def enough(play: Play) -> bool:
        swung = play.books.kicks
        return sum(k.touched for k in swung) >= count if count else not swung

    return enough


def stands(seconds: float) -> Judge:
    """At rest for the last while, and that by a task or by its word: not because nothing was understood."""

    def still(play: Play) -> bool:
        last = play.last(seconds)
        return bool(last) and all(s.stands for s in last) and _meant(play)

    return still


def stays(seconds: float) -> Judge:
    """Not a step, not a turn, not a wave, from the first moment on."""
    return lambda play: _stayed(play) and waved(0)(play) and stands(seconds)(play)


def _meant(play: Play) -> bool:
    return bool(play.begun_s) or play.claimed is True


def _stayed(play: Play) -> bool:
    start = play.samples[0].robot
    return all(
        start.distance_m(s.robot) < soccer.STAYED_M and abs(wrap(s.robot.yaw_rad - start.yaw_rad)) < soccer.FACED_RAD
        for s in play.samples
    )


def in_place(yes: bool) -> Judge:
    """It has not walked anywhere; turning is allowed."""

    def stayed(play: Play) -> bool:
        start = play.samples[0].robot
        return all(start.distance_m(s.robot) < IN_PLACE_M for s in play.samples) == yes

    return stayed


def turned(degrees: float) -> Judge:
    """The whole robot, by that much in one direction or the other; 0 is not at all."""

    def enough(play: Play) -> bool:
        yaws = [s.robot.yaw_rad for s in play.samples]
        by_rad = abs(sum(wrap(b - a) for a, b in itertools.pairwise(yaws)))
        return by_rad >= math.radians(degrees) if degrees else by_rad < soccer.FACED_RAD

    return enough


def looked(degrees: float) -> Judge:
    """The head has panned over that much; 0 is not at all."""

    def enough(play: Play) -> bool:
        by_rad = max(play.pans_rad) - min(play.pans_rad)
        return by_rad >= math.radians(degrees) if degrees else by_rad < HEAD_STILL_RAD

    return enough


def refused(yes: bool) -> Judge:
    """Ended by itself, and says that it was not done; nothing moved, not even the head. After a changed request there

    is a moment to come to rest in.
    """

    def declined(play: Play) -> bool:
        return soccer.gave_up(play) and _idle(part(play, since_s=_at_rest_s(play)))

    return declined if yes else lambda play: not declined(play)


def _idle(play: Play) -> bool:
    return bool(play.samples) and _stayed(play) and waved(0)(play) and looked(0)(play)


def _at_rest_s(play: Play) -> float:
    """From when on nothing may move: at once, or so long after the start where that found it moving."""
    first = play.samples[0]
    calm = first.stands and first.waves == 0 and abs(play.pans_rad[0]) < HEAD_STILL_RAD
    return first.at_s if calm else first.at_s + HALTED_S


def in_order(specs: Sequence[Mapping[str, Any]]) -> Judge:
    """One after the other: each part is judged from the moment on at which all before it were there.

    What must not happen says nothing about an order: it belongs beside `in_order`, not into it.
    """
    first, rest = judge(specs[0]), specs[1:]
    if wrong := [key for spec in rest for key, value in spec.items() if key in NEVER_LATER or value in (0, False)]:
        raise UsageError(f"{', '.join(wrong)} cannot follow in an order; put it beside in_order")
    if not rest:
        return first
    after = in_order(rest)

    def one_after_the_other(play: Play) -> bool:
        if not after(play):
            return False  # so that most samples cost nothing: what holds for the end of a game holds for all of it
        met_s = _met_s(play, first)
        later = Play() if met_s is None else part(play, since_s=met_s)
        return bool(later.samples) and after(later)

    return one_after_the_other


def _met_s(play: Play, judge_: Judge) -> float | None:
    """When the judge was content for the first time."""
    until_s, end_s = play.samples[0].at_s, play.samples[-1].at_s
    while until_s < end_s:
        until_s += STEP_S
        if judge_(part(play, until_s=until_s)):
            return until_s
    return None


def _flag(judge_: Callable[[Play], bool]) -> Callable[[bool], Judge]:
    return lambda yes: lambda play: judge_(play) == yes


JUDGES: dict[str, Callable[[Any], Judge]] = {
    "found": _flag(soccer.found), "approached": _flag(soccer.approached), "kicked": _flag(soccer.kicked),
    "scored": _flag(soccer.scored), "recovered": _flag(soccer.recovered), "gave_up": _flag(soccer.gave_up),
    "refused": refused, "waved": waved, "kicks": kicks, "stands": stands, "stays": stays, "in_place": in_place,
    "turned": turned, "looked": looked, "in_order": in_order,
    "any": lambda specs: lambda play: any(judge(s)(play) for s in specs),
    "every": lambda specs: lambda play: all(judge(s)(play) for s in specs),
    "not": lambda spec: lambda play: not judge(spec)(play),
}  # fmt: skip
"""Every key that a judge may have."""
