"""Questions about one scene and their shortest answers, from the knowledge table and from what the boxes show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from knowledge import items
from lessons import words
from lessons.lists import lists
from lessons.picks import WAYS, first, phrase, question
from lessons.picks import pick as superlative
from lessons.rooms import TOPS_M, ref
from lessons.rooms import colour as colour_of
from lessons.telling import Side, Teller, Unsaid, teller
from lessons.wants import candidates, half_right, judged
from lessons.warehouse_world import data, hall
from sayso.models.pocket.scene_text import closest, gap_m
from sayso.robots.warehouse.form import ALONE
from sayso.scene import Scene, Thing


@dataclass(frozen=True, slots=True)
class Probe:
    """A question, the teller whose room it is put in, and the answer."""

    intent: str
    teller: Teller
    question: str
    answer: str


Asker: TypeAlias = Callable[[Random, Side], Probe]
AS_SAID = 0.4
"""How often a thing is asked for in the words of a wish."""

TRIES = 6
"""How many rooms are looked at for one that has what is asked for: who is mostly asked in vain learns to deny."""


def _named(t: Teller, things: list[Thing]) -> str:
    """The nearest of them, as a plan may use it; False where there is none."""
    return ref(things[0], t.room.scene) if things else "False"


def _labels(*kinds: str) -> tuple[str, ...]:
    return tuple(i.label for i in items().values() if i.kind in kinds and not i.held_out)


_MISTAKEN = {
    "What can be eaten?": (*_labels("drink"), "cup", "plate"),
    "What can be drunk?": (*_labels("fruit", "meal", "sweets"), "cup"),
}
"""What is at hand where one eats or drinks, and is not the thing itself."""


def which(rng: Random, side: Side) -> Probe:
    """By quality: half of the rooms hold something that fits, and most something that nearly does."""
    t = teller(rng, side)
    it = judged(t)
    must = []
    fitting = [i for i in candidates(it) if side.held == "object" or not i.held_out]
    if lucky := bool(fitting) and rng.random() < 0.6:
        fit = [i for i in fitting if i.held_out] or fitting if side.held == "object" else fitting
        must.append(rng.choice(fit).label)
    if it.parts or it.ask in _MISTAKEN or rng.random() < 0.5:
        like = rng.choice(fitting) if fitting else None
        must += [rng.choice(_MISTAKEN[it.ask])] if it.ask in _MISTAKEN and rng.random() < 0.7 else []
        nearly = [i for i in half_right(it, like) if side.held == "object" or not i.held_out]
        must += [i.label for i in rng.sample(nearly, min(len(nearly), rng.choice((0, 1, 1, 2))))]
    for _ in range(TRIES if must else 0):
        t.room = teller(rng, side, tuple(must), rng.choice((3, 5, 7))).room
        if not lucky or any(map(it.fits, t.room.scene)):
            break
    found = [thing for thing in t.room.scene if it.fits(thing)]
    t.things.update(x.label for x in found)
    if it.ask.startswith("What is ") and " and " in it.ask:
        adjective = it.ask.removeprefix("What is ").rstrip("?")
        said = t.say("probe.adjective", "sentences", adj=adjective)
    else:
        said = t.say("probe.which", "sentences", ask=it.ask, q=it.noun, q1=it.bare)
    if rng.random() < AS_SAID:
        said = f"Which is {it.noun}?"
    return Probe("probe.which", t, said, _named(t, found))


def which_colour(rng: Random, side: Side) -> Probe:
    """ "Which chair is red?", "Which person wears blue?". Half are there, and something else may have the colour."""
    t = teller(rng, side)
    item = t.item("person" if rng.random() < 0.45 else "")
    if rng.random() < 0.8:
        t.room = teller(rng, side, (item.label,) * rng.choice((1, 1, 2, 3)), 8).room
    alike = t.room.alike(item.label)
    key = "shirt" if item.label == "person" else "color"
    shown = [x.attributes[key] for x in alike if key in x.attributes]
    others = [x.attributes["color"] for x in t.room.scene if "color" in x.attributes and x not in alike]
    if not shown or rng.random() < 0.35:
        shown = others if others and rng.random() < 0.6 else [*lists("people")["shirts"]]
    colour = rng.choice(shown)
    shade = words.shade(rng, colour)
    ask = f"Which person wears {shade}?" if item.label == "person" else f"Which {item.label} is {shade}?"
    if rng.random() < AS_SAID:
        ask = f"Which is {words.with_colour(rng, Thing('', item.label, attributes={key: colour}))}?"
    return Probe("probe.which_colour", t, ask, _named(t, [x for x in alike if x.attributes.get(key) == colour]))


def count(rng: Random, side: Side) -> Probe:
    t = teller(rng, side)
    item = t.item()
    if rng.random() < 0.55:
        t.room = teller(rng, side, (item.label,) * rng.choice((1, 2, 2, 3, 3, 4, 5)), 8).room
    said = t.say("probe.count", "sentences", xs=item.plural)
    return Probe("probe.count", t, said, str(len(t.room.alike(item.label))))


def most(rng: Random, side: Side) -> Probe:
    t = teller(rng, side)
    if rng.random() < 0.5:
        label = "person" if rng.random() < 0.4 else t.item().label
        t.room = teller(rng, side, (label,) * rng.choice((2, 3, 3, 4)), 8).room
    if rng.random() < 0.12:
        return _none_such(t)
    chosen = superlative(t)
    said = chosen.question if rng.random() < 0.6 else t.say("probe.most", "sentences", most=chosen.phrase)
    return Probe("probe.most", t, said, ref(chosen.thing, t.room.scene))


def _none_such(t: Teller) -> Probe:
    """A superlative of what is not there, or there only once."""
    way, label = t.rng.choice(WAYS), t.item().label
    alike = t.room.alike(label)
    if len(alike) > 1:
        raise Unsaid("there are several")
    said = (
        question(way, label)
        if t.rng.random() < 0.6
        else t.say("probe.most", "sentences", most=phrase(t.rng, way, label))
    )
    return Probe("probe.most", t, said, _named(t, [x for x in [first(way, alike)] if x]))


def nearby(rng: Random, side: Side) -> Probe:
    t = teller(rng, side)
    item = t.item()
    if rng.random() < 0.6:
        t.room = teller(rng, side, (item.label,), 6).room
    said = t.say("probe.next", "sentences", label=words.synonym(rng, item.label, 0.05))
    alike, near = t.room.alike(item.label), _closest(t.room.scene, item.label)
    if near is None and alike and len(t.room.scene.things) > len(alike):
        raise Unsaid("too close to call")
    return Probe("probe.next", t, said, _named(t, [near] if near else []))


def _closest(scene: Scene, label: str, margin_m: float = 0.25) -> Thing | None:
    """The thing that is clearly closest to the one that is called `label`."""
    those = [t for t in scene if t.label == label]
    rest = closest(those[0], scene.things) if len(those) == 1 else []
    if not rest or (len(rest) > 1 and gap_m(those[0], rest[1]) - gap_m(those[0], rest[0]) < margin_m):
        return None
    return rest[0]


def on(rng: Random, side: Side) -> Probe:
    tops = [label for label in TOPS_M if side.held == "object" or not items()[label].held_out]
    for _ in range(rng.choice((1, 6))):
        t = teller(rng, side, (rng.choice(tops),), 6)
        label = rng.choice([x.label for x in t.room.scene if x.label in TOPS_M] or ["table"])
        if t.room.lying_on(label):
            break
    said = t.say("probe.on", "sentences", label=label)
    return Probe("probe.on", t, said, _named(t, t.room.lying_on(label)[:1]))


def seen(rng: Random, side: Side) -> Probe:
    t = teller(rng, side)
    item = t.item()
    said = t.say("probe.seen", "sentences", some=f"{item.some} {item.label}", label=item.label)
    return Probe("probe.seen", t, said, str(bool(t.room.alike(item.label))))


def person(rng: Random, side: Side) -> Probe:
    """ "Is there a person with a cup?", by what is held or worn; or who it is. The cup may stand on a table as well."""
    key = rng.choice(("holding", "holding", "shirt"))
    shown = lists("people")
    lying = [x for x in shown["held"] if x in items() and not items()[x].held_out]
    lies = [rng.choice(lying)] if key == "holding" and lying and rng.random() < 0.5 else []
    for _ in range(rng.choice((1, TRIES, TRIES))):
        t = teller(rng, side, (*["person"] * rng.choice((0, 1, 1, 2, 3)), *lies), 6)
        people = t.room.alike("person")
        if values := [x.attributes[key] for x in people if key in x.attributes]:
            break
    others = lies if lies and rng.random() < 0.7 else shown["held" if key == "holding" else "shirts"]
    value = rng.choice(values if values and rng.random() < 0.7 else others)
    who = words.holding(rng, value) if key == "holding" else f"a person in {value}"
    if rng.random() < 0.5:
        who = f"a person with {words.a(value)}" if key == "holding" else who
    found = [x for x in people if x.attributes.get(key) == value]
    if rng.random() < 0.25:
        return Probe(
            "probe.which_person",
            t,
            t.say("probe.which_person", "sentences", who=who.replace("a ", "the ", 1)),
            _named(t, found),
        )
    return Probe("probe.person", t, t.say("probe.person", "sentences", who=who), str(bool(found)))


def colour(rng: Random, side: Side) -> Probe:
    t = teller(rng, side)
    shown = [x for x in t.room.scene if "color" in x.attributes and len(t.room.alike(x.label)) == 1]
    if not shown:
        raise Unsaid("no colours here")
    thing = rng.choice(shown)
    t.things.add(thing.label)
    return Probe("probe.colour", t, t.say("probe.colour", "sentences", label=thing.label), thing.attributes["color"])


def holds_anything(rng: Random, side: Side) -> Probe:
    for _ in range(rng.choice((1, TRIES))):
        t = teller(rng, side, ("person",), 4)
        people = t.room.alike("person")
        if any("holding" in x.attributes for x in people):
            break
    if len(people) != 1:
        raise Unsaid("which person")
    return Probe("probe.holding", t, "Is the person holding something?", str("holding" in people[0].attributes))


def alone(rng: Random, side: Side) -> Probe:
    """Whether one thing is so, shown by itself: so a robot with a table of names asks about each of them."""
    t = teller(rng, side)
    it = judged(t)
    fitting = [i for i in candidates(it) if side.held == "object" or not i.held_out]
    nearly = half_right(it, rng.choice(fitting) if fitting else None)
    roll = rng.random()
    some = fitting if roll < 0.45 else [i for i in nearly if side.held == "object" or not i.held_out]
    item = rng.choice(some) if some and roll < 0.75 else t.item()
    t.things.add(item.label)
    return _by_itself(
        t, it.noun, Thing(item.label, item.label, ALONE, attributes={"color": colour_of(rng, item)}), it.fits
    )


def good(rng: Random, side: Side) -> Probe:
    """The same about goods of a warehouse, by what people may want them for."""
    t, there = teller(rng, side), hall(rng)
    key, need = rng.choice(list(data()["needs"].items()))
    lines = side.frames(f"warehouse.needs.{key}", "nouns", True) or side.frames(
        f"warehouse.needs.{key}", "nouns", False
    )
    kinds = list(there.names.kinds)
    serving = [n for n in kinds if n in need.get("names", ()) or need.get("like") in there.likes.get(n, ())]
    near = {there.names.kinds[n] for n in serving} if "names" in need else set()
    others = [n for n in kinds if n not in serving and there.names.kinds[n] not in near]
    if not (serving and others):
        raise Unsaid("all or nothing serves")
    name = rng.choice(serving if rng.random() < 0.5 else others)
    paint = there.names.paint.get(name, "")
    shown = Thing(name, name, ALONE, attributes={"color": paint} if paint else {})
    chosen = rng.choice(lines)
    t.frames.append(chosen.id)
    t.held_frames += chosen.held_out
    return _by_itself(t, chosen.say(rng), shown, lambda thing: thing.label in serving)


def _by_itself(t: Teller, noun: str, shown: Thing, fits: Callable[[Thing], bool]) -> Probe:
    t.room = replace(t.room, scene=replace(t.room.scene, things=(shown,)))
    return Probe("probe.alone", t, f"Which is {noun}?", shown.label if fits(shown) else "False")


PROBES: dict[Asker, float] = {
    which: 20,
    alone: 9,
    good: 5,
    which_colour: 5,
    count: 3,
    most: 4,
    nearby: 3,
    on: 2,
    seen: 1.5,
    person: 7,
    colour: 1.5,
    holds_anything: 0.4,
}
