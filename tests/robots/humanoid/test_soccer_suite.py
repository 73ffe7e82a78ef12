"""The soccer suite: the state-following double reaches the goals, so worlds, providers and planner work; wrong doubles
fail, so judges are awake."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable

import pytest

from sayso.bench import load
from sayso.bench.suite import Score, Trial, summary
from sayso.errors import ModelUnavailable
from sayso.models.latency import ModelledLatency
from sayso.models.scripted import Scripted
from sayso.robots.humanoid.ball import Ball
from sayso.robots.humanoid.suite.double import RULES, Shown, approach, find, kick, state_following_double, tasks
from sayso.robots.humanoid.suite.episode import SUITE, run_episode
from sayso.robots.humanoid.suite.goals import GOALS, goal
from sayso.roles import Attempt, Brief, Chunk, Observation, Prompt
from sayso.skill import SkillSet
from sayso.task import PURSUED, Ran

Rule = Callable[[Shown], str]

REACTION_S = 2.5
"""So soon it has to stand when it is told to."""


def play(task: str, seed: int = 0, ablation: str = "", model: object = None) -> Score:
    return run_episode(Trial("soccer", task, seed, seed, "rolling", "reference", ablation), model)  # type: ignore[arg-type]


def wrong(task: str, rule: Rule, seed: int = 0) -> Score:
    """Play a goal with another rule for its sentence, or for what is said later."""
    row = goal(task)
    rules = {**RULES, (row.then or row.sentence).lower(): rule}
    return play(task, seed, model=ModelledLatency(state_following_double(rules)))


@pytest.mark.parametrize(
    "task",
    [
        pytest.param(g.id, marks=pytest.mark.slow) if g.id in ("6", "7") else g.id
        for g in GOALS
        if g.id not in ("3", "4")  # these below, with more to them
    ],
)
def test_the_double_reaches_the_goal(task: str) -> None:
    score = play(task, 9)
    assert score.success, score.reason
    assert score.figures["executability"] == 1.0
    assert score.figures["falls"] == 0, "a transition never fells it"
    assert score.figures["wrong_claims"] == 0


def test_pushed_over_it_gets_up_and_goes_on() -> None:
    score = play("3", seed=2)
    assert score.success
    assert 2.0 < score.figures["up_again_s"] < 6.0
    assert not play("3", seed=2, ablation="no-safety").success


def test_a_changed_request_changes_what_it_does_in_time() -> None:
    score = play("4", seed=1)
    assert score.success
    assert 0.5 < score.figures["reaction_s"] <= REACTION_S


def test_jumping_is_refused_whether_the_model_says_so_or_asks_for_it() -> None:
    honest, eager = play("9"), wrong("9", lambda now: "Task: Jump Priority: 1")
    assert honest.success and honest.figures["executability"] == 1.0
    assert honest.r_time_s is None, "nothing was begun"
    assert eager.success and eager.figures["executability"] == 0.0
    assert eager.refusals >= 3
    assert "Jump" in eager.reason


def stand_only(now: Shown) -> str:
    return tasks("StandStill")


WRONG: list[tuple[str, str, Rule]] = [
    ("1", "moves only the head", lambda now: tasks("LookAround")),
    ("1", "says so without looking", lambda now: "Done"),
    ("2", "kicks it away", kick),
    ("3", "is not on its way when it could be pushed", find),
    ("4", "stands without waving", stand_only),
    ("5", "only goes there", approach),
    ("5", "kicks where it stands", lambda now: tasks("KickBall")),
    ("6", "dribbles not", approach),
    ("7", "searches for ever", lambda now: tasks("TurnOnSpot", "LookAround")),
    ("8", "claims it after a walk", approach),
    ("9", "waves instead, and claims it", lambda now: "Done" if now.pursued_s.get("Wave", 0) > 3 else tasks("Wave")),
    ("9", "waves first, then gives up", lambda now: "Cannot" if now.pursued_s.get("Wave", 0) > 3 else tasks("Wave")),
]


@pytest.mark.parametrize(("task", "why", "rule"), WRONG, ids=[f"{t}-{w}" for t, w, _ in WRONG])
def test_a_wrong_double_fails(task: str, why: str, rule: Rule) -> None:
    assert not wrong(task, rule).success, why


@pytest.mark.slow
def test_a_slow_model_obeys_too_late() -> None:
    slow = ModelledLatency(state_following_double(), c_s=2.6)
    score = play("4", model=slow)
    assert not score.success
    assert score.figures["reaction_s"] > REACTION_S


def test_a_claim_that_the_world_does_not_bear_out_is_counted() -> None:
    hasty = wrong("2", lambda now: "Done" if now.pursued_s.get("TurnOnSpot", 0) >= 1 else tasks("TurnOnSpot"))
    assert not hasty.success
    assert hasty.figures["wrong_claims"] == 1.0


@pytest.mark.slow
def test_without_state_the_ball_is_looked_for_even_when_it_lies_there() -> None:
    score = play("2", ablation="no-state")
    assert not score.success and score.model_calls > 0, "its calls are counted as any others"


def test_without_soft_transitions_it_kicks_out_of_the_walk() -> None:
    assert play("5", ablation="no-soft-transitions").figures["hard_kicks"] >= 1
    assert play("5").figures["hard_kicks"] == 0


def test_an_outage_is_a_failed_episode_and_no_exception() -> None:
    score = play("2", model=Scripted([]))
    assert not score.success
    assert "has no answer left" in score.reason


class Flaky:
    """Every second call fails."""

    name = "flaky double"

    def __init__(self) -> None:
        self._inner = ModelledLatency(state_following_double())
        self._calls = 0

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        self._calls += 1
        if self._calls % 2 == 0:
            raise ModelUnavailable("every second call")
        async for chunk in self._inner.stream(prompt):
            yield chunk


def test_it_gets_there_with_half_of_the_calls_failing() -> None:
    assert play("5", model=Flaky()).success


def test_the_same_trial_gives_the_same_score() -> None:
    assert play("9", seed=4) == play("9", seed=4)


def test_it_is_a_suite_with_published_figures_and_a_summary_in_json() -> None:
    suite = load("soccer")
    assert [t.id for t in suite.tasks] == [str(n) for n in range(1, 10)]
    assert suite.task("9").published == {"success": "–", "executability": "0.53"}
    result = json.loads(json.dumps(summary(suite, [play("9"), play("9", seed=1)], planner="rolling")))
    assert result["tasks"][0]["executability"] == 1.0
    assert result["total"]["success"] == 2


def test_what_is_left_out_of_rolling_cannot_be_left_out_of_another_planner() -> None:
    trial = Trial("soccer", "1", 0, 0, "stream", "reference", "no-state")
    assert "rolling" in SUITE.refusal(trial)


def test_what_was_so_for_a_while_and_is_not_at_the_end_is_no_success() -> None:
    left: list[bool] = []

    def comes_and_turns_away(now: Shown) -> str:
        left.extend([True] if approach(now) == "Done" else [])
        return tasks("TurnOnSpot") if left else approach(now)

    score = wrong("2", comes_and_turns_away)
    assert score.c_time_s is not None, "it stood at the ball"
    assert not score.success


def test_the_double_reads_the_state_and_nothing_else() -> None:
    ran = (Ran("KickBall"), Ran("WalkToBall", (), PURSUED, "for 3 s", 3), Ran("Wave", (), "failed", "fell"))
    brief = Brief("ball is visible", SkillSet(), Observation.of(Ball(False, 1.4, 0.8)), (Attempt("", ran),))
    assert Shown.of(brief) == Shown(Ball(False, 1.4, 0.8), frozenset({"KickBall"}), {"WalkToBall": 3.0})
    assert Shown.of(Brief("x", SkillSet())) == Shown()
