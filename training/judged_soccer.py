"""Sentences that people said to a humanoid on a pitch, each with a judge: `sentences/humanoid.jsonl` ready to play.

A judge is written as data, as for the drone: `{"waved": 2}`, several keys must all hold, `{"in_order": [...]}` wants
one after the other, and `any`, `every` and `not` combine. They look at books of their own, ten samples a second: the
language of goals has no words for much of what people ask of a body (turning, looking round, staying where it is).

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
from sayso.robots.humanoid.suite.goals import Goal
from sayso.robots.humanoid.world.referee import KICKED_MPS, GameTruth, Ledger
from sayso.scene import Pose, wrap

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
FOUND_S, ARRIVED_S = 3.0, 1.0
NEAR_M = 0.4
STILL_MPS = 0.05
FACING_RAD = math.radians(40)
KICKED_M = 0.5
STAYED_M, FACED_RAD = 0.1, 0.2
HEAD_STILL_RAD = 0.1
HALTED_S = 3.0
STEP_S = 0.2


@dataclass(frozen=True, slots=True)
class Sample:
    """The truth at one moment, as far as judges ask for it. `waves` counts from the start of the game."""

    at_s: float
    robot: Pose
    ball: Pose
    speed_mps: float
    fallen: bool
    ball_in_view: bool
    waves: int

    @classmethod
    def of(cls, truth: GameTruth) -> Sample:
        seen, waves = "ball" in truth.in_frame, len(truth.books.waves)
        ball = Pose(truth.ball.x_m, truth.ball.y_m)
        return cls(truth.time_s, truth.pose, ball, truth.speed_mps, truth.fallen, seen, waves)

    @property
    def ball_m(self) -> float:
        """From between the robot's feet to the ball, on the ground."""
        return math.hypot(self.ball.x_m - self.robot.x_m, self.ball.y_m - self.robot.y_m)

    @property
    def stands(self) -> bool:
        return self.speed_mps < STILL_MPS and not self.fallen


@dataclass(slots=True)
class Play:
    """What was seen of one episode. `changed_s` is when the request was changed; `claimed` what the agent says of its
    mission once that is over: True where it says that the wish is met. `pans_rad` are the head's at each sample,
    `begun_s` when tasks were begun."""

    samples: list[Sample] = field(default_factory=list)
    books: Ledger = field(default_factory=Ledger)
    changed_s: float | None = None
    claimed: bool | None = None
    pans_rad: list[float] = field(default_factory=list)
    begun_s: list[float] = field(default_factory=list)

    def last(self, seconds: float) -> Sequence[Sample]:
        """The samples of the last while; empty where the game is not that old yet."""
        since_s = self.samples[-1].at_s - seconds
        if not self.samples or self.samples[0].at_s > since_s:
            return ()
        return [s for s in self.samples if s.at_s >= since_s - 1e-9]


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
        """What a bystander of the soccer suite does about it, with a limit that fits its judge."""
        limit_s = self.then_s + limit(self.spec) + 3 * self.apart_m
        instead = "" if self.feasible else "stayed"
        more = {"then": self.then, "then_s": self.then_s, "push": self.push, "apart_m": self.apart_m}
        return Goal(self.id, self.say, "", limit_s, instead=instead, **more)

    @property
    def judge(self) -> Judge:
        return _changed(judge(self.spec), judge(self.before)) if self.then else judge(self.spec)


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


# What people ask of a humanoid


def found(play: Play) -> bool:
    """The ball has really been in the picture of a robot on its feet, for longer than a turn sweeps past it."""
    last = play.last(FOUND_S)
    return bool(last) and all(s.ball_in_view and not s.fallen for s in last)


def approached(play: Play) -> bool:
    """It has come to a stand at the ball, turned to it."""
    last = play.last(ARRIVED_S)
    return bool(last) and all(_at_ball(s) for s in last)


def _at_ball(s: Sample) -> bool:
    return s.stands and s.ball_m <= NEAR_M and abs(s.robot.bearing_rad(s.ball)) <= FACING_RAD


def recovered(play: Play) -> bool:
    """It was felled by a push and got up, and reached the ball after that."""
    pushed = [f for f in play.books.falls if f.pushed]
    return bool(pushed) and all(f.up_s is not None for f in pushed) and approached(play)


def kicked(play: Play) -> bool:
    """A foot met the ball in a kick, and the ball went away."""
    hit = any(k.touched and k.ball_mps >= KICKED_MPS for k in play.books.kicks)
    start, now = play.samples[0].ball, play.samples[-1].ball
    return hit and start.distance_m(now) >= KICKED_M


def scored(play: Play) -> bool:
    return any(g.into == "opponent" for g in play.books.goals)


def gave_up(play: Play) -> bool:
    """It ended by itself, and says that the wish is not met; the ball was left alone."""
    return play.claimed is False and not play.books.kicks


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
        start.distance_m(s.robot) < STAYED_M and abs(wrap(s.robot.yaw_rad - start.yaw_rad)) < FACED_RAD
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
        return by_rad >= math.radians(degrees) if degrees else by_rad < FACED_RAD

    return enough


def looked(degrees: float) -> Judge:
    """The head has panned over that much; 0 is not at all."""

    def enough(play: Play) -> bool:
        by_rad = max(play.pans_rad) - min(play.pans_rad)
        return by_rad >= math.radians(degrees) if degrees else by_rad < HEAD_STILL_RAD

    return enough


def refused(yes: bool) -> Judge:
    """Ended by itself, and says that it was not done; nothing moved, not even the head. After a changed request there
    is a moment to come to rest in."""

    def declined(play: Play) -> bool:
        return gave_up(play) and _idle(part(play, since_s=_at_rest_s(play)))

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
    "found": _flag(found), "approached": _flag(approached), "kicked": _flag(kicked),
    "scored": _flag(scored), "recovered": _flag(recovered), "gave_up": _flag(gave_up),
    "refused": refused, "waved": waved, "kicks": kicks, "stands": stands, "stays": stays, "in_place": in_place,
    "turned": turned, "looked": looked, "in_order": in_order,
    "any": lambda specs: lambda play: any(judge(s)(play) for s in specs),
    "every": lambda specs: lambda play: all(judge(s)(play) for s in specs),
    "not": lambda spec: lambda play: not judge(spec)(play),
}  # fmt: skip
"""Every key that a judge may have."""
