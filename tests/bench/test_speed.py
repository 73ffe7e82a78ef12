"""Figures of speed are ratios: what holds is told by what was measured beside them, never by seconds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from sayso.bench import report
from sayso.bench.speed import Row

ROWS = [
    Row("quick", 2e-6, "a hop", 1e-6, 3),
    Row("slow", 0.5, "a hop", 0.1, 3),
    Row("alone", 1.0, "a peer that is not here", None, 3),
    Row("big", 150.0, "its weights", 100.0, 2, "MB"),
]


def test_a_figure_holds_by_its_ratio() -> None:
    assert [row.holds for row in ROWS] == [True, False, True, True]
    assert [row.ratio for row in ROWS] == [2.0, 5.0, None, 1.5]


def test_the_table_has_both_and_says_without_colour_what_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "measure", lambda: iter(ROWS))
    console, out = Console(record=True, width=160), tmp_path / "speed.json"
    assert report.run_speed(console, str(out)) == 1
    shown = console.export_text()
    assert "≤ 3 NO" in shown and "2 µs" in shown and "500 ms" in shown and "150 MB" in shown and "not here" in shown
    rows = json.loads(out.read_text())
    assert rows[0] == {
        "id": "quick", "value": 2.0, "unit": "× a hop", "bar": 3, "holds": True, "measured": 2e-6, "measured_unit": "s",
    }  # fmt: skip
