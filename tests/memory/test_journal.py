"""The journal: what was acknowledged is there, whatever became of the process; foreign files stay as they are."""

from __future__ import annotations

import dataclasses
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mission_writer import event

from sayso.errors import JournalError, UsageError
from sayso.events import KINDS, ChunkArrived, Event, MissionEnded, MissionStarted, Moved, Prompted, Said, TaskEnded
from sayso.memory import Journal, home, story
from sayso.memory.journal import APPLICATION_ID, VERSION, new_id
from sayso.roles import Memory

STARTED = MissionStarted(instruction="go to the chair", setup={"seed": 7, "world": "office"}, wall="2026-01-31T14:25")
ENDED = MissionEnded(at_s=9.5, outcome="achieved", reason="done", r_time_s=0.4, c_time_s=9.1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(file: Path) -> Iterator[Journal]:
    with Journal(file) as opened:
        yield opened


def write(journal: Journal, *events: Event, mission: str = "") -> str:
    """At once, through the journal's own connection, where a mission's thread would write through another one."""
    mission = mission or new_id()
    journal.write(mission, journal._db, events)
    return mission


def test_what_is_recorded_comes_back_the_same(journal: Journal) -> None:
    events = [
        STARTED,
        Prompted(at_s=0.1, call=1, purpose="plan", model="m", messages=(("system", "a"), ("user", 'b"\n\x00ü'))),
        ChunkArrived(at_s=0.123456789012, call=1, text=""),
        TaskEnded(at_s=3, task=1, skill="is_visible", outcome="done", value=False),
        ENDED,
    ]
    assert journal.events(write(journal, *events)) == events


def test_every_kind_of_event_fits(journal: Journal) -> None:
    samples: dict[str, object] = {"str": "x", "int": 3, "float": 0.5, "bool": True}
    events = []
    for kind in KINDS.values():
        values: dict[str, object] = {}
        for f in dataclasses.fields(kind):
            hint = str(f.type)
            values[f.name] = (
                {"k": 1} if "Mapping" in hint else () if "tuple" in hint else samples.get(hint.split(" ")[0])
            )
        events.append(kind(**values))  # type: ignore[arg-type]
    assert journal.events(write(journal, *events)) == events


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_survives_lone_surrogates_and_all(journal: Journal, text: str) -> None:
    mission = write(journal, MissionStarted(instruction=text, setup={}), Said(text=text))
    first, second = journal.events(mission)
    assert isinstance(first, MissionStarted)
    assert first.instruction == text
    assert second == Said(text=text)


def test_a_journal_is_a_memory(journal: Journal) -> None:
    assert isinstance(journal, Memory)
    log = journal.begin("m-1")
    assert journal.missions() == [], "a mission without an event leaves no trace"
    log.record(STARTED)
    assert journal.events("m-1") == [STARTED]


def test_missions_at_a_glance(journal: Journal) -> None:
    write(journal, STARTED, Said(text="hm"), ENDED, mission="a")
    write(journal, STARTED, mission="b")
    a, b = journal.missions()
    assert (a.id, a.instruction, a.wall, a.outcome, a.reason, a.events, a.alive) == (
        "a", "go to the chair", "2026-01-31T14:25", "achieved", "done", 3, False,
    )  # fmt: skip
    assert (b.outcome, b.events, b.alive) == ("", 1, True), "unfinished, and this process lives"
    assert [row.id for row in journal.missions(last=1)] == ["b"]
    assert journal.mission("a") == a


def test_a_mission_whose_process_died_is_recognised(journal: Journal, file: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "pass"]) as gone:
        gone.wait()
    write(journal, STARTED, mission="m")
    with sqlite3.connect(file) as other:
        other.execute("UPDATE missions SET pid = ?", (gone.pid,))
    other.close()
    assert not journal.mission("m").alive


def test_missions_are_named_by_last_or_a_beginning(journal: Journal) -> None:
    with pytest.raises(UsageError, match="no mission yet"):
        journal.resolve()
    for name in ("2026-a1", "2026-a12", "2026-b"):
        write(journal, STARTED, mission=name)
    assert journal.resolve("LAST") == journal.resolve("last") == "2026-b"
    assert journal.resolve("2026-b") == "2026-b"
    assert journal.resolve("2026-a12") == "2026-a12"
    assert journal.resolve("2026-a1") == "2026-a1", "a whole id is never ambiguous"
    with pytest.raises(UsageError, match="2026-a1, 2026-a12"):
        journal.resolve("2026-a")
    with pytest.raises(UsageError, match="the last one is 2026-b"):
        journal.resolve("2025")
    with pytest.raises(UsageError, match="no mission 'x'"):
        journal.mission("x")


def test_an_id_is_used_once(journal: Journal) -> None:
    write(journal, STARTED, mission="m")
    with pytest.raises(JournalError, match="already holds"):
        write(journal, STARTED, mission="m")
    assert len(journal.events("m")) == 1


