"""The report stands alone, holds what was measured, and what was flown before is not flown again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from sayso.bench.suite import Score, Trial
from sayso.robots.aircraft.suite import compare as rescue_compare
from sayso.robots.aircraft.suite.compare import _trials, resumed, row
from sayso.robots.aircraft.suite.report import page, plot

TIMES = {"scored": [(5, 0.75), (125, 0.8)], "saycan": [(5, 3.7), (125, 93.0)]}


def test_the_page_holds_the_table_the_plot_and_the_maps() -> None:
    scores = {
        ("a", 0): Score("a", 0, True, "found", figures={"precision": 0.5, "away": 0.0}),
        ("b", 0): Score("b", 0, False, ""),
    }
    text = page([row("scored", scores, scores)], TIMES, [np.zeros((4, 4, 3), np.uint8)])
    assert "50.0%" in text and "55 %" in text and "data:image/png;base64," in text
    assert "http" not in text.replace("http-equiv", "")


def test_more_seconds_are_drawn_higher_and_more_actions_further_right() -> None:
    root = ElementTree.fromstring(plot(TIMES))
    lines = [line.attrib["points"].split() for line in root.iter("polyline")]
    quick, slow = ([tuple(map(float, p.split(","))) for p in line] for line in lines)
    assert quick[0][0] < quick[1][0] and slow[1][1] < slow[0][1] < quick[0][1]


def test_an_interrupted_comparison_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flown: list[Trial] = []

    def fly(trial: Trial) -> Score:
        flown.append(trial)
        return Score(trial.task, trial.episode, True, "found", figures={"away": 0.0})

    monkeypatch.setattr(rescue_compare, "SUITE", replace(rescue_compare.SUITE, run_episode=fly))
    trials, kept = _trials("scored", 1, 100)[:4], tmp_path / "kept.jsonl"
    some = resumed(trials, kept)
    before = [next(some), next(some)]
    some.close()  # type: ignore[attr-defined]
    with kept.open("a", encoding="utf-8") as file:
        file.write('{"trial": "cut o')
    assert [*resumed(trials[:2], kept)] == before and len(flown) == 2
    assert len([*resumed(trials, kept)]) == 4 and len(flown) == 4
