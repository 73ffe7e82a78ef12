"""Lessons for the rescue aircraft: what is said of a search, or is new about one, and which step is sensible."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from lessons import words
from lessons.guard import RESCUE
from lessons.lists import lists
from lessons.phrasing import fill
from lessons.record import Lesson, output
from lessons.rescue_caller import Caller
from lessons.rescue_places import Ground, ground
from lessons.rescue_says import Told, change, search, spoken
from lessons.rescue_score import asked, moment, wanted
from lessons.telling import Side, Unsaid
from lessons.voice import rough
from sayso.models.pocket.any_robot import form_for
from sayso.robots.aircraft.form import SEARCH

TRIES = 400
SIDES = ("frame", "combo")
FAMILIES = {"mission": 46, "change": 26, "none": 6, "score": 24}
"""How often each is drawn: a new search, what is new about one, no search at all, a step to weigh."""

ELSEWHERE = {"chat": 4, "knowledge": 3, "order": 2, "harm": 1, "inject": 2}


def rescue_lesson(seed: int, number: int, held_out: float = 0.1) -> Lesson:
    """The rescue aircraft's lesson of that number. Dice that make none are thrown again."""
    rng = Random(f"rescue/{seed}/{number}")
    held = rng.choice(SIDES) if rng.random() < held_out else ""
    for _ in range(TRIES):
        family = rng.choices(list(FAMILIES), list(FAMILIES.values()))[0]
        try:
            made = _MAKE[family](Caller(rng, Side(held)), ground(rng), f"r{seed}-{number}")
        except Unsaid:
            continue
        if not RESCUE.forbids(made.sentence):
            return made
    raise RuntimeError(f"no rescue lesson {number} of seed {seed} for the side {held!r} in {TRIES} tries")


def _told(intent: str, say: Callable[[Caller, Ground], Told]) -> Callable[[Caller, Ground, str], Lesson]:
    def make(c: Caller, where: Ground, id_: str) -> Lesson:
        told = say(c, where)
        said = spoken(told)
        c.complete(told.joined)
        return _reading(c, id_, intent, said, told.reading)

    return make


def _none(c: Caller, where: Ground, id_: str) -> Lesson:
    """What is no search."""
    if c.side.held == "combo":
        raise Unsaid("nothing is joined here")
    said = _elsewhere(c, where)
    c.complete(joined=False)
    return _reading(c, id_, "none", said, "nothing")


def _elsewhere(c: Caller, where: Ground) -> str:
    rng = c.rng
    if c.chance(0.1):
        return " ".join(rng.choice(lists("nonsense")["words"]) for _ in range(rng.choice((1, 2, 3, 5, 7))))
    slots = {
        "place": rng.choice(where.places).said(rng),
        "name": c.name(),
        "num": words.number(rng, rng.randrange(2, 60)),
    }
    if c.chance(0.6):
        return rough(rng, c.say("no_search", main=True, **slots))
    kind = rng.choices(list(ELSEWHERE), list(ELSEWHERE.values()))[0]
    choice = c.side.frames(f"refuse.{kind}", "sentences", True)
    if not choice:
        raise Unsaid(f"no frames for {kind}")
    chosen = rng.choice(choice)
    c.held_frames += chosen.held_out
    c.frames.append(chosen.id)
    slots |= {slot: rng.choice(lists("far")[slot]) for slot in ("dish", "who", "place")}
    slots |= {"x": f"the {rng.choice(lists('rescue_who')['things'])}", "xs": "chairs"}
    try:
        return rough(rng, fill(chosen.say(rng), slots))
    except KeyError:
        raise Unsaid("a slot that is the drone's") from None


def _score(c: Caller, where: Ground, id_: str) -> Lesson:
    told = search(c, where)
    while told.steps in ([], ["confirm", "home"]) and c.chance(0.6):
        c = Caller(c.rng, c.side)
        told = search(c, where)  # what else is wanted on a find is what steps differ by
    said = spoken(told)
    c.complete(told.joined)
    prompt, letter, about = asked(moment(c.rng, wanted(told)), said)
    read = form_for(prompt).reads(prompt)
    return Lesson(id_, c.side.held, prompt.purpose, f"rescue.score.{about}", said, read, output(letter), (*c.frames,))


def _reading(c: Caller, id_: str, intent: str, said: str, reading: str) -> Lesson:
    """Raises `Unsaid` where it cannot be read to the letter: a name with a slip in it, an amount that parts."""
    prompt = SEARCH.reads(said)
    held_to = SEARCH.constraint(prompt)
    if len(said) > SEARCH.chars or not (held_to.take(reading) and held_to.may_end):
        raise Unsaid(f"{reading!r} is not in {prompt!r}")
    return Lesson(id_, c.side.held, "mission", f"rescue.{intent}", said, prompt, output(reading), (*c.frames,))


_MAKE: dict[str, Callable[[Caller, Ground, str], Lesson]] = {
    "mission": _told("mission", search),
    "change": _told("change", change),
    "none": _none,
    "score": _score,
}
