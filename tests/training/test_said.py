"""Sentences written whole, with their readings: every line can be read, and stands once."""

from __future__ import annotations

import re
from random import Random

import pytest
import training_path  # noqa: F401

from lessons import said
from lessons.guard import normal


@pytest.mark.parametrize("kind", said.KINDS)
def test_every_line_can_be_read(kind: str) -> None:
    """With whatever stands in its slots: a thing of several words is quoted."""
    rng, every = Random(3), [*said.lines(kind, False), *said.lines(kind, True)]
    made = [said.read(kind, line, rng) for line in every]
    assert len({normal(one) for one in every}) == len(every)
    assert not [one.sentence for one in made if re.search(r"\{[xyz]s?\}", one.prompt + one.target)]


def test_whatever_stands_in_the_slots_is_read() -> None:
    line = "at({x}) then picture('{x} by the {y}') :: go to a {x}, snap the {x} by the {y}"
    made = [said.read("drone", line, Random(seed)) for seed in range(60)]
    assert any("at('" in one.target for one in made) and any("at('" not in one.target for one in made)


def test_both_sides_of_the_split_have_lessons_and_no_line_is_on_both() -> None:
    made = [said.said_lesson(0, n, held_out=0.5) for n in range(400)]
    sides = [{one.frames[0] for one in made if one.held == held} for held in ("", "frame")]
    assert all(len(side) > 50 for side in sides) and not sides[0] & sides[1]


def test_common_sense_names_what_fits_or_nothing() -> None:
    for n in range(300):
        one = said.said_lesson(1, n)
        if one.intent == "said.sense":
            fits = [x.strip() for x in one.frames[0].split("::")[1].split(",")]
            assert one.target.removesuffix("<end>") in [*fits, "False"]
