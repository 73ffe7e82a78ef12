"""The warehouse suite as a report: several runs over levels and seeds, resumable, with tables and pictures.

    python -m sayso.robots.warehouse.suite.report --out report --run pocket --run pocket,no-memory --run rules --seeds 5

A run is a model (`rules`, `reference`, `pocket`, or any name that `sayso run --model` takes), then ablations, then
`open-loop` where its list is to run unheard. Every episode is a line in `episodes.jsonl` as soon as it has ended: what
stands there is not played again, so that the report can be interrupted and gone on with, or widened by a run. Runs in
which failures are injected come first, and a double is called so.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import accumulate
from pathlib import Path
from typing import Any

from sayso.bench.rows import File
from sayso.bench.suite import Score, Trial, play, wilson
from sayso.bench.tables import model_told
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

MEANS = ("conditions", "spl", "invalid", "premature", "gflop", "gflop_whole", "gflop_paper", "tokens_in", *SPLIT)

Rows = Mapping[str, Sequence[Score]]
"""Scores by run, in the order in which they are shown."""


def named(run: str) -> tuple[str, str, str]:
    """Planner, model and ablation of a run."""
    model, *parts = run.split(",")
    planner = OPEN_LOOP if OPEN_LOOP in parts else SUITE.planner
    return planner, model, ",".join(p for p in parts if p != OPEN_LOOP)


def told(run: str) -> str:
    """A run as tables show it: a double is called so."""
    model, _, rest = run.partition(",")
    return model_told(SUITE, model) + (f", {rest}" if rest else "")


def in_order(runs: Sequence[str]) -> list[str]:
    """Those with failures first."""
    return sorted(runs, key=lambda run: "failures" not in run)


def episodes(file: Path, run: str, levels: Sequence[int], seeds: int, jobs: int = 1) -> Iterator[Score]:
    """Every score of a run, those that `file` holds first; each new one is written before it is yielded."""
    planner, model, ablation = named(run)
    some = [t.id for t in tasks() if t.level in levels and t.id[0] == "L"]
    wanted = [Trial(WORLD, id_, n, n, planner, model, ablation) for id_ in some for n in range(seeds)]
    with File(file, resume=True) as rows:
        yield from (rows.held[t] for t in wanted if t in rows.held)
        for trial, score in play(SUITE, [t for t in wanted if t not in rows.held], jobs):
            rows.add(trial, score)
            yield score


def by_level(scores: Sequence[Score]) -> dict[int, dict[str, Any]]:
    """For each level shares with their Wilson intervals, and means."""
    some = {level: [s for s in scores if task(s.task).level == level] for level in LEVELS}
    return {level: figures(those) for level, those in some.items() if those}


def figures(some: Sequence[Score]) -> dict[str, Any]:
    """The suite's figures of some episodes."""
    met, clean = sum(s.success for s in some), sum(bool(_own(s, "clean")) for s in some)

    return {
        "episodes": len(some),
        "success": met / len(some),
        "interval": [round(end, 3) for end in wilson(met, len(some))],
        "clean": clean / len(some),
        "clean_interval": [round(end, 3) for end in wilson(clean, len(some))],
        **{name: round(statistics.fmean(_own(s, name) for s in some), 3) for name in MEANS},
        "calls": round(statistics.fmean(s.model_calls for s in some), 2),
        "tokens_out": round(statistics.fmean(s.tokens for s in some), 1),
        "time_s": round(statistics.fmean(s.c_time_s or 0.0 for s in some), 1),
    }


def recoveries(scores: Sequence[Score]) -> dict[str, tuple[int, int]]:
    """Of each kind of failure: how often it struck, and how often the mission succeeded all the same."""
    struck: dict[str, tuple[int, int]] = {}
    for kind in KINDS:
        times = [(int(_own(s, f"struck_{kind}")), s.success) for s in scores]
        if total := sum(n for n, _ in times):
            struck[kind] = total, sum(n for n, success in times if success)
    return struck


