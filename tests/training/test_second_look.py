"""Lessons in looking twice: what is spoiled is still a reading that the model could have written, and another one."""

from __future__ import annotations

from random import Random

from training_path import Once

from lessons import reading_lesson
from lessons.second import looked_twice, spoiled
from sayso.goals.text import parse
from sayso.models.pocket.reading import with_units
from sayso.robots.drone.form import SAYABLE

LESSONS = Once(lambda: (reading_lesson(9, number, 0.0) for number in range(60)))


def test_what_is_spoiled_could_have_been_written_and_is_another_goal() -> None:
    others = 0
    for n, one in enumerate(LESSONS):
        right = one.target.removesuffix("<end>")
        if right.startswith(("refuse", "ask")):
            continue
        other = spoiled(Random(n), one.prompt, right, SAYABLE)
        if other != right:
            held = SAYABLE.constraint(one.prompt)
            assert held.take(other) and held.may_end
            assert parse(with_units(other)) != parse(with_units(right))
            others += 1
    assert others > 40


def test_half_of_the_lessons_are_about_what_is_right() -> None:
    made = [looked_twice(Random(n), one, SAYABLE) for n, one in enumerate(LESSONS)]
    right = [
        m.prompt.count(o.target.removesuffix("<end>")) > 0 and m.target == "yes<end>"
        for m, o in zip(made, LESSONS, strict=True)
    ]
    assert 20 < sum(right) < 45 and {m.target for m in made} == {"yes<end>", "no<end>"}
    assert made[0].prompt.startswith("<plan>") and made[0].prompt.endswith("<say>")
