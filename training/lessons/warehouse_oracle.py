"""The next step of a warehouse mission, by one who knows what is to be done: a rule for every kind of feedback.

It reads what the model reads (`moment.Moment`), nothing else, so that every answer can be told from its prompt.
"""

from __future__ import annotations

import re

from sayso.robots.warehouse.form import GOALS_MAX, hint
from sayso.robots.warehouse.moment import Moment
from sayso.robots.warehouse.names import EVERY

NOWHERE = "give up it is nowhere to be found"
NONE_HERE = "give up there is nothing of the kind"
NO_ROOM = "give up there is no room for it"
NO_SUCH_THING = "give up I know no such thing"
NO_SUCH_PLACE = "give up I know no such place"
NOT_MINE = "give up that is nothing I can do"
UNCLEAR = "give up I do not understand"
WHICH = "give up which thing and where to"

BARRED = ("way blocked", "arm blocked")
"""What the other side of the furniture may help against."""

AGAIN = ("slipped", "spot taken", "arm blocked", "lost way", "way blocked")

_GOAL = re.compile(r"(.+?)(?: from (.+))? to (.+)")
_SOURCE = re.compile(r" from .+ to ")


def next_step(now: Moment) -> str:
    """The step, or goals anew, in the model's words."""
    if now.failed and (mended := _mended(now)):
        return mended
    if not now.goals:
        return "done" if not now.hand else _rid(now, "")
    goal = now.goals[0]
    parts = _GOAL.fullmatch(goal)
    if _every(goal):
        return _rid(now, "") if now.hand else NONE_HERE
    if not parts:
        if now.hand:
            return _rid(now, "")
        return goal if goal.startswith("go ") else "done"
    thing, source, to = parts[1], parts[2] or "", parts[3]
    match hint(now, thing, source, to).partition(" "):
        case "other", _, _:
            return _rid(now, source)
        case "held", _, _:
            return f"put {thing}" if now.at == to else f"go {to}"
        case "here" | "unseen", _, _:
            return f"pick {thing}"
        case "at", _, place:
            return f"go {place}"
        case "settled", _, _:
            return ";".join(_rest(now)) or "done"
        case "lost", _, left:
            return f"go {left.partition(',')[0]}" if left else NOWHERE
    return f"go {source}"


def _mended(now: Moment) -> str:
    """What a failure asks for by itself."""
    skill, arg, _ = now.ran[-1]
    what, _, rest = now.failed.partition(" ")
    if what == "wrong" and now.hand:
        return f"put {rest}"
    if what == "fell" and not now.hand:
        return f"go {rest}"
    if what == "reach":
        return f"go {rest}"
    if now.failed in AGAIN:
        twice = len(now.ran) > 1 and now.ran[-2] == now.ran[-1]
        if twice and skill != "go" and now.failed in BARRED and now.at:
            return f"go far side of {now.at}"
        return f"{skill} {arg}"
    if now.failed == "full":
        earlier = [a for s, a, _ in now.ran if s == "go"]
        return NO_ROOM if earlier and " side of " in earlier[-1] else f"go far side of {now.at}"
    return NO_SUCH_THING if now.failed == "unknown name" else ""


def _rid(now: Moment, source: str) -> str:
    """Put down what the hand should not hold."""
    if now.at in now.names.spots:
        return f"put {now.hand}"
    return f"go {source or now.names.spots[0]}"


def _rest(now: Moment) -> list[str]:
    """The goals behind the first, as they are shown."""
    return [g if _every(g) else _SOURCE.sub(" to ", g) for g in now.goals[1:GOALS_MAX]]


def _every(thing: str) -> bool:
    return thing.startswith(f"{EVERY} ")
