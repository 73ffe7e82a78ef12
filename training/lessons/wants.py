"""Wishes that describe a thing by what it is good for, how it tastes, what it looks like."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from knowledge import COLOURS, Item, Quality, items, qualities
from lessons import words
from lessons.described import described
from lessons.saying import moved, named
from lessons.simple import Clause, Maker, aside
from lessons.telling import Teller, Unsaid, pair_held_out
from sayso.robots.drone.goal_plan import UP_TO_CM
from sayso.scene import Thing

FURNITURE = ("table", "shelf", "chair", "cabinet", "sofa", "bench", "bookshelf", "dresser", "stool")

SUITE_PAIRS = frozenset({("yellow", "sweet"), ("red", "sweet"), ("sweet", "yellow"), ("sweet", "red")})
"""Joined in the benchmark's own sentences, so never in training."""


@dataclass(frozen=True, slots=True)
class Want:
    """A description as a noun phrase. Where the table knows what is described, `ask` is the question for it, and `fits`
    judges; where it joins several qualities, `parts` judge by one of them each.
    """

    noun: str
    ask: str = ""
    fits: Callable[[Thing], bool] = lambda thing: False
    hints: tuple[str, ...] = ()
    parts: tuple[Callable[[Thing], bool], ...] = ()
    first: str = ""
    """How it is called where a sentence only lets it be guessed."""

    def called(self, said: str) -> str:
        """How a sentence calls it."""
        return self.noun if self.noun in said else self.bare

    @property
    def bare(self) -> str:
        """The noun phrase as it stands behind "no"."""
        first, _, rest = self.noun.partition(" ")
        return (
            f"thing {rest}"
            if first in ("something", "anything")
            else rest
            if first in ("a", "an", "some")
            else self.noun
        )


def want(t: Teller, hinted: bool = False) -> Want:
    """Some description, now and then in words that no table knows; with `hinted`, one that can be guessed from what
    people say."""
    if not hinted and t.side.held != "combo" and t.rng.random() < 0.3:
        return Want(described(t.rng))
    return judged(t, hinted)


def judged(t: Teller, hinted: bool = False) -> Want:
    """A description by which the table tells what fits."""
    if hinted and t.side.held == "combo":
        raise Unsaid("a hint joins nothing")
    roll = 1.0 if hinted else t.rng.random()
    if t.side.held == "combo" or roll < 0.22:
        return _joined(t)
    if roll < 0.28:
        colour = t.rng.choice(COLOURS)
        return _of_adjectives(t.rng, [(colour, coloured(colour))], words.shade(t.rng, colour))
    choice = [q for q in known() if q.hints or not hinted]
    return of_quality(t.rng, t.rng.choices(choice, [weight(q, hinted) for q in choice])[0])


def weight(quality: Quality, hinted: bool) -> float:
    """What people ask for often comes often: what has many ways to be said."""
    return len(quality.hints if hinted else quality.nouns) + 1


@functools.cache
def known() -> tuple[Quality, ...]:
    """The qualities that some thing has which training knows."""
    taught = frozenset[str]().union(*(item.words for item in items().values() if not item.held_out))
    return tuple(q for q in qualities().values() if q.test in taught)


def of_quality(rng: Random, quality: Quality) -> Want:
    nouns = quality.nouns
    return Want(rng.choice(nouns), quality.ask, having(quality.test), quality.hints, first=nouns[0])


def having(test: str) -> Callable[[Thing], bool]:
    return lambda thing: thing.label in items() and test in items()[thing.label].words


def coloured(colour: str) -> Callable[[Thing], bool]:
    """By what is seen; by what is usual where the camera does not tell."""

    def fits(thing: Thing) -> bool:
        if thing.label == "person":
            return False
        seen = thing.attributes.get("color")
        return seen == colour if seen else colour in _usual(thing.label)

    return fits


def _usual(label: str) -> tuple[str, ...]:
    item = items().get(label)
    return item.colours if item and len(item.colours) == 1 else ()


def _joined(t: Teller) -> Want:
    """Two adjectives: a colour and a quality, or two qualities."""
    adjectives = [q for q in known() if q.adjective]
    one, other = t.rng.sample(adjectives, 2)
    first = (one.adjective, having(one.test))
    second = (other.adjective, having(other.test))
    if t.rng.random() < 0.65:
        colour = t.rng.choice(COLOURS)
        first = (colour, coloured(colour))
    if t.side.held == "combo" and t.rng.random() < 0.9:
        first, second = _held_out_pair(t.rng, adjectives)
    names = first[0], second[0]
    if names in SUITE_PAIRS and t.side.held != "combo":
        raise Unsaid("a pair of the benchmark")
    t.pair(*sorted(names))
    t.pairs += names in SUITE_PAIRS
    chosen = [first, second]
    t.rng.shuffle(chosen)
    return _of_adjectives(t.rng, chosen)


def _held_out_pair(rng: Random, adjectives: list[Quality]) -> tuple[tuple[str, Callable[[Thing], bool]], ...]:
    while True:
        colour, other = rng.choice(COLOURS), rng.choice(adjectives)
        if pair_held_out(*sorted((colour, other.adjective))) or (colour, other.adjective) in SUITE_PAIRS:
            return (colour, coloured(colour)), (other.adjective, having(other.test))


