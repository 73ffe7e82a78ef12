"""What a humanoid should do now: the right answer to a brief, for whoever knows what is meant.

A goal is a list of steps, one after the other. Which step it is at is read from the last answer, what is over from what
became of it, and everything else from the state: a model that gets the same brief can know all of this too. A step that
lasts counts as over after as many seconds as `WAVED_S` and its like say, or never, if it is endless.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sayso.robots.humanoid.ball import Ball
from sayso.robots.humanoid.form import AT_FEET_M, WALKABLE_S
from sayso.roles import Brief

DONE, CANNOT = "Done", "Cannot"
SEEN_S, WAVED_S, AROUND_S, STOOD_S, HALF_S, ROUND_S = 4, 7, 5, 3, 6, 12
"""The ball looked at; waved; looked around; stood still; turned half round and once around."""

_ENTRY = re.compile(r"Task: (\w+)")
_UNSTEADY = ("walking", "kicking", "fallen", "getting up")


@dataclass(frozen=True, slots=True)
class Moment:
    """What a brief says, in data. `last` are the tasks of the last answer, `done` how often each was reported done."""

    standing: bool = True
    visible: bool = False
    walkable: bool = False
    near: bool = False
    last: frozenset[str] = frozenset()
    done: Mapping[str, int] = field(default_factory=dict)
    going_s: Mapping[str, int] = field(default_factory=dict)

    def went_on(self, task: str, seconds: int) -> bool:
        return self.going_s.get(task, 0) >= seconds


def moment(brief: Brief) -> Moment:
    """Reads a rolling planner's brief."""
    ball = next((b for b in brief.seen.believed if isinstance(b, Ball)), Ball())
    unseen_s = WALKABLE_S if ball.unseen_s is None else ball.unseen_s
    away_m = 99.0 if ball.distance_m is None else ball.distance_m
    plan, ran = (brief.history[-1].plan, brief.history[-1].ran) if brief.history else ("", ())
    return Moment(
        standing=brief.seen.state is None or brief.seen.state.doing not in _UNSTEADY,
        visible=ball.visible,
        walkable=unseen_s < WALKABLE_S,
        near=away_m <= AT_FEET_M,
        last=frozenset(_ENTRY.findall(plan)),
        done=Counter(one.skill for one in ran if one.done),
        going_s={one.skill: one.value for one in ran if isinstance(one.value, int)},
    )


@dataclass(frozen=True, slots=True)
class Step:
    """`names` gives the tasks that help, the strongest first; `over` says whether the moment shows the step's end."""

    name: str
    names: Callable[[Moment], tuple[str, ...]]
    over: Callable[[Moment], bool]
    packs: frozenset[frozenset[str]]
    """All that `names` can give: how a step is known by the last answer."""


SEARCH = ("TurnOnSpot", "LookAround")
SETTLE = ("StandStill", "LookAtBall")
"""After a walk or a kick it stands for a round and sees what came of it, before it says that it is done."""


def step(
    name: str,
    tasks: Sequence[str],
    over: Callable[[Moment], bool],
    *,
    ball: bool = False,
    hunt: Sequence[str] = SEARCH,
    at_ball: Sequence[str] = (),
    settle: bool = False,
    beside: Sequence[str] = (),
) -> Step:
    """`tasks`, the strongest first, until `over`. One about the `ball` begins with `hunt`; `beside` goes on all the
    time, and `at_ball` takes the place of the tasks while the ball lies at the feet. With `settle`, one more round."""
    packs = {"do": tasks, **({"hunt": hunt} if ball else {}), **({"settle": SETTLE} if settle else {})}
    packs = {key: (*pack, *beside) for key, pack in ({**packs, "near": at_ball} if at_ball else packs).items()}

    def names(now: Moment) -> tuple[str, ...]:
        if settle and over(now):
            return packs["settle"]
        if ball and not now.walkable:
            return packs["hunt"]
        return packs["near"] if at_ball and now.near else packs["do"]

    def settled(now: Moment) -> bool:
        return over(now) and now.standing and now.went_on("StandStill", 1)

    return Step(name, names, settled if settle else over, frozenset(map(frozenset, packs.values())))


