"""The service robot's lessons: readings that may be written, that code makes a plan of, split by design."""

from __future__ import annotations

import time
import timeit
import tomllib
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
import training_path  # noqa: F401

import sayso.models.pocket
from lessons.home import REFUSED, Lesson, home_lesson
from lessons.home_mimic import mimics, of_the_suite
from lessons.home_said import goals, wordings
from lessons.phrasing import FOLDER, everything
from sayso.errors import NotUnderstood
from sayso.goals.text import parse
from sayso.models.pocket.tokenizer import Tokenizer
from sayso.robots.service.admit import admit
from sayso.robots.service.form import SAYABLE, planned
from sayso.robots.service.suite.episode import household

N = 500


def reading(one: Lesson) -> str:
    return one.target.removesuffix("<end>")


@pytest.fixture(scope="module")
def made() -> list[Lesson]:
    return [home_lesson(7, n, held_out=0.3) for n in range(N)]


def test_the_same_dice_make_the_same_lesson(made: list[Lesson]) -> None:
    assert [home_lesson(7, n, 0.3) for n in range(20)] == made[:20]
    assert home_lesson(8, 3, 0.3) != made[3]


def test_every_reading_is_a_goal_that_the_model_may_write(made: list[Lesson]) -> None:
    for one in made[:250]:
        held_to = SAYABLE.constraint(one.prompt)
        assert held_to.take(reading(one)) and held_to.may_end, one
        if not reading(one).startswith(("refuse", "ask")):
            parse(reading(one))


def test_code_makes_a_plan_of_most_readings_and_refuses_the_others_by_name(made: list[Lesson]) -> None:
    """In the shipped home; many speak of other homes, and of things that nobody knows there."""
    brief, told = household(), Counter[bool]()
    for one in made[:200]:
        try:
            plan = planned(reading(one), replace(brief, instruction=one.sentence)).partition("\n")[0]
        except NotUnderstood as error:
            assert str(error).startswith(
                ("I know no", "I know of no", "I understood", "I do not know", "I cannot tell", "I am not sure")
            ), one
            told[False] += 1
        else:
            assert admit(plan, brief).plan, (one, plan, admit(plan, brief).problems)
            told[True] += 1
    assert told[True] > 0.4 * told.total()


def test_lessons_can_be_read_and_written_whole(made: list[Lesson]) -> None:
    words = Tokenizer.load(Path(sayso.models.pocket.__file__).parent / "weights" / "vocab.txt")
    for one in made:
        assert len(words.read(one.prompt)) <= 320, one
        written = words.write(one.target)
        assert len(written) <= 160 and words.text(written) == reading(one), one


def test_training_sees_no_frame_and_no_pair_that_is_held_out(made: list[Lesson]) -> None:
    held = {f.id for f in everything() if f.held_out}
    for one in made:
        assert not held & set(one.frames) or one.held == "frame", one
    sides = Counter(one.held for one in made)
    assert 0.1 < sides["frame"] / N < 0.35 and sides["combo"] > 10


def test_the_suites_own_structures_are_in_no_lesson() -> None:
    assert of_the_suite("guide {name} from the {spot} to the {spot2}")
    assert of_the_suite("fetch me the {obj} from the {from}")
    assert not of_the_suite("{name} at the {spot} is lost, the {spot2} is where {name.he} wants to go")


def test_frames_of_own_wording_are_not_near_to_what_the_robot_is_measured_with() -> None:
    """What was written for measuring must not come in by another name; a few words that everybody says may."""
    parts = ("wide", "joined", "talk", "composed")
    files = [f for f in FOLDER.glob("home_*.toml") if any(part in f.stem for part in parts)]
    lines = [
        (name, line)
        for file in files
        for name, kinds in tomllib.loads(file.read_text("utf-8")).items()
        if name not in ("home.clause", "home.shell", "home.chatter") and not name.startswith("home.words.")
        for kind, text in kinds.items()
        for line in text.strip().splitlines()
    ]
    assert len(lines) > 1500
    assert not [line for line in lines if mimics(line[1])]
    assert mimics("{name} over by the {spot} has lost track again, {name.he} needs to hear which day we've got today")


def test_there_are_many_ways_of_saying_and_all_intents_come(made: list[Lesson]) -> None:
    assert sum(len(wordings(i, kind)) for i in goals() for kind in ("orders", "sentences")) > 1000
    more = (home_lesson(9, n, 0.0) for n in range(500))
    intents = Counter(one.intent.removeprefix("home.") for one in (*made, *more))
    assert {f"refuse.{kind}" for kind in REFUSED} <= set(intents)
    assert {"then", "else", "unless", "agreed", "reply", "where_to", "fallback", "more", "hold", "away"} <= set(intents)
    assert len(intents) > 150


def test_the_same_words_mean_the_same(made: list[Lesson]) -> None:
    meant: dict[str, set[str]] = defaultdict(set)
    for one in made:
        meant[one.prompt].add(one.target)
    assert [said for said, goals_ in meant.items() if len(goals_) > 1] == []


def test_a_lesson_is_quickly_made() -> None:
    began_s = time.process_time()
    for n in range(100):
        home_lesson(11, n)
    assert (time.process_time() - began_s) / 100 < timeit.timeit(
        lambda: None
    )  # a million calls; a tenth of that is usual
