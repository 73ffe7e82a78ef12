"""The store of remembered things and places: tables in the journal's SQLite file, with its checks and promises.

They are added to a journal when they are first needed, and carry their own version, so that a journal without them
stays readable by everyone. What is to be kept is written in a thread, in order; what one call gives lands whole or not
at all, and survives the death of this process once `kept` has returned.
"""

import json
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sayso.errors import JournalError
from sayso.memory.journal import Job, Journal, schema
from sayso.memory.places import GridMap, Place
from sayso.memory.thing_record import ThingRecord, Turn
from sayso.memory.things import Changes
from sayso.scene import Pose

VERSION = 1
TABLES = ("memory", "units", "turns", "maps", "places", "vectors")

NUMBERS = 32
"""So many numbers for new units are taken from the file at once."""

WAIT_S = 2.0
"""How long a reader waits for what is being written."""


class MemoryStore:
    """The memory's tables in `journal`. Raises `JournalError` for tables that are not what they should be."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._worker = journal.worker("memory")
        self._numbers: deque[int] = deque()
        self._asked = False
        self._forgotten: deque[int] = deque()
        there = {name for (name,) in journal.read("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if not there & set(TABLES):
            journal.add_tables(schema("memory.sql"))
            return
        if missing := set(TABLES) - there:
            raise self._damaged(f"it lacks {', '.join(sorted(missing))}")
        numbers = dict(journal.read("SELECT key, value FROM memory"))
        if "next" not in numbers or not isinstance(numbers.get("version"), int):
            raise self._damaged("its version is gone")
        if numbers["version"] != VERSION:
            raise JournalError(
                f"the memory in {journal.file} was written by another version of sayso "
                f"(format {numbers['version']}, not {VERSION}); let SAYSO_HOME name another place"
            )

    def _damaged(self, fault: str) -> JournalError:
        return JournalError(f"the memory in {self._journal.file} is damaged: {fault}; move the file aside")

    @property
    def changed_elsewhere(self) -> int:
        """A number that differs after somebody else has written to the file; 0 while something of ours waits for it."""
        return int(self._journal.read("PRAGMA data_version")[0][0]) if self._worker.settled else 0

    def flush(self) -> None:
        """Wait for the disk, for callers without a running loop. Raises `JournalError` where it does not take it."""
        self._worker.flush(WAIT_S)
        if problem := self._worker.problem:
            raise JournalError(f"{self._journal.file}: {problem}")

    def _read(self, query: str, *given: object) -> list[tuple[Any, ...]]:
        """The rows that a query finds, once all that was given is on file. Raises `JournalError`."""
        self.flush()
        return self._journal.read(query, *given)

    async def kept(self) -> None:
        """Return when everything given so far survives. Raises `JournalError`."""
        await self._worker.kept()

    def number(self) -> None:
        """Reserve numbers for new things."""
        if not self._asked and len(self._numbers) < NUMBERS // 2:
            self._asked = True
            self._worker.record(self._number)

    def _number(self, db: sqlite3.Connection) -> Callable[[], None]:
        taken = db.execute("UPDATE memory SET value = value + ? WHERE key = 'next' RETURNING value", (NUMBERS,))
        after = int(taken.fetchall()[0][0])

        def numbered() -> None:
            self._numbers.extend(range(after - NUMBERS, after))
            self._asked = False

        return numbered

    def new_id(self) -> int:
        """A number that no unit has or had. Raises `JournalError`."""
        self.number()
        if not self._numbers:
            self.flush()
        return self._numbers.popleft()

    def keep(self, changes: Changes, known: Iterable[int]) -> None:
        """Write changes. `known` are the ids that were on file before."""
        before, units, gone, turns = set(known), [*changes.units.values()], dict(changes.gone), [*changes.turns]

        def write(db: sqlite3.Connection) -> Callable[[], None]:
            forgotten: list[int] = []
            for unit in units:
                if unit.id in before and not db.execute("DELETE FROM units WHERE id = ?", (unit.id,)).rowcount:
                    forgotten.append(unit.id)
                else:
                    db.execute(f"INSERT INTO units VALUES ({', '.join('?' * 20)})", _row(unit))
            for unit_id, became in gone.items():
                _leave(db, unit_id, became)
            kept = [_row(t) for t in turns if t.unit not in forgotten]
            db.executemany("INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", kept)
            return lambda: self._forgotten.extend(forgotten)

        self._worker.record(write)

    def forgotten(self) -> list[int]:
        """Things that were to be written and that a person had deleted meanwhile; they stay deleted."""
        return [self._forgotten.popleft() for _ in range(len(self._forgotten))]

    def units(self, map_id: str | None = None) -> list[ThingRecord]:
        """All units, or those of one map. Raises `JournalError` for one that cannot be read."""
        where, args = ("", ()) if map_id is None else (" WHERE map = ?", (map_id,))
        rows = self._read(f"SELECT * FROM units{where} ORDER BY id", *args)
        try:
            return [_unit(row) for row in rows]
        except (ValueError, TypeError, AttributeError) as error:
            raise self._damaged(f"a thing cannot be read: {error}") from error

    def history(self, unit: int) -> list[Turn]:
        """The changes of one thing, in order of time."""
        rows = self._read("SELECT * FROM turns WHERE unit = ? ORDER BY at_s, rowid", unit)
        return [Turn(u, at_s, what, _pose(x, y, z, yaw), *rest) for u, at_s, what, x, y, z, yaw, *rest in rows]

    def keep_grid(self, map_id: str, grid: GridMap) -> None:
        """Keep the map of that id."""
        self._worker.record(_statement("INSERT OR REPLACE INTO maps VALUES (?, ?)", map_id, grid.to_bytes()))

    def grid(self, map_id: str) -> GridMap | None:
        """The map of that id, None where there is none. Raises `JournalError`."""
        rows = self._read("SELECT grid FROM maps WHERE id = ?", map_id)
        try:
            return GridMap.from_bytes(rows[0][0]) if rows else None
        except ValueError as error:
            raise self._damaged(f"the map {map_id!r} cannot be read: {error}") from error

    def keep_place(self, map_id: str, place: Place) -> None:
        """Keep a named place."""
        insert = "INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        self._worker.record(_statement(insert, map_id, *_row(place)))

    def places(self, map_id: str) -> list[Place]:
        """The named places of a map."""
        rows = self._read("SELECT * FROM places WHERE map = ? ORDER BY name", map_id)
        return [
            Place(name, Pose(x, y, z, yaw), radius, tuple(json.loads(a))) for _, name, x, y, z, yaw, radius, a in rows
        ]

    def map_ids(self) -> list[str]:
        """Every map of which something is remembered."""
        rows = self._read("SELECT map FROM units UNION SELECT id FROM maps UNION SELECT map FROM places")
        return sorted(map_id for (map_id,) in rows)

    def keep_vectors(self, space: str, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Keep what texts mean in one embedder's space."""
        rows = [(space, text, vector.astype("<f4").tobytes()) for text, vector in vectors.items()]

        def write(db: sqlite3.Connection) -> None:
            db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

        self._worker.record(write)

    def vectors(self, space: str) -> dict[str, NDArray[np.float32]]:
        """Every text of one embedder's space with what it means."""
        rows = self._read("SELECT text, vector FROM vectors WHERE space = ?", space)
        return {text: np.frombuffer(blob, dtype="<f4") for text, blob in rows}


