"""The checks of the service suite: progress, what was wrong, and rows in a file to go on with.

python -m sayso.robots.service.suite.run references --commands 1000 --json rows.jsonl    is every command doable?
python -m sayso.robots.service.suite.run mutants                   are wrong plans judged wrong?
python -m sayso.robots.service.suite.run corruption                does anything inadmissible pass?
python -m sayso.robots.service.suite.run write --commands 1000 --json commands.jsonl     text, goals and worlds
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from sayso.errors import UsageError
from sayso.robots.service.suite.check import CHECKS, Row
from sayso.robots.service.suite.commands import write_commands

NAMES = ", ".join(CHECKS)
SHOWN_MAX = 40


def run_check(console: Console, name: str, n: int, seed: int, file: str) -> int:
    """0 where every row is as it should be. What `file` holds already is not done again; Ctrl-C keeps what is done."""
    if name not in CHECKS:
        raise UsageError(f"the service suite has no check {name!r}; there are {NAMES}")
    target = Path(file) if file else None
    rows = {row["i"]: row for row in _kept(target)}
    todo = [i for i in range(n) if i not in rows]
    try:
        for row in _watched(name, CHECKS[name](todo, seed=seed), len(todo)):
            rows[row["i"]] = row
            if target:
                with target.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
    except KeyboardInterrupt:
        console.print(Text(f"interrupted after {len(rows)} commands", "yellow"))
        return 1
    return _told(console, name, [rows[i] for i in sorted(rows)])


def run_write(console: Console, n: int, seed: int, file: str) -> int:
    """Text, goals and world of `n` commands, one JSON object a line."""
    if not file:
        raise UsageError("say where to: write --json FILE")
    write_commands(n, Path(file), seed)
    console.print(f"{n} commands of seed {seed} written to {file}")
    return 0


def _kept(target: Path | None) -> list[Row]:
    if target is None or not target.exists():
        return []
    return [json.loads(line) for line in target.read_text("utf-8").splitlines() if line.strip()]


def _watched(name: str, rows: Iterator[Row], total: int) -> Iterator[Row]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(name, total=total)
        for row in rows:
            yield row
            progress.advance(bar)


def _told(console: Console, name: str, rows: list[Row]) -> int:
    """How many were as they should be, and each that was not."""
    right = sum(row["ok"] for row in rows)
    console.print(f"{name}: {right} of {len(rows)} as they should be")
    if any("inadmissible" in row for row in rows):
        passed = sum(row["inadmissible"] for row in rows)
        console.print(f"{sum(row['spoiled'] for row in rows)} answers spoiled, {passed} inadmissible plans passed on")
    if any("way" in row for row in rows):
        console.print(", ".join(f"{way} {n}" for way, n in Counter(row["way"] for row in rows).most_common()))
    for row in [row for row in rows if not row["ok"]][:SHOWN_MAX]:
        console.print(Text(f"{row['i']}: {row['text']!r}: {row.get('plan', '')}: {row.get('reason', '')}", "red"))
    return 0 if right == len(rows) else 1


def main() -> int:
    told = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    told.add_argument("what", choices=[*CHECKS, "write"])
    told.add_argument("--commands", type=int, default=100, help="how many commands")
    told.add_argument("--seed", type=int, default=0)
    told.add_argument("--json", default="", metavar="FILE", help="where rows or commands go")
    asked = told.parse_args()
    if asked.what == "write":
        return run_write(Console(), asked.commands, asked.seed, asked.json)
    return run_check(Console(), asked.what, asked.commands, asked.seed, asked.json)


if __name__ == "__main__":
    sys.exit(main())
