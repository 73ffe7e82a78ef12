"""Readings for the robot that brings things: a wish in many voices, and what it says in the language of goals.

    take the other lemon, not that of the toy rack, to shipping => placed(lemon but lemon from 'toy rack', shipping)

Orders are drawn as the step lessons draw them, from halls and frames; around them operators, each with a bank of ways
to say it (`frames/errands.toml`). Things and places are called by the very words of the sentence, and often by names
that no hall has: what is where, and whether it is there at all, is no matter of reading.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from knowledge import COLOURS, items
from lessons.described import described
from lessons.guard import DRONE, WAREHOUSE
from lessons.lists import lists
from lessons.phrasing import fill
from lessons.record import Lesson, output
from lessons.saying import named
from lessons.strange import name as strange_name
from lessons.telling import Side, Unsaid
from lessons.voice import rough
from lessons.wants import known
from lessons.warehouse_talk import Talker, lines_of
from lessons.warehouse_world import a, data, hall, plural
from sayso.grounding.utterance import figured, table
from sayso.models.pocket.text import WISH_CHARS
from sayso.robots.warehouse.form import SAYABLE

TRIES = 400
SIDES = ("frame", "combo")
STRANGE = 0.3
"""How often a thing or a place is called by a name that no hall has."""

RANKS = {
    "smallest": (("smallest", "tiniest", "littlest", "slightest"), ("smaller", "littler")),
    "largest": (("largest", "biggest", "hugest", "greatest"), ("larger", "bigger")),
    "tallest": (("tallest",), ("taller",)),
    "shortest": (("shortest",), ("shorter",)),
}
NTH = {2: "second", 3: "third", 4: "fourth"}
NEEDS = {
    "eat": "something to eat", "drink": "something to drink", "gift": "something to play with",
    "repair": "something to repair things with", "write": "something to write with", "read": "something to read",
    "clean": "something to clean with", "wear": "something to wear", "heal": "something for a wound",
    "caffeine": "something with caffeine", "vitamin": "something rich in vitamin c", "sour": "something sour",
    "alcohol": "something alcoholic", "breakfast": "something for breakfast", "cold": "something that keeps me warm",
    "nail": "something to drive in a nail", "water": "something refreshing",
}  # fmt: skip
"""What a need is called where a wish only hints at it."""
HOMES = ("where {it} belongs", "its own table", "its usual place", "its proper place", "where {it} lives", "its home")
NUMBERS = {2: ("two", "2", "a couple of", "a pair of", "both"), 3: ("three", "3"), 4: ("four", "4"), 5: ("five", "5")}
ELSEWHERE = {"knowledge": 3, "order": 2, "harm": 2, "chat": 3, "inject": 2, "foreign": 1, "negative": 1, "absurd": 4}
"""What the drone refuses and this robot refuses as well."""
REFUSED = {"handle": 6, "two": 2, "both": 1, "knowledge": 4, "harm": 3, "order": 2, "chat": 2, "absurd": 2, "inject": 1}
MISSING = {"where": 4, "what": 4, "which": 1, "move": 2, "count": 1}


SHAPES = {
    "two": ("a>p b>q", 12), "three": ("a>p b>q c>r", 16), "same2": ("a>p b>p", 8), "same3": ("a>p b>p c>p", 13),
    "two_one": ("a>p b>p c>q", 10), "one_two": ("a>p b>q c>q", 7), "outer": ("a>p b>q c>p", 7), "twins": ("x>p x>q", 3),
    "twins_one": ("x>p x>q a>r", 4), "chain2": ("a>p a>q", 2), "chain3": ("a>p b>q a>r", 7),
    "chain_same": ("a>p b>p a>q", 6), "home2": ("a>h b>h", 6), "home3": ("a>h b>h c>h", 12),
    "same2_go": ("a>p b>p >g", 6), "one_go": ("a>p >g", 3),
}  # fmt: skip
"""What goes where, and how often: `h` is where a thing belongs, from `f`; `g` is where the robot ends up."""


@dataclass(frozen=True, slots=True)
class Said:
    """A thing or a place: as it is said, as it is written in a goal, and without its article; several of the kind."""

    said: str
    goal: str
    one: str = ""
    many: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted, in words that can be joined, and as a goal; a `whole` sentence stands alone."""

    words: str
    goal: str
    whole: bool = False