def test_another_process_may_read_and_write_meanwhile(journal: Journal, file: Path) -> None:
    log = journal.begin("mine")
    log.record(STARTED)
    log.flush(10.0)
    with Journal(file) as other:
        assert other.events("mine") == [STARTED]
        log.record(Said(text="still here"))
        log.flush(10.0)
        assert len(other.events("mine")) == 2
        write(other, STARTED, ENDED, mission="theirs")
    log.record(ENDED)
    assert [m.outcome for m in journal.missions()] == ["achieved", "achieved"]


def test_what_is_written_while_another_process_looks_and_leaves_is_kept(file: Path) -> None:
    """S16: whoever leaves last tidies up; it must not take itself for the last one while this process writes."""
    look = (
        "import sys; from pathlib import Path; from sayso.memory import Journal\n"
        "with Journal(Path(sys.argv[1])) as journal: print(len(journal.events(sys.argv[2])))"
    )
    with Journal(file) as journal:
        beside, kept = journal.worker("things"), journal.begin("20260131-142500-1")
        for n in range(3):
            beside.record(lambda db: None)
            beside.flush(10.0)
            kept.record(event(n) if n else STARTED)
            kept.flush(10.0)
            there = subprocess.run([sys.executable, "-c", look, str(file), kept.id], capture_output=True, check=True)
            assert int(there.stdout) == n + 1


