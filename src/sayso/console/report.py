"""What `sayso bench --json` wrote, read for people: a headline, a plot, a table, and what failed.

A suite's report lists tasks with how many episodes succeeded; a report of speed lists figures with their bars. Any
other JSON is shown as far as it has records. Files come from anywhere, so nothing about them is taken for granted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.memory.shown import words

ROWS, COLUMNS, FAILURES = 200, 12, 60
LEFT_OUT = frozenset({"success", "success_low", "success_high", "episodes"})
"""The plot shows these."""

HUGE = 1e15
FULL = 1.25
"""A plot of figures ends at so many times their bar."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of the plot: how long of 1, from where to where it may be by chance, and the mark to compare it with."""

    label: str
    told: str
    share: float
    low: float | None = None
    high: float | None = None
    mark: float | None = None
    good: bool = True


@dataclass(frozen=True, slots=True)
class Report:
    """A report, ready to be drawn; every text is safe to show."""

    title: str
    headline: str = ""
    plot: str = ""
    bars: tuple[Bar, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    failures: tuple[str, ...] = ()


def read_report(name: str, data: Any) -> Report:
    """A report by the JSON that a file holds; a text tells why it holds none."""
    title = words(name, 100)
    if isinstance(data, list):
        data = {"figures": data}
    if not isinstance(data, Mapping):
        return Report(title, words(data))
    records = _records(data)
    bars, plot = _bars(records)
    columns = _columns(records, LEFT_OUT if plot else frozenset())
    rows = tuple(tuple(cell(record.get(c)) for c in columns) for record in records)
    heads = tuple(words(c.replace("_", " "), 60) for c in columns)
    return Report(title, _headline(data), plot, bars, heads, rows, _failed(records))


def cell(value: Any) -> str:
    """One value, short."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3g}" if isinstance(value, float) else words(value, 200)


def _records(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The first list of records in it."""
    lists = (v for v in data.values() if isinstance(v, list))
    found = next((v for v in lists if v and isinstance(v[0], Mapping)), [])
    return [r for r in found if isinstance(r, Mapping)][:ROWS]


def _columns(records: Sequence[Mapping[str, Any]], left_out: frozenset[str]) -> list[str]:
    first = records[0] if records else {}
    return [k for k, v in first.items() if not isinstance(v, list | dict) and k not in left_out][:COLUMNS]


def _headline(data: Mapping[str, Any]) -> str:
    plain = {k: v for k, v in data.items() if not isinstance(v, list | dict) and v not in ("", None)}
    said = [f"{words(k, 60)} {cell(v)}" for k, v in plain.items()]
    total = data.get("total")
    if isinstance(total, Mapping) and _number(total.get("episodes")):
        said.append(f"{cell(total.get('success'))} of {cell(total.get('episodes'))} episodes succeeded")
    return ", ".join(said)


def _bars(records: Sequence[Mapping[str, Any]]) -> tuple[tuple[Bar, ...], str]:
    """The plot, and what it shows; no bars where the records are of another kind."""
    if records and all(_number(r.get("episodes")) and _number(r.get("success")) is not None for r in records):
        return tuple(_success(r) for r in records), "episodes that succeeded, with the 95 % interval"
    barred = [r for r in records if _number(r.get("bar")) and _number(r.get("value")) is not None]
    if barred:
        return tuple(_measured(r) for r in barred), "figures against their bars"
    return (), ""


def _success(record: Mapping[str, Any]) -> Bar:
    won, of = float(record["success"]), float(record["episodes"])
    low, high = (_share(_number(record.get(k))) for k in ("success_low", "success_high"))
    return Bar(
        words(record.get("id", ""), 60), f"{won:g} of {of:g}", _share(won / of) or 0.0, low, high, good=won >= of
    )


def _measured(record: Mapping[str, Any]) -> Bar:
    value, bar = float(record["value"]), float(record["bar"])
    told = f"{value:.3g} {words(record.get('unit', ''), 20)}, bar {bar:.3g}"
    share = _share(value / bar / FULL) or 0.0
    return Bar(words(record.get("id", ""), 60), told, share, mark=1 / FULL, good=bool(record.get("holds", True)))


def _failed(records: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Why episodes failed; the same reason of a task is told once."""
    told: list[str] = []
    for record in records:
        failures = record.get("failures")
        reasons = (
            [f.get("reason", "") for f in failures if isinstance(f, Mapping)] if isinstance(failures, list) else []
        )
        for reason, times in Counter(words(r, 300) for r in reasons).items():
            told.append(f"{words(record.get('id', ''), 60)}: {reason}{f' (× {times})' if times > 1 else ''}")
    return tuple(told[:FAILURES])


def _number(value: Any) -> float | None:
    """A value that can be drawn; None for any other."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < HUGE else None


def _share(value: float | None) -> float | None:
    return None if value is None else min(1.0, max(0.0, value))
