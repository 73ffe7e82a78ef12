"""Lessons of sentences that are written whole, and of common sense: what every kind of robot is told in plain words.

A line of `said/KIND.txt` is `reading :: sentence`. In both `{x} {y} {z}` stand for things, `{xs} …` for several.
A line of `said/sense.txt` is `want | in other words :: things that fit :: things that nearly fit`; a question about a
scene is made of it. Whether a line is held out depends on its text alone.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from knowledge import fraction, items
from lessons.guard import DRONE, HOME, RESCUE, WAREHOUSE, Guard
from lessons.lists import lists
from lessons.record import Lesson, output
from lessons.rooms import apart
from sayso.goals.text import is_bare
from sayso.models.pocket.any_robot import probe_input
from sayso.models.pocket.reading import Sayable
from sayso.robots.aircraft.form import SEARCH
from sayso.robots.drone.form import SAYABLE as FLOWN
from sayso.robots.service.form import SAYABLE as HOUSEHOLD
from sayso.robots.warehouse.form import SAYABLE as STORE
from sayso.scene import Box, Pose, Scene, Thing

FOLDER = Path(__file__).parent / "said"
HELD_OUT = 0.06
SENSE = 0.2
"""The share of questions about a scene."""
LUCKY, ALONE = 0.68, 0.33
"""How often a scene has what is wanted, and how often it has one thing only."""

_QUOTED = re.compile(r"('(?:[^'\\]|\\.)*')")
_ARTICLE = re.compile(r"\b([aA]) (?=\{(\w+)\})")


@dataclass(frozen=True, slots=True)
class Kind:
    """Whose sentences they are, what can be said to it, and what may not be quoted."""

    lessons: str
    says: Sayable
    guard: Guard


KINDS: Mapping[str, Kind] = {
    "drone": Kind("reading", FLOWN, DRONE),
    "service": Kind("household", HOUSEHOLD, HOME),
    "warehouse": Kind("errand", STORE, WAREHOUSE),
    "aircraft": Kind("mission", SEARCH, RESCUE),
}


@functools.cache
def lines(file: str, held: bool) -> tuple[str, ...]:
    """The lines of a file on one side of the split. Raises `ValueError` for one without `::`."""
    every = [t for t in (FOLDER / f"{file}.txt").read_text("utf-8").splitlines() if t and not t.startswith("#")]
    if wrong := [line for line in every if " :: " not in line]:
        raise ValueError(f"{file}.txt: there is no “::” in {wrong[0]!r}")
    return tuple(line for line in every if (fraction("said", line) < HELD_OUT) == held)


def said_lesson(seed: int, number: int, held_out: float = 0.1) -> Lesson:
    """The lesson of that number."""
    rng = Random(f"said/{seed}/{number}")
    held, id_ = rng.random() < held_out, f"t{seed}-{number}"
    if rng.random() < SENSE:
        return _sensed(rng, id_, held)
    weights = {name: len(lines(name, False)) for name in KINDS}
    while True:
        name = rng.choices(list(weights), list(weights.values()))[0]
        made = read(name, rng.choice(lines(name, held)), rng, id_, held)
        if not KINDS[name].guard.forbids(made.sentence):
            return made


def read(name: str, line: str, rng: Random, id_: str = "", held: bool = False) -> Lesson:
    """The lesson of a line for a kind of robot. Raises `ValueError` where the sentence does not say the reading."""
    kind = KINDS[name]
    reading, sentence = filled(*(part.strip() for part in line.split(" :: ", 1)), rng)
    prompt = kind.says.reads(sentence)
    held_to = kind.says.constraint(prompt)
    if not (held_to.take(reading) and held_to.may_end):
        raise ValueError(f"{name}: {reading!r} cannot be read in {prompt!r}")
    return Lesson(
        id_, "frame" if held else "", kind.lessons, f"said.{name}", sentence, prompt, output(reading), (line,)
    )  # fmt: skip


def filled(reading: str, sentence: str, rng: Random) -> tuple[str, str]:
    """A line with things in its slots: a name of several words is quoted, unless it stands in quotes already."""
    things = rng.sample([i for i in items().values() if not i.held_out and i.label != "person"], 3)
    for slot, item in zip("xyz", things, strict=True):
        for name, what in ((slot, item.label), (f"{slot}s", item.plural)):
            if what[0] in "aeiou":
                sentence = _ARTICLE.sub(lambda m, name=name: f"{m[1]}n " if m[2] == name else m[0], sentence)
            sentence = sentence.replace(f"{{{name}}}", what)
            alone = what if is_bare(what) else f"'{what}'"
            parts = _QUOTED.split(reading.replace(f"'{{{name}}}'", f"{{{name}}}"))
            reading = "".join(p.replace(f"{{{name}}}", what if n % 2 else alone) for n, p in enumerate(parts))
    return reading, sentence


def _sensed(rng: Random, id_: str, held: bool) -> Lesson:
    """A question about a scene; the answer is the nearest thing that fits."""
    line = rng.choice(lines("sense", held))
    wants, fits, nearly = ([part.strip() for part in re.split(r"[|,]", half)] for half in line.split("::"))
    scene = Scene(apart(tuple(sorted(_things(rng, fits, nearly), key=lambda t: t.distance_m or 0.0))), Pose(z_m=1.0))
    found = next((thing.label for thing in scene if thing.label in fits), "False")
    question = f"Which is {rng.choice(wants)}?"
    prompt, side = probe_input(question, scene), "frame" if held else ""
    return Lesson(id_, side, "probe", "said.sense", question, prompt, output(found), (line,))


def _things(rng: Random, fits: list[str], nearly: list[str]) -> Iterator[Thing]:
    if rng.random() < ALONE:
        labels = [rng.choice(fits if rng.random() < 0.5 else nearly)]
    else:
        others = [i.label for i in items().values() if not i.held_out and i.label not in fits]
        labels = rng.sample(fits, rng.choice((1, 1, 1, 2))) if rng.random() < LUCKY else []
        labels += rng.sample(nearly, min(len(nearly), rng.choice((1, 1, 2, 3)))) + rng.sample(others, rng.randint(0, 2))
    for number, label in enumerate(dict.fromkeys(labels)):
        box = Box(rng.uniform(0.04, 0.96), rng.uniform(0.3, 0.9), rng.uniform(0.03, 0.3), rng.uniform(0.03, 0.4))
        colour = {"color": rng.choice(lists("people")["shirts"])} if rng.random() < 0.6 else {}
        yield Thing(f"{label}-{number}", label, box, round(rng.uniform(0.8, 5.5), 2), None, colour)
