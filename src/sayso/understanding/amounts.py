"""Amounts that a wish leaves open, and those that are taken where it names none (U4)."""

import math
from collections.abc import Sequence

from sayso.goal import Amount, Clause
from sayso.goals.clauses import preds
from sayso.grounding import units
from sayso.grounding.amounts import usual, vague
from sayso.grounding.inflection import amount, row
from sayso.grounding.tokens import tokens
from sayso.grounding.unclear import ANGLE, ASIDE, LENGTH, TIME, open_amounts
from sayso.grounding.utterance import read
from sayso.tables.units import PACES
from sayso.understanding.operators import exact, operators
from sayso.wish import Manner

BIT = {"moved": ("little_cm", 0.01, " cm"), "turned": ("little_deg", 1.0, "°"), "waited": ("little_s", 1.0, " s")}
"""By the name of a deed: what a bit of it is, and how that stands to the amounts of a goal."""

UNITS = {LENGTH: "metres or centimetres", TIME: "seconds or minutes", ASIDE: "metres, centimetres or degrees"}
FAR = "How far is that in metres?"
HOW_MUCH = {LENGTH: FAR, TIME: "How long is that in seconds?", ANGLE: "How many degrees is that?", ASIDE: FAR}


def unclear(core: str, manners: Sequence[Manner]) -> str:
    """The question that an amount leaves open, such as a number without a unit; empty where none does."""
    missing = open_amounts(core)
    if odd := next((one for one in missing if one.unit), None):
        return f"{'I do not know the unit' if odd.number else 'You say'} “{odd.unit}”. {HOW_MUCH[odd.kind]}"
    numbers = [one.number for one in missing if one.kind == missing[0].kind]
    return f"{row(numbers).capitalize()} what: {UNITS[missing[0].kind]}?" if missing else ""


def as_said(core: str, told: str) -> str:
    """What is told of a wish, in feet and inches where it was said so."""
    for said in read(core).quantities:
        words = tokens(said.text)
        unit = next((found for at in range(len(words)) if (found := units.read(words, at))), None)
        if unit and unit[0].kind == LENGTH and not math.isclose(unit[0].size * 10 % 1, 0, abs_tol=1e-6):
            told = told.replace(amount(said.value, "m"), said.text)
    return told


def assumed(core: str, goal: Clause) -> str:
    """A sentence for each amount in a goal that nobody named, or of which only a bound was: what it comes to."""
    said, little = read(core), vague(core)
    named = {(round(q.value, 4), q.unit) for q in said.quantities}
    ways = [a.value for p in preds(goal) if p.name == "moved" for a in p.args if isinstance(a, Amount)]
    told = dict[str, None]()
    for pace, (unit_, words) in PACES.items():
        steps = [q.number for q in said.quantities if q.text.split()[-1] in words]
        if steps:  # as long as the robot took it to be
            told[f"A {pace} is {100 * ways[0] / steps[0] if ways else unit_.size:.3g} cm."] = None
            named |= {(round(way, 4), "m") for way in ways}
    lengths = any(q.unit in ("m", "") for q in said.quantities) or any(o.kind == "extent" for o in operators(core))
    for pred in preds(goal):
        much = next((a for a in pred.args if isinstance(a, Amount)), None)
        if pred.name not in BIT or (much and (round(much.value, 4), much.unit) in named):
            continue
        key, scale, unit = BIT[pred.name]
        if little and (much is None or math.isclose(much.value, usual(key) * scale)):
            told[f"“{little.capitalize()}” is {usual(key):g}{unit}."] = None
        elif pred.name == "moved" and (much is None or math.isclose(much.value, usual("move_cm") * scale)):
            told[f"You named no distance, so it is {usual('move_cm'):g}{unit}."] = None
        elif pred.name == "moved" and much and not lengths:
            told[f"You named no distance, so it is {amount(much.value, much.unit)}."] = None
    if any(isinstance(a, Amount) for pred in preds(goal) if pred.name != "measured" for a in pred.args):
        bounds = (one.text for one in operators(core) if one.kind == "bound" and one.text not in exact())
        told |= dict.fromkeys(f"I take “{text}” as just that much." for text in bounds)
    return " ".join(told)
