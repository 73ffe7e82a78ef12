"""The paper's table on our missions: every planner flies the same missions, and differences are taken pairwise.

Two planners that fly the same mission share its luck (where the missing one is, whether it can be seen at all), so the
standard error of their difference is that of the paired differences. Published figures stand beside, not against.

    python -m sayso.robots.aircraft.suite.compare --episodes 10 --seed 100 --kept compare.jsonl

What is flown is kept in that file as rows of `sayso bench`: interrupt it whenever you like, the next run goes on.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sayso.bench.rows import File
from sayso.bench.suite import Score, Trial, play, wilson
from sayso.robots.aircraft.suite.episode import PLANNERS, PUBLISHED, SUITE, missions

FIGURES = ("precision", "decision_s", "cpu_ms", "processed", "calls", "find_s", "pos", "away", "actions")


def _trials(planner: str, episodes: int, seed: int, model: str = "reference") -> list[Trial]:
    return [Trial(SUITE.name, row.id, n, seed + n, planner, model) for row in missions() for n in range(episodes)]


def resumed(trials: Sequence[Trial], kept: Path, jobs: int = 1) -> Iterator[tuple[Trial, Score]]:
    """Every trial's score: from the file where it holds it, else flown now and added to the file."""
    with File(kept, resume=True) as file:
        yield from ((trial, file.held[trial]) for trial in trials if trial in file.held)
        for trial, score in play(SUITE, [trial for trial in trials if trial not in file.held], jobs):
            file.add(trial, score)
            yield trial, score


Scores = Mapping[tuple[str, int], Score]
"""By task and episode."""


def row(planner: str, scores: Scores, others: Scores) -> dict[str, Any]:
    """The figures of one planner; `behind` is how much better the other one is, in shares of success."""
    low, high = wilson(sum(s.success for s in scores.values()), len(scores))
    behind, error = difference(scores, others)
    return {
        "planner": planner,
        "missions": len(scores),
        "success": _mean(float(s.success) for s in scores.values()),
        "success_low": round(low, 3),
        "success_high": round(high, 3),
        "behind": round(behind, 3),
        "behind_error": round(error, 3),
        **{name: _mean(s.figures[name] for s in scores.values() if name in s.figures) for name in FIGURES},
        "published": PUBLISHED.get(planner, {}),
    }


def difference(scores: Scores, others: Scores) -> tuple[float, float]:
    """How much oftener the others succeed on the missions that both flew, and the standard error of that."""
    pairs = [float(others[k].success) - float(scores[k].success) for k in scores if k in others]
    if len(pairs) < 2:
        return (pairs or [0.0])[0], math.inf
    return statistics.fmean(pairs), statistics.stdev(pairs) / math.sqrt(len(pairs))


def _mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return round(statistics.fmean(known), 4) if known else None


def main() -> None:
    """Fly what is missing in the file, then print one line of JSON for each planner."""
    asked = argparse.ArgumentParser(description="The planners of the rescue suite on the same missions.")
    asked.add_argument("--planners", default=",".join(PLANNERS))
    asked.add_argument("--episodes", type=int, default=10)
    asked.add_argument("--seed", type=int, default=100)
    asked.add_argument("--model", default="reference")
    asked.add_argument("--jobs", type=int, default=1)
    asked.add_argument("--kept", type=Path, default=Path("rescue_compare.jsonl"))
    options = asked.parse_args()
    planners = list(dict.fromkeys(("scored", *options.planners.split(","))))
    some = [_trials(planner, options.episodes, options.seed, options.model) for planner in planners]
    trials = sorted((t for each in some for t in each), key=lambda t: t.episode)
    scores: dict[str, dict[tuple[str, int], Score]] = {planner: {} for planner in planners}
    for n, (trial, flown) in enumerate(resumed(trials, options.kept, options.jobs), start=1):
        scores[trial.planner][trial.task, trial.episode] = flown
        if n % 100 == 0:
            print(f"{n} of {len(trials)} missions", file=sys.stderr, flush=True)
    for planner in planners:
        print(json.dumps(row(planner, scores[planner], scores["scored"])))


if __name__ == "__main__":
    main()
