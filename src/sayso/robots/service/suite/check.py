"""Checks of the service suite itself: is every command doable, is a wrong plan seen, does the handling hold?

    references   the reference plan of each command carried out in its world, and judged right
    mutants      plans that are wrong in one point, carried out and judged wrong
    corruption   answers spoiled at a rate, asked for again, and nothing inadmissible passed on (no world is needed)

Each yields a row a command, so that a run can be watched, stopped, and gone on with.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from sayso.goals.planned import preds
from sayso.goals.text import parse as parse_goal
from sayso.language import check, parse
from sayso.models.corrupted import Corrupted
from sayso.parts import Brief, Model
from sayso.perception.indoor import IndoorCamera
from sayso.planners.sequence import SORRY_SAID
from sayso.planners.sequence import Sequence as SequencePlanner
from sayso.robots.service.admit import admit
from sayso.robots.service.kit import service_skills
from sayso.robots.service.prompt import sequence_prompt
from sayso.robots.service.suite.commands import Command, command
from sayso.robots.service.suite.draw import CHOICES, HEAVY, kinds, place_rooms, rooms
from sayso.robots.service.suite.episode import carry_out, carry_out_plan, double
from sayso.robots.service.world import FLAT
from sayso.robots.service.world.home import Home
from sayso.worlds.indoor.scene import default_place, knowledge

Row: TypeAlias = "dict[str, Any]"

MUTANT_SEEDS = 1000
"""Seeds of their worlds begin here, so that none is a reference's."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A plan made wrong in one point, and in which."""

    way: str
    plan: str


def references(numbers: Iterable[int], seed: int = 0) -> Iterator[Row]:
    """The reference plan of each command, carried out as it is."""
    for i in numbers:
        one = command(i, seed)
        outcome = carry_out(one, double(one), _sequence, i)
        done = outcome.ended.outcome == "achieved" and not outcome.missed
        yield {
            "i": i, "ok": done, "frame": one.frame, "category": one.category, "text": one.text, "plan": one.plan,
            "reason": outcome.ended.reason, "missed": list(outcome.missed), "simulated_s": outcome.ended.at_s,
            "collisions": outcome.collisions,
        }  # fmt: skip


def mutants(numbers: Iterable[int], seed: int = 0) -> Iterator[Row]:
    """A wrong plan for each command that has one, carried out; `ok` where the judge refuses it."""
    for i in numbers:
        one = command(i, seed)
        mutant = mutated(one, random.Random(f"{seed}:{i}"))
        if mutant is None:
            continue
        outcome = carry_out_plan(one, mutant.plan, MUTANT_SEEDS + i)
        yield {
            "i": i, "ok": bool(outcome.missed), "frame": one.frame, "text": one.text, **asdict(mutant),
            "outcome": outcome.ended.outcome, "reason": outcome.ended.reason,
        }  # fmt: skip


# Wrong plans

LAST_MATTERS = ("sp(", "an(", "pt(", "pl(", "gv(", "f(", "mt(")
_NAMED = re.compile(r"\b(lo|gr|pl|pt|gv|lp|f|an|ct|oi|mt)\('([^']+)'")


def mutated(one: Command, rng: random.Random) -> Mutant | None:
    """One of the ways to be wrong that this command allows."""
    ways = list(WAYS)
    rng.shuffle(ways)
    found = (Mutant(way, plan) for way in ways if (plan := WAYS[way](one, rng)))
    return next((m for m in found if m.plan != one.plan), None)


def _cut(one: Command, rng: random.Random) -> str:
    """Without its last step, where that is what was asked for."""
    before, _, last = one.plan.rpartition(";")
    return before if before and last.startswith(LAST_MATTERS) else ""


def _other_thing(one: Command, rng: random.Random) -> str:
    """Another thing brought, put or found."""
    named = [m[2] for m in _NAMED.finditer(one.plan) if m[1] in ("lo", "gr") and m[2] in kinds()]
    wanted = [name for name in named if any(f"'{name}'" in goal for goal in one.goals)]
    if not wanted:
        return ""
    here = place_rooms()[default_place(kinds()[wanted[0]], FLAT)]
    others = [n for n, kind in kinds().items() if n not in one.text and n not in HEAVY]
    others = [n for n in others if place_rooms()[default_place(kinds()[n], FLAT)] != here]
    return one.plan.replace(f"'{wanted[0]}'", f"'{rng.choice(others)}'")


