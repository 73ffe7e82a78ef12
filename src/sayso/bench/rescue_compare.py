"""The paper's table on our missions: every planner flies the same missions, and differences are taken pairwise.

Two planners that fly the same mission share its luck (where the missing one is, whether it can be seen at all), so the
standard error of their difference is that of the paired differences. Published figures stand beside, not against.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sayso.bench.rescue import PLANNERS, PUBLISHED, SUITE
from sayso.bench.suite import Score, Trial, play, wilson

FIGURES = ("precision", "decision_s", "cpu_ms", "processed", "calls", "find_s", "pos", "away", "actions")


def compare(
    planners: Sequence[str] = PLANNERS, episodes: int = 10, seed: int = 0, workers: int = 1, against: str = "scored"
) -> list[dict[str, Any]]:
    """One row for each planner, over all missions with `episodes` seeds each."""
    todo = {p: _trials(p, episodes, seed) for p in dict.fromkeys((against, *planners))}
    scores = {p: {(s.task, s.episode): s for s in play(SUITE, some, workers)} for p, some in todo.items()}
    return [row(p, scores[p], scores[against]) for p in planners]


def _trials(planner: str, episodes: int, seed: int) -> list[Trial]:
    return [
        Trial(SUITE.name, task.id, n, seed + n, planner, "reference") for task in SUITE.tasks for n in range(episodes)
    ]


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
