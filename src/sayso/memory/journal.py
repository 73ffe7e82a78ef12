"""The journal: every event of every mission, in one append-only SQLite file.

What is `kept` survives the death of this process, `kill -9` included: it went through a transaction in SQLite's
write-ahead log, with `synchronous=NORMAL`. What has been written then lies with the operating system, which outlives
us; only a power cut can cost the last moments, and never the file's consistency. Waiting for the disk (`FULL`) would
cost milliseconds an event, for which every motion would wait.

A file that is not a whole journal of a version known here is a `JournalError` and is left exactly as it is. A new one
is made beside its place and moved there complete, so nobody ever meets half a journal.
"""

import contextlib
import datetime as dt
import json
import os
import secrets
import sqlite3
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from sayso.errors import JournalError, UsageError
from sayso.events import Event, MissionEnded, MissionStarted, from_json, to_json
from sayso.memory.background_writer import BackgroundWriter, Write

APPLICATION_ID = 0x5A150001
VERSION = 1

WRITE_TIMEOUT_S = 2.0
"""How long a writer waits for another process that has locked the file."""

CLOSE_TIMEOUT_S = 5.0
CHECKED_BYTES = 32 * 2**20
"""Up to this size a journal is checked throughout when it is opened; a larger one when `verify` is called."""


@dataclass(frozen=True, slots=True)
class MissionRow:
    """One mission at a glance. `outcome` is empty while it runs, and for ever if its process died (`alive` False);

    `doubtful` tells that it is achieved as far as is known, and that nothing observed shows it.
    """

    id: str
    instruction: str
    wall: str
    outcome: str
    reason: str
    events: int
    alive: bool
    doubtful: bool = False

    @property
    def ended(self) -> str:
        """The mission's end in words."""
        return f"{self.outcome.replace('_', ' ')}{', not verified' if self.doubtful else ''}"


T = TypeVar("T")

Job = Callable[[sqlite3.Connection], Callable[[], None] | None]
"""Something to be done to the file within a transaction; what it returns is called once that is on file."""


