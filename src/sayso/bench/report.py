"""Running a suite from the command line: progress, a table beside the published figures, and JSON."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from sayso.bench import load
from sayso.bench.speed import Row, measure
from sayso.bench.suite import Score, Suite, play, summary, trials
from sayso.errors import UsageError

COLUMNS = ("success", "r_time_s", "c_time_s", "tokens")


def run_suite(
    console: Console, name: str, as_json: str, only: str, episodes: int, seed: int, workers: int, **options: str
) -> int:
    """Play a suite; 0 when every episode succeeded, else 1. Interrupted, it reports what was finished."""
    suite = load(name)
    options["planner"] = options["planner"] or suite.planner
    if options["ablation"] and options["ablation"] not in suite.ablations:
        raise UsageError(
            f"the suite {name} has the ablations {', '.join(suite.ablations)}, not {options['ablation']!r}"
        )
    chosen = [t.strip() for t in only.split(",") if t.strip()]
    if unknown := set(chosen) - {t.id for t in suite.tasks}:
        raise UsageError(f"the suite {name} has no task {', '.join(sorted(unknown))}")
    todo = trials(suite, chosen, episodes, seed, **options)
    scores = _played(console, suite, todo, workers)
    result = summary(suite, scores, seed=seed, **options)
    _show(console, suite, result)
    if options["ablation"] in suite.slower:
        whole = _played(console, suite, [replace(t, ablation="") for t in todo], workers)
        result["saved"] = _saved(console, summary(suite, whole), result)
    _write(as_json, result)
    return 0 if len(scores) == len(todo) and all(s.success for s in scores) else 1


def _played(console: Console, suite: Suite, todo: list[Any], workers: int) -> list[Score]:
    scores: list[Score] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(suite.says, total=len(todo))
        try:
            for score in play(suite, todo, workers):
                scores.append(score)
                progress.advance(bar)
        except KeyboardInterrupt:
            console.print(Text(f"interrupted after {len(scores)} of {len(todo)} episodes", "yellow"))
    return scores


def _show(console: Console, suite: Suite, result: dict[str, Any]) -> None:
    """Ours, the published figures in grey beside them; then every failure with its reason."""
    what = ", ".join(f"{k} {result[k]}" for k in ("planner", "model", "ablation") if result.get(k))
    table = Table(title=f"{suite.name}: {what} (published in grey)", box=SIMPLE)
    for column in ("task", "success", "R-time s", "C-time s", "tokens", "replans", "calls", "hits"):
        table.add_column(column, justify="right")
    own = [name for name in suite.figures if any(name in row for row in result["tasks"])]
    for name in own:
        table.add_column(name, justify="right")
    for row in filter(None, [*result["tasks"], result["total"]]):
        published = suite.published if row["id"] == "total" else suite.task(row["id"]).published
        score = _beside(f"{row['success']}/{row['episodes']}", published.get("success", ""))
        compared = [_beside(_figure(row[c]), published.get(c, "")) for c in COLUMNS[1:]]
        more: list[str | Text] = [_figure(row[k]) for k in ("replans", "model_calls", "collisions")]
        more += [_beside(_figure(row.get(name)), published.get(name, "")) for name in own]
        table.add_row(row["id"], score, *compared, *more, end_section=row is result["tasks"][-1])
    console.print(table)
    for row in result["tasks"]:
        for failure in row["failures"]:
            console.print(Text(f"task {row['id']} episode {failure['episode']}: {failure['reason']}", "red"))


def _saved(console: Console, whole: dict[str, Any], without: dict[str, Any]) -> list[dict[str, Any]]:
    """What the thing left out is worth: response time with it and without, per task, shortest plan first."""
    before = {row["id"]: row for row in without["tasks"]}
    pairs = [(row, before[row["id"]]) for row in whole["tasks"] if row["id"] in before]
    table = Table(title=f"response time, streaming against {without['ablation']}", box=SIMPLE)
    for column in ("task", "plan tokens", "streaming s", f"{without['ablation']} s", "saved"):
        table.add_column(column, justify="right")
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


def _beside(ours: str, published: str) -> Text:
    return Text.assemble(ours, (f" {published}", "dim") if published else "")


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"


def run_speed(console: Console, as_json: str) -> int:
    """Measure the bars; 0 when all hold."""
    rows = []
    table = Table("figure", "value", "unit", "bar", "holds", title="speed, one core")
    with console.status("measuring"):
        for row in measure():
            rows.append(row)
            table.add_row(
                row.id,
                f"{row.value:.4g}",
                row.unit,
                row.bar_text,
                Text("yes", "green") if row.holds else Text("NO", "red"),
            )
    console.print(table)
    _write(as_json, [_speed_json(r) for r in rows])
    return 0 if all(r.holds for r in rows) else 1


def _speed_json(row: Row) -> dict[str, Any]:
    return {"id": row.id, "value": row.value, "unit": row.unit, "bar": row.bar, "holds": row.holds}


def _write(target: str, result: Any) -> None:
    if target == "-":
        sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")
    elif target:
        Path(target).write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", "utf-8")
