"""What a robot knows of itself: facts from state, limits, skills and journal, and answers from them (U2).

Each topic is a sentence or two that rest on something known; where nothing is, that is said. Nothing here moves, and no
model is asked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sayso.data import toml
from sayso.grounding import pattern
from sayso.grounding.tokens import Token, clean, tokens
from sayso.limits import REST_MPS, Limits, Zone
from sayso.parts import Check, Exchange, RobotState
from sayso.scene import Ground, Pose, Scene, Thing, wrap
from sayso.skill import SkillSet
from sayso.task import AT_REST
from sayso.understanding.abilities import abilities, able, listed, short
from sayso.understanding.acts import questions, talk_of

HERE_M, AHEAD_RAD, ASIDE = 0.3, math.radians(8), 0.2
HASTE, AMBLE = 1.0, 0.25
"""Shares of its top speed between which a robot is on its way, on average."""

FAR_M = 50.0
PLACES_TOLD = 12


@dataclass(frozen=True, slots=True)
class Self:
    """Where the facts come from. `earlier` is what the conversation or the journal tells of the missions before, `home`
    where the robot was first, `checks` what a machine's check list finds, `wish` what it is
    at, and `what` what kind of robot it is.
    """

    state: RobotState
    limits: Limits
    skills: SkillSet
    earlier: Sequence[Exchange] = ()
    scene: Scene = field(default_factory=Scene)
    home: Pose | None = None
    ground: Ground | None = None
    endurance_s: float = 0.0
    stopped_by: str = ""
    checks: Sequence[Check] = ()
    wish: str = ""
    what: str = ""

    @property
    def flies(self) -> bool:
        return any(s.means == "airborne" for s in self.skills.values())

    @property
    def aloft(self) -> bool:
        return self.flies and not self.state.resting

    @property
    def posture(self) -> str:
        """How it is, in its own words, as far as it has some."""
        told = self.state.summary.split(",")[0]
        return told or ("standing" if self.state.resting else "moving")

    @property
    def left_s(self) -> float:
        """How long it can go on above its reserve; 0 where nobody knows."""
        return max(0.0, self.state.charge - self.limits.battery_reserve) * self.endurance_s


def facts(known: Self) -> Mapping[str, str]:
    """By topic, a sentence or two that the robot says of itself."""
    return {topic: tell(known) for topic, tell in TELLS.items()}


def brief(known: Self) -> tuple[str, ...]:
    """What a model is told of the robot beside its skills, a line each."""
    return tuple(TELLS[topic](known) for topic in ("battery", "limits"))


def reply(sentence: str, known: Self) -> str:
    """What the robot answers to a question about itself, or to talk."""
    if talk := talk_of(sentence):
        return _talk(talk, known)
    told = [_answer(asked, known) for asked in questions(sentence)]
    return " ".join(dict.fromkeys(one for one in told if one)) or UNKNOWN


def _answer(asked: str, known: Self) -> str:
    """Empty where no fact tells it."""
    topic = topic_of(asked)
    if topic in POLAR:
        return POLAR[topic](known)
    if topic == "enough":
        return _enough(known, asked)
    if topic == "trip":
        return _trip(known, asked)
    if topic == "able":
        return able(asked, known.skills)
    return TELLS[topic](known) if topic else ""


def recalls(sentence: str) -> bool:
    """Whether the answer is about missions before."""
    return any(topic_of(asked) in ("last", "why") for asked in questions(sentence))


def topic_of(asked: str) -> str:
    """What a question about the robot asks for; empty where no fact tells that."""
    words = tokens(clean(asked))
    for topic in toml("sayso.grounding", "facts.toml")["topic"]:
        if _said(topic["say"], words) and not _said(topic.get("unless", ()), words):
            return str(topic["name"])
    return ""


def _said(ways: Sequence[str], words: Sequence[Token]) -> bool:
    return any(pattern.pattern(way).search(words) for way in ways)


UNKNOWN = "I do not know that about myself. Ask me where I am, how my battery is, what I can do or what I did last."


# A topic each


def _battery(known: Self) -> str:
    says = f"My battery is at {known.state.charge:.0%}."
    if known.endurance_s:
        return f"{says} {_lasts(known)}"
    untold = known.state.charge == 1.0 and not known.limits.battery_reserve  # what a state says of which nobody told
    return f"{says} At least nothing tells me otherwise." if untold else says


def _lasts(known: Self) -> str:
    reserve = known.limits.battery_reserve
    kept = f", with {reserve:.0%} kept in reserve" if reserve else ""
    return f"That is about {_minutes(known.left_s)} of {'flying' if known.flies else 'moving'}{kept}."


def _endurance(known: Self) -> str:
    if known.endurance_s:
        return f"My battery is at {known.state.charge:.0%}. {_lasts(known)}"
    return f"I do not know for how long my battery lasts. It is at {known.state.charge:.0%}{_reserve(known)}."


def _reserve(known: Self) -> str:
    kept = known.limits.battery_reserve
    return f", and I stop working when {kept:.0%} is left" if kept else ""


def _reach(known: Self) -> str:
    far = _farthest(known)
    bound = f"No place in my zone is further than {_metres(far)} from here." if far else "No zone bounds my way."
    return f"{bound} {_endurance(known)}"


def _enough(known: Self, asked: str) -> str:
    """Whether the battery suffices for a way, by how far it is and how long the charge lasts."""
    if not known.endurance_s:
        return f"I cannot tell. {_endurance(known)}"
    there = _meant(known, asked)
    back = known.home is not None and known.home.level_m(known.state.pose)
    far = there.distance_m if there and there.distance_m else _farthest(known)
    if far is None or known.limits.speed_max_mps == math.inf:
        return f"I cannot tell, since I do not know how far it is. {_endurance(known)}"
    way = f"the {there.label} is {_metres(far)} away" if there else f"my zone ends {_metres(far)} from here"
    way_m = 2 * far + (back or 0.0)
    least_s, most_s = (way_m / (share * known.limits.speed_max_mps) for share in (HASTE, AMBLE))
    word = "Yes." if most_s <= known.left_s else "No." if least_s > known.left_s else "I am not sure."
    return f"{word} My battery is at {known.state.charge:.0%}, about {_minutes(known.left_s)}, and {way}."


def _trip(known: Self, asked: str) -> str:
    """How long a way takes at least."""
    there, top = _meant(known, asked), known.limits.speed_max_mps
    if not (there and there.distance_m and math.isfinite(top)):
        return f"I do not know, since I do not see how far it is. {_pace(known)}"
    least = _minutes(there.distance_m / top)
    return f"The {there.label} is {_metres(there.distance_m)} away: at least {least}. {_pace(known)}"


def _meant(known: Self, asked: str) -> Thing | None:
    """What is in view, and spoken of."""
    return next((thing for thing in known.scene if thing.distance_m and thing.label in asked), None)


def _farthest(known: Self) -> float | None:
    """How far it is to the corner of the zone that is furthest away."""
    zone, here = known.limits.zone, known.state.pose
    corners = [(x, y) for x in (zone.x_min_m, zone.x_max_m) for y in (zone.y_min_m, zone.y_max_m)]
    far = max(math.hypot(x - here.x_m, y - here.y_m) for x, y in corners)
    return far if math.isfinite(far) else None


def _height(known: Self) -> str:
    if known.aloft:
        return f"I am {known.posture}."
    return f"I am on the ground{f': {known.posture}' if known.posture not in ('landed', 'standing') else ''}."


def _ceiling(known: Self) -> str:
    if not known.flies:
        return "I stay on the ground."
    top = known.limits.altitude_max_m
    return f"I may fly at most {_metres(top)} high." if math.isfinite(top) else "No limit bounds how high I may fly."


def _speed(known: Self) -> str:
    moving = known.state.speed_mps > REST_MPS
    return f"{f'I move at {known.state.speed_mps:.1f} m/s' if moving else 'I am not moving'}. {_pace(known)}"


def _pace(known: Self) -> str:
    top = known.limits.speed_max_mps
    return f"I may move at {top:g} m/s at most." if math.isfinite(top) else "No limit bounds how fast I may move."


def _heading(known: Self) -> str:
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


def _place(known: Self) -> str:
    here, posture = known.state.pose, "on the ground" if known.flies and not known.aloft else known.posture
    inside = _named(known.ground.below(here)) if known.ground else []
    narrow = max(inside, key=len, default="")
    over = f"{'over' if known.aloft else 'in'} the {narrow}" if narrow and narrow not in posture else ""
    far_m = known.home.level_m(here) if known.home else 0.0
    start = "where I started" if far_m < HERE_M else f"{_metres(far_m)} from where I started"
    return f"I am {', '.join(filter(None, (posture, over, start)))}."


def _limits(known: Self) -> str:
    limits = known.limits
    told = [
        f"fly at most {_metres(limits.altitude_max_m)} high"
        if known.flies and limits.altitude_max_m < math.inf
        else "",
        f"move at {limits.speed_max_mps:g} m/s at most" if limits.speed_max_mps < math.inf else "",
        _zone(limits.zone),
        f"keep {_metres(limits.obstacle_min_m)} from what is in my way" if limits.obstacle_min_m else "",
        f"keep {limits.battery_reserve:.0%} of my battery in reserve" if limits.battery_reserve else "",
        f"end each task within {_minutes(limits.mission_max_s)}" if limits.mission_max_s < math.inf else "",
    ]
    return f"I {listed([t for t in told if t])}."


def _zone(zone: Zone) -> str:
    """Where it stays; empty where it may go anywhere."""
    sides = {"x": (zone.x_min_m, zone.x_max_m), "y": (zone.y_min_m, zone.y_max_m)}
    wide = [high - low for low, high in sides.values()]
    if all(map(math.isfinite, wide)):
        return f"stay in a zone of {_metres(wide[0])} by {_metres(wide[1])}"
    ends = [
        f"{word} {axis} = {end:g} m"
        for axis, both in sides.items()
        for word, end in zip(("beyond", "short of"), (both[0], both[1]), strict=True)
        if math.isfinite(end)
    ]
    return f"stay {listed(ends)}" if ends else ""


def _holding(known: Self) -> str:
    if known.state.holding:
        return f"I hold the {known.state.holding}."
    hands = any("hand" in one.asked for one in abilities(known.skills))
    return "I hold nothing." if hands else "I hold nothing: I have no hands."


def _trouble(known: Self) -> str:
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


def _well(known: Self) -> str:
    wrong = _trouble(known)
    return f"Not quite: {wrong}." if wrong else f"I am fine. My battery is at {known.state.charge:.0%}."


def _places(known: Self) -> str:
    names = _named(known.ground.names) if known.ground else []
    if not names:
        return "I know no places by name; I go by what I see."
    more = [f"{len(names) - PLACES_TOLD} more"] if len(names) > PLACES_TOLD else []
    return f"I know these places: {listed([*names[:PLACES_TOLD], *more])}."


def _named(names: Collection[str]) -> list[str]:
    """In order, without the squares of a grid."""
    return sorted(name for name in names if not re.search(r"\d", name))


def _doing(known: Self) -> str:
    if known.wish:
        return f"I am at what you asked for: “{known.wish}”."
    return f"Nothing. I am {known.posture} and wait for what you want."


def _last(known: Self) -> str:
    if not known.earlier:
        return "I have done nothing yet that I know of."
    last = known.earlier[-1]
    outcome, _, reason = last.outcome.partition(": ")
    names = dict.fromkeys(one.partition(":")[0] for one in last.ran)
    ran = [short(skill) for name in names if (skill := known.skills.get(name)) and {*skill.uses} - AT_REST]
    did = f" I ran: {listed(ran)}." if ran else ""
    told = OUTCOMES.get(outcome, "{reason}").format(reason=f"{reason[:1].upper()}{reason[1:].rstrip('.')}")
    return f"You said “{last.wish}”. {told}.{did}"


def _why(known: Self) -> str:
    return _last(known) if known.earlier else "I have done nothing yet that I could give a reason for."


OUTCOMES = {
    "achieved": "I did it",
    "not achieved": "I did not manage it. {reason}",
    "asked": "I asked back: “{reason}”",
    "refused": "I did not do it. {reason}",
    "stopped": "It did not end well. {reason}",
    "error": "Something broke. {reason}",
}


def _name(known: Self) -> str:
    return f"I am {known.what or 'a robot'}. {_ability(known)}"


def _language(known: Self) -> str:
    return "I understand simple English only."


def _ability(known: Self) -> str:
    return f"I can {listed([a.says for a in abilities(known.skills)])}."


TELLS: Mapping[str, Callable[[Self], str]] = {
    "battery": _battery,
    "endurance": _endurance,
    "reach": _reach,
    "place": _place,
    "height": _height,
    "ceiling": _ceiling,
    "heading": _heading,
    "speed": _speed,
    "pace": _pace,
    "limits": _limits,
    "holding": _holding,
    "well": _well,
    "places": _places,
    "doing": _doing,
    "last": _last,
    "why": _why,
    "name": _name,
    "able": _ability,
    "language": _language,
}


def _either(truth: Callable[[Self], bool], tell: Callable[[Self], str]) -> Callable[[Self], str]:
    """A question of yes or no, and what it rests on."""
    return lambda known: f"{'Yes' if truth(known) else 'No'}. {tell(known)}"


def _ready(known: Self) -> str:
    wrong = _trouble(known)
    return f"No: {wrong}." if wrong else f"Yes, I am ready. My battery is at {known.state.charge:.0%}."


def _wrong(known: Self) -> str:
    wrong = _trouble(known)
    return f"Yes: {wrong}." if wrong else f"No, nothing that I know of. My battery is at {known.state.charge:.0%}."


POLAR: Mapping[str, Callable[[Self], str]] = {
    "ready": _ready,
    "trouble": _wrong,
    "aloft": _either(lambda known: known.aloft, _height),
    "grounded": _either(lambda known: not known.aloft, _height),
    "moving": _either(lambda known: known.state.speed_mps > REST_MPS, _speed),
    "still": _either(lambda known: known.state.speed_mps <= REST_MPS, _speed),
}


def _talk(sort: str, known: Self) -> str:
    return _well(known) if sort == "feeling" else SAYS[sort]


SAYS = {
    "thanks": "You are welcome.",
    "bye": "Goodbye.",
    "praise": "Thank you.",
    "blame": "I am sorry. Tell me what I should do instead.",
    "sorry": "That is all right.",
    "remark": "I see. Tell me what I should do.",
    "greeting": "Hello! Tell me what to do, or ask what I can do.",
    "joke": "I know none. Tell me what to do, or ask what I can do.",
    "fine": "All right.",
}


def _minutes(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes"


def _metres(far_m: float) -> str:
    if far_m < 1:
        return f"{100 * far_m:.0f} cm"
    return f"{far_m:.0f} m" if far_m > FAR_M else f"{far_m:.1f} m".replace(".0 m", " m")
