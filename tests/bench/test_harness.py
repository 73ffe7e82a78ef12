"""The harness: a suite or all of them, rows to go on with and to compare, and one episode's trouble."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import tiny_suite as tiny
from rich.console import Console

from sayso import bench
from sayso.bench import report
from sayso.bench.rows import File, read
from sayso.bench.suite import Score, Trial, play, summary, trials
from sayso.errors import UsageError
from sayso.mission import defaults
from sayso.models.scripted import Scripted

FINE = "odd,boast,shy,never"
Asked = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Asked:
    """`sayso bench` with the tiny suite registered and nothing else: exit code, JSON, what was shown."""
    entry = EntryPoint("tiny", "tiny_suite:SUITE", "sayso.suites")
    monkeypatch.setattr(bench, "entry_points", lambda group, name="tiny": [entry] if name == "tiny" else [])

    def run(suite: str = "tiny", **wanted: Any) -> tuple[int, dict[str, Any], str]:
        console, out = Console(record=True, width=200), tmp_path / "out.json"
        code = report.run(console, suite, report.BenchOptions(json=str(out), **{"only": FINE, **wanted}))
        return code, json.loads(out.read_text()), console.export_text()

    return run


def test_a_table_shows_what_was_claimed_wrongly_and_refused_though_possible(asked: Asked) -> None:
    code, result, shown = asked()
    rows = {row["id"]: row for row in result["tasks"]}
    assert code == 1
    assert (rows["odd"]["success"], rows["odd"]["episodes"]) == (1, 2)
    assert (rows["boast"]["false_achieved"], rows["shy"]["refused_possible"]) == (2, 2)
    assert (rows["boast"]["unverified"], rows["odd"]["unverified"]) == (0, 1), "odd says so and saw nothing of it"
    assert (result["total"]["false_achieved"], result["total"]["refused_possible"], result["total"]["asked"]) == (
        2,
        2,
        0,
    )
    assert "1/2 [9/10]" in shown, "published figures stand in brackets, readable without colours"
    assert "reference (a hand-written double)" in shown
    assert "physics: none" in shown and "developed: in a test" in shown
    assert result["conditions"]["failures"] == "some"


def test_the_first_line_says_what_is_measured(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked()[2].splitlines()[0] == "tiny measures planner stream, model reference (a hand-written double)"
    monkeypatch.setattr(tiny, "SUITE", replace(tiny.SUITE, kind="drone"))
    _, result, shown = asked()
    assert shown.splitlines()[0] == "tiny measures planner reflex+stream, model pocket", "what `sayso run` takes"
    assert (result["planner"], result["model"]) == ("reflex+stream", "pocket")
    assert asked(planner="mute")[1]["model"] == "reference", "who asks nobody needs no model"
    assert asked(model="oracle")[1]["planner"] == "stream"


def test_what_cannot_be_played_here_is_left_out_and_no_failure(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    lacks = replace(tiny.SUITE, unfit=lambda trial: "it needs luck" if trial.task == "boast" else "")
    monkeypatch.setattr(tiny, "SUITE", lacks)
    code, result, shown = asked(only="odd,boast", seed=1, episodes=1)
    assert (code, result["total"]["episodes"]) == (0, 1)
    assert "1 of 2 episodes are left out: it needs luck" in shown
    with pytest.raises(UsageError, match="needs luck"):
        asked(only="boast")


def test_what_is_refused_rightly_is_not_counted() -> None:
    one = Score("never", 0, True, "", outcome="refused")
    assert summary(tiny.SUITE, [one])["total"]["refused_possible"] == 0


def test_trouble_in_one_episode_is_one_row(asked: Asked, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    code, result, shown = asked(only="odd,raise", rows=file)
    assert code == 1
    assert (result["total"]["episodes"], result["total"]["errors"]) == (4, 2)
    assert "task raise episode 1: ModelUnavailable: nobody answers" in shown
    assert [s.error for s in read(file).values()].count("ModelUnavailable: nobody answers") == 2


def test_a_process_that_dies_costs_one_episode() -> None:
    todo = trials(tiny.SUITE, ["odd", "die"], 2, 0, planner="stream", model="reference")
    came = {(t.task, t.seed): s for t, s in play(tiny.SUITE, todo, jobs=2)}
    assert len(came) == 4
    assert [key for key, score in came.items() if score.error] == [("die", 1)]
    assert came["odd", 1].success


def test_many_processes_give_the_rows_of_one() -> None:
    todo = trials(tiny.SUITE, ["odd", "boast"], 3, 5, planner="stream", model="reference")
    assert dict(play(tiny.SUITE, todo, jobs=2)) == dict(play(tiny.SUITE, todo))


def test_rows_are_read_as_they_were_written(asked: Asked, tmp_path: Path) -> None:
    asked(rows=tmp_path / "rows.jsonl", seed=7)
    rows = read(tmp_path / "rows.jsonl")
    assert [(t.task, t.seed) for t in rows][:2] == [("odd", 7), ("odd", 8)]
    todo = trials(tiny.SUITE, FINE.split(","), 2, 7, planner="stream", model="reference", ablation="")
    assert rows == dict(play(tiny.SUITE, todo))


def test_a_csv_has_a_column_for_each_figure(asked: Asked, tmp_path: Path) -> None:
    asked(rows=tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(newline="") as file:
        first = next(csv.DictReader(file))
    assert (first["seed"], first["success"], first["figure own"], first["error"]) == ("0", "False", "2.0", "")


def test_a_run_goes_on_where_it_was_interrupted(asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, played = tmp_path / "rows.jsonl", []
    good = tiny.SUITE.run_episode

    def counting(trial: Trial) -> Score:
        played.append(trial)
        if len(played) == 3:
            raise KeyboardInterrupt
        return good(trial)

    monkeypatch.setattr(tiny, "SUITE", replace(tiny.SUITE, run_episode=counting))
    code, result, shown = asked(rows=file)
    assert code == 1 and "interrupted after 2 of 8 episodes" in shown
    assert result["total"]["episodes"] == len(read(file)) == 2
    with file.open("a") as out:
        out.write('{"suite": "tiny", "task": "od')  # cut off
    code, result, _ = asked(resume=file)
    assert result["total"]["episodes"] == 8
    assert len(played) == 3 + 6, "what was finished is not played again"
    assert len(read(file)) == 8


def test_broken_rows_are_tried_again(asked: Asked, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    asked(only="raise,odd", rows=file)
    with File(file, resume=True) as held:
        assert {t.task for t in held.held} == {"odd"}


def test_two_files_are_compared_pair_by_pair(asked: Asked, tmp_path: Path) -> None:
    a, b, out = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "compared.json"
    asked(only="odd,boast", rows=a, episodes=4)
    with File(b) as file:
        for trial in read(a):
            better = Trial("tiny", trial.task, trial.episode, trial.seed, "stream", "scripted:better")
            if trial.seed < 3:
                file.add(better, tiny.run_episode(better))
    console = Console(record=True, width=200)
    assert report.run_compare(console, [a, b], str(out)) == 0
    tasks = {row["id"]: row for row in json.loads(out.read_text())["tasks"]}
    odd = tasks["odd"]
    assert (odd["pairs"], odd["success_a"], odd["success_b"], odd["difference"]) == (3, 1, 3, 0.667)
    assert odd["difference_low"] < 0.667 < odd["difference_high"]
    assert tasks["boast"]["difference"] == 0
    assert tasks["boast"]["difference_low"] < 0 < tasks["boast"]["difference_high"], "three pairs prove no equality"
    assert tasks["odd"]["r_time_s"]["difference"] == 0
    assert "+0.67" in console.export_text()


def test_files_without_a_pair_are_not_compared(tmp_path: Path, asked: Asked) -> None:
    asked(only="odd", rows=tmp_path / "a.jsonl")
    asked(only="shy", rows=tmp_path / "b.jsonl")
    with pytest.raises(UsageError, match="no task and seed in common"):
        report.run_compare(Console(), [tmp_path / "a.jsonl", tmp_path / "b.jsonl"], "")


def test_all_suites_have_one_summary(asked: Asked) -> None:
    code, result, shown = asked("all")
    assert code == 1
    assert [(row["id"], row["episodes"]) for row in result["tasks"]] == [("tiny", 8)]
    assert result["suites"][0]["suite"] == "tiny"
    assert "all suites" in shown


def test_all_leaves_out_what_makes_no_sense_for_a_suite(asked: Asked) -> None:
    with pytest.raises(UsageError, match=r"tiny is left out: .*no-hope"):
        asked("all", ablation="no-hope")


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"planner": "nonsense"}, "no planner is called 'nonsense'"),
    ({"model": "nonsense"}, "there is no model"),
    ({"planner": "mute", "model": "scripted:x.ms"}, "x.ms"),
    ({"planner": "mute", "model": "oracle"}, "asks no model, so --model oracle would change nothing"),
    ({"planner": "mute", "ablation": "no-luck"}, "no luck in being mute"),
    ({"only": "odd,even"}, "no task even"),
    ({"rows": Path("rows.txt")}, "FILE.jsonl or FILE.csv"),
    ({"resume": Path("a.jsonl"), "rows": Path("b.jsonl")}, "--resume FILE goes on"),
    ({"on": "the moon"}, "here or on ray"),
]


@pytest.mark.parametrize(("wanted", "why"), WRONG, ids=[why for _, why in WRONG])
def test_what_cannot_be_is_said_before_anything_is_played(asked: Asked, wanted: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        asked(**wanted)


def test_every_suite_that_is_registered_says_its_conditions() -> None:
    for name in bench.known():
        said = bench.load(name).conditions
        assert all((said.physics, said.told, said.failures, said.developed, said.episodes)), name


def test_a_planner_of_ones_own_flies_a_suite(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    wanted = report.BenchOptions(episodes=1, only="1", planner=f"{tiny.__file__}:Hasty", json=str(out))
    console = Console(record=True, width=200)
    assert report.run(console, "drone", wanted) == 0, console.export_text()
    assert json.loads(out.read_text())["total"]["model_calls"] == 0, "it asks nobody"


def test_a_registered_planner_is_known_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("careful", "tiny_suite:Hasty", "sayso.planners")
    monkeypatch.setattr(defaults, "entry_points", lambda group, name="careful": [entry] if name == "careful" else [])
    make = defaults.make_planner("careful", Scripted([]))
    assert callable(make) and make(Scripted([])).name == "hasty"
    assert "careful" in dict(defaults.known())


def test_episodes_on_a_cluster_are_those_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    from sayso.bench.cluster import play_on_ray

    beside = [str(Path(tiny.__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(beside))
    todo = trials(tiny.SUITE, ["odd", "raise"], 2, 0, planner="stream", model="reference")
    try:
        assert dict(play_on_ray(tiny.SUITE, todo)) == dict(play(tiny.SUITE, todo))
    finally:
        ray.shutdown()
