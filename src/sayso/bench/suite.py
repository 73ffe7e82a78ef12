"""The parts of a benchmark: suites, tasks, trials and scores, how they are played, and the summary.

A task is a sentence, a world and a goal. An episode is one seeded try at it; whatever goes wrong in it is a row with
its error, and costs one episode. Played by several processes, each has one episode at a time, so that a crash of the
interpreter itself costs no more than that either.
"""

import concurrent.futures as cf
import math
import multiprocessing
import signal
import statistics
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import Any, Self, TypeAlias

from sayso.tables import toml

REFERENCE = "reference"
"""The name of every suite's double: what answers where no model is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The conditions that are printed beside a suite's figures, a phrase each.

    `physics` tells what moves by physics and what is held up, `told` what perception is given, `failures` what goes
    wrong on purpose, `developed` what of the system was made with these very sentences in sight, `episodes` how the
    tries at one task differ.
    """

    physics: str
    told: str
    failures: str
    developed: str
    episodes: str


@dataclass(frozen=True, slots=True)
class Variant:
    """One scene of a task with its goal, as text: some tasks have a second scene in which the other branch is right."""

    scene: str
    goal: str


@dataclass(frozen=True, slots=True)
class BenchTask:
    """A sentence and the scenes it is tried in, in turn. `published` holds the paper's figures by column name.

    Where it is not `possible`, the right end is to say so. Tasks of one `group` have a row together besides.
    """

    id: str
    sentence: str
    variants: tuple[Variant, ...] = ()
    published: Mapping[str, str] = field(default_factory=dict)
    possible: bool = True
    group: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """What it takes to run one episode anywhere: plain values only, so that it can cross to another process.

    `detector` is what the robot sees with (`sayso.perception.detector`) instead of what its world tells it.
    """

    suite: str
    task: str
    episode: int
    seed: int
    planner: str
    model: str
    ablation: str = ""
    detector: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one episode. Seconds are the mission's own, whatever the computer's speed.

    `success` is what the world says at the end, `outcome` what the agent said, `verified` whether it saw every clause
    of its goal come true; `asked` where its last word was a question; `error` is what broke, empty where the episode
    was played to its end. `figures` are those that only this suite has; a summary holds their means, of names in `_max`
    the greatest.
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
    outcome: str = ""
    verified: bool = False
    asked: bool = False
    error: str = ""

    @property
    def false_achieved(self) -> bool:
        """Whether the robot says that the wish is met and that it saw it, and the world says no."""
        return self.outcome == "achieved" and self.verified and not self.success

    @property
    def unverified(self) -> bool:
        """Whether the robot says that the wish is met, and that it could not see whether."""
        return self.outcome == "achieved" and not self.verified


Episode: TypeAlias = Callable[[Trial], Score]
"""Plays one trial to its end. A mission that fails is a score."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A benchmark suite: its tasks, and how one episode is played.

    `figures` names those of its own that a table shows. Where nothing is named it measures what a user of its `kind` of
    robot gets, or its double where it is of none; `planner` is who asks a model that is named. `planners` are those
    that only this suite knows and `doubles` models that only it knows, each with what it is; the planners in `silent`
    ask no model. `published` are a paper's figures for all tasks together, by the planner that it tried; `of_planner`
    names the one planner that an ablation is of, and `unfit` tells why else a trial makes no sense, or nothing; one
    that `sees` can be played by what a detector finds in rendered pictures. Where the episodes of a scene are `alike`,
    differing by little more than nothing, an interval counts each scene once.
    """

    name: str
    says: str
    tasks: tuple[BenchTask, ...]
    ablations: tuple[str, ...] = ()
    figures: tuple[str, ...] = field(default=(), kw_only=True)
    kind: str = field(default="", kw_only=True)
    planner: str = field(default="stream", kw_only=True)
    planners: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    silent: tuple[str, ...] = field(default=(), kw_only=True)
    doubles: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    published: Mapping[str, Mapping[str, str]] = field(default_factory=dict, kw_only=True)
    alike: bool = field(default=False, kw_only=True)
    sees: bool = field(default=False, kw_only=True)
    of_planner: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    unfit: Callable[[Trial], str] = field(default=lambda trial: "", kw_only=True)
    conditions: Conditions = field(kw_only=True)
    run_episode: Episode = field(kw_only=True)

    @classmethod
    def read(cls, package: str | None, file: str, **more: Any) -> Self:
        """The suite that the table `suite` of a package's data file tells of, with `more` that is no data."""
        told = {name: _frozen(value) for name, value in toml(package, file)["suite"].items()}
        variants = ((task, starmap(Variant, task.get("variants", ()))) for task in told.get("tasks", ()))
        tasks = tuple(BenchTask(**{**task, "variants": tuple(some)}) for task, some in variants)
        return cls(**{**told, "conditions": Conditions(**told["conditions"]), "tasks": tasks, **more})

    def refusal(self, trial: Trial) -> str:
        """The reason why a trial makes no sense, or nothing."""
        whose = self.of_planner.get(trial.ablation, trial.planner)
        if whose != trial.planner:
            return f"the ablation {trial.ablation} is one of the planner {whose}, not of {trial.planner}"
        return self.unfit(trial)

    def seeing(self, detector: str) -> Self:
        """The same where the robot sees with a detector, by what stands beside its figures then."""
        told = f"rendered pictures, through the detector {detector}; nothing else of what is there"
        return replace(self, conditions=replace(self.conditions, told=told)) if detector else self

    def task(self, id_: str) -> BenchTask:
        return next(t for t in self.tasks if t.id == id_)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def trials(suite: Suite, only: Iterable[str], episodes: int, seed: int, **options: str) -> list[Trial]:
    """Every trial of a run, tasks in order. Seeds count up from `seed`; the same trial always has the same seed."""
    chosen = set(only) or {t.id for t in suite.tasks}
    return [
        Trial(suite.name, task.id, n, seed + n, **options)
        for task in suite.tasks
        if task.id in chosen
        for n in range(episodes)
    ]