def errand_lesson(seed: int, number: int, held_out: float = 0.1) -> Lesson:
    """The lesson of that number. Dice that make none are thrown again."""
    rng = Random(f"errand/{seed}/{number}")
    held = rng.choice(SIDES) if rng.random() < held_out else ""
    for _ in range(TRIES):
        t = Talker(rng, Side(held), hall(rng))
        family = rng.choices(tuple(FAMILIES), tuple(FAMILIES.values()))[0]
        try:
            order = _MAKERS[family](t)
            sentence = _spoken(t, order) if family != "refuse" else rough(rng, order.words)
            t.complete()
            return _read(t, f"e{seed}-{number}", family, order, sentence)
        except Unsaid:
            continue
    raise RuntimeError(f"no errand {number} of seed {seed} for the side {held!r} in {TRIES} tries")


def _read(t: Talker, id_: str, family: str, order: Order, sentence: str) -> Lesson:
    """Raises `Unsaid` for what cannot be read to the letter, and for what no lesson may say."""
    prompt = SAYABLE.reads(sentence)
    held = SAYABLE.constraint(prompt)
    if len(sentence) >= WISH_CHARS or not (held.take(order.goal) and held.may_end):
        raise Unsaid(f"{order.goal!r} is not in {prompt!r}")
    if any(guard.forbids(sentence) for guard in (WAREHOUSE, DRONE)):
        raise Unsaid("a benchmark's sentence")
    return Lesson(id_, t.side.held, "errand", f"errand.{family}", sentence, prompt, output(order.goal), tuple(t.frames))


def _spoken(t: Talker, order: Order) -> str:
    """With all that people put around it."""
    said, roll = order.words, t.rng.random()
    if not order.whole and roll < 0.55:
        said = t.say("warehouse.order", "frames", main=False, c=said)
    roll = t.rng.random()
    if roll < 0.1:
        kind = t.rng.choice(("before", "after"))
        said = t.say("errand.aside", kind, main=False, s=said.rstrip("."), n=_noun(t))
    elif roll < 0.16:
        said = f"{t.rng.choice(lines_of('warehouse.chatter', 'before'))} {said}"
    elif roll < 0.22:
        said = f"{said.rstrip('.')}. {t.rng.choice(lines_of('warehouse.chatter', 'after'))}"
    elif roll < 0.4:
        said = f"{said[:1].upper()}{said[1:]}."
    return rough(t.rng, said)


# Things and places


def _noun(t: Talker, without: Sequence[str] = ()) -> str:
    """What some thing is called: by the hall, by a table of other things, or by no table."""
    roll = t.rng.random()
    for _ in range(9):
        if roll < STRANGE / 2:
            noun = strange_name(t.rng, " ".join(without))
        elif roll < STRANGE:
            noun = t.rng.choice([i.label for i in items().values() if not i.held_out and i.label != "person"])
        else:
            name = t.rng.choice(list(t.hall.names.kinds))
            t.about.add(name)
            noun = t.thing_named(name)
        if all(noun not in other and other not in noun for other in without):
            return noun
    raise Unsaid("the same thing twice")


def thing(t: Talker, *without: Said) -> Said:
    """One thing."""
    noun = _noun(t, [w.one for w in without])
    if t.rng.random() < 0.15:
        noun = f"{t.rng.choice(COLOURS)} {noun}"
    roll = t.rng.random()
    said = f"the {noun}" if roll < 0.5 else a(noun) if roll < 0.85 else f"one {noun}" if roll < 0.9 else noun
    return Said(said, named(noun), noun, plural(noun))


