"""The drone suite: reference plans pass, so worlds and skills are right; wrong plans fail, so judges are awake."""

from __future__ import annotations

import json

import pytest

from sayso.bench import load
from sayso.bench.suite import Score, Trial, summary, trials, wilson
from sayso.robots.drone.suite.episode import PLANS, SUITE, Plans, first_of, run_episode
from sayso.scene import Box, Scene, Thing


def play(task: str, episode: int = 0, ablation: str = "", planner: str = "stream", seed: int | None = None) -> Score:
    trial = Trial("drone", task, episode, episode if seed is None else seed, planner, "reference", ablation)
    return run_episode(trial)


EVERY = [(task.id, n) for task in SUITE.tasks for n in range(len(task.variants))]


@pytest.mark.parametrize(("task", "variant"), EVERY)
def test_the_reference_plan_succeeds(task: str, variant: int) -> None:
    score = play(task, variant)
    assert score.success, score.reason
    assert score.collisions == 0


def nearest_wrong(*labels: str) -> Plans:
    return Plans("_1=sa('Which?');?_1!=False{l(_1);g(_1)}", answer=first_of(*labels))


WRONG: list[tuple[str, int, str, Plans]] = [
    ("1", 0, "no picture", Plans("g('chair')")),
    ("1", 0, "a picture from too far away or of something else", Plans("tc(180);tp")),
    ("2", 0, "never goes there", Plans("s('apple')")),
    ("3", 0, "the wrong thing", Plans("g('apple')")),
    ("4", 0, "the lemon", nearest_wrong("lemon")),
    ("4", 0, "only talk", Plans("l('banana')")),
    (
        "4",
        0,
        "names all that there is",
        Plans("_1=sa('Which?');l('a banana, an apple, a bottle')", answer=first_of("banana")),
    ),
    ("4", 0, "says that it could not", Plans("_1=sa('Which?');l('no banana');->False", answer=first_of("banana"))),
    ("5", 0, "said without looking", Plans("l('scissors')")),
    ("6", 0, "the bottle", nearest_wrong("bottle")),
    ("7", 0, "a picture from below", Plans("tp")),
    ("7", 1, "stays up there", Plans("mu(100)")),
    ("7", 1, "takes a picture of nothing that was asked for", Plans("mu(100);tp;md(100)")),
    ("1", 0, "takes pictures of everything", Plans("tp;tc(90);tp;tc(270);g('chair');tp")),
    ("8", 0, "gives up", Plans("tc(180)")),
    ("8", 1, "does not come back", nearest_wrong("sandwich")),
    ("9", 0, "only turns", Plans("tc(180)")),
    ("10", 0, "turns to one of two", Plans("tc(180);o('person')")),
    ("10", 1, "does not turn to anybody", Plans("tc(180)")),
    ("11", 0, "stops half-way", Plans("tc(180)")),
    ("11", 1, "goes round past the cup", Plans("8{tc(45)}")),
]


@pytest.mark.parametrize(("task", "variant", "why", "plans"), WRONG, ids=[f"{t}-{v}-{w}" for t, v, w, _ in WRONG])
def test_a_wrong_plan_fails(task: str, variant: int, why: str, plans: Plans, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLANS, task, plans)
    assert not play(task, variant).success, why


def test_without_replan_the_chair_is_in_the_way() -> None:
    assert not play("9", ablation="no-replan").success


def test_without_probe_abstract_wishes_fail() -> None:
    assert not play("4", ablation="no-probe").success
    assert play("5", ablation="no-probe").success, "scissors can be guessed beforehand, as the paper found"


def test_streaming_answers_before_the_whole_plan_is_there() -> None:
    streamed, whole, python = play("5"), play("5", ablation="no-streaming"), play("5", ablation="python")
    assert streamed.r_time_s and whole.r_time_s and python.r_time_s
    assert streamed.r_time_s < whole.r_time_s < python.r_time_s
    assert streamed.r_time_s < 0.5 * whole.r_time_s, "a long plan: the first turn does not wait for the rest"
    assert python.success, "the same plan runs under every reading"


def test_the_same_trial_gives_the_same_score() -> None:
    assert play("4", seed=3) == play("4", seed=3)


def test_reflex_flies_what_is_a_direct_command_and_refuses_the_rest() -> None:
    assert play("1", planner="reflex").success
    other = play("4", planner="reflex")
    assert not other.success and "refused" in other.reason


def test_trials_count_seeds_up_and_keep_the_order() -> None:
    suite = load("drone")
    todo = trials(suite, ["2", "1"], 2, 10, planner="stream", model="reference")
    assert [(t.task, t.seed) for t in todo] == [("1", 10), ("1", 11), ("2", 10), ("2", 11)]


def test_summary_is_plain_json() -> None:
    suite = load("drone")
    scores = [Score("1", 0, True, "done", 0.6, 9.0, 7), Score("1", 1, False, "lost", None, None, 7)]
    result = json.loads(json.dumps(summary(suite, scores, planner="stream", model="reference", seed=0)))
    assert [r["id"] for r in result["tasks"]] == ["1"]
    row = result["tasks"][0]
    assert (row["episodes"], row["success"], row["r_time_s"]) == (2, 1, 0.6)
    assert result["total"]["success"] == 1


def test_an_interval_counts_each_scene_once_where_its_episodes_are_alike() -> None:
    suite = load("drone")
    scores = [Score("7", n, success=True, reason="done") for n in range(30)]
    row = summary(suite, scores)["tasks"][0]
    low, high = wilson(2, 2)
    assert (row["episodes"], row["independent"]) == (30, 2), "the task has two scenes"
    assert (row["success_low"], row["success_high"]) == (round(low, 3), round(high, 3))


def test_wilson_matches_the_published_example() -> None:
    low, high = wilson(83, 100)
    assert (round(low, 2), round(high, 2)) == (0.74, 0.89) or (round(low, 2), round(high, 2)) == (0.75, 0.89)


LABELS = ("banana", "lemon", "lemon")


def test_the_double_reads_only_labels() -> None:
    scene = Scene(tuple(Thing(f"{n}", label, Box(0.2 * n, 0.5, 0.1, 0.1)) for n, label in enumerate(LABELS, 1)))
    assert first_of("lemon")(scene) == "lemon[0.40]"
    assert first_of("pear")(scene) == "False"
