"""Tables that are data files: words, units, guidance, each in the package that reads it."""

import functools
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any


@functools.cache
def toml(package: str | None, file: str) -> dict[str, Any]:
    """The table in such a file, read once: nobody changes it."""
    assert package is not None
    return tomllib.loads(resources.files(package).joinpath(file).read_text("utf-8"))


def toml_file(path: Path) -> dict[str, Any]:
    """The table in a file of somebody's, read again where that was changed: nobody changes what was read."""
    return _read(path, path.stat().st_mtime_ns)


@functools.lru_cache(100)
def _read(path: Path, at_ns: int) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))
