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
from lessons.saying import amount, asked, motion_goal, named, quoted
from lessons.telling import Target, Teller, target

Steps: TypeAlias = Callable[[View], list[str]]


@dataclass(frozen=True, slots=True)
class Clause:
    """One wish. `form` tells whether `words` is an order (an imperative) or a sentence.

    `goal` is what was said in the language of goals, things by the very words that name them and amounts by theirs;
    empty where this wish is not taught to be read.
    """

    intent: str
    form: str
    words: str
    steps: Steps
    about: Target | None = None
    goal: str = ""


Maker: TypeAlias = Callable[[Teller, str], Clause]
M = TypeVar("M")


def _about(intent: str, goal: str, act: Callable[[list[str], str, str, View], list[str]]) -> Maker:
    """An intent about one thing: bring it into view, then `act`. In `goal`, {x} is the thing."""

    def make(t: Teller, form: str) -> Clause:
        it = target(t)

        def steps(view: View) -> list[str]:
            before, name = it.reach(view)
            done = act(before, name, it.label, view)
            view.moved(it.label) if it.name else view.moved()
            return done

        said = t.say(intent, form, x=it.phrase, x1=it.bare)
        return Clause(intent, form, said, steps, it, goal.format(x=named(it.bare)))

    return make


def here_is(name: str, label: str) -> str:
    return f"l({name})" if name == "_1" else oracle.log(f"Here is the {label}.")


def going(name: str) -> list[str]:
    """What was only described is told before it is gone to."""
    return oracle.TELL_AND_GO if name == "_1" else [f"g({name})"]


goto = _about("goto", "at({x})", lambda before, name, label, view: [*before, *going(name)])
find = _about("find", "found({x})", lambda before, name, label, view: [*before, f"o({name})", here_is(name, label)])
picture = _about("picture", "picture({x})", lambda before, name, label, view: [*before, f"o({name})", "tp"])
goto_picture = _about(
    "goto_picture", "at({x}) then picture({x})", lambda before, name, label, view: [*before, *going(name), "tp"]
)


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
    return Clause(
        "colour", form, t.say("colour", form, x=it.phrase, x1=it.bare), steps, it, asked("what colour", it.bare)
    )


def distance(t: Teller, form: str) -> Clause:
    it = target(t, definite=0.9)

    def steps(view: View) -> list[str]:
        before, name = it.reach(view)
        return [*before, f"_2=od({name})", "l(_2+' cm')"]

    return Clause(
        "distance", form, t.say("distance", form, x=it.phrase, x1=it.bare), steps, it, asked("how far", it.bare)
    )


def where(t: Teller, form: str) -> Clause:
    it = target(t, definite=0.9, plain=True)

    def steps(view: View) -> list[str]:
        seen = [x for x in view.scene if x.label == it.label and x.box]
        if not view.fresh or not seen:
            return [*oracle.find(view, it.name)]
        x = seen[0].box.x  # type: ignore[union-attr]
        side = "on the left" if x < 0.4 else "on the right" if x > 0.6 else "in the middle"
        return [oracle.log(f"The {it.label} is {side}.")]

    return Clause("where", form, t.say("where", form, x=it.phrase, x1=it.bare), steps, it, asked("where", it.bare))


def _yes_no(intent: str, test: str, yes: str) -> Maker:
    question = "is it here" if test == "s" else "is it in view"

    def make(t: Teller, form: str) -> Clause:
        it = target(t, definite=0.1, plain=True)

        def steps(view: View) -> list[str]:
            answers = oracle.log(yes.format(it.label)), oracle.log(f"No, I see no {it.label}.")
            lift = view.lift() if test == "s" else []
            if test == "s":
                view.moved()
            return [*lift, f"?{oracle.call(test, it.name)}{{{answers[0]}}}:{{{answers[1]}}}"]

        said = t.say(intent, form, x=it.phrase, x1=it.bare)
        return Clause(intent, form, said, steps, it, asked(question, it.bare))

    return make


see = _yes_no("see", "iv", "Yes, I see the {}.")
exists = _yes_no("exists", "s", "Yes, here is the {}.")


def count(t: Teller, form: str) -> Clause:
    item = t.item()

    def steps(view: View) -> list[str]:
        if view.fresh:
            return [oracle.log(oracle.counted(view.scene, item.label))]
        return [f"l({oracle.call('p', how_many(item.label))})"]

    return Clause("count", form, t.say("count", form, xs=item.plural), steps, goal=asked("how many", item.plural))


def how_many(label: str) -> str:
    return f"How many {words.plural(label)} are here?"


def count_side(t: Teller, form: str) -> Clause:
    item, (turn, side) = t.item(), words.side(t.rng, "behind", "left", "right")

    def steps(view: View) -> list[str]:
        view.moved()
        return [turn, f"l({oracle.call('p', how_many(item.label))})"]

    goal = f"{motion_goal(turn)} then {asked('how many', item.plural)}"
    return Clause("count_side", form, aside(t.say("count_side", form, xs=item.plural, side=side)), steps, goal=goal)


