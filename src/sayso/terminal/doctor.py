"""`sayso doctor`: what is installed, what can render, which endpoint answers, whether the journal opens."""

import asyncio
import importlib.metadata
import os
import platform
import re
from collections.abc import Callable
from functools import partial

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sayso.errors import SaysoError
from sayso.memory.journal import Journal
from sayso.models import listed
from sayso.models.endpoint_check import check_endpoint
from sayso.tables import toml
from sayso.worlds import make as make_world

EXTRAS: dict[str, str] = toml(__package__, "doctor.toml")["extras"]


def ask(console: Console, spec: str) -> int:
    """Put the questions to each endpoint in `spec`, and print what it can; 1 where one does not answer."""
    well = True
    for one in spec.split(","):
        table = Table(box=None, show_header=False, pad_edge=False, title=one, title_justify="left")
        for found in asyncio.run(check_endpoint(one.strip())):
            table.add_row(Text("ok", "green") if found.good else Text("mind", "yellow"), found.what, Text(found.says))
            well = well and found.what != "answers"
        console.print(table)
    return 0 if well else 1


def examine(console: Console) -> int:
    """Print the findings; 1 when something that the main job needs is broken."""
    table = Table(box=None, show_header=False, pad_edge=False)
    well = True
    looks: list[tuple[str, Callable[[], str], bool]] = [
        ("python", lambda: f"{platform.python_version()} on {platform.system()} {platform.machine()}", True),
        *((p, partial(importlib.metadata.version, p), True) for p in ("sayso", *packages())),
        *((f"{extra} (extra)", partial(_installed, extra, serves), False) for extra, serves in EXTRAS.items()),
        ("world", _world, True),
        ("camera pictures", _picture, False),
        ("journal", _journal, True),
        ("endpoint", _endpoint, False),
    ]
    for what, look, needed in looks:
        good, says = _try(look)
        well = well and (good or not needed)
        lacks = Text("BROKEN", "red") if needed else Text("missing", "yellow")
        table.add_row(Text("ok", "green") if good else lacks, what, Text(says))
    console.print(table)
    return 0 if well else 1


def packages(extra: str = "") -> list[str]:
    """What sayso asks for, or one of its extras does, by name."""
    asked = (
        re.match(r"([\w.-]+)[^;]*(?:;.*extra == ['\"](.+)['\"])?", r)
        for r in importlib.metadata.requires("sayso") or ()
    )
    return [found[1] for found in asked if found and (found[2] or "") == extra]


def _installed(extra: str, serves: str) -> str:
    """The packages of an extra with their versions, and what it is for. Raises `ImportError` where one is missing."""
    found, lacks = [], []
    for name in packages(extra):
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            lacks.append(name)
    if lacks:
        raise ImportError(f"{serves}; without {', '.join(lacks)}: pip install 'sayso[{extra}]'")
    return f"{serves}; {', '.join(found)}"


def _try(look: Callable[[], str]) -> tuple[bool, str]:
    try:
        return True, look()
    except importlib.metadata.PackageNotFoundError:
        return False, "not installed"
    except (SaysoError, ImportError, OSError) as error:
        return False, str(error)


def _world() -> str:
    make_world("office")
    return "the office can be built"


def _picture() -> str:
    picture = make_world("office").robot.picture(64, 48)
    if picture is None:
        raise ImportError("no GL library can render here; missions work without, pictures are left out")
    return "rendered"


def _journal() -> str:
    with Journal() as journal:
        return f"{journal.file}, {len(journal.missions())} missions"


def _endpoint() -> str:
    if not (os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_KEY")):
        raise ImportError("none set; OPENAI_BASE_URL and OPENAI_API_KEY would connect one")
    return asyncio.run(listed("openai:?"))
