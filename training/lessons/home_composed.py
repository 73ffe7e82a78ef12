"""Household wishes drawn from the grammar of goals: somebody with a place or a look, what is to be done about them, and
an operator around it: one after another, a condition with or without an else, all of some, one or else the other, a
question told in a clause, an answer that is waited for.

A part has its words and its goal with slots open (`home_said` fills both); parts that speak of different things are
filled each for itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from lessons.home_said import Talker, filled
from lessons.lists import lists
from lessons.phrasing import fill, frames
from lessons.saying import quoted
from lessons.telling import Unsaid, pair_held_out

HERE = "[[ from {spot}]][[ from {room}]]"
THERE = "[[ from {spot2}]][[ from {room}]]"


@dataclass(frozen=True, slots=True)
class Part:
    """What is said and its goal, both with open slots."""

    intent: str
    words: str
    goal: str


def _say(t: Talker, intent: str, kind: str, main: bool = False) -> str:
    return t.pick(frames(f"household.{intent}", kind), main=main)


def _choice(rng: Random, text: str) -> str:
    return re.sub(r"\(([^()]*\|[^()]*)\)", lambda m: rng.choice(m[1].split("|")), text)


def _line(t: Talker, kind: str, he: str = "he") -> str:
    """Words to say, told of him or of her."""
    gendered = "him" if he == "he" else "her"
    his = {"he": "his", "she": "her"}.get(he, "their")
    text = t.pick(frames("household.words", kind), main=False)
    text = text.replace("(his|her)", his).replace("(him|her)", gendered).replace("{he}", he).replace("{his}", his)
    slots = {"who2": t.rng.choice(lists("far")["who"]), "num": str(t.rng.randint(2, 12))}
    return re.sub(r"  +", " ", fill(_choice(t.rng, text), slots)).strip()


# Somebody


def _trait(t: Talker) -> tuple[str, str]:
    """What somebody looks like: the words, and the slot that stands for it."""
    kind = t.rng.choice(("gesture", "worn", "worn", "pose"))
    if kind == "worn":
        way = t.rng.choice(("in the", "in a", "wearing a", "with the", "in that", "wearing the", "with a"))
        return f"{way} {{shirt}} {{garment}}", "{worn}"
    return f"{{{kind}}}", f"{{{kind}}}"


def _somebody(t: Talker, table: str = "who") -> tuple[str, str, Mapping[str, str]]:
    """Words with slots, the same in a goal, and the pronouns."""
    kind = t.rng.choice(("named", "named", "told", "told", "plain") if table == "who" else ("named", "told"))
    words, trait = _say(t, table, kind), ""
    if "{trait}" in words:
        told, trait = _trait(t)
        words = words.replace("{trait}", told)
    slot = "name" if kind == "named" else "human" if "{human" in words else ""
    they = {"he": "they", "him": "them", "his": "their"}
    pronouns = {p: f"{{{slot}.{p}}}" for p in they} if slot else they
    goal = "{name}" if kind == "named" else f"{{person}}.{trait}" if trait else "{person}"
    return words, f"{goal}{HERE}", pronouns


ACTS: Mapping[str, tuple[float, str]] = {
    "tell": (3, "informed({W}, {talk})"),
    "message": (6, "heard({W}, MESSAGE)"),
    "request": (5, "heard({W}, TODO)"),
    "greet": (2, "heard({W}, WORDS)"),
    "hello": (1.5, "heard({W}, 'hello')"),
    "question": (2, "informed({W}, 'question')"),
    "bring": (5, "given({obj}, {W})"),
    "bring_from": (3, "given({obj} from {from}, {W})"),
    "best": (1.5, "given({best.rank} {best.one}, {W})"),
    "guide": (5, "guided({W}, {spot2})"),
    "fetch": (2, "guided({W}, me)"),
    "follow": (4, "followed({W})"),
    "leave": (2, "gone({W})"),
    "find": (1, "found({W})"),
}
"""What is done about somebody, how often, and its goal."""

TO_ALL = ("message", "request", "greet", "hello", "bring", "leave")
"""What may be done about everybody."""


def _act(t: Talker, frame: str, goal: str, he: str = "he") -> tuple[str, str]:
    """With what is to be said put in."""
    for mark, kind in (("{message}", "message"), ("{todo}", "todo"), ("{words}", "words")):
        if mark in frame:
            line = _line(t, kind, he)
            frame = frame.replace(mark, line)
            goal = re.sub(r"MESSAGE|TODO|WORDS", lambda m, line=line: quoted(line.lower()), goal)
    return frame, goal


def _about(t: Talker, kinds: Mapping[str, tuple[float, str]] = ACTS, main: bool = False) -> Part:
    """A wish about somebody, named with it or before it."""
    kind = t.rng.choices(list(kinds), [weight for weight, _ in kinds.values()])[0]
    goal = kinds[kind][1]
    if kind != "find" and t.rng.random() < 0.4:
        seen, who, they = _somebody(t, "seen")
        frame, goal = _act(t, _say(t, "act2", kind, main), goal, t.rng.choice(("he", "she")))
        for word, slot in they.items():
            frame = frame.replace(f"{{{word}}}", slot)
        join = t.rng.choice(("{a}. {b}", "{a}. {b}", "{a}, {b}", "{a}; {b}", "{b}. {a}", "{a}, so {b}", "{a} and {b}"))
        return Part(f"about.{kind}", join.replace("{a}", seen).replace("{b}", frame), goal.replace("{W}", who))
    words, who, _ = _somebody(t)
    frame, goal = _act(t, _say(t, "act", kind, main), goal, t.rng.choice(("he", "she")))
    return Part(f"about.{kind}", frame.replace("{who}", words), goal.replace("{W}", who))


def about(t: Talker) -> Part:
    return _about(t, main=True)


# Parts of their own


def order(t: Talker) -> Part:
    """A wish in the form of an order, filled."""
    roll = t.rng.random()
    if roll < 0.45:
        return filled(t.fresh(), t.own_order())
    if roll < 0.55:
        return filled(t.fresh(), Part("home", _say(t, "home", "orders"), "home"))
    one = t.fresh()
    while True:
        part = _about(one)
        if not re.search(r"[.;?]", part.words):
            return filled(one, part)


def _kind(part: Part) -> str:
    return part.intent.rpartition(".")[2]


def then(t: Talker) -> Part:
    c, d = order(t), order(t)
    if pair_held_out("home", _kind(c), _kind(d)) != (t.held == "combo"):
        raise Unsaid("a held-out pair, or none")
    kind = t.rng.choice(("frames", "frames", "frames", "turned"))
    text = _say(t, "then", kind, main=True).replace("{c}", c.words).replace("{d}", d.words)
    return Part("then", text, f"{c.goal} then {d.goal}")


def three(t: Talker) -> Part:
    c, d, e = order(t), order(t), order(t)
    text = _say(t, "then", "three", main=True)
    for slot, one in (("{c}", c), ("{d}", d), ("{e}", e)):
        text = text.replace(slot, one.words)
    return Part("three", text, f"{c.goal} then {d.goal} then {e.goal}")


def _condition(t: Talker) -> tuple[Part, str, Part | None]:
    """A condition, filled; how it stands as a test; and now and then an order about what it speaks of."""
    one = t.fresh()
    kind = t.rng.choice(("thing", "thing", "person", "anyone"))
    words = _say(one, "cond", kind)
    what = {"thing": "{obj} from {put}", "person": "{name}" + HERE, "anyone": "person" + HERE}[kind]
    follow = None
    if t.rng.random() < 0.5 and kind != "anyone":
        to, goal = t.rng.choice(_IT[kind])
        line = _line(t, "message", "he")
        to, goal = to.replace("{message}", line), goal.replace("MESSAGE", quoted(line.lower()))
        both = filled(one, Part(f"cond.{kind}", f"{words} @@ {to}", f"found({what}) @@ {goal.replace('{W}', what)}"))
        (words, said), (test, done) = both.words.split(" @@ "), both.goal.split(" @@ ")
        return Part("cond", words, test), test, Part("it", said, done)
    part = filled(one, Part(f"cond.{kind}", words, f"found({what})"))
    return part, part.goal, follow


_IT = {
    "thing": (
        ("bring it to me", "given({W}, me)"),
        ("bring it here", "given({W}, me)"),
        ("I'd like it", "given({W}, me)"),
        ("take it to {name} at the {spot}", "given({W}, {name} from {spot})"),
        ("put it on the {from}", "placed({W}, {from})"),
        ("throw it away", "placed({W}, 'trash bin')"),
    ),
    "person": (
        ("tell {name.him} that {message}", "heard({W}, MESSAGE)"),
        ("bring {name.him} to me", "guided({W}, me)"),
        ("take {name.him} to the {spot2}", "guided({W}, {spot2})"),
        ("bring {name.him} {obj.a}", "given({obj}, {W})"),
        ("say hello to {name.him}", "heard({W}, 'hello')"),
        ("follow {name.him}", "followed({W})"),
    ),
}
"""Orders about what a condition speaks of."""


def condition(t: Talker) -> Part:
    cond, test, it = _condition(t)
    kind = t.rng.choice(("yes", "yes", "no", "both", "both", "both"))
    c = it if it and kind != "no" else order(t)
    text = _say(t, "if", kind, main=True).replace("{cond}", cond.words).replace("{c}", c.words)
    if kind == "no":
        return Part("unless", text, f"if not {test} {{ {c.goal} }}")
    if kind == "yes":
        return Part("if", text, f"if {test} {{ {c.goal} }}")
    d = order(t)
    return Part("else", text.replace("{d}", d.words), f"if {test} {{ {c.goal} }} else {{ {d.goal} }}")


def each(t: Talker) -> Part:
    table = t.rng.choice(("people", "people", "some", "some", "every"))
    who, trait = _say(t, "each", table), ""
    if "{trait}" in who:
        told, trait = _trait(t)
        who = who.replace("{trait}", told)
    kind = t.rng.choice(TO_ALL)
    frame, goal = _act(t, _say(t, "act", kind, True), ACTS[kind][1], "they")
    which = f"all person{f'.{trait}' if trait else ''}{HERE}"
    return Part(f"each.{kind}", frame.replace("{who}", who), f"each({which}) {{ {goal.replace('{W}', 'it')} }}")


def every_thing(t: Talker) -> Part:
    kind = t.rng.choice(("put", "clear", "clear", "two"))
    text = _say(t, "all", kind, main=True)
    if kind == "two":
        n = t.rng.choice((2, 2, 3, 4))
        said = t.rng.choice((str(n), ("", "", "two", "three", "four")[n]))
        return Part("two", text.replace("{n}", said), f"given({n} {{cat.one}} from {{from}}, me)")
    which = "{cat.one}" if kind == "put" else "thing"
    return Part(f"all.{kind}", text, f"placed(all {which} from {{from}}, {{put}})")


def fallback(t: Talker) -> Part:
    return Part("fallback", _say(t, "fallback", "bring", True), "given({obj}, me) or given({obj2}, me)")


def _asked(t: Talker, frame: str, kind: str) -> tuple[str, str, str]:
    """A question to somebody, in a clause: the frame with both, who it is, and the question."""
    words, who, they = _somebody(t)
    line = _line(t, kind, "he").replace("he'd", "they'd") if they["he"] == "they" else _line(t, kind, "he")
    return frame.replace("{who}", words).replace("{ask}", line), who, quoted(line.lower())


def agreed(t: Talker) -> Part:
    """An answer decides."""
    frame, who, question = _asked(t, _say(t, "agreed", "frames", True), "yesno")
    does, goal = t.rng.choice((
        ("take them to the {spot2}", "guided({W}, {spot2})"),
        ("show them to the {spot2}", "guided({W}, {spot2})"),
        ("bring them {obj.a}", "given({obj}, {W})"),
        ("fetch them {obj.a}", "given({obj}, {W})"),
        ("bring them to me", "guided({W}, me)"),
    ))  # fmt: skip
    bare = who.removesuffix(HERE)
    frame = frame.replace("{d2}", does).replace("{he}", "the answer") if "says" not in frame else frame
    frame = frame.replace("{d2}", does).replace("{he}", t.rng.choice(("he", "she", "they")))
    return Part("agreed", frame, f"asked({who}, {question}) then if agreed({bare}) {{ {goal.replace('{W}', bare)} }}")


def reply(t: Talker) -> Part:
    if t.rng.random() < 0.3:
        frame, who, question = _asked(t, _say(t, "reply", "follow", True), "question")
        bare = who.removesuffix(HERE)
        return Part("reply.follow", frame, f"followed({who}) then asked({bare}, {question}) then answered('reply')")
    frame, who, question = _asked(t, _say(t, "reply", "frames", True), t.rng.choice(("question", "yesno")))
    return Part("reply", frame, f"asked({who}, {question}) then answered('reply')")


def where_to(t: Talker) -> Part:
    words, who, they = _somebody(t)
    frame = _say(t, "where_to", "frames", True).replace("{who}", words).replace("{he}", they["he"])
    return Part("where_to", frame, f"followed({who}) then answered('where', {who.removesuffix(HERE)})")


CLAUSES: Mapping[str, tuple[str, str]] = {
    "how_many": ("how many", "{cat.one} from {put}"),
    "how_many_people": ("how many", "people" + HERE),
    "how_many_some": ("how many", "people.TRAIT from {room}"),
    "is_it_here": ("is it here", "{obj} from {put}"),
    "is_somebody": ("is it here", "{name2}" + THERE),
    "where": ("where", "{obj}"),
    "where_person": ("where", "{name2}"),
    "which": ("which", "{best.rank} {best.one} from {put}"),
    "what_on": ("what is on", "{put}"),
    "colour": ("what colour", "{obj}"),
    "name": ("name", "{person}" + THERE),
    "gender": ("gender", "person" + THERE),
    "pose": ("pose", "{name2}" + THERE),
    "clothes": ("clothes", "{name2}" + THERE),
    "gesture": ("gesture", "{name2}" + THERE),
}
"""Questions, and what they are about."""


def _question(t: Talker, table: str) -> tuple[str, str, str]:
    """Its words, its kind, and what it is about."""
    kind = t.rng.choice([k for k in CLAUSES if frames(f"household.{table}", k)])
    words, (question, which) = _say(t, table, kind), CLAUSES[kind]
    if "{trait}" in words:
        told, trait = _trait(t)
        words = words.replace("{trait}", told)
        which = which.replace("{person}", f"{{person}}.{trait}").replace("TRAIT", trait)
    if which.startswith("{name2}") and "{name2}" not in words:
        which = which.replace("{name2}", "{person}")
    return words.replace("{his2}", "{name2.his}").replace("{his}", "{human.his}"), question, which


def ask_me(t: Talker) -> Part:
    if t.rng.random() < 0.3:
        words, question, which = _question(t, "direct")
    else:
        clause, question, which = _question(t, "clause")
        kind = t.rng.choice(("orders", "sentences"))
        words = _say(t, "ask_me", kind, True).replace("{q}", clause)
    goal = f"named({which})" if question == "which" else f"answered('{question}', {which})"
    return Part(f"ask.{question}", words, goal)


def ask_for(t: Talker) -> Part:
    """Told to somebody else."""
    clause, question, which = _question(t, "clause")
    if "{room}" in clause or "{human" in clause:
        raise Unsaid("two of them would be spoken of alike")
    words = _say(t, "ask_for", "frames", True)
    who = t.rng.choice(
        ("{name} at the {spot}", "{name} by the {spot}", "{name}, who is at the {spot},", "{name} near the {spot}")
    )
    return Part(f"for.{question}", words.replace("{who}", who).replace("{q}", clause),
                f"informed({{name}} from {{spot}}, '{question}', {which})")  # fmt: skip


def more(t: Talker) -> Part:
    return Part("more", _say(t, "more", "sentences", True),
                "answered('which are more', {cat.one} from {put}, {cat2.one} from {put})")  # fmt: skip


def hold(t: Talker) -> Part:
    return Part("hold", _say(t, "hold", "orders", True), "holding({obj} from {from})")


def away(t: Talker) -> Part:
    kind = t.rng.choice(("orders", "sentences"))
    return Part("away", _say(t, "away", kind, True), "placed({obj} from {from}, 'usual place')")


Maker = Callable[[Talker], Part]
COMPOSED: Mapping[Maker, float] = {
    about: 22, then: 12, three: 2, condition: 10, each: 8, every_thing: 6, fallback: 2, agreed: 4, reply: 4,
    where_to: 2, ask_me: 12, ask_for: 7, more: 2, hold: 1.5, away: 2,
}  # fmt: skip
FILLED = (then, three, condition)
"""Those whose parts speak of different things, and have their names already."""


def composed(t: Talker) -> Part:
    """One of them, filled."""
    makers = (then,) if t.held == "combo" else tuple(COMPOSED)
    maker = t.rng.choices(makers, [COMPOSED[m] for m in makers])[0]
    part = maker(t)
    return part if maker in FILLED else filled(t, part)
