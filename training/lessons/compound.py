"""Several wishes in one sentence: one after the other, under a condition, or as a follow-up to a search."""

from __future__ import annotations

from collections.abc import Callable

from lessons.phrasing import fill
from lessons.saying import named
from lessons.simple import JOINABLE, Clause, Maker, anything, count, distance, find, say, shoot, wait, what, where
from lessons.telling import Target, Teller, Unsaid, target
from lessons.wants import want
from lessons.written import whole

CONDITIONAL: dict[Maker, float] = {
    m: w for m, w in JOINABLE.items() if m not in (find,)
} | {say: 4, shoot: 4, wait: 1}  # fmt: skip


LONG = 14
"""Words, of a sentence that another may follow."""


def goals_of(*clauses: Clause) -> str:
    """One after the other."""
    return " then ".join(c.goal for c in clauses)


def _orders(t: Teller, count: int) -> list[Clause]:
    """Different orders that make sense in a row."""
    clauses: list[Clause] = []
    while len(clauses) < count:
        last = clauses[-1].intent if clauses else ""
        clause = anything(t.rng, JOINABLE)(t, "orders")
        if last == "land":
            raise Unsaid("landed already")
        if clause.intent == last and clause.intent in (
            "take_off",
            "land",
            "home",
            "turn_round",
            "shoot",
            "wait",
            "full_turn",
        ):
            continue
        if clause.intent == "take_off" and clauses:
            continue
        if last:
            t.pair(last, clause.intent)
        clauses.append(clause)
    return clauses


def _either(t: Teller) -> Callable[..., str]:
    """In a held-out row the joining words may be held out, or what they join."""
    return t.say if t.rng.random() < 0.5 else t.around


def row(t: Teller, form: str = "") -> Clause:
    """Two or three orders in a row, in one of many orders of speech."""
    count = 2 if t.rng.random() < 0.68 else 3
    clauses = _orders(t, count)
    names = dict(zip("cde", (c.words for c in clauses), strict=False))
    said = _either(t)("then" if count == 2 else "three", "sentences", **names)
    return Clause("row", "sentences", said, goals_of(*clauses))


def tail(t: Teller, form: str = "") -> Clause:
    """A whole sentence of the files, and then one order more: "go grab a look at the oven. After that, come home"."""
    first = whole(t, form, goes_on=True)
    if first.words.count(" ") > LONG:
        raise Unsaid("long enough")
    second = anything(t.rng, JOINABLE)(t, "orders")
    join = t.open("then", "sentences", main=False)
    if not join.startswith("{c}") or "{d}" not in join:
        raise Unsaid("a whole sentence stands in front")
    sentence = fill(join, {"c": first.words.rstrip(" .!?"), "d": second.words})
    return Clause("tail", "sentences", sentence, goals_of(first, second))


def _condition(t: Teller) -> tuple[str, str, Target]:
    """Words, the same in the language of goals, and what it is about."""
    it = target(t, definite=0.12, plain=True)
    now = t.rng.random() < 0.5
    said = t.around("cond_see" if now else "cond_exists", "clauses", x=it.phrase)
    return said, f"{'sees' if now else 'found'}({named(it.bare)})", it


def with_it(t: Teller, it: Target) -> Clause:
    """Something to do with the very thing that was spoken of."""
    intent, x = t.rng.choice(("goto", "goto", "picture", "both")), named(it.bare)
    goal = {"goto": f"at({x})", "picture": f"picture({x})", "both": f"at({x}) then picture({x})"}[intent]
    return Clause(intent, "orders", t.around("it", intent), goal)


def meant(t: Teller, definite: float) -> Target:
    """Something that is named, or three times in ten only described: "something to eat"."""
    if t.rng.random() < 0.3:
        it = want(t)
        return Target(it.noun, it.noun, it.noun)
    return target(t, definite=definite, plain=t.rng.random() < 0.7)


def _then(t: Teller, it: Target) -> Clause:
    """What to do under the condition: often something with the very thing."""
    return with_it(t, it) if t.rng.random() < 0.55 else anything(t.rng, CONDITIONAL)(t, "orders")


def if_then(t: Teller, form: str = "") -> Clause:
    said, test, it = _condition(t)
    clauses = [_then(t, it)]
    if t.rng.random() < 0.25:
        clauses.append(anything(t.rng, CONDITIONAL)(t, "orders"))
    sentence = t.say("if", "sentences", cond=said, c=" and ".join(c.words for c in clauses))
    return Clause("if", "sentences", sentence, f"if {test} {{ {goals_of(*clauses)} }}")


def if_else(t: Teller, form: str = "") -> Clause:
    said, test, it = _condition(t)
    yes, no = _then(t, it), anything(t.rng, CONDITIONAL)(t, "orders")
    if yes.words == no.words:
        raise Unsaid("no difference")
    if it.label in no.words and no.intent in ("goto", "picture", "goto_picture"):
        raise Unsaid("go to what is not there")
    sentence = t.say("if_else", "sentences", cond=said, c=yes.words, d=no.words)
    return Clause("if_else", "sentences", sentence, f"if {test} {{ {yes.goal} }} else {{ {no.goal} }}")


def follow(t: Teller, form: str = "") -> Clause:
    """ "Can you find an apple? If so, go to it.": a search, what to do with what was found, and what else."""
    it = meant(t, 0.25)
    search = t.say("find", t.rng.choice(("orders", "sentences")), x=it.phrase, x1=it.bare)
    if t.rng.random() < 0.4:
        search = t.say("find", "orders", x=it.phrase, x1=it.bare)
        search = f"{t.rng.choice(('can you', 'could you', 'would you', 'please'))} {search}"
    clauses = [with_it(t, it)]
    if t.rng.random() < 0.3:
        clauses.append(anything(t.rng, CONDITIONAL)(t, "orders"))
    then = " and ".join(c.words for c in clauses)
    if t.rng.random() < 0.5:
        return Clause("follow", "sentences", t.say("follow", "sentences", find=search, it=then), goals_of(*clauses))
    others = [anything(t.rng, CONDITIONAL)(t, "orders") for _ in range(1 + (t.rng.random() < 0.25))]
    other = " and ".join(c.words for c in others)
    said = t.say("follow_else", "sentences", find=search, it=then, d=other)
    goal = f"if found({named(it.bare)}) {{ {goals_of(*clauses)} }} else {{ {goals_of(*others)} }}"
    return Clause("follow_else", "sentences", said, goal)


def question_then(t: Teller, form: str = "") -> Clause:
    """An answer and a deed: "tell me what you see and then come back"."""
    first = t.rng.choice((count, what, distance, where))(t, "orders")
    second = anything(t.rng, JOINABLE)(t, "orders")
    clauses = [first, second] if t.rng.random() < 0.7 else [second, first]
    if clauses[0] is second and first.intent == "what":
        raise Unsaid("the scene is not known any more")
    t.pair(clauses[0].intent, clauses[1].intent)
    said = _either(t)("then", "sentences", c=clauses[0].words, d=clauses[1].words)
    return Clause("tell_then", "sentences", said, goals_of(*clauses))


COMPOUND: dict[Maker, float] = {row: 12, tail: 14, if_then: 5, if_else: 5, follow: 7, question_then: 2}