def _what(t: Talker) -> tuple[str, list[str], str]:
    """What is to be brought: in words, as goals have it, and the pronoun for it."""
    roll = t.rng.random()
    if roll < 0.55:
        one = thing(t)
        return one.said, [one.goal], "it"
    if roll < 0.65:
        one, n = thing(t), t.rng.choice((2, 2, 2, 3, 3, 4, 5))
        return f"{t.rng.choice(NUMBERS[n])} {one.many}", [f"{n} {named(one.many)}"], "them"
    if roll < 0.72:
        rank, said = _rank(t)
        one = thing(t)
        return f"the {said} {one.one}", [f"{rank} {one.goal}"], "it"
    if roll < 0.8:
        said = described(t.rng) if t.rng.random() < 0.4 else t.rng.choice(t.rng.choice(known()).nouns)
        return said, [named(said)], "it"
    found: list[Said] = []
    for _ in range(t.rng.choice((2, 2, 3, 3, 4))):
        found.append(thing(t, *found))
    said = [one.said for one in found] if t.rng.random() < 0.7 else [one.one for one in found]
    last = t.rng.choice((" and ", " and ", ", and ", " plus ", ", ", " as well as "))
    return f"{', '.join(said[:-1])}{last}{said[-1]}", [one.goal for one in found], "them"


def _rank(t: Talker) -> tuple[str, str]:
    rank = t.rng.choice(("smallest", "largest", "smallest", "largest", "tallest", "shortest"))
    return rank, t.rng.choice(RANKS[rank][0])


def place(t: Talker, *without: Said) -> Said:
    """Where things go or come from; `one` is the same with a preposition."""
    for _ in range(9):
        if t.rng.random() < STRANGE / 2:
            noun = strange_name(t.rng, "") if t.rng.random() < 0.5 else t.rng.choice(_FURNITURE)
            noun = (
                f"{noun} {t.rng.choice(('shelf', 'table', 'rack', 'counter', 'corner'))}"
                if t.rng.random() < 0.5
                else noun
            )
            slots = {"p": f"the {noun}", "on": f"{t.rng.choice(('on', 'on', 'in', 'at', 'by'))} the {noun}"}
        else:
            slots = t.placed(t.spot())
        goal = named(slots["p"])
        if all(goal != other.goal for other in without):
            return Said(slots["p"], goal, slots["on"])
    raise Unsaid("no other place")


_FURNITURE = tuple(i.label for i in items().values() if i.kind == "furniture" and not i.held_out)


def _target(t: Talker) -> Said:
    """Where things go: now and then where each belongs."""
    if t.rng.random() > 0.06:
        return place(t)
    said = t.rng.choice(HOMES).replace("{it}", "it")
    return Said(said, "home", said if said.startswith("where") else f"in {said}")


def _to(where: Said) -> dict[str, str]:
    return {"p": where.said, "on": where.one}


def brought(goals: Sequence[str], where: str) -> str:
    return "; ".join(f"placed({which}, {where})" for which in goals)


def _spoken_for(use: str, text: str) -> str:
    """The word of a sentence that tells a place by what it is for: "ship it", "what came in"."""
    said = f" {figured(text.lower())} "
    word = next((w for w in table()["purposes"][use] if f" {w} " in said.replace(",", " ").replace(".", " ")), "")
    if not word:
        raise Unsaid("no word for the place")
    return named(word)


def _as_said(many: str, one: str, text: str) -> str:
    return named(many if many in text else one)


def _kind(t: Talker) -> str:
    return "sentences" if t.rng.random() < 0.3 else "orders"


# Orders


def move(t: Talker) -> Order:
    kind, (said, goals, it), to = _kind(t), _what(t), _target(t)
    if len(goals) == 1:
        t.pair(goals[0], to.goal)
    return Order(t.say("warehouse.move", kind, x=said, it=it, **_to(to)), brought(goals, to.goal), kind == "sentences")


def moved_from(t: Talker) -> Order:
    kind, (said, goals, it), to = _kind(t), _what(t), _target(t)
    source = place(t, to)
    words = t.say("warehouse.from", kind, x=said, it=it, f=source.said, **_to(to))
    return Order(words, brought([f"{g} from {source.goal}" for g in goals], to.goal), kind == "sentences")


def ship(t: Talker) -> Order:
    kind, (said, goals, it) = _kind(t), _what(t)
    words = t.say("warehouse.ship", kind, x=said, it=it)
    return Order(words, brought(goals, _spoken_for("out", words)), kind == "sentences")


def receive(t: Talker) -> Order:
    kind, one = _kind(t), t.rng.choice((thing(t), _category(t)))
    words = t.say("warehouse.receive", kind, xs=one.many)
    return Order(words, f"placed(all {named(one.many)} from {_spoken_for('in', words)}, home)", kind == "sentences")


