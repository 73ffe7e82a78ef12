"""The command `sayso bench`: it runs suites, here or on a Ray cluster, with progress, tables, rows and JSON."""

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from sayso.bench import known, load
from sayso.bench.episode import model_named
from sayso.bench.random_plans import RANDOM
from sayso.bench.rows import File, compared, read
from sayso.bench.suite import REFERENCE, Played, Score, Suite, Trial, play, summary, trials
from sayso.bench.tables import all_shown, compared_shown, measured, shown
from sayso.errors import UsageError
from sayso.mission.defaults import make_planner, settled
from sayso.models.scripted import Scripted
from sayso.plugins.loading import extra

ALL = "all"

Player: TypeAlias = Callable[[Suite, Sequence[Trial]], Played]


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """The options of `sayso bench`. `on` is the engine that plays: nothing for this machine, or `ray`."""

    episodes: int = 2
    seed: int = 0
    jobs: int = 1
    only: str = ""
    planner: str = ""
    model: str = ""
    ablation: str = ""
    json: str = ""
    rows: Path | None = None
    resume: Path | None = None
    on: str = ""
    detector: str = ""


def run(console: Console, name: str, wanted: BenchOptions) -> int:
    """Play a suite, or all of them; 0 when every episode succeeded, else 1. Interrupted, it reports what was finished.

    Raises `UsageError`, before anything is played, for what cannot be.
    """
    plays = _every(console, wanted) if name == ALL else [(suite := load(name), _todo(suite, wanted))]
    if wanted.rows and wanted.resume:
        raise UsageError("--resume FILE goes on with the rows of that file, and adds to them; --rows begins a new one")
    player, results, complete = _player(wanted), [], True
    with ExitStack() as stack:
        path = wanted.resume or wanted.rows
        file = stack.enter_context(File(path, resume=bool(wanted.resume))) if path else None
        for suite, todo in ((suite.seeing(wanted.detector), todo) for suite, todo in plays):
            todo = _announced(console, suite, todo)
            scores = _played(console, suite, todo, player, file)
            complete &= len(scores) == len(todo)
            result = summary(suite, scores, **_options(todo[0]), seed=wanted.seed)
            result["conditions"] = asdict(suite.conditions)
            shown(console, suite, result)
            results.append(result)
            if len(scores) < len(todo):
                break
    if name == ALL:
        totals = all_shown(console, results)
        _write(wanted.json, {"suite": ALL, "seed": wanted.seed, "tasks": totals, "suites": results})
    else:
        _write(wanted.json, results[0])
    return 0 if complete and all(r["total"]["success"] == r["total"]["episodes"] for r in results) else 1


def _every(console: Console, wanted: BenchOptions) -> list[tuple[Suite, list[Trial]]]:
    """All suites for which this makes sense; of the others, why it makes none."""
    plays, why = [], ""
    for suite in map(load, known()):
        try:
            plays.append((suite, _todo(suite, wanted)))
        except UsageError as error:
            why = f"{suite.name} is left out: {error}"
            console.print(Text(why, "yellow"))
    if not plays:
        raise UsageError(why)
    return plays


def _announced(console: Console, suite: Suite, todo: Sequence[Trial]) -> list[Trial]:
    """The trials that can be played here; what is measured is told, and what cannot be, as for want of an extra."""
    console.print(Text(f"{suite.name} measures {measured(suite, _options(todo[0]))}"), soft_wrap=True)
    reasons = [suite.refusal(trial) for trial in todo]
    for why in filter(None, dict.fromkeys(reasons)):
        left_out = f"{reasons.count(why)} of {len(todo)} episodes are left out: {why}"
        console.print(Text(left_out, "yellow"), soft_wrap=True)
    return [trial for trial, why in zip(todo, reasons, strict=True) if not why]


