"""What memory keeps: it outlives the process, with its history; what cannot be read is told and left alone."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from memory_rooms import look, state, thing

from sayso.errors import JournalError, UsageError
from sayso.events import MissionEnded, MissionStarted, Observed, TaskEnded, TaskStarted
from sayso.memory.agent_memory import AgentMemory
from sayso.memory.journal import Journal
from sayso.memory.places import Place
from sayso.memory.store import VERSION
from sayso.roles import Memory, Recalling
from sayso.scene import Pose, Scene, scene_json

APPLE = thing("apple", 2, 0, likes={"color": "red"})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(file: Path) -> Iterator[Journal]:
    with Journal(file) as opened:
        yield opened


def test_what_was_seen_is_there_after_a_restart(file: Path) -> None:
    with Journal(file) as journal:
        memories = AgentMemory(journal, "lab")
        memories.label(Place("desk", Pose(2, 0, 0), 0.5, ("workbench",)))
        memories.see(look([APPLE, thing("cup", 2, 1.1)], 1.5))
        memories.sweep(Pose(), [0.0], [2.0], 8.0)
        memories.store.keep_grid("lab", memories.grid)
        memories.see(look([thing("cup", 2, 1.1)], 2.5))
        before = list(memories.things)
    with Journal(file) as journal:
        journal.verify()
        again, elsewhere = AgentMemory(journal, "lab"), AgentMemory(journal, "attic")
        assert list(again.things) == before
        assert again.things[1].place == "desk" and again.recall("apple") is not None
        assert [(t.what, t.at_s) for t in again.store.history(1)] == [("seen", 1.5)]
        assert state(again.grid, 2.0, 0.0) == "occupied" and again.places.named("workbench")
        assert list(elsewhere.things) == [] and elsewhere.recall("apple") is None
        again.see(look([thing("pear", 3, 1)], 3))
        first, second, third = (u.id for u in again.things)
        assert (first, second) == (1, 2) and third > 2


def test_a_mission_teaches_as_it_is_recorded(journal: Journal) -> None:
    memories = AgentMemory(journal, "lab")
    assert isinstance(memories, Memory) and isinstance(memories, Recalling)
    assert not isinstance(journal, Recalling)
    log = memories.begin("m-1")
    log.record(MissionStarted(instruction="look", setup={}, wall="2026-01-31T14:25:00+00:00"))
    log.record(Observed(at_s=2.0, scene=scene_json(look([APPLE], 2.0).scene)))
    log.record(TaskStarted(at_s=3, task=1, skill="pick_up", args=("the red apple",)))
    assert not memories.things[1].held, "nobody knows yet whether it works"
    log.record(TaskEnded(at_s=4, task=1, skill="pick_up", outcome="done"))
    assert memories.things[1].held and memories.recall("apple") is None
    assert "in the robot's hand" in memories.where("apple", Pose())
    log.record(TaskStarted(at_s=5, task=2, skill="place", args=("apple", "toy rack")))
    log.record(TaskEnded(at_s=6, task=2, skill="place", outcome="failed", detail="blocked"))
    assert memories.things[1].held
    log.record(TaskStarted(at_s=7, task=3, skill="place", args=("apple", "toy rack")))
    log.record(TaskEnded(at_s=7, task=3, skill="place", outcome="done"))
    log.record(MissionEnded(at_s=8, outcome="achieved", reason="done"))
    unit = memories.things[1]
    assert (unit.held, unit.place, unit.mission) == (False, "toy rack", "m-1")
    assert memories.store.history(1)[0].at_s == 1769869502.0
    assert len(journal.events("m-1")) == 9


def test_a_robot_without_a_map_forgets_where_but_not_what(journal: Journal) -> None:
    first = AgentMemory(journal)
    first.begin("m-1")
    first.see(look([APPLE], 1, mission="m-1"))
    assert first.recall("apple") is not None
    first.begin("m-2")
    assert first.recall("apple") is None and "last seen" in first.where("apple", Pose())
    first.see(look([thing("apple", 3, 1, likes={"color": "red"})], 9, mission="m-2"))
    assert [u.pose for u in first.things] == [Pose(3, 1, 1)], "it is taken to be the same one"


def test_missions_in_simulated_time_follow_one_another(journal: Journal) -> None:
    memories = AgentMemory(journal, "lab")
    wall = "2026-01-31T14:25:00+00:00"
    for mission, eye in (("m-1", APPLE), ("m-2", thing("apple", 2.2, 0, likes={"color": "red"}))):
        log = memories.begin(mission)
        log.record(MissionStarted(instruction="look", setup={}, wall=wall))
        log.record(Observed(at_s=0 if mission == "m-2" else 600, scene=scene_json(look([eye], 0).scene)))
    assert memories.things[1].pose == Pose(2.2, 0, 1), "ten simulated minutes took a second"


def test_what_another_process_forgot_stays_forgotten(journal: Journal, file: Path) -> None:
    memories = AgentMemory(journal, "lab")
    memories.see(look([APPLE, thing("cup", 2, 1)], 1))
    memories.store.flush()
    with Journal(file) as other:
        AgentMemory(other, "lab").forget(1)
    memories.see(look([APPLE, thing("cup", 2, 1)], 2))
    memories.store.flush()
    assert memories.recall("apple") is None
    assert [u.label for u in memories.things] == ["cup"] and memories.recall("apple") is None
    assert [u.label for u in memories.store.units()] == ["cup"] and memories.store.history(1) == []
    with Journal(file) as other:
        theirs = AgentMemory(other, "lab")
        theirs.correct(2, 3.0, name="mug of mine")
    memories.begin("m-2")
    assert memories.things[2].called == "mug of mine"


def test_two_processes_never_number_alike(journal: Journal, file: Path) -> None:
    with Journal(file) as other:
        mine, theirs = AgentMemory(journal, "lab"), AgentMemory(other, "lab")
        for n in range(3):
            mine.see(look([thing(f"a{n}", 1, n)], n))
            theirs.see(look([thing(f"b{n}", 1, n)], n))
        theirs.store.flush()
        assert len({u.id for u in mine.store.units()}) == 6
        last = max(u.id for u in mine.things)
        mine.forget(last)
        mine.see(look([thing("last", 1, 5)], 9))
        assert len({u.id for u in mine.store.units()} | {last}) == 7, "a number is never used again"


def test_news_is_told_once(journal: Journal) -> None:
    memories = AgentMemory(journal, "lab")
    memories.see(look([APPLE], 1))
    for at_s in (100, 101, 102, 103):
        memories.see(look([], at_s))
    assert memories.news() == ("the apple is no longer where it was seen",)
    assert memories.news() == () and memories.recall("apple") is None
    assert "no longer there" in str(memories.recalled("find the apple", Scene())[0])


def test_a_correction_needs_a_thing(journal: Journal) -> None:
    with pytest.raises(UsageError, match="no thing 5"):
        AgentMemory(journal).correct(5, 1.0, name="x")


# kill -9


def test_a_kill_during_fifty_writes_loses_nothing_acknowledged(file: Path) -> None:
    chance, here = random.Random(6), str(Path(__file__).parent)
    for kill in range(3):
        command = [sys.executable, str(Path(here) / "memory_writer.py"), str(file), f"map {kill}", "50"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])}
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
            assert process.stdout is not None
            wanted = chance.randrange(1, 45)
            out = b"".join(process.stdout.readline() for _ in range(wanted))
            time.sleep(chance.uniform(0, 0.002))
            process.send_signal(signal.SIGKILL)
            out += process.stdout.read()
        acknowledged = [line.split() for line in out.decode().rpartition("\n")[0].splitlines()]
        assert len(acknowledged) >= wanted
        with Journal(file) as journal:
            journal.verify()
            kept = list(AgentMemory(journal, f"map {kill}").things)
        last = int(acknowledged[-1][0])
        assert len(kept) in (last + 1, last + 2), "all that was acknowledged, and at most the look that was under way"
        assert {u.label for u in kept} == {f"thing {k}" for k in range(len(kept))}
        assert all(u.seen_s == kept[0].seen_s >= last for u in kept), "a look is kept whole or not at all"


# Files that hold no memory


def altered(file: Path, *statements: str) -> None:
    with Journal(file) as journal:
        AgentMemory(journal, "lab").see(look([APPLE], 1))
        journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with sqlite3.connect(file, isolation_level=None) as db:
        for statement in statements:
            db.execute(statement)
    db.close()


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("DROP TABLE turns", "damaged: it lacks turns"),
        ("DELETE FROM memory", "its version is gone"),
        (f"UPDATE memory SET value = {VERSION + 1} WHERE key = 'version'", "another version"),
        ("UPDATE units SET attributes = 'rubbish'", "a thing cannot be read"),
        ("INSERT INTO maps VALUES ('lab', x'00ff')", "the map 'lab' cannot be read"),
    ],
)
def test_a_damaged_memory_is_told_and_left_alone(file: Path, statement: str, complaint: str) -> None:
    altered(file, statement)
    before = file.read_bytes()
    with Journal(file) as journal, pytest.raises(JournalError, match=complaint):
        AgentMemory(journal, "lab")
    assert file.read_bytes() == before


def not_a_database(file: Path) -> None:
    file.write_bytes(b"these are my recipes, hands off" * 40)


def foreign_database(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE units (recipe TEXT)")
    db.close()


def scrambled(file: Path) -> None:
    altered(file)
    whole = bytearray(file.read_bytes())
    for at in range(8192, len(whole), 4096):
        whole[at : at + 64] = b"\xff" * 64
    file.write_bytes(whole)


@pytest.mark.parametrize("make", [not_a_database, foreign_database, scrambled])
def test_a_foreign_or_broken_file_is_never_overwritten(file: Path, make: Callable[[Path], None]) -> None:
    make(file)
    before = file.read_bytes()
    with pytest.raises(JournalError), Journal(file) as journal:
        AgentMemory(journal, "lab")
    assert file.read_bytes() == before


def test_a_journal_from_before_there_was_memory_takes_one(file: Path) -> None:
    with Journal(file) as journal:
        journal.begin("old").record(MissionStarted(instruction="x", setup={}))
    with Journal(file) as journal:
        AgentMemory(journal, "lab").see(look([replace(APPLE, id="1")], 1))
        assert journal.missions()[0].id == "old"


def test_a_locked_file_holds_up_nobody_who_learns(journal: Journal, file: Path) -> None:
    """S16: what memory keeps is written beside the loop; it lands when the lock is gone."""
    memories = AgentMemory(journal, "lab")
    memories.store.number()
    memories.store.flush()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    memories.see(look([APPLE], 1))
    memories.label(Place("desk", Pose(2, 0, 0), 0.5))
    assert memories.recall("apple") is not None
    other.execute("ROLLBACK")
    other.close()
    memories.store.flush()
    assert [u.label for u in memories.store.units()] == ["apple"]