def _category(t: Talker) -> Said:
    category = t.rng.choice(list(t.hall.names.homes))
    return Said(f"the {category}", named(category), category, plural(category))


def every(t: Talker) -> Order:
    kind, one, to = _kind(t), t.rng.choice((thing, _category, _category))(t), _target(t)
    noun, several = one.one, one.many
    if t.rng.random() < 0.25:
        colour = t.rng.choice(COLOURS)
        noun, several = f"{colour} {noun}", f"{colour} {several}"
    source = place(t, to) if t.rng.random() < 0.35 else None
    slots = {"xs": several, "x1": noun, **_to(to)} | ({"f": source.said} if source else {})
    words = t.say("warehouse.all_from" if source else "warehouse.all", kind, **slots)
    which = f"all {_as_said(several, noun, words)}{f' from {source.goal}' if source else ''}"
    return Order(words, f"placed({which}, {to.goal})", kind == "sentences")


def everything(t: Talker) -> Order:
    kind, to = _kind(t), place(t)
    source = place(t, to)
    roll = t.rng.random()
    if roll < 0.4:
        words = t.say("warehouse.everything", kind, f=source.said, **_to(to))
        return Order(words, f"placed(all thing from {source.goal}, {to.goal})", kind == "sentences")
    if roll < 0.75:
        words = t.say("warehouse.sort", kind, f=source.said)
        return Order(words, f"placed(all thing from {source.goal}, home)", kind == "sentences")
    if roll < 0.83:
        return Order(t.say("errand.stray"), "placed(all thing.misplaced, home)")
    if roll < 0.92:
        words = t.say("warehouse.misplaced", kind, **_to(to))
        return Order(words, f"placed(all thing.misplaced, {to.goal})", kind == "sentences")
    words = t.say("warehouse.misplaced_on", kind, f=source.said, **_to(to))
    return Order(words, f"placed(all thing.misplaced from {source.goal}, {to.goal})", kind == "sentences")


def sort_some(t: Talker) -> Order:
    said, goals, _ = _what(t)
    source, kind = place(t), "sentences" if t.rng.random() < 0.2 else "orders"
    words = t.say("warehouse.sort_some", kind, x=said, it="they", f=source.said)
    for verb in ("bring", "put", "get"):
        words = words.replace(f"{verb} they", f"{verb} them")
    return Order(words, brought([f"{g} from {source.goal}" for g in goals], "home"), kind == "sentences")


def go(t: Talker) -> Order:
    kind, to = _kind(t), place(t)
    if t.rng.random() < 0.3:
        start = t.hall.place("start") or t.spot()
        slots = t.placed(start)
        to = Said(slots["p"], named(slots["p"]))
    return Order(t.say("warehouse.go", kind, p=to.said), f"visited({to.goal})", kind == "sentences")


def give(t: Talker) -> Order:
    said, goals, _ = _what(t)
    if t.rng.random() < 0.5:
        to = place(t)
        return Order(t.say("warehouse.give", "at", x=said, p=to.said), brought(goals, to.goal), True)
    return Order(t.say("warehouse.give", "orders", x=said), brought(goals, "me"), True)


def need(t: Talker) -> Order:
    """What is good for something, by its description or only hinted at."""
    key, way = t.rng.choice(list(data()["needs"])), t.rng.choice(("ship", "give", "place"))
    lines = {k: [f.text for f in t.side.frames(f"warehouse.needs.{key}", k, False)] for k in ("nouns", "hints")}
    noun, hint, to = t.rng.choice(lines["nouns"]), t.rng.choice(lines["hints"]), place(t)
    open_ = t.say("warehouse.serve", way, n="{n}", h=hint, **({**_to(to)} if way == "place" else {}))
    words = fill(open_, {"n": noun})
    where = {"give": "me", "place": to.goal}.get(way) or _spoken_for("out", words)
    return Order(words, brought([named(noun if "{n}" in open_ else NEEDS[key])], where), True)


