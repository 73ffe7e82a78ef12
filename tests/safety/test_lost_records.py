"""What happens while a record cannot be written; each quotes the rule of docs/safety.md that it holds."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from trolley import Trolley, ended, once, say

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import JournalError
from sayso.events import Event, MissionEnded, Released, StopAsked, Stopped, TaskStarted
from sayso.memory.event_text import story
from sayso.memory.journal import Journal
from sayso.memory.record import Record
from sayso.models.scripted import Scripted


def test_a_stop_halts_while_the_journal_is_locked(tmp_path: Path) -> None:
    """S1, S16: halt first; no new motion without a record, and the mission ends saying so."""
    robot = Trolley()

    async def lock_then_stop(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        other.execute("BEGIN EXCLUSIVE")
        agent.stop("key")
        await agent.executive.settled()
        assert robot.speed_mps == 0 and robot.calls["halt"] >= 1

    with Journal(tmp_path / "journal.sqlite") as journal:
        other = sqlite3.connect(journal.file, isolation_level=None)
        events = say(["drive(2);drive(2)"], robot, meanwhile=lock_then_stop, memory=journal)[0]
        other.execute("ROLLBACK")
        other.close()
    assert ended(events).outcome in ("stopped", "error")
    assert any(isinstance(e, Stopped) and e.confirmed for e in events)
    assert sum(isinstance(e, TaskStarted) for e in events) == 1


def test_nothing_moves_when_the_journal_is_full(tmp_path: Path) -> None:
    """S16: a mission whose record cannot be written ends saying so, before anything moves; the next one works."""

    class Full(Journal):
        full = True

        def _connect(self) -> sqlite3.Connection:
            db = super()._connect()
            if self.full:
                db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
            return db

    robot = Trolley()
    with Full(tmp_path / "journal.sqlite") as journal:
        big = "drive(1)" + " " * 60_000
        first = say([big], robot, memory=journal)[0]
        journal.full = False
        second = say(["drive(1)"], Trolley(), memory=journal)[0]
    assert ended(first).outcome == "error" and "journal" in ended(first).reason
    assert robot.furthest_m == 0 and ended(second).outcome == "achieved"


FAILING = {
    "full": sqlite3.OperationalError("database or disk is full"),
    "unwritable": sqlite3.OperationalError("attempt to write a readonly database"),
    "gone": OSError(5, "Input/output error"),
}


@pytest.mark.parametrize("how", FAILING)
def test_a_stop_halts_while_the_journal_fails_and_so_does_the_next(how: str, tmp_path: Path) -> None:
    """S1, S2, S16: the disk fails amid a motion; every stop halts, the mission ends, and its stop stays latched."""
    failing: list[Exception] = []

    class Disk(sqlite3.Connection):
        def execute(self, *given: Any) -> sqlite3.Cursor:
            if failing:
                raise failing[0]
            return super().execute(*given)

    class Kept(Journal):
        def _connect(self) -> sqlite3.Connection:
            super()._connect().close()
            return sqlite3.connect(self.file, isolation_level=None, factory=Disk)

    robot = Trolley(halt=once(1, OSError("and the first halt is lost")))

    async def fail_then_stop(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        failing.append(FAILING[how])
        for tries, by in enumerate(("key", "button"), 1):
            agent.stop(by)
            await asyncio.sleep(0.01)
            assert robot.calls["halt"] == tries
        await asyncio.sleep(1.0)
        assert robot.speed_mps == 0 and agent.executive.stopped_by == "key"

    with Kept(tmp_path / "journal.sqlite") as journal:
        events = say(["drive(9)"], robot, meanwhile=fail_then_stop, memory=journal)[0]
    assert ended(events).outcome in ("stopped", "error") and ended(events).at_s < 3


def test_what_happens_between_missions_is_kept_with_the_one_before(tmp_path: Path) -> None:
    """S16: and the mission's own record and replay end where it ended."""

    async def live(journal: Journal) -> str:
        async with Agent(Trolley(), model=Scripted(["drive(1)"]), memory=journal) as agent:
            assert [e async for e in agent.say("go")]
            agent.stop("key")
            await agent.executive.settled()
            agent.release("a person")
            return journal.resolve()

    with Journal(tmp_path / "journal.sqlite") as journal:
        mission = SimClock().run(live(journal))
        kept = journal.events(mission)
        assert [type(e) for e in kept[-4:]] == [MissionEnded, StopAsked, Stopped, Released]
        assert journal.mission(mission).outcome == "achieved"
    assert isinstance(Record(kept).events[-1], MissionEnded)
    assert [line.text for line in story(kept)][-1] == "released by a person"


def test_a_memory_that_raises_ends_the_mission_and_not_the_agent() -> None:
    """S13, S16."""

    class Broken:
        def begin(self, mission: str) -> Any:
            raise JournalError("the disk is gone")

    robot = Trolley()
    events = say(["drive(1)"], robot, memory=Broken())[0]
    assert ended(events).outcome == "error" and "the disk is gone" in ended(events).reason
    assert robot.furthest_m == 0


def test_the_word_land_is_obeyed_without_a_record() -> None:
    """S16: to come to rest waits for nothing; only the mission says that it could not be kept."""

    class Filling:
        full = False

        def begin(self, mission: str) -> Any:
            return self

        def record(self, event: Event) -> None: ...

        async def kept(self) -> None:
            if self.full:
                raise JournalError("database or disk is full")

    disk, robot = Filling(), Trolley()

    async def land(agent: Agent) -> None:
        assert not robot.resting
        disk.full = True
        obeyed.extend([e async for e in agent.say("land")])

    obeyed: list[Event] = []
    assert ended(say(["drive(1)"], robot, memory=disk, after=land)[0]).outcome == "achieved"
    assert robot.resting and robot.calls["rest"] == 1
    assert ended(obeyed).outcome == "error" and "disk is full" in ended(obeyed).reason
