"""Rows: every episode as one line of a file, JSON or CSV by its ending, to go on with, to compare, to draw.

A row is the trial and its score side by side, its seed among them. Lines of JSON are written as episodes end, so that
an interruption costs only what was being played; CSV, which a spreadsheet opens, has its columns from all rows and is
written at the end.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Self, TypeAlias

from sayso.bench.suite import Score, Trial
from sayso.errors import UsageError

Rows: TypeAlias = dict[Trial, Score]

TRIAL, SCORE = ([f.name for f in fields(c)] for c in (Trial, Score))
TEXTS = {"suite", "task", "planner", "model", "ablation", "detector", "reason", "outcome", "error"}
FIGURE = "figure "


class File:
    """Where rows go; `held` are those that it had already when it was opened to be resumed, without the broken ones."""

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        """Raises `UsageError` for a file that cannot hold rows, or whose rows cannot be read."""
        if path.suffix not in (".jsonl", ".csv"):
            raise UsageError(f"rows go to a FILE.jsonl or FILE.csv, not to {path}")
        if resume and path.suffix == ".csv":
            raise UsageError("what is resumed is kept as lines of JSON: --resume FILE.jsonl")
        self._path = path
        there = read(path) if resume and path.exists() else {}
        self.held: Rows = {trial: score for trial, score in there.items() if not score.error}
        self._rows = dict(self.held)
        if path.suffix == ".jsonl":
            path.write_text("".join(_line(*row) for row in self.held.items()), "utf-8")

    def __enter__(self) -> Self:
        return self

    def add(self, trial: Trial, score: Score) -> None:
        """One more row, on the disk before the next one is played."""
        self._rows[trial] = score
        if self._path.suffix == ".jsonl":
            with self._path.open("a", encoding="utf-8") as out:
                out.write(_line(trial, score))

    def __exit__(self, *raised: object) -> None:
        if self._path.suffix == ".csv":
            _write_csv(self._path, self._rows)


def row(trial: Trial, score: Score) -> dict[str, Any]:
    """One row as plain JSON."""
    return asdict(trial) | asdict(score)


def read(path: Path) -> Rows:
    """The rows of a file, the last one of each trial; a line that was cut off is none.

    Raises `UsageError` where it holds something else.
    """
    try:
        text = path.read_text("utf-8")
        found = map(_uncelled, csv.DictReader(text.splitlines())) if path.suffix == ".csv" else _lines(text)
        return dict(map(_row, found))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(f"{path} holds no rows of a bench: {error}") from error


def _line(trial: Trial, score: Score) -> str:
    return json.dumps(row(trial, score), ensure_ascii=False) + "\n"


def _lines(text: str) -> list[dict[str, Any]]:
    whole = text.splitlines() if text.endswith("\n") else text.splitlines()[:-1]
    return [json.loads(line) for line in whole if line.strip()]


def _row(found: Mapping[str, Any]) -> tuple[Trial, Score]:
    return Trial(**{"detector": "", **{k: found[k] for k in TRIAL if k in found}}), Score(
        **{k: found[k] for k in SCORE if k in found}
    )


def _write_csv(path: Path, rows: Rows) -> None:
    flat = [_celled(row(*one)) for one in rows.items()]
    columns = dict.fromkeys(name for one in flat for name in one)
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, columns)
        writer.writeheader()
        writer.writerows(flat)


def _celled(one: dict[str, Any]) -> dict[str, str]:
    figures = {FIGURE + name: value for name, value in one.pop("figures").items()}
    return {k: v if k in TEXTS else "" if v is None else json.dumps(v) for k, v in (one | figures).items()}


def _uncelled(cells: Mapping[str, str]) -> dict[str, Any]:
    read = {k: v if k in TEXTS else json.loads(v or "null") for k, v in cells.items()}
    figures = {k.removeprefix(FIGURE): v for k, v in read.items() if k.startswith(FIGURE) and v is not None}
    return {k: v for k, v in read.items() if not k.startswith(FIGURE)} | {"figures": figures}
