"""Lessons for the rescue aircraft: what a search is for, what it has become, and which step is sensible.

The goal is thrown first, on a map of invented places, then the words for it; the target is the goal in the short form
that the planner's own reader reads back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from lessons import words
from lessons.guard import RESCUE
from lessons.lists import lists
from lessons.phrasing import fill
from lessons.record import Lesson
from lessons.rescue_caller import Caller
from lessons.rescue_change import change
from lessons.rescue_goal import Goal, goal
from lessons.rescue_places import Ground, ground
from lessons.rescue_score import asked, moment
from lessons.rescue_words import mission
from lessons.telling import Side, Unsaid
from lessons.voice import rough
from sayso.models.pocket.any_robot import form_for
from sayso.models.pocket.text import output
from sayso.parts import Brief, Observation, Prompt
from sayso.robots.aircraft.kit import KIT
from sayso.robots.aircraft.mission import NOTHING
from sayso.skill import SkillSet

TRIES = 400
SIDES = ("frame", "combo")
FAMILIES = {"mission": 43, "change": 29, "none": 7, "score": 24}
"""How often each is drawn: a new search, a change of one, no search at all, a step to weigh."""

ELSEWHERE = {"chat": 4, "knowledge": 3, "order": 2, "handle": 2, "harm": 1, "inject": 2}
_NOBODY = SkillSet()


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


def _mission(c: Caller, where: Ground, id_: str) -> Lesson:
    wanted = goal(c.rng, where)
    said = mission(c, wanted)
    c.complete(wanted.joined)
    plain = any("plain_find" in frame for frame in c.frames)  # which says no more than where to go on
    running = goal(c.rng, where) if c.chance(0.07) and not plain else None
    return _lesson(c, id_, "mission", said, _prompt(said, where, running), wanted.short)


def _change(c: Caller, where: Ground, id_: str) -> Lesson:
    running = goal(c.rng, where)
    said, wanted = change(c, running)
    c.complete(wanted.joined)
    target = replace(wanted, kind="", avoid_kind="").short
    return _lesson(c, id_, "change", said, _prompt(said, where, running), target)


def _none(c: Caller, where: Ground, id_: str) -> Lesson:
    """What is no search changes nothing, also where one is running."""
    if c.side.held == "combo":
        raise Unsaid("nothing is joined here")
    said = _elsewhere(c, where)
    c.complete(joined=False)
    running = goal(c.rng, where) if c.chance(0.4) else None
    return _lesson(c, id_, "none", said, _prompt(said, where, running), NOTHING)


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
    text = chosen.say(rng)
    slots |= {slot: rng.choice(lists("far")[slot]) for slot in ("dish", "who")}
    slots |= {
        "x": f"the {rng.choice(lists('rescue_who')['things'])}",
        "xs": "chairs",
        "place": rng.choice(lists("far")["place"]),
    }
    try:
        return rough(rng, fill(text, slots))
    except KeyError:
        raise Unsaid("a slot that is the drone's") from None


def _score(c: Caller, where: Ground, id_: str) -> Lesson:
    wanted = goal(c.rng, where)
    while wanted.on_find == ("confirm", "home") and c.chance(0.6):
        wanted = goal(c.rng, where)  # what else is wanted on a find is what steps differ by
    said = mission(c, wanted)
    c.complete(wanted.joined)
    prompt, letter, about = asked(moment(c.rng, wanted), said)
    return _lesson(c, id_, f"score.{about}", said, prompt, letter)


def _prompt(said: str, where: Ground, running: Goal | None = None) -> Prompt:
    """A prompt of the reader, without the words for a large model."""
    seen = Observation.of(*([running.wish.in_short()] if running else []))
    return Prompt("mission", (), brief=Brief(said, _NOBODY, seen, kind=KIT.kind), question="\n".join(where.names))


def _lesson(c: Caller, id_: str, intent: str, said: str, prompt: Prompt, target: str) -> Lesson:
    read, written = form_for(prompt).reads(prompt), output(target)
    return Lesson(id_, c.side.held, prompt.purpose, f"rescue.{intent}", said, read, written, tuple(c.frames))


_MAKE: dict[str, Callable[[Caller, Ground, str], Lesson]] = {
    "mission": _mission,
    "change": _change,
    "none": _none,
    "score": _score,
}
