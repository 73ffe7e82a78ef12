"""Single wishes: for each intent one function that says it in some way, and knows what it says as a goal.

An order can be made polite and joined to others; a sentence stands alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias, TypeVar

from lessons import saying, words
from lessons.lists import lists
from lessons.saying import amount, asked, moved, named, quoted
from lessons.telling import Target, Teller, target


@dataclass(frozen=True, slots=True)
class Clause:
    """One wish. `form` tells whether `words` is an order (an imperative) or a sentence.

    `goal` is what was said in the language of goals, things by the very words that name them and amounts by theirs.
    """

    intent: str
    form: str
    words: str
    goal: str


Maker: TypeAlias = Callable[[Teller, str], Clause]
M = TypeVar("M")


def _about(intent: str, goal: str, definite: float = 0.6, plain: bool = False) -> Maker:
    """An intent about one thing, which is {x} in `goal`."""

    def make(t: Teller, form: str) -> Clause:
        it = target(t, definite, plain)
        return Clause(intent, form, t.say(intent, form, x=it.phrase, x1=it.bare), goal.format(x=named(it.bare)))

    return make


goto = _about("goto", "at({x})")
find = _about("find", "found({x})")
picture = _about("picture", "picture({x})")
goto_picture = _about("goto_picture", "at({x}) then picture({x})")
distance = _about("distance", "answered('how far', {x})", definite=0.9)
where = _about("where", "answered('where', {x})", definite=0.9, plain=True)
see = _about("see", "answered('is it in view', {x})", definite=0.1, plain=True)
exists = _about("exists", "answered('is it here', {x})", definite=0.1, plain=True)


def colour(t: Teller, form: str) -> Clause:
    it = target(t, definite=1.0, plain=True)
    if it.label == "person":
        it = Target("the door", "door", "door")
    return Clause("colour", form, t.say("colour", form, x=it.phrase, x1=it.bare), asked("what colour", it.bare))


def _counting(intent: str, question: str) -> Maker:
    def make(t: Teller, form: str) -> Clause:
        many = t.item().plural
        return Clause(intent, form, t.say(intent, form, xs=many), asked(question, many))

    return make


count = _counting("count", "how many")
count_round = _counting("count_round", "how many all round")


def count_side(t: Teller, form: str) -> Clause:
    many, (turn, side) = t.item().plural, words.side(t.rng, "behind", "left", "right")
    said = aside(t.say("count_side", form, xs=many, side=side))
    return Clause("count_side", form, said, f"{turn} then {asked('how many', many)}")


def what_side(t: Teller, form: str) -> Clause:
    turn, side = words.side(t.rng)
    said = aside(t.say("what_side", form, side=side))
    return Clause("what_side", form, said, f"{turn} then {asked('what is here')}")


def probe_say(t: Teller, form: str) -> Clause:
    it = target(t, definite=1.0, plain=True)
    said = t.open("probe_say", form)
    if "person" in said:
        goal = asked("what is held", "person")
    else:
        near = any(word in said for word in ("close", "near", "next", "beside"))
        goal = asked("what is next to" if near else "what is on", it.bare)
    return Clause("probe_say", form, said.replace("{x}", it.phrase).replace("{x1}", it.bare), goal)


def aside(said: str) -> str:
    """Nobody turns behind himself."""
    for wrong in ("turn behind you", "turn behind yourself", "turn at your back", "turn in your back"):
        said = said.replace(wrong, "turn around")
    return said


# Motion

MOTIONS = {
    "forward": ("moved", "forward", "fwd"), "backward": ("moved", "back", "bwd"), "left": ("moved", "left", "lft"),
    "right": ("moved", "right", "rgt"), "up": ("moved", "up", "up"), "down": ("moved", "down", "dwn"),
    "turn_right": ("turned", "right", "cw"), "turn_left": ("turned", "left", "ccw"),
}  # fmt: skip
"""What each comes to, and where `words.toml` has what its direction is called."""


def motion(t: Teller, form: str) -> Clause:
    """A straight move or a turn, with or without its amount."""
    intent = t.rng.choice(list(MOTIONS))
    verb, side, slot = MOTIONS[intent]
    much = (words.angle_deg if verb == "turned" else words.distance_cm)(t.rng).text
    way = t.rng.choice(words.direction(slot))
    if t.rng.random() < 0.15:
        much = ""
        said, form = t.say(intent, "bare", **{slot: way}), "orders"
    else:
        said = t.say(intent, form, d=much, a=much, **{slot: way})
    return Clause(intent, form, said, (saying.turned if verb == "turned" else moved)(side, much))


def _still(intent: str, goal: str) -> Maker:
    def make(t: Teller, form: str) -> Clause:
        return Clause(intent, form, t.say(intent, form), goal)

    return make


what = _still("what", asked("what is here"))
turn_round = _still("turn_round", "turned(back)")
full_turn = _still("full_turn", "turned(right, 360 deg)")
take_off = _still("take_off", "airborne")
land = _still("land", "landed")
home = _still("home", "home")
shoot = _still("shoot", "picture")
panorama_free = _still("panorama_free", "until turned(right, 360 deg) { picture then turned(right) }")


def wait(t: Teller, form: str) -> Clause:
    long = words.duration_s(t.rng)
    return Clause("wait", form, t.say("wait", form, t=long.text), f"waited({amount(long.text)})")


def say(t: Teller, form: str) -> Clause:
    spoken = t.rng.choice(lists("say")["texts"])
    marked = spoken if t.rng.random() < 0.5 else t.rng.choice(('"{}"', "'{}'")).format(spoken)
    return Clause("say", form, t.say("say", form, say=marked), f"said({quoted(spoken.lower())})")


def square(t: Teller, form: str) -> Clause:
    side = words.distance_cm(t.rng)
    if side.value > 300 or side.value == words.LITTLE_CM:
        side = words.Amount(100, "1 m")
    goal = f"4 {{ {moved('forward', side.text)} then turned(right) }}"
    return Clause("square", form, t.say("square", form, d=side.text), goal)


def anything(rng: Random, makers: Mapping[M, float]) -> M:
    """One of several intents, by weight."""
    return rng.choices(list(makers), list(makers.values()))[0]


SINGLE: dict[Maker, float] = {
    goto: 9, find: 9, picture: 7, goto_picture: 8, see: 4, exists: 3, count: 4, count_side: 2, count_round: 1.5,
    what: 2, what_side: 2, colour: 2, distance: 2, where: 2, probe_say: 3, motion: 14, turn_round: 1.5, full_turn: 1,
    take_off: 1, land: 1, home: 1, shoot: 1, wait: 1, say: 1.5, square: 1, panorama_free: 0.7,
}  # fmt: skip
"""Every simple intent and how often it is drawn. What has many frames and many things to be about comes more often."""

JOINABLE: dict[Maker, float] = {
    goto: 8, find: 3, picture: 6, goto_picture: 2, motion: 9, turn_round: 4, take_off: 2, land: 2, home: 4, shoot: 5,
    wait: 2, say: 2, full_turn: 1,
}  # fmt: skip
"""What people string together."""
