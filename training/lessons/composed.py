"""Wishes drawn from the grammar of goals: an operator, with a bank of ways to say it, around orders and conditions.

Two operators nest in lessons; three only in what is held out.
"""

from __future__ import annotations

from knowledge import COLOURS
from lessons import words
from lessons.compound import CONDITIONAL, meant, with_it
from lessons.lists import lists
from lessons.picks import WAYS
from lessons.saying import asked, named, quoted
from lessons.simple import Clause, Maker, anything, motion
from lessons.telling import Target, Teller, Unsaid, target
from sayso.grounding.utterance import figured

STATES = (
    "open", "closed", "empty", "full", "clean", "dirty", "broken", "on", "off", "lit", "dark", "tidy", "upright",
    "taken", "free", "wet", "dry", "half full", "switched on", "switched off", "locked", "small", "wooden", "round",
    "old", "new", "striped", "plugged in",
)  # fmt: skip
"""What a thing can be, besides a colour."""


def _order(t: Teller, depth: int = 1) -> Clause:
    """Something to do; now and then two things, or with `depth` left a wish with an operator of its own."""
    roll = t.rng.random()
    if depth and roll < 0.06:
        return anything(t.rng, INNER)(t, "orders")
    one = _single(t)
    if roll > 0.9:
        other = _single(t)
        join = t.rng.choice(("{} and {}", "{}, then {}", "{} and then {}"))
        return Clause("two", "orders", join.format(one.words, other.words), f"{one.goal} then {other.goal}")
    return one


def _single(t: Teller) -> Clause:
    return anything(t.rng, ORDERS)(t, "orders")


def _condition(t: Teller, other_than: str = "") -> tuple[str, str, Target]:
    """Words, the same in the language of goals, and what it is about."""
    it = meant(t, 0.15)
    if it.bare == other_than:
        raise Unsaid("the same thing twice")
    now = t.rng.random() < 0.5
    said = t.around("cond_see" if now else "cond_exists", "clauses", x=it.phrase)
    return said, f"{'sees' if now else 'found'}({named(it.bare)})", it


def _about_it(t: Teller, it: Target, depth: int) -> Clause:
    """An order under a condition: half the time about the very thing."""
    if t.rng.random() < 0.5:
        return _order(t, depth)
    return with_it(t, it)


def _made(intent: str, words_: str, goal: str) -> Clause:
    return Clause(f"composed.{intent}", "sentences", words_, goal)


def unless(t: Teller, form: str = "") -> Clause:
    said, test, _ = _condition(t)
    one = _order(t)
    return _made("unless", t.say("composed.unless", "sentences", cond=said, c=one.words),
                 f"if not {test} {{ {one.goal} }}")  # fmt: skip


def chain(t: Teller, form: str = "") -> Clause:
    said, test, it = _condition(t)
    said2, test2, it2 = _condition(t, it.bare)
    c, d = _about_it(t, it, 0), _about_it(t, it2, 0)
    if t.rng.random() < 0.3:
        text = t.say("composed.chain_open", "sentences", cond=said, cond2=said2, c=c.words, d=d.words)
        return _made("chain", text, f"if {test} {{ {c.goal} }} else {{ if {test2} {{ {d.goal} }} }}")
    e = _order(t, 0)
    text = t.say("composed.chain", "sentences", cond=said, cond2=said2, c=c.words, d=d.words, e=e.words)
    return _made("chain", text, f"if {test} {{ {c.goal} }} else {{ if {test2} {{ {d.goal} }} else {{ {e.goal} }} }}")


def else_nested(t: Teller, form: str = "") -> Clause:
    said, test, it = _condition(t)
    c, d, e = _about_it(t, it, 0), _single(t), _order(t)
    text = t.say("composed.else_nested", "sentences", cond=said, c=c.words, d=d.words, e=e.words)
    return _made("else", text, f"if {test} {{ {c.goal} then {d.goal} }} else {{ {e.goal} }}")


def fallback(t: Teller, form: str = "") -> Clause:
    kind = t.rng.choice(("goto", "goto", "picture"))
    x, y = meant(t, 0.3), meant(t, 0.3)
    if x.bare == y.bare:
        raise Unsaid("the same thing twice")
    verb = "at" if kind == "goto" else "picture"
    text = t.say("composed.fallback", kind, x=x.phrase, x1=x.bare, y=y.phrase)
    return _made("fallback", text, f"{verb}({named(x.bare)}) or {verb}({named(y.bare)})")


def counted(t: Teller, form: str = "") -> Clause:
    item = t.item()
    x = named(item.plural)
    c, d, e = _order(t, 0), _order(t, 0), _order(t, 0)
    text = t.say("composed.counted", "sentences", xs=item.plural, x1=item.label, c=c.words, d=d.words, e=e.words)
    x = x if item.plural in figured(text) else named(item.label)
    return _made("counted", text, f"if sees(2 {x}) {{ {c.goal} }} else {{ if sees({x}) {{ {d.goal} }} "
                                  f"else {{ {e.goal} }} }}")  # fmt: skip


