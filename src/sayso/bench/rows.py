"""Rows: every episode as one line of a file, to go on with and to compare (JSON), or for a spreadsheet (CSV).

A row is the trial and its score side by side, its seed among them. Lines of JSON are written as episodes end, so that
an interruption costs only what was being played; CSV has its columns from all rows and is written at the end.
"""

from __future__ import annotations

import csv
import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Self, TypeAlias

from sayso.bench.suite import Score, Trial
from sayso.errors import UsageError

Rows: TypeAlias = dict[Trial, Score]

TRIAL, SCORE = ([f.name for f in fields(c)] for c in (Trial, Score))


class File:
    """Where rows go; `held` are those that it had already when it was opened to be resumed, without the broken ones."""

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        """Raises `UsageError` for a file that cannot hold rows, or whose rows cannot be read."""
        if path.suffix not in (".jsonl", ".csv"):
            raise UsageError(f"rows go to a FILE.jsonl or FILE.csv, not to {path}")
        there = read(path) if resume and path.exists() else {}
        self.held: Rows = {trial: score for trial, score in there.items() if not score.error}
        self._path, self._rows = path, dict(self.held)
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


def read(path: Path) -> Rows:
    """The rows of a file of JSON, the last one of each trial; a line that was cut off is none.

    Raises `UsageError` where it holds something else.
    """
    try:
        lines = path.read_text("utf-8").rpartition("\n")[0].splitlines()
        return dict(_row(json.loads(line)) for line in lines if line.strip())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(f"{path} holds no rows of a bench as lines of JSON: {error}") from error


def _line(trial: Trial, score: Score) -> str:
    return json.dumps(asdict(trial) | asdict(score), ensure_ascii=False) + "\n"


def _row(found: dict[str, Any]) -> tuple[Trial, Score]:
    trial, score = ({k: found[k] for k in names if k in found} for names in (TRIAL, SCORE))
    return Trial(**trial), Score(**score)


def _write_csv(path: Path, rows: Rows) -> None:
    flat = []
    for trial, score in rows.items():
        row = asdict(trial) | asdict(score)
        flat.append(row | {f"figure {name}": value for name, value in row.pop("figures").items()})
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, dict.fromkeys(name for row in flat for name in row))
        writer.writeheader()
        writer.writerows(flat)
