"""The warehouse's figures: costs, rows by level, recoveries, and a model that lapses."""

import io

from rich.console import Console

from sayso.bench.suite import Score, Trial, summary
from sayso.bench.tables import shown
from sayso.robots.warehouse.suite.cost import cost, new_tokens
from sayso.robots.warehouse.suite.episode import SUITE, run_episode

CALLS = [(1000, 100), (1200, 50), (1300, 50)]


def test_cost_with_reuse_without_and_as_the_paper_counts() -> None:
    assert new_tokens(CALLS) == 1100 + 150 + 100
    assert cost(CALLS, "endpoint") == {"gflop": 16 * 1350, "gflop_whole": 16 * 3700, "gflop_paper": 48 * 3500}
    small = cost(CALLS, "pocket")
    assert small["gflop"] == small["gflop_whole"] < 0.08 * 3700, "it reads anew each time"
    assert cost([], "endpoint")["gflop"] == 0.0


def score(id_: str, success: bool, **figures: float) -> Score:
    return Score(id_, 0, success, "achieved: done", model_calls=5, figures={"clean": float(success), **figures})


def test_tables_tell_levels_intervals_and_recoveries() -> None:
    scores = [score(f"L1-0{n}", n < 5, **({"despite_slip": 1.0} if n % 2 else {})) for n in range(1, 6)]
    result = summary(SUITE, [*scores, score("L2-01", True)], planner="stepwise", model="rules", ablation="failures-20")
    first, second = result["groups"]
    assert (first["id"], first["episodes"], second["id"], second["episodes"]) == ("level 1", 5, "level 2", 1)
    assert first["success_low"] < 0.5 < 0.9 < first["success_high"] and first["despite_slip"] == 1.0
    out = io.StringIO()
    shown(Console(file=out, width=240), SUITE, result)
    assert "rules (tables of names, no model), without failures-20" in out.getvalue()
    assert "4/5 [90 %]" in out.getvalue() and "1/1 [70 %]" in out.getvalue()


def test_nonsense_and_an_early_done_are_heard_and_mended() -> None:
    one = run_episode(Trial("warehouse", "R-02", 0, 1, "stepwise", "reference", "lapses-40"))
    assert one.success and one.figures["invalid"] >= 1 and one.model_calls > 5
