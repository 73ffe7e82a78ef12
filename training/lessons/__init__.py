"""Lessons for the small model: sentences in many voices, and what a robot should do about them.

`lessons(n, seed)` yields `Lesson`s. Each comes from one throw of dice that is its number, so any lesson can be made
again alone. A lesson belongs to one side of the split: training (""), or held out by frame, by object or by
combination. The drone's are made here, those of other robots in files of their own; `SHARES` says how they are mixed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from knowledge import fraction, items
from lessons import oracle
from lessons.composed import COMPOSED
from lessons.compound import COMPOUND
from lessons.guard import DRONE
from lessons.home import home_lesson
from lessons.humanoid import humanoid_lesson
from lessons.loops import LOOPS
from lessons.mends import MENDS
from lessons.picks import PICKS
from lessons.probes import PROBES
from lessons.reading import reading
from lessons.record import Lesson
from lessons.refusals import ASKING, REFUSALS
from lessons.rescue import rescue_lesson
from lessons.simple import SINGLE, anything
from lessons.skillset import drone_set
from lessons.strange import estranged
from lessons.telling import Side, Unsaid, teller
from lessons.voice import rough, spoken
from lessons.wants import WANTS
from lessons.warehouse import warehouse_lesson
from lessons.written import WRITTEN
from sayso.language import check
from sayso.models.pocket.any_robot import probe_input
from sayso.models.pocket.text import output
from sayso.parts import Brief, Observation
from sayso.robots.drone.form import plan_input

TRIES = 400
SIDES = ("frame", "object", "combo")
FAMILIES = {
    "single": 60,
    "want": 17,
    "pick": 28,
    "loop": 6,
    "compound": 34,
    "written": 260,
    "refuse": 64,
    "ask": 8,
    "probe": 90,
    "mend": 10,
}
"""How often each family of lessons is drawn."""

_MAKERS = {
    "single": SINGLE,
    "want": WANTS,
    "pick": PICKS,
    "loop": LOOPS,
    "compound": COMPOUND,
    "written": WRITTEN,
    "refuse": REFUSALS,
    "ask": ASKING,
}
_COMBINED = {"want": 5, "compound": 5, "probe": 3}
_ABOUT_THINGS = {"single": 6, "want": 0, "pick": 2, "compound": 4, "written": 3, "probe": 5, "mend": 1}


SHARES = {"drone": 0.68, "humanoid": 0.14, "home": 0.07, "warehouse": 0.06, "rescue": 0.05}
"""The robots, and how often a lesson is for each."""


def lessons(
    n: int, seed: int = 0, held_out: float = 0.1, start: int = 0, domains: Sequence[str] = tuple(SHARES)
) -> Iterator[Lesson]:
    """`n` lessons from number `start` on, about the share `held_out` of them for measuring only."""
    for number in range(start, start + n):
        yield lesson(seed, number, held_out, domains)


def lesson(seed: int, number: int, held_out: float = 0.1, domains: Sequence[str] = tuple(SHARES)) -> Lesson:
    """The lesson of that number, for one of the robots in `domains`."""
    at = fraction("domain", str(seed), str(number)) * sum(SHARES[domain] for domain in domains)
    for domain in domains:
        at -= SHARES[domain]
        if at < 0:
            return _LESSON[domain](seed, number, held_out)
    return _LESSON[domains[-1]](seed, number, held_out)


def drone_lesson(seed: int, number: int, held_out: float = 0.1, families: Mapping[str, int] = FAMILIES) -> Lesson:
    """The drone's lesson of that number. Dice that make none are thrown again."""
    rng = Random(f"{seed}/{number}")
    held = rng.choice(SIDES) if rng.random() < held_out else ""
    families = {"combo": _COMBINED, "object": _ABOUT_THINGS}.get(held, families) if families is FAMILIES else families
    for _ in range(TRIES):
        family = rng.choices(list(families), list(families.values()))[0]
        try:
            made = _MAKE[family](rng, Side(held), f"{seed}-{number}", family)
        except Unsaid:
            continue
        if not DRONE.forbids(made.sentence) and (held != "object" or _shows_held_out(made)):
            return made if held else estranged(rng, made)
    raise RuntimeError(f"no lesson {number} of seed {seed} for the side {held!r} in {TRIES} tries")


_LESSON: dict[str, Callable[[int, int, float], Lesson]] = {
    "drone": drone_lesson,
    "humanoid": humanoid_lesson,
    "home": home_lesson,
    "warehouse": warehouse_lesson,
    "rescue": rescue_lesson,
}


