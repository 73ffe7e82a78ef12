"""`sayso export`: a record or a plan as a file for another program.

What a kind of robot can write is brought along by the ending of the file, as an entry point of the group
`sayso.exports`: a function of the file, of what is to be exported, and of options that are text, with their defaults;
it yields a line about what it wrote.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import entry_points
from pathlib import Path

from sayso.errors import UsageError
from sayso.memory.journal import Journal
from sayso.outside import extra

GROUP = "sayso.exports"


def mission(journal: Journal, which: Sequence[str], file: Path) -> str:
    """A mission's record as MCAP; a line about it. Raises `UsageError`."""
    with extra("mcap", "this file"):
        from sayso.terminal.mcap import export
    if len(which) > 1:
        raise UsageError(f"an MCAP file holds one mission, not {len(which)}")
    found = journal.resolve(*which)
    return export(found, journal.events(found), file)


def brought(what: Sequence[str], file: Path, options: Sequence[str]) -> Iterable[str]:
    """What a kind of robot writes into files of that ending. Raises `UsageError`."""
    endings = {f".{entry.name}": entry for entry in entry_points(group=GROUP)}
    if file.suffix.lower() not in endings:
        raise UsageError(f"{file.name} ends in none of {', '.join(endings)}, so there is no telling what to write")
    if not what:
        raise UsageError(f"what is to be written into {file.name}?")
    write: Callable[..., Iterable[str]] = endings[file.suffix.lower()].load()
    known = [
        name for name, p in inspect.signature(write).parameters.items() if p.default is not inspect.Parameter.empty
    ]
    given = dict(option.partition("=")[::2] for option in options)
    if unknown := set(given) - set(known):
        raise UsageError(
            f"{file.suffix} files take --with {', '.join(f'{name}=…' for name in known)}, not {min(unknown)}"
        )
    return write(file, what, **given)
