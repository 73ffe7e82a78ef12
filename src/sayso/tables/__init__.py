"""Tables that are data files: words, units, guidance, each in the package that reads it."""

import functools
import tomllib
from importlib import resources
from typing import Any


@functools.cache
def toml(package: str | None, file: str) -> dict[str, Any]:
    """The table in such a file, read once: nobody changes it."""
    assert package is not None
    return tomllib.loads(resources.files(package).joinpath(file).read_text("utf-8"))
