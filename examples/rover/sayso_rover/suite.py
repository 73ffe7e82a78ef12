"""Two tasks in the yard. Their goals are held against the yard, never against the plan; the model that speaks where
none is named is a double, plans written by hand."""

from __future__ import annotations

from sayso.bench.episode import play
from sayso.bench.suite import BenchTask, Conditions, Score, Suite, Trial, Variant
from sayso_rover.yard import Yard

PLANS = {"fetch": "fw(100);gr;bk(100);le", "turn": "?iv('red block'){tl(90)}"}


TASKS = (
    BenchTask(
        "fetch",
        "fetch the red block and bring it here",
        (Variant("", "home; at('red block', 0.4 m); not holding('red block')"),),
    ),
    BenchTask("turn", "if you see a red block, turn left", (Variant("", "turned(left, 90 deg)"),)),
)


def run_episode(trial: Trial) -> Score:
    """One wish in a fresh yard."""
    task = SUITE.task(trial.task)
    return play(trial, task.sentence, Yard(seed=trial.seed), task.variants[0].goal, lambda prompt: PLANS[task.id])


SUITE = Suite(
    "rover",
    "a rover fetches a block",
    TASKS,
    conditions=Conditions(
        physics="none: the rover is where it was told to go",
        told="the block, exactly, where it is in front",
        failures="none",
        developed="on these very sentences",
        episodes="all alike",
    ),
    run_episode=run_episode,
)
