"""The warehouse suite as a report: several runs over levels and seeds, resumable, with tables and pictures.

    python -m sayso.robots.warehouse.suite.report --out report --run pocket --run pocket,no-memory --run rules --seeds 5

A run is a model (`rules`, `reference`, `pocket`, or any name that `sayso run --model` takes), then ablations, then
`open-loop` where its list is to run unheard. Every episode is a line in `episodes.jsonl` as soon as it has ended: what
stands there is not played again, so that the report can be interrupted and gone on with, or widened by a run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from sayso.bench.suite import Score, Trial, play, wilson
from sayso.robots.warehouse.suite.cost import PER_TOKEN, PER_TOKEN_PAPER, keeps, new_tokens, parameters_of
from sayso.robots.warehouse.suite.draw import bars, lines
from sayso.robots.warehouse.suite.episode import SPLIT, SUITE, WORLD, Watched, run_episode
from sayso.robots.warehouse.suite.goal import task, tasks
from sayso.robots.warehouse.world.mishaps import KINDS
from sayso.robots.warehouse.world.store import Warehouse

LEVELS = (1, 2, 3, 4)
OPEN_LOOP = "open-loop"

PUBLISHED: Mapping[str, Sequence[float]] = {
    "DaDu-E": (0.90, 0.70, 0.51, 0.95),
    "COME-Robot*": (0.90, 0.70, 0.85, 0.95),
    "CaP*": (0.43, 0.0, 0.20, 0.0),
    "DaDu-E without feedback": (0.50, 0.06, 0.15, 0.45),
}
"""Success by level in the paper's tables. Of memory it tells only about level 2: SPL .8764 with it and .8591 without,
1320 s and 2016 s."""

Row: TypeAlias = dict[str, Any]


def named(run: str) -> tuple[str, str, str]:
    """Planner, model and ablation of a run."""
    model, *parts = run.split(",")
    planner = OPEN_LOOP if OPEN_LOOP in parts else SUITE.planner
    return planner, model, ",".join(p for p in parts if p != OPEN_LOOP)


def episodes(file: Path, runs: Sequence[str], levels: Sequence[int], seeds: int, workers: int = 1) -> Iterator[Row]:
    """Every row of the runs, those that `file` holds first; each new one is written before it is yielded."""
    wanted = {(run, t.id, seed) for run in runs for t in tasks() if t.level in levels and t.id[0] == "L"
              for seed in range(seeds)}  # fmt: skip
    for row in read(file):
        if (key := (row["run"], row["task"], row["seed"])) in wanted:
            wanted.discard(key)
            yield row
    if file.exists() and not file.read_text("utf-8").endswith("\n"):
        with file.open("a", encoding="utf-8") as out:
            out.write("\n")  # behind a line that was cut off
    for run in runs:
        planner, model, ablation = named(run)
        todo = [Trial(WORLD, id_, seed, seed, planner, model, ablation) for r, id_, seed in sorted(wanted) if r == run]
        for _, score in play(SUITE, todo, workers):
            row = {"run": run, "seed": score.episode, "level": task(score.task).level, **asdict(score)}
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
            yield row


def read(file: Path) -> list[Row]:
    """What is there already; a last line that was cut off is played again."""
    rows = []
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


def by_level(rows: Sequence[Row], run: str) -> list[Row]:
    """A row a level: shares with their Wilson intervals, and means."""
    table = []
    for level in sorted({r["level"] for r in rows}):
        some = [r for r in rows if r["run"] == run and r["level"] == level]
        if some:
            table.append({"level": level, **figures(some)})
    return table


def figures(some: Sequence[Row]) -> Row:
    """The suite's figures of some episodes."""
    met, clean = sum(r["success"] for r in some), sum(bool(_own(r, "clean")) for r in some)
    return {
        "episodes": len(some),
        "success": met / len(some),
        "interval": [round(end, 3) for end in wilson(met, len(some))],
        "clean": clean / len(some),
        "clean_interval": [round(end, 3) for end in wilson(clean, len(some))],
        **{name: round(statistics.fmean(_own(r, name) for r in some), 3) for name in
           ("conditions", "spl", "invalid", "premature", "gflop", "gflop_whole", "gflop_paper", "tokens_in", *SPLIT)},
        "calls": round(statistics.fmean(r["model_calls"] for r in some), 2),
        "tokens_out": round(statistics.fmean(r["tokens"] for r in some), 1),
        "time_s": round(statistics.fmean(r["c_time_s"] or 0.0 for r in some), 1),
    }  # fmt: skip


def recoveries(rows: Sequence[Row], run: str) -> dict[str, tuple[int, int]]:
    """Of each kind of failure: how often it struck, and how often the mission succeeded all the same."""
    struck: dict[str, tuple[int, int]] = {}
    for kind in KINDS:
        hit = [r for r in rows if r["run"] == run and _own(r, f"struck_{kind}")]
        if hit:
            times = [int(_own(r, f"struck_{kind}")) for r in hit]
            struck[kind] = sum(times), sum(n for n, r in zip(times, hit, strict=True) if r["success"])
    return struck


