"""Lessons in reading errands: what is written can be copied from what is read, is a goal that code can work for where
its things are here, split by design, and nothing that a benchmark says."""

from __future__ import annotations

from collections import Counter

from training_path import Once

from lessons.errands import FAMILIES, errand_lesson
from lessons.guard import DRONE, WAREHOUSE, normal
from lessons.phrasing import frames, tables
from lessons.probes import alone, good
from lessons.telling import Side, Unsaid
from sayso.errors import NotUnderstood
from sayso.goals.text import parse, written
from sayso.robots.warehouse.form import REPLIES, SAYABLE
from sayso.robots.warehouse.ledger import owed
from sayso.robots.warehouse.names import Table

SOME = Once(lambda: (errand_lesson(5, number, 0.2) for number in range(400)))
GOALS = Once(lambda: (one for one in SOME if not one.target.startswith(("refuse", "ask"))))


def target(one: object) -> str:
    return str(getattr(one, "target", "")).removesuffix("<end>")


def test_the_same_dice_make_the_same_lesson() -> None:
    assert [errand_lesson(5, n, 0.2) for n in range(20)] == SOME[:20]


def test_every_reading_is_one_that_the_model_may_write() -> None:
    for one in SOME:
        held = SAYABLE.constraint(one.prompt)
        assert held.take(target(one)) and held.may_end, one


def test_every_reading_is_a_goal_refusal_or_question() -> None:
    for one in GOALS:
        assert written(parse(target(one))) == target(one)
    kinds = Counter(target(one).partition(" ")[0] for one in SOME)
    assert kinds["refuse"] and kinds["ask"] and len(GOALS) > 0.75 * len(SOME)
    assert all(target(o).removeprefix("refuse ") in REPLIES["refuse"] for o in SOME if target(o).startswith("refuse"))


def test_code_works_for_every_goal_whose_things_are_known() -> None:
    """A name that no table has is no fault of the reading; any other goal has its errands."""
    everything = Table(
        {
            "places": [
                {"name": "bench", "kind": "home", "placement": True},
                *({"name": use, "kind": use, "placement": True} for use in ("out", "in", "store", "box", "start")),
            ],
            "categories": [{"name": "tool", "place": "bench"}],
            "objects": [{"name": "saw", "category": "tool"}],
        }
    )
    for one in GOALS:
        try:
            assert owed(parse(target(one)), everything)
        except NotUnderstood as unknown:
            assert "know" in str(unknown), (target(one), unknown)


def test_operators_of_every_kind_are_drawn() -> None:
    assert {one.intent.removeprefix("errand.") for one in SOME} == set(FAMILIES)
    told = " | ".join(map(target, GOALS))
    for part in (
        "if found(",
        " else {",
        " or placed(",
        "each(",
        " but ",
        " from ",
        "nth ",
        "all thing.misplaced",
        " then visited(",
    ):
        assert part in told, part


def test_held_out_frames_never_reach_training() -> None:
    kept = {
        f.id
        for t in tables()
        if t.startswith(("warehouse", "errand"))
        for k in tables()[t]
        for f in frames(t, k)
        if f.held_out
    }
    assert len(kept) > 40
    for one in SOME:
        assert one.held == "frame" or not kept & set(one.frames), one
    assert {one.held for one in SOME} == {"", "frame", "combo"}


def test_no_lesson_says_what_a_benchmark_says() -> None:
    own = {normal(said) for said in (*WAREHOUSE.suite, *DRONE.suite)}
    assert all(normal(one.sentence) not in own for one in SOME)
    assert not any(WAREHOUSE.forbids(one.sentence) for one in SOME)


def test_common_sense_is_asked_of_one_thing_by_itself() -> None:
    from random import Random

    answers = Counter[bool]()
    for number in range(120):
        try:
            probe = (alone, good)[number % 2](Random(number), Side())
        except Unsaid:
            continue
        (shown,) = probe.teller.room.scene.things
        assert probe.question.startswith("Which is ") and probe.answer in (shown.label, "False")
        answers[probe.answer == "False"] += 1
    assert min(answers.values()) > 0.2 * answers.total()
