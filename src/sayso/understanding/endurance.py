"""Answers about battery, endurance and range (U2)."""

import math
from itertools import chain

from sayso.understanding.self_model import SelfModel, Unsure, metres, minutes

HASTE, AMBLE = 1.0, 0.25
"""Shares of its top speed between which a robot is on its way, on average."""


def battery(known: SelfModel) -> str:
    says = f"My battery is at {known.state.charge:.0%}."
    reserve = known.limits.battery_reserve
    if known.endurance_s:
        kept = f", with {reserve:.0%} kept in reserve" if reserve else ""
        return f"{says} That is about {minutes(known.left_s)} of {'flying' if known.skills.flies else 'moving'}{kept}."
    untold = known.state.charge == 1.0 and not reserve  # what a state says of which nobody told
    return f"{says} At least nothing tells me otherwise." if untold else says


def endurance(known: SelfModel) -> str:
    if known.endurance_s:
        return battery(known)
    kept = known.limits.battery_reserve
    stops = f", and I stop working when {kept:.0%} is left" if kept else ""
    return Unsure(f"I do not know for how long my battery lasts. It is at {known.state.charge:.0%}{stops}.")


def reach(known: SelfModel) -> str:
    far = farthest_m(known)
    bound = f"No place in my zone is further than {metres(far)} from here." if far else "No zone bounds my way."
    return f"{bound} {endurance(known)}"


def enough(known: SelfModel, asked: str) -> str:
    """Whether the battery suffices for a way, by how far it is and how long the charge lasts."""
    if not known.endurance_s:
        return Unsure(f"I cannot tell. {endurance(known)}")
    there = _meant(known, asked)
    back = known.home is not None and known.home.level_m(known.state.pose)
    far = there[1] if there else farthest_m(known)
    if far is None or known.limits.speed_max_mps == math.inf:
        return Unsure(f"I cannot tell, since I do not know how far it is. {endurance(known)}")
    way = f"the {there[0]} is {metres(far)} away" if there else f"my zone ends {metres(far)} from here"
    way_m = 2 * far + (back or 0.0)
    least_s, most_s = (way_m / (share * known.limits.speed_max_mps) for share in (HASTE, AMBLE))
    word = "Yes." if most_s <= known.left_s else "No." if least_s > known.left_s else "I am not sure."
    return f"{word} My battery is at {known.state.charge:.0%}, about {minutes(known.left_s)}, and {way}."


def trip(known: SelfModel, asked: str) -> str:
    """How long a way takes at least."""
    there, top = _meant(known, asked), known.limits.speed_max_mps
    if there is None or math.isinf(top):
        return Unsure(f"I do not know, since I do not know how far it is. {pace(known)}")
    return f"The {there[0]} is {metres(there[1])} away: at least {minutes(there[1] / top)}. {pace(known)}"


def _meant(known: SelfModel, asked: str) -> tuple[str, float] | None:
    """What is spoken of and in view, or a place that is known, and how far away it is."""
    seen = ((t.label, t.distance_m) for t in known.scene if t.distance_m and t.label in asked)
    names = sorted(known.ground.names, key=len, reverse=True) if known.ground else []
    spots = ((n, known.ground.middle(n)) for n in names if known.ground and n in asked)
    placed = ((name, spot.level_m(known.state.pose)) for name, spot in spots if spot)
    return next(chain(seen, placed), None)


def farthest_m(known: SelfModel) -> float | None:
    """How far it is to the corner of the zone that is furthest away."""
    zone, here = known.limits.zone, known.state.pose
    corners = [(x, y) for x in (zone.x_min_m, zone.x_max_m) for y in (zone.y_min_m, zone.y_max_m)]
    far = max(math.hypot(x - here.x_m, y - here.y_m) for x, y in corners)
    return far if math.isfinite(far) else None


def pace(known: SelfModel) -> str:
    top = known.limits.speed_max_mps
    return f"I may move at {top:g} m/s at most." if math.isfinite(top) else "No limit bounds how fast I may move."
