"""What people want of a warehouse robot: each maker throws the dice for goals, and finds the words for them."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.telling import Unsaid
from lessons.warehouse_talk import Clause, Talker
from lessons.warehouse_world import Good, a, plural
from sayso.robots.warehouse.names import EVERY, HOME, MISPLACED, THING


def move(t: Talker, main: bool = True, whole: bool = False, **wanted: str) -> Clause:
    said, thing, good = t.thing(**wanted)
    to = t.spot(good.place if t.rng.random() < 0.9 else "")
    told = t.rng.random() < 0.2 and good.place in t.hall.names.spots and good.place != to
    source = good.place if told else t.where(thing, good.name)
    if to == source:
        raise Unsaid("it is there")
    t.pair(good.name, to)
    kind = "sentences" if whole else "orders"
    slots = {"x": said, "it": "it", **t.placed(to)}
    if told:
        slots["f"] = t.place_named(source)
    words = t.say("warehouse.from" if told else "warehouse.move", kind, main=main, **slots)
    return Clause(words, (f"{thing} from {source} to {to}" if told else f"{thing} to {to}",), whole)


def single(t: Talker) -> Clause:
    return move(t, whole=t.rng.random() < 0.35)


def described(t: Talker) -> Clause:
    """A thing by its colour and kind, or the most of its kind."""
    said, thing, source = kind_thing(t)
    to = t.spot(source)
    words, whole = _as_order(t, t.rng.random() < 0.25, said, to)
    return Clause(words, (f"{thing} to {to}",), whole)


def _as_order(t: Talker, whole: bool, said: str, to: str, it: str = "it") -> tuple[str, bool]:
    if to == t.hall.place("out") and t.rng.random() < 0.3:
        return t.say("warehouse.ship", "sentences" if whole else "orders", x=said, it=it), whole
    kind = "sentences" if whole else "orders"
    return t.say("warehouse.move", kind, x=said, it=it, **t.placed(to)), whole


def thing_of(goal: str) -> str:
    """What a goal is about."""
    return goal.partition(" to ")[0].partition(" from ")[0]


SIZES = {
    "smallest": ("smallest", "tiniest", "littlest"),
    "biggest": ("biggest", "largest", "bigger", "hugest"),
    "tallest": ("tallest", "highest"),
    "heaviest": ("heaviest",),
    "lightest": ("lightest",),
}


def moves(t: Talker) -> Clause:
    """Several one after the other."""
    clauses: list[Clause] = []
    for _ in range(t.rng.choice((2, 2, 3, 3, 3, 4))):
        some = described(t) if t.rng.random() < 0.15 and t.side.held != "combo" else move(t)
        if not some.whole and all(thing_of(g) not in str(clauses) for g in some.goals):
            clauses.append(some)
    return joined(t, clauses)


def joined(t: Talker, clauses: Sequence[Clause]) -> Clause:
    if len(clauses) < 2:
        raise Unsaid("one is not several")
    said = clauses[0].said
    commas = t.rng.random() < 0.3
    for n, clause in enumerate(clauses[1:], 2):
        if n == len(clauses):
            said = t.say("warehouse.last", "frames", main=False, A=said, B=clause.said)
        elif commas:
            said = f"{said}, {clause.said}"
        else:
            frame = t.say("warehouse.join", "frames", main=False, A="{A}", B="{B}")
            if frame.startswith(("first", "1.")) and n > 2:
                raise Unsaid("first comes first")
            said = frame.replace("{A}", said).replace("{B}", clause.said)
    return Clause(said, tuple(g for c in clauses for g in c.goals))


def _listing(t: Talker, count: int, **wanted: str) -> tuple[str, list[tuple[str, Good]]]:
    """Some different things as a list in words."""
    found: list[tuple[str, Good]] = []
    words: list[str] = []
    for _ in range(count * 3):
        said, thing, good = t.thing(**wanted)
        if len(found) < count and all(g.name != good.name for _, g in found):
            found.append((thing, good))
            words.append(said)
    if len(found) < 2:
        raise Unsaid("too few")
    if t.rng.random() < 0.3:
        words = [t.thing_named(g.name) for _, g in found]
    last = t.rng.choice((" and ", " and ", ", and ", " plus ", ", ", " as well as "))
    return f"{', '.join(words[:-1])}{last}{words[-1]}", found


def same_place(t: Talker) -> Clause:
    """Several things to one place."""
    said, found = _listing(t, t.rng.choice((2, 2, 3, 3, 4)))
    to = t.spot()
    sources = [t.where(thing, good.name) for thing, good in found]
    if to in sources:
        raise Unsaid("some are there")
    for _, good in found:
        t.pair(good.name, to)
    words, whole = _as_order(t, t.rng.random() < 0.3, said, to, "them")
    if t.rng.random() < 0.1:
        words, whole = t.say("warehouse.move", x=said, it="it", **t.placed(to)), False
    goals = (f"{thing} to {to}" for thing, _ in found)
    return Clause(words, tuple(goals), whole)


def twice(t: Talker) -> Clause:
    """Two or three of a kind: to one place, or one here and one there."""
    _, _, good = t.thing()
    some, source = t.thing_named(good.name), t.hall.home(good.name)
    to = t.spot(source)
    if t.rng.random() < 0.5:
        count = t.rng.choice((2, 2, 3))
        number = {2: t.rng.choice(("two", "2", "a couple of", "both")), 3: t.rng.choice(("three", "3"))}[count]
        words, whole = _as_order(t, t.rng.random() < 0.3, f"{number} {plural(some)}", to, "them")
        return Clause(words, (f"{good.name} to {to}",) * count, whole)
    other = t.spot(source, to)
    one = t.say("warehouse.move", x=a(some), it="it", **t.placed(to))
    two = t.say("warehouse.move", x=t.rng.choice((f"another {some}", f"a second {some}", a(some))), it="it",
                **t.placed(other))  # fmt: skip
    both = [
        Clause(one, (f"{good.name} to {to}",)),
        Clause(two, (f"{good.name} to {other}",)),
    ]
    if t.rng.random() < 0.4:
        both.append(move(t))
    return joined(t, both)


def chain(t: Talker) -> Clause:
    """A thing that goes on to another place later."""
    said, thing, good = t.thing()
    source = t.where(thing, good.name)
    to = t.spot(source)
    then = t.spot(to)
    clauses: list[Clause] = [Clause(t.say("warehouse.move", x=said, it="it", **t.placed(to)), (f"{thing} to {to}",))]
    for _ in range(t.rng.choice((0, 1, 1, 2))):
        between = move(t)
        if thing_of(between.goals[0]) != thing:
            clauses.append(between)
    again = t.rng.choice((f"the {t.thing_named(good.name)}", f"the same {good.name}", f"that {good.name}"))
    if len(clauses) > 1 and t.rng.random() < 0.4:
        again = a(t.thing_named(good.name))
    goal = (f"{thing} from {to} to {then}",)
    if t.rng.random() < 0.5:
        back = t.say("warehouse.back", "frames", x=again, x1=good.name, it="it", **t.placed(then))
        rest = joined(t, clauses) if len(clauses) > 1 else clauses[0]
        return Clause(f"{rest.said}, {back}", (*rest.goals, *goal))
    clauses.append(Clause(t.say("warehouse.move", x=again, it="it", **t.placed(then)), goal))
    return joined(t, clauses)


def every(t: Talker) -> Clause:
    """Every thing of a kind, of a colour, or of a name."""
    category = t.rng.choice(list(t.hall.names.homes))
    roll = t.rng.random()
    some = [g for g in t.hall.goods if g.category == category and g.place]
    if not some:
        raise Unsaid("none")
    good = t.rng.choice(some)
    if roll < 0.4:
        thing, one = f"{good.colour} {category}", f"{good.colour} {category}"
    elif roll < 0.7:
        thing, one = category, category
    else:
        thing, one = good.name, t.thing_named(good.name)
    several = one if category.endswith("stuff") and one.endswith("stuff") else plural(one)
    if one == thing and t.rng.random() < 0.2:
        several = one
    source = good.place if t.rng.random() < 0.35 and good.place in t.hall.names.spots else t.home_of(category)
    told = source != t.home_of(category) or t.rng.random() < 0.2
    to = t.spot(source)
    whole = t.rng.random() < 0.25
    slots = {"xs": several, "x1": one, **t.placed(to)} | ({"f": t.place_named(source)} if told else {})
    words = t.say("warehouse.all_from" if told else "warehouse.all", "sentences" if whole else "orders", **slots)
    return Clause(words, (f"{EVERY} {thing} from {source} to {to}" if told else f"{EVERY} {thing} to {to}",), whole)


def everything(t: Talker) -> Clause:
    source = t.spot()
    to = t.spot(source)
    whole = t.rng.random() < 0.25
    words = t.say("warehouse.everything", "sentences" if whole else "orders", f=t.place_named(source), **t.placed(to))
    return Clause(words, (f"{EVERY} {THING} from {source} to {to}",), whole)


def sorted_home(t: Talker) -> Clause:
    source = t.spot()
    whole = t.rng.random() < 0.25
    words = t.say("warehouse.sort", "sentences" if whole else "orders", f=t.place_named(source))
    return Clause(words, (f"{EVERY} {THING} from {source} to {HOME}",), whole)


def sort_some(t: Talker) -> Clause:
    """Named things from a place to where each belongs."""
    source = t.hall.place("in") if t.rng.random() < 0.6 else t.spot()
    if not source:
        raise Unsaid("nothing comes in here")
    said, found = _listing(t, t.rng.choice((2, 2, 3, 3, 4)))
    if any(t.hall.home(good.name) == source for _, good in found):
        raise Unsaid("it is home")
    whole = t.rng.random() < 0.2
    words = t.say("warehouse.sort_some", "sentences" if whole else "orders", x=said, it="they",
                  f=t.place_named(source))  # fmt: skip
    words = words.replace("bring they", "bring them").replace("put they", "put them").replace("get they", "get them")
    goals = tuple(f"{thing} from {source} to {HOME}" for thing, _ in found)
    return Clause(words, goals, whole)


def receive(t: Talker) -> Clause:
    source = t.hall.place("in")
    if not source:
        raise Unsaid("nothing comes in here")
    category = t.rng.choice(list(t.hall.names.homes))
    if t.rng.random() < 0.5:
        thing, one = category, category
        several = t.rng.choice((plural(category), category))
    else:
        thing = t.rng.choice([n for n, c in t.hall.names.kinds.items() if c == category])
        one = t.thing_named(thing)
        several = t.rng.choice((plural(one), plural(one), one))
    whole = t.rng.random() < 0.3
    words = t.say("warehouse.receive", "sentences" if whole else "orders", xs=several)
    return Clause(words, (f"{EVERY} {thing} from {source} to {HOME}",), whole)


def ship(t: Talker) -> Clause:
    to, whole = t.hall.place("out"), t.rng.random() < 0.35
    if t.rng.random() < 0.3:
        said, found = _listing(t, t.rng.choice((2, 3)))
        goals = tuple(f"{thing} to {to}" for thing, _ in found)
        return Clause(t.say("warehouse.ship", "sentences" if whole else "orders", x=said, it="them"), goals, whole)
    said, thing, _good = t.thing()
    words = t.say("warehouse.ship", "sentences" if whole else "orders", x=said, it="it")
    return Clause(words, (f"{thing} to {to}",), whole)


def misplaced(t: Talker) -> Clause:
    whole = t.rng.random() < 0.25
    kind = "sentences" if whole else "orders"
    tables = [p for p in t.hall.names.places if p in t.hall.names.tables]
    if t.rng.random() < 0.5:
        source = t.rng.choice(tables)
        to = t.spot(source)
        words = t.say("warehouse.misplaced_on", kind, f=t.place_named(source), **t.placed(to))
        return Clause(words, (f"{EVERY} {MISPLACED} {THING} from {source} to {to}",), whole)
    to = t.spot(*tables)
    words = t.say("warehouse.misplaced", kind, **t.placed(to))
    return Clause(words, (f"{EVERY} {MISPLACED} {THING} to {to}",), whole)


def go_there(t: Talker) -> Clause:
    place, whole = t.rng.choice(t.hall.names.places), t.rng.random() < 0.25
    words = t.say("warehouse.go", "sentences" if whole else "orders", p=t.place_named(place))
    return Clause(words, (f"go {place}",), whole)


def and_return(t: Talker) -> Clause:
    """Some work, then back to a place."""
    work = t.rng.choice((move, same_place, moves, described))(t)
    if work.whole:
        raise Unsaid("no order")
    place = t.hall.place("start") if t.rng.random() < 0.7 else t.rng.choice(t.hall.names.places)
    said = t.say("warehouse.return", "frames", c=work.said, p=t.place_named(place))
    return Clause(said, (*work.goals, f"go {place}"))


def plain_thing(t: Talker) -> tuple[str, str, str]:
    said, thing, good = t.thing()
    return said, thing, t.where(thing, good.name)


def kind_thing(t: Talker) -> tuple[str, str, str]:
    """A thing by its kind and colour or size, where such things belong."""
    category = t.rng.choice(list(t.hall.names.homes))
    home = t.home_of(category)
    some = [g for g in t.hall.goods if g.category == category and g.place == home]
    if not some:
        raise Unsaid("none there")
    good, roll = t.rng.choice(some), t.rng.random()
    if roll < 0.5:
        said = a(f"{good.colour} {category}") if t.rng.random() < 0.7 else f"the {good.colour} {category}"
        return said, f"{good.colour} {category}", home
    if roll < 0.85:
        size, ways = t.rng.choice(tuple(SIZES.items()))
        return f"the {t.rng.choice(ways)} {category}", f"{size} {category}", home
    return t.rng.choice((f"any {category}", f"some {category}", a(category), f"one {category}")), category, home


def every_thing(t: Talker) -> tuple[str, str, str]:
    """All of a kind."""
    _, thing, home = kind_thing(t)
    if thing.split()[0] in SIZES:
        raise Unsaid("there is one of them")
    several = plural(thing) if t.rng.random() < 0.7 else thing
    on = f" on {t.place_named(home)}" if t.rng.random() < 0.3 else ""
    article = t.rng.choice(("all the", "all", "every", "all of the"))
    return f"{article} {thing if article == 'every' else several}{on}", f"{EVERY} {thing}", home
