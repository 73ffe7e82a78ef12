"""Running suites from the command line: progress, tables beside the published figures, rows in a file, JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from sayso.bench import known, load
from sayso.bench.compare import compared
from sayso.bench.episode import heard
from sayso.bench.rows import File, read
from sayso.bench.speed import Row, measure
from sayso.bench.suite import REFERENCE, Played, Score, Suite, Trial, play, summary, trials
from sayso.clock import SimClock
from sayso.defaults import make_planner
from sayso.errors import UsageError
from sayso.models.scripted import Scripted

ALL, INTERVAL = "all", "95 %"
HEADS = {
    "false_achieved": "false achieved",
    "asked": "asked",
    "refused_possible": "refused though possible",
    "r_time_s": "R-time s",
    "c_time_s": "C-time s",
    "tokens": "tokens",
    "replans": "replans",
    "model_calls": "calls",
    "collisions": "hits",
}
"""The figures that every suite has beside success, as a table heads them."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for on the command line. `on` is the engine that plays: nothing for this machine, or `ray`."""

    episodes: int = 2
    seed: int = 0
    jobs: int = 1
    only: str = ""
    planner: str = ""
    model: str = REFERENCE
    ablation: str = ""
    json: str = ""
    rows: Path | None = None
    resume: Path | None = None
    on: str = ""


def run(console: Console, name: str, wanted: Wanted) -> int:
    """Play a suite, or all of them; 0 when every episode succeeded, else 1. Interrupted, it reports what was finished.

    Raises `UsageError`, before anything is played, for what cannot be.
    """
    plays = _every(console, wanted) if name == ALL else [(suite := load(name), _todo(suite, wanted))]
    if wanted.rows and wanted.resume:
        raise UsageError("--resume FILE goes on with the rows of that file, and adds to them; --rows begins a new one")
    results, complete = [], True
    with ExitStack() as stack:
        path = wanted.resume or wanted.rows
        file = stack.enter_context(File(path, resume=bool(wanted.resume))) if path else None
        for suite, todo in plays:
            scores = _played(console, suite, todo, wanted, file)
            complete &= len(scores) == len(todo)
            result = summary(suite, scores, **_options(todo[0]), seed=wanted.seed)
            result["conditions"] = asdict(suite.conditions)
            _show(console, suite, result)
            if wanted.ablation in suite.slower:
                whole = _played(console, suite, [replace(t, ablation="") for t in todo], wanted, file)
                result["saved"] = _saved(console, summary(suite, whole), result)
            results.append(result)
            if len(scores) < len(todo):
                break
    _write(wanted.json, _all(console, results, wanted) if name == ALL else results[0])
    return 0 if complete and all(r["total"]["success"] == r["total"]["episodes"] for r in results) else 1


def _every(console: Console, wanted: Wanted) -> list[tuple[Suite, list[Trial]]]:
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


def _options(trial: Trial) -> dict[str, str]:
    return {"planner": trial.planner, "model": trial.model, "ablation": trial.ablation}


def _todo(suite: Suite, wanted: Wanted) -> list[Trial]:
    """The trials of a suite. Raises `UsageError` where they cannot be played."""
    if wanted.ablation and wanted.ablation not in suite.ablations:
        there = ", ".join(suite.ablations) or "none"
        raise UsageError(f"the suite {suite.name} has the ablations {there}, not {wanted.ablation!r}")
    chosen = [t.strip() for t in wanted.only.split(",") if t.strip()]
    if unknown := set(chosen) - {t.id for t in suite.tasks}:
        raise UsageError(f"the suite {suite.name} has no task {', '.join(sorted(unknown))}")
    planner = wanted.planner or suite.planner
    options = {"planner": planner, "model": wanted.model, "ablation": wanted.ablation}
    todo = trials(suite, chosen, wanted.episodes, wanted.seed, **options)
    model = Scripted([]) if wanted.model in suite.doubles else heard(wanted.model, SimClock(), Scripted([]))
    if planner and planner not in suite.planners:
        make_planner(planner, model)
    if planner in (*suite.silent, "reflex") and wanted.model != REFERENCE:
        raise UsageError(f"the planner {planner} asks no model, so --model {wanted.model} would change nothing")
    if reason := suite.unfit(todo[0]):
        raise UsageError(reason)
    return todo


