"""What somebody always wants, in `$XDG_CONFIG_HOME/sayso/config.toml` (`~/.config/sayso/config.toml`):

    model = "http://localhost:8000/v1#llama3"   # for every command on missions that takes it
    [serve]                                     # for one command
    port = 9000

A flag beats the environment, the environment beats the file.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sayso.errors import UsageError

MISSIONS = ("run", "chat", "check", "skills", "serve")
"""The commands that heed what stands outside a table: a bench that did would publish somebody's taste."""


def config_file() -> Path:
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "sayso" / "config.toml"


def defaults(takes: Mapping[str, frozenset[str]]) -> dict[str, dict[str, Any]]:
    """By command, what the file has for its parameters; `takes` names these. Raises `UsageError`."""
    file = config_file()
    if not file.is_file():
        return {}
    try:
        said = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from error
    tables = {k: v for k, v in said.items() if isinstance(v, dict)}
    common = {k: v for k, v in said.items() if k not in tables}
    heeding = [name for name in MISSIONS if name in takes]
    found = {name: {k: v for k, v in common.items() if k in takes[name]} for name in heeding}
    for name, table in tables.items():
        if name not in takes:
            raise UsageError(f"{file}: there is no command {name!r}")
        found[name] = found.get(name, {}) | table
    strange = [k for k in common if not any(k in takes[name] for name in heeding)]
    strange += [f"{name}.{k}" for name, table in tables.items() for k in table if k not in takes[name]]
    if strange:
        raise UsageError(f"{file}: nothing is called {', '.join(map(repr, strange))}; see sayso --help")
    return found