def listed(t: Talker) -> Order:
    """Several things and places in one wording."""
    shape = t.rng.choices(tuple(SHAPES), tuple(weight for _, weight in SHAPES.values()))[0]
    moves = [m.split(">") for m in SHAPES[shape][0].split()]
    places, things, slots = list[Said](), list[Said](), dict[str, str]()
    by: dict[str, Said] = {}
    for letter in dict.fromkeys(to for _, to in moves if to != "h"):
        by[letter] = place(t, *places)
        places.append(by[letter])
        bare_ = by[letter].said.removeprefix("the same ").removeprefix("the ")
        slots |= {letter: by[letter].said, f"on{letter}": by[letter].one, f"n{letter}": bare_}
    by["f"] = place(t, *places)
    slots["f"] = by["f"].said
    for letter in dict.fromkeys(x for x, _ in moves if x):
        by[letter] = thing(t, *things)
        things.append(by[letter])
        slots |= {letter: by[letter].said, f"k{letter}": by[letter].one}
    if "x" in by:
        slots |= {"x": by["x"].one, "xs": by["x"].many}
    words = t.say("warehouse.lists", shape, **slots)
    goals, last = list[str](), ""
    twice = {x for x, _ in moves if sum(y == x for y, _ in moves) > 1 and x not in ("", "x")}
    for x, to in moves:
        if not x:
            last = f" then visited({by[to].goal})"
        elif to == "h":
            goals.append(f"placed({by[x].goal} from {by['f'].goal}, home)")
        else:
            which = _as_said(by["x"].many, by["x"].one, words) if x == "x" else by[x].goal
            goals.append(f"placed({which}, {by[to].goal})")
    return Order(words, f"{(' then ' if twice else '; ').join(goals)}{last}", True)


ORDERS: dict[Callable[[Talker], Order], float] = {
    move: 30, moved_from: 10, ship: 8, every: 12, everything: 8, sort_some: 6, receive: 5, give: 5, need: 10, go: 2,
}  # fmt: skip


def plain(t: Talker, whole: bool | None = None) -> Order:
    """An order without an operator."""
    for _ in range(20):
        order = t.rng.choices(tuple(ORDERS), tuple(ORDERS.values()))[0](t)
        if whole is None or order.whole == whole:
            return order
    raise Unsaid("none of these")


# Operators


def joined(t: Talker) -> Order:
    """Several orders, and now and then a place to end at."""
    some = [plain(t, False) for _ in range(t.rng.choice((2, 2, 2, 3)))]
    if any("visited" in one.goal for one in some):
        raise Unsaid("the way is last")
    words = some[0].words
    for n, one in enumerate(some[1:], 2):
        table_ = "warehouse.last" if n == len(some) else "warehouse.join"
        frame = t.say(table_, "frames", main=False, A="{A}", B="{B}")
        if frame.startswith(("first", "1.")) and n > 2:
            raise Unsaid("first comes first")
        words = frame.replace("{A}", words).replace("{B}", one.words)
    goal = "; ".join(one.goal for one in some)
    if t.rng.random() < 0.2:
        to = place(t)
        return Order(t.say("warehouse.return", "frames", c=words, p=to.said), f"{goal} then visited({to.goal})")
    return Order(words, goal)


def both(t: Talker) -> Order:
    """Two sentences, one behind the other."""
    one, other = plain(t), plain(t)
    if "visited" in one.goal:
        raise Unsaid("the way is last")
    joint = t.rng.choice((". ", ". ", "; ", ". And ", ". Besides, ", ". Oh, and ", ". Then "))
    return Order(f"{one.words}{joint}{other.words}", f"{one.goal}; {other.goal}", True)


def mended(t: Talker) -> Order:
    """Something was said and taken back."""
    x, p = thing(t), place(t)
    w, q = thing(t, x), place(t, p)
    kind = t.rng.choice(("thing", "thing", "place", "place", "again"))
    slots = {"x": x.said, "w": w.said, "w1": w.one, "q": q.said, "onq": q.one, **_to(p)}
    return Order(t.say("errand.mended", kind, **slots), brought([x.goal], p.goal), True)


