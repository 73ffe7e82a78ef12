"""Facts that the robot knows about itself, from its state, limits, skills and journal (U2).

Each topic is a sentence or two that rest on something known; where nothing is, that is said. Nothing here moves, and no
model is asked.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping

from sayso.grounding.inflection import row
from sayso.grounding.lexicon import kind
from sayso.limits import REST_MPS, Zone
from sayso.scene import wrap
from sayso.tables import toml
from sayso.task import AT_REST
from sayso.understanding.abilities import abilities, short
from sayso.understanding.endurance import battery, endurance, pace, reach
from sayso.understanding.self_model import SelfModel, Unsure, metres, minutes

HERE_M, AHEAD_RAD, ASIDE = 0.3, math.radians(8), 0.2
PLACES_TOLD = 12


def facts(known: SelfModel) -> Mapping[str, str]:
    """By topic, a sentence or two that the robot says of itself."""
    return {topic: tell(known) for topic, tell in TELLS.items()}


def brief(known: SelfModel) -> tuple[str, ...]:
    """What a model is told of the robot beside its skills, a line each."""
    return tuple(TELLS[topic](known) for topic in ("battery", "limits"))


# A topic each


def height(known: SelfModel) -> str:
    if known.aloft:
        return f"I am {known.posture}."
    return f"I am on the ground{f': {known.posture}' if known.posture not in ('landed', 'standing') else ''}."


def _ceiling(known: SelfModel) -> str:
    if not known.skills.flies:
        return "I stay on the ground."
    top = known.limits.altitude_max_m
    return f"I may fly at most {metres(top)} high." if math.isfinite(top) else "No limit bounds how high I may fly."


def speed(known: SelfModel) -> str:
    moving = known.state.speed_mps > REST_MPS
    return f"{f'I move at {known.state.speed_mps:.1f} m/s' if moving else 'I am not moving'}. {pace(known)}"


def _heading(known: SelfModel) -> str:
    turned = 0.0 if known.home is None else wrap(known.state.pose.yaw_rad - known.home.yaw_rad)
    side = "left" if turned > 0 else "right"
    way = (
        "I face the way I faced when I started."
        if abs(turned) < AHEAD_RAD
        else f"I face {abs(math.degrees(turned)):.0f} degrees to the {side} of how I faced when I started."
    )
    ahead = [t for t in known.scene if t.box and abs(t.box.x - 0.5) < ASIDE]
    if not ahead:
        return way
    return f"{way} Ahead of me I see the {min(ahead, key=lambda t: abs(t.box.x - 0.5) if t.box else 1.0).label}."


def _place(known: SelfModel) -> str:
    here, posture = known.state.pose, "on the ground" if known.skills.flies and not known.aloft else known.posture
    inside = _named(known.ground.below(here)) if known.ground else []
    narrow = max(inside, key=len, default="")
    over = f"{'over' if known.aloft else 'in'} the {narrow}" if narrow and narrow not in posture else ""
    far_m = known.home.level_m(here) if known.home else 0.0
    start = "where I started" if far_m < HERE_M else f"{metres(far_m)} from where I started"
    return f"I am {', '.join(filter(None, (posture, over, start)))}."


def _limits(known: SelfModel) -> str:
    limits, flies = known.limits, known.skills.flies
    told = [
        f"fly at most {metres(limits.altitude_max_m)} high" if flies and limits.altitude_max_m < math.inf else "",
        f"move at {limits.speed_max_mps:g} m/s at most" if limits.speed_max_mps < math.inf else "",
        _zone(limits.zone),
        f"keep {metres(limits.obstacle_min_m)} from what is in my way" if limits.obstacle_min_m else "",
        f"keep {limits.battery_reserve:.0%} of my battery in reserve" if limits.battery_reserve else "",
        f"end each task within {minutes(limits.mission_max_s)}" if limits.mission_max_s < math.inf else "",
    ]
    return f"I {row([t for t in told if t])}."


def _zone(zone: Zone) -> str:
    """Where it stays; empty where it may go anywhere."""
    sides = {"x": (zone.x_min_m, zone.x_max_m), "y": (zone.y_min_m, zone.y_max_m)}
    wide = [high - low for low, high in sides.values()]
    if all(map(math.isfinite, wide)):
        return f"stay in a zone of {metres(wide[0])} by {metres(wide[1])}"
    ends = [
        f"{word} {axis} = {end:g} m"
        for axis, both in sides.items()
        for word, end in zip(("beyond", "short of"), (both[0], both[1]), strict=True)
        if math.isfinite(end)
    ]
    return f"stay {row(ends)}" if ends else ""


def _holding(known: SelfModel) -> str:
    if known.state.holding:
        return f"I hold the {known.state.holding}."
    hands = any("hand" in one.asked for one in abilities(known.skills))
    return "I hold nothing." if hands else "I hold nothing: I have no hands."


def _low(known: SelfModel) -> str:
    """What the guard of the battery does."""
    least = known.limits.battery_reserve
    return f"At {least:.0%} {_ends(known)}. {battery(known)}" if least else f"No reserve is set. {battery(known)}"


def _ends(known: SelfModel) -> str:
    return f"I end what I am doing and {'land' if known.skills.flies else 'stop'}"


def _clear(known: SelfModel) -> str:
    least = known.limits.obstacle_min_m
    kept = f"I keep {metres(least)} from what is in my way" if least else "No limit says how far I keep from things"
    return f"{kept}; stay clear of me while I move."


def _load(known: SelfModel) -> str:
    if any("hand" in one.asked for one in abilities(known.skills)):
        return Unsure(f"I do not know how heavy a thing I can carry. {_ability(known)}")
    return "I cannot carry anything: I have no hands."


def _trouble(known: SelfModel) -> str:
    """What keeps it from setting out; empty where nothing is known to."""
    wrong = next((c for c in known.checks if c.must), None)
    if not known.state.connected:
        return "I have no link to my body"
    if known.stopped_by:
        return f"I was stopped by {known.stopped_by}, and a person has to release me"
    if known.state.trouble:
        return f"I have {known.state.trouble}"
    if wrong:
        return f"my {wrong.what} is {wrong.found} and must be {wrong.must}"
    if known.limits.battery_refusal(known.state.charge):
        return f"my battery is at {known.state.charge:.0%} and must be at least {known.limits.battery_reserve:.0%}"
    return ""


def fit(known: SelfModel, no: str = "Not quite", yes: str = "I am fine") -> str:
    """Whether it is fit to set out, and what is wrong where it is not."""
    wrong = _trouble(known)
    return f"{no}: {wrong}." if wrong else f"{yes}. My battery is at {known.state.charge:.0%}."


def places(known: SelfModel, asked: str = "") -> str:
    """All that have a name; of a kind, where one is asked for: "which fields"."""
    names = _named(known.ground.names) if known.ground else []
    asks = {kind(word) for word in re.findall("[a-z]+", asked)}
    if known.ground and asks & {*toml("sayso.grounding", "facts.toml")["rooms"]}:
        names = _named(known.ground.names - known.ground.spots) or names
    else:
        names = [name for name in names if {*name.split()[1:]} & asks] or names
    if not names:
        return "I know no places by name; I go by what I see."
    more = [f"{len(names) - PLACES_TOLD} more"] if len(names) > PLACES_TOLD else []
    return f"I know these places: {row([*names[:PLACES_TOLD], *more])}."


def _named(names: Collection[str]) -> list[str]:
    """In order, without the squares of a grid."""
    return sorted(name for name in names if not re.search(r"\d", name))


def _doing(known: SelfModel) -> str:
    if known.wish:
        return f"I am at what you asked for: “{known.wish}”."
    return f"Nothing. I am {known.posture} and wait for what you want."


def _sought(known: SelfModel) -> str:
    return _doing(known) if known.wish else "Nobody has told me who or what is missing, or where they were last seen."


def last(known: SelfModel) -> str:
    if not known.earlier:
        return "I have done nothing yet that I know of."
    before = known.earlier[-1]
    outcome, _, reason = before.outcome.partition(": ")
    names = dict.fromkeys(one.partition(":")[0] for one in before.ran)
    ran = [short(skill) for name in names if (skill := known.skills.get(name)) and {*skill.uses} - AT_REST]
    did = f" I ran: {row(ran)}." if ran else ""
    told = str(toml("sayso.grounding", "facts.toml")["outcomes"].get(outcome, "{reason}")).format(
        reason=f"{reason[:1].upper()}{reason[1:].rstrip('.')}"
    )
    return f"You said “{before.wish}”. {told}.{did}"


def _why(known: SelfModel) -> str:
    return last(known) if known.earlier else "I have done nothing yet that I could give a reason for."


def _name(known: SelfModel) -> str:
    what = known.what or "a robot"
    return (
        f"I am {f'{known.called}, {what}' if known.called else f'{what} and have no name of my own'}. {_ability(known)}"
    )


def _unable(known: SelfModel) -> str:
    return f"I can do nothing but this: {row([a.says for a in abilities(known.skills)])}."


def _ability(known: SelfModel) -> str:
    return f"I can {row([a.says for a in abilities(known.skills)])}."


TELLS: Mapping[str, Callable[[SelfModel], str]] = {
    "battery": battery,
    "endurance": endurance,
    "reach": reach,
    "place": _place,
    "height": height,
    "posture": lambda known: f"I am {known.posture}.",
    "ceiling": _ceiling,
    "heading": _heading,
    "speed": speed,
    "pace": pace,
    "limits": _limits,
    "holding": _holding,
    "well": fit,
    "places": places,
    "doing": _doing,
    "sought": _sought,
    "last": last,
    "why": _why,
    "name": _name,
    "able": _ability,
    "unable": _unable,
    "language": lambda known: "I understand simple English only.",
    "low": _low,
    "clear": _clear,
    "load": _load,
    "speaker": lambda known: Unsure("I do not know who is speaking to me, or from where."),
    "unproved": lambda known: Unsure("I do not know whether I can do just that: nobody has told me."),
    "lost": lambda known: f"As soon as my body does not answer, {_ends(known)}.",
    "weather": lambda known: Unsure("I measure no weather: neither wind nor rain. Nobody has told me of it."),
    "work": lambda known: Unsure(f"I do not know how long that takes. {endurance(known)}"),
    "steered": lambda known: "Nobody steers me by hand: a program does, by what I am told.",
    "halt": lambda known: "Say “stop”: I stop at once, whatever I am doing.",
}
