"""Single wishes: for each intent one function that says it in some way and knows the plan.

An order can be made polite and joined to others; a sentence stands alone. The plan is a function of the view, since
what is in view depends on what was done before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias, TypeVar

from lessons import oracle, words
from lessons.lists import lists
from lessons.oracle import View
from lessons.telling import Target, Teller, target

Steps: TypeAlias = Callable[[View], list[str]]


@dataclass(frozen=True, slots=True)
class Clause:
    """One wish. `form` tells whether `words` is an order (an imperative) or a sentence."""

    intent: str
    form: str
    words: str
    steps: Steps
    about: Target | None = None


Maker: TypeAlias = Callable[[Teller, str], Clause]
M = TypeVar("M")


def _about(intent: str, act: Callable[[list[str], str, str, View], list[str]]) -> Maker:
    """An intent about one thing: bring it into view, then `act`."""

    def make(t: Teller, form: str) -> Clause:
        it = target(t)

        def steps(view: View) -> list[str]:
            before, name = it.reach(view)
            done = act(before, name, it.label, view)
            view.moved(it.label) if it.name else view.moved()
            return done

        return Clause(intent, form, t.say(intent, form, x=it.phrase, x1=it.bare), steps, it)

    return make


def here_is(name: str, label: str) -> str:
    return f"l({name})" if name == "_1" else oracle.log(f"Here is the {label}.")


def going(name: str) -> list[str]:
    """What was only described is told before it is gone to."""
    return oracle.TELL_AND_GO if name == "_1" else [f"g({name})"]


goto = _about("goto", lambda before, name, label, view: [*before, *going(name)])
find = _about("find", lambda before, name, label, view: [*before, f"o({name})", here_is(name, label)])
picture = _about("picture", lambda before, name, label, view: [*before, f"o({name})", "tp"])
goto_picture = _about("goto_picture", lambda before, name, label, view: [*before, *going(name), "tp"])


def _colour_of(before: list[str], name: str, label: str, view: View) -> list[str]:
    known = [t for t in view.scene if t.label == label and "color" in t.attributes]
    if not before and len(known) == 1:
        return [oracle.log(f"The {label} is {known[0].attributes['color']}.")]
    return [*before, f"_1=p({oracle.text(f'What colour is the {label}?')})", "l(_1)"]


def colour(t: Teller, form: str) -> Clause:
    it = target(t, definite=1.0, plain=True)
    if it.label == "person":
        it = Target("the door", "door", "door")
    steps: Steps = lambda view: _colour_of(oracle.guard(view, it.name), "", it.label, view)  # noqa: E731
    return Clause("colour", form, t.say("colour", form, x=it.phrase, x1=it.bare), steps, it)


def distance(t: Teller, form: str) -> Clause:
    it = target(t, definite=0.9)

    def steps(view: View) -> list[str]:
        before, name = it.reach(view)
        return [*before, f"_2=od({name})", "l(_2+' cm')"]

    return Clause("distance", form, t.say("distance", form, x=it.phrase, x1=it.bare), steps, it)


def where(t: Teller, form: str) -> Clause:
    it = target(t, definite=0.9, plain=True)

    def steps(view: View) -> list[str]:
        seen = [x for x in view.scene if x.label == it.label and x.box]
        if not view.fresh or not seen:
            return [*oracle.find(view, it.name)]
        x = seen[0].box.x  # type: ignore[union-attr]
        side = "on the left" if x < 0.4 else "on the right" if x > 0.6 else "in the middle"
        return [oracle.log(f"The {it.label} is {side}.")]

    return Clause("where", form, t.say("where", form, x=it.phrase, x1=it.bare), steps, it)


def _yes_no(intent: str, test: str, yes: str) -> Maker:
    def make(t: Teller, form: str) -> Clause:
        it = target(t, definite=0.1, plain=True)

        def steps(view: View) -> list[str]:
            answers = oracle.log(yes.format(it.label)), oracle.log(f"No, I see no {it.label}.")
            lift = view.lift() if test == "s" else []
            if test == "s":
                view.moved()
            return [*lift, f"?{oracle.call(test, it.name)}{{{answers[0]}}}:{{{answers[1]}}}"]

        return Clause(intent, form, t.say(intent, form, x=it.phrase, x1=it.bare), steps, it)

    return make


see = _yes_no("see", "iv", "Yes, I see the {}.")
exists = _yes_no("exists", "s", "Yes, here is the {}.")


def count(t: Teller, form: str) -> Clause:
    item = t.item()

    def steps(view: View) -> list[str]:
        if view.fresh:
            return [oracle.log(oracle.counted(view.scene, item.label))]
        return [f"l({oracle.call('p', how_many(item.label))})"]

    return Clause("count", form, t.say("count", form, xs=item.plural), steps)


def how_many(label: str) -> str:
    return f"How many {words.plural(label)} are here?"


def count_side(t: Teller, form: str) -> Clause:
    item, (turn, side) = t.item(), words.side(t.rng, "behind", "left", "right")

    def steps(view: View) -> list[str]:
        view.moved()
        return [turn, f"l({oracle.call('p', how_many(item.label))})"]

    return Clause("count_side", form, aside(t.say("count_side", form, xs=item.plural, side=side)), steps)


def count_round(t: Teller, form: str) -> Clause:
    item = t.item()
    body = f"_1=_1+{oracle.call('p', how_many(item.label))};tc(60)"
    steps: Steps = lambda view: oracle.moving(view, ["_1=0", f"6{{{body}}}", "l(_1)"])  # noqa: E731
    return Clause("count_round", form, t.say("count_round", form, xs=item.plural), steps)


def what(t: Teller, form: str) -> Clause:
    steps: Steps = lambda view: [oracle.log(oracle.described(view.scene))] if view.fresh else ["rp"]  # noqa: E731
    return Clause("what", form, t.say("what", form), steps)


def what_side(t: Teller, form: str) -> Clause:
    turn, side = words.side(t.rng)
    steps: Steps = lambda view: [turn, "rp"]  # noqa: E731
    return Clause("what_side", form, aside(t.say("what_side", form, side=side)), steps)


def probe_say(t: Teller, form: str) -> Clause:
    it = target(t, definite=1.0, plain=True)
    said = t.open("probe_say", form)
    if "person" in said:
        question, statements = "Is the person holding something?", []
    else:
        near = any(word in said for word in ("close", "near", "next", "beside"))
        question = f"Which thing is closest to the {it.label}?" if near else f"What is on the {it.label}?"
        statements = [it]

    def steps(view: View) -> list[str]:
        before = oracle.guard(view, it.name) if statements else []
        return [*before, *oracle.told_here(question)]

    return Clause("probe_say", form, said.replace("{x}", it.phrase).replace("{x1}", it.bare), steps, it)


def aside(said: str) -> str:
    """Nobody turns behind himself."""
    for wrong in ("turn behind you", "turn behind yourself", "turn at your back", "turn in your back"):
        said = said.replace(wrong, "turn around")
    return said


# Motion

MOTIONS = {
    "forward": ("mf", "fwd"), "backward": ("mb", "bwd"), "left": ("ml", "lft"), "right": ("mr", "rgt"),
    "up": ("mu", "up"), "down": ("md", "dwn"), "turn_right": ("tc", "cw"), "turn_left": ("tu", "ccw"),
}  # fmt: skip


def motion(t: Teller, form: str) -> Clause:
    """A straight move or a turn, with or without its amount."""
    intent = t.rng.choice(list(MOTIONS))
    short, slot = MOTIONS[intent]
    turning = short in ("tc", "tu")
    amount = words.angle_deg(t.rng) if turning else words.distance_cm(t.rng)
    way = t.rng.choice(words.direction(slot))
    if t.rng.random() < 0.15:
        amount = words.Amount(words.TURN_DEG if turning else words.MOVE_CM, "")
        said, form = t.say(intent, "bare", **{slot: way}), "orders"
        if said.endswith(("a bit", "a bit more")):
            amount = words.Amount(words.LITTLE_CM, "")
    else:
        said = t.say(intent, form, d=amount.text, a=amount.text, **{slot: way})
    most = oracle.UP_TO_DEG if turning else oracle.UP_TO_CM
    return Clause(intent, form, said, lambda view: oracle.move(view, short, amount.value, most))


def _still(intent: str, statements: list[str], moves: bool = True) -> Maker:
    def make(t: Teller, form: str) -> Clause:
        def steps(view: View) -> list[str]:
            if moves:
                view.moved()
            return statements

        return Clause(intent, form, t.say(intent, form), steps)

    return make


turn_round = _still("turn_round", ["tc(180)"])
full_turn = _still("full_turn", ["2{tc(180)}"])
take_off = _still("take_off", ["to"])
land = _still("land", ["la"])
home = _still("home", ["rh"])
shoot = _still("shoot", ["tp"], moves=False)
panorama_free = _still("panorama_free", ["4{tp;tc(90)}"])


def wait(t: Teller, form: str) -> Clause:
    amount = words.duration_s(t.rng)
    return Clause("wait", form, t.say("wait", form, t=amount.text), lambda view: oracle.wait(amount.value))


def say(t: Teller, form: str) -> Clause:
    spoken = t.rng.choice(lists("say")["texts"])
    quoted = spoken if t.rng.random() < 0.5 else t.rng.choice(('"{}"', "'{}'")).format(spoken)
    return Clause("say", form, t.say("say", form, say=quoted), lambda view: [oracle.log(spoken.lower())])


def square(t: Teller, form: str) -> Clause:
    amount = words.distance_cm(t.rng)
    if amount.value > 300 or amount.value == words.LITTLE_CM:
        amount = words.Amount(100, "1 m")
    steps: Steps = lambda view: oracle.moving(view, [f"4{{mf({amount.value:g});tc(90)}}"])  # noqa: E731
    return Clause("square", form, t.say("square", form, d=amount.text), steps)


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

__all__ = ["JOINABLE", "SINGLE", "Clause", "Maker", "Steps", "anything"]
