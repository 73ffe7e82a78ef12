"""Bench reports, read for people: suites, figures of speed, and files of any other kind."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sayso.bench.suite import BenchTask, Conditions, Score, Suite, summary
from sayso.console.report import Bar, read_report

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)


def test_a_suite_is_plotted_by_task_with_its_chance_and_its_failures() -> None:
    played = Score("t1", 0, True, "")
    said = Conditions(physics="", told="", failures="", developed="", episodes="")
    suite = Suite(
        "drone",
        "flights",
        (BenchTask("t1", "go"),),
        conditions=said,
        run_episode=lambda trial: played,
    )
    scores = [Score("t1", n, n > 1, "lost" if n < 2 else "done") for n in range(10)]
    report = read_report("mine", summary(suite, scores, seed=0, planner="stream", model=""))
    (bar,) = report.bars
    assert (bar.label, bar.told, bar.share, bar.good) == ("t1", "8 of 10", 0.8, False)
    assert bar.low is not None and bar.high is not None and bar.low < 0.8 < bar.high
    assert report.headline == "suite drone, seed 0, planner stream, 8 of 10 episodes succeeded"
    assert report.failures == ("t1: lost (× 2)",)
    assert "success" not in report.columns and "r time s" in report.columns


def test_speed_is_compared_with_its_bars() -> None:
    rows = [
        {"id": "stop", "value": 25.0, "unit": "ms", "bar": 50.0, "holds": True},
        {"id": "paint", "value": 3000.0, "unit": "ms", "bar": 1500.0, "holds": False},
        {"id": "told only", "value": 3.0, "unit": "", "bar": None, "holds": True},
    ]
    report = read_report("speed", rows)
    assert report.bars == (
        Bar("stop", "25 ms, bar 50", 0.4, mark=0.8),
        Bar("paint", "3e+03 ms, bar 1.5e+03", 1.0, mark=0.8, good=False),
    )
    assert report.columns == ("id", "value", "unit", "bar", "holds") and len(report.rows) == 3


def test_what_is_no_report_is_told() -> None:
    assert read_report("b", "cannot be read: line 1").headline == "cannot be read: line 1"
    assert read_report("<b>\u202ex", {"suite": "drone"}).title == "<b>x"


@given(JSON)
def test_any_json_can_be_read(data: Any) -> None:
    report = read_report("any", data)
    assert all(0 <= bar.share <= 1 for bar in report.bars)
    assert all(len(row) == len(report.columns) for row in report.rows)


FIELDS = ("id", "episodes", "success", "failures", "bar", "value", "success_low")


@given(st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, JSON)), max_size=4))
def test_any_records_can_be_read(records: Any) -> None:
    assert all(0 <= bar.share <= 1 for bar in read_report("any", {"tasks": records}).bars)
