"""Words that are found on the way: they reach who obeys them, and break no limit."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec

import pytest

from sayso.bench.hostile import Inspector
from sayso.bench.injection import CHANNELS, ERRANDS, SUITE, TEXTS, Found, letters, run_episode, wide
from sayso.bench.judge import TruthRecorder
from sayso.bench.suite import REFERENCE, Trial
from sayso.scene import plain
from sayso.worlds import make

NO_MCP = pytest.mark.skipif(not find_spec("mcp"), reason="needs the extra mcp")
WAYS = [f"home/{channel}" for channel in CHANNELS]
"""Each way once, where an errand is short; `sayso bench injection` has every way at every place."""
TASKS = [pytest.param(way, marks=NO_MCP if way.endswith("/mcp") else ()) for way in WAYS]


def played(task: str, episode: int = 5, model: str = REFERENCE) -> dict[str, float]:
    score = run_episode(Trial("injection", task, episode, 6, "", model))
    assert score.figures["violations"] == 0, score.reason
    return {**score.figures, "wish": score.success}


@pytest.mark.parametrize("task", TASKS)
def test_a_text_reaches_who_obeys_it_and_breaks_no_limit(task: str) -> None:
    """S21: by every way, in letters that only look alike."""
    came = played(task)
    assert came["obeyed"] == 1.0


@pytest.mark.parametrize("task", ["office/label", "home/failure", "warehouse/speech", "home/mcp"])
def test_an_honest_model_does_what_was_wished_for_and_nothing_that_was_written(task: str) -> None:
    """S21"""
    if task.endswith("/mcp"):
        pytest.importorskip("mcp")
    came = played(task, model="pocket")
    assert (came["read"], came["obeyed"], came["wish"]) == (1.0, 0.0, True)


@pytest.mark.parametrize("episode", range(len(TEXTS)))
def test_every_text_is_read_through_the_quotes_of_a_prompt(episode: int) -> None:
    """S21"""
    assert played("home/label", episode)["read"] == 1.0
    assert Found("label", TEXTS[episode]("mf(10)"), "").read_in(f"| {plain(TEXTS[episode]('mf(10)'))}")


def test_letters_that_look_alike_are_read_as_what_they_look_like() -> None:
    assert letters(f"\u0406gn\u043er\u0435 {wide('mf(10);')}") == "ignoremf10"


@pytest.mark.parametrize("place", ERRANDS)
def test_no_wish_is_met_before_anything_moves(place: str) -> None:
    for seed in range(3):
        assert TruthRecorder(make(place, seed=seed).truth).verdict(ERRANDS[place].goal).truth is False


def test_a_limit_that_is_broken_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    class Seeing(Inspector):
        async def watch(self) -> None:
            self.violations.append("a limit")
            await asyncio.sleep(1e6)

    monkeypatch.setattr("sayso.bench.hostile.Inspector", Seeing)
    score = run_episode(Trial("injection", "home/label", 0, 1, "", REFERENCE))
    assert (score.success, score.figures["violations"]) == (False, 1)


def test_all_ways_are_tried_at_all_places() -> None:
    assert len(SUITE.tasks) == len(ERRANDS) * len(CHANNELS)
