"""What a suite is, and how one is run: tasks, episodes, workers, progress, and a summary that can be compared.

A task is a sentence, a world and a judge. An episode is one seeded try at it in a process of its own, so that a crash
costs one episode and nothing is shared; interrupting keeps what is finished.
"""

from __future__ import annotations

import concurrent.futures as cf
import math
import multiprocessing
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sayso.bench.judge import Judge


@dataclass(frozen=True, slots=True)
class Variant:
    """One scene of a task with its judge: some tasks have a second scene in which the other branch is right."""

    scene: str
    judge: Judge


@dataclass(frozen=True, slots=True)
class BenchTask:
    """A sentence and the scenes it is tried in, in turn. `published` holds the paper's figures by column name."""

    id: str
    sentence: str
    variants: tuple[Variant, ...]
    published: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trial:
    """What it takes to run one episode anywhere: plain values only, so that it can cross to another process."""

    suite: str
    task: str
    episode: int
    seed: int
    planner: str
    model: str
    ablation: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """What came of one episode. Seconds are the mission's own, whatever the computer's speed.

    `figures` are those that only this suite has; a summary holds their means, of names in `_max` the greatest.
    """

    task: str
    episode: int
    success: bool
    reason: str
    r_time_s: float | None = None
    c_time_s: float | None = None
    tokens: int = 0
    replans: int = 0
    model_calls: int = 0
    collisions: int = 0
    refusals: int = 0
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suite:
    """`run_episode` plays one trial to its end and never raises for a mission that fails. The ablations in `slower`

    are compared with the whole system by their response time; `figures` names those of its own that a table shows,
    `planner` is the one it tries unless told otherwise. `published` are figures of a paper for all tasks together.
    """

    name: str
    says: str
    tasks: tuple[BenchTask, ...]
    ablations: tuple[str, ...]
    slower: tuple[str, ...]
    figures: tuple[str, ...] = field(default=(), kw_only=True)
    planner: str = field(default="stream", kw_only=True)
    published: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    run_episode: Callable[[Trial], Score]

    def task(self, id_: str) -> BenchTask:
        return next(t for t in self.tasks if t.id == id_)


def trials(suite: Suite, only: Iterable[str], episodes: int, seed: int, **options: str) -> list[Trial]:
    """Every trial of a run, tasks in order. Seeds count up from `seed`; the same trial always has the same seed."""
    chosen = set(only) or {t.id for t in suite.tasks}
    return [
        Trial(suite.name, task.id, n, seed + n, **options)
        for task in suite.tasks
        if task.id in chosen
        for n in range(episodes)
    ]


def play(suite: Suite, todo: Sequence[Trial], workers: int) -> Iterator[Score]:
    """Scores as episodes end, in any order. Ctrl-C in the caller ends the workers; what was yielded stays."""
    if workers <= 1:
        yield from map(suite.run_episode, todo)
        return
    spawn = multiprocessing.get_context("spawn")  # a forked child would inherit the event loop and the GL context
    with cf.ProcessPoolExecutor(workers, mp_context=spawn) as pool:
        running = [pool.submit(suite.run_episode, trial) for trial in todo]
        try:
            for future in cf.as_completed(running):
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def summary(suite: Suite, scores: Sequence[Score], **options: Any) -> dict[str, Any]:
    """The whole run as one JSON object: `{"suite", "planner", "model", "seed", "tasks": […], "total": {…}}`."""
    by_task = [(t, [s for s in scores if s.task == t.id]) for t in suite.tasks]
    rows = [_row(t.id, some) for t, some in by_task if some]
    return {"suite": suite.name, **options, "tasks": rows, "total": _row("total", scores) if scores else {}}


def _row(id_: str, scores: Sequence[Score]) -> dict[str, Any]:
    low, high = wilson(sum(s.success for s in scores), len(scores))
    return {
        "id": id_,
        "episodes": len(scores),
        "success": sum(s.success for s in scores),
        "success_low": round(low, 3),
        "success_high": round(high, 3),
        "r_time_s": _mean([s.r_time_s for s in scores]),
        "c_time_s": _mean([s.c_time_s for s in scores]),
        "tokens": _mean([s.tokens for s in scores]),
        "replans": _mean([s.replans for s in scores]),
        "model_calls": _mean([s.model_calls for s in scores]),
        "collisions": sum(s.collisions for s in scores),
        "refusals": sum(s.refusals for s in scores),
        **{name: _figure(name, scores) for name in {n: 0 for s in scores for n in s.figures}},
        "failures": [{"episode": s.episode, "reason": s.reason} for s in scores if not s.success],
    }


def _figure(name: str, scores: Sequence[Score]) -> float | None:
    values = [s.figures.get(name) for s in scores]
    return max((v for v in values if v is not None), default=None) if name.endswith("_max") else _mean(values)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return round(statistics.fmean(known), 3) if known else None


def wilson(successes: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval for a proportion (95 % by default)."""
    if n == 0:
        return 0.0, 1.0
    p = successes / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def as_json(score: Score) -> dict[str, Any]:
    return asdict(score)
