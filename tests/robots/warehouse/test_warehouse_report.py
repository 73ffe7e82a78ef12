"""The warehouse's report: costs, resuming, tables, charts, and a model that lapses."""

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

    def play(suite: Any, todo: list[Trial], jobs: int) -> Any:
        for trial in todo:
            if len(played) == 7:
                raise KeyboardInterrupt
            played.append(trial)
            yield trial, score(trial)

    monkeypatch.setattr(report, "play", play)
    file = tmp_path / "episodes.jsonl"
    with pytest.raises(KeyboardInterrupt):
        list(report.episodes(file, "rules", [1], seeds=1))
    assert len(file.read_text("utf-8").splitlines()) == 7
    file.write_text(file.read_text("utf-8") + '{"suite": "warehouse", "cut o', "utf-8")
    again: list[Trial] = []
    monkeypatch.setattr(report, "play", lambda suite, todo, jobs: ((t, score(t)) for t in todo if not again.append(t)))
    scores = list(report.episodes(file, "rules", [1], seeds=1))
    assert len({s.task for s in scores}) == 10 and len(again) == 3
    assert len(file.read_text("utf-8").splitlines()) == 10


def test_tables_tell_levels_intervals_and_recoveries(tmp_path: Path) -> None:
    run = "pocket,failures-20"
    trials = [Trial("warehouse", f"L1-0{n}", 0, 0, "stepwise", "pocket", "failures-20") for n in range(1, 6)]
    scores = [score(t, n < 4, struck_slip=2.0 * (n % 2)) for n, t in enumerate(trials)]
    level = report.by_level(scores)[1]
    assert level["success"] == 0.8 and level["interval"][0] < 0.5 < 0.9 < level["interval"][1]
    assert report.recoveries(scores) == {"slip": (4, 4)}
    text = report.written({run: scores})
    assert "0.80 (0.38–0.96) [0.80]" in text and "slip 4 of 4" in text and "| *DaDu-E, published* | 0.90 |" in text
    report.pictures(tmp_path, {run: scores})
    assert (tmp_path / "success.png").stat().st_size > 2000


def test_failures_come_first_doubles_are_called_so_and_conditions_stand_beside() -> None:
    assert report.in_order(["pocket", "rules", "pocket,failures-20"])[0] == "pocket,failures-20"
    assert report.told("reference") == "reference (a hand-written double)" and report.told("pocket") == "pocket"
    assert report.told("rules,no-memory") == "rules (tables of names, no model), no-memory"
    assert "- physics: " in report.written({"reference": []}) and "- developed: " in report.written({"reference": []})


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
