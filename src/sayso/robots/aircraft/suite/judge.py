"""What of a mission was right, by the world's truth: precision as the paper means it, but defined.

An action is right when it was carried out and was needed: the take-off; a climb or descent that a sweep follows; a
sweep of an area that has not been swept twice already; the confirmation of a sighting that is real; an image or a hover
above a real sighting when that was asked for; the way home when everyone is confirmed, or when nothing else could be
flown any more.
The paper counts the same mistakes ("unnecessary follow-up actions") without a definition.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

from sayso.robots.aircraft.suite.play import Act, Flown, done

SWEEPS = ("search_area", "perform_mapping")
LEVELS = ("ascend", "descend")
SWEPT_ENOUGH = 2


class Seen(Protocol):
    """A mission that is over, as far as this judge asks."""

    world: Any
    domain: Any
    flown: Flown
    wish: Any

    @property
    def success(self) -> bool: ...


def precision(played: Seen) -> float | None:
    """The share of actions that were right; None where there was none."""
    acts = played.flown.acts
    if not acts:
        return None
    swept: Counter[str] = Counter()
    return sum(_right(played, n, act, swept) for n, act in enumerate(acts)) / len(acts)


def _right(played: Seen, n: int, act: Act, swept: Counter[str]) -> bool:
    """One action; `swept` counts the sweeps of each area so far."""
    if not done(act):
        return False
    acts = played.flown.acts
    if act.kind == "take_off":
        return n == 0
    if act.kind in SWEEPS:
        swept[act.args[0]] += 1
        return swept[act.args[0]] <= SWEPT_ENOUGH
    if act.kind == "confirm":
        return bool(played.world.camera.cause(act.args[0]))
    if act.kind in LEVELS:
        after = next((a.kind for a in acts[n + 1 :] if a.kind in (*SWEEPS, *LEVELS)), "")
        return after in SWEEPS
    if act.kind in ("take_image", "hover"):
        asked = {"take_image": "image", "hover": "hover"}[act.kind] in played.wish.on_find
        return asked and n > 0 and acts[n - 1].kind == "confirm" and _right(played, n - 1, acts[n - 1], Counter())
    return _home_was_due(played, n)


def _home_was_due(played: Seen, n: int) -> bool:
    domain = played.domain
    return played.success or n + 1 >= domain.rules.steps_max or not domain.could_search