def _other_place(one: Command, rng: random.Random) -> str:
    """Put down, or guided to, another place in another room."""
    *before, last = one.plan.split(";")
    found = _NAMED.fullmatch(last.removesuffix(")"))
    if not found or found[1] not in ("pl", "mt") or found[2] not in (*place_rooms(), *rooms()):
        return ""
    here = place_rooms().get(found[2], found[2])
    elsewhere = [p["name"] for p in knowledge(FLAT)["places"] if p["room"] != here and p["name"] not in one.text]
    if found[1] == "pl":
        elsewhere = [name for name in elsewhere if any(p["name"] == name and p.get("placement") for p in _places())]
    away = rng.choice(elsewhere)
    return ";".join([s.replace(f"mt('{found[2]}')", f"mt('{away}')") for s in before] + [f"{found[1]}('{away}')"])


def _other_person(one: Command, rng: random.Random) -> str:
    """Somebody else gets it, or is told: the operator."""
    *before, last = one.plan.split(";")
    if last.startswith(("pt('me", "gv('me")) or "'me'" in one.plan or "operator" in "".join(one.goals):
        return ""
    if last.startswith(("pt('", "gv('")):
        return ";".join([*before, "pt('me')"])
    called = any(name in last for name in (*knowledge(FLAT)["people"]["male"], *knowledge(FLAT)["people"]["female"]))
    if last.startswith(("sp('", "an('")) and len(before) > 1 and not called:
        return f"lp('me');{last}"
    return ""


def _other_words(one: Command, rng: random.Random) -> str:
    """Something else is said."""
    *before, last = one.plan.split(";")
    return ";".join([*before, "sp('Good morning to you.')"]) if last.startswith(("sp('", "an('")) else ""


def _every_answer(one: Command, rng: random.Random) -> str:
    """All that the answer could be is said, and the right one with it."""
    *before, last = one.plan.split(";")
    told = [pred.args for goal in one.goals for pred in preds(parse_goal(goal)) if pred.name == "told"]
    among = next((str(args[2]) for args in told if len(args) > 2), "")
    return ";".join([*before, f"sp('{', '.join(CHOICES[among])}')"]) if among and last.startswith("sp('") else ""


def _places() -> list[dict[str, Any]]:
    places: list[dict[str, Any]] = knowledge(FLAT)["places"]
    return places


WAYS: dict[str, Callable[[Command, random.Random], str]] = {
    "last step left out": _cut,
    "another thing": _other_thing,
    "another place": _other_place,
    "another person": _other_person,
    "other words": _other_words,
    "every answer": _every_answer,
}


# Spoiled answers


def corruption(numbers: Iterable[int], rate: float = 0.3, seed: int = 0) -> Iterator[Row]:
    """What the planner passes on of answers that are spoiled at a rate; `ok` where that is a plan for the home.

    `inadmissible` tells whether anything was passed on that the home does not admit: it never may.
    """
    known = household()
    for i in numbers:
        one = command(i, seed)
        model = Corrupted(double(one), rate, seed * 100_003 + i)
        text = asyncio.run(_planned(model, known, one.text))
        wrong = bool(check(text, known.skills)) or not admit(text, known).plan
        yield {
            "i": i, "ok": SORRY_SAID not in text and not wrong, "text": one.text, "spoiled": model.spoiled,
            "inadmissible": wrong, "same": parse(text) == parse(one.plan),
        }  # fmt: skip


def household() -> Brief:
    """What a check knows of the home."""
    world = Home(perception=IndoorCamera, setup={"people": []})
    skills = service_skills(world.service, world.perception, None, lambda text: None)
    return Brief("", skills, knowledge=world.service.knowledge)


async def _planned(model: Model, known: Brief, text: str) -> str:
    brief = Brief(text, known.skills, knowledge=known.knowledge)
    return "".join([part async for part in _sequence(model).plan(brief)])


def _sequence(model: Model) -> SequencePlanner:
    return SequencePlanner(model, sequence_prompt, admit, replans=0)


CHECKS: dict[str, Callable[..., Iterator[Row]]] = {
    "references": references, "mutants": mutants, "corruption": corruption,
}  # fmt: skip
