"""`sayso replay`: every kind of mission goes the same way once more, and a changed record is noticed."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_runner import TOUR, Home, stand_still

sys.path.append(str(Path(__file__).parent.parent / "models"))
from endpoint_server import served

from sayso.robots.drone.world import office
from sayso.robots.drone.world.sim import SimDrone

SCRIPTS: dict[str, dict[str, Any]] = {
    "replans": {"plan": ["to;g('unicorn');tp"], "replan": ["tc(90);g('gnome')", "tp;->True"]},
    "probes": {
        "plan": ["to;_1=p('anything red?');l(_1);?_1!=False{o(_1)};replan"],
        "replan": ["_2=p('still?');l(_2);->3"],
        "probe": ["chair", "True"],
    },
    "silent probe": {"plan": ["to;_1=p('anything?');tp"], "replan": ["tp"]},
    "error in the text": {"plan": ["to;mf(50);jump(3);mf(50)"], "replan": ["mb(20)"]},
    "limit foreseen": {"plan": ["to;mf(300);mf(300)"], "replan": ["tp"]},
    "limit met": {"plan": ["to;_1=300;mf(_1);mf(_1)"], "replan": ["mb(20)"]},
    "loops": {"plan": ["to;3{mf(20);tc(90);?iv('chair'){l('chair')}};->t()"]},
    "failed answer": {"plan": ["to;g('unicorn')"]},
    "value": {"plan": ["?iv('apple'){->1};->2.5"]},
    "could not": {"plan": ["->False"]},
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def again(home: Home) -> None:
    """The last mission ends the same, and nothing new is on record."""
    before = home.missions()
    ran = home.sayso("replay")
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[-1] == "the replay ended the same"
    assert home.missions() == before


@pytest.mark.parametrize(
    ("kind", "latency"), [*((k, "") for k in SCRIPTS), *((k, "modelled:") for k in ("replans", "probes", "loops"))]
)
def test_scripted(home: Home, kind: str, latency: str) -> None:
    home.sayso("run", "do it", "--model", f"{latency}scripted:{home.file('script.json', SCRIPTS[kind])}")
    again(home)


def test_what_a_robot_knows_of_its_place_is_known_again(home: Home) -> None:
    home.sayso("run", "put all the lemons from the receiving shelf into the basket", "--world", "warehouse")
    again(home)


@pytest.mark.parametrize(
    "words",
    [
        [TOUR],
        ["go to the moon", "--scene", "empty"],
        ["tell me a joke"],
        ["stop"],
        ["take off, go forward 20 metres"],
        ["take off, go up 50 cm, come back and land", "--wind", "3", "--seed", "5"],
        ["take off", "--wind", "60"],
        pytest.param(["take off", "--wind", "300"], marks=pytest.mark.slow),  # blown about for nine minutes
        ["take off", "--world", "soccer"],
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_without_a_model(home: Home, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    stand_still(monkeypatch)
    home.sayso("run", *words)
    again(home)


def test_with_an_endpoint_that_is_not_there(home: Home) -> None:
    home.sayso("run", "x", "--model", "http://127.0.0.1:9/v1#none")
    again(home)


@pytest.mark.parametrize("typed", [b"y\ny\ny\n", b"y\nn\n", b""])
def test_with_a_person_asked(home: Home, typed: bytes) -> None:
    script = home.file("script.json", SCRIPTS["replans"])
    home.sayso("run", "do it", "--approve", "--model", f"modelled:scripted:{script}", stdin=typed)
    again(home)


ROLLING = [
    "Task: LookAtBall Priority: 3\nTask: WalkToBall Priority: 2",
    "Task: Jump Priority: 4\nTask: Wave Priority: 3",
    "Task: StandStill Priority: 1",
]


@pytest.mark.parametrize("latency", ["", "modelled:"])
def test_a_humanoid_that_is_steered(home: Home, latency: str) -> None:
    script = home.folder / "rolling.json"
    script.write_text(json.dumps(ROLLING), "utf-8")
    words = ["--world", "soccer", "--planner", "rolling", "--model", f"{latency}scripted:{script}"]
    ran = home.sayso("run", "walk to the ball, then wave", *words)
    assert "start    WalkToBall()" in ran.out and "start    Wave()" in ran.out
    again(home)


def test_a_plan_that_was_not_even_shown(home: Home) -> None:
    script = home.file("script.json", SCRIPTS["error in the text"])
    home.sayso("run", "do it", "--approve", "--model", f"modelled:scripted:{script}")
    assert home.kinds().count("ApprovalAsked") == 1, "only the mended plan is shown"
    again(home)


@pytest.mark.parametrize("case", ["good", "cut", "broken"])
def test_with_an_endpoint_in_real_time(home: Home, case: str) -> None:
    with served() as server:
        home.sayso("run", "turn around", "--model", f"{server.url(case)}#m", "--json")
    again(home)


def test_killed_in_flight(home: Home) -> None:
    script = home.file("script.json", SCRIPTS["probes"])
    process = home.start("run", "do it", "--model", f"modelled:scripted:{script}", "--pace", "6")
    assert process.stdout
    for line in process.stdout:
        if "start    probe" in line:
            process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert "the process died" in home.sayso("why").out
    assert home.sayso("missions").out.splitlines()[-1].endswith("(killed)")
    again(home)


def test_a_mistake_in_a_skill(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def picture(self: SimDrone, *size_px: int) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(SimDrone, "picture", picture)
    assert home.sayso("run", "take off, take a picture").code == 1
    monkeypatch.undo()
    assert "ZeroDivisionError: a bug" in home.sayso("why").out
    again(home)


def test_a_mission_that_lasts_too_long(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = office._limits
    monkeypatch.setattr(office, "_limits", lambda stage: replace(limits(stage), mission_max_s=4.0))
    ran = home.sayso("run", TOUR, "--json")
    assert "The time limit of 4 s is over" in ran.json["reason"]
    again(home)


def test_it_replays_at_a_pace_to_watch(home: Home) -> None:
    home.sayso("run", "take off")
    assert home.sayso("replay", "LAST", "--pace", "40").code == 0


# Another record


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = Home(tmp_path_factory.mktemp("toured"))
    assert home.sayso("run", TOUR).code == 0
    return home


def tampered(home: Home, kind: str, which: int, **changes: Any) -> str:
    """A copy of the journal with one event changed."""
    copy = home.folder / "copy.sqlite"
    with sqlite3.connect(home.journal) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    shutil.copy(home.journal, copy)
    db = sqlite3.connect(copy)
    with db:
        rows = db.execute("SELECT seq, data FROM events WHERE kind = ? ORDER BY seq", (kind,)).fetchall()
        seq, data = rows[which]
        db.execute("UPDATE events SET data = ? WHERE seq = ?", (json.dumps({**json.loads(data), **changes}), seq))
    db.close()
    return str(copy)


@pytest.mark.parametrize(
    ("kind", "which", "changes"),
    [
        ("TaskEnded", 0, {"outcome": "failed", "detail": "rotors"}),
        ("TaskEnded", 2, {"value": False}),
        ("TaskStarted", 1, {"args": [90]}),
        ("StatementReady", 1, {"text": "tc(90)"}),
        ("MissionStarted", 0, {"instruction": "take off and go to the sofa"}),
        ("MissionEnded", 0, {"reason": "somebody did it"}),
    ],
)
def test_a_changed_record_is_noticed(toured: Home, kind: str, which: int, changes: dict[str, Any]) -> None:
    ran = toured.sayso("replay", "--journal", tampered(toured, kind, which, **changes))
    assert ran.code == 1
    assert len(ran.err.splitlines()) == 1 and ran.err.startswith("sayso: the replay went another way: "), ran.err


def test_a_record_without_its_beginning(toured: Home) -> None:
    copy = tampered(toured, "MissionStarted", 0)
    db = sqlite3.connect(copy)
    with db:
        db.execute("DELETE FROM events WHERE kind = 'MissionStarted'")
    db.close()
    ran = toured.sayso("replay", "--journal", copy)
    assert ran.code == 1 and "begins with MissionStarted" in ran.err


def test_a_replay_is_the_same_in_another_process(toured: Home) -> None:
    here, there = toured.sayso("replay").out, toured.start("replay").communicate()[0]
    assert here == there and "ended the same" in here