def _played(console: Console, suite: Suite, todo: list[Trial], wanted: Wanted, file: File | None) -> list[Score]:
    held = file.held if file else {}
    scores = [held[t] for t in todo if t in held]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
        closing(_playing(suite, [t for t in todo if t not in held], wanted)) as playing,
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


def _playing(suite: Suite, todo: Sequence[Trial], wanted: Wanted) -> Played:
    if not wanted.on:
        return play(suite, todo, wanted.jobs)
    if wanted.on != "ray":
        raise UsageError(f"episodes are played here or on ray, not on {wanted.on!r}")
    try:
        from sayso.bench.cluster import play_on_ray
    except ModuleNotFoundError as error:
        raise UsageError("--on ray needs its extra: pip install 'sayso[ray]'") from error
    return play_on_ray(suite, todo)


def model_told(suite: Suite, model: str) -> str:
    """A model's name as tables show it: a double is called so."""
    kind = model.rpartition(":")[2]
    what = {REFERENCE: "a hand-written double", **suite.doubles}.get(kind, "")
    return f"{model} ({what})" if what else model


def _show(console: Console, suite: Suite, result: dict[str, Any]) -> None:
    """Ours with intervals, the published figures in brackets; then the conditions, and each failure with its reason."""
    what = {"planner": result["planner"] or "its own", "model": model_told(suite, result["model"])}
    what |= {"without": result["ablation"]} if result["ablation"] else {}
    title = ", ".join(f"{k} {v}" for k, v in what.items())
    own = [name for name in suite.figures if any(name in row for row in result["tasks"])]
    table = _table(f"{suite.name}: {title} [published in brackets]", "task", "success", INTERVAL, *HEADS.values(), *own)
    for row in filter(None, [*result["tasks"], result["total"]]):
        published = suite.published if row["id"] == "total" else suite.task(row["id"]).published
        figures = [_beside(_figure(row.get(name)), published.get(name, "")) for name in (*HEADS, *own)]
        success = _beside(f"{row['success']}/{row['episodes']}", published.get("success", ""))
        table.add_row(row["id"], success, _interval(row), *figures, end_section=row is result["tasks"][-1])
    console.print(table)
    for name, text in asdict(suite.conditions).items():
        console.print(Text(f"  {name}: {text}"))
    for row in result["tasks"]:
        for failure in row["failures"]:
            console.print(Text(f"task {row['id']} episode {failure['episode']}: {failure['reason']}", "red"))


def _all(console: Console, results: list[dict[str, Any]], wanted: Wanted) -> dict[str, Any]:
    """One line a suite, and the whole of it."""
    totals = [r["total"] | {"id": r["suite"]} for r in results if r["total"]]
    table = _table("all suites", "suite", "planner", "success", INTERVAL, *HEADS.values())
    for total, result in zip(totals, results, strict=False):
        planner, figures = result["planner"] or "its own", (_figure(total[name]) for name in HEADS)
        table.add_row(total["id"], planner, f"{total['success']}/{total['episodes']}", _interval(total), *figures)
    console.print(table)
    return {"suite": ALL, "model": wanted.model, "seed": wanted.seed, "tasks": totals, "suites": results}


def _table(title: str, *columns: str) -> Table:
    table = Table(title=Text(title), box=SIMPLE)
    for column in columns:
        table.add_column(column, justify="right", min_width=9 if column in ("success", INTERVAL) else None)
    return table


