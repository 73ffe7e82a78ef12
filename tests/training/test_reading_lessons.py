"""Lessons in reading: what is written can be copied from what is read, is a goal, and is one that code can plan for."""

from __future__ import annotations

from training_path import Once

from lessons import reading_lesson
from lessons.guard import DRONE
from sayso.goals.text import parse
from sayso.language import check
from sayso.models.pocket.reading import with_units
from sayso.robots.drone.form import SAYABLE
from sayso.robots.drone.goal_plan import plan_of
from sayso.scene import Scene
from sayso.skills import skills_for
from sayso.worlds import make

LESSONS = Once(lambda: (reading_lesson(3, number, 0.0) for number in range(250)))


def test_every_reading_is_one_that_the_model_may_write() -> None:
    for one in LESSONS:
        held = SAYABLE.constraint(one.prompt)
        assert held.take(one.target.removesuffix("<end>")) and held.may_end, (one.prompt, one.target)


def test_every_goal_has_a_plan_that_the_drone_admits() -> None:
    world = make("office")
    skills, planned = skills_for(world.robot, world.perception), 0
    for one in LESSONS:
        reading = one.target.removesuffix("<end>")
        if not reading.startswith(("refuse ", "ask ")):
            plan = plan_of(parse(with_units(reading)), one.sentence, Scene())
            assert not check(plan, skills), (reading, plan)
            planned += 1
    assert planned > len(LESSONS) / 2


def test_operators_nest_and_no_lesson_says_what_a_benchmark_says() -> None:
    assert any(one.target.count("{") > 1 for one in LESSONS)
    assert not any(DRONE.forbids(one.sentence) for one in LESSONS)


def test_a_lesson_is_its_number() -> None:
    assert LESSONS[7] == reading_lesson(3, 7, 0.0)
    assert reading_lesson(3, 7, 1.0).held
