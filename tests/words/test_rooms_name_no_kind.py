"""No room of mechanism names a kind of robot: what such a room must know of a kind comes from its kit."""

from __future__ import annotations

import re
from pathlib import Path

import sayso

SOURCE = Path(sayso.__file__).parent
KINDS = re.compile(
    r"drone|quadrotor|humanoid|soccer|football|warehouse|household|aircraft|\buav\b|rescue|service[ _]robot", re.I
)
"""Our kinds of robots and their places. `service` alone is an ordinary word, and so is `home`."""

DATA = frozenset({"weights"})
"""Folders of what was learned, not written."""


def _named() -> dict[str, str]:
    """Each general file that names a kind, with the first place where it does."""
    found = {}
    for file in sorted(SOURCE.rglob("*")):
        path = file.relative_to(SOURCE)
        if path.parts[0] == "robots" or DATA & set(path.parts) or file.suffix not in (".py", ".toml", ".txt"):
            continue
        for number, line in enumerate([path.as_posix(), *file.read_text("utf-8").splitlines()]):
            if KINDS.search(line):
                found[path.as_posix()] = f"line {number}: {line.strip()}"
                break
    return found


def test_no_general_room_names_a_kind() -> None:
    assert _named() == {}