READ = {
    "single": 70,
    "want": 20,
    "pick": 28,
    "loop": 12,
    "compound": 70,
    "composed": 130,
    "written": 240,
    "refuse": 45,
    "ask": 8,
}
"""How often each family of wishes is drawn to be read."""
_READ_MAKERS = {**_MAKERS, "composed": COMPOSED}


def reading_lesson(seed: int, number: int, held_out: float = 0.1) -> Lesson:
    """The same wishes, to be read only."""
    rng = Random(f"{seed}/{number}/read")
    held = rng.choice(SIDES) if rng.random() < held_out else ""
    families = {"combo": {"want": 5, "compound": 5, "composed": 3}, "object": {**_ABOUT_THINGS, "composed": 4}}.get(
        held, READ
    )
    families = {name: weight for name, weight in families.items() if name in READ}
    for _ in range(TRIES):
        family = rng.choices(list(families), list(families.values()))[0]
        try:
            t = teller(rng, Side(held), airborne=rng.random() < 0.35)
            t.reading = True
            clause = anything(rng, _READ_MAKERS[family])(t, rng.choice(("orders", "sentences")))
            clause.steps(t.view)
            sentence = spoken(t, clause) if family != "refuse" or clause.intent != "nonsense" else clause.words
            t.complete()
            made = reading(held, f"{seed}-{number}", clause, sentence, t)
        except Unsaid:
            continue
        if not DRONE.forbids(made.sentence) and (held != "object" or _shows_held_out(made)):
            return made if held else estranged(rng, made)
    raise RuntimeError(f"no lesson {number} of seed {seed} for the side {held!r} in {TRIES} tries")


def eyes_lesson(seed: int, number: int, held_out: float = 0.1) -> Lesson:
    """Questions about a scene, alone."""
    return drone_lesson(seed, number, held_out, {"probe": 1})


def _shows_held_out(made: Lesson) -> bool:
    """Whether a thing that training never shows is really in it; the dice may have turned to another one."""
    return any(name in made.prompt or name in made.target for name in _held_out_names())


@functools.cache
def _held_out_names() -> tuple[str, ...]:
    return tuple(name for item in items().values() if item.held_out for name in (item.label, item.plural))


def _planned(rng: Random, side: Side, id_: str, family: str) -> Lesson:
    t = teller(rng, side, airborne=rng.random() < 0.35)
    clause = anything(rng, _MAKERS[family])(t, rng.choice(("orders", "sentences")))
    plan = oracle.joined(clause.steps(t.view))
    sentence = spoken(t, clause) if family != "refuse" or clause.intent != "nonsense" else clause.words
    t.complete()
    prompt = plan_input(Brief(sentence, drone_set(), Observation(t.room.scene)))
    target = _admissible(plan)
    return Lesson(id_, side.held, "plan", clause.intent, sentence, prompt, target, tuple(t.frames), t.room.scene)


def _probed(rng: Random, side: Side, id_: str, family: str) -> Lesson:
    probe = anything(rng, PROBES)(rng, side)
    probe.teller.complete()
    question = rough(rng, probe.question) if rng.random() < 0.15 else probe.question
    prompt = probe_input(question, probe.teller.room.scene)
    return Lesson(
        id_, side.held, "probe", probe.intent, question, prompt, output(probe.answer), tuple(probe.teller.frames)
    )


def _mended(rng: Random, side: Side, id_: str, family: str) -> Lesson:
    mend = anything(rng, MENDS)(rng, side)
    sentence = spoken(mend.teller, mend.clause)
    mend.teller.complete()
    brief = Brief(sentence, drone_set(), Observation(mend.scene), history=(mend.attempt,), failure=mend.attempt.ended)
    prompt = plan_input(brief)
    return Lesson(
        id_, side.held, "replan", mend.intent, sentence, prompt, _admissible(mend.plan), tuple(mend.teller.frames)
    )


def _admissible(plan: str) -> str:
    """The plan as a target; one that the robot could not run is a bug in the oracle."""
    if errors := check(plan, drone_set()):
        raise AssertionError(f"{errors[0]} in {plan}")
    return output(plan)


_MAKE: dict[str, Callable[[Random, Side, str, str], Lesson]] = {
    **dict.fromkeys(_MAKERS, _planned),
    "probe": _probed,
    "mend": _mended,
}