def _options(trial: Trial) -> dict[str, str]:
    seen = {"detector": trial.detector} if trial.detector else {}
    return {"planner": trial.planner, "model": trial.model, "ablation": trial.ablation, **seen}


def _todo(suite: Suite, wanted: BenchOptions) -> list[Trial]:
    """The trials of a suite. Raises `UsageError` where they cannot be played."""
    if wanted.ablation and wanted.ablation not in suite.ablations:
        there = ", ".join(suite.ablations) or "none"
        raise UsageError(f"the suite {suite.name} has the ablations {there}, not {wanted.ablation!r}")
    if wanted.detector and not suite.sees:
        raise UsageError(f"the suite {suite.name} renders no pictures for a detector")
    named = {t.strip() for t in wanted.only.split(",")} - {""}
    if unknown := named - {name for t in suite.tasks for name in (t.id, t.group)}:
        raise UsageError(f"the suite {suite.name} has no task {', '.join(sorted(unknown))}")
    chosen = [t.id for t in suite.tasks if {t.id, t.group} & named]
    name, planner = _asked(suite, wanted)
    options = {"planner": planner, "model": name, "ablation": wanted.ablation, "detector": wanted.detector}
    todo = trials(suite, chosen, wanted.episodes, wanted.seed, **options)
    model = Scripted([]) if name in (RANDOM, *suite.doubles) else model_named(name, Scripted([]))
    if planner and planner not in suite.planners:
        make_planner(planner, model)
    if planner in (*suite.silent, "reflex") and name != REFERENCE:
        raise UsageError(f"the planner {planner} asks no model, so --model {name} would change nothing")
    if all(reasons := [suite.refusal(trial) for trial in todo]):
        raise UsageError(reasons[0])
    return todo


def _asked(suite: Suite, wanted: BenchOptions) -> tuple[str, str]:
    """Which model is asked, and by which planner: what was named, else what a user gets who names nothing either."""
    of_ablation = suite.of_planner.get(wanted.ablation, "")
    if wanted.model or not suite.kind or wanted.planner in suite.silent:
        return wanted.model or REFERENCE, wanted.planner or of_ablation or suite.planner
    model, planner = settled("", wanted.planner or of_ablation, suite.kind)
    return model or REFERENCE, planner


def _played(console: Console, suite: Suite, todo: list[Trial], player: Player, file: File | None) -> list[Score]:
    held = file.held if file else {}
    scores = [held[t] for t in todo if t in held]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
        closing(player(suite, [t for t in todo if t not in held])) as playing,
    ):
        bar = progress.add_task(suite.says, total=len(todo), completed=len(scores))
        try:
            for trial, score in playing:
                if file:
                    file.add(trial, score)
                scores.append(score)
                progress.advance(bar)
        except KeyboardInterrupt:
            console.print(Text(f"interrupted after {len(scores)} of {len(todo)} episodes", "yellow"))
    return scores


def _player(wanted: BenchOptions) -> Player:
    """Who plays. Raises `UsageError` where that cannot be."""
    if not wanted.on:
        return partial(play, jobs=wanted.jobs)
    if wanted.on != "ray":
        raise UsageError(f"episodes are played here or on ray, not on {wanted.on!r}")
    with extra("ray", "--on ray"):
        from sayso.bench.cluster import play_on_ray
    return play_on_ray


def run_compare(console: Console, files: Sequence[Path], as_json: str) -> int:
    """Two files of rows, paired by task and seed: what the second has more than the first. Always 0."""
    if len(files) != 2:
        raise UsageError("two files of rows are compared: sayso bench compare A.jsonl B.jsonl")
    records = compared(*(read(file) for file in files))
    compared_shown(console, f"B {files[1].name} less A {files[0].name}, in pairs of one task and seed", records)
    _write(as_json, {"compared": [str(file) for file in files], "tasks": records})
    return 0


def _write(target: str, result: Any) -> None:
    if target == "-":
        sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")
    elif target:
        Path(target).write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", "utf-8")
