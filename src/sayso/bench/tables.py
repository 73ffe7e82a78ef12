"""The tables that a benchmark prints."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sayso.bench.random_plans import RANDOM, RANDOM_IS
from sayso.bench.suite import REFERENCE, Suite

Record: TypeAlias = dict[str, Any]

INTERVAL = "95 %"
HEADS = {
    "false_achieved": "false achieved",
    "unverified": "achieved unverified",
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


def model_told(suite: Suite, model: str) -> str:
    """A model's name as tables show it: a double is called so."""
    kind = model.rpartition(":")[2]
    what = {REFERENCE: "a hand-written double", RANDOM: RANDOM_IS, **suite.doubles}.get(kind, "")
    return f"{model} ({what})" if what else model


def measured(suite: Suite, options: Mapping[str, str]) -> str:
    """Who is measured: planner, model, and what else was chosen."""
    what = {"planner": options["planner"] or "its own", "model": model_told(suite, options["model"])}
    what |= {"without": options["ablation"]} if options["ablation"] else {}
    what |= {"detector": options["detector"]} if options.get("detector") else {}
    return ", ".join(f"{k} {v}" for k, v in what.items())


def shown(console: Console, suite: Suite, result: Record) -> None:
    """Ours with intervals, the published figures in brackets; then the conditions, and each failure with its reason."""
    title = f"{suite.name}: {measured(suite, result)} [published in brackets]"
    table = table_of(title, "task", "success", INTERVAL, *HEADS.values())
    own = [name for name in suite.figures if any(name in row for row in result["tasks"])]
    also = table_of(f"what only {suite.name} has", "task", *own)
    published_for = {t.group: t.published for t in suite.tasks} | {t.id: t.published for t in suite.tasks}
    published_for["total"] = suite.published.get(result["planner"], {})
    for row in filter(None, [*result["tasks"], *result["groups"], result["total"]]):
        published = published_for[row["id"]]
        figures = {name: _beside(_figure(row.get(name)), published.get(name, "")) for name in (*HEADS, *own)}
        success = _beside(f"{row['success']}/{row['episodes']}", published.get("success", ""))
        last = row in (result["tasks"][-1], *result["groups"][-1:])
        table.add_row(row["id"], success, _interval(row), *(figures[name] for name in HEADS), end_section=last)
        also.add_row(row["id"], *(figures[name] for name in own), end_section=last)
    console.print(table)
    if own:
        console.print(also)
    for name, text in asdict(suite.conditions).items():
        console.print(Text(f"  {name}: {text}"))
    for row in result["tasks"]:
        for failure in row["failures"]:
            console.print(Text(f"task {row['id']} episode {failure['episode']}: {failure['reason']}", "red"))


def all_shown(console: Console, results: Sequence[Record]) -> list[Record]:
    """One line a suite, which is returned."""
    names = [{"id": r["suite"], "planner": r["planner"] or "its own", "model": r["model"]} for r in results]
    totals = [r["total"] | name for r, name in zip(results, names, strict=True) if r["total"]]
    table = table_of("all suites", "suite", "planner", "model", "success", INTERVAL, *HEADS.values())
    for one in totals:
        figures = (_figure(one[name]) for name in HEADS)
        who = (one["id"], one["planner"], one["model"], f"{one['success']}/{one['episodes']}")
        table.add_row(*who, _interval(one), *figures)
    console.print(table)
    return totals


def compared_shown(console: Console, title: str, records: Sequence[Record]) -> None:
    """What the second file has more than the first, task by task."""
    table = table_of(
        title, "task", "pairs", "A", "B", "difference", INTERVAL, "false achieved A", "B", "R-time s", "C-time s",
        "tokens", "calls",
    )  # fmt: skip
    for one in records:
        table.add_row(
            one["id"],
            *(str(one[name]) for name in ("pairs", "success_a", "success_b")),
            f"{one['difference']:+.2f}",
            f"{one['difference_low']:+.2f} to {one['difference_high']:+.2f}",
            *(str(one[name]) for name in ("false_achieved_a", "false_achieved_b")),
            *(_difference(one[name]) for name in ("r_time_s", "c_time_s", "tokens", "model_calls")),
            end_section=one is records[-2],
        )
    console.print(table)


def table_of(title: str, *columns: str) -> Table:
    """Columns fold where it is narrow: nothing is cut off."""
    table = Table(title=Text(title), box=SIMPLE)
    for column in columns:
        wide = 9 if column in ("success", INTERVAL) else None
        table.add_column(column, justify="right", overflow="fold", min_width=wide)
    return table


def _difference(one: dict[str, float | None] | None) -> str:
    if one is None:
        return "–"
    ends = "" if one["low"] is None else f" ({one['low']:+.3g} to {one['high']:+.3g})"
    return f"{one['difference']:+.3g}{ends}"


def _interval(row: dict[str, Any]) -> str:
    """With what it counts, where that is not each episode."""
    of = f" of {row['independent']}" if row["independent"] < row["episodes"] else ""
    return f"{row['success_low']:.2f}–{row['success_high']:.2f}{of}"


def _beside(ours: str, published: str) -> Text:
    return Text(f"{ours} [{published}]" if published else ours)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
