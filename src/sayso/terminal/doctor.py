"""`sayso doctor`: what is installed, what can render, which endpoint answers, whether the journal opens."""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import platform
from collections.abc import Callable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sayso.errors import SaysoError
from sayso.memory.journal import Journal
from sayso.models import probe_endpoint
from sayso.worlds import make as make_world

PACKAGES = (
    "sayso", "numpy", "mujoco", "onnxruntime", "llguidance", "httpx2", "openai", "pillow", "pluralizer",
    "pyspellchecker", "rich", "typer",
)  # fmt: skip
"""What pyproject.toml asks for; a test compares."""

EXTRAS = ("numba", "nicegui", "tiktoken", "moonshine-voice", "pocketsphinx")


def examine(console: Console) -> int:
    """Print the findings; 1 when something that the main job needs is broken."""
    table = Table(box=None, show_header=False, pad_edge=False)
    well = True
    for what, look, needed in (
        ("python", lambda: f"{platform.python_version()} on {platform.system()} {platform.machine()}", True),
        *((p, lambda p=p: importlib.metadata.version(p), True) for p in PACKAGES),
        *((f"{p} (extra)", lambda p=p: importlib.metadata.version(p), False) for p in EXTRAS),
        ("world", _world, True),
        ("camera pictures", _picture, False),
        ("journal", _journal, True),
        ("endpoint", _endpoint, False),
    ):
        good, says = _try(look)
        well = well and (good or not needed)
        lacks = Text("BROKEN", "red") if needed else Text("missing", "yellow")
        table.add_row(Text("ok", "green") if good else lacks, what, Text(says))
    console.print(table)
    return 0 if well else 1


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
    reached = asyncio.run(probe_endpoint("openai:?"))
    if not reached.answers:
        raise OSError(reached.text)
    return reached.text