def written(rows: Sequence[Row], runs: Sequence[str]) -> str:
    """The report as Markdown."""
    out = [
        "# The warehouse suite",
        "",
        "Success by level (95 % Wilson interval), clean in brackets; published below.",
        "",
    ]
    out += ["", "| run | " + " | ".join(f"level {n}" for n in LEVELS) + " |", "|---|" + "---|" * len(LEVELS)]
    for run in runs:
        cells = {t["level"]: _cell(t) for t in by_level(rows, run)}
        out.append(f"| {run} | " + " | ".join(cells.get(n, "–") for n in LEVELS) + " |")
    out += [f"| *{name}* | " + " | ".join(f"{v:.2f}" for v in some) + " |" for name, some in PUBLISHED.items()]
    out += ["", "| run | level | SPL | calls | tokens in/out | GFLOP kept/whole/paper's way | "
            + " | ".join(n.removesuffix("_s") for n in SPLIT) + " (s) | invalid | done too early |",
            "|---|---|---|---|---|---|" + "---|" * (len(SPLIT) + 2)]  # fmt: skip
    for run in runs:
        for t in by_level(rows, run):
            spent = " | ".join(f"{t[n]:.1f}" for n in SPLIT)
            flop = f"{t['gflop']:.0f}/{t['gflop_whole']:.0f}/{t['gflop_paper']:.0f}"
            asked = f"{t['spl']:.3f} | {t['calls']:.1f} | {t['tokens_in']:.0f}/{t['tokens_out']:.0f}"
            wrong = f"{t['invalid']:.2f} | {t['premature']:.2f}"
            out.append(f"| {run} | {t['level']} | {asked} | {flop} | {spent} | {wrong} |")
    for run in runs:
        if struck := recoveries(rows, run):
            told = ", ".join(f"{kind} {won} of {n}" for kind, (n, won) in struck.items())
            out += ["", f"Injected failures in {run}, and of these in missions that succeeded: {told}."]
    return "\n".join(out) + "\n"


def pictures(folder: Path, rows: Sequence[Row], runs: Sequence[str]) -> None:
    """`success.png`: success by level and run."""
    groups = {
        f"level {level}": {run: (t["success"], *t["interval"]) for run in runs for t in by_level(rows, run)
                           if t["level"] == level}
        for level in LEVELS if any(r["level"] == level for r in rows)
    }  # fmt: skip
    published = {f"level {n}": {"published": (v, v, v)} for n, v in zip(LEVELS, PUBLISHED["DaDu-E"], strict=True)}
    bars("Success by level", {g: {**some, **published[g]} for g, some in groups.items()}).save(folder / "success.png")


def one_mission(folder: Path, id_: str, run: str, seed: int = 0) -> Score:
    """`path.png` and `flop.png` of one mission: the way that was driven on the map, and what its planning cost."""
    planner, model, ablation = named(run)

    def draw(world: Warehouse, watched: Watched) -> None:
        from PIL import Image

        Image.fromarray(world.overview(900, 720)).save(folder / "path.png")
        n = parameters_of(watched.counter) / 1e12
        kept = new_tokens(watched.calls, keeps(watched.counter))
        whole = new_tokens(watched.calls, False)
        some = {
            "kept": _summed(PER_TOKEN * n * t for t in kept),
            "read anew": _summed(PER_TOKEN * n * t for t in whole),
            "the paper's way": _summed(PER_TOKEN_PAPER * n * read for read, _ in watched.calls),
        }
        lines(f"Planning of one mission ({id_}, {run})", "call", "TFLOP, summed", some).save(folder / "flop.png")

    return run_episode(Trial(WORLD, id_, seed, seed, planner, model, ablation), shown=draw)


def _summed(values: Iterator[float]) -> list[float]:
    total, out = 0.0, []
    for value in values:
        total += value
        out.append(total)
    return out


def _cell(t: Row) -> str:
    low, high = t["interval"]
    return f"{t['success']:.2f} ({low:.2f}–{high:.2f}) [{t['clean']:.2f}]"


def _own(row: Row, name: str) -> float:
    return float(row["figures"].get(name, 0.0))


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, required=True, help="a folder for rows, report and pictures")
    options.add_argument("--run", action="append", default=[], help="MODEL[,ABLATION...][,open-loop]; may be repeated")
    options.add_argument("--levels", default="1,2,3,4")
    options.add_argument("--seeds", type=int, default=5)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--mission", default="L2-02", help="the one that is drawn")
    chosen = options.parse_args(arguments)
    runs, levels = chosen.run or ["reference", "rules"], [int(n) for n in chosen.levels.split(",")]
    chosen.out.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    try:
        for row in episodes(chosen.out / "episodes.jsonl", runs, levels, chosen.seeds, chosen.workers):
            rows.append(row)
            sys.stderr.write(f"\r{len(rows)} episodes, {sum(r['success'] for r in rows)} met  ")
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted; the same command goes on from here\n")
    (chosen.out / "report.md").write_text(written(rows, runs), "utf-8")
    summary = {run: by_level(rows, run) for run in runs}
    (chosen.out / "report.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
    pictures(chosen.out, rows, runs)
    one_mission(chosen.out, chosen.mission, runs[0])
    print(written(rows, runs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