def attempt(episode: Episode, trial: Trial) -> Score:
    """The score of one trial; what is raised in it is a score too, with its error."""
    try:
        return episode(trial)
    except Exception as error:
        return broken(trial, f"{type(error).__name__}: {error}")


def broken(trial: Trial, error: str) -> Score:
    """The score of an episode that was not played to its end."""
    return Score(trial.task, trial.episode, False, error, error=error)


Played: TypeAlias = Generator[tuple[Trial, Score], None, None]
"""Scores with their trials as episodes end, in any order. Closed early, it ends what is still played."""


def play(suite: Suite, todo: Sequence[Trial], jobs: int = 1) -> Played:
    """Every trial, played by so many processes."""
    if jobs <= 1:
        return ((trial, attempt(suite.run_episode, trial)) for trial in todo)
    return _by_processes(suite.run_episode, todo, jobs)


def _by_processes(episode: Episode, todo: Sequence[Trial], jobs: int) -> Played:
    """Each process is a pool of its own: if it dies, it is known over which trial, and another one takes its place."""
    waiting = iter(todo)
    idle = [_process() for _ in range(min(jobs, len(todo)))]
    busy: dict[cf.Future[Score], tuple[Trial, cf.ProcessPoolExecutor]] = {}
    try:
        while True:
            while idle and (trial := next(waiting, None)):
                pool = idle.pop()
                busy[pool.submit(attempt, episode, trial)] = trial, pool
            if not busy:
                return
            for future in cf.wait(busy, return_when=cf.FIRST_COMPLETED).done:
                trial, pool = busy.pop(future)
                idle.append(_process() if isinstance(future.exception(), cf.BrokenExecutor) else pool)
                yield trial, _came_of(future, trial)
    finally:
        for child in multiprocessing.active_children() if busy else ():  # interrupted: nobody waits for their scores
            child.terminate()
        for pool in (*idle, *(p for _, p in busy.values())):
            pool.shutdown()


def _process() -> cf.ProcessPoolExecutor:
    spawn = multiprocessing.get_context("spawn")  # a forked child would inherit the event loop and the GL context
    return cf.ProcessPoolExecutor(1, spawn, signal.signal, (signal.SIGINT, signal.SIG_DFL))  # Ctrl-C ends it unheard


def _came_of(future: cf.Future[Score], trial: Trial) -> Score:
    try:
        return future.result()
    except Exception as error:  # the process died, or its score cannot travel
        return broken(trial, f"{type(error).__name__}: {error}")


def summary(suite: Suite, scores: Sequence[Score], **options: Any) -> dict[str, Any]:
    """The whole run as one JSON object: `{"suite", "planner", "model", "seed", "tasks": […], "groups": […], "total":
    {…}}`."""
    group_of = {t.id: t.group for t in suite.tasks}
    by_task = [(id_, [s for s in scores if s.task == id_]) for id_ in group_of]
    by_group = [(g, [s for s in scores if group_of[s.task] == g]) for g in dict.fromkeys(group_of.values()) if g]
    rows, groups = ([_row(id_, some, suite) for id_, some in by if some] for by in (by_task, by_group))
    total = _row("total", scores, suite) if scores else {}
    return {"suite": suite.name, **options, "tasks": rows, "groups": groups, "total": total}


MEANS = ("r_time_s", "c_time_s", "tokens", "replans", "model_calls")


def _row(id_: str, scores: Sequence[Score], suite: Suite) -> dict[str, Any]:
    possible, scenes = {t.id for t in suite.tasks if t.possible}, {t.id: len(t.variants) or 1 for t in suite.tasks}
    seen = {(s.task, s.episode % scenes[s.task]) for s in scores}
    count = len(seen) if suite.alike else len(scores)
    low, high = wilson(count * sum(s.success for s in scores) / len(scores), count)
    return {
        "id": id_,
        "episodes": len(scores),
        "independent": count,
        "success": sum(s.success for s in scores),
        "success_low": round(low, 3),
        "success_high": round(high, 3),
        **{name: sum(getattr(s, name) for s in scores) for name in ("false_achieved", "unverified", "asked")},
        "refused_possible": sum(s.outcome == "refused" and s.task in possible for s in scores),
        **{name: _mean([getattr(s, name) for s in scores]) for name in MEANS},
        **{name: sum(getattr(s, name) for s in scores) for name in ("collisions", "refusals")},
        "errors": sum(bool(s.error) for s in scores),
        **{name: _figure(name, scores) for name in {n: 0 for s in scores for n in s.figures}},
        "failures": [{"episode": s.episode, "reason": s.reason} for s in scores if not s.success],
    }


def _figure(name: str, scores: Sequence[Score]) -> float | None:
    values = [s.figures.get(name) for s in scores]
    return max((v for v in values if v is not None), default=None) if name.endswith("_max") else _mean(values)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return round(statistics.fmean(known), 3) if known else None


def wilson(successes: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval for a proportion (95 % by default)."""
    if n == 0:
        return 0.0, 1.0
    p = successes / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)
