"""A state-following scripted double for the soccer goals: hand-written rules, no understanding whatever.

It reads the request and the state out of the prompt's text, as a model would have to, and answers by a rule written
for each goal. A score with it says that worlds, providers, planner and judges work; it says nothing about language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sayso.models.scripted import Scripted
from sayso.parts import Prompt

WALKABLE_S = 3.0
AT_BALL_M = 0.4
WAVED_S = 4.5

_BALL = re.compile(r"ball is (not )?visible(?:, last seen ([\d.]+) s ago, ([\d.]+) m away)?")
_PURSUED = re.compile(r"(\w+): pursued for (\d+) s")
_DONE = re.compile(r"(\w+): done")


@dataclass(frozen=True, slots=True)
class Shown:
    """What the text of one prompt says: about the ball, about the last answer."""

    visible: bool
    unseen_s: float | None
    distance_m: float | None
    done: frozenset[str]
    pursued_s: dict[str, float]

    @property
    def walkable(self) -> bool:
        return self.unseen_s is not None and self.unseen_s < WALKABLE_S


def shown(text: str) -> Shown:
    """Reads the user's message of a rolling prompt."""
    before, _, state = text.partition("State:\n")
    ball = _BALL.search(state.partition("Request:\n")[0])
    seen = ball is not None and ball[2] is not None
    return Shown(
        visible=ball is not None and not ball[1],
        unseen_s=float(ball[2]) if ball and seen else None,
        distance_m=float(ball[3]) if ball and seen else None,
        done=frozenset(_DONE.findall(before)),
        pursued_s={name: float(s) for name, s in _PURSUED.findall(before)},
    )


def tasks(*names: str) -> str:
    """One line for each task, the first with the highest priority."""
    return "\n".join(f"Task: {name} Priority: {len(names) - n}" for n, name in enumerate(names))


SEARCH = tasks("TurnOnSpot", "LookAround")


def find(now: Shown) -> str:
    if not now.walkable:
        return SEARCH
    return "Done" if now.visible and now.pursued_s.get("LookAtBall", 0) >= 2 else tasks("LookAtBall")


def approach(now: Shown) -> str:
    if not now.walkable:
        return SEARCH
    there = "WalkToBall" in now.done and (now.distance_m or 0.0) <= AT_BALL_M
    return "Done" if there else tasks("WalkToBall")


def kick(now: Shown) -> str:
    if "KickBall" in now.done and (now.distance_m or 0.0) > AT_BALL_M:
        return "Done"
    return tasks("KickBall", "WalkToBall") if now.walkable else SEARCH


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
        text = prompt.messages[-1][1]
        request = text.rpartition("Request:\n| ")[2].partition("\n")[0]
        rule = rules.get(request.lower().rstrip("."), cannot)
        return rule(shown(text))

    return Scripted(answer, name="state-following double (a test double)")
