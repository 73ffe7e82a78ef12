"""The double with the right goal and random plans: what a mission says of itself holds in the world."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.console import Console

from sayso.bench import load, report
from sayso.bench.random_plans import RANDOM
from sayso.bench.suite import Score, play, trials
from sayso.goal import Clause
from sayso.goals.evidence import Evidence
from sayso.goals.judge import Verdict, judge
from sayso.understanding import meaning


def played(suite: str, only: list[str], episodes: int) -> list[Score]:
    known = load(suite)
    todo = trials(known, only, episodes, 4711, planner=known.planner, model=RANDOM, ablation="")
    return [score for _, score in play(known, todo)]


@pytest.mark.parametrize(
    ("suite", "only", "episodes"),
    [
        ("drone", ["1", "9"], 2),
        pytest.param("service", ["manipulate", "guide"], 2, marks=pytest.mark.slow),
        ("soccer", ["1", "5"], 1),
        pytest.param("rescue", ["park"], 1, marks=pytest.mark.slow),
        pytest.param("warehouse", ["L1-01", "L1-05"], 2, marks=pytest.mark.slow),
    ],
)
def test_what_random_plans_achieve_and_see_is_so(suite: str, only: list[str], episodes: int) -> None:
    """G36"""
    scores = played(suite, only, episodes)
    assert not [s.reason for s in scores if s.false_achieved or s.error]
    if suite in ("drone", "service", "soccer"):
        assert {s.outcome for s in scores} > {"achieved"}, "some say that they have done it"


def test_a_verdict_that_believes_everything_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def believing(want: Clause, evidence: Evidence) -> Verdict:
        return replace(judge(want, evidence), truth=True, parts=())

    monkeypatch.setattr(meaning, "judge", believing)
    assert any(s.false_achieved for s in played("drone", ["1", "9"], 2))


def test_the_table_calls_it_a_double() -> None:
    console = Console(record=True, width=200)
    report.run(console, "drone", report.BenchOptions(episodes=1, only="9", model=RANDOM))
    assert "random (a double with the right goal and random plans)" in console.export_text()
