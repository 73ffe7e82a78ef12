"""Which one of several: by size, height, nearness, place in the image. Ground truth is what a picture shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from lessons import words
from lessons.lists import lists
from lessons.saying import named
from lessons.simple import Clause, Maker, aside
from lessons.telling import Teller, Unsaid
from sayso.models.pocket.scene_text import tall
from sayso.scene import Thing


@dataclass(frozen=True, slots=True)
class Way:
    """A way to be first: what is compared, by how much it must lead. What people call it is in `words.toml`."""

    name: str
    key: Callable[[Thing], float]
    lead: float
    ratio: bool = False


def _x(thing: Thing) -> float:
    assert thing.box is not None
    return round(thing.box.x, 2)


def _y(thing: Thing) -> float:
    assert thing.box is not None
    return round(thing.box.y, 2)


def _area(thing: Thing) -> float:
    assert thing.box is not None
    return round(thing.box.width, 2) * round(thing.box.height, 2)


def _height(thing: Thing) -> float:
    return round(tall(thing), 2)


def _away(thing: Thing) -> float:
    return thing.distance_m or 0.0


WAYS = (
    Way("largest", _area, 1.3, ratio=True),
    Way("smallest", lambda t: -_area(t), 1.3, ratio=True),
    Way("tallest", _height, 0.05),
    Way("shortest", lambda t: -_height(t), 0.05),
    Way("nearest", lambda t: -_away(t), 0.2),
    Way("furthest", _away, 0.2),
    Way("leftmost", lambda t: -_x(t), 0.05),
    Way("rightmost", _x, 0.05),
    Way("highest", lambda t: -_y(t), 0.05),
    Way("lowest", _y, 0.05),
)

THINGS = ("thing", "thing", "object", "item")


@dataclass(frozen=True, slots=True)
class Pick:
    """Who is meant: a phrase, a question, and the thing. `goal` is the same in the language of goals, the kind by the
    word that was said."""

    phrase: str
    question: str
    thing: Thing
    goal: str


def first(way: Way, things: Sequence[Thing]) -> Thing | None:
    """The one that clearly leads, or None."""
    ranked = sorted(things, key=way.key, reverse=True)
    if len(ranked) < 2:
        return ranked[0] if ranked else None
    best, second = way.key(ranked[0]), way.key(ranked[1])
    if way.ratio:
        low, high = sorted((abs(best), abs(second)))
        return ranked[0] if high >= way.lead * max(low, 1e-6) else None
    return ranked[0] if best - second >= way.lead - 1e-9 else None


def pick(t: Teller) -> Pick:
    """A superlative that the room decides: among all things, or among those of one label."""
    rng, scene = t.rng, t.room.scene
    several = sorted({x.label for x in scene if len(t.room.alike(x.label)) > 1})
    label = rng.choice(several) if several and rng.random() < 0.7 else ""
    if len(scene.things) < 2:
        raise Unsaid("nothing to choose from")
    among = t.room.alike(label) if label else list(scene.things)
    if label and len(among) == 3 and rng.random() < 0.3:
        return _middle(rng, label, among)
    if label and len(among) >= 3 and rng.random() < 0.25:
        return _ordinal(rng, label, among)
    way = rng.choice(WAYS)
    thing = first(way, among)
    if thing is None:
        raise Unsaid("too close to call")
    t.things.update(x.label for x in among)
    said = phrase(rng, way, label, len(among))
    return Pick(said, question(way, label), thing, ranked(way, label, said))


def ranked(way: Way, label: str, said: str, nth: int = 0) -> str:
    """One by its rank among those of a kind, called as in the phrase."""
    several = words.plural(label)
    called = [label, several, *lists("synonyms").get(label, ())] if label else []
    kind = max((name for name in called if name in said), key=len, default="thing")
    return f"{f'nth {nth} ' if nth else ''}{way.name} {named(kind)}"


LEFTMOST, RIGHTMOST = (next(way for way in WAYS if way.name == name) for name in ("leftmost", "rightmost"))


def phrase(rng: Random, way: Way, label: str, count: int = 0) -> str:
    if label and count == 2 and way.name in lists("two") and rng.random() < 0.7:
        return rng.choice(lists("two")[way.name]).format(s=_called(rng, label), p=words.plural(label))
    said = rng.choice(lists("most")[way.name]).replace("{s}", _called(rng, label) if label else rng.choice(THINGS))
    return (
        said
        if label or rng.random() < 0.6
        else f"{said} {rng.choice(('you can see', 'in sight', 'in your view', 'in front of you'))}"
    )


def _called(rng: Random, label: str) -> str:
    """People are called many things, chairs are not."""
    return words.synonym(rng, label, 0.35 if label == "person" else 0.1)


def question(way: Way, label: str) -> str:
    return f"Which is the {way.name} {label or 'thing'}?"


def _middle(rng: Random, label: str, among: Sequence[Thing]) -> Pick:
    thing = sorted(among, key=_x)[1]
    said = rng.choice(lists("middle")["phrases"])
    said = said.format(label)
    return Pick(said, f"Which is the middle {label}?", thing, ranked(LEFTMOST, label, said, 2))


def _ordinal(rng: Random, label: str, among: Sequence[Thing]) -> Pick:
    number = rng.randrange(len(among))
    names = lists("ordinal")["names"]
    if number >= len(names):
        raise Unsaid("too many")
    name = names[number]
    side = rng.choice(("left", "right"))
    in_order = sorted(among, key=_x, reverse=side == "right")
    said = rng.choice(lists("ordinal")["phrases"]).format(n=name, s=label, d=side)
    goal = ranked(RIGHTMOST if side == "right" else LEFTMOST, label, said, number + 1)
    return Pick(said, f"Which is the {name} {label} from the {side}?", in_order[number], goal)


def _picked(intent: str, goal: str) -> Maker:
    def make(t: Teller, form: str) -> Clause:
        chosen = pick(t)
        return Clause(intent, form, t.say(intent, form, most=chosen.phrase), goal.format(x=chosen.goal))

    return make


pick_goto = _picked("pick_goto", "at({x})")
pick_face = _picked("pick_face", "facing({x})")
pick_picture = _picked("pick_picture", "picture({x})")
pick_say = _picked("pick_say", "named({x})")


def _side_pick(intent: str, goal: str) -> Maker:
    def make(t: Teller, form: str) -> Clause:
        turn, side = words.side(t.rng, "behind", "left", "right")
        way = t.rng.choice(WAYS)
        label = t.item().label if t.rng.random() < 0.75 else ""
        if way.name in ("tallest", "shortest") and t.rng.random() < 0.7:
            label = "person"
        most = phrase(t.rng, way, label)
        said = t.say(intent, form, side=side, most=most)
        return Clause(intent, form, aside(said), f"{turn} then {goal.format(x=ranked(way, label, most))}")

    return make


side_pick_goto = _side_pick("side_pick_goto", "at({x})")
side_pick_face = _side_pick("side_pick_face", "facing({x})")


def side_count_pick(t: Teller, form: str) -> Clause:
    """With enough of them at a side, the first among them."""
    turn, side = words.side(t.rng, "behind", "left", "right")
    test, more = words.comparison(t.rng)
    way = t.rng.choice(WAYS)
    label = "person" if t.rng.random() < 0.4 else t.item().label
    if way.name in ("tallest", "shortest"):
        label = "person"
    many, most = words.plural(label), phrase(t.rng, way, label)
    said = t.say("side_count_pick", form, side=side, more=more, xs=many, most=most)
    goal = f"{turn} then if {counted(test, many)} {{ facing({ranked(way, label, most)}) }}"
    return Clause("side_count_pick", form, aside(said), goal)


def counted(test: str, many: str) -> str:
    """Whether so many are in view; `test` is the end of an expression, as ">2"."""
    sign, n = test.rstrip("0123456789"), int(test.lstrip("<>="))
    least = {">": n + 1, ">=": n, "<": n, "<=": n + 1, "==": n}[sign]
    more = f"sees({least} {named(many)})" if least > 1 else f"sees({named(many)})"
    if sign == "==":
        return f"{{ {more}; not sees({n + 1} {named(many)}) }}"
    return f"not {more}" if sign[0] == "<" else more


def next_to_goto(t: Teller, form: str) -> Clause:
    it = words.naming(t.rng, t.item())
    return Clause("next_to_goto", form, t.say("next_to_goto", form, x=it.text), f"at(thing beside {named(it.bare)})")


PICKS: dict[Maker, float] = {
    pick_goto: 6,
    pick_face: 4,
    pick_picture: 3,
    pick_say: 3,
    side_pick_goto: 1.5,
    side_pick_face: 2,
    side_count_pick: 3,
    next_to_goto: 2.5,
}