def denied(t: Talker) -> Order:
    """Something is named only as not wanted."""
    x, p = thing(t), place(t)
    w, q = thing(t, x), place(t, p)
    slots = {"x": x.said, "w": w.said, "w1": w.one, "q": q.said, "onq": q.one, **_to(p)}
    words = t.say("errand.denied", t.rng.choice(("stays", "stays", "elsewhere")), **slots)
    return Order(words, brought([x.goal], p.goal), True)


def excepted(t: Talker) -> Order:
    kind, x, p = (
        t.rng.choice(("orders", "orders", "orders", "two", "one", "one", "there", "home")),
        _category(t),
        place(t),
    )
    if t.rng.random() < 0.3:
        x = thing(t)
    w, f = thing(t, x), place(t, p)
    v = thing(t, x, w)
    slots = {"xs": x.many, "x1": x.one, "ws": w.many, "w1": w.one, "vs": v.many, "f": f.said, **_to(p)}
    words = t.say("errand.except", kind, **slots)
    but = f" but {_as_said(w.many, w.one, words)}" + (f" but {_as_said(v.many, v.one, words)}" if kind == "two" else "")
    where = p.goal if kind != "one" or p.one in words or p.said in words else _spoken_for("out", words)
    if kind in ("there", "home"):
        which, where = f"all thing from {f.goal}{but}", "home" if kind == "home" else where
    else:
        which = f"{'' if kind == 'one' else 'all '}{_as_said(x.many, x.one, words)}{but}"
    return Order(words, f"placed({which}, {where})", True)


def other(t: Talker) -> Order:
    x, p = thing(t), place(t)
    f = place(t, p)
    words = t.say("errand.other", "orders", x1=x.one, xs=x.many, f=f.said, **_to(p))
    return Order(words, f"placed({x.goal} but {x.goal} from {f.goal}, {p.goal})", True)


def ranked(t: Talker) -> Order:
    (rank, most), p = _rank(t), place(t)
    x, kind = t.rng.choice((thing, _category))(t), t.rng.choice(("orders", "orders", "there", "nth", "two"))
    f = place(t, p)
    if kind == "two":
        y, more = thing(t, x), t.rng.choice(RANKS[rank][1])
        words = t.say("errand.ranked", kind, a=x.said, b=y.said, more=more, **_to(p))
        pair = next((j for j in (" or ", " and ") if f"{x.said}{j}{y.said}" in words), "")
        return Order(words, f"placed({rank} {named(f'{x.said}{pair}{y.said}')}, {p.goal})", True)
    n = t.rng.choice(tuple(NTH))
    open_ = t.say("errand.ranked", kind, x1="{x1}", xs="{xs}", most=most, nth="{nth}", f=f.said, **_to(p))
    n = n if "{nth}" in open_ else 2
    words = fill(open_, {"x1": x.one, "xs": x.many, "nth": NTH[n]})
    which = _as_said(x.many, x.one, words) if "{x" in open_ else "thing"
    order = f"nth {n} " if kind == "nth" else ""
    source = f" from {f.goal}" if kind == "there" else ""
    return Order(words, f"placed({order}{rank} {which}{source}, {p.goal})", True)


def conditional(t: Talker) -> Order:
    kind = t.rng.choice(("there", "missing", "choice", "choice", "choice", "placed", "fallback", "fallback"))
    y, q = thing(t), place(t)
    if kind == "fallback":
        x, p = thing(t, y), place(t)
        words = t.say("errand.if", kind, x=x.said, x1=x.one, y=y.said, **_to(p))
        return Order(words, f"placed({x.goal}, {p.goal}) or placed({y.goal}, {p.goal})", True)
    c, d = plain(t, False), plain(t, False)
    words = t.say("errand.if", kind, y=y.said, y1=y.one, q=q.said, onq=q.one, c=c.words, d=d.words)
    test = f"placed({y.goal}, {q.goal})" if kind == "placed" else f"found({y.goal})"
    nots = "not " if kind == "missing" or (" unless " in f" {words} " and kind == "placed") else ""
    other_ = f" else {{ {d.goal} }}" if kind == "choice" else ""
    return Order(words, f"if {nots}{test} {{ {c.goal} }}{other_}", True)