def written(rows: Rows) -> str:
    """The report as Markdown."""
    levels = {run: by_level(scores) for run, scores in rows.items()}
    out = [
        "# The warehouse suite",
        "",
        "Success by level (95 % Wilson interval), clean in brackets.",
        "",
    ]
    out += ["| run | " + " | ".join(f"level {n}" for n in LEVELS) + " |", "|---|" + "---|" * len(LEVELS)]
    for run, some in levels.items():
        cells = " | ".join(_cell(some[n]) if n in some else "–" for n in LEVELS)
        out.append(f"| {told(run)} | {cells} |")
    for name, shares in PUBLISHED.items():
        out.append(f"| *{name}, published* | " + " | ".join(f"{share:.2f}" for share in shares) + " |")
    out += ["", *(f"- {name}: {says}" for name, says in asdict(SUITE.conditions).items())]
    out += ["", "| run | level | SPL | calls | tokens in/out | GFLOP kept/whole/paper's way | "
            + " | ".join(n.removesuffix("_s") for n in SPLIT) + " (s) | invalid | done too early |",
            "|---|---|---|---|---|---|" + "---|" * (len(SPLIT) + 2)]  # fmt: skip
    for run, some in levels.items():
        for level, t in some.items():
            spent = " | ".join(f"{t[n]:.1f}" for n in SPLIT)
            flop = f"{t['gflop']:.0f}/{t['gflop_whole']:.0f}/{t['gflop_paper']:.0f}"
            asked = f"{t['spl']:.3f} | {t['calls']:.1f} | {t['tokens_in']:.0f}/{t['tokens_out']:.0f}"
            out.append(
                f"| {told(run)} | {level} | {asked} | {flop} | {spent} | {t['invalid']:.2f} | {t['premature']:.2f} |"
            )
    for run, scores in rows.items():
        if struck := recoveries(scores):
            each = ", ".join(f"{kind} {won} of {n}" for kind, (n, won) in struck.items())
            out += ["", f"Injected failures in {run}, and of these in missions that succeeded: {each}."]
    return "\n".join(out) + "\n"


def pictures(folder: Path, rows: Rows) -> None:
    """`success.png`: success by level and run."""
    levels = {run: by_level(scores) for run, scores in rows.items()}
    groups: dict[str, dict[str, tuple[float, float, float]]] = {}
    for n, published in zip(LEVELS, PUBLISHED["DaDu-E"], strict=True):
        some = {told(run): (t[n]["success"], *t[n]["interval"]) for run, t in levels.items() if n in t}
        if some:
            groups[f"level {n}"] = {**some, "published": (published, published, published)}
    bars("Success by level", groups).save(folder / "success.png")


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
            "kept": list(accumulate(PER_TOKEN * n * t for t in kept)),
            "read anew": list(accumulate(PER_TOKEN * n * t for t in whole)),
            "the paper's way": list(accumulate(PER_TOKEN_PAPER * n * read for read, _ in watched.calls)),
        }
        lines(f"Planning of one mission ({id_}, {run})", "call", "TFLOP, summed", some).save(folder / "flop.png")

    return run_episode(Trial(WORLD, id_, seed, seed, planner, model, ablation), shown=draw)


def _cell(t: Mapping[str, Any]) -> str:
    low, high = t["interval"]
    return f"{t['success']:.2f} ({low:.2f}–{high:.2f}) [{t['clean']:.2f}]"


def _own(score: Score, name: str) -> float:
    return score.figures.get(name, 0.0)


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, required=True, help="a folder for rows, report and pictures")
    options.add_argument("--run", action="append", default=[], help="MODEL[,ABLATION...][,open-loop]; may be repeated")
    options.add_argument("--levels", default="1,2,3,4")
    options.add_argument("--seeds", type=int, default=5)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--mission", default="L2-02", help="the one that is drawn")
    chosen = options.parse_args(arguments)
    runs, levels = in_order(chosen.run or ["reference", "rules"]), [int(n) for n in chosen.levels.split(",")]
    chosen.out.mkdir(parents=True, exist_ok=True)
    rows: dict[str, list[Score]] = {run: [] for run in runs}
    try:
        for run in runs:
            for score in episodes(chosen.out / "episodes.jsonl", run, levels, chosen.seeds, chosen.workers):
                rows[run].append(score)
                met = sum(s.success for some in rows.values() for s in some)
                sys.stderr.write(f"\r{sum(map(len, rows.values()))} episodes, {met} met  ")
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted; the same command goes on from here\n")
    (chosen.out / "report.md").write_text(written(rows), "utf-8")
    summary = {run: by_level(scores) for run, scores in rows.items()}
    (chosen.out / "report.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
    pictures(chosen.out, rows)
    one_mission(chosen.out, chosen.mission, runs[0])
    print(written(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
