"""Missions of the past: any moment of one, its lines, and files that are none of ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from console_shown import show_all

from sayso import events as ev
from sayso.console.archive import Recording, lines, list_missions, read_mission
from sayso.errors import UsageError
from sayso.events import from_json
from sayso.memory.journal import Journal
from sayso.memory.pictures import kept_picture

EVENTS = [
    ev.MissionStarted(instruction="<b>go</b>", setup={"world": "office"}),
    *(ev.Moved(at_s=0.1 * n, x_m=0.1 * n, y_m=0, z_m=1, yaw_rad=0) for n in range(1, 450)),
    ev.MissionEnded(at_s=45.0, outcome="achieved", reason="done"),
]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    file = tmp_path / "journal.sqlite"
    with Journal(file) as kept:
        log = kept.begin("m1")
        for event in EVENTS:
            log.record(event)
    return file


@pytest.mark.parametrize("at_s", [0.0, 0.05, 9.95, 10.0, 33.3, 45.0, 99.0])
def test_any_moment_looks_as_it_did(at_s: float, journal: Path) -> None:
    recording = read_mission(journal, "m1")
    recording.at(40.0)
    assert recording.at(at_s) == show_all(e for e in EVENTS if e.at_s <= at_s + 1e-9)


def test_a_record_without_events_has_no_length() -> None:
    empty = Recording("m", [], [])
    assert empty.length_s == 0 and empty.at(3).items == ()


def test_the_list_and_the_story(journal: Path) -> None:
    assert [row.id for row in list_missions(journal)] == ["m1"]
    assert read_mission(journal, "m1").story[0].text == "“<b>go</b>”"
    assert list_missions(journal.with_name("none.sqlite")) == []
    with pytest.raises(UsageError, match="no mission"):
        read_mission(journal, "m2")


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (ev.MissionEnded(outcome="achieved", reason="done", verified=True), "achieved"),
        (ev.MissionEnded(outcome="achieved", reason="done", verified=False), "achieved, not verified"),
        (ev.MissionEnded(outcome="achieved", reason="done", unknown=("who knows",)), "achieved, not verified"),
        (ev.MissionEnded(outcome="not_achieved", reason="no", unknown=("who knows",)), "not achieved"),
    ],
)
def test_the_list_shows_what_nothing_verified(end: ev.MissionEnded, told: str, tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    with Journal(file) as kept:
        log = kept.begin("m1")
        log.record(EVENTS[0])
        log.record(end)
    assert [row.ended for row in list_missions(file)] == [told]


def test_the_export_is_the_whole_record(journal: Path) -> None:
    read = [json.loads(line) for line in lines(journal, "m1")]
    again = [from_json(data.pop("kind"), json.dumps(data)) for data in read]
    assert again == EVENTS


@pytest.mark.parametrize("name", ["../secret.png", "a/b.png", "notes.txt", "gone.png", "", "link.png"])
def test_only_pictures_of_the_folder_are_given_out(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "pictures"
    folder.mkdir(parents=True)
    (tmp_path / "home" / "secret.png").write_bytes(b"x")
    (folder / "notes.txt").write_bytes(b"x")
    (folder / "link.png").symlink_to(tmp_path / "home" / "secret.png")
    (folder / "m1-1.png").write_bytes(b"x")
    assert kept_picture(folder, name) is None
    assert kept_picture(folder, "m1-1.png") == folder / "m1-1.png"