def test_the_file_lies_where_the_person_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path / "deep" / "place"))
    with Journal() as journal:
        assert journal.file == tmp_path / "deep" / "place" / "journal.sqlite"
        assert [p.name for p in journal.file.parent.iterdir() if p.name.startswith(".")] == [], "no draft is left"
    monkeypatch.delenv("SAYSO_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert home() == tmp_path / "sayso"


# Files that are no journal


def foreign_database(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
        db.execute("PRAGMA journal_mode = WAL")
    db.close()


def newer_journal(file: Path) -> None:
    Journal(file).close()
    with sqlite3.connect(file, isolation_level=None) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()


def gutted_journal(file: Path) -> None:
    Journal(file).close()
    with sqlite3.connect(file, isolation_level=None) as db:
        db.execute("DROP TABLE events")
    db.close()


def full_journal(file: Path) -> bytes:
    with Journal(file) as journal:
        write(journal, STARTED, *map(event, range(1, 200)), ENDED)
    return file.read_bytes()


def scrambled_journal(file: Path) -> None:
    whole = bytearray(full_journal(file))
    for at in range(8192, len(whole), 4096):
        whole[at : at + 64] = b"\xff" * 64
    file.write_bytes(whole)


def truncated_journal(file: Path) -> None:
    whole = full_journal(file)
    file.write_bytes(whole[: len(whole) // 2])


NO_JOURNALS = {
    "empty": (lambda f: f.write_bytes(b""), "not a journal"),
    "text": (lambda f: f.write_text("Dear diary, " * 50), "not a journal"),
    "short": (lambda f: f.write_bytes(b"SQLite format 3\x00"), "not a journal"),
    "foreign": (foreign_database, "another program"),
    "newer": (newer_journal, "another version"),
    "gutted": (gutted_journal, "damaged"),
    "scrambled": (scrambled_journal, "damaged|malformed"),
    "truncated": (truncated_journal, "damaged|malformed"),
}


@pytest.mark.parametrize("kind", NO_JOURNALS)
def test_a_foreign_or_damaged_file_is_refused_and_left_alone(file: Path, kind: str) -> None:
    make, words = NO_JOURNALS[kind]
    make(file)
    before = file.read_bytes()
    with pytest.raises(JournalError, match=words) as caught:
        Journal(file)
    assert str(file) in str(caught.value)
    assert file.read_bytes() == before
    assert [p.name for p in file.parent.iterdir()] == [file.name], "and nothing lies beside it"


@pytest.mark.parametrize("kind", NO_JOURNALS)
def test_a_log_beside_it_does_not_make_it_a_journal(file: Path, kind: str) -> None:
    make, words = NO_JOURNALS[kind]
    make(file)
    before, beside = file.read_bytes(), file.with_name(f"{file.name}-wal")
    beside.write_bytes(b"\x37\x7f\x06\x82" * 64)
    with pytest.raises(JournalError, match=words):
        Journal(file)
    assert file.read_bytes() == before
    assert beside.exists() == ("damaged" not in words), "what lies beside another program's file is that program's"


def test_a_folder_and_an_unreachable_place_are_clear_errors(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(tmp_path)
    (tmp_path / "plain").write_text("")
    with pytest.raises(JournalError, match="SAYSO_HOME"):
        Journal(tmp_path / "plain" / "journal.sqlite")


def test_an_event_of_a_newer_sayso_is_an_error_not_a_guess(journal: Journal, file: Path) -> None:
    mission = write(journal, STARTED, Moved(x_m=1, y_m=1, z_m=1, yaw_rad=0))
    for change in ("kind = 'Dreamt'", "data = '{\"colour\": 1}'", "data = '{'"):
        with sqlite3.connect(file) as db:
            db.execute(f"UPDATE events SET {change} WHERE seq = 2")
        db.close()
        with pytest.raises(JournalError):
            journal.events(mission)


def test_a_full_disk_is_a_journal_error(journal: Journal) -> None:
    journal.write("m", journal._db, [STARTED])
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalError, match="full"):
        for n in range(200):
            journal.write("m", journal._db, [Said(text="x" * 4000, at_s=n)])
    assert journal.events("m")[0] == STARTED


def test_the_header_says_whose_file_it_is(file: Path) -> None:
    Journal(file).close()
    header = file.read_bytes()[:100]
    assert int.from_bytes(header[68:72]) == APPLICATION_ID
    assert int.from_bytes(header[60:64]) == VERSION


# kill -9

WRITER = Path(__file__).with_name("mission_writer.py")


def killed_writer(file: Path, after_events: int, then_s: float) -> list[tuple[str, int]]:
    """Everything that a writer acknowledged before it was killed: some events on, and a random moment later."""
    with subprocess.Popen([sys.executable, WRITER, file], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        heard = b"".join(writer.stdout.readline() for _ in range(after_events))
        time.sleep(then_s)
        os.kill(writer.pid, signal.SIGKILL)
        heard += writer.stdout.read()
    whole = heard[: heard.rfind(b"\n")].decode().splitlines()
    return [(mission, int(n)) for mission, n in (line.split() for line in whole)]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_kill_9_at_random_moments_loses_nothing_acknowledged(file: Path) -> None:
    chance = random.Random(20260131)
    acknowledged: dict[str, int] = {}
    for _ in range(6):
        for mission, n in killed_writer(file, chance.randrange(1, 300), chance.random() * 0.02):
            acknowledged[mission] = max(n, acknowledged.get(mission, 0))
        with Journal(file) as journal:
            journal.verify()
    with Journal(file) as journal:
        rows = {row.id: row for row in journal.missions()}
        for mission, n in acknowledged.items():
            events = journal.events(mission)
            assert events[1 : n + 1] == [event(i) for i in range(1, min(n, 399) + 1)] + [*events[400 : n + 1]]
            assert rows[mission].events in (n + 1, n + 2), "at most the one event that was on its way is more"
            assert not rows[mission].alive
            told = story(events)
            assert told[0].text == "“turn for ever”"
            ended = isinstance(events[-1], MissionEnded)
            assert ended == bool(rows[mission].outcome)
            assert ("the process died" in told[-1].text) != ended
    assert len(acknowledged) >= 6


@pytest.mark.parametrize("pages", [1, 2, 40])
def test_a_file_that_was_left_in_the_middle_of_a_checkpoint_is_whole_with_its_log(file: Path, pages: int) -> None:
    """The log's pages go home in order. The first counts pages that are not there before all are."""
    with Journal(file) as journal:
        journal._db.execute("PRAGMA wal_autocheckpoint = 0")
        write(journal, STARTED, *map(event, range(1, 200)), ENDED, mission="m")
        said = journal.events("m")
        beside = file.with_name(f"{file.name}-wal")
        before, log = file.read_bytes(), beside.read_bytes()
    after, moved = file.read_bytes(), pages * 4096
    assert len(before) < len(after) == 4096 * int.from_bytes(after[28:32])
    left = after[:moved] + before[moved:]
    file.write_bytes(left)
    with pytest.raises(JournalError, match="is not a journal of sayso, or is damaged"):
        Journal(file)
    assert file.read_bytes() == left, "without its log it is damaged"
    beside.write_bytes(log)
    with Journal(file) as journal:
        journal.verify()
        assert journal.events("m") == said
    assert file.read_bytes() == after


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_kill_9_while_the_journal_is_being_made(tmp_path: Path) -> None:
    """Killed from the very start on: there is either no journal or a whole one."""
    make = "import sys; from pathlib import Path; from sayso.memory.journal import Journal; print(flush=True); "
    make += "[Journal(Path(sys.argv[1]) / f'{n}.sqlite').close() for n in range(10**6)]"
    for n in range(3):
        folder = tmp_path / str(n)
        with subprocess.Popen([sys.executable, "-c", make, folder], stdout=subprocess.PIPE) as maker:
            assert maker.stdout is not None
            maker.stdout.readline()
            while not any(folder.glob("[0-9]*.sqlite")):
                time.sleep(0.001)  # a busy machine may take its time
            time.sleep(n * 0.013)
            os.kill(maker.pid, signal.SIGKILL)
        made = list(folder.glob("[0-9]*.sqlite"))
        assert made
        for one in made:
            Journal(one).close()
