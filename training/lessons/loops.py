"""Repetition: turning in steps until something shows up, series of pictures, watching, doing a thing several times."""

from __future__ import annotations

import math

from lessons import oracle, words
from lessons.lists import lists
from lessons.oracle import View
from lessons.saying import amount, motion_goal, named
from lessons.simple import Clause, Maker, motion
from lessons.telling import Teller, Unsaid, target
from lessons.wants import want


def _round(deg: float) -> int:
    return math.ceil(360 / deg - 1e-9)


def _turn(t: Teller, said: str) -> tuple[str, str]:
    """Now and then somebody wants it the other way round."""
    if t.rng.random() < 0.12:
        return "tu", f"{said}, {t.rng.choice(('to the left', 'counterclockwise', 'turning left', 'anticlockwise'))}"
    if t.rng.random() < 0.06:
        return "tc", f"{said}, {t.rng.choice(('to the right', 'clockwise', 'turning right'))}"
    return "tc", said


def until_see(t: Teller, form: str) -> Clause:
    it = target(t, definite=0.15, plain=True)
    deg, said, hyphened = words.step_deg(t.rng)
    short, sentence = _turn(t, t.say("until_see", form, a=said, a1=hyphened, x=it.phrase, x1=it.bare))
    plan = [
        f"{_round(deg)}{{?{oracle.call('iv', it.name)}{{->True}}{short}({deg:g})}}",
        oracle.log(f"I see no {it.label}."),
        "->False",
    ]
    goal = f"until sees({named(it.bare)}) {{ {motion_goal(short, said)} }}"
    return Clause("until_see", form, sentence, lambda view: plan, goal=goal)


def until_person(t: Teller, form: str) -> Clause:
    deg, said, hyphened = words.step_deg(t.rng)
    who, ask, none = _somebody(t)
    short, sentence = _turn(t, t.say("until_person", form, a=said, a1=hyphened, who=who))
    plan = [
        f"{_round(deg)}{{?{oracle.call('p', ask)}{{->True}}{short}({deg:g})}}",
        oracle.log(f"I see {none}."),
        "->False",
    ]
    goal = f"until sees({named(who.removeprefix('a '))}) {{ {motion_goal(short, said)} }}"
    return Clause("until_person", form, sentence, lambda view: plan, goal=goal)


def _somebody(t: Teller) -> tuple[str, str, str]:
    """Somebody told apart by what is held or worn: words, question, who was not seen."""
    people = lists("people")
    if t.rng.random() < 0.65:
        held = t.rng.choice(people["held"])
        return words.holding(t.rng, held), f"Is there a person with {words.a(held)}?", f"no person with {words.a(held)}"
    shirt = t.rng.choice(people["shirts"])
    return (
        words.wearing(t.rng, shirt, "a"),
        f"Is there a person in {shirt}?",
        f"no person in {shirt}",
    )


def until_want(t: Teller, form: str) -> Clause:
    it = want(t)
    deg, said, hyphened = words.step_deg(t.rng)
    short, sentence = _turn(t, t.say("until_want", form, a=said, a1=hyphened, q=it.noun))
    body = f"_1={oracle.call('p', it.ask)};?_1!=False{{l(_1);->True}}{short}({deg:g})"
    plan = [f"{_round(deg)}{{{body}}}", oracle.log(f"I found {it.none}."), "->False"]
    goal = f"until sees({named(it.noun)}) {{ {motion_goal(short, said)} }}"
    return Clause("until_want", form, sentence, lambda view: plan, goal=goal)


def panorama(t: Teller, form: str) -> Clause:
    deg, said, hyphened = words.step_deg(t.rng)
    short, sentence = _turn(t, t.say("panorama", form, a=said, a1=hyphened))
    side = "left" if short == "tu" else "right"
    goal = f"until turned({side}, 360 deg) {{ picture then {motion_goal(short, said)} }}"
    return Clause("panorama", form, sentence, lambda view: [f"{_round(deg)}{{tp;{short}({deg:g})}}"], goal=goal)


def climb_shoot(t: Teller, form: str) -> Clause:
    n = t.rng.choice((2, 3, 4))
    cm = t.rng.choice((10, 20, 25, 30, 40, 50))
    said = t.say(
        "climb_shoot", form, n=words.number(t.rng, n), d=f"{cm} {t.rng.choice(('cm', 'centimetres', 'centimeters'))}"
    )
    goal = f"{n} {{ moved(up, {cm} cm) then picture }}"
    return Clause("climb_shoot", form, said, lambda view: [f"{n}{{mu({cm});tp}}"], goal=goal)


def watch(t: Teller, form: str) -> Clause:
    it, long = target(t, definite=0.1, plain=True), words.duration_s(t.rng)
    if long.value > 60:
        raise Unsaid("too long")
    body = f"?{oracle.call('iv', it.name)}{{{oracle.log(f'I see the {it.label}.')};->True}}d(0.5)"
    plan = [f"{int(long.value * 2)}{{{body}}}", oracle.log(f"I saw no {it.label}.")]
    said, goal = (
        t.say("watch", form, x=it.phrase, t=long.text),
        f"within({amount(long.text)}) {{ found({named(it.bare)}) }}",
    )
    return Clause("watch", form, said, lambda view: plan, goal=goal)


def shots(t: Teller, form: str) -> Clause:
    n, long = t.rng.choice((2, 3, 4, 5)), words.duration_s(t.rng)
    said = t.open("shots", form)
    pause = f";d({long.value:g})" if "{t}" in said else ""
    if long.value > 30:
        raise Unsaid("too long")
    goal = f"{n} {{ picture then waited({amount(long.text)}) }}" if pause else f"{n} {{ picture }}"
    said = said.replace("{n}", words.number(t.rng, n)).replace("{t}", long.text)
    return Clause("shots", form, said, lambda view: [f"{n}{{tp{pause}}}"], goal=goal)


def repeat(t: Teller, form: str) -> Clause:
    """A motion, or two, several times."""
    n, said = words.times(t.rng)
    one = motion(t, "orders")
    other = motion(t, "orders") if t.rng.random() < 0.4 else None

    def steps(view: View) -> list[str]:
        return [f"{n}{{{oracle.joined([*one.steps(view), *(other.steps(view) if other else [])])}}}"]

    inner = f"{one.words} and {other.words}" if other else one.words
    goal = f"{n} {{ {one.goal}{f' then {other.goal}' if other else ''} }}"
    return Clause(
        "repeat",
        "sentences",
        t.say("repeat", "sentences" if form == "sentences" else "orders", c=inner, times=said),
        steps,
        goal=goal,
    )


LOOPS: dict[Maker, float] = {
    until_see: 4, until_person: 3, until_want: 2, panorama: 2, climb_shoot: 1, watch: 2, shots: 1, repeat: 3,
}  # fmt: skip
