"""The rows of a benchmark, a line an episode (JSON or CSV), and the comparison of two files of them.

A row is the trial and its score side by side, its seed among them. Lines of JSON are written as episodes end, so that
an interruption costs only what was being played; CSV has its columns from all rows and is written at the end.

What two files both tried with the same seed shares its luck, so differences are taken in pairs. The interval of a
difference of shares is Bonett and Price's (2012), which is honest where few or no pairs differ; that of seconds and
tokens is the mean's plus or minus 1.96 of its standard errors.
"""

import csv
import json
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Self, TypeAlias

from sayso.bench.suite import Score, Trial
from sayso.errors import UsageError

Rows: TypeAlias = dict[Trial, Score]

TRIAL, SCORE = ([f.name for f in fields(c)] for c in (Trial, Score))


class File:
    """The file of rows; `held` are those that it had when it was opened to be resumed, without the broken ones."""

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
        """Write one more row to the disk."""
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


Pairs: TypeAlias = Sequence[tuple[Score, Score]]


def compared(a: Rows, b: Rows) -> list[dict[str, Any]]:
    """A record for each task that both tried, then one for all together. Raises `UsageError` where they share none."""
    first = {(t.suite, t.task, t.seed): s for t, s in a.items()}
    second = {(t.suite, t.task, t.seed): s for t, s in b.items()}
    both = [key for key in first if key in second]
    if not both:
        raise UsageError("the two files have no task and seed in common, so there is nothing to compare")
    tasks = dict.fromkeys((suite, task) for suite, task, _ in both)
    suites = {suite for suite, _ in tasks}
    pairs = {which: [(first[k], second[k]) for k in both if k[:2] == which] for which in tasks}
    records = [_record(t if len(suites) == 1 else f"{suite} {t}", some) for (suite, t), some in pairs.items()]
    return [*records, _record("total", [(first[k], second[k]) for k in both])]


def _record(id_: str, pairs: Pairs) -> dict[str, Any]:
    low, high = shares_differ(pairs)
    own = dict.fromkeys(name for a, _ in pairs for name in a.figures)
    return {
        "id": id_,
        "pairs": len(pairs),
        "success_a": sum(a.success for a, _ in pairs),
        "success_b": sum(b.success for _, b in pairs),
        "difference": round(statistics.fmean(b.success - a.success for a, b in pairs), 3),
        "difference_low": round(low, 3),
        "difference_high": round(high, 3),
        "false_achieved_a": sum(a.false_achieved for a, _ in pairs),
        "false_achieved_b": sum(b.false_achieved for _, b in pairs),
        "r_time_s": _measured((a.r_time_s, b.r_time_s) for a, b in pairs),
        "c_time_s": _measured((a.c_time_s, b.c_time_s) for a, b in pairs),
        "tokens": _measured((a.tokens, b.tokens) for a, b in pairs),
        "model_calls": _measured((a.model_calls, b.model_calls) for a, b in pairs),
        "figures": {name: _measured((a.figures.get(name), b.figures.get(name)) for a, b in pairs) for name in own},
    }


def shares_differ(pairs: Pairs) -> tuple[float, float]:
    """From where to where the second's share of success less the first's may be, with 95 %."""
    n = len(pairs) + 2
    gained = (sum(b.success and not a.success for a, b in pairs) + 1) / n
    lost = (sum(a.success and not b.success for a, b in pairs) + 1) / n
    half = 1.96 * math.sqrt((gained + lost - (gained - lost) ** 2) / n)
    return max(-1.0, gained - lost - half), min(1.0, gained - lost + half)


def _measured(values: Iterable[tuple[float | None, float | None]]) -> dict[str, float | None] | None:
    """The mean difference of the pairs that both have the figure, with its interval where there are several."""
    known = [b - a for a, b in values if a is not None and b is not None]
    if not known:
        return None
    mean = statistics.fmean(known)
    half = 1.96 * statistics.stdev(known) / math.sqrt(len(known)) if len(known) > 1 else math.nan
    record = {"difference": mean, "low": mean - half, "high": mean + half}
    return {k: None if math.isnan(v) else round(v, 3) for k, v in record.items()}
