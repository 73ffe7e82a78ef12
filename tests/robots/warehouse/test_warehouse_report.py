"""The warehouse's report: costs, resuming, tables, charts, and a model that lapses."""

import json
from pathlib import Path
from typing import Any

import pytest

from sayso.bench.suite import Score, Trial
from sayso.robots.warehouse.suite import report
from sayso.robots.warehouse.suite.cost import cost, keeps, new_tokens, parameters_of
from sayso.robots.warehouse.suite.draw import COLOURS, bars, lines
from sayso.robots.warehouse.suite.episode import run_episode

CALLS = [(1000, 100), (1200, 50), (1300, 50)]


def test_cost_with_reuse_without_and_as_the_paper_counts() -> None:
    assert new_tokens(CALLS, keeps=True) == [1100, 100 + 50, 50 + 50]
    assert new_tokens(CALLS, keeps=False) == [1100, 1250, 1350]
    spent = cost(CALLS, 1e9, keeps=True)
    assert (spent.kept, spent.whole, spent.paper) == (2e9 * 1350, 2e9 * 3700, 6e9 * 3500)
    assert parameters_of("pocket") < 4e7 and parameters_of("endpoint") == 8e9
    assert keeps("endpoint") and not keeps("pocket")
    assert cost([], 1e9, True).kept == 0.0


def score(trial: Trial, success: bool = True, **figures: float) -> Score:
    return Score(trial.task, trial.episode, success, "store: achieved: done", c_time_s=60.0, tokens=50, model_calls=5,
                 figures={"clean": float(success), "spl": 0.8, "gflop": 3.0, **figures})  # fmt: skip


def test_what_is_on_file_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Trial] = []

    def play(suite: Any, todo: list[Trial], workers: int) -> Any:
        for trial in todo:
            if len(played) == 7:
                raise KeyboardInterrupt
            played.append(trial)
            yield trial, score(trial)

    monkeypatch.setattr(report, "play", play)
    file = tmp_path / "episodes.jsonl"
    with pytest.raises(KeyboardInterrupt):
        list(report.episodes(file, ["rules"], [1], seeds=1))
    assert len(file.read_text("utf-8").splitlines()) == 7
    file.write_text(file.read_text("utf-8") + '{"run": "rules", "cut o', "utf-8")
    monkeypatch.setattr(report, "play", lambda suite, todo, workers: ((t, score(t)) for t in todo))
    rows = list(report.episodes(file, ["rules"], [1], seeds=1))
    assert len(rows) == 10 and len({r["task"] for r in rows}) == 10
    assert len(report.read(file)) == 10


def test_tables_tell_levels_intervals_and_recoveries(tmp_path: Path) -> None:
    trials = [Trial("warehouse", f"L1-0{n}", 0, 0, "stepwise", "pocket", "failures-20") for n in range(1, 6)]
    rows = [
        {"run": "pocket,failures-20", "seed": 0, "level": 1, **as_row(score(t, n < 4, struck_slip=2.0 * (n % 2)))}
        for n, t in enumerate(trials)
    ]
    (level,) = report.by_level(rows, "pocket,failures-20")
    assert level["success"] == 0.8 and level["interval"][0] < 0.5 < 0.9 < level["interval"][1]
    assert report.recoveries(rows, "pocket,failures-20") == {"slip": (4, 4)}
    text = report.written(rows, ["pocket,failures-20"])
    assert "0.80 (0.38–0.96) [0.80]" in text and "slip 4 of 4" in text and "| *DaDu-E* | 0.90 |" in text
    report.pictures(tmp_path, rows, ["pocket,failures-20"])
    assert (tmp_path / "success.png").stat().st_size > 2000


def as_row(one: Score) -> dict[str, Any]:
    from dataclasses import asdict

    row: dict[str, Any] = json.loads(json.dumps(asdict(one)))
    return row


def test_runs_name_planner_model_and_ablation() -> None:
    assert report.named("pocket,no-memory,failures-20") == ("stepwise", "pocket", "no-memory,failures-20")
    assert report.named("rules,open-loop") == ("open-loop", "rules", "")


def test_charts_show_each_series_in_its_colour() -> None:
    picture = bars("t", {"level 1": {"a": (0.5, 0.4, 0.6), "b": (1.0, 0.9, 1.0)}})
    counts = {colour: n for n, colour in picture.getcolors(1 << 20) or ()}
    assert counts[COLOURS[1]] > 1.7 * counts[COLOURS[0]], "twice as tall"
    drawn = lines("t", "call", "GFLOP", {"kept": [1, 2, 3], "whole": [1, 4, 9]})
    assert {colour for _, colour in drawn.getcolors(1 << 20) or ()} >= {COLOURS[0], COLOURS[1]}


def test_nonsense_and_an_early_done_are_heard_and_mended() -> None:
    one = run_episode(Trial("warehouse", "R-02", 0, 5, "stepwise", "reference", "lapses-40"))
    assert one.success and one.figures["invalid"] >= 1 and one.model_calls > 5
