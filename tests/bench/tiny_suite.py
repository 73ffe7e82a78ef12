"""A suite that is over at once, for tests of what runs suites. A test double: nothing in it understands or moves."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import Any

from sayso.bench.suite import BenchTask, Conditions, Score, Suite, Trial
from sayso.errors import ModelUnavailable
from sayso.planners.text_planner import TextPlanner
from sayso.roles import Brief, Model


def run_episode(trial: Trial) -> Score:
    """Task `odd` succeeds with odd seeds, `boast` says so and is wrong; `raise` and `die` do that."""
    claim: dict[str, Any] = {"outcome": "achieved", "verified": True, "tokens": trial.seed}
    match trial.task:
        case "raise":
            raise ModelUnavailable("nobody answers")
        case "die" if trial.seed % 2:
            os._exit(9)
        case "shy":
            return Score(trial.task, trial.episode, False, "refused: no", outcome="refused")
        case "boast":
            return Score(trial.task, trial.episode, False, "achieved: yes", **claim)
    success = trial.seed % 2 == 1 or trial.model == "scripted:better"
    outcome = "achieved" if success else "not_achieved"
    return Score(trial.task, trial.episode, success, outcome, 0.5 + trial.seed, outcome=outcome, figures={"own": 2.0})


class Hasty(TextPlanner):
    """A planner that asks nobody."""

    name = "hasty"

    def __init__(self, model: Model) -> None:
        self.model = model

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        yield "g('chair');tp"


CONDITIONS = Conditions(physics="none", told="nothing", failures="some", developed="in a test", episodes="by seed")

SUITE = Suite(
    name="tiny",
    says="over at once",
    tasks=(
        BenchTask("odd", "be odd", published={"success": "9/10"}),
        BenchTask("boast", "be modest"),
        BenchTask("shy", "say something"),
        BenchTask("never", "fly to the moon", possible=False),
        BenchTask("raise", "ask nobody"),
        BenchTask("die", "be mortal"),
    ),
    ablations=("no-luck",),
    figures=("own",),
    doubles={"oracle": "knows it all"},
    silent=("mute",),
    planners={"mute": "says nothing"},
    unfit=lambda trial: "there is no luck in being mute" if trial.ablation and trial.planner == "mute" else "",
    conditions=CONDITIONS,
    run_episode=run_episode,
)