def _of_adjectives(rng: Random, parts: list[tuple[str, Callable[[Thing], bool]]], said: str = "") -> Want:
    """`said` is what the only one of them is called, where that is another word."""
    asked = " and ".join(name for name, _ in parts)
    names = [said] if said else [name for name, _ in parts]
    both = " and ".join(names)
    nouns = [f"something {both}", f"something that is {both}", f"anything {both}", f"a thing that is {both}"]
    if len(names) == 2:
        nouns += [
            f"something {names[0]}, {names[1]}",
            f"something {names[0]} but also {names[1]}",
            f"a {names[0]}, {names[1]} thing",
        ]
    else:
        nouns += [f"a {both} thing", f"a {both} object", f"anything {both} coloured"]
    tests = [test for _, test in parts]
    fits = lambda thing: all(test(thing) for test in tests)  # noqa: E731
    return Want(rng.choice(nouns), f"What is {asked}?", fits, parts=tuple(tests))


def candidates(want_: Want) -> list[Item]:
    """The kinds of things that fit, in some colour that they have; for scenes that need one."""
    some = {i.label: [Thing("", i.label), *(Thing("", i.label, attributes={"color": c}) for c in i.colours)]
            for i in items().values()}  # fmt: skip
    return [items()[label] for label, things in some.items() if any(map(want_.fits, things))]


def half_right(want_: Want, like: Item | None) -> list[Item]:
    """Kinds of things that are easily mistaken: they have some of the qualities and not all, or are like what fits."""
    things = {item.label: Thing("", item.label) for item in items().values()}
    if want_.parts:
        nearly = {label for label, thing in things.items() if any(test(thing) for test in want_.parts)}
    else:
        telling = {word for word in like.words if word.startswith(("taste ", "use ", "kind "))} if like else set()
        nearly = {item.label for item in items().values() if telling & item.words}
    return [items()[label] for label in sorted(nearly) if not want_.fits(things[label])]


# The wishes


def _searching(intent: str, goal: str, hinted: bool = False) -> Maker:
    def make(t: Teller, form: str) -> Clause:
        it = want(t, hinted)
        slots = {"hint": t.rng.choice(it.hints)} if hinted else {"q": it.noun, "q1": it.bare}
        said = t.say(intent, form, **slots)
        return Clause(intent, form, said, goal.format(q=named(it.first if hinted else it.called(said))))

    return make


want_goto = _searching("want_goto", "at({q})")
want_find = _searching("want_find", "named({q})")
want_picture = _searching("want_picture", "picture({q})")
want_return = _searching("want_return", "at({q}) then home")
hint = _searching("hint", "at({q})", hinted=True)


def _aside(intent: str, goal: str, on_furniture: bool = False) -> Maker:
    def make(t: Teller, form: str) -> Clause:
        it, (turn, side) = want(t), words.side(t.rng, *(("behind", "left", "right") if on_furniture else ()))
        said = t.say(intent, form, q=it.noun, side=side, furniture=t.rng.choice(FURNITURE))
        return Clause(intent, form, aside(said), f"{turn} then {goal.format(q=named(it.noun))}")

    return make


side_want_find = _aside("side_want_find", "named({q})")
place_want_find = _aside("place_want_find", "named({q})", on_furniture=True)
side_want_picture = _aside("side_want_picture", "picture({q})")


AWAY = (("forward", "fwd"), ("back", "bwd"), ("left", "lft"), ("right", "rgt"), ("down", "dwn"), ("up", "up"))
"""Moves, and where `words.toml` has what they are called."""


def lift_want_else(t: Teller, form: str) -> Clause:
    """Up, mostly, a look, and one of two things, as it turns out."""
    it, amount = want(t), words.distance_cm(t.rng)
    to, slot = t.rng.choice(AWAY) if t.rng.random() < 0.35 else ("up", "up")
    first, where = words.side(t.rng)
    if t.rng.random() < 0.75 and words.LITTLE_CM < amount.value <= UP_TO_CM:
        by = t.rng.choice(("{way} {d}", "{way} {d}", "{way} for {d}", "{way} by {d}", "{d} {way}", "{way} about {d}"))
        where = by.format(way=t.rng.choice(words.direction(slot)), d=amount.text)
        first = moved(to, amount.text)
    said, q = t.say("lift_want_else", form, q=it.noun, where=where, furniture=t.rng.choice(FURNITURE)), named(it.noun)
    goal = f"{first} then if sees({q}) {{ picture({q}) }} else {{ home }}"
    return Clause("lift_want_else", form, aside(said), goal)


def either_want(t: Teller, form: str) -> Clause:
    one, other = _two(t)
    said = t.say("either_want", "sentences", q=one.noun, q1=one.bare, q2=other.noun)
    goal = f"at({named(one.called(said))}) or at({named(other.noun)})"
    return Clause("either_want", "sentences", said, goal)


def either_want_return(t: Teller, form: str) -> Clause:
    one, other = _two(t)
    said, q = t.say("either_want_return", "sentences", q=one.noun, q2=other.noun), named(one.noun)
    goal = f"if found({q}) {{ at({q}) then home }} else {{ at({named(other.noun)}) }}"
    return Clause("either_want_return", "sentences", said, goal)


def _two(t: Teller) -> tuple[Want, Want]:
    one, other = want(t), want(t)
    if (one.ask or one.noun) == (other.ask or other.noun):
        raise Unsaid("the same twice")
    return one, other


WANTS: dict[Maker, float] = {
    want_goto: 5, want_find: 9, want_picture: 2, want_return: 2, hint: 7, side_want_find: 4, place_want_find: 3,
    side_want_picture: 1.5, lift_want_else: 8, either_want: 2, either_want_return: 1.5,
}  # fmt: skip
