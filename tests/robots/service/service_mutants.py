"""Plans that are wrong in one point, made from the reference plans of the suite's commands: its judge refuses them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sayso.goals.clauses import preds
from sayso.goals.text import parse as parse_goal
from sayso.robots.service.suite.commands import Command
from sayso.robots.service.suite.draw import CHOICES, HEAVY, kinds, place_rooms, rooms
from sayso.robots.service.world import FLAT
from sayso.worlds.indoor.scene import default_place, knowledge


@dataclass(frozen=True, slots=True)
class Mutant:
    """A plan made wrong in one point, and in which."""

    way: str
    plan: str


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
