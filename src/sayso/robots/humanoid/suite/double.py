"""A scripted double of the model for the soccer goals: hand-written rules that follow the state, no understanding.

It answers each request by a rule written for it, from what the brief says of the ball and of the last answer. A score
with it says that worlds, providers, planner and judges work; it says nothing about language.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Self

from sayso.models.scripted import Scripted
from sayso.robots.humanoid.ball import Ball
from sayso.roles import Brief, Prompt
from sayso.task import PURSUED
from sayso.understanding.forms import brief_of

WALKABLE_S = 3.0
AT_BALL_M = 0.4
WAVED_S = 4.5
NEVER_SEEN = Ball()


@dataclass(frozen=True, slots=True)
class Shown:
    """What one prompt says of the ball, and of the last answer: what of it is done, and what goes on for how long."""

    ball: Ball = NEVER_SEEN
    done: frozenset[str] = frozenset()
    pursued_s: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, brief: Brief) -> Self:
        ball = next((b for b in brief.seen.believed if isinstance(b, Ball)), NEVER_SEEN)
        ran = brief.history[-1].ran if brief.history else ()
        pursued_s = {r.skill: float(r.value) for r in ran if r.outcome == PURSUED and isinstance(r.value, int)}
        return cls(ball, frozenset(r.skill for r in ran if r.done), pursued_s)

    @property
    def walkable(self) -> bool:
        return self.ball.unseen_s is not None and self.ball.unseen_s < WALKABLE_S

    @property
    def at_ball(self) -> bool:
        return (self.ball.distance_m or 0.0) <= AT_BALL_M


def tasks(*names: str) -> str:
    """One line for each task, the first with the highest priority."""
    return "\n".join(f"Task: {name} Priority: {len(names) - n}" for n, name in enumerate(names))


SEARCH = tasks("TurnOnSpot", "LookAround")


def find(now: Shown) -> str:
    if not now.walkable:
        return SEARCH
    return "Done" if now.ball.visible and now.pursued_s.get("LookAtBall", 0) >= 2 else tasks("LookAtBall")


def approach(now: Shown) -> str:
    if not now.walkable:
        return SEARCH
    return "Done" if "WalkToBall" in now.done and now.at_ball else tasks("WalkToBall")


def kick(now: Shown) -> str:
    if "KickBall" in now.done and not now.at_ball:
        return "Done"
    return play(now)


def play(now: Shown) -> str:
    return tasks("KickBall", "WalkToBall") if now.walkable else SEARCH


def stand_and_wave(now: Shown) -> str:
    return "Done" if now.pursued_s.get("Wave", 0) >= WAVED_S else tasks("StandStill", "Wave")


def cannot(now: Shown) -> str:
    return "Cannot"


RULES: dict[str, Callable[[Shown], str]] = {
    "find the ball": find,
    "approach the ball": approach,
    "approach and kick the ball": kick,
    "play soccer": play,
    "playing soccer": play,
    "stand still and wave": stand_and_wave,
    "pick up the ball": cannot,
    "jump": cannot,
}
"""What to answer to each request, by the state."""


def state_following_double(rules: dict[str, Callable[[Shown], str]] = RULES) -> Scripted:
    """The double. `rules` may be wrong ones: judges are tested with those."""

    def answer(prompt: Prompt) -> str:
        brief = brief_of(prompt)
        rule = rules.get(brief.instruction.lower().rstrip("."), cannot)
        return rule(Shown.of(brief))

    return Scripted(answer, name="state-following double (a test double)")