def trait(t: Teller, form: str = "") -> Clause:
    it = target(t, definite=0.5, plain=True)
    if it.label == "person":
        raise Unsaid("people are told apart otherwise")
    told = t.rng.choice(COLOURS) if t.rng.random() < 0.5 else t.rng.choice(STATES)
    c, d = _about_it(t, it, 0), _order(t, 0)
    text = t.say("composed.trait", "sentences", x=it.phrase, trait=told, c=c.words, d=d.words)
    x = named(it.bare)
    return _made("trait", text, f"found({x}) then if sees({x}.{named(told)}) {{ {c.goal} }} else {{ {d.goal} }}")


def each(t: Teller, form: str = "") -> Clause:
    kind, item = t.rng.choice(("goto", "picture", "picture", "facing")), t.item()
    text = t.say("composed.each", kind, xs=item.plural, x1=item.label)
    verb = {"goto": "at", "picture": "picture", "facing": "facing"}[kind]
    return _made("each", text, f"each(all {_as_said(item.plural, item.label, text)}) {{ {verb}(it) }}")


def each_then(t: Teller, form: str = "") -> Clause:
    item, one = t.item(), _single(t)
    text = t.say("composed.each_then", "sentences", xs=item.plural, x1=item.label, c=one.words)
    return _made("each", text, f"each(all {_as_said(item.plural, item.label, text)}) {{ at(it) then {one.goal} }}")


def several(t: Teller, form: str = "") -> Clause:
    """So many of a kind: "both bottles", "three of the chairs"."""
    kind, item, n = t.rng.choice(("goto", "picture", "facing")), t.item(), t.rng.choice((2, 2, 2, 3, 4))
    xs = f"{t.rng.choice(COLOURS)} {item.plural}" if t.rng.random() < 0.3 else item.plural
    ways = lists("several")
    many = t.rng.choice(ways["both"] if n == 2 and t.rng.random() < 0.7 else ways["number"])
    text = t.say("composed.several", kind, many=many.format(n=words.number(t.rng, n), xs=xs))
    verb = {"goto": "at", "picture": "picture", "facing": "facing"}[kind]
    return _made("several", text, f"each({n} {named(xs)}) {{ {verb}(it) }}")


NTH = ("second", "third", "fourth")


def nth(t: Teller, form: str = "") -> Clause:
    """The next to first among several: "the second nearest chair"."""
    kind, item, way = t.rng.choice(("goto", "picture", "facing", "say")), t.item(), t.rng.choice(WAYS)
    n = t.rng.choice((2, 2, 3, 4))
    first = t.rng.choice(lists("nth")[way.name])
    said = t.rng.choice(lists("nth")["phrases"]).format(n=NTH[n - 2], way=first, x=item.label, xs=item.plural)
    verb = {"goto": "at", "picture": "picture", "facing": "facing", "say": "named"}[kind]
    text = t.say(f"pick_{kind}", t.rng.choice(("orders", "sentences")), most=said)
    called = _as_said(item.plural, item.label, said)
    return _made("nth", text, f"{verb}(nth {n} {way.name} {called})")


def _as_said(many: str, one: str, text: str) -> str:
    return named(many if many in text else one)


def excepted(t: Teller, form: str = "") -> Clause:
    kind, it = t.rng.choice(("goto", "picture")), target(t, definite=0.0, plain=True)
    told = t.rng.choice(COLOURS) if t.rng.random() < 0.7 else t.rng.choice(STATES)
    text = t.say("composed.except", kind, x=it.phrase, x1=it.bare, trait=told)
    x = named(it.bare)
    return _made("except", text, f"{'at' if kind == 'goto' else 'picture'}({x} but {x}.{named(told)})")


def until(t: Teller, form: str = "") -> Clause:
    said, test, it = _condition(t)
    if test.startswith("found"):
        raise Unsaid("nobody searches in every round")
    one = motion(t, "orders")
    if t.rng.random() < 0.25:
        more = _single(t)
        one = Clause("two", "orders", f"{one.words} and {more.words}", f"{one.goal} then {more.goal}")
    roll = t.rng.random()
    if roll < 0.4:
        n = t.rng.randint(2, 12)
        text = t.say("composed.until_most", "sentences", cond=said, c=one.words, n=words.number(t.rng, n))
        return _made("until", text, f"until {test} {{ {one.goal} }} most {n}")
    if roll < 0.7:
        text = t.say("composed.until_open", "sentences", cond=said, c=one.words)
        return _made("until", text, f"until {test} {{ {one.goal} }}")
    then = _about_it(t, it, 0)
    text = t.say("composed.until_then", "sentences", cond=said, c=one.words, d=then.words)
    return _made("until", text, f"until {test} {{ {one.goal} }} then {then.goal}")