def count_round(t: Teller, form: str) -> Clause:
    item = t.item()
    body = f"_1=_1+{oracle.call('p', how_many(item.label))};tc(60)"
    steps: Steps = lambda view: oracle.moving(view, ["_1=0", f"6{{{body}}}", "l(_1)"])  # noqa: E731
    goal = asked("how many all round", item.plural)
    return Clause("count_round", form, t.say("count_round", form, xs=item.plural), steps, goal=goal)


def what(t: Teller, form: str) -> Clause:
    steps: Steps = lambda view: [oracle.log(oracle.described(view.scene))] if view.fresh else ["rp"]  # noqa: E731
    return Clause("what", form, t.say("what", form), steps, goal=asked("what is here"))


def what_side(t: Teller, form: str) -> Clause:
    turn, side = words.side(t.rng)
    steps: Steps = lambda view: [turn, "rp"]  # noqa: E731
    goal = f"{motion_goal(turn)} then {asked('what is here')}"
    return Clause("what_side", form, aside(t.say("what_side", form, side=side)), steps, goal=goal)


def probe_say(t: Teller, form: str) -> Clause:
    it = target(t, definite=1.0, plain=True)
    said = t.open("probe_say", form)
    if "person" in said:
        question, statements, goal = "Is the person holding something?", [], asked("what is held", "person")
    else:
        near = any(word in said for word in ("close", "near", "next", "beside"))
        question = f"Which thing is closest to the {it.label}?" if near else f"What is on the {it.label}?"
        statements, goal = [it], asked("what is next to" if near else "what is on", it.bare)

    def steps(view: View) -> list[str]:
        before = oracle.guard(view, it.name) if statements else []
        return [*before, *oracle.told_here(question)]

    return Clause("probe_say", form, said.replace("{x}", it.phrase).replace("{x1}", it.bare), steps, it, goal)


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
    much = words.angle_deg(t.rng) if turning else words.distance_cm(t.rng)
    way = t.rng.choice(words.direction(slot))
    if t.rng.random() < 0.15:
        much = words.Amount(words.TURN_DEG if turning else words.MOVE_CM, "")
        said, form = t.say(intent, "bare", **{slot: way}), "orders"
        if said.endswith(("a bit", "a bit more")):
            much = words.Amount(words.LITTLE_CM, "")
    else:
        said = t.say(intent, form, d=much.text, a=much.text, **{slot: way})
    most, goal = oracle.UP_TO_DEG if turning else oracle.UP_TO_CM, motion_goal(short, much.text)
    return Clause(intent, form, said, lambda view: oracle.move(view, short, much.value, most), goal=goal)


def _still(intent: str, goal: str, statements: list[str], moves: bool = True) -> Maker:
    def make(t: Teller, form: str) -> Clause:
        def steps(view: View) -> list[str]:
            if moves:
                view.moved()
            return statements

        return Clause(intent, form, t.say(intent, form), steps, goal=goal)

    return make


turn_round = _still("turn_round", "turned(back)", ["tc(180)"])
full_turn = _still("full_turn", "turned(right, 360 deg)", ["2{tc(180)}"])
take_off = _still("take_off", "airborne", ["to"])
land = _still("land", "landed", ["la"])
home = _still("home", "home", ["rh"])
shoot = _still("shoot", "picture", ["tp"], moves=False)
panorama_free = _still("panorama_free", "until turned(right, 360 deg) { picture then turned(right) }", ["4{tp;tc(90)}"])


def wait(t: Teller, form: str) -> Clause:
    long = words.duration_s(t.rng)
    said, goal = t.say("wait", form, t=long.text), f"waited({amount(long.text)})"
    return Clause("wait", form, said, lambda view: oracle.wait(long.value), goal=goal)


def say(t: Teller, form: str) -> Clause:
    spoken = t.rng.choice(lists("say")["texts"])
    marked = spoken if t.rng.random() < 0.5 else t.rng.choice(('"{}"', "'{}'")).format(spoken)
    said, goal = t.say("say", form, say=marked), f"said({quoted(spoken)})"
    return Clause("say", form, said, lambda view: [oracle.log(spoken.lower())], goal=goal)


def square(t: Teller, form: str) -> Clause:
    side = words.distance_cm(t.rng)
    if side.value > 300 or side.value == words.LITTLE_CM:
        side = words.Amount(100, "1 m")
    steps: Steps = lambda view: oracle.moving(view, [f"4{{mf({side.value:g});tc(90)}}"])  # noqa: E731
    goal = f"4 {{ {motion_goal('mf', side.text)} then turned(right) }}"
    return Clause("square", form, t.say("square", form, d=side.text), steps, goal=goal)


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