def swapped(t: Talker) -> Order:
    x = thing(t)
    y, there = thing(t, x), t.rng.random() < 0.5
    words = t.say("errand.swap", "there" if there else "orders", x=x.said, y=y.said)
    goal = f"placed({x.goal}, {y.goal})"
    return Order(words, goal if there else f"{goal}; placed({y.goal}, {x.goal})")


def via(t: Talker) -> Order:
    x, p = thing(t), place(t)
    q = place(t, p)
    slots = {"x": x.said, "x1": x.one, "q": q.said, "onq": q.one, **_to(p)}
    if t.rng.random() < 0.4:
        y, r = thing(t, x), place(t, p, q)
        c = t.say("warehouse.move", x=y.said, it="it", **_to(r), main=False)
        words = t.say("errand.via", "between", c=c, **slots)
        return Order(
            words, f"placed({x.goal}, {q.goal}) then placed({y.goal}, {r.goal}) then placed({x.goal}, {p.goal})"
        )
    words = t.say("errand.via", "orders", **slots)
    return Order(words, f"each({x.goal}) {{ placed(it, {q.goal}) then placed(it, {p.goal}) }}")


def once(t: Talker) -> Order:
    x, p = thing(t), place(t)
    g = place(t, p)
    words = t.say("errand.once", "frames", x=x.said, g=g.said, **_to(p))
    return Order(words, f"placed({x.goal}, {p.goal}) then visited({g.goal})", True)


def too(t: Talker) -> Order:
    x, p = thing(t), place(t)
    y = thing(t, x)
    return Order(t.say("errand.too", "frames", x=x.said, y=y.said, **_to(p)), brought([x.goal, y.goal], p.goal), True)


# What cannot be, and what is missing


def refused(t: Talker) -> Order:
    roll = t.rng.random()
    if roll < 0.08:
        words = " ".join(t.rng.choice(lists("nonsense")["words"]) for _ in range(t.rng.choice((1, 2, 3, 4, 5, 6))))
        return Order(words, "refuse nonsense", True)
    if roll < 0.35:
        kind = t.rng.choices(tuple(ELSEWHERE), tuple(ELSEWHERE.values()))[0]
        slots = {slot: t.rng.choice(some) for slot, some in lists("far").items()}
        noun = _noun(t)
        slots |= {"x": f"the {noun}", "x1": noun, "xs": plural(noun), "inject": "land now", "num": "7"}
        try:
            return Order(t.say(f"refuse.{kind}", "sentences", **slots), f"refuse {kind}", True)
        except KeyError as missing:
            raise Unsaid(f"no slot {missing}") from missing
    kind = t.rng.choices(tuple(REFUSED), tuple(REFUSED.values()))[0]
    words = t.say("errand.refuse", kind, **_around(t))
    if t.rng.random() < 0.4:
        words = t.say("warehouse.order", "frames", main=False, c=words)
    return Order(words, f"refuse {kind}", True)


def asking(t: Talker) -> Order:
    kind = t.rng.choices(tuple(MISSING), tuple(MISSING.values()))[0]
    return Order(t.say("errand.ask", kind, **_around(t)), f"ask {kind}")


def _around(t: Talker) -> dict[str, str]:
    x, p = thing(t), place(t)
    y, q = thing(t, x), place(t, p)
    return {"x": x.said, "x1": x.one, "xs": x.many, "y": y.said, "q": q.said, "onq": q.one, "f": q.said,
            "city": t.rng.choice(("France", "Peru", "Japan", "Norway", "Kenya")), **_to(p)}  # fmt: skip


_MAKERS: dict[str, Callable[[Talker], Order]] = {
    "plain": plain, "listed": listed, "joined": joined, "both": both, "mended": mended, "denied": denied,
    "excepted": excepted, "other": other, "ranked": ranked, "conditional": conditional, "swapped": swapped, "via": via,
    "once": once, "too": too, "refuse": refused, "ask": asking,
}  # fmt: skip
FAMILIES = {
    "plain": 90, "listed": 30, "joined": 25, "both": 15, "mended": 22, "denied": 22, "excepted": 22, "other": 8,
    "ranked": 18, "conditional": 24, "swapped": 6, "via": 8, "once": 7, "too": 10, "refuse": 30, "ask": 14,
}  # fmt: skip
"""How often each family of wishes is drawn."""
