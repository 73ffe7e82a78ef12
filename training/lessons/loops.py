"""Repetition: turning in steps until something shows up, series of pictures, watching, doing a thing several times."""

from __future__ import annotations

from lessons import words
from lessons.lists import lists
from lessons.saying import amount, moved, named, turned
from lessons.simple import Clause, Maker, motion
from lessons.telling import Teller, Unsaid, target
from lessons.wants import want


def _turn(t: Teller, said: str) -> tuple[str, str]:
    """Now and then somebody wants it the other way round."""
    if t.rng.random() < 0.12:
        return "left", f"{said}, {t.rng.choice(('to the left', 'counterclockwise', 'turning left', 'anticlockwise'))}"
    if t.rng.random() < 0.06:
        return "right", f"{said}, {t.rng.choice(('to the right', 'clockwise', 'turning right'))}"
    return "right", said


def _until(form: str, intent: str, sentence: str, thing: str, turn: str) -> Clause:
    return Clause(intent, form, sentence, f"until sees({named(thing)}) {{ {turn} }}")


def until_see(t: Teller, form: str) -> Clause:
    it = target(t, definite=0.15, plain=True)
    said, hyphened = words.step(t.rng)
    side, sentence = _turn(t, t.say("until_see", form, a=said, a1=hyphened, x=it.phrase, x1=it.bare))
    return _until(form, "until_see", sentence, it.bare, turned(side, said))


def until_person(t: Teller, form: str) -> Clause:
    said, hyphened = words.step(t.rng)
    who = _somebody(t)
    side, sentence = _turn(t, t.say("until_person", form, a=said, a1=hyphened, who=who))
    return _until(form, "until_person", sentence, who, turned(side, said))


def _somebody(t: Teller) -> str:
    """Somebody told apart by what is held or worn."""
    people = lists("people")
    if t.rng.random() < 0.65:
        return words.holding(t.rng, t.rng.choice(people["held"]))
    return words.wearing(t.rng, t.rng.choice(people["shirts"]), "a")


def until_want(t: Teller, form: str) -> Clause:
    it = want(t)
    said, hyphened = words.step(t.rng)
    side, sentence = _turn(t, t.say("until_want", form, a=said, a1=hyphened, q=it.noun))
    return _until(form, "until_want", sentence, it.noun, turned(side, said))


def panorama(t: Teller, form: str) -> Clause:
    said, hyphened = words.step(t.rng)
    side, sentence = _turn(t, t.say("panorama", form, a=said, a1=hyphened))
    goal = f"until turned({side}, 360 deg) {{ picture then {turned(side, said)} }}"
    return Clause("panorama", form, sentence, goal)


def climb_shoot(t: Teller, form: str) -> Clause:
    n = t.rng.choice((2, 3, 4))
    cm = t.rng.choice((10, 20, 25, 30, 40, 50))
    said = t.say(
        "climb_shoot", form, n=words.number(t.rng, n), d=f"{cm} {t.rng.choice(('cm', 'centimetres', 'centimeters'))}"
    )
    return Clause("climb_shoot", form, said, f"{n} {{ {moved('up', f'{cm} cm')} then picture }}")


def watch(t: Teller, form: str) -> Clause:
    it, long = target(t, definite=0.1, plain=True), words.duration_s(t.rng)
    if long.value > 60:
        raise Unsaid("too long")
    said = t.say("watch", form, x=it.phrase, t=long.text)
    return Clause("watch", form, said, f"within({amount(long.text)}) {{ found({named(it.bare)}) }}")


def shots(t: Teller, form: str) -> Clause:
    n, long = t.rng.choice((2, 3, 4, 5)), words.duration_s(t.rng)
    said = t.open("shots", form)
    if long.value > 30:
        raise Unsaid("too long")
    pause = f" then waited({amount(long.text)})" if "{t}" in said else ""
    said = said.replace("{n}", words.number(t.rng, n)).replace("{t}", long.text)
    return Clause("shots", form, said, f"{n} {{ picture{pause} }}")


def repeat(t: Teller, form: str) -> Clause:
    """A motion, or two, several times."""
    n, said = words.times(t.rng)
    one = motion(t, "orders")
    other = motion(t, "orders") if t.rng.random() < 0.4 else None
    inner = f"{one.words} and {other.words}" if other else one.words
    goal = f"{n} {{ {one.goal}{f' then {other.goal}' if other else ''} }}"
    said = t.say("repeat", "sentences" if form == "sentences" else "orders", c=inner, times=said)
    return Clause("repeat", "sentences", said, goal)


LOOPS: dict[Maker, float] = {
    until_see: 4, until_person: 3, until_want: 2, panorama: 2, climb_shoot: 1, watch: 2, shots: 1, repeat: 3,
}  # fmt: skip