class Journal:
    """The journal at `file` (None: `journal.sqlite` in `home()`), made if there is none. Raises `JournalError`.

    One process may write while others read, or write missions of their own. An instance stays in the thread that made
    it.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file or home() / "journal.sqlite"
        with self._errors():
            if not self.file.exists():
                _make(self.file)
            self._db = self._connect()
            self._writers: weakref.WeakSet[BackgroundWriter[Any]] = weakref.WeakSet()
            try:
                self._open()
            except BaseException:
                self._db.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, once what was taken is written or cannot be."""
        for writer in list(self._writers):
            writer.close(CLOSE_TIMEOUT_S)
        self._db.close()

    def begin(self, mission: str = "") -> BackgroundWriter[Event]:
        """A mission's part of the journal, written in a thread; `mission` is its id, made up when empty."""
        mission = mission or new_id()
        return self._writer(mission, partial(self.write, mission))

    def add_tables(self, script: str) -> None:
        """Add tables of a caller's own to the file. Raises `JournalError`."""
        with self._errors():
            self._db.executescript(script)

    def worker(self, name: str) -> BackgroundWriter[Job]:
        """A writer that carries out jobs on the file in a thread and in order; each batch lands whole or not at all."""
        return self._writer(name, self._work)

    def _writer(self, name: str, write: Callable[[sqlite3.Connection, Sequence[T]], None]) -> BackgroundWriter[T]:
        def open_file() -> tuple[Write[T], Callable[[], None]]:
            db = self._connect()
            return partial(write, db), db.close

        writer = BackgroundWriter(name, open_file)
        self._writers.add(writer)
        return writer

    def write(self, mission: str, db: sqlite3.Connection, events: Sequence[Event]) -> None:
        """Write all of these events of a mission or none; when this returns, they survive the death of the process.
        Raises `JournalError`.

        The first event brings the mission's row with it, the last one its outcome.
        """
        rows = [(e.at_s, type(e).__name__, _storable(to_json(e))) for e in events]
        with self._errors(), _whole(db):
            number, last = self._mission_of(db, mission, events[0])
            numbered = [(number, last + n, *row) for n, row in enumerate(rows, start=1)]
            db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", numbered)
            for event in events:
                if isinstance(event, MissionEnded):
                    ended = (event.outcome, _storable(event.reason), number)
                    db.execute("UPDATE missions SET outcome = ?, reason = ? WHERE number = ?", ended)

    def _work(self, db: sqlite3.Connection, jobs: Sequence[Job]) -> None:
        with self._errors(), _whole(db):
            after = [then for job in jobs if (then := job(db))]
        for then in after:
            then()

    def _connect(self) -> sqlite3.Connection:
        """Another connection, for the thread that calls."""
        with self._errors():
            _refuse_foreign(self.file)
            db = sqlite3.connect(self.file, isolation_level=None, timeout=WRITE_TIMEOUT_S)
            try:
                db.execute("PRAGMA trusted_schema = OFF")
                db.execute("PRAGMA synchronous = NORMAL")
                db.execute("PRAGMA wal_autocheckpoint = 1000")
            except BaseException:
                db.close()
                raise
        return db

    def _mission_of(self, db: sqlite3.Connection, mission: str, first: Event) -> tuple[int, int]:
        """The number of a mission and of its last event; what happens after its end goes on where it ended."""
        last = "SELECT number, (SELECT max(seq) FROM events WHERE mission = number) FROM missions WHERE id = ?"
        begun = None if isinstance(first, MissionStarted) else db.execute(last, (mission,)).fetchone()
        return (int(begun[0]), int(begun[1] or 0)) if begun else (self._add_mission(db, mission, first), 0)

    def _add_mission(self, db: sqlite3.Connection, mission: str, first: Event) -> int:
        started = first if isinstance(first, MissionStarted) else MissionStarted(instruction="", setup={})
        row = (mission, os.getpid(), _storable(started.instruction), started.wall)
        try:
            added = db.execute("INSERT INTO missions (id, pid, instruction, wall) VALUES (?, ?, ?, ?)", row)
        except sqlite3.IntegrityError as error:
            raise JournalError(f"{self.file} already holds a mission {mission}") from error
        assert added.lastrowid is not None
        return added.lastrowid

    def read(self, query: str, *given: object) -> list[tuple[Any, ...]]:
        """The rows that a query finds. Raises `JournalError`."""
        with self._errors():
            return self._db.execute(query, given).fetchall()

    def missions(self, last: int | None = None) -> list[MissionRow]:
        """All missions, or the `last` ones, in the order in which they began."""
        self._flush()
        rows = self.read(
            "SELECT id, instruction, wall, coalesce(outcome, ''), coalesce(reason, ''),"
            " (SELECT max(seq) FROM events WHERE mission = number), pid, outcome = 'achieved' AND"
            " (SELECT json_array_length(data, '$.unknown') OR NOT coalesce(json_extract(data, '$.verified'), 1)"
            " FROM events WHERE mission = number ORDER BY seq DESC LIMIT 1)"
            " FROM missions ORDER BY number DESC LIMIT ?",
            -1 if last is None else last,
        )
        return [
            MissionRow(id_, said, wall, outcome, reason, count or 0, not outcome and _lives(pid), bool(doubtful))
            for id_, said, wall, outcome, reason, count, pid, doubtful in reversed(rows)
        ]

    def mission(self, mission: str) -> MissionRow:
        """The row of one mission, by its whole id. Raises `UsageError` when there is none."""
        found = [row for row in self.missions() if row.id == mission]
        if not found:
            raise UsageError(f"the journal holds no mission {mission!r}")
        return found[0]

    def events(self, mission: str) -> list[Event]:
        """Everything that happened in a mission, in order. Raises `JournalError` for what cannot be read."""
        self._flush()
        rows = self.read(
            "SELECT kind, data FROM events JOIN missions ON mission = number WHERE id = ? ORDER BY seq", mission
        )
        try:
            return [from_json(kind, data) for kind, data in rows]
        except (ValueError, TypeError) as error:
            raise JournalError(f"{self.file}: an event of mission {mission} cannot be read: {error}") from error

    def resolve(self, which: str = "LAST") -> str:
        """The id that `LAST` or the beginning of an id stands for. Raises `UsageError` for none or several."""
        rows = self.missions()
        if not rows:
            raise UsageError(f"the journal {self.file} holds no mission yet")
        if which.upper() == "LAST":
            return rows[-1].id
        found = [row.id for row in rows if row.id.startswith(which)]
        if which in found:
            return which
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"{which!r} could be any of {', '.join(found[:5])}: write more of it")
        raise UsageError(f"the journal holds no mission {which!r}; the last one is {rows[-1].id}")

    def verify(self) -> None:
        """Read the whole file and check it. Raises `JournalError` with the first fault."""
        fault = self.read("PRAGMA integrity_check(1)")[0][0]
        if fault != "ok":
            raise JournalError(f"{self.file} is damaged: {fault}; move it aside to begin a new one")

    def _flush(self) -> None:
        for writer in list(self._writers):
            writer.flush(CLOSE_TIMEOUT_S)

    def _open(self) -> None:
        tables = {name for (name,) in self._db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if not {"missions", "events"} <= tables:
            raise JournalError(f"{self.file} is damaged: its tables are gone; move it aside to begin a new one")
        if self.file.stat().st_size <= CHECKED_BYTES:
            self.verify()
        if self._db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            self._db.execute("PRAGMA journal_mode = WAL")

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """SQLite's and the system's errors, as ours."""
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(f"the journal {self.file} cannot be used: {error}") from error
        except OSError as error:
            told = f"the journal {self.file} cannot be used: {error.strerror or error}"
            raise JournalError(f"{told}; SAYSO_HOME names another place") from error


@contextlib.contextmanager
def _whole(db: sqlite3.Connection) -> Iterator[None]:
    """What is written meanwhile lands whole or not at all."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def stops_folder() -> Path:
    """The folder in which stops of real machines are kept until a person lifts them."""
    return home() / "stops"


def home() -> Path:
    """The folder of this person's missions: `$SAYSO_HOME`, or where this platform keeps data of programs."""
    if chosen := os.environ.get("SAYSO_HOME"):
        return Path(chosen)
    if sys.platform == "win32":
        data = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        data = Path.home() / "Library" / "Application Support"
    else:
        data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return data / "sayso"


def new_id() -> str:
    """An id that sorts by time and can be typed: 20260131-142501-3f9a04c1. Many may begin in one second."""
    return f"{dt.datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"


def schema(file: str) -> str:
    """The tables that a file beside this one describes."""
    return resources.files(__package__).joinpath(file).read_text("utf-8")


def _make(file: Path) -> None:
    """A new, empty journal at `file`. Whoever is second in making it uses the first one's."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as db:
            marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
            db.executescript(f"BEGIN; {schema('journal.sql')} {marks} COMMIT;")
        with contextlib.suppress(FileExistsError):
            _place(draft, file)
    finally:
        draft.unlink(missing_ok=True)


def _place(draft: Path, file: Path) -> None:
    """Give the finished draft its name; never over another file."""
    try:
        file.hardlink_to(draft)
    except (OSError, NotImplementedError) as error:
        if isinstance(error, FileExistsError) or file.exists():
            raise FileExistsError(str(file)) from error
        draft.rename(file)  # a file system without hard links


def _refuse_foreign(file: Path) -> None:
    """Look at the header as of a file that nobody may change: SQLite may write to one that it opens otherwise.

    It has to be SQLite that looks: where the system forgets all locks of a process on a file as soon as that closes it
    once (POSIX does), a look of our own would let another process throw away what this one is writing.
    https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_

    Beside a log, the header may count pages that still have to come from there: a checkpoint moves page 1 first, and
    its process may have been killed then. SQLite lets that pass where the schema may be written (`lockBtree`).
    """
    aside = "move it aside, or let SAYSO_HOME name another place"
    try:
        if not file.stat().st_size:  # to SQLite that is an empty database
            raise sqlite3.DatabaseError("no header")
        with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            if Path(f"{file}-wal").exists():
                db.execute("PRAGMA writable_schema = ON")
            (application,), (version,) = (
                db.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
            )
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise JournalError(f"{file} is not a journal of sayso, or is damaged; {aside}") from error
    if application != APPLICATION_ID:
        raise JournalError(f"{file} is a database of another program; {aside}")
    if version != VERSION:
        raise JournalError(f"{file} was written by another version of sayso (format {version}, not {VERSION}); {aside}")


def _storable(text: str) -> str:
    """Text that SQLite takes: lone surrogates, which arguments can hold, as JSON escapes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        try:
            return json.dumps(json.loads(text))
        except ValueError:
            return text.encode("utf-8", "backslashreplace").decode()
    return text


def _lives(pid: int) -> bool:
    """Whether the process that wrote a mission may still be running. A reused number can only err towards yes."""
    if sys.platform == "win32":
        return pid == os.getpid()
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
