"""Runs the command line as a person would: in this process where that tells the same, in one of its own for signals
and terminals."""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sayso.events import Event
from sayso.memory.journal import Journal
from sayso.program import main

PATIENCE_S = 300.0
"""How long a busy machine may take for what takes a moment."""

TOUR = "take off, turn around and go to the chair, then take a picture"


@dataclass(frozen=True, slots=True)
class Ran:
    """What one command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The last line of standard output."""
        found: dict[str, Any] = json.loads(self.out.splitlines()[-1])
        return found


class _Stream(io.TextIOWrapper):
    """What is written to it is kept. Where there is a `mark`, this process is sent a signal when that was written."""

    def __init__(self, mark: str = "", number: int = signal.SIGINT) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")
        self._mark, self._number, self._log = mark, number, ""

    def write(self, text: str) -> int:
        self._log += text
        if self._mark and self._mark in self._log:
            self._mark = ""
            os.kill(os.getpid(), self._number)
        return super().write(text)


class Home:
    """A person's folder of missions, and the commands given in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "journal.sqlite"

    def sayso(
        self, *words: str, stdin: bytes = b"", at: str = "", number: int = signal.SIGINT, **environment: str
    ) -> Ran:
        """One command, run to its end in this process, which gets a signal `at` what is on standard error by then."""
        (self.folder / "stdin").write_bytes(stdin)
        streams = [_Stream(), _Stream(at, number)]
        with (
            _swapped(sys, "argv", ["sayso", *words]),
            _environment({"SAYSO_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder), **environment}),
            (self.folder / "stdin").open(encoding="utf-8") as typed,
            _swapped(sys, "stdin", typed),
            contextlib.redirect_stdout(streams[0]),
            contextlib.redirect_stderr(streams[1]),
        ):
            try:
                main()
            except SystemExit as end:
                code = int(end.code or 0)
        texts = []
        for stream in streams:
            stream.flush()
            texts.append(stream.buffer.getvalue().decode("utf-8"))  # type: ignore[attr-defined]
        return Ran(code, *texts)

    def start(self, *words: str, **options: Any) -> subprocess.Popen[str]:
        """One command in a process of its own."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        return subprocess.Popen(
            [sys.executable, "-m", "sayso", *words],
            env={**os.environ, "SAYSO_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)},
            text=True,
            cwd=self.folder,
            **options,
        )

    def file(self, name: str, text: str | dict[str, Any]) -> str:
        """A file in the folder; its path."""
        path = self.folder / name
        path.write_text(text if isinstance(text, str) else json.dumps(text), "utf-8")
        return str(path)

    def events(self, mission: str = "LAST") -> list[Event]:
        with Journal(self.journal) as journal:
            return journal.events(journal.resolve(mission))

    def missions(self) -> int:
        with Journal(self.journal) as journal:
            return len(journal.missions())

    def kinds(self, mission: str = "LAST") -> list[str]:
        """The names of what happened."""
        return [type(e).__name__ for e in self.events(mission)]


class Terminal:
    """A command on a terminal of its own; `screen` is all that was written to it."""

    def __init__(self, home: Home, *words: str, columns: int = 80, rows: int = 24, term: str = "xterm") -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        unset = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"}
        environment = {k: v for k, v in os.environ.items() if k not in unset}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "sayso", *words],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that a typed Ctrl-C is a signal
            env={**environment, "SAYSO_HOME": str(home.folder), "XDG_CONFIG_HOME": str(home.folder), "TERM": term},
        )  # fmt: skip
        os.close(theirs)
        self.screen = ""

    def see(self, text: str) -> None:
        """Wait until `text` has been written."""
        until_s = time.monotonic() + PATIENCE_S
        while text not in self.screen:
            if time.monotonic() > until_s or not self._read():
                self._process.kill()
                raise AssertionError(f"never saw {text!r} in {self.screen!r}")

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def end(self) -> int:
        """Wait for the end; the exit code."""
        until_s = time.monotonic() + PATIENCE_S
        while self._read():
            if time.monotonic() > until_s:
                self._process.kill()
                raise AssertionError(f"it does not end: {self.screen[-2000:]!r}")
        os.close(self._ours)
        return self._process.wait()

    def _read(self) -> bool:
        """Take in what was written; False when the other end is closed."""
        if not select.select([self._ours], [], [], 1.0)[0]:
            return self._process.poll() is None
        try:
            self.screen += os.read(self._ours, 65536).decode("utf-8", "replace")
        except OSError:
            return False
        return True


def stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """On simulated time, what is waited for outside of it takes no time, as if the wall's clock stood still."""
    monkeypatch.setattr("sayso.clock.time", SimpleNamespace(monotonic=lambda: 0.0))


@contextlib.contextmanager
def _swapped(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextlib.contextmanager
def _environment(more: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(more)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
