"""The humanoid's lessons: in the planner's own form, split by design, free of the suite's requests, and right.

Right means: a double that is told the goal of each request, and answers by the lessons' oracle from the briefs of real
episodes, wins the suite. It reads no request at all.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training_path import Once

from lessons import SHARES, domain_of, lesson, lessons
from lessons import humanoid_oracle as oracle
from lessons.guard import HUMANOID, normal
from lessons.humanoid import _followers, humanoid_lesson, rolling_output
from lessons.humanoid_play import NAMES
from lessons.phrasing import everything, frames, tables
from lessons.telling import pair_held_out
from sayso.bench.suite import Trial
from sayso.models.latency import ModelledLatency
from sayso.models.pocket.text import clean
from sayso.models.scripted import Scripted
from sayso.planners.rolling_answer import read_answer
from sayso.robots.humanoid.ball import Ball
from sayso.robots.humanoid.form import rolling_answer, rolling_input, task_name, task_words
from sayso.robots.humanoid.soccer import TASKS
from sayso.robots.humanoid.suite.episode import run_episode
from sayso.robots.humanoid.suite.goals import GOALS
from sayso.roles import Attempt, Brief, Observation, Prompt, RobotState
from sayso.skill import SkillSet
from sayso.task import Ran

SOME = Once(lambda: (humanoid_lesson(7, number, held_out=0.3) for number in range(2500)))
SUITE: dict[str, Sequence[str]] = {
    "find the ball": ("find",),
    "approach the ball": ("approach",),
    "approach and kick the ball": ("kick",),
    "stand still and wave": ("stand_wave",),
    "play soccer": ("play",),
    "playing soccer": ("play",),
    "pick up the ball": (),
    "jump": (),
}
"""What each request of the suite means."""


def test_the_same_dice_make_the_same_lesson() -> None:
    assert [humanoid_lesson(7, n, 0.3) for n in range(50)] == SOME[:50]
    assert humanoid_lesson(8, 3, 0.3) != SOME[3]


def test_both_robots_are_mixed_by_number_and_can_be_had_alone() -> None:
    mixed = Counter(domain_of(3, number) == "humanoid" for number in range(600))
    assert abs(mixed[True] / 600 - SHARES["humanoid"] / sum(SHARES.values())) < 0.05
    assert {one.kind for one in lessons(50, seed=3, domains=("humanoid",))} == {"tasks"}
    assert "tasks" not in {one.kind for one in lessons(50, seed=3, domains=("drone",))}
    assert lesson(7, 5, 0.3, ("humanoid",)) == SOME[5]


def test_every_target_is_read_by_the_planner_as_it_was_meant() -> None:
    for one in SOME:
        answer = read_answer(rolling_answer(one.target), NAMES)
        assert answer.executable, one
        assert not answer.refused, one
        assert answer.tasks or answer.word in ("done", "cannot"), one
        assert rolling_output(str(answer)) == one.target


def test_all_answers_occur_in_all_states() -> None:
    said = Counter(task for one in SOME for task in read_answer(rolling_answer(one.target), NAMES).tasks)
    assert set(said) == set(TASKS)
    words = Counter(re.findall(r"<see>([a-z ]+);ball ([a-z]+)", " ".join(one.prompt for one in SOME)))
    assert {doing for doing, _ in words} == {"standing", "walking", "waving", "kicking", "fallen", "getting up"}
    assert {ball for _, ball in words} == {"never", "visible", "hidden", "lost"}
    assert 0.1 < sum(one.target == "done<end>" for one in SOME) / len(SOME) < 0.3
    assert 0.2 < sum(one.target == "cannot<end>" for one in SOME) / len(SOME) < 0.4


def test_no_request_of_the_suite_is_said_nor_stands_in_another_one() -> None:
    own_requests = set(map(normal, HUMANOID.suite))
    assert own_requests == {normal(said) for goal in GOALS for said in (goal.sentence, goal.then) if said} == set(SUITE)
    for one in SOME:
        assert normal(one.sentence) not in own_requests, one
        for own in own_requests:
            assert " " not in own or own not in normal(one.sentence), one
    assert HUMANOID.forbids("FIND the ball!")
    assert HUMANOID.forbids("please find the ball")
    assert HUMANOID.forbids("Jump.")
    assert not HUMANOID.forbids("find that ball")


def test_training_sees_no_frame_and_no_pair_that_is_held_out() -> None:
    held = {frame.id for frame in everything() if frame.held_out}
    mine = [f for name in tables() if name.startswith("humanoid.") for f in everything() if f.id.startswith(f"{name}/")]
    assert 0.04 < sum(frame.held_out for frame in mine) / len(mine) < 0.17
    for one in SOME:
        assert bool(held & set(one.frames)) or one.held != "frame", one
        assert not held & set(one.frames) or one.held, one
    pairs = Counter(pair_held_out("humanoid", *pair) for pair in _followers())
    assert pairs[True] >= 3
    assert pairs[False] > 20


def test_there_are_many_ways_to_say_each_thing() -> None:
    for name, least in {"find": 70, "approach": 80, "kick": 75, "play": 90, "stand": 65, "cannot": 230}.items():
        lines = [f for kind in ("orders", "sentences") for f in frames(f"humanoid.{name}", kind)]
        assert len(lines) >= least, (name, len(lines))
    training = [one.sentence for one in SOME if not one.held]
    assert len(set(training)) > 0.9 * len(training)


def test_the_same_words_always_mean_the_same() -> None:
    impossible: dict[str, set[bool]] = defaultdict(set)
    for one in SOME:
        impossible[clean(one.sentence)].add(one.target == "cannot<end>")
    assert [said for said, meant in impossible.items() if len(meant) > 1] == []


def test_a_moment_in_short() -> None:
    ran = (
        Ran("KickBall", (), "failed", "fell over"),
        Ran("TurnOnSpot", (), "pursued", "for 44 s", 44),
        Ran("LookAround", (), "pursued", "for 4 s", 4),
    )
    brief = Brief(
        "Shoot!",
        SkillSet(),
        seen=Observation(state=RobotState(summary="walking"), believed=(Ball(False, 1.2, 0.87),)),
        history=(Attempt("Task: TurnOnSpot Priority: 2\nTask: LookAround Priority: 1", ran),),
        failure="LookAround twice: it stays at priority 1; name each task once",
    )
    assert rolling_input(brief) == (
        "<tasks>shoot<tried>turn on spot 2;look around 1<ran>kick ball failed;turn on spot 30;look around 4"
        "<failed>look around twice: it stays at priority 1<see>walking;ball hidden 0.9 m<do>"
    )
    assert rolling_input(Brief("Go", SkillSet())) == "<tasks>go<see><do>"


@given(st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
def test_answers_come_back_from_their_short_form(names: list[str]) -> None:
    assert rolling_answer(rolling_output(oracle.written(names))) == oracle.written(names)
    assert [task_name(task_words(name)) for name in names] == names


def test_no_two_steps_that_follow_each_other_look_alike() -> None:
    for one, other in _followers():
        assert not oracle.STEPS[one].packs & oracle.STEPS[other].packs, (one, other)


def oracle_double() -> Scripted:
    """Knows what the suite's requests mean, and answers real briefs by the oracle; a test double."""

    def answer(prompt: Prompt) -> str:
        assert prompt.brief is not None
        right = oracle.answer(SUITE[normal(prompt.brief.instruction)], oracle.moment(prompt.brief))
        return rolling_answer(rolling_output(right))

    return Scripted(answer, name="oracle double (a test double)")


@pytest.mark.parametrize(
    ("goal", "thinks"), [*((goal.id, True) for goal in GOALS), *((id_, False) for id_ in ("1", "3", "5", "9"))]
)
def test_the_oracle_wins_the_suite(goal: str, thinks: bool) -> None:
    """As slow as a large model, and as fast as a small one."""
    model = ModelledLatency(oracle_double()) if thinks else oracle_double()
    score = run_episode(Trial("soccer", goal, 0, 41, "rolling", "reference"), model)
    assert score.success, score
    assert score.figures["executability"] == 1.0