def _saved(console: Console, whole: dict[str, Any], without: dict[str, Any]) -> list[dict[str, Any]]:
    """What the thing left out is worth: response time with it and without, per task, shortest plan first."""
    before = {row["id"]: row for row in without["tasks"]}
    pairs = [(row, before[row["id"]]) for row in whole["tasks"] if row["id"] in before]
    name = without["ablation"]
    table = _table(
        f"response time, streaming against {name}", "task", "plan tokens", "streaming s", f"{name} s", "saved"
    )
    rows = []
    for with_, out in sorted(pairs, key=lambda pair: pair[0]["tokens"] or 0):
        if not with_["r_time_s"] or not out["r_time_s"]:
            continue
        saved = 1 - with_["r_time_s"] / out["r_time_s"]
        rows.append({"id": with_["id"], "tokens": with_["tokens"], "saved": round(saved, 3)})
        table.add_row(
            with_["id"], f"{with_['tokens']:.3g}", f"{with_['r_time_s']:.2f}", f"{out['r_time_s']:.2f}", f"{saved:.0%}"
        )
    console.print(table)
    return rows


def run_compare(console: Console, files: Sequence[Path], as_json: str) -> int:
    """Two files of rows, paired by task and seed: what the second has more than the first. Always 0."""
    if len(files) != 2:
        raise UsageError("two files of rows are compared: sayso bench compare A.jsonl B.jsonl")
    a, b = (read(file) for file in files)
    records = compared(a, b)
    table = _table(
        f"{files[1].name} less {files[0].name}, in pairs of one task and seed", "task", "pairs", "A", "B",
        "difference", INTERVAL, "false achieved A", "B", "R-time s", "C-time s", "tokens", "calls",
    )  # fmt: skip
    for one in records:
        measured = (_difference(one[name]) for name in ("r_time_s", "c_time_s", "tokens", "model_calls"))
        table.add_row(
            one["id"], str(one["pairs"]), str(one["success_a"]), str(one["success_b"]), f"{one['difference']:+.2f}",
            f"{one['difference_low']:+.2f} to {one['difference_high']:+.2f}", str(one["false_achieved_a"]),
            str(one["false_achieved_b"]), *measured, end_section=one is records[-2],
        )  # fmt: skip
    console.print(table)
    _write(as_json, {"compared": [str(file) for file in files], "tasks": records})
    return 0


def _difference(one: dict[str, float | None] | None) -> str:
    if one is None:
        return "–"
    ends = "" if one["low"] is None else f" ({one['low']:+.3g} to {one['high']:+.3g})"
    return f"{one['difference']:+.3g}{ends}"


def _interval(row: dict[str, Any]) -> str:
    return f"{row['success_low']:.2f}–{row['success_high']:.2f}"


def _beside(ours: str, published: str) -> Text:
    return Text(f"{ours} [{published}]" if published else ours)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"


def run_speed(console: Console, as_json: str) -> int:
    """Measure the figures and what stands beside them; 0 when all bars hold."""
    with console.status("measuring"):
        rows = list(measure())
    table = _table(
        "speed, one core, each beside a reference of this run", "figure", "took", "times", "bar", "reference"
    )
    for row in rows:
        ratio = "not here" if row.ratio is None else f"{row.ratio:.3g}"
        holds = Text(f"≤ {row.bar:g} yes" if row.holds else f"≤ {row.bar:g} NO", "green" if row.holds else "red")
        table.add_row(row.id, _taken(row.value, row.unit), ratio, holds, row.reference)
    console.print(table)
    _write(as_json, [_speed_json(r) for r in rows])
    return 0 if all(r.holds for r in rows) else 1


def _speed_json(row: Row) -> dict[str, Any]:
    measured = {"measured": row.value, "measured_unit": row.unit}
    return {
        "id": row.id,
        "value": row.ratio,
        "unit": f"× {row.reference}",
        "bar": row.bar,
        "holds": row.holds,
        **measured,
    }


def _taken(value: float, unit: str) -> str:
    for factor, name in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if unit != "s" or value * factor >= 1:
            return f"{value * factor:.3g} {name if unit == 's' else unit}"
    return f"{value * 1e9:.3g} ns"


def _write(target: str, result: Any) -> None:
    if target == "-":
        sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")
    elif target:
        Path(target).write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", "utf-8")