def never(now: Moment) -> bool:
    return False


def for_s(task: str, seconds: int) -> Callable[[Moment], bool]:
    return lambda now: now.went_on(task, seconds)


def looked(now: Moment) -> bool:
    return now.visible and now.went_on("LookAtBall", SEEN_S)


def arrived(now: Moment) -> bool:
    return now.done.get("WalkToBall", 0) > 0 and now.near


def kicked(times: int = 1) -> Callable[[Moment], bool]:
    """A kick that left the ball at the feet was none."""
    return lambda now: now.done.get("KickBall", 0) >= times and not now.near


def stood(now: Moment) -> bool:
    return now.standing and now.went_on("StandStill", STOOD_S)


_WAVE, _KICK, _WALK = ("Wave",), ("KickBall", "WalkToBall"), ("WalkToBall",)
STEPS: Mapping[str, Step] = {
    made.name: made
    for made in (
        step("find", ("LookAtBall",), looked, ball=True),
        step("watch", ("LookAtBall",), never, ball=True),
        step("approach", _WALK, arrived, ball=True, settle=True),
        step("follow", _WALK, never, ball=True, at_ball=("LookAtBall",)),
        step("kick", _KICK, kicked(), ball=True, settle=True),
        step("kick_twice", _KICK, kicked(2), ball=True, settle=True),
        step("play", _KICK, never, ball=True),
        step("stand", ("StandStill",), stood),
        step("stay", ("StandStill",), never),
        step("wave", _WAVE, for_s("Wave", WAVED_S)),
        step("wave_on", _WAVE, never),
        step("stand_wave", ("StandStill", "Wave"), for_s("Wave", WAVED_S)),
        step("look_around", ("LookAround",), for_s("LookAround", AROUND_S)),
        step("look_on", ("LookAround",), never),
        step("stand_look", ("StandStill", "LookAround"), for_s("LookAround", AROUND_S)),
        step("stand_watch", ("StandStill", "LookAtBall"), looked, ball=True, hunt=("StandStill", "LookAround")),
        step("turn", ("TurnOnSpot",), for_s("TurnOnSpot", ROUND_S)),
        step("turn_half", ("TurnOnSpot",), for_s("TurnOnSpot", HALF_S)),
        step("turn_on", ("TurnOnSpot",), never),
        step("turn_look", SEARCH, for_s("TurnOnSpot", ROUND_S)),
        step("approach_wave", _WALK, arrived, ball=True, settle=True, beside=_WAVE),
        step("kick_wave", _KICK, kicked(), ball=True, settle=True, beside=_WAVE),
        step("play_wave", _KICK, never, ball=True, beside=_WAVE),
        step("find_wave", ("LookAtBall",), looked, ball=True, beside=_WAVE),
        step("turn_wave", ("TurnOnSpot",), for_s("TurnOnSpot", ROUND_S), beside=_WAVE),
        step("look_wave", ("LookAround",), for_s("LookAround", AROUND_S), beside=_WAVE),
        step("stand_look_wave", ("StandStill", "LookAround"), for_s("Wave", WAVED_S), beside=_WAVE),
    )
}


def apart(one: str, other: str) -> bool:
    """Whether these two can follow each other: the last answer must tell which of them it is at."""
    return not STEPS[one].packs & STEPS[other].packs


def answer(goal: Sequence[str], now: Moment) -> str:
    """The tasks of the step that it is at, Done behind the last one; Cannot where there is no step at all."""
    if not goal:
        return CANNOT
    steps = [STEPS[name] for name in goal]
    at = max((i for i, s in enumerate(steps) if now.last in s.packs), default=0)
    while steps[at].over(now):
        at += 1
        if at == len(steps):
            return DONE
    return written(steps[at].names(now))


def written(names: Sequence[str]) -> str:
    """As a model answers: the first has the highest priority."""
    return "\n".join(f"Task: {name} Priority: {len(names) - i}" for i, name in enumerate(names))