def _leave(db: sqlite3.Connection, unit_id: int, became: int) -> None:
    """Take a unit away; its history goes on with the one that it became, or goes with it."""
    db.execute("DELETE FROM units WHERE id = ?", (unit_id,))
    if became:
        db.execute("UPDATE turns SET unit = ? WHERE unit = ?", (became, unit_id))
    else:
        db.execute("DELETE FROM turns WHERE unit = ?", (unit_id,))


def _statement(sql: str, *args: object) -> Job:
    """One statement as a job."""

    def job(db: sqlite3.Connection) -> None:
        db.execute(sql, args)

    return job


def _pose(x: float | None, y: float, z: float, yaw: float) -> Pose | None:
    return None if x is None else Pose(x, y, z, yaw)


def _row(record: ThingRecord | Turn | Place) -> list[object]:
    """Its columns, in the order of its fields."""
    return [cell for field in fields(record) for cell in _cells(getattr(record, field.name))]


def _cells(value: object) -> tuple[object, ...]:
    """A pose takes four, and only a pose may be missing; lists and tables go as JSON."""
    if value is None or isinstance(value, Pose):
        return astuple(value) if value else (None,) * 4
    kept = dict(value) if isinstance(value, Mapping) else value
    return (json.dumps(kept),) if isinstance(kept, dict | tuple) else (kept,)


def _unit(row: Sequence[Any]) -> ThingRecord:
    id_, label, map_id, x, y, z, yaw, place, likes, seen, born, mission, sure, held, *rest = row
    picture, name, sense, reach, behind, missed = rest
    return ThingRecord(
        int(id_), label, map_id, _pose(x, y, z, yaw), place, dict(json.loads(likes)), seen, born, mission, sure,
        bool(held), picture, name, sense, reach, tuple(json.loads(behind)), missed,
    )  # fmt: skip
