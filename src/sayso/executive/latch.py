"""The latch of a person's stop of a real machine: a file that outlives the process until a person lifts it (S6)."""

import json
import os
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from urllib.parse import quote, unquote

UNREADABLE = "a stop on record that cannot be read"
ENDING = ".stopped"


class Latch:
    """The file of one machine in `folder`. Written in a thread; `tell` hears there of what could not be written."""

    def __init__(self, folder: Path, identity: str, tell: Callable[[str], None] = lambda text: None) -> None:
        self.file = folder / (quote(identity, safe="") + ENDING)
        self._tell = tell
        self._wanted = ""
        self._writing = threading.Lock()
        self._threads: list[threading.Thread] = []

    def read(self) -> str:
        """Who stopped the machine, empty where it is free. A record that cannot be read is no leave to move."""
        try:
            return str(json.loads(self.file.read_text("utf-8"))["by"])
        except (FileNotFoundError, NotADirectoryError):
            return ""
        except (OSError, ValueError, KeyError, TypeError):
            return UNREADABLE

    def set(self, by: str) -> None:
        """Write that somebody stopped the machine. Returns at once."""
        self._write(json.dumps({"by": by, "at": datetime.now().astimezone().isoformat(timespec="seconds")}))

    def lift(self) -> None:
        """Remove the stop, since a person released the machine. Returns at once."""
        self._write("")

    def flush(self, seconds: float) -> None:
        """Wait for the disk, at most so long."""
        for thread in self._threads:
            thread.join(seconds)

    def _write(self, text: str) -> None:
        self._wanted = text
        self._threads = [t for t in self._threads if t.is_alive()]
        self._threads.append(threading.Thread(target=self._written, name="sayso latch", daemon=True))
        self._threads[-1].start()

    def _written(self) -> None:
        """Bring the file to what is wanted by now: an earlier wish that comes late writes the later one."""
        with self._writing:
            try:
                if self._wanted:
                    self._replace(self._wanted)
                else:
                    self.file.unlink(missing_ok=True)
            except OSError as error:
                self._tell(f"the stop could not be put on record in {self.file}, so it ends with this process: {error}")

    def _replace(self, text: str) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        beside = self.file.with_suffix(".new")
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.file)


def latched(folder: Path) -> dict[str, str]:
    """Machines that are stopped, by identity, and by whom."""
    files = sorted(folder.glob("*" + ENDING)) if folder.is_dir() else []
    return {name: Latch(folder, name).read() for name in (unquote(f.name.removesuffix(ENDING)) for f in files)}
