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
from lessons.composed import COMPOSED
from lessons.compound import COMPOUND
from lessons.errands import errand_lesson
from lessons.guard import DRONE
from lessons.home import home_lesson
from lessons.humanoid import humanoid_lesson
from lessons.loops import LOOPS
from lessons.picks import PICKS
from lessons.probes import PROBES
from lessons.reading import reading
from lessons.record import Lesson, output
from lessons.refusals import ASKING, REFUSALS
from lessons.rescue import rescue_lesson
from lessons.said import said_lesson
from lessons.simple import SINGLE, anything
from lessons.strange import estranged
from lessons.telling import Side, Unsaid, teller
from lessons.voice import rough, spoken
from lessons.wants import WANTS
from lessons.written import WRITTEN
from sayso.models.pocket.any_robot import probe_input

TRIES = 400
SIDES = ("frame", "object", "combo")
SHARES = {"drone": 140, "errand": 44, "humanoid": 14, "home": 44, "rescue": 24, "said": 120}
"""The robots, and how often a lesson is for each; `errand` are those of the one in the warehouse, `said` are of all."""

PROBE_EVERY = 5
"""Of so many lessons for the drone one is a question about a scene; in the others a wish is read."""

FAMILIES = {
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
"""How often each family of wishes is drawn."""

_MAKERS = {
    "single": SINGLE,
    "want": WANTS,
    "pick": PICKS,
    "loop": LOOPS,
    "compound": COMPOUND,
    "composed": COMPOSED,
    "written": WRITTEN,
    "refuse": REFUSALS,
    "ask": ASKING,
}
_OF_SIDE: Mapping[str, Mapping[str, int]] = {
    "combo": {"want": 5, "compound": 5, "composed": 3},
    "object": {"single": 6, "want": 0, "pick": 2, "compound": 4, "written": 3, "composed": 4},
}
"""Other weights, where a side needs them."""


def lessons(
    n: int, seed: int = 0, held_out: float = 0.1, start: int = 0, domains: Sequence[str] = tuple(SHARES)
) -> Iterator[Lesson]:
    """`n` lessons from number `start` on, about the share `held_out` of them for measuring only."""
    for number in range(start, start + n):
        yield lesson(seed, number, held_out, domains)


def lesson(seed: int, number: int, held_out: float = 0.1, domains: Sequence[str] = tuple(SHARES)) -> Lesson:
    """The lesson of that number, for one of the robots in `domains`."""
    return _LESSON[domain_of(seed, number, domains)](seed, number, held_out)


def domain_of(seed: int, number: int, domains: Sequence[str] = tuple(SHARES)) -> str:
    """Whose lesson the one of that number is: each robot has its share of them."""
    at = fraction("domain", str(seed), str(number)) * sum(SHARES[domain] for domain in domains)
    for domain in domains:
        at -= SHARES[domain]
        if at < 0:
            break
    return domain


def drone_lesson(seed: int, number: int, held_out: float = 0.1) -> Lesson:
    """The drone's lesson of that number."""
    return (reading_lesson if number % PROBE_EVERY else eyes_lesson)(seed, number, held_out)


def reading_lesson(seed: int, number: int, held_out: float = 0.1, families: Mapping[str, int] = FAMILIES) -> Lesson:
    """A wish, and what it says in the language of goals."""

    def draw(rng: Random, side: Side, id_: str) -> Lesson:
        weights = _OF_SIDE.get(side.held, families)
        return _read(rng, side, id_, rng.choices(list(weights), list(weights.values()))[0])

    return _drawn(Random(f"{seed}/{number}/read"), f"{seed}-{number}", held_out, draw)


def eyes_lesson(seed: int, number: int, held_out: float = 0.1) -> Lesson:
    """A question about a scene."""
    return _drawn(Random(f"{seed}/{number}"), f"{seed}-{number}", held_out, _probed)


_LESSON: dict[str, Callable[[int, int, float], Lesson]] = {
    "drone": drone_lesson,
    "errand": errand_lesson,
    "humanoid": humanoid_lesson,
    "home": home_lesson,
    "rescue": rescue_lesson,
    "said": said_lesson,
}


def _drawn(rng: Random, id_: str, held_out: float, draw: Callable[[Random, Side, str], Lesson]) -> Lesson:
    """Dice that make no lesson are thrown again."""
    held = rng.choice(SIDES) if rng.random() < held_out else ""
    for _ in range(TRIES):
        try:
            made = draw(rng, Side(held), id_)
        except Unsaid:
            continue
        if not DRONE.forbids(made.sentence) and (held != "object" or _shows_held_out(made)):
            return made if held else estranged(rng, made)
    raise RuntimeError(f"no lesson {id_} for the side {held!r} in {TRIES} tries")


def _shows_held_out(made: Lesson) -> bool:
    """Whether a thing that training never shows is really in it; the dice may have turned to another one."""
    return any(name in made.prompt or name in made.target for name in _held_out_names())


@functools.cache
def _held_out_names() -> tuple[str, ...]:
    return tuple(name for item in items().values() if item.held_out for name in (item.label, item.plural))


def _read(rng: Random, side: Side, id_: str, family: str) -> Lesson:
    t = teller(rng, side, airborne=rng.random() < 0.35)
    clause = anything(rng, _MAKERS[family])(t, rng.choice(("orders", "sentences")))
    sentence = spoken(t, clause) if family != "refuse" or clause.intent != "nonsense" else clause.words
    t.complete()
    return reading(side.held, id_, clause, sentence, t)


def _probed(rng: Random, side: Side, id_: str) -> Lesson:
    probe = anything(rng, PROBES)(rng, side)
    probe.teller.complete()
    question = rough(rng, probe.question) if rng.random() < 0.15 else probe.question
    prompt = probe_input(question, probe.teller.room.scene)
    return Lesson(
        id_, side.held, "probe", probe.intent, question, prompt, output(probe.answer), tuple(probe.teller.frames)
    )
