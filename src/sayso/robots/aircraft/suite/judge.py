"""How many of a mission's actions were right, by what its sentence means and by what was really so.

Precision is what the paper means by it, but defined. An action is right when it was carried out and was needed: the
take-off; a climb or descent that a sweep follows; a sweep of an area that has not been swept twice already; the
confirmation of a sighting that is real; an image or a hover above a real sighting when that was asked for; the way home
when everyone is confirmed, or when no area could be swept any more with enough left to come home.
The paper counts the same mistakes ("unnecessary follow-up actions") without a definition.
"""

from __future__ import annotations

from collections import Counter

from sayso.robots.aircraft.search.wish import SearchWish
from sayso.robots.aircraft.suite.play import Act, Pilot, done
from sayso.robots.aircraft.world.country import Rescue

SWEEPS = ("search_area", "perform_mapping")
LEVELS = ("ascend", "descend")
FOLLOW_UP = {"take_image": "image", "hover": "hover"}
SWEPT_ENOUGH = 2
SPARE = 0.003
"""Charge that is gone before a course begins: hovering while it is decided on."""


def precision(wish: SearchWish, met: bool, flown: Pilot) -> float | None:
    """The share of actions that were right; None where there was none. `met` is whether the wish is, at the end."""
    if not flown.acts:
        return None
    swept: Counter[str] = Counter()
    return sum(_right(wish, met, flown, n, swept) for n in range(len(flown.acts))) / len(flown.acts)


def _right(wish: SearchWish, met: bool, flown: Pilot, n: int, swept: Counter[str]) -> bool:
    """One action; `swept` counts the sweeps of each area so far."""
    acts = flown.acts
    act = acts[n]
    if not done(act):
        return False
    if act.kind == "take_off":
        return n == 0
    if act.kind in SWEEPS:
        swept[act.args[0]] += 1
        return swept[act.args[0]] <= SWEPT_ENOUGH
    if act.kind == "confirm":
        return bool(flown.world.camera.cause(act.args[0]))
    if act.kind in LEVELS:
        after = next((a.kind for a in acts[n + 1 :] if a.kind in (*SWEEPS, *LEVELS)), "")
        return after in SWEEPS
    if act.kind in FOLLOW_UP:
        real = n > 0 and acts[n - 1].kind == "confirm" and _right(wish, met, flown, n - 1, Counter())
        return real and FOLLOW_UP[act.kind] in wish.on_find
    return met or n + 1 >= flown.steps_max or not _could_sweep(flown.world, act)


def _could_sweep(world: Rescue, act: Act) -> bool:
    """Whether some ground could still be swept, when this action was begun, with more than the reserve left at home."""
    charts, least = world.charts, world.aircraft.limits.battery_reserve + SPARE
    names = (*world.terrain.named, *world.terrain.squares)
    areas = [name for name in names if world.terrain.area(name).kind != "water"]
    return any(charts.left_at_home(act.charge, act.at, charts.search(act.at, area)) >= least for area in areas)
