"""What to do when a plan did not work: the same wish, what ran, why it ended, what is in view now, and the next plan.

| what happened | what is right then |
|---|---|
| the way to a thing is blocked | round it where there is room; then the other side; then higher; then say so |
| it is not in view any more | scan for it and go on |
| a limit refused | say which; nothing lifts a limit |
| something is in the way of a move | say so |
| the text was not admissible | the same plan, right this time |
| the plan asked for a new one after a turn | decide from what is in view now |
| the model's answer or a resource was lost for a moment | go on from there |

What ran is not done again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from knowledge import items
from lessons import oracle, words
from lessons.lists import lists, rules
from lessons.oracle import View
from lessons.picks import WAYS, first, phrase
from lessons.rooms import Room, ref, sample
from lessons.simple import JOINABLE, SINGLE, Clause, anything, aside, goto, goto_picture, motion
from lessons.skillset import drone_set
from lessons.telling import Side, Teller, Unsaid, teller
from sayso.language import check
from sayso.parts import Attempt
from sayso.scene import Scene
from sayso.task import Ran

MOTION = {skill.short: skill.name for skill in drone_set().skills if not skill.source}
"""Full names, as outcomes report them."""

WHERE = {"mf": "ahead", "mb": "behind", "ml": "to the left", "mr": "to the right", "mu": "above", "md": "below"}

OUT_OF_REACH = "I cannot get to the {}: something is in the way."


@dataclass(frozen=True, slots=True)
class Mend:
    """A wish with one attempt behind it, what is in view now, and the right next plan."""

    intent: str
    teller: Teller
    clause: Clause
    attempt: Attempt
    scene: Scene
    plan: str


Mender: TypeAlias = Callable[[Random, Side], Mend]


def done(*shorts: str) -> tuple[Ran, ...]:
    return tuple(Ran(MOTION[s]) for s in shorts)


def _acts(statements: Sequence[str]) -> list[str]:
    """Without the search in front of them."""
    return [s for s in statements if not s.startswith("?") and s != "to"]


def _reason(rng: Random, kind: str, **slots: str) -> str:
    return rng.choice(lists("reasons")[kind]).format(near=rng.uniform(0.2, 1.0), far=rng.uniform(1.3, 4.5), **slots)


def _ran(statements: Sequence[str]) -> tuple[Ran, ...]:
    """The outcomes of plain statements; what is inside blocks is left out."""
    shorts = [s.partition("(")[0] for s in statements]
    return done(*(s for s in shorts if s in MOTION))


def _journey(t: Teller) -> tuple[Clause, Clause, list[Clause]]:
    """A wish that goes to a thing, and perhaps does something before and after: said as one, told as parts."""
    rng = t.rng
    go = (goto if rng.random() < 0.8 else goto_picture)(t, "orders")
    if not (go.about and go.about.name) or go.about.ask:
        raise Unsaid("needs a plain name")
    before = motion(t, "orders") if rng.random() < 0.35 else None
    after = anything(rng, JOINABLE)(t, "orders") if rng.random() < 0.4 else None
    said = go.words
    if before:
        said = t.say("then", "sentences", c=before.words, d=said)
    if after:
        said = t.say("then", "sentences", c=said, d=after.words)
    parts = [before] if before else []
    whole = Clause("journey", "orders" if not (before or after) else "sentences", said, lambda view: [], go.about)
    return whole, go, [*parts, *([after] if after else [])]


def _tried(go: Clause, others: list[Clause], said: Clause, view: View) -> tuple[list[str], list[str], list[Clause]]:
    """The first plan: what came before going, the going, and the clauses after it."""
    first_part = [
        c for c in others if said.words.startswith(c.words) or said.words.find(c.words) < said.words.find(go.words)
    ]
    rest = [c for c in others if c not in first_part]
    before = [s for c in first_part for s in c.steps(view)]
    return before, go.steps(view), rest


def blocked(rng: Random, side: Side) -> Mend:
    """Something stands in the way: round it, where the picture shows room."""
    t = teller(rng, side)
    whole, go, others = _journey(t)
    if any(word in whole.words for word in ("before", "after you", "first")):
        raise Unsaid("told backwards")
    assert go.about is not None
    label, view = go.about.label, t.view
    before, going, rest = _tried(go, others, whole, view)
    room = sample(rng, side.items(), (label,), 6, airborne=True)
    detours = _detours(room, label)
    round_ = rng.choice((0, 0, 0, 1, 2, 3))
    tried = (
        [*before, *going, *[s for c in rest for s in c.steps(view)]]
        if round_ == 0
        else [detours[round_ - 1], *going[-1:]]
    )
    reason = _reason(rng, "blocked", label=label)
    ran = (*_ran(before if round_ == 0 else [detours[round_ - 1]]), Ran("goto", outcome="failed", reason=reason))
    if round_ == 3:
        plan = [oracle.log(OUT_OF_REACH.format(label)), "->False"]
    else:
        now = View(room.scene)
        now.moved(label)
        acts = _acts(going)
        plan = [detours[round_], f"g({oracle.text(label)})", *acts[1:], *[s for c in rest for s in c.steps(now)]]
    return Mend("mend.blocked", t, whole, Attempt(oracle.joined(tried), ran, reason), room.scene, oracle.joined(plan))


def _detours(room: Room, label: str) -> tuple[str, str, str]:
    """The side with more room first, then the other one, then over it."""
    goal = next(x for x in room.scene if x.label == label)
    assert goal.box is not None
    nearer = [x for x in room.scene if x.label != label and x.box and (x.distance_m or 0) < (goal.distance_m or 9)]
    ahead = [x.box for x in nearer if x.box and abs(x.box.x - goal.box.x) < (x.box.width + goal.box.width) / 2 + 0.1]
    obstacle = max(ahead, key=lambda box: box.width * box.height, default=None)
    to_the_left = obstacle is None or obstacle.x >= goal.box.x
    return ("ml(100)", "mr(200)", "mu(80)") if to_the_left else ("mr(100)", "ml(200)", "mu(80)")


def lost(rng: Random, side: Side) -> Mend:
    """It was there, or should have been: look for it, then go on."""
    t = teller(rng, side)
    whole, go, others = _journey(t)
    if any(word in whole.words for word in ("before", "after you", "first")):
        raise Unsaid("told backwards")
    assert go.about is not None
    label, view = go.about.label, t.view
    before, going, rest = _tried(go, others, whole, view)
    after = [s for c in rest for s in c.steps(view)]
    reason = _reason(rng, "lost", label=label)
    ran = (*_ran(before), Ran("goto", outcome="failed", reason=reason))
    room = sample(rng, [i for i in side.items() if i.label != label], (), 5, airborne=True)
    now = View(Scene(tuple(x for x in room.scene if x.label != label), room.scene.observer))
    acts = _acts(going)
    plan = [*oracle.guard(now, label), f"g({oracle.text(label)})", *acts[1:]]
    now.moved(label)
    plan += [s for c in rest for s in c.steps(now)]
    plan_before = [*before, f"g({oracle.text(label)})", *acts[1:], *after]
    attempt = Attempt(oracle.joined(plan_before), ran, reason)
    return Mend("mend.lost", t, whole, attempt, now.scene, oracle.joined(plan))


def limited(rng: Random, side: Side) -> Mend:
    """A limit said no, before anything moved or on the way."""
    t = teller(rng, side)
    clause = motion(t, rng.choice(("orders", "sentences")))
    statements = clause.steps(t.view)
    short = statements[-1].split("{")[-1].partition("(")[0]
    choice = [rule for rule in rules() if short in rule["moves"]]
    if not choice:
        raise Unsaid("nothing limits a turn")
    rule = rng.choice(choice)
    x, y, h = rng.choice((2.75, 3.75, 5, 9.5)), rng.choice((1.75, 2.75, 4)), rng.choice((2.0, 2.5, 3.0, 10.0))
    reason = rule["says"].format(
        h=h,
        m=rng.uniform(h, h + 4),
        k=-rng.uniform(0.1, 3),
        x=f"-{x:g}..{x:g}",
        y=f"-{y:g}..{y:g}",
        b=rng.randrange(3, 10),
    )
    if rng.random() < 0.6:
        attempt = Attempt(oracle.joined(statements), (), f"line 1, column 1: {reason}")
    else:
        attempt = Attempt(oracle.joined(statements), (Ran(MOTION[short], outcome="refused", reason=reason),), reason)
    return Mend("mend.limited", t, clause, attempt, _later(t), oracle.refusal(rule["reply"]))


def obstructed(rng: Random, side: Side) -> Mend:
    """A move ended early: something stands there."""
    t = teller(rng, side)
    clause = motion(t, rng.choice(("orders", "sentences")))
    statements = clause.steps(t.view)
    short = statements[-1].split("{")[-1].partition("(")[0]
    if short in ("tc", "tu"):
        raise Unsaid("a turn meets nothing")
    where = WHERE[short]
    reason = _reason(rng, "obstructed", where=where)
    attempt = Attempt(oracle.joined(statements), (Ran(MOTION[short], outcome="failed", reason=reason),), reason)
    return Mend("mend.obstructed", t, clause, attempt, _later(t), oracle.refusal("Something is in my way."))


def misspelled(rng: Random, side: Side) -> Mend:
    """The plan had an error, found before it ran: the same again, right."""
    t = teller(rng, side)
    clause = anything(rng, SINGLE)(t, rng.choice(("orders", "sentences")))
    right = oracle.joined(clause.steps(t.view))
    wrong = _corrupted(rng, right)
    errors = check(wrong, drone_set())
    if wrong == right or not errors or errors[0].place.column > 12:
        raise Unsaid("still right, or it would have run a part")
    return Mend("mend.misspelled", t, clause, Attempt(wrong, (), errors[0].pointed()), t.room.scene, right)


def _corrupted(rng: Random, plan: str) -> str:
    at = rng.randrange(1, len(plan))
    kind = rng.randrange(4)
    if kind == 0:
        return plan.replace(rng.choice((")", "(", "'", "}")), "", 1)
    if kind == 1:
        return plan[:at] + rng.choice(";)}{(='?") + plan[at:]
    if kind == 2:
        return (
            rng.choice(("fly", "goto_thing", "x", "photo", "search")) + plan[plan.find("(") :] if "(" in plan else plan
        )
    return plan[:at] + plan[at + 1 :]


def looked(rng: Random, side: Side) -> Mend:
    """The plan turned and asked for a new one: now the scene decides."""
    t = teller(rng, side)
    turn, where = words.side(rng)
    attempt = Attempt(f"{turn};rp", done(turn.partition("(")[0]), "the plan asks for a new one")
    room = sample(rng, side.items(), (), 7, airborne=True)
    if rng.random() < 0.6:
        said = t.say("what_side", form := rng.choice(("orders", "sentences")), side=where)
        clause = Clause("what_side", form, aside(said), lambda view: [])
        return Mend("mend.looked", t, clause, attempt, room.scene, oracle.log(oracle.described(room.scene)))
    people = rng.choice((1, 2, 3))
    label = "person" if rng.random() < 0.5 else t.item().label
    room = sample(rng, side.items(), (label,) * people, 6, airborne=True)
    way = rng.choice(WAYS)
    chosen = first(way, room.alike(label))
    if chosen is None:
        raise Unsaid("too close to call")
    intent, short = rng.choice((("side_pick_goto", "g"), ("side_pick_face", "o")))
    said = t.say(intent, form := rng.choice(("orders", "sentences")), side=where, most=phrase(rng, way, label))
    clause = Clause(intent, form, aside(said), lambda view: [])
    return Mend("mend.looked", t, clause, attempt, room.scene, f"{short}({oracle.text(ref(chosen, room.scene))})")


def interrupted(rng: Random, side: Side) -> Mend:
    """A model that did not answer, a resource that was taken for a moment: go on from there."""
    t = teller(rng, side)
    clause = anything(rng, SINGLE)(t, rng.choice(("orders", "sentences")))
    if clause.intent not in (
        "goto",
        "picture",
        "find",
        "goto_picture",
        "count_side",
        "full_turn",
        "turn_round",
        "shoot",
    ):
        raise Unsaid("not this one")
    statements = clause.steps(t.view)
    short = next((s.partition("(")[0] for s in statements if s.partition("(")[0] in MOTION), "")
    if not short:
        raise Unsaid("nothing to interrupt")
    reason = _reason(rng, "interrupted")
    if "p(" in oracle.joined(statements):
        reason = "the question got no answer: no answer in time"
    scene = sample(
        rng,
        side.items(),
        (clause.about.label,) if clause.about and clause.about.label in items() else (),
        5,
        airborne=True,
    ).scene
    again = clause.steps(View(scene)) if clause.about is None or not clause.about.ask else statements
    attempt = Attempt(oracle.joined(statements), (Ran(MOTION[short], outcome="failed", reason=reason),), reason)
    return Mend("mend.interrupted", t, clause, attempt, scene, oracle.joined(again))


def _later(t: Teller) -> Scene:
    return t.room.scene if t.rng.random() < 0.5 else sample(t.rng, t.side.items(), (), 6, airborne=True).scene


MENDS: dict[Mender, float] = {
    blocked: 5,
    lost: 3,
    limited: 2.5,
    obstructed: 1.5,
    misspelled: 2,
    looked: 4,
    interrupted: 1,
}