def report(t: Teller, form: str = "") -> Clause:
    said, test, _ = _condition(t)
    if t.rng.random() < 0.65:
        goal = f"if {test} {{ home then said('yes') }} else {{ home then said('no') }}"
        return _made("report", t.say("composed.report", "sentences", cond=said), goal)
    goal = f"if {test} {{ said('yes') then home }} else {{ said('no') then home }}"
    return _made("report", t.say("composed.report", "first", cond=said), goal)


def say_else(t: Teller, form: str = "") -> Clause:
    said, test, it = _condition(t)
    one, spoken = _about_it(t, it, 1), t.rng.choice(lists("say")["texts"])
    marked = spoken if t.rng.random() < 0.4 else t.rng.choice(('"{}"', "'{}'")).format(spoken)
    text = t.say("composed.say_else", "sentences", cond=said, c=one.words, say=marked)
    return _made("say_else", text, f"if {test} {{ {one.goal} }} else {{ said({quoted(spoken.lower())}) }}")


def compare(t: Teller, form: str = "") -> Clause:
    one, other = t.item(), t.item()
    if one.label == other.label:
        raise Unsaid("the same thing twice")
    xs, ys = one.plural, other.plural
    if t.rng.random() < 0.4:  # one kind, told apart by colour
        red, blue = t.rng.sample(COLOURS, 2)
        xs, ys = f"{red} {one.plural}", f"{blue} {t.rng.choice((one.plural, 'ones'))}"
    text = t.say("composed.compare", "sentences", xs=xs, ys=ys)
    return _made("compare", text, f"answered('which are more', {named(xs)}, {named(ys)})")


def written_on(t: Teller, form: str = "") -> Clause:
    it = target(t, definite=0.9, plain=True)
    text = t.say("composed.written_on", "sentences", x=it.phrase)
    return _made("written_on", text, asked("what does it say", it.bare))


def patterned(t: Teller, form: str = "") -> Clause:
    """The same few orders over and over, or many in a row."""
    roll = t.rng.random()
    if roll < 0.5:
        c, d = motion(t, "orders"), _single(t)
        kind, n = ("twice", 2) if roll < 0.3 else ("thrice", 3)
        text = t.say("composed.patterned", kind, c=c.words, d=d.words)
        return _made("patterned", text, f"{n} {{ {c.goal} then {d.goal} }}")
    five = [motion(t, "orders") if t.rng.random() < 0.6 else _single(t) for _ in "abcde"]
    text = t.say("composed.patterned", "five", **dict(zip("abcde", (one.words for one in five), strict=True)))
    return _made("patterned", text, " then ".join(one.goal for one in five))


OPPOSITE = {"up": "down", "down": "up", "forward": "back", "back": "forward", "left": "right", "right": "left"}


def there_and_back(t: Teller, form: str = "") -> Clause:
    """A move, perhaps something in between, and the same the other way."""
    one = motion(t, "orders")
    verb, _, side = one.goal.partition("(")
    side, _, much = side.removesuffix(")").partition(", ")
    if verb != "moved":
        raise Unsaid("a move")
    text = t.open("composed.there_and_back", side)
    between = _single(t) if "{e}" in text else None
    said = text.replace("{c}", one.words).replace("{e}", between.words if between else "")
    back = f"moved({OPPOSITE[side]}, {much})" if much else f"moved({OPPOSITE[side]})"
    return _made("back", said, " then ".join([one.goal, *([between.goal] if between else []), back]))


def _still(t: Teller, form: str) -> Clause:
    return Clause("stay", "orders", t.around("composed.stay", "orders"), "stayed")


def _round(intent: str, goal: str) -> Maker:
    def make(t: Teller, form: str) -> Clause:
        it = target(t, definite=0.85, plain=t.rng.random() < 0.6)
        said = t.say(f"composed.{intent}", "orders", x=it.phrase)
        return Clause(intent, "orders", said, goal.format(x=named(it.bare)))

    return make


behind = _round("behind", "at(place behind {x})")
circle = _round("circle", "visited({x})")

ORDERS: dict[Maker, float] = {**CONDITIONAL, _still: 3, behind: 1.5, circle: 1.5}
"""What may be done under a condition."""

INNER: dict[Maker, float] = {fallback: 2, each: 2, excepted: 1, until: 1, written_on: 1}
"""What may stand where an order stands."""

COMPOSED: dict[Maker, float] = {
    unless: 4, chain: 3, else_nested: 4, fallback: 3, counted: 2, trait: 4, each: 4, each_then: 2, excepted: 3,
    until: 5, report: 2, say_else: 3, compare: 2, written_on: 3, patterned: 4,
    several: 5, nth: 3, there_and_back: 3, behind: 2, circle: 2,
}  # fmt: skip
